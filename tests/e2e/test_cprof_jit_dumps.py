"""cargo cprof and code that a program makes, of which it tells in a jitdump file when and where it did."""

import json
import os
import platform
import shutil
import subprocess
import sys
import unittest

from recordings import folded
from suite import ProjectTest, run

# What makes code and tells of it, as V8, Wasmtime and LLVM do: `load` at once, and what is in `late` at the end.
TELLER = """
import ctypes, mmap, os, struct, sys, time

memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code = bytes([0x48, 0xFF, 0xCF, 0x75, 0xFB, 0xC3])  # dec %rdi; jnz; ret
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
order = ">" if "swapped" in sys.argv else "<"
flags = 1 if "ticks" in sys.argv else 0
path = os.path.abspath(f"jit-{os.getpid()}.dump")
made = 0
late = []

def start():
    global file, marker
    file = open(path, "w+b", buffering=0)
    os.ftruncate(file.fileno(), 4096)
    marker = mmap.mmap(file.fileno(), 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    os.ftruncate(file.fileno(), 0)
    file.write(struct.pack(order + "6I2Q", 0x4A695444, 1, 40, 62, 0, os.getpid(), 0, flags))

def record(kind, rest):
    return struct.pack(order + "2IQ", kind, 16 + len(rest), time.clock_gettime_ns(time.CLOCK_MONOTONIC)) + rest

def load(name, at=0, index=None):
    global made
    made += 1
    memory.seek(at)
    memory.write(code)
    told = struct.pack(order + "2I4Q", os.getpid(), os.getpid(), address + at, address + at, len(code), index or made)
    return record(0, told + name.encode() + bytes(1) + code)

def lines(*told, at=0):
    body = struct.pack(order + "2Q", address + at, len(told))
    for offset, line, file in told:
        body += struct.pack(order + "Q2I", address + at + offset, line, 1) + file + bytes(1)
    return record(2, body + bytes(-len(body) % 8))

def move(index, at):
    memory.seek(at)
    memory.write(code)
    return record(1, struct.pack(order + "2I5Q", os.getpid(), os.getpid(), address + at, address, address + at, len(code), index))

def spin(at=0):
    ctypes.CFUNCTYPE(None, ctypes.c_ulong)(address + at)(300000000)
"""

# The same address has two functions, one after the other; what is told of the first comes late.
REUSE = TELLER + """
start()
late.append(load("made first"))
spin()
late.append(record(77, b"unknown"))
late.append(load("made second"))
spin()
for told in late:
    file.write(told)
file.write(load("made by half")[:40])
print(path)
"""

# What is called has no frame, its caller uses the frame pointer for something else.
NO_FRAMES = TELLER + """
start()
file.write(load("made inner"))
code = bytes.fromhex(
    "55"              # push %rbp
    "48c7c507000000"  # mov $7,%rbp
    "4883ec20"        # sub $32,%rsp
    "e8afffffff"      # call of what is at 0
    "4883c420"        # add $32,%rsp
    "5d"              # pop %rbp
    "c3"              # ret
)
file.write(load("made outer", at=64))
spin(64)
spin(64)
print("done", flush=True)
"""

# A child goes on with its parent's code, as it was then.
FORK = TELLER + """
start()
file.write(load("made before"))
child = os.fork()
if child == 0:
    spin()
    spin()
    os._exit(0)
file.write(load("made after"))
spin()
spin()
os.waitpid(child, 0)
print(path)
"""

MOVE = TELLER + """
start()
file.write(load("made and moved", index=70))
file.write(load("not moved", at=64, index=71))
file.write(move(70, 128))
spin(128)
print(path)
"""

# One function, made twice at the same address: its loop is of another line then. Lines are told before the code.
LINES = TELLER + """
start()
file.write(lines((0, 7, b"/src/made.js"), (5, 9, b"\\xff")))
file.write(load("made"))
spin()
file.write(lines((0, 8, b"/src/made.js"), (3, 21, b"/src/other.js"), (5, 9, b"/src/made.js")))
file.write(load("made"))
spin()
print(path)
"""

# V8 inlines what is in b.js into what is in a.js, and tells all lines under the name of a.js.
SCRIPTS = {
    "b.js": 40 * "\n" + "exports.mix = function mix(sum, x) {\n  return (sum * 31 + x) | 0;\n};\n",
    "a.js": """const b = require('./b.js');
function outer(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum = b.mix(sum, i);
  return sum;
}
let sum = 0;
for (const end = Date.now() + 1000; Date.now() < end;)
  sum += outer(100000);
console.log(sum);
""",
}

