#!/usr/bin/env python3
"""--diff of all three commands on real projects made into repositories of four commits: one generic function added, one
dependency raised, one hot function made slower. Each diff is to name that first, with figures that add up, and to leave
the repository as it is, to the byte.

usage: check_diff.py [PROJECT...]

The commands are in PATH. Not part of compare_*.py: it asks crates.io for the dependency's other version.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import projects

INPUT_BYTES = 60_000_000
# Of the time that the whole program takes more, the part in the function that was slowed, at least.
SLOWED_SHARE_MIN = 0.5


class Subject:
    """A project, what is done to it, and what the diffs are to name for it."""

    def __init__(self, project, crate, start, slowed, dependency, arguments):
        self.project = project
        self.crate = crate  # as its functions are called
        self.start = start  # file and text: what main begins with, where the generic is called
        self.slowed = slowed  # names: of the function, and of what it is compiled into; file; text and what replaces it
        self.dependency = dependency  # its name, the version to raise it to, and the crates that come with it
        self.arguments = arguments  # of the program, before the file it reads


# Steps that each wait for the one before: time goes by their number, and no other function is called.
STEPS = """{
            let mut left = 24u8;
            let mut state = 1u64 + %s as u64;
            while left > 0 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                left -= 1;
            }
            if state == 0 { return Default::default(); }
        }
"""

SUBJECTS = [
    Subject(
        projects.Project("hexyl", "0.16.0", ["--bin", "hexyl"], "a program on a library of its own, clap"),
        "hexyl",
        ("src/main.rs", "fn run() -> Result<()> {\n"),
        (("print_char",), "src/lib.rs", "fn print_char(&mut self, i: u64) -> io::Result<()> {\n",
         "fn print_char(&mut self, i: u64) -> io::Result<()> {\n" + STEPS.replace("Default::default()", "Ok(())") % "i"),
        ("clap", "4.5.40", ("clap", "clap_builder")),
        ["--color=never"],
    ),
    Subject(
        projects.Project("pulldown-cmark", "0.12.2", ["--bin", "pulldown-cmark"], "a parser, hardly any dependencies"),
        "pulldown_cmark",
        ("src/main.rs", "pub fn main() -> std::io::Result<()> {\n"),
        (("scalar_iterate_special_bytes", "parse_line"), "src/firstpass.rs", "        let b = bytes[ix];\n        if lut[b as usize] {\n",
         "        let b = bytes[ix];\n" + STEPS.replace("Default::default()", "(ix, None)") % "b"
         + "        if lut[b as usize] {\n"),
        ("getopts", "0.2.24", ("getopts", "unicode_width")),
        [],
    ),
]

GENERIC = """
#[inline(never)]
fn fold_added<T: Copy + Into<u64>>(items: &[T]) -> u64 {
    let mut sums = [0u64; 8];
    for (at, &item) in items.iter().enumerate() {
        let value: u64 = item.into();
        sums[value as usize % 8] += value.rotate_left(at as u32) / (at as u64 + 1);
        sums[(value >> 3) as usize % 8] ^= value.swap_bytes() % (at as u64 + 7);
    }
    for at in 1..items.len() {
        let (left, right): (u64, u64) = (items[at - 1].into(), items[at].into());
        sums[at % 8] = sums[at % 8].wrapping_mul(left | 1) + (left ^ right).count_ones() as u64;
    }
    sums.iter().fold(1, |sum, &one| sum.rotate_left(5) ^ one)
}
"""
CALLS = """    std::hint::black_box(fold_added(std::hint::black_box(&[1u8; 3])) ^ fold_added(std::hint::black_box(&[2u16; 3])));
    std::hint::black_box(fold_added(std::hint::black_box(&[3u32; 3])) ^ fold_added(std::hint::black_box(&[4u64; 3])));
