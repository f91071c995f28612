#!/usr/bin/env python3
"""cargo llvmlines beside cargo-llvm-lines on real projects.

Fails when the totals differ, by a line or a copy, for a library, a binary, a test or a dependency,
in dev or release with link-time optimisation off (with it cargo-llvm-lines counts what it
happens to find), or when the kind of link-time optimisation changes ours.
"""

import glob
import json
import os
import re
import subprocess
import sys

import projects

# By project: its version, and what is counted of it.
SELECTIONS = {
    "mini-redis": ("0.4.1", [["--lib"], ["--bin", "mini-redis-cli"], ["--test", "client"], ["-p", "bytes"]]),
    "hexyl": ("0.16.0", [["--lib"], ["--bin", "hexyl"], ["--test", "integration_tests"], ["-p", "anyhow"]]),
    "fd-find": ("10.2.0", [["--bin", "fd"], ["--test", "tests"], ["-p", "regex-automata"]]),
    "hyperfine": ("1.19.0", [["--bin", "hyperfine"], ["--test", "integration_tests"], ["-p", "statistical"]]),
}
PROFILES = {"dev": [], "release": ["--release"]}
LTO = [None, "false", '"off"', '"thin"', '"fat"']  # None: what the project's own profile asks for
REPEATS = 3


def run(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


def ours(folder, name, arguments):
    target = os.path.join(projects.CACHE, f"lines-{name}")
    report = json.loads(
        run(["cargo", "llvmlines", "--target-dir", target, "--format", "json", "-n", "1", *arguments], folder)
    )
    return report["lines"], report["copies"]


def peers(folder, name, arguments):
    target = os.path.join(projects.CACHE, f"lines-peer-{name}")
    printed = run(["cargo", "llvm-lines", "--target-dir", target, *arguments], folder)
    lines, copies = re.search(r"^ *(\d+) +(\d+) +\(TOTAL\)$", printed, re.MULTILINE).groups()
    return int(lines), int(copies)


def touch(folder):
    """Makes cargo compile the project's own code again; its dependencies stay."""
    for path in glob.glob(os.path.join(folder, "**", "*.rs"), recursive=True):
        os.utime(path)


def lto(profile, value):
    return ["--config", f"profile.{profile}.lto={value}"] if value else []


def compare(name, folder, selection, profile):
    arguments = [*PROFILES[profile], *selection]
    expected = peers(folder, name, [*arguments, *lto(profile, '"off"')])
    problems = []
    for value in LTO if profile == "release" else ['"off"']:
        for _ in range(REPEATS if profile == "release" else 1):
            touch(folder)
            found = ours(folder, name, [*arguments, *lto(profile, value)])
            if found != expected:
                problems.append(f"lto = {value or 'its own'}: {found[0]} lines, {found[1]} copies")
    verdict = "equal" if not problems else "WRONG: " + "; ".join(problems)
    print(f"{name} {' '.join(selection)} {profile}: {expected[0]} lines, {expected[1]} copies: {verdict}", flush=True)
    return not problems


def main():
    failed = False
    for name, (version, selections) in SELECTIONS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        folder = projects.fetch(projects.Project(name, version, [], "the same totals"))
        for profile in PROFILES:
            for selection in selections:
                failed |= not compare(name, folder, selection, profile)
    sys.exit(1 if failed else 0)


main()