# It has begun before anybody records it, and goes on until it is told to end.
RUNNING = TELLER + """
start()
file.write(load("made before"))
print("ready", flush=True)
while not os.path.exists("end"):
    spin()
"""


class JitDumps(ProjectTest):
    def record(self, script, *arguments, before=()):
        command = [*before, sys.executable, self.write("teller.py", script), *arguments]
        result = run(["cargo", "cprof", "exec", "-o", "out.folded", "--", *command], self.folder)
        self.assertEqual(result.code, 0, result)
        self.said = result.err
        self.stacks = folded(os.path.join(self.folder, "out.folded"))
        return result.out.strip()

    def samples(self, function):
        return sum(count for names, count in self.stacks if function in names)

    def assert_about(self, one, other):
        """Both run as many instructions; how much time that takes depends on who else runs."""
        self.assertGreater(min(one, other), 20, self.said)
        self.assertLess(max(one, other) / min(one, other), 4)

    def test_code_has_the_name_of_its_time(self):
        for order in ("", "swapped"):
            with self.subTest(order):
                self.record(REUSE, order)
                self.assert_about(self.samples("made first"), self.samples("made second"))
                self.assertEqual(self.samples("made by half") + self.samples("[unknown]"), 0, self.said)

    def test_so_it_has_in_a_saved_profile_and_in_another_form(self):
        script = self.write("teller.py", REUSE)
        path = run(["cargo", "cprof", "exec", "-o", "out.cprof", "--", sys.executable, script], self.folder).out.strip()
        os.unlink(path)
        done = run(["cargo", "cprof", "flamegraph", "out.cprof", "-o", "out.folded"], self.folder)
        self.assertEqual(done.code, 0, done)
        self.stacks = folded(os.path.join(self.folder, "out.folded"))
        self.said = done.err
        self.assert_about(self.samples("made first"), self.samples("made second"))
        self.assertGreater(self.samples_by_line("out.cprof").get("[jit]", 0), 40)

    def samples_by_line(self, *inputs):
        done = run(["cargo", "cprof", "report", "--by", "line", "--format", "json", "-n", "0", *inputs], self.folder)
        self.assertEqual(done.code, 0, done)
        self.said = done
        return {row["line"]: row["self"] for row in json.loads(done.out)["groups"]}

    def assert_lines(self, rows):
        """The loop is what follows dec: in the first code of one line, in the second of two, which share it."""
        first, others = rows.get("/src/made.js:7", 0), [rows.get("/src/made.js:8", 0), rows.get("/src/other.js:21", 0)]
        self.assert_about(first, sum(others))
        self.assertNotIn("/src/made.js:21", rows)

    def test_code_has_the_line_of_its_time(self):
        for order in ("", "swapped"):
            with self.subTest(order):
                script = self.write("teller.py", LINES)
                path = run(["cargo", "cprof", "exec", "-o", "out.cprof", "--", sys.executable, script, order], self.folder).out.strip()
                os.unlink(path)
                self.assert_lines(self.samples_by_line("out.cprof"))

    @unittest.skipUnless(shutil.which("node"), "node is not here")
    def test_what_v8_inlines_has_the_line_of_its_own_script(self):
        for name, text in SCRIPTS.items():
            self.write(name, text)
        done = run(["cargo", "cprof", "exec", "-o", "out.cprof", "--", "node", "--perf-prof", "a.js"], self.folder)
        self.assertEqual(done.code, 0, done)
        rows = self.samples_by_line("out.cprof")
        lines = [place.rsplit("/", 1)[-1] for place in rows]
        self.assertEqual([line for line in lines if line.startswith("a.js:") and int(line[5:]) > 11], [], rows)
        self.assertGreater(sum(count for place, count in rows.items() if place.endswith("/b.js:42")), 20, rows)

    def test_of_damaged_lines_how_many_is_said(self):
        path = self.record(LINES.replace("(3, 21,", "(300, 21,"))
        self.assertIn(f"warning: 1 record of lines in {path} cannot be read: the code that it is of has names alone\n", self.said)

    @unittest.skipUnless(shutil.which("perf"), "perf is not here")
    def test_so_has_what_perf_has_recorded(self):
        script = self.write("teller.py", LINES)
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-k", "1", "-o", "perf.data", "--", sys.executable, script],
                       cwd=self.folder, stdout=subprocess.PIPE, check=True)
        self.assert_lines(self.samples_by_line("perf.data"))

    def test_a_file_that_is_gone_by_the_end_was_opened_when_it_was_mapped(self):
        self.record(REUSE.replace("print(path)", "os.unlink(path)"))
        self.assert_about(self.samples("made first"), self.samples("made second"))

    def test_a_child_has_what_its_parent_had_told_by_then(self):
        self.record(FORK)
        self.assert_about(self.samples("made before"), self.samples("made after"))

    @unittest.skipUnless(platform.machine() == "x86_64", "other machines' code is not read")
    def test_code_without_frame_pointers_is_left_by_what_it_does_until_it_returns(self):
        self.record(NO_FRAMES)
        whole = sum(count for names, count in self.stacks
                    if names[-2:] == ["made outer", "made inner"] and any("ffi_call" in name for name in names))
        self.assertGreater(whole, 40, self.said)
        self.assertGreater(whole, 0.9 * self.samples("made inner"), self.said)

    def test_code_that_was_moved_has_its_name_where_it_is(self):
        self.record(MOVE)
        self.assertGreater(self.samples("made and moved"), 20, self.said)
        self.assertEqual(self.samples("not moved"), 0)

    def test_where_times_are_ticks_the_last_name_counts_and_that_is_said(self):
        self.record(REUSE, "ticks")
        self.assertEqual(self.samples("made first"), 0)
        self.assertGreater(self.samples("made second"), 40)
        self.assertIn("has the last name that was told for its address", self.said)

    def test_a_program_that_runs_already_has_names_too(self):
        script = self.write("teller.py", RUNNING)
        with subprocess.Popen([sys.executable, script], cwd=self.folder, stdout=subprocess.PIPE) as program:
            try:
                self.assertEqual(program.stdout.readline(), b"ready\n")
                done = run(["cargo", "cprof", "exec", "--pid", str(program.pid), "--duration", "1s", "-o", "out.folded"], self.folder)
            finally:
                self.write("end", "")
        self.assertEqual(done.code, 0, done)
        self.stacks = folded(os.path.join(self.folder, "out.folded"))
        self.assertGreater(self.samples("made before"), 20, done)

    @unittest.skipUnless(os.getuid() == 0, "takes root to make namespaces")
    def test_so_has_code_made_in_a_container(self):
        """The process is number 1 there, and writes to a /tmp of its own; both are gone when names are looked for."""
        inside = 'mount -t tmpfs none /tmp && cd /tmp && exec "$0" -c "$1"'
        command = ["unshare", "--pid", "--mount", "--fork", "sh", "-c", inside, sys.executable, REUSE]
        if run(["unshare", "--pid", "--mount", "--fork", "true"], self.folder).code != 0:
            self.skipTest("no namespaces may be made here")
        result = run(["cargo", "cprof", "exec", "-o", "out.folded", "--", *command], self.folder)
        self.assertEqual((result.code, result.out), (0, "/tmp/jit-1.dump\n"), result)
        self.said = result.err
        self.stacks = folded(os.path.join(self.folder, "out.folded"))
        self.assert_about(self.samples("made first"), self.samples("made second"))

    def test_a_file_that_is_none_is_not_taken_and_why_is_said(self):
        path = self.record(REUSE.replace('print(path)', 'os.pwrite(file.fileno(), b"nothing", 0)\nprint(path)'))
        self.assertGreater(self.samples("[unknown]"), 40)
        self.assertRegex(self.said, f"  no name: .* in {os.path.basename(path)}, because .*; {path}: no jitdump file\n")

    @unittest.skipUnless(shutil.which("perf"), "perf is not here")
    def test_what_perf_has_recorded_has_the_same_names(self):
        script = self.write("teller.py", REUSE)
        for clock, by_time in ((["-k", "1"], True), ([], False)):
            with self.subTest(clock):
                subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", *clock, "-o", "perf.data", "--", sys.executable, script],
                               cwd=self.folder, stdout=subprocess.PIPE, check=True)
                done = run(["cargo", "cprof", "flamegraph", "perf.data", "-o", "out.folded"], self.folder)
                self.assertEqual(done.code, 0, done)
                self.said = done.err
                self.stacks = folded(os.path.join(self.folder, "out.folded"))
                if by_time:
                    self.assert_about(self.samples("made first"), self.samples("made second"))
                else:
                    self.assertEqual(self.samples("made first"), 0)
                    self.assertGreater(self.samples("made second"), 40)
                self.assertEqual("has the last name that was told for its address" in self.said, not by_time, self.said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
