"""Compares the calls at many addresses of real programs with llvm-symbolizer's, name, file and line of each.

usage: dwarf.py BENCH_DWARF PROGRAM... [--addresses NUM]

BENCH_DWARF is the program of tests/bench. Addresses are drawn from .text, always the same. The
comparison runs on a copy without symbol table, which llvm-symbolizer would prefer to the debug information. Names
without a linkage name stand under their module here and alone there; that is counted apart.
Exits with 1 when anything else differs.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile


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


def compare(bench, path, count):
    start, size = text_range(path)
    source = random.Random(1)
    addresses = sorted(source.randrange(start, start + size) for _ in range(count))
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
    print(f"{path}: {count} addresses: " + ", ".join(f"{n} {kind}" for kind, n in verdicts.most_common()))
    return all(kind.startswith("equal") for kind in verdicts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--addresses", type=int, default=10000)
    options = parser.parse_args()
    results = [compare(options.bench, path, options.addresses) for path in options.programs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
