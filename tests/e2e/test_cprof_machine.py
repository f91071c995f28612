"""cargo cprof on the whole machine, and on some of its processors."""

import json
import os
import sys
import unittest

from recordings import exec_command, number
from suite import measured, program, run
from targets import TargetTest


class TheMachine(TargetTest):
    def allowed(self):
        result = run(exec_command("-a", "-o", "out.folded", "--", "true"), self.folder)
        if result.code != 0:
            self.assert_fails(result, 1, "the system refuses perf events")
            self.skipTest("the machine may not be watched")

    @measured
    def test_what_runs_on_any_processor_is_watched(self):
        self.allowed()
        target = self.worker("early")
        process = self.attach("-a")
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertGreater(self.samples("early"), 10, said)

    def test_what_ran_before_does_not_count(self):
        self.allowed()
        for _ in range(os.cpu_count()):
            self.start(["sh", "-c", "while :; do :; done"])
        result = run(exec_command("-a", "-o", "out.folded", "--", "sleep", "0.05"), self.folder)
        cpu_seconds = number(r"([\d.]+) s of CPU time", result.err)
        wall_seconds = number(r"of CPU time in ([\d.]+) s", result.err)
        self.assertLess(cpu_seconds, os.cpu_count() * (wall_seconds + 0.01), result)

    def test_one_processor_can_be_chosen(self):
        self.allowed()
        for also in [], ["-a"]:
            result = run(exec_command(*also, "-C", "0", "-o", "out.folded", "--", "true"), self.folder)
            self.assertEqual(result.code, 0, result)
        result = run(exec_command("-C", "8000", "--", "true"), self.folder)
        self.assert_fails(result, 1, "processor 8000: there is none")

    @unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "it takes two processors")
    def test_a_program_that_was_started_on_another_processor_has_its_own_name(self):
        self.allowed()
        os.symlink(sys.executable, os.path.join(self.folder, "second"))
        second = "import os, time; os.sched_setaffinity(0, {0})\nwhile time.process_time() < 0.4: pass\nprint(os.getpid())"
        result = run(exec_command("-C", "0", "-o", "out.cprof", "--", "taskset", "-c", "1", "./second", "-c", second), self.folder)
        self.assertEqual(result.code, 0, result)
        # Of the process alone, for the machine does other things, too.
        by_process = ["--pid", result.out.strip(), "--by", "process", "-n", "0", "--format", "json"]
        report = run([program("cargo-cprof"), "report", "out.cprof", *by_process], self.folder)
        samples = {row["process"]: row["self"] for row in json.loads(report.out)["groups"]}
        self.assertGreater(samples.pop("second", 0), 50, report)
        self.assertLess(sum(samples.values()), 100, report)

    @unittest.skipUnless(os.getuid() == 0 and {0, 1} <= os.sched_getaffinity(0), "it takes root and two processors")
    def test_one_whose_number_is_past_how_many_there_are_is_found(self):
        """Where others are switched off; without /sys the C library counts those that /proc/stat tells of."""
        self.write("stat", "cpu1 0 0 0 0 0 0 0 0 0 0\n")
        hide = 'mount -t tmpfs none /sys && mount --bind stat /proc/stat && exec "$@"'
        work = "import time\nwhile time.process_time() < 0.3: pass"
        command = exec_command("-o", "out.folded", "--", "taskset", "-c", "1", sys.executable, "-c", work)
        result = run(["unshare", "--mount", "sh", "-c", hide, "sh", *command], self.folder)
        if "mount" in result.err or "unshare" in result.err:
            self.skipTest("nothing may be mounted here")
        self.assertEqual(result.code, 0, result)
        self.assertGreater(number(r"([\d,]+) samples of", result.err), 50, result)


if __name__ == "__main__":
    unittest.main(verbosity=1)
