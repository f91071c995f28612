#!/usr/bin/env python3
"""Compares the calls at many addresses of real programs with llvm-symbolizer's, name, file and line of each.

usage: compare_dwarf.py [PROGRAM...]

Without programs it builds real projects with full, limited and line-tables-only debug information. Addresses are
drawn from .text, always the same. The comparison runs on a copy without symbol table, which llvm-symbolizer
would prefer to the debug information. Names without a linkage name stand under their module here
and alone there; that is counted apart. Exits with 1 when anything else differs.
"""

import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import projects

ADDRESSES = 10000
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Project, debug information as cargo's environment calls it, version of DWARF.
BUILDS = [("fd-find", "full", 4), ("b3sum", "limited", 5), ("mini-redis", "line-tables-only", 5)]


def text_range(path):
    listing = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\.text\s+PROGBITS\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)", listing)
    return int(found[1], 16), int(found[2], 16)


def parse(output, fields):
    """One list of (name, file, line) an address."""
    result = []
    for block in output.rstrip("\n").split("\n\n"):
        lines = block.split("\n")
        calls = []
        for name, place in zip(lines[::2], lines[1::2]):
            parts = place.rsplit(":", fields)
            calls.append((name, parts[0], parts[1].split(" ")[0]))
        result.append(calls)
    return result


def run(command, addresses):
    text = "".join(f"{address:#x}\n" for address in addresses)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def verdict(ours, theirs):
    if ours == theirs:
        return "equal"
    if len(ours) != len(theirs):
        return "another number of calls"
    if any(a[1:] != b[1:] for a, b in zip(ours, theirs)):
        return "another place"
    if all(a[0] == b[0] or (not a[0].startswith(("_R", "_Z")) and a[0].endswith("::" + b[0]))
           for a, b in zip(ours, theirs)):
        return "equal but for the module"
    return "another name"


def compare(bench, path):
    start, size = text_range(path)
    source = random.Random(1)
    addresses = sorted(source.randrange(start, start + size) for _ in range(ADDRESSES))
    with tempfile.TemporaryDirectory() as folder:
        copy = str(pathlib.Path(folder) / "program")
        subprocess.run(["objcopy", "--wildcard", "--strip-symbol=*", path, copy], check=True)
        ours = parse(run([bench, copy, "-"], addresses), 1)
        theirs = parse(run(["llvm-symbolizer", "--no-demangle", "--functions=linkage", "--inlines",
                            f"--obj={copy}"], addresses), 2)
    verdicts = collections.Counter()
    for address, mine, other in zip(addresses, ours, theirs, strict=True):
        kind = verdict(mine, other)
        if not kind.startswith("equal") and verdicts[kind] < 3:
            print(f"{address:#x}: {kind}\n  {mine}\n  {other}")
        verdicts[kind] += 1
    print(f"{path}: {ADDRESSES} addresses: " + ", ".join(f"{n} {kind}" for kind, n in verdicts.most_common()))
    return all(kind.startswith("equal") for kind in verdicts)


def build_bench():
    """The program that answers in llvm-symbolizer's form: tests/bench/bench_dwarf.c."""
    folder = ROOT / "build" / "release"
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["cmake", "--preset", "release", "-DSUITE_BENCH=ON"], cwd=ROOT, **quiet)
    subprocess.run(["cmake", "--build", str(folder), "--target", "bench_dwarf"], **quiet)
    return str(folder / "tests" / "bench" / "bench_dwarf")


def build_project(name, debug, version):
    project = projects.named(name)
    target = os.path.join(projects.CACHE, "build", f"{project.name}-{project.version}-dwarf{version}-{debug}")
    environment = projects.environment("legacy", CARGO_PROFILE_RELEASE_DEBUG=debug, CARGO_TARGET_DIR=target)
    environment["RUSTFLAGS"] = f"-Cdwarf-version={version}"
    subprocess.run(["cargo", "build", "--release", "--quiet", *project.selection], cwd=projects.fetch(project),
                   env=environment, check=True)
    return os.path.join(target, "release", project.selection[1])


def main():
    bench = build_bench()
    paths = sys.argv[1:] or [build_project(*build) for build in BUILDS]
    return 0 if all([compare(bench, path) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main())