"""
# One codegen unit: among several what is added moves others, which are then inlined elsewhere and change as well.
PROFILE = "\n[profile.release]\nopt-level = 2\ndebug = 1\nlto = false\ncodegen-units = 1\nstrip = false\n"


def state_of(folder):
    """Every path of a repository with kind, mode, time and content: also of .git, but for what cargo builds."""
    result = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(parent, name) != os.path.join(folder, "target")]
        for name in files + folders:
            path = os.path.join(parent, name)
            about = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else ""
            if not os.path.islink(path) and not os.path.isdir(path):
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            result[os.path.relpath(path, folder)] = (about.st_mode, about.st_mtime_ns, content)
    return result


class Check:
    def __init__(self, subject, scratch):
        self.subject = subject
        self.folder = os.path.join(scratch, subject.project.name)
        self.environment = {**projects.environment("legacy"), "XDG_CACHE_HOME": os.path.join(scratch, "cache")}
        self.environment.pop("RUSTFLAGS")
        self.input = os.path.join(scratch, "input")
        self.problems = []
        shutil.copytree(projects.fetch(subject.project), self.folder,
                        ignore=shutil.ignore_patterns("target", ".cargo-ok", ".cargo_vcs_info.json"))

    # --- The repository

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=N", "-c", "user.email=n@example.org", *arguments], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)

    def commit(self, tag):
        self.git("add", "-A", "-f", ".")
        self.git("commit", "-q", "-m", tag)
        self.git("tag", tag)

    def replace(self, name, old, new):
        path = os.path.join(self.folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            sys.exit(f"{path}: {text.count(old)} times instead of once: {old}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))

    def make(self):
        """The commits "first", "generic", "raised" and "slowed"."""
        name, old = self.subject.start
        _, slowed, fast, slow = self.subject.slowed
        dependency, version, _ = self.subject.dependency
        manifest = os.path.join(self.folder, "Cargo.toml")
        with open(manifest, encoding="utf-8") as file:
            text = file.read().split("[profile.release]")
        # What stands behind the profile begins with the next table.
        rest = text[1][text[1].index("\n["):] if len(text) > 1 else ""
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(text[0] + rest + PROFILE)
        self.git("init", "-q", "-b", "main")
        self.commit("first")
        self.replace(name, old, GENERIC + old + CALLS)
        self.commit("generic")
        subprocess.run(["cargo", "update", "-q", "-p", dependency, "--precise", version], cwd=self.folder, check=True)
        self.commit("raised")
        self.replace(slowed, fast, slow)
        self.commit("slowed")

    # --- The commands

    def report(self, tool, before, after, *arguments):
        """The comparison of two of the commits as JSON, and what was said of it."""
        output = os.path.join(os.path.dirname(self.folder), "diff.json")
        words = [f"cargo-{tool}", tool, "--release", *self.subject.project.selection, "--diff", f"{before}..{after}",
                 "-o", output]
        if tool == "cprof":
            arguments = [*arguments, "-F", "1000", "--", *self.subject.arguments, self.input]
        state = state_of(self.folder)
        done = subprocess.run([*words, *arguments], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        said = done.stderr.decode("utf-8", "replace")
        now = state_of(self.folder)
        self.expect(state == now, f"{tool} {before}..{after} changed the repository: "
                    f"{[path for path in state.keys() | now.keys() if state.get(path) != now.get(path)]}")
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{said}")
        with open(output, encoding="utf-8") as file:
            return json.load(file), said

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def adds_up(self, what, report, rows, key):
        self.expect(sum(row[key + "-difference"] for row in rows) == report[key + "-difference"],
                    f"{what}: rows do not add up to {report[key + '-difference']}")
        changes = [abs(row[key + "-difference"]) for row in rows]
        self.expect(changes == sorted(changes, reverse=True), f"{what}: not in the order of change")

    def first(self, what, rows, wanted, key, places=1):
        """One of the names is that of the row that changed most, or is among so many."""
        names = [f"{row['name']} {row[key]:+}" for row in rows[:4]]
        self.expect(any(name in row["name"] for row in rows[:places] for name in wanted),
                    f"{what}: first should be {wanted}: {names}")
        print(f"  {what}: {'; '.join(names[:2])}", flush=True)

    def sizes(self, tool, key, *deps):
        """bloatc and llvmlines: what each commit changed."""
        report, _ = self.report(tool, "first", "generic")
        self.adds_up(f"{tool}, generic", report, report["functions"], key)
        added = [row for row in report["functions"] if row["name"] == f"{self.subject.crate}::fold_added"]
        self.expect(len(added) == 1 and added[0]["status"] == "new", f"{tool}, generic: {added} for fold_added")
        self.own_first(f"{tool}, generic", report["functions"], ("fold_added",), key)
        report, said = self.report(tool, "generic", "raised", "--by", "crate", *deps)
        self.adds_up(f"{tool}, raised", report, report["crates"], key)
        # What it makes std and its callers instantiate is counted there.
        crates = [row for row in report["crates"] if row["name"] != "[padding]"]
        self.first(f"{tool}, raised", crates, self.subject.dependency[2], key + "-difference", 3)
        self.expect("Cargo.lock differs" in said, f"{tool}, raised: no word on Cargo.lock")
        report, said = self.report(tool, "raised", "slowed", *deps)
        self.adds_up(f"{tool}, slowed", report, report["functions"], key)
        self.own_first(f"{tool}, slowed", report["functions"], self.subject.slowed[0], key)
        self.expect("Cargo.lock differs" not in said, f"{tool}, slowed: Cargo.lock is said to differ")
        report, _ = self.report(tool, "slowed", "slowed")
        self.expect(report["functions"] == [], f"{tool}, the same commit twice: {report['functions'][:3]}")

    def own_first(self, what, rows, wanted, key):
        """Of the project's own functions; what those call of std may weigh more than they."""
        own = [row for row in rows if self.subject.crate in row["name"].split("::")[0]]
        self.first(what, own, wanted, key + "-difference")

    def times(self):
        """cprof: the function that was slowed, and most of the time in it; a dependency that takes no time is silent."""
        report, said = self.report("cprof", "raised", "slowed")
        rows = report["functions"]
        self.first("cprof, slowed", rows, self.subject.slowed[0][:1], "self-difference")
        whole = sum(row["self-difference"] for row in rows)
        self.expect(rows[0]["verdict"] == "slower", f"cprof, slowed: {rows[0]['verdict']}")
        self.expect(rows[0]["self-difference"] > SLOWED_SHARE_MIN * whole,
                    f"cprof, slowed: {rows[0]['self-difference']} of {whole}")
        self.expect("Cargo.lock differs" not in said, "cprof, slowed: Cargo.lock is said to differ")
        _, said = self.report("cprof", "generic", "raised")
        self.expect("Cargo.lock differs" in said, "cprof, raised: no word on Cargo.lock")

    def run(self):
        print(self.subject.project, flush=True)
        self.make()
        self.sizes("bloatc", "size")
        self.sizes("llvmlines", "lines", "--deps")
        self.times()
        print("  " + ("as expected" if not self.problems else "WRONG\n  " + "\n  ".join(self.problems)), flush=True)
        return not self.problems


def make_input(path):
    """Markdown, so that parsers have work too."""
    with open(os.path.join(projects.fetch(SUBJECTS[0].project), "README.md"), "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        file.write(text * (INPUT_BYTES // len(text)))


def main():
    wanted = sys.argv[1:]
    succeeded = True
    os.makedirs(projects.CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=projects.CACHE) as scratch:
        make_input(os.path.join(scratch, "input"))
        for subject in SUBJECTS:
            if not wanted or subject.project.name in wanted:
                succeeded &= Check(subject, scratch).run()
    sys.exit(0 if succeeded else 1)


main()
