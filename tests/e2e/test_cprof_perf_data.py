"""What perf has recorded: each stack as `perf script` tells it."""

import glob
import gzip
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
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


@unittest.skipUnless(platform.machine() == "x86_64", "what perf recorded for it is read there alone")
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


@unittest.skipUnless(platform.machine() == "x86_64", "what perf recorded for it is read there alone")
class FramePointers(ProjectTest):
    """Calls by frame pointers, as they are of a program that keeps none."""

    USER = 2**64 - 512  # what stands before the program's calls, PERF_CONTEXT_USER in linux/perf_event.h
    SAMPLE = 9

    def without_outer_calls(self, data, kept):
        """Of each sample's program only the innermost calls lead anywhere."""
        data = bytearray(data)
        at, length = struct.unpack_from("<QQ", data, 40)  # struct perf_file_header in perf's util/header.h
        end = at + length
        while at < end:
            kind, _, size = struct.unpack_from("<IHH", data, at)
            words = struct.unpack_from(f"<{size // 8 - 1}Q", data, at + 8)
            if kind == self.SAMPLE:
                marker = words.index(self.USER)
                for i in range(marker + 1 + kept, marker + words[marker - 1]):
                    struct.pack_into("<Q", data, at + 8 + i * 8, 0)
            at += size
        return data

    def said_of(self, kept):
        with open(os.path.join(FIXTURES, "pointers.data"), "rb") as file:
            data = self.without_outer_calls(file.read(), kept)
        with open(os.path.join(self.folder, "cut.data"), "wb") as file:
            file.write(data)
        done = run(["cargo-cprof", "cprof", "report", "cut.data"], self.folder,
                   PERF_BUILDID_DIR=os.path.join(FIXTURES, "copies"))
        self.assertEqual(done.code, 0, done)
        return done.err

    def test_that_callers_are_missing_is_said(self):
        self.assertRegex(self.said_of(2), r"warning: 100\.0% of stacks end after one or two calls, their callers")

    def test_of_stacks_with_more_calls_nothing_is(self):
        self.assertEqual(self.said_of(3), "")


@unittest.skipUnless(platform.machine() == "x86_64", "the program that is to be stripped is for it")
class BelowAnotherRoot(ProjectTest):
    """A stripped program below the folder of --symfs, with its debug file there."""

    def assert_named(self, place):
        with open(os.path.join(FIXTURES, "dwarf.data"), "rb") as data:
            path = re.search(rb"/tmp/[a-zA-Z0-9.]*/spin", data.read()).group().decode()
        program, debug = self.folder + "/system" + path, self.folder + "/system" + place.replace("PATH", path)
        (whole,) = glob.glob(os.path.join(FIXTURES, "copies", ".build-id", "*", "*", "elf"))
        for made in (program, debug):
            os.makedirs(os.path.dirname(made), exist_ok=True)
        subprocess.run(["objcopy", "--only-keep-debug", whole, debug], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", whole, program], check=True)
        command = ["cargo-cprof", "cprof", "report", os.path.join(FIXTURES, "dwarf.data"), "--by", "line"]
        for root in ("system", self.folder + "/system/"):
            done = run([*command, "--symfs", root], self.folder, PERF_BUILDID_DIR="/nowhere")
            self.assertRegex(done.out, r"(?m)52\.0% .* perf_data/spin\.c:6$", done)

    def test_its_debug_file_is_found_there_by_build_id(self):
        self.assert_named("/usr/lib/debug/.build-id/42/7f90b411c1fc46dcb38bf9b07ffb31282d1f61.debug")

    def test_it_is_by_its_debug_link(self):
        self.assert_named("/usr/lib/debugPATH.debug")

    def test_it_is_among_the_files_that_perf_keeps(self):
        (whole,) = glob.glob(os.path.join(FIXTURES, "copies", ".build-id", "*", "*", "elf"))
        kept = whole.replace(os.path.join(FIXTURES, "copies"), os.path.join(self.folder, "kept"))
        os.makedirs(os.path.dirname(kept))
        debug = os.path.join(os.path.dirname(kept), "debug")
        subprocess.run(["objcopy", "--only-keep-debug", whole, debug], check=True)
        subprocess.run(["objcopy", "--strip-all", whole, kept], check=True)
        command = ["cargo-cprof", "cprof", "report", os.path.join(FIXTURES, "dwarf.data"), "--by", "line"]
        done = run(command, self.folder, PERF_BUILDID_DIR="kept")
        self.assertRegex(done.out, r"(?m)52\.0% .* perf_data/spin\.c:6$", done)


@unittest.skipUnless(shutil.which("perf"), "perf is not here")
@unittest.skipUnless(os.getuid() == 0, "takes root to see where the kernel's functions are")
class AnotherKernel(ProjectTest):
    """What was recorded on this kernel, as if another one ran: it has another build id, and a list of its own."""

    OTHER = bytes(range(20))
    MOVED = 0x200000

    def functions(self, name):
        """The kernel's, with their samples."""
        done = run(["cargo-cprof", "cprof", "report", name, "--format", "json", "-n", "0"], self.folder, PERF_BUILDID_DIR="kept")
        self.assertEqual(done.code, 0, done)
        return {row["function"]: row["self"] for row in json.loads(done.out)["groups"] if row["crate"] == "[kernel]" and row["self"]}

    def keep_list(self):
        """Of another start, at which the kernel's own functions were elsewhere."""
        with open("/proc/kallsyms", encoding="utf-8") as lines:
            listed = [(int(line[:16], 16) + ("\t[" not in line) * self.MOVED, line[16:]) for line in lines]
        self.write(f"kept/[kernel.kallsyms]/{self.OTHER.hex()}/kallsyms", "".join(f"{at:016x}{rest}" for at, rest in listed))

    def test_names_are_those_that_perf_keeps_of_it(self):
        work = "with open('/dev/zero', 'rb', buffering=0) as zero:\n for _ in range(30000): zero.read(65536)"
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", "own.data", "--", sys.executable, "-c", work],
                       cwd=self.folder, check=True)
        told = subprocess.run(["perf", "buildid-list", "-i", "own.data"], cwd=self.folder, stdout=subprocess.PIPE, check=True, text=True)
        own = re.search(r"(?m)^([0-9a-f]{40}) \[kernel\.kallsyms\]", told.stdout)
        named = self.functions("own.data")
        if not own or not named or "[kernel]" in named:
            self.skipTest("the kernel does not tell of its functions here")
        with open(os.path.join(self.folder, "own.data"), "rb") as data:
            other = data.read().replace(bytes.fromhex(own.group(1)), self.OTHER)
        with open(os.path.join(self.folder, "other.data"), "wb") as data:
            data.write(other)
        self.assertEqual(list(self.functions("other.data")), ["[kernel]"])
        self.keep_list()
        most = max(named, key=named.get)
        self.assertEqual(self.functions("other.data").get(most), named[most])


if __name__ == "__main__":
    unittest.main()
