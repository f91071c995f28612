#!/usr/bin/env python3
"""cargo bloatc's three meanings of "crate", and its sections, beside binutils on real projects in both manglings.

Fails when the parts of a file do not add up to it; when *used* differs from the compile unit around a function as
readelf prints it, or falls below REQUIRED where the debug information was taken out; when `--by line` has no bytes
for the file and line that addr2line has for one of ADDRESSES addresses.

usage: compare_attribution.py [-v] [PROJECT...]
"""

import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import binutils
import projects

ADDRESSES = 1000
# The share of bytes that must be given to the crate of their compile unit. A default release without LTO is
# measured with the libraries of its build at hand, a file with v0 names with nothing else.
REQUIRED = {"built, no LTO": 0.995, "v0 names": 0.98}
HAS_LTO = {"fd-find", "git-absorb"}

VERBOSE = "-v" in sys.argv[1:]
UNIT = re.compile(r"/@/(\w+)\.[0-9a-f]+-cgu\.")


def bloatc(*arguments, **options):
    command = ["cargo-bloatc", *arguments, "--quiet", "--format", "json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout)


def units_by_address(path):
    """For every function with debug information: its address and the crate of the Rust unit around it, None for C."""
    result = {}
    crate = low = tag = None
    arguments = ["readelf", "--debug-dump=info", "--wide", path]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as dump:
        for line in dump.stdout:
            if "Abbrev Number" in line:
                tag = line.rpartition("(")[2].rstrip(")\n")
            elif "DW_AT_name" in line and tag == "DW_TAG_compile_unit":
                found = UNIT.search(line)
                crate = found[1] if found else None
            elif "DW_AT_low_pc" in line and tag == "DW_TAG_subprogram":
                low = int(line.split()[-1], 16)
                if low:
                    result[low] = crate
    return result


def without_debug(path, result):
    """What a release leaves: all symbols, those of files too, but no debug information."""
    subprocess.run(["objcopy", "-R", ".debug_*", path, result], check=True)
    return result


def agreement(path, report):
    """The share of the bytes of functions in Rust units that are given to the crate of the unit."""
    units = units_by_address(path)
    rows = collections.defaultdict(list)
    for row in report["functions"]:
        if "symbol" in row:
            rows[row["symbol"], row["size"]].append(projects.crate_of(row))
    total = right = 0
    wrong = collections.Counter()
    for place in binutils.places(path):
        crate, size = units.get(place.svma), place.size
        name = next((name for name in place.names if (name, size) in rows), None)
        if not crate or not name:
            continue
        given = rows[name, size]
        total += size
        if crate in given:
            given.remove(crate)
            right += size
        else:
            wrong[crate, given[0] if given else None] += size
    return right / total if total else 1.0, total, wrong


def judge(what, path, report, least, problems):
    share, total, wrong = agreement(path, report)
    print(f"  used, {what}: {100 * share:.2f} % of {total:,} bytes, required {100 * least:.1f} %")
    if VERBOSE:
        for (unit, given), size in wrong.most_common(8):
            print(f"      {size:>7} of {unit} given to {given}")
    if share < least:
        problems.append(f"used, {what}: {100 * share:.2f} %")


def check_sections(path, problems):
    report = bloatc(path, "--sections")
    total = sum(row["size"] for row in report["sections"])
    print(f"  {total:,} bytes in sections, headers and gaps; the file has {os.path.getsize(path):,}")
    if total != os.path.getsize(path):
        problems.append("the parts of the file do not add up")


def check_sums(path, problems):
    for by in ("function", "crate", "generic", "module", "file", "line"):
        report = bloatc(path, "--by", by)
        rows = next(value for value in report.values() if isinstance(value, list))
        if sum(row["size"] for row in rows) != report["text-section-size"]:
            problems.append(f"--by {by} does not add up")


def check_lines(path, problems):
    section = binutils.text_sections(path)[0]
    drawn = random.Random(1)
    addresses = [section.svma + drawn.randrange(section.size) for _ in range(ADDRESSES)]
    text = "".join(f"{address:#x}\n" for address in addresses)
    found = subprocess.run(["addr2line", "-e", path], input=text, capture_output=True, text=True, check=True).stdout
    lines = collections.Counter((row.get("file"), row["line"]) for row in bloatc(path, "--by", "line")["lines"])
    known = {(os.path.basename(file or ""), line) for file, line in lines}
    places = [line.split(" (")[0].rpartition(":") for line in found.splitlines() if line.strip()]
    missing = [place for place in places
               if not place[0].startswith("??") and place[2].isdigit() and int(place[2])
               and (os.path.basename(place[0]), int(place[2])) not in known]
    print(f"  line: {len(places)} addresses, {len(missing)} whose line has no bytes")
    if missing or len(places) < ADDRESSES:
        problems.append(f"line: {missing[:5]}")


def check_built(project, mangling, path, problems):
    """The build as cargo left it, but for its debug information: its libraries tell the rest."""
    with tempfile.TemporaryDirectory(dir=projects.CACHE) as scratch:
        target = os.path.join(scratch, "target")
        shutil.copytree(projects.target_folder(project, mangling), target, symlinks=True)
        name = os.path.basename(path)
        folder = os.path.join(target, os.path.relpath(os.path.dirname(path), projects.target_folder(project, mangling)))
        for place in (folder, os.path.join(folder, "deps")):
            for file in os.listdir(place):
                if file == name or re.fullmatch(re.escape(name.replace("-", "_")) + "-[0-9a-f]{16}", file):
                    whole = os.path.join(place, file)
                    os.rename(without_debug(whole, whole + ".new"), whole)
        report = bloatc("bloatc", "--release", *project.selection, "--target-dir", target, "--split-std",
                        cwd=projects.fetch(project), env=projects.environment(mangling))
        judge("built, no LTO", path, report, REQUIRED["built, no LTO"], problems)


def compare(project, mangling):
    problems = []
    path = projects.build(project, mangling)
    print(f"{project}, {mangling}")
    check_sections(path, problems)
    check_sums(path, problems)
    judge("debug information", path, bloatc(path, "--split-std"), 1.0, problems)
    check_lines(path, problems)
    with tempfile.TemporaryDirectory() as scratch:
        plain = without_debug(path, os.path.join(scratch, "plain"))
        if mangling == "v0":
            judge("v0 names", path, bloatc(plain, "--split-std"), REQUIRED["v0 names"], problems)
    if project.name not in HAS_LTO and "--bin" in project.selection:
        check_built(project, mangling, path, problems)
    return [f"{project}, {mangling}: {problem}" for problem in problems]


def main():
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    problems = []
    for project in projects.PROJECTS + projects.OF_C:
        for mangling in projects.MANGLINGS:
            if not wanted or project.name in wanted:
                problems += compare(project, mangling)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
