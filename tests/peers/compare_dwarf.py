#!/usr/bin/env python3
"""Compares the calls at many addresses of real programs with llvm-symbolizer's, name, file and line of each.

usage: compare_dwarf.py [PROGRAM...]
       compare_dwarf.py --store FOLDER

Without programs it builds real projects with full, limited and line-tables-only debug information. Addresses are
drawn from .text, always the same. The comparison runs on a copy without symbol table, which llvm-symbolizer
would prefer to the debug information. Names without a linkage name stand under their module here
and alone there; that is counted apart. Exits with 1 when anything else differs.

With --store it writes the fixtures of tests/fixtures/dwarf/programs instead: of each program the sections that are
read, and llvm-symbolizer's answers, one line an address: address, then name, file and line of each call.
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

# The same for the fixtures, which are to be small.
STORED = [("b3sum", "full", 4), ("b3sum", "limited", 5), ("b3sum", "line-tables-only", 5)]
NOT_READ = ["loc", "loclists", "macro", "macinfo", "aranges", "pubnames", "pubtypes", "gnu_pubnames", "gnu_pubtypes",
            "frame"]


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


def addresses_of(path):
    start, size = text_range(path)
    source = random.Random(1)
    return sorted(source.randrange(start, start + size) for _ in range(ADDRESSES))


def without_symbols(path, copy, *options):
    subprocess.run(["objcopy", "--wildcard", "--strip-symbol=*", *options, path, copy], check=True)


def ask_llvm(path, addresses):
    return parse(run(["llvm-symbolizer", "--no-demangle", "--functions=linkage", "--inlines", f"--obj={path}"],
                     addresses), 2)


def pack(path, packed):
    subprocess.run(["zstd", "-q", "-19", "--ultra", "--long=27", "-f", path, "-o", packed], check=True)
    os.chmod(packed, 0o644)


def hide_places(path):
    """Folders of this machine become others of the same length, so that no offset changes."""
    content = pathlib.Path(path).read_bytes()
    for place in (projects.CACHE, os.path.expanduser("~")):
        content = content.replace(os.fsencode(place), b"/" + b"x" * (len(os.fsencode(place)) - 1))
    pathlib.Path(path).write_bytes(content)


def store(path, folder, name):
    """The program's debug information and the answers, as NAME.elf.zst and NAME.calls.zst."""
    addresses = addresses_of(path)
    with tempfile.TemporaryDirectory() as scratch:
        elf, calls = (str(pathlib.Path(scratch) / f"{name}.{kind}") for kind in ("elf", "calls"))
        without_symbols(path, elf)
        hide_places(elf)
        answers = ask_llvm(elf, addresses)
        without_symbols(path, elf, "--only-keep-debug", *(f"--remove-section=.debug_{kind}" for kind in NOT_READ))
        hide_places(elf)
        with open(calls, "w", encoding="utf-8") as out:
            for address, frames in zip(addresses, answers, strict=True):
                out.write("\t".join([f"{address:x}", *("\t".join(frame) for frame in frames)]) + "\n")
        for made in (elf, calls):
            pack(made, str(pathlib.Path(folder) / (pathlib.Path(made).name + ".zst")))


def compare(bench, path):
    addresses = addresses_of(path)
    with tempfile.TemporaryDirectory() as folder:
        copy = str(pathlib.Path(folder) / "program")
        without_symbols(path, copy)
        ours = parse(run([bench, copy, "-"], addresses), 1)
        theirs = ask_llvm(copy, addresses)
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
    if sys.argv[1:2] == ["--store"]:
        for build in STORED:
            store(build_project(*build), sys.argv[2], f"{build[0]}-{build[1]}-{build[2]}")
        return 0
    bench = build_bench()
    paths = sys.argv[1:] or [build_project(*build) for build in BUILDS]
    return 0 if all([compare(bench, path) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main())
