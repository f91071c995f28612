"""cargo cprof --off-cpu: where threads wait, and for how long."""

import json
import os
import signal
import subprocess
import sys
import unittest

from recordings import exec_command, folded, number, paranoid
from suite import SOURCE, measured, run
from targets import TargetTest


# Three threads want one processor; each says how long it had none.
CROWD = """
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static long waited_ns(void)
{
    long ran = 0, waited = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (!file || fscanf(file, "%ld %ld", &ran, &waited) != 2)
        return 0;
    fclose(file);
    return waited;
}

static void *compute(void *delay)
{
    struct timespec used = {0};
    long before = waited_ns();
    while (used.tv_sec == 0 && used.tv_nsec < 200000000)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    *(long *)delay = waited_ns() - before;
    return 0;
}

int main(void)
{
    enum { COUNT = 3 };
    pthread_t threads[COUNT];
    long delays[COUNT] = {0};
    cpu_set_t one;
    sched_getaffinity(0, sizeof(one), &one);
    for (int cpu = 0, is_found = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &one) && is_found++)
            CPU_CLR(cpu, &one);
    sched_setaffinity(0, sizeof(one), &one);
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], 0, compute, &delays[i]);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < COUNT; i++)
        printf("%ld\\n", delays[i]);
    return 0;
}
"""

SLEEPS = "import sys, time\nfor _ in range(int(sys.argv[1])):\n    time.sleep(float(sys.argv[2]))"


