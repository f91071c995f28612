#!/usr/bin/env python3
"""How large profiles are: cargo cprof's beside samply's, of the same programs at the same frequencies.

samply records only with hardware events where there are such; where there are none, what perf record has of the
processor's clock is imported by it. Its profile is without names of functions, ours has them with files and lines. Fails
when ours is the larger one, or has a twentieth fewer samples than the other (perf loses some on a busy machine).
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))

# pylint: disable=wrong-import-position
import document
import recording

COPIED = 32000  # bytes of each stack, as samply itself has them copied
LONGER = 4  # than the benchmarks begin with: of half a second's samples most of our file is names, which samply's is without


def run(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")


def ours(hz, command, folder):
    """Samples and bytes."""
    said = run(["cargo-cprof", "cprof", "exec", "-F", str(hz), "-o", "a.cprof", "--", *command], folder)
    count = re.search(r"([\d,]+) samples? of ", said)
    return int(count[1].replace(",", "")), os.path.getsize(os.path.join(folder, "a.cprof"))


def samplys(hz, command, folder):
    """Samples and bytes."""
    stacks = ["--call-graph", f"dwarf,{COPIED}"]
    run(["perf", "record", "-F", str(hz), "-e", "cpu-clock", *stacks, "-o", "perf.data", "--", *command], folder)
    run(["samply", "import", "--save-only", "-o", "profile.json.gz", "perf.data"], folder)
    os.remove(os.path.join(folder, "perf.data"))
    path = os.path.join(folder, "profile.json.gz")
    with gzip.open(path) as file:
        threads = json.load(file)["threads"]
    return sum(len(thread["samples"]["stack"]) for thread in threads), os.path.getsize(path)


def main():
    rows = []
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for program in recording.make_programs(scratch):
            program.times *= LONGER
            for hz in recording.FREQUENCIES:
                of_us = ours(hz, program.command(), scratch)
                of_samply = samplys(hz, program.command(), scratch)
                failed |= of_us[1] > of_samply[1] or of_us[0] < 0.95 * of_samply[0]
                numbers = [f"{number:,}" for number in (*of_us, *of_samply)]
                rows.append([f"{program.project}, {hz} Hz", *numbers])
    print(document.table(["program", "samples", "`.cprof`, bytes", "samply's samples", "`profile.json.gz`, bytes"], rows))
    sys.exit(1 if failed else 0)


main()
