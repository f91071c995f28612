#!/usr/bin/env python3
"""What cargo cprof --heap tells of allocators that are linked into programs, beside what these are asked for.

A program counts each call of its allocator, with several crates in turn; what the figures have beyond that is the C
library's own. And jaq is recorded with mimalloc, which it has unless told otherwise, and with the system's malloc:
both must be asked for the same.
"""

import json
import os
import subprocess
import sys
import tempfile

import projects

EVENTS = ["alloc-count", "alloc-bytes", "heap-end", "heap-peak"]
ROUNDS = "200000"
# Of the C library and of C++'s, which has a pool of 72 KiB for exceptions; a peak is exact to 16 KiB a thread.
LIBRARY = {"alloc-count": 100, "alloc-bytes": 100000, "heap-end": 80000, "heap-peak": 80000 + 5 * 16384}
# A file's path is asked for with its own length.
SAME = {"alloc-count": 0, "alloc-bytes": 64, "heap-end": 64, "heap-peak": 16384}
CRATES = [
    ("tikv-jemallocator", "0.7.0", [], "tikv_jemallocator::Jemalloc"),
    ("tikv-jemallocator", "0.7.0", ["unprefixed_malloc_on_supported_platforms"], "tikv_jemallocator::Jemalloc"),
    ("tikv-jemallocator", "0.7.0", ["background_threads", "profiling"], "tikv_jemallocator::Jemalloc"),
    ("jemallocator", "0.5.4", [], "jemallocator::Jemalloc"),
    ("mimalloc", "0.1.52", [], "mimalloc::MiMalloc"),
    ("mimalloc", "0.1.52", ["secure"], "mimalloc::MiMalloc"),
    ("mimalloc", "0.1.30", [], "mimalloc::MiMalloc"),
    ("snmalloc-rs", "0.7.6", [], "snmalloc_rs::SnMalloc"),
]
JAQ = projects.Project("jaq", "3.1.2", ["--bin", "jaq"], "mimalloc unless told otherwise")
QUERY = "group_by(.name) | map({n: .[0].name, s: (map(.v)|add), t: (map(.tags[])|unique|length)}) | length"


def recorded(folder, program, *arguments):
    """What the program prints, and the sum of each event."""
    profile = os.path.join(folder, "out.cprof")
    done = subprocess.run(["cargo", "cprof", "exec", "-q", "-e", "heap", "-o", profile, "--", program, *arguments],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    sums = {}
    for event in EVENTS:
        report = ["cargo", "cprof", "report", profile, "--event", event, "--format", "json", "-n", "1"]
        sums[event] = json.loads(subprocess.run(report, check=True, stdout=subprocess.PIPE).stdout)["whole"]
    if "heap's figures" in done.stderr:
        raise ValueError(done.stderr)
    return done.stdout, sums


def counting(folder, name, version, features, path):
    """Builds the program that counts, with this crate."""
    os.makedirs(os.path.join(folder, "src"))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "allocators.rs"), encoding="utf-8") as file:
        source = file.read()
    with open(os.path.join(folder, "src", "main.rs"), "w", encoding="utf-8") as file:
        file.write(source.replace("ALLOCATOR.", path + ".").replace("ALLOCATOR", path))
    with open(os.path.join(folder, "Cargo.toml"), "w", encoding="utf-8") as file:
        file.write('[package]\nname = "counting"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n'
                   f'{name} = {{ version = "={version}", features = {json.dumps(features)} }}\n')
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True)
    return os.path.join(folder, "target", "release", "counting")


def judged(title, expected, found, most):
    """Prints a row of the table; whether it is as it should be."""
    is_right = all(0 <= found[event] - expected[event] <= most[event] for event in EVENTS if event != "heap-peak")
    is_right = is_right and abs(found["heap-peak"] - expected["heap-peak"]) <= most["heap-peak"]
    cells = [f"{expected[event]:,} | {found[event]:,}" for event in EVENTS]
    print(f"| {title} | {' | '.join(cells)} |{'' if is_right else ' DIFFERS'}", flush=True)
    return is_right


def compare_counts():
    right = True
    for name, version, features, path in CRATES:
        with tempfile.TemporaryDirectory() as folder:
            said, sums = recorded(folder, counting(folder, name, version, features, path), ROUNDS)
        expected = dict(zip(EVENTS, map(int, said.split())))
        title = f"{name} {version}" + (f", {', '.join(features)}" if features else "")
        right = judged(title, expected, sums, LIBRARY) and right
    return right


def jaq(folder, *options):
    target = os.path.join(projects.CACHE, "build", f"{JAQ.name}-{JAQ.version}-allocators")
    subprocess.run(["cargo", "build", "--release", "--quiet", *JAQ.selection, *options, "--target-dir", target],
                   cwd=projects.fetch(JAQ), check=True, env=projects.environment("legacy"))
    return recorded(folder, os.path.join(target, "release", "jaq"), QUERY, os.path.join(folder, "input.json"))


def compare_jaq():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "input.json"), "w", encoding="utf-8") as file:
            json.dump([{"id": i, "name": f"n{i % 977}", "tags": [f"t{i % k}" for k in range(1, 9)], "v": i * 0.37} for i in range(60000)],
                      file)
        said_by_system, system = jaq(folder, "--no-default-features")
        said, own = jaq(folder)
    return judged(f"{JAQ}, beside the system's", system, own, SAME) and said == said_by_system


if __name__ == "__main__":
    print("| allocator | " + " | ".join(f"{event} | told" for event in EVENTS) + " |")
    print("| --- |" + " ---: | ---: |" * len(EVENTS))
    results = [compare_counts(), compare_jaq()]
    sys.exit(0 if all(results) else 1)
