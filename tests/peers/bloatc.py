#!/usr/bin/env python3
"""cargo bloatc beside cargo-bloat and binutils on real projects, in both manglings.

Fails when the rows of a file do not add up to .text as readelf has it, when a function's size is
not the one nm has, or when cargo-bloat finds another .text. Where the two tools name different crates
is counted and printed, because cargo-bloat guesses them.
"""

import json
import os
import subprocess
import sys

import projects


def output(arguments, folder=None, **changes):
    environment = dict(os.environ, **changes)
    return subprocess.run(arguments, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE).stdout.decode()


def text_range(path):
    for line in output(["readelf", "-SW", path]).splitlines():
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == ".text":
            return int(words[3], 16), int(words[5], 16)
    raise ValueError(path)


def symbol_sizes(path):
    """nm's sizes of the functions in .text, by name; names that stand for several are left out."""
    start, size = text_range(path)
    sizes, seen = {}, set()
    for line in output(["nm", "-S", path]).splitlines():
        words = line.split(maxsplit=3)
        if len(words) != 4 or words[2] not in "tTwWiu" or not start <= int(words[0], 16) < start + size:
            continue
        if words[3] in seen:
            sizes.pop(words[3], None)
        else:
            sizes[words[3]] = int(words[1], 16)
        seen.add(words[3])
    return sizes


def check_against_binutils(path):
    report = json.loads(output(["cargo-bloatc", path, "--format", "json"]))
    problems = []
    total = sum(row["size"] for row in report["functions"])
    if total != text_range(path)[1] or report["text-section-size"] != total:
        problems.append(f"rows add up to {total}, .text has {text_range(path)[1]}")
    expected = symbol_sizes(path)
    differing = [
        row
        for row in report["functions"]
        if expected.get(row.get("symbol"), 0) not in (0, row["size"])
    ]
    problems += [f"{row['symbol']}: {row['size']}, nm says {expected[row['symbol']]}" for row in differing[:5]]
    gaps = {row["name"]: row["size"] for row in report["functions"] if "symbol" not in row}
    compared = sum(row.get("symbol") in expected for row in report["functions"])
    print(f"  {compared} functions as nm has them, {gaps} of {total} bytes")
    return report, problems


def compare_with_cargo_bloat(name, folder, target, report):
    peer = json.loads(
        output(
            ["cargo", "bloat", "--release", "-n", "0", "--message-format", "json", "--target-dir", target],
            folder,
            CARGO_PROFILE_RELEASE_STRIP="false",
        )
    )
    same = other = 0
    ours = {}
    for row in report["functions"]:
        ours.setdefault((row["name"], row["size"]), []).append(row.get("crate", "[Unknown]"))
    for row in peer["functions"]:
        crates = ours.get((row["name"], row["size"]))
        if not crates:
            continue
        crate = crates.pop()
        if row.get("crate", "[Unknown]").rstrip("?") == crate:
            same += row["size"]
        else:
            other += row["size"]
    print(
        f"  cargo-bloat: .text {peer['text-section-size']}, "
        f"the same crate for {same} bytes, another for {other}, names not matched {report['text-section-size'] - same - other}"
    )
    if peer["text-section-size"] != report["text-section-size"]:
        return [f".text: {report['text-section-size']}, cargo-bloat says {peer['text-section-size']}"]
    return []


def main():
    failed = False
    for name in projects.PROJECTS:
        folder = projects.fetch(name)
        for mangling in ("legacy", "v0"):
            target = os.path.join(projects.CACHE, f"target-{name}-{mangling}")
            flags = "" if mangling == "legacy" else "-Csymbol-mangling-version=v0"
            changes = {"CARGO_PROFILE_RELEASE_STRIP": "false", "RUSTFLAGS": flags}
            output(["cargo", "build", "--release", "--target-dir", target, "--quiet"], folder, **changes)
            print(f"{name} {projects.PROJECTS[name]}, {mangling} names")
            report, problems = check_against_binutils(projects.binary(name, target))
            if mangling == "legacy":
                problems += compare_with_cargo_bloat(name, folder, target, report)
            for problem in problems:
                failed = True
                print(f"  WRONG: {problem}")
    sys.exit(1 if failed else 0)


main()