class Waits(TargetTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 and paranoid() > 1:
            self.skipTest("the kernel may not be watched")

    def report(self, path, *options):
        result = run(["cargo", "cprof", "report", path, "--event", "off-cpu", "--format", "json", *options], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def by(self, path, key, *options):
        return {row[key]: row["total"] for row in self.report(path, "--by", key, "-n", "0", *options)["groups"]}

    def recorded(self, *options):
        """waits.c, recorded into out.cprof, and what its threads say that they waited."""
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "waits.c")
        path = os.path.join(self.folder, "waits")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-g", "-fno-omit-frame-pointer", "-o", path, source, "-pthread"], check=True)
        result = run(exec_command("-o", "out.cprof", *options, "--", path), self.folder)
        self.assertEqual(result.code, 0, result)
        return {name: int(us) for name, us in (line.split() for line in result.out.splitlines())}, result.err

    @measured
    def test_each_thread_waits_for_as_long_as_it_says(self):
        waited, said = self.recorded("--off-cpu")
        threads = self.by("out.cprof", "thread")
        for name, us in waited.items():
            # A thread that has to leave for others meanwhile does not wait.
            self.assertLessEqual(threads[name], us * 1.01 + 2000, msg=said)
            self.assertGreaterEqual(threads[name], us * 0.8, msg=said)
        self.assertRegex(said, r"of waiting in [\d,]+ waits: .* of CPU time in .*, 5 threads that waited\n0 lost, ")
        self.assertIn("By what they waited for", said)

    @measured
    def test_what_is_neither_computed_nor_waited_is_time_without_a_processor(self):
        path = os.path.join(self.folder, "crowd")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write(CROWD)
        subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-o", path, path + ".c", "-pthread"], check=True)
        result = run(exec_command("-e", "off-cpu", "-o", "out.cprof", "--", path), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.err, r"\n  no processor: [\d.]+ m?s more, in which threads could have gone on")
        delays_ns = sum(int(ns) for ns in result.out.split())
        ready_ns = self.report("out.cprof")["ready-ns"]
        self.assertAlmostEqual(ready_ns, delays_ns, delta=delays_ns / 10, msg=result)
        self.assertNotIn("ready-ns", self.report("out.cprof", "--time", "..0.3"))

    @measured
    def test_they_do_so_where_the_program_says_and_for_what(self):
        waited, _ = self.recorded("--off-cpu")
        for thread, function, call in (("sleeper", "sleeps", "nanosleep"), ("reader", "reads", "read"), ("locker", "locks", "futex")):
            functions = {row["function"]: row["total"] for row in self.report("out.cprof", "--thread", thread, "-n", "0")["groups"]}
            self.assertGreaterEqual(functions[function], waited[thread] * 0.8, functions)
            calls = self.by("out.cprof", "syscall", "--thread", thread)
            self.assertGreaterEqual(max(us for name, us in calls.items() if call in name), waited[thread] * 0.8, calls)

    @measured
    def test_without_callers_nothing_is_told_of_what_for(self):
        _, said = self.recorded("-e", "off-cpu", "--call-graph", "none")
        self.assertEqual(said[said.index("By what they waited for"):].split("\n")[2].split()[-1], "[kernel]")
        report = run(["cargo", "cprof", "report", "out.cprof", "--by", "syscall"], self.folder)
        self.assert_fails(report, 1, "system calls are seen among callers, which were not recorded (--call-graph none)")
        self.assertIn("callers were not recorded (--call-graph none), so that nobody knows where threads waited", said)

    @measured
    def test_stacks_far_deeper_than_their_copies_are_whole_while_the_thread_waits(self):
        waited, said = self.recorded("-e", "off-cpu", "--call-graph", "dwarf,4096")
        self.assertRegex(said, r"completed: [1-9]\d* deeper than what is copied", said)
        report = self.report("out.cprof", "--thread", "deepener", "-n", "0")
        main = next(row["total"] for row in report["groups"] if row["function"] == "run")
        self.assertGreaterEqual(main, waited["deepener"] * 0.6, report)  # the first is read when it is first known

    @measured
    def test_each_time_that_a_thread_leaves_of_its_own_accord_is_one(self):
        program = ("import os, resource, threading\nread, write = os.pipe()\n"
                   "def echo():\n    for _ in range(2000):\n        os.read(read, 1)\n"
                   "thread = threading.Thread(target=echo)\nthread.start()\n"
                   "for _ in range(2000):\n    os.write(write, b'.')\nthread.join()\n"
                   "print(resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw)")
        result = run(exec_command("-e", "off-cpu", "-o", "out.folded", "--", sys.executable, "-c", program), self.folder)
        self.assertEqual(result.code, 0, result)
        waits = number(r"in ([\d,]+) waits?", result.err)
        self.assertAlmostEqual(waits, int(result.out), delta=5 + int(result.out) / 50, msg=result)  # some are before its exec

    def test_files_tell_it_as_time(self):
        outputs = [option for name in ("out.svg", "out.folded", "out.json", "out.speedscope.json") for option in ("-o", name)]
        result = run(exec_command("--off-cpu", *outputs, "--", sys.executable, "-c", SLEEPS, "5", "0.02"), self.folder)
        self.assertEqual(result.code, 0, result)
        stacks = folded(os.path.join(self.folder, "out.off-cpu.folded"))
        us = sum(count for _, count in stacks)
        # What of a pause it had to wait for a processor before it gave it up is none.
        self.assertGreaterEqual(us, 50000)
        with open(os.path.join(self.folder, "out.off-cpu.svg"), encoding="utf-8") as file:
            self.assertIn("<title>off-cpu: ", file.read())
        with open(os.path.join(self.folder, "out.off-cpu.json"), "rb") as file:
            samples = [thread["samples"] for thread in json.load(file)["threads"]]
        self.assertEqual({each["weightType"] for each in samples}, {"tracing-ms"})
        self.assertAlmostEqual(sum(weight for each in samples for weight in each["weight"]), us / 1000, delta=0.001)
        with open(os.path.join(self.folder, "out.off-cpu.speedscope.json"), "rb") as file:
            profiles = json.load(file)["profiles"]
        self.assertEqual({each["unit"] for each in profiles}, {"microseconds"})
        self.assertEqual(sum(sum(each["weights"]) for each in profiles), us)

    def test_a_chart_has_room_for_what_lies_between_waits(self):
        program = "import time\nfor _ in range(3):\n    time.sleep(0.02)\n    end = time.monotonic() + 0.1\n    while time.monotonic() < end:\n        pass"
        result = run(exec_command("-e", "off-cpu", "--flamechart", "-o", "out.svg", "-o", "out.folded", "--",
                                  sys.executable, "-c", program), self.folder)
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as file:
            self.assertIn("[not waiting]", file.read())
        # Whoever adds up what stacks have finds what was waited.
        self.assertFalse([names for names, _ in folded(os.path.join(self.folder, "out.folded")) if "[not waiting]" in names])

    @measured
    def test_what_runs_already_is_watched_to_the_end_of_the_recording(self):
        target = self.start([sys.executable, "-uc", "print('ready')\n" + SLEEPS, "100000", "0.01"])
        self.assertEqual(target.stdout.readline(), b"ready\n")
        run(exec_command("--off-cpu", "-q", "-d", "1", "-o", "out.cprof", "--pid", str(target.pid)), self.folder)
        report = self.report("out.cprof")
        self.assertLessEqual(report["whole"] * 1000, report["wall-ns"])
        self.assertGreaterEqual(report["whole"] * 1000, report["wall-ns"] * 0.7, report)
        # A thread that is still waiting then has waited so far.
        sleeper = self.start([sys.executable, "-uc", "import sys, time\nsys.stdin.readline()\nprint('woken')\ntime.sleep(600)"])
        recorder = self.start(exec_command("-e", "off-cpu", "-o", "late.cprof", "--pid", str(sleeper.pid), "--",
                                           "sh", "-c", "echo watched; read line; sleep 0.5"))
        self.assertEqual(recorder.stdout.readline(), b"watched\n")
        self.tell(sleeper, "go", "woken")
        self.send(recorder, "end")
        self.assertEqual(recorder.wait(), 0, recorder.stderr.read())
        self.assertGreaterEqual(self.report("late.cprof")["whole"], 400000)

    @measured
    def test_what_was_waited_before_delay_does_not_count(self):
        run(exec_command("-e", "off-cpu", "--delay", "1s", "-o", "out.cprof", "--", sys.executable, "-c", SLEEPS, "1", "2"),
            self.folder)
        # It takes some time to begin with its pause: all of it would be two seconds.
        self.assertAlmostEqual(self.report("out.cprof")["whole"], 1450000, delta=500000)

    @measured
    def test_of_a_part_of_the_time_each_wait_is_what_lies_in_it(self):
        run(exec_command("-e", "off-cpu", "-o", "out.cprof", "--", "sleep", "1"), self.folder)
        # However long it takes to begin.
        parts = [self.report("out.cprof", "--time", part)["whole"] for part in ("..0.8", "0.8..0.9", "0.9..")]
        self.assertAlmostEqual(parts[1], 100000, delta=1000)
        self.assertAlmostEqual(sum(parts), self.report("out.cprof")["whole"], delta=10)

    @measured
    def test_who_waits_as_it_is_found_waits_from_then_on(self):
        target = self.start([sys.executable, "-uc", "import time\nprint('ready')\ntime.sleep(600)"])
        self.assertEqual(target.stdout.readline(), b"ready\n")
        result = run(exec_command("-e", "off-cpu", "-d", "1", "-o", "out.cprof", "--pid", str(target.pid)), self.folder)
        self.assertRegex(result.err, r"of waiting in 1 wait in .*, 1 thread that waited\n")
        report = self.report("out.cprof", "-n", "0")
        self.assertAlmostEqual(report["whole"] * 1000, report["wall-ns"], delta=50000000)
        self.assertIn("[waiting since before]", {row["function"] for row in report["groups"]})

    @measured
    def test_the_whole_machine_has_no_threads_that_wait_after_their_end(self):
        children = "for _ in 1 2 3 4 5 6 7 8; do sleep 0.05; done; exec sleep 0.1"
        result = run(exec_command("-q", "-a", "-e", "off-cpu", "-o", "out.cprof", "--", "sh", "-c", children), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertLess(self.by("out.cprof", "syscall").get("exit_group", 0), 50000)
        self.assertGreaterEqual(self.by("out.cprof", "process")["sleep"], 400000)

    def test_ctrl_c_ends_it_with_what_was_waited(self):
        program = SLEEPS + "\nprint('ready')\ntime.sleep(600)"
        recorder = self.start(exec_command("-e", "off-cpu", "-o", "out.cprof", "--", sys.executable, "-uc", program, "5", "0.01"))
        self.assertEqual(recorder.stdout.readline(), b"ready\n")
        recorder.send_signal(signal.SIGINT)
        recorder.wait()
        self.assertIn(b" of waiting in ", recorder.stderr.read())
        self.assertGreaterEqual(self.report("out.cprof")["whole"], 25000)

    @measured
    def test_a_program_that_waits_longer_is_told_by_what_it_waits_in(self):
        source = "import time\ndef before():\n    time.sleep(0.001)\nfor _ in range(200): before()"
        command = exec_command("-q", "-e", "off-cpu", "-o", "old.cprof", "--", sys.executable, "-c", source)
        run(command, self.folder)
        command[command.index("old.cprof")] = "new.cprof"
        run([*command[:-1], source.replace("0.001", "0.003")], self.folder)
        result = run(["cargo", "cprof", "diff", "old.cprof", "new.cprof", "--format", "json"], self.folder)
        self.assertEqual(result.code, 0, result)
        document = json.loads(result.out)
        self.assertEqual(document["diff"]["measure"], "waited-ns")
        told = [row for row in document["functions"] if row["verdict"] != "noise"]
        self.assertTrue(any(row["total-difference"] > 300000000 for row in told), document)
        result = run(["cargo", "cprof", "diff", "old.cprof", "new.cprof"], self.folder)
        self.assertRegex(result.out, r"time waited, new\.cprof against old\.cprof\n\ncompared by time waited in functions and what")
        # A limit of functions is of what these wait with what they call.
        for limit in ("function=5%", "100%"):
            result = run(["cargo", "cprof", "diff", "old.cprof", "new.cprof", "--fail-over", limit], self.folder)
            self.assertEqual(result.code, 3, result)
            self.assertIn(f"over --fail-over {limit}", result.err)
        result = run(["cargo", "cprof", "diff", "old.cprof", "old.cprof", "--fail-over", "1%"], self.folder)
        self.assertEqual(result.code, 0, result)

    @measured
    def test_beside_cpu_time_waits_are_what_is_compared(self):
        program = ["--", sys.executable, "-c", SLEEPS, "40"]
        run(exec_command("-q", "--off-cpu", "-o", "old.cprof", *program, "0.001"), self.folder)
        result = run(exec_command("--off-cpu", "--diff", "old.cprof", "-o", "new.json", *program, "0.02"), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertIn("off-cpu is compared; -e names another: cpu-clock", result.err)
        with open(os.path.join(self.folder, "new.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["diff"]["measure"], "waited-ns")


if __name__ == "__main__":
    unittest.main()
