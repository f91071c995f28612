"""cargo cprof compare --event, and sides of which little or nothing was sampled."""

import json
import os
import signal
import subprocess
import unittest

from recordings import exec_command, paranoid
from suite import measured, run
from targets import TargetTest, is_there, wait_for

# Asks for memory so often, of so many bytes, and sleeps so many milliseconds thrice.
PROGRAM = """
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void asks(long count) { while (count-- > 0) { char *volatile p = malloc(100); free(p); } }
__attribute__((noinline)) char *keeps(long bytes) { char *volatile p = malloc(bytes); return p; }
__attribute__((noinline)) void naps(long ms) { for (int i = 0; i < 3 && ms > 0; i++) usleep(ms * 1000); }
int main(int count, char **arguments)
{
    char *kept = keeps(count > 1 ? atol(arguments[2]) : 1);
    if (count > 1) { asks(atol(arguments[1])); naps(atol(arguments[3])); }
    return kept == NULL;
}
"""

# Each of its threads writes to so many pages for the first time: few enough for one sample, or two.
TOUCHES = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
static void *touch(void *pages)
{
    long count = (long)pages;
    char *memory = mmap(NULL, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, count * 4096, MADV_NOHUGEPAGE);
    while (count-- > 0) ((volatile char *)memory)[count * 4096] = 1;
    return NULL;
}
int main(int count, char **arguments)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, touch, (void *)atol(arguments[count - 1]));
        pthread_join(thread, NULL);
    }
    return 0;
}
"""

# Waits always, or in one of 20 runs, which it counts in a file.
WAITS = """
#include <stdio.h>
#include <unistd.h>
int main(int count, char **arguments)
{
    int runs = 0;
    if (count > 1) {
        FILE *file = fopen(arguments[1], "r+");
        fscanf(file, "%d", &runs);
        rewind(file);
        fprintf(file, "%d\\n", runs + 1);
        fclose(file);
    }
    if (runs % 20 == 0) usleep(20000);
    return 0;
}
"""


class Events(TargetTest):
    def setUp(self):
        super().setUp()
        self.write("asks.c", PROGRAM)
        self.built("asks")
        self.built("static", "-static")

    def built(self, name, *options, source="asks.c"):
        subprocess.run(["cc", "-O1", "-g", "-o", name, *options, source], check=True, cwd=self.folder)

    def compare(self, *arguments):
        return run(["cargo", "cprof", "compare", "--runs", "4", *arguments], self.folder)

    def compared(self, event, *arguments):
        result = self.compare("-e", event, "--format", "json", *arguments)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        figures = {row["figure"]: row for row in report["figures"]}
        return figures[event], {row["name"]: row for row in report["functions"]}, report

    @measured
    def test_functions_have_no_time_that_has_no_samples(self):
        # Programs that are shorter than a period have none: their time is no other function's.
        short = "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done"
        long = short + "; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
        result = self.compare("--shell", "default", "-o", "result.json", "-n", "short", "-n", "long", short, long)
        self.assertEqual(result.code, 0, result)
        self.assertIn("short: samples stand for ", result.out)
        with open(os.path.join(self.folder, "result.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["sides"]["measure"], report["sides"]["sampled"]), ("cpu-ns", "part"), report)
        processor = next(row for row in report["figures"] if row["figure"] == "CPU time")
        apart = next(row for row in report["functions"] if row["name"] == "[not sampled]")
        for side in ("before", "after"):
            self.assertGreater(apart[f"self-{side}"], 0.1 * processor[f"{side}-mean"], side)
            told = sum(row[f"self-{side}"] for row in report["functions"])
            self.assertAlmostEqual(told, processor[f"{side}-mean"], delta=0.05 * told)  # what is as before has no row

    @measured
    def test_what_one_run_of_twenty_had_before_is_over_a_limit_all_the_same(self):
        self.write("waits.c", WAITS)
        self.built("waits", source="waits.c")
        self.write("runs", "0\n")
        command = ["cargo", "cprof", "compare", "-e", "off-cpu", "--runs", "20", "--fail-over", "event=50%"]
        result = run([*command, "./waits runs", "./waits"], self.folder)
        if "paranoid" in result.err:
            self.skipTest(result.err)
        self.assertEqual(result.code, 3, result)
        self.assertRegex(result.out, r" at least \+[\d.]+% +more off-cpu\n")
        self.assertRegex(result.err, r"off-cpu grew by at least [\d.]+%, over --fail-over event=50%")

    def test_what_is_counted_exactly_is_told_exactly(self):
        figure, functions, report = self.compared("alloc-count", "./asks 1000 50 0", "./asks 1500 50 0")
        self.assertEqual((figure["unit"], figure["verdict"]), ("allocations", "more"))
        self.assertEqual((figure["after-mean"] - figure["before-mean"], figure["before-deviation"]), (500, 0), figure)
        self.assertEqual((functions["asks"]["self-difference"], functions["asks"]["verdict"]), (500, "more"))
        self.assertEqual((report["sides"]["measure"], report["runs"]), ("count", 4))
        self.assertGreaterEqual(report["profiled-runs"], 4)
        same = self.compare("-e", "alloc-count", "./asks 1000 50 0", "./asks 1000 90 0")
        self.assertIn("alloc-count: no change: ./asks 1000 90 0 takes as much as ./asks 1000 50 0 in each run", same.out)

    @measured
    def test_what_the_kernel_counts_is_told_as_it_counts_it(self):
        self.write("touches.c", TOUCHES)
        self.built("touches", "-pthread", source="touches.c")
        figure, _, _ = self.compared("page-faults", "./touches 16", "./touches 18")
        self.assertEqual((figure["unit"], figure["verdict"]), ("page-faults", "more"))
        self.assertAlmostEqual(figure["after-mean"] - figure["before-mean"], 40, delta=4)
        # What samples stand for, one in ten, is further apart than twice as much.
        self.assertLess(figure["before-deviation"], 4, figure)

    def test_commands_around_runs_are_around_those_that_are_profiled(self):
        log = os.path.join(self.folder, "log")
        for name in ("before", "after"):
            os.chmod(self.write(f"{name}.sh", f"#!/bin/sh\necho {name} >> {log}\n"), 0o755)
        figure, functions, report = self.compared("alloc-count", "./asks 1000 50 0", "./asks 1500 50 0", "--prepare",
                                                  "./before.sh", "--conclude", "./after.sh")
        runs = report["profiled-runs"]
        self.assertGreaterEqual(runs, 4)
        self.assertEqual((figure["verdict"], functions["asks"]["self-difference"]), ("more", 500))
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["before", "after"] * 2 * (report["runs"] + runs))
        self.assertNotIn("how much runs differ is not known", self.compare(
            "-e", "alloc-count", "./asks 9 9 0", "./asks 9 9 0", "--prepare", "./before.sh").out)

    def test_what_a_command_before_a_run_leaves_goes_on_and_is_not_waited_for(self):
        script = self.write("serve.sh", "#!/bin/sh\n[ -e pid ] && kill $(cat pid)\nsleep 300 & echo $! > pid\n")
        os.chmod(script, 0o755)
        self.compared("alloc-count", "./asks 10 50 0", "./asks 15 50 0", "--prepare", "./serve.sh")
        with open(os.path.join(self.folder, "pid"), encoding="ascii") as file:
            server = int(file.read())
        self.assertTrue(is_there(server))
        os.kill(server, signal.SIGTERM)

    def test_a_signal_ends_what_is_run_before_what_is_profiled(self):
        log = os.path.join(self.folder, "log")
        # Waits before the first run after those that are timed.
        wait = f"[ $(wc -l < {log}) -lt 3 ] || {{ touch waits; exec sleep 300; }}"
        os.chmod(self.write("wait.sh", f"#!/bin/sh\necho run >> {log}\n{wait}\n"), 0o755)
        process = self.start(["cargo-cprof", "compare", "--runs", "1", "-e", "alloc-count", "--prepare", "./wait.sh",
                              "./asks 10 50 0", "./asks 15 50 0"])
        wait_for(lambda: os.path.exists(os.path.join(self.folder, "waits")), "the command before a run")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, err)
        self.assertIn(b"elapsed time", out)
        self.assertIn(b"ended early: which functions changed is not known", err)

    def test_limits_hold_for_the_event(self):
        sides = ("-e", "heap-peak", "./asks 10 1000000 0", "./asks 10 2000000 0")
        over = self.compare(*sides, "--fail-over", "event=50%")
        self.assertEqual(over.code, 3, over)
        self.assertRegex(over.err, "over budget: heap-peak grew by at least (99|100)")
        self.assertEqual(self.compare(*sides, "--fail-over", "event=150%").code, 0)
        self.assert_fails(self.compare("true", "true", "--fail-over", "event=5%"), 2, "--event EVENT says which")
        time = self.compare("true", "true", "-e", "cpu-clock", "--fail-over", "event=5%")
        self.assert_fails(time, 2, "--fail-over event=5%: cpu-clock is time")

    def test_what_is_had_at_a_moment_is_told_of_one_run(self):
        for event in ("heap-peak", "heap-end"):
            with self.subTest(event=event):
                figure, functions, report = self.compared(event, "./asks 10 1000000 0", "./asks 10 2000000 0")
                self.assertGreater(report["profiled-runs"], 1)
                for side, least in (("before", 1000000), ("after", 2000000)):
                    self.assertGreaterEqual(figure[f"{side}-mean"], least, figure)
                    self.assertLess(figure[f"{side}-mean"], least + 2000, figure)
                self.assertEqual(functions["keeps"]["self-difference"], 1000000)

    @measured
    def test_waits_are_told_in_time_and_number_and_none_as_none(self):
        if os.geteuid() != 0 and paranoid() > 1:
            self.skipTest("the kernel may not be watched")
        figure, functions, report = self.compared("off-cpu", "./asks 1 1 20", "./asks 1 1 40")
        waits = [row for row in report["figures"] if row["figure"] == "waits"]
        self.assertEqual([row["unit"] for row in waits], ["waits"])
        self.assertGreaterEqual(waits[0]["before-least"], 3)
        self.assertEqual((figure["unit"], figure["verdict"]), ("ns", "more"))
        self.assertGreaterEqual(figure["before-least"], 60_000_000)
        self.assertGreater(functions["naps"]["total-difference"], 30_000_000)
        new = self.compare("-e", "off-cpu", "./asks 1 1 0", "./asks 1 1 20", "--fail-over", "event=5%")
        self.assertEqual(new.code, 3, new)
        self.assertIn("off-cpu: ./asks 1 1 20 has some in each run, and ./asks 1 1 0 none in any", new.out)
        self.assertIn("off-cpu grew by some, from none, over --fail-over event=5%", new.err)

    def test_one_event_is_compared(self):
        self.assert_fails(self.compare("true", "true", "-e", "heap"), 2, "one event is compared, and these are 4")
        self.assert_fails(self.compare("true", "true", "-e", "nonsense"), 2, "perf has no such event")
        self.assert_fails(self.compare("true", "true", "-e", "heap-peak", "--no-profile"), 2, "--no-profile makes none")
        baseline = run(["cargo", "cprof", "compare", "--baseline", "main", "-e", "heap-peak"], self.folder)
        self.assert_fails(baseline, 2, "--event is about programs that are run")

    def test_what_tells_nothing_is_no_comparison(self):
        result = self.compare("-e", "heap-peak", "./static 10 10 0", "./asks 10 10 0", "--format", "markdown")
        self.assertEqual(result.code, 1, result)
        why = "./static 10 10 0 has no samples of heap-peak, so nothing can be compared"
        self.assertIn(f"error: --event heap-peak: {why}\n", result.err)
        self.assertIn("warning: ./static 10 10 0: no program told of its memory", result.err)
        self.assertIn(why, result.out)
        self.assertIn("elapsed time", result.out)

    def record(self, name, *program, hz="997"):
        result = run(exec_command("-F", hz, "-o", name, "--", *program), self.folder)
        self.assertEqual(result.code, 0, result)

    def test_a_side_without_samples_is_no_side(self):
        self.record("none.cprof", "./asks", hz="1")  # no start of a program takes a second of CPU time
        self.record("some.cprof", "./asks", "10000000", "10", "0")
        for sides, whose in ((("none", "some"), "none.cprof has no"), (("some", "none"), "none.cprof has no"),
                             (("none", "none"), "neither side has")):
            paths = [f"{side}.cprof" for side in sides]
            for options in ((), ("--measure", "count"), ("--measure", "share", "--by", "crate"),
                            ("--fail-over", "5%", "--format", "markdown")):
                with self.subTest(sides=sides, options=options):
                    result = run(["cargo", "cprof", "diff", *paths, *options], self.folder)
                    self.assert_fails(result, 1, f"{whose} samples of cpu-clock, so nothing can be compared")
                    self.assertEqual(result.out, "")
        # What was recorded is told all the same.
        head = run(exec_command("--diff", "none.cprof", "-o", "head.md", "--", "./asks", "10000000", "10", "0"), self.folder)
        self.assertEqual(head.code, 1, head)
        self.assertIn("error: no comparison: none.cprof has no samples of cpu-clock", head.err)
        with open(os.path.join(self.folder, "head.md"), encoding="utf-8") as file:
            written = file.read()
        self.assertIn("No comparison: `none.cprof has no samples of cpu-clock", written)
        self.assertIn("asks", written)


if __name__ == "__main__":
    unittest.main()
