#!/usr/bin/env python3
"""cargo llvmlines --sizes beside cargo bloatc --exact on real projects.

Both measure one build, but each puts functions together by itself: the one by generics that were counted in
LLVM IR under other numbers of crates, the other by the names in the program. Fails when a generic has other
bytes, or when the parts do not add up to .text.
"""

import collections
import json
import os
import re
import subprocess
import sys

import projects

PROJECTS = [
    projects.Project("sd", "1.0.0", ["--release", "--bin", "sd"], "fat LTO, strip = true"),
    projects.Project("pastel", "0.10.0", ["--release", "--bin", "pastel"], "fat LTO, one unit, a library of its name"),
]
PARTS = ["size", "elsewhere-size", "ambiguous-size", "other-size", "gap-size"]


def ask(folder, command):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.decode()}")
    return json.loads(done.stdout)


def name_of(row):
    """Without what tells groups of one name apart, where each command knows of other ones, as of std's memchr."""
    return re.sub(r"@(?:std|[0-9])[^:]*(?=::)", "", re.sub(r" \([a-z_:]*#.*\)$", "", row["name"]))


def compare(project, folder):
    target = ["--target-dir", os.path.join(projects.CACHE, f"sizes-{project.name}"), "--format", "json"]
    there = ask(folder, ["cargo", "bloatc", *project.selection, "--exact", "--by", "generic", *target])
    here = ask(folder, ["cargo", "llvmlines", *project.selection, "--deps", "--sizes", *target])
    expected = collections.defaultdict(list)
    for row in there["generics"]:
        expected[name_of(row)].append(row["size"])
    found = collections.defaultdict(list)
    for row in here["functions"]:
        if row["size"] + row["elsewhere-size"] > 0:
            found[name_of(row)].append(row["size"] + row["elsewhere-size"])
    # What is generic in its self type is called after one of its instances, not the same one in both.
    called_otherwise = [name for name in found if name not in expected]
    differing = [
        name for name in found
        if name in expected and sum(found[name]) != sum(expected[name])
        and not all(size in expected[name] for size in found[name])
    ]
    whole = here["text-section-size"]
    print(f"{project}: {len(found) - len(called_otherwise) - len(differing)} generics equal, {len(differing)} differ, "
          f"{len(called_otherwise)} are called otherwise; {here['size']} + {here['elsewhere-size']} of {whole} bytes")
    for name in differing:
        print(f"  {name}: {found[name]}, there {expected[name]}")
    adds_up = sum(here[part] for part in PARTS) == whole == there["text-section-size"]
    return not differing and adds_up and len(called_otherwise) < len(found) / 20


def main():
    wanted = [project for project in PROJECTS if not sys.argv[1:] or project.name in sys.argv[1:]]
    results = [compare(project, projects.fetch(project)) for project in wanted]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
