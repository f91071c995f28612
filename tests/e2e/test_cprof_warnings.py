"""What cargo cprof says of recordings that mislead, and of samples that were lost."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

from recordings import HZ, cpu_seconds, exec_command, folded, number
from suite import SOURCE, ProjectTest, environment, measured, run
from targets import TargetTest


class WhatMisleads(TargetTest):
    COUNT = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"

    def said(self, *options):
        result = run(exec_command(*options, "-o", "out.folded", "--", "sh", "-c", self.COUNT), self.folder)
        self.assertEqual(result.code, 0, result)
        return result.err

    def test_a_delay_that_was_not_over_is_told(self):
        said = self.said("--delay", "100s")
        self.assertIn("warning: nothing was kept: it ended before --delay 100s was over", said)
        self.assertNotIn("too short", said)

    def of_another_user(self):
        """A shell that has the rights of another user (set-user-ID)."""
        if os.getuid() != 0:
            self.skipTest("takes root to make a program of another user's rights")
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest("mounted nosuid")
        path = shutil.copy(os.path.realpath("/bin/sh"), os.path.join(self.folder, "other"))
        os.chown(path, 65534, 65534)
        os.chmod(path, 0o4755)
        return path

    MUCH = "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done"
    def test_one_part_of_the_time_is_not_told_as_too_short(self):
        if os.geteuid() != 0:
            self.skipTest("takes the right to sample the kernel")
        result = run(exec_command("-e", "cpu-clock:k", "-o", "out.folded", "--", "sh", "-c", self.MUCH), self.folder)
        self.assertRegex(result.err, r"warning: most of its time is the program's own, which is not sampled: \d+ sample")
        self.assertNotIn("too short", result.err)

    UNWATCHED = r"missed: samples stand for .*: the kernel lets nobody watch other from its start"

    def test_a_program_that_nobody_may_watch_is_named(self):
        result = run(exec_command("-o", "out.folded", "--", self.of_another_user(), "-c", self.MUCH), self.folder)
        self.assertRegex(result.err, self.UNWATCHED)
        self.assertNotIn("have none", result.err)
        cpu, elapsed = number(r"([\d.]+) s of CPU time", result.err), number(r" of CPU time in ([\d.]+) s", result.err)
        self.assertGreater(elapsed, 0.8 * cpu)

    def test_so_is_one_that_has_ended_before_anybody_looks(self):
        """Nothing is read while the recorder is stopped."""
        script = 'echo ready; read line; "$0" -c "$1"; echo done'
        command = exec_command("-o", "out.folded", "--", "sh", "-c", script, self.of_another_user(), self.MUCH)
        process = self.start(command)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        os.kill(process.pid, signal.SIGSTOP)
        self.tell(process, "go", "done")
        os.kill(process.pid, signal.SIGCONT)
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 0, said)
        self.assertRegex(said, self.UNWATCHED)

    def test_so_is_one_that_hardly_takes_time(self):
        result = run(exec_command("-o", "out.folded", "--", self.of_another_user(), "-c", ":"), self.folder)
        self.assertIn("warning: other could not be watched, being set-user-ID or ", result.err)

    def test_an_address_that_nothing_met_is_told(self):
        for options, phrase in (((), "each run has other ones without --no-aslr"), (("--no-aslr",), "while it was watched")):
            result = run(exec_command(*options, "-e", "mem:0x10000/8:w", "-o", "out.folded", "--", "true"), self.folder)
            if "cannot watch that" in result.err or "--no-aslr: personality" in result.err:
                self.skipTest(result.err)
            self.assertIn("warning: nothing did that at this address", result.err)
            self.assertIn(phrase, result.err)
            self.assertNotIn("too short", result.err)

    def test_whether_what_is_counted_has_few_samples_is_told_by_how_many_there_were(self):
        def said(*options):
            result = run(exec_command("-q", "-e", "page-faults", *options, "-o", "out.folded", "--", "true"), self.folder)
            self.assertNotIn("too short", result.err)
            return result.err

        self.assertNotIn("little", said("-c", "1"))
        few = r"warning: \d+ samples? of \d+ page-faults tells? little; -c 1 samples each, or give it more to do\n"
        self.assertRegex(said("-c", "10"), few)
        self.assertRegex(said("-c", "9999999"), few.replace(r"\d+ samples?", "0 samples", 1))

    def test_what_sampling_itself_takes_is_told_where_it_is_much(self):
        often = self.said("-F", "50000")
        if "the kernel allows no more" not in often:
            self.assertRegex(often, "take (a sizeable part|most) of that time themselves")
        self.assertNotIn("of that time themselves", self.said("-F", "997"))

    def test_a_frequency_that_the_kernel_does_not_allow_is_lowered_and_told(self):
        most, setting = os.path.join(self.folder, "most"), "/proc/sys/kernel/perf_event_max_sample_rate"
        with open(most, "w", encoding="ascii") as file:
            file.write("500\n")
        for asked, is_told in (("997", True), ("500", False), ("max", False)):
            recording = shlex.join(exec_command("-F", asked, "-o", "out.folded", "--", "sh", "-c", self.COUNT))
            command = ["unshare", "--map-root-user", "--mount", "sh", "-c", f"mount --bind {most} {setting} && {recording}"]
            result = run(command, self.folder)
            self.assertEqual(result.code, 0, result)
            self.assertIn("samples of cpu-clock at 500 Hz", result.err)
            self.assertEqual("500 samples a second instead of 997: the kernel allows no more" in result.err, is_told, result)

    def test_a_program_without_frame_pointers_is_told_of(self):
        warning = "the program seems to have no frame pointers"
        self.assertIn(warning, self.said("-F", "4000", "--call-graph", "fp"))
        self.assertNotIn(warning, self.said("-F", "4000"))

    def test_stacks_that_nobody_wanted_are_not_judged(self):
        self.assertNotIn("stacks", self.said("--call-graph", "none"))


class TooMany(TargetTest):
    """While the recorder is stopped nobody empties the rings, and what the program does then is lost."""

    def build(self, name, *options):
        path = os.path.join(self.folder, name)
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", name.partition(".")[0] + ".c")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-g", "-o", path, source, *options], check=True)
        return path

    def test_a_library_whose_loading_was_lost_is_found_afterwards(self):
        """And each fault is kept or lost: there are as many as the kernel has counted."""
        library = self.build("faulting.so", "-shared", "-fPIC")
        program = self.build("overflow")
        options = ("-e", "page-faults", "-c", "1", "--call-graph", "none", "-o", "out.folded")
        process = self.start(exec_command(*options, "--", program, library))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        os.kill(process.pid, signal.SIGSTOP)
        process.stdin.write(b"\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"loaded\n")
        os.kill(process.pid, signal.SIGCONT)
        _, said = process.communicate(b"\n")
        self.assertEqual(process.returncode, 0, said)
        self.assertRegex(said.decode(), r"lost: [\d,]+ of")
        stacks = folded(os.path.join(self.folder, "out.folded"))
        named = sum(count for names, count in stacks if "in_library" in names)
        unknown = sum(count for names, count in stacks if "[unknown]" in names)
        self.assertGreater(named, unknown, said)
        kept = sum(count for _, count in stacks)
        lost = number(r"\n([\d,]+) lost", said.decode())
        counted = number(r"of ([\d,]+) page-faults in", said.decode())
        # Kernels before 6.0 tell of lost names with them.
        self.assertAlmostEqual(kept + lost, counted, delta=100, msg=said)


class Lost(ProjectTest):
    @measured
    def test_kept_and_lost_samples_are_what_was_sent(self):
        """While we are stopped nobody empties the rings: what finds no room is counted."""
        # On one processor, each of which has a ring of its own.
        script = ("import os, time\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
                  "print(os.getpid(), flush=True)\nbegan = time.process_time()\n"
                  "while time.process_time() < began + 1.5: sum(range(10000))\nprint(time.process_time(), flush=True)\nos._exit(0)")
        process = subprocess.Popen(
            exec_command("-o", "out.folded", "--", sys.executable, "-c", script),
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        program = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGSTOP)
        started = cpu_seconds(program)
        while cpu_seconds(program) < started + 0.5:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGCONT)
        cpu, said = process.communicate(timeout=60)
        cpu, said = float(cpu), said.decode()
        kept = sum(count for _, count in folded(os.path.join(self.folder, "out.folded")))
        lost = number(r"([\d,]+) lost", said)
        self.assertGreater(lost, 50, said)
        self.assertAlmostEqual((kept + lost) / (HZ * cpu), 1, delta=0.04, msg=said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
