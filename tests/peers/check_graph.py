#!/usr/bin/env python3
"""cargo llvmlines --deps on whole real projects against an independent count of the IR of every crate.

Fails when the lines or copies of any crate differ from a count of its .ll file by the rule as it is written down, when
instances do not add up to their group, groups to crates or crates to the total, when a second run says
something else, or when the files that are kept take more than they may.
"""

import collections
import glob
import json
import os
import subprocess
import sys

import projects

# Large ones, and what is counted of them.
PROJECTS = [
    projects.Project("xh", "0.24.1", ["--bin", "xh"], "184 crates, async, TLS with C and assembly"),
    projects.Project("mini-redis", "0.4.1", ["--lib", "--bins"], "several targets, two versions of a crate"),
    projects.Project("bat", "0.25.0", ["--lib", "--bins", "--no-default-features", "--features", "application,regex-fancy"],
                     "101 crates, libgit2 in C, a library and a program of one name"),
]
DISK_BYTES_MAX = 20_000_000
GROUPS_CHECKED = 10


def run(arguments, folder):
    done = subprocess.run(["cargo-llvmlines", "llvmlines", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


def count(path):
    """Lines and copies of one file of LLVM IR."""
    lines = copies = 0
    inside = False
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            if line.startswith("define "):
                inside = True
                copies += 1
            elif line == "}\n":
                inside = False
            elif inside and line.startswith("  ") and not line.startswith("   "):
                lines += 1
    return lines, copies


def crate_of_label(label):
    """"lib hyper-util@0.1.10" is of the crate hyper_util."""
    return label.split(" ", 1)[1].split("@")[0].split(" ")[0].replace("-", "_")


def by_crate(pairs):
    result = collections.defaultdict(list)
    for crate, numbers in pairs:
        result[crate].append(numbers)
    return {crate: sorted(numbers) for crate, numbers in result.items()}


class Check:
    def __init__(self, project):
        self.project = project
        self.folder = projects.fetch(project)
        self.target = os.path.join(projects.CACHE, f"graph-{project.name}")
        self.problems = []

    def report(self, *arguments):
        return json.loads(run(["--release", "--deps", "--format", "json", "--target-dir", self.target,
                               *self.project.selection, *arguments], self.folder))

    def expect(self, what, found, expected):
        if found != expected:
            self.problems.append(f"{what}: {found}, expected {expected}")

    def totals(self):
        report = self.report("--keep-ir")
        texts = glob.glob(os.path.join(self.target, "llvmlines", "release", "deps", "*.ll"))
        found = by_crate((crate_of_label(row["target"]), (row["lines"], row["copies"])) for row in report["targets"])
        expected = by_crate((os.path.basename(path).rsplit("-", 1)[0], count(path)) for path in texts)
        self.expect("crates", sorted(found), sorted(expected))
        for crate, numbers in expected.items():
            self.expect(crate, found.get(crate), numbers)
        self.expect("total", sum(row["lines"] for row in report["targets"]), report["lines"])
        self.expect("a second run", self.report(), report)
        return report

    def sums(self, report):
        for by in "function", "generic", "crate", "module":
            grouped = self.report("--by", by)
            (rows,) = [grouped[key] for key in ("functions", "crates", "modules") if key in grouped]
            for key in "lines", "copies":
                self.expect(f"{key} by {by}", sum(row[key] for row in rows), report[key])
        for row in report["functions"][:GROUPS_CHECKED]:
            for question in "instances", "callers":
                answer = self.report(f"--{question}", row["name"])
                self.expect(f"--{question} {row['name']}", sum(one["lines"] for one in answer[question]), row["lines"])
        dups = self.report("--dups")
        functions = self.report("--by", "function")["functions"]
        self.expect("extra copies", dups["extra-copies"], sum(row["copies"] - 1 for row in functions))
        return dups

    def disk(self):
        files = glob.glob(os.path.join(self.target, "llvmlines", "release", "deps", "*.llvmlines-*"))
        used = sum(os.stat(path).st_blocks * 512 for path in files)
        if used > DISK_BYTES_MAX:
            self.problems.append(f"disk: {used} bytes of ours")
        return used

    def run(self):
        report = self.totals()
        dups = self.sums(report)
        used = self.disk()
        verdict = "equal" if not self.problems else "WRONG\n  " + "\n  ".join(self.problems)
        print(f"{self.project}: {len(report['targets'])} crates, {report['lines']} lines, {report['copies']} copies, "
              f"{100 * dups['extra-lines'] / report['lines']:.1f}% of the lines compiled again, "
              f"{used / 1e6:.1f} MB of ours: {verdict}", flush=True)
        return not self.problems


def main():
    wanted = [project for project in PROJECTS if len(sys.argv) < 2 or project.name in sys.argv[1:]]
    sys.exit(0 if all([Check(project).run() for project in wanted]) else 1)


main()
