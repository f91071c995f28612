"""Repositories of git that tests make and change; the user's own stays as it is, to the byte."""

import hashlib
import json
import os
import re

from suite import ProjectTest, run

MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
LIBRARY = """
#[inline(never)]
pub fn kept(n: u64) -> u64 { (0..n).map(|i| i ^ 7).sum() }
"""
MAIN = """
mod parts;
fn main() { println!("{}", parts::kept(std::env::args().count() as u64)); }
"""
ADDED = """
#[inline(never)]
pub fn added_here(n: u64) -> u64 { (0..n).map(|i| i.rotate_left(3) * 5).fold(1, |a, b| a ^ b) }
"""
BUSY_MAIN = """
mod parts;
fn main() {
    let busy = (0..100_000_000u64).fold(0, |sum, i| std::hint::black_box(sum ^ i));
    println!("{} {busy}", parts::kept(std::env::args().count() as u64));
}
"""
MAIN_CALLS_ADDED = """
mod parts;
fn main() { println!("{} {}", parts::kept(3), parts::added_here(std::env::args().count() as u64)); }
"""

# Every command that checks a revision out; what they draw goes where nobody looks for changes.
COMPARISONS = (("bloatc", "--diff", "main"), ("llvmlines", "--diff", "main"),
               ("cprof", "--diff", "main", "-o", "target/flame.svg"), ("cprof", "compare", "main", "--runs", "1"))


def picture(folder):
    """Every path below the folder with its kind, mode, times and content, but for what cargo builds."""
    lines = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "target")
        for name in sorted(files) + folders:
            path = os.path.join(parent, name)
            about = os.lstat(path)
            if os.path.islink(path):
                content = os.readlink(path)
            elif os.path.isdir(path):
                # Its time changes with the first target directory in it.
                lines.append(f"{os.path.relpath(path, folder)} {about.st_mode:o}")
                continue
            else:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            lines.append(f"{os.path.relpath(path, folder)} {about.st_mode:o} {about.st_mtime_ns} {content}")
    return lines


class RepositoryTest(ProjectTest):
    def setUp(self):
        super().setUp()
        self.repository = os.path.join(self.folder, "work", "app")
        self.cache = os.path.join(self.folder, "cache")
        os.makedirs(self.repository)
        self.write("home/.gitconfig", "[user]\nname = N\nemail = n@example.org\n[init]\ndefaultBranch = main\n"
                   "[protocol \"file\"]\nallow = always\n[advice]\ndetachedHead = false\n")

    def variables(self, **changes):
        # libgit2 1.5 leaks when it refuses a repository; with sanitizers that would be our exit code.
        self.write("home/leaks", "leak:git_repository_open_ext\n")
        return {"ASAN_OPTIONS": "fast_unwind_on_malloc=0", "LSAN_OPTIONS": "print_suppressions=0:suppressions=" +
                os.path.join(self.folder, "home", "leaks"), "XDG_CACHE_HOME": self.cache, "GIT_CONFIG_GLOBAL": os.path.join(self.folder, "home", ".gitconfig"),
                "CARGO_NET_OFFLINE": "true", **changes}

    def git(self, *arguments, folder=None):
        result = run(["git", *arguments], folder or self.repository, **self.variables())
        self.assertEqual(result.code, 0, result)
        return result.out

    def put(self, **sources):
        for name, content in sources.items():
            path = name.replace("__", "/")
            path = re.sub(r"_(rs|toml|lock)$", r".\1", path)
            self.write(os.path.join("work/app", path), content)

    def commit(self, message="step"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def start_repository(self, **sources):
        self.git("init", "-q", *sources.pop("init", []))
        self.write("work/app/.gitignore", "/target\n")
        self.put(**({"Cargo_toml": MANIFEST, "src__main_rs": MAIN, "src__parts_rs": LIBRARY} | sources))
        self.commit("first")

    def cargo(self, *arguments, folder=None, verb="bloatc", **changes):
        """Runs the command; the repository is the same before and after, to the byte."""
        # Cargo writes a Cargo.lock by itself where there is none: not our doing.
        if not os.path.exists(os.path.join(self.repository, "Cargo.lock")):
            run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        before = picture(os.path.join(self.folder, "work"))
        result = run(["cargo", verb, *arguments], folder or self.repository, **self.variables(**changes))
        after = picture(os.path.join(self.folder, "work"))
        self.assertEqual(sorted(set(after) ^ set(before)), [])
        return result

    def diff(self, *arguments, **options):
        """The comparison as JSON: its rows by name, and the whole."""
        result = self.cargo(*arguments, "--format", "json", **options)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        return {row["name"]: row for row in report["functions"]}, report, result

    def checkouts(self):
        root = os.path.join(self.cache, "rust-performance-tools", "revisions")
        found = []
        for parent, folders, _ in os.walk(root):
            if "tree" in folders:
                found.append(os.path.join(parent, "tree"))
                folders.clear()
        return sorted(found)
