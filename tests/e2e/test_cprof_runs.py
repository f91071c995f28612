"""cargo cprof over several runs of a program."""

import os
import subprocess
import sys
import unittest

from recordings import exec_command, folded
from suite import environment, measured, program, run
from targets import TargetTest


class SeveralRuns(TargetTest):
    def record(self, *arguments):
        return run(exec_command("-o", "out.folded", *arguments), self.folder)

    def test_each_has_the_limit_of_open_files_that_we_were_started_with(self):
        command = exec_command("-q", "--runs", "3", "-e", "cpu-clock,page-faults,minor-faults", "-o", "out.folded", "--", "sh", "-c", "ulimit -Sn; ulimit -Hn")
        files = 10 + 3 * os.cpu_count()
        result = run(["sh", "-c", 'ulimit -Sn "$0"; ulimit -Hn; exec "$@"', str(files), *command], self.folder)
        self.assertEqual(result.code, 0, result)
        hard, *told = result.out.split()
        self.assertEqual(told, [str(files), hard] * 3)

    def test_runs_are_one_profile(self):
        """Told by page faults: a program has as many each time, whoever else runs."""
        faults = ("-e", "page-faults", "-c", "1")
        one = self.record(*faults, "--", "sh", "-c", "echo run")
        samples = self.samples("sh")
        three = self.record(*faults, "--runs", "3", "--", "sh", "-c", "echo run")
        self.assertEqual((one.out, three.out), ("run\n", "run\n" * 3))
        self.assertGreater(samples, 20)
        self.assertAlmostEqual(self.samples("sh") / (3 * samples), 1, delta=0.2)

    @measured
    def test_each_is_sampled_at_other_points(self):
        """Samples are 10 ms apart: begun alike, runs would have one of `wait` and one of `after`."""
        source = self.write("parts.c", """
            #include <time.h>
            static double used_ms(void) {
                struct timespec used;
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
                return 1e3 * used.tv_sec + used.tv_nsec / 1e6;
            }
            __attribute__((noinline)) void wait(void) { while (used_ms() < 12); }
            __attribute__((noinline)) void between(void) { while (used_ms() < 17); }
            __attribute__((noinline)) void after(void) { while (used_ms() < 22); }
            int main(void) { wait(); between(); after(); return 0; }
        """)
        subprocess.run(["cc", "-O1", "-o", os.path.join(self.folder, "parts"), source], check=True)
        result = self.record("-F", "100", "--runs", "40", "--", "./parts")
        stacks = folded(os.path.join(self.folder, "out.folded"))
        between, after = (sum(count for stack, count in stacks if name in stack) for name in ("between", "after"))
        self.assertGreater(between, 8, result)
        self.assertAlmostEqual(between / (between + after), 0.5, delta=0.25, msg=result)

    def test_each_has_the_threads_of_the_program_anew(self):
        """Told by page faults, of which every process has some."""
        result = self.record("-e", "page-faults", "-c", "1", "--runs", "3", "-o", "out.cprof", "--", "sh", "-c", "true")
        self.assertRegex(result.err, r", 3 runs of 1 thread\b")
        told = run([program("cargo-cprof"), "report", "out.cprof"], self.folder)
        self.assertRegex(told.out, r", 3 runs of 1 thread[,;] ")
        by_name = run([program("cargo-cprof"), "report", "out.cprof", "--by", "thread", "--format", "csv"], self.folder)
        self.assertEqual([line.rsplit(",", 1)[1] for line in by_name.out.splitlines()], ["thread", "sh"], by_name)
        each = run([program("cargo-cprof"), "report", "out.cprof", "--by", "tid", "--format", "csv"], self.folder)
        self.assertEqual(len(each.out.splitlines()), 4, each)

    def test_the_first_that_fails_is_the_last_unless_told_otherwise(self):
        fail = "echo run; test $(wc -l <lines) -ge 2 && exit 5; echo x >>lines"
        for arguments, runs, code in ((("--runs", "5"), 3, 5), (("--runs", "5", "--ignore-status"), 5, 0)):
            with self.subTest(arguments):
                self.write("lines", "")
                result = self.record(*arguments, "--", "sh", "-c", fail)
                self.assertEqual((result.out, result.code), ("run\n" * runs, code), result)
                self.assertEqual("ended after 3 of 5 runs" in result.err, runs < 5, result.err)

    def test_what_has_fewer_runs_than_it_was_to_have_is_not_compared_by_cpu_seconds(self):
        for name, arguments in (("all.cprof", ("--ignore-status",)), ("one.cprof", ())):
            self.record(*arguments, "-o", name, "--runs", "5", "--", "sh", "-c", "head -c 9999999 /dev/zero | wc; exit 1")
        for before, after in (("all.cprof", "one.cprof"), ("one.cprof", "all.cprof")):
            with self.subTest(before):
                result = run([program("cargo-cprof"), "diff", before, after], self.folder)
                self.assertIn("compared by share", result.out + result.err)

    def test_what_was_sampled_more_often_is_not_told_as_slower_without_a_word(self):
        loop = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
        for name, hz in (("often.cprof", "4000"), ("seldom.cprof", "500"), ("again.cprof", "500")):
            self.record("-o", name, "-F", hz, "--", "sh", "-c", loop)
        for before, after, warned in (("seldom", "often", True), ("often", "seldom", True), ("seldom", "again", False)):
            with self.subTest((before, after)):
                result = run([program("cargo-cprof"), "diff", f"{before}.cprof", f"{after}.cprof"], self.folder)
                self.assertEqual("one was sampled more often" in result.err, warned, result)

    def test_the_memory_layout_can_be_the_same_each_time(self):
        result = self.record("--no-aslr", "--runs", "3", "--", "sh", "-c", "grep stack /proc/self/maps")
        if "personality" in result.err:
            self.skipTest("memory may not be laid out here")
        self.assertEqual(len(set(result.out.splitlines())), 1, result)

    def test_that_leaves_alone_what_else_was_asked_of_the_layout(self):
        """As by setarch(8): ADDR_COMPAT_LAYOUT, and ADDR_NO_RANDOMIZE with it (personality(2))."""
        command = exec_command("--no-aslr", "-o", "out.folded", "--", "cat", "/proc/self/personality")
        result = run(["setarch", "--addr-compat-layout", *command], self.folder)
        if "personality" in result.err:
            self.skipTest("memory may not be laid out here")
        self.assertEqual(result.out, "00240000\n", result)


class StandardInput(TargetTest):
    COUNTS = "import sys; print(len(sys.stdin.read()))"

    def recorded(self, source):
        command = exec_command("-q", "--runs", "3", "-o", "out.folded", "--", sys.executable, "-c", self.COUNTS)
        return subprocess.run(command, cwd=self.folder, env=environment(), stdin=source, capture_output=True, text=True, check=True)

    def test_each_run_reads_all_of_a_file(self):
        path = os.path.join(self.folder, "input")
        with open(path, "w", encoding="ascii") as file:
            file.write("x" * 1234)
        with open(path, encoding="ascii") as file:
            os.lseek(file.fileno(), 34, os.SEEK_SET)
            result = self.recorded(file.fileno())
        self.assertEqual(result.stdout.split(), ["1200"] * 3, result)
        self.assertNotIn("warning: standard input", result.stderr)

    def test_of_a_pipe_only_the_first_has_any_which_is_said(self):
        read, write = os.pipe()
        os.write(write, b"x" * 1234)
        os.close(write)
        result = self.recorded(read)
        os.close(read)
        self.assertEqual(result.stdout.split(), ["1234", "0", "0"], result)
        self.assertIn("standard input is a pipe: what one run reads there the next finds no more", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
