"""What perf has recorded: each stack as `perf script` tells it."""

import gzip
import json
import os
import re
import unittest
from collections import Counter

from suite import SOURCE, ProjectTest, run

FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "perf_data")


def told_by_perf(name):
    """Of each event the stacks, outermost first, as fixtures/perf_data/make.sh had perf tell them."""
    with open(os.path.join(FIXTURES, name + ".script")) as script:
        blocks = script.read().split("\n\n")
    stacks = {}
    for block in filter(str.strip, blocks):
        head, *calls = block.strip("\n").split("\n")
        event = re.search(r"\S+\s+\d+\s+(\S+):\s*$", head).group(1)
        names = [call.split()[1] for call in reversed(calls)]
        if names[0] == "[unknown]":  # where the copy ended, perf took what is no call for one
            del names[0]
        stacks.setdefault(event, Counter())[tuple(names)] += 1
    return stacks


def told_here(folder, name, event):
    """The same of what cargo cprof tells, without the calls that were inlined."""
    done = run(["cargo-cprof", "cprof", "flamegraph", os.path.join(FIXTURES, name + ".data"), "--event", event,
                "-o", "out.json.gz"], folder, PERF_BUILDID_DIR=os.path.join(FIXTURES, "copies"))
    if done.code != 0:
        raise AssertionError(done)
    with gzip.open(os.path.join(folder, "out.json.gz")) as packed:
        profile = json.load(packed)
    stacks = Counter()
    for thread in profile["threads"]:
        strings = thread.get("stringArray") or profile["shared"]["stringArray"]
        table, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]

        def calls(stack):
            while stack is not None:
                frame = table["frame"][stack]
                if not frames["inlineDepth"][frame]:
                    yield strings[functions["name"][frames["func"][frame]]]
                stack = table["prefix"][stack]

        for stack in thread["samples"]["stack"]:
            stacks[tuple(reversed(list(calls(stack))))] += 1
    return stacks


class PerfData(ProjectTest):
    def assert_same(self, name):
        told = told_by_perf(name)
        self.assertGreater(sum(sum(stacks.values()) for stacks in told.values()), 20)
        for event, stacks in told.items():
            self.assertEqual(told_here(self.folder, name, event), stacks, event)

    def test_copied_stacks_are_walked_as_perf_walks_them(self):
        self.assert_same("dwarf")

    def test_two_events_that_were_packed(self):
        self.assert_same("packed")

    def test_what_was_written_to_a_pipe(self):
        self.assert_same("stream")

    def test_calls_by_frame_pointers(self):
        self.assert_same("pointers")

    def test_stacks_that_are_cut(self):
        self.assert_same("cut")


if __name__ == "__main__":
    unittest.main()
