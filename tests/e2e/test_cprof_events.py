"""cargo cprof by other events than time, and with each way to find stacks."""

import gzip
import json
import os
import re
import subprocess
import sys
import unittest

from recordings import exec_command, folded, number
from suite import SOURCE, measured, run
from targets import TargetTest


class TheEvents(TargetTest):
    # Of small pages, whatever the system makes of large memory, and on one processor: each of them counts for itself.
    FAULTS = ("import mmap, os, resource\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nm = mmap.mmap(-1, 100 << 20)\n"
              "m.madvise(mmap.MADV_NOHUGEPAGE)\nm[:] = bytes(100 << 20)\nusage = resource.getrusage(resource.RUSAGE_SELF)\n"
              "print(usage.ru_minflt + usage.ru_majflt)")

    @measured
    def test_events_that_a_frequency_does_not_hold_for_are_not_made_rarer_by_one(self):
        faults = ("import mmap\nfor _ in range(20):\n    with mmap.mmap(-1, 32 << 20) as m:\n"
                  "        m.madvise(mmap.MADV_NOHUGEPAGE)\n        m[:] = bytes(32 << 20)\n")
        command = exec_command("-F", "49", "-e", "cpu-clock,page-faults", "-o", "out.folded", "--", sys.executable, "-c", faults)
        result = run(command, self.folder)
        self.assertGreater(number(r"page-faults in ([\d,]+) samples", result.err), 10000, result)
        if number(r"([\d.]+) s of CPU time", result.err) < 4:  # where faults take so long, samples of them take little beside
            self.assertRegex(result.err, r"so many samples .*; sampling more seldom \(a larger -c\)")
        result = run([*command[:3], "-c", "1000", *command[5:]], self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("so many samples", result.err)  # nor is the clock sampled each 1000 ns

    @measured
    def test_page_faults_are_counted_in_a_file_of_their_own(self):
        outputs = ("-o", "out.svg", "-o", "out.folded")
        command = exec_command("-e", "cpu-clock,page-faults", *outputs, "--", sys.executable, "-c", self.FAULTS)
        result = run(command, self.folder)
        self.assertEqual(result.code, 0, result)
        names = ["out.folded", "out.page-faults.folded", "out.page-faults.svg", "out.svg"]
        self.assertEqual(sorted(os.listdir(self.folder)), names)
        counted = sum(count for _, count in folded(os.path.join(self.folder, "out.page-faults.folded")))
        # On a busy machine the kernel may find no room for each of so many at once, and says how many.
        lost = number(r"lost: ([\d,]+) of", result.err) if "lost: " in result.err else 0
        self.assertAlmostEqual((counted + 10 * lost) / int(result.out), 1, delta=0.1, msg=result)
        self.assertRegex(result.err, r"\n([\d,]+ of )?[\d,]+ page-faults in [\d,]+ samples")
        self.assertIn("By page-faults in the function itself", result.err)
        with open(os.path.join(self.folder, "out.page-faults.svg"), encoding="utf-8") as file:
            self.assertIn("<title>page-faults: ", file.read())

    def test_such_a_file_is_never_another_output(self):
        outputs = ("-o", "out.folded", "-o", "out.page-faults.folded")
        result = run(exec_command("-e", "cpu-clock,page-faults", *outputs, "--", "true"), self.folder)
        self.assert_fails(result, 2, "--output out.page-faults.folded: that is where the stacks of page-faults go")
        self.assertEqual(os.listdir(self.folder), [])
        run(exec_command("-q", "-e", "cpu-clock,page-faults", "-o", "p.cprof", "--", "true"), self.folder)
        result = run(["cargo", "cprof", "flamegraph", "p.cprof", *outputs], self.folder)
        self.assert_fails(result, 2, "--output out.page-faults.folded: that is where the stacks of page-faults go")
        self.assertEqual(os.listdir(self.folder), ["p.cprof"])

    def test_one_of_them_can_be_drawn_alone(self):
        run(exec_command("-q", "-e", "cpu-clock,page-faults", "-o", "p.cprof", "--", sys.executable, "-c", self.FAULTS), self.folder)
        draw = ["cargo", "cprof", "flamegraph", "p.cprof", "-e"]
        self.assertEqual(run([*draw, "page-faults", "-o", "out.svg"], self.folder).code, 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.svg", "p.cprof"])
        with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as file:
            self.assertIn("<title>page-faults: ", file.read())
        refused = run([*draw, "heap-peak", "-o", "out.svg"], self.folder)
        self.assert_fails(refused, 2, "--event heap-peak: was not recorded")

    def test_so_are_they_where_the_form_has_an_ending_of_two_parts(self):
        events = ("-e", "cpu-clock,page-faults", "-q", "-o", "out.json.gz", "-o", "out.json")
        result = run(exec_command(*events, "--", sys.executable, "-c", self.FAULTS), self.folder)
        self.assertEqual(result.code, 0, result)
        names = ["out.json", "out.json.gz", "out.page-faults.json", "out.page-faults.json.gz"]
        self.assertEqual(sorted(os.listdir(self.folder)), names)
        with gzip.open(os.path.join(self.folder, "out.page-faults.json.gz"), "rb") as packed:
            with open(os.path.join(self.folder, "out.page-faults.json"), "rb") as plain:
                faults = json.load(plain)
                self.assertEqual(json.load(packed), faults)
        # Which says how much of the time was used: of faults nothing does.
        self.assertFalse(any("threadCPUDelta" in thread["samples"] for thread in faults["threads"]))
        with open(os.path.join(self.folder, "out.json"), "rb") as file:
            self.assertTrue(all("threadCPUDelta" in thread["samples"] for thread in json.load(file)["threads"]))

    @measured
    def test_what_is_recorded_is_compared_with_the_same_event(self):
        program = ("--", sys.executable, "-c", self.FAULTS)
        result = run(exec_command("-q", "-e", "cpu-clock,page-faults", "-o", "old.cprof", *program), self.folder)
        self.assertEqual(result.code, 0, result)
        for options in (("-e", "faults"), ("-e", "page-faults:u", "--no-kernel")):
            result = run(exec_command("--diff", "old.cprof", *options, "-o", "new.svg", *program), self.folder)
            if ":u" in options[1]:
                self.assert_fails(result, 2, "--diff old.cprof: page-faults:u was not recorded there")
                self.assertIn("-e NAME records what is there: cpu-clock, page-faults", result.err)
                self.assertEqual(result.out, "")
                continue
            self.assertEqual(result.code, 0, result)
            self.assertIn("compared by what was counted", result.err)
        result = run(exec_command("--diff", "old.cprof", "-e", "cpu-clock,faults", "-o", "new.svg", *program), self.folder)
        self.assert_fails(result, 2, "--diff compares one event, and --event names 2")
        self.assertEqual(result.out, "")

    @measured
    def test_each_so_many_faults_are_a_sample(self):
        for period in (100, 1000):
            options = ("-e", "page-faults", "-c", str(period), "-o", "out.folded")
            result = run(exec_command(*options, "--", sys.executable, "-c", self.FAULTS), self.folder)
            samples = number(r"page-faults in ([\d,]+) samples", result.err)
            self.assertAlmostEqual(samples * period / int(result.out), 1, delta=0.15, msg=result)

    def test_places_that_fault_in_turn_are_sampled_alike(self):
        source = self.write("turns.c", """
            #include <sys/mman.h>
            enum { PAGE = 4096, PAGES = 5000 };
            static char *room(void) {
                char *all = mmap(0, (long)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                madvise(all, (long)PAGES * PAGE, MADV_NOHUGEPAGE);
                return all;
            }
            __attribute__((noinline)) void even(char *at) { *(volatile char *)at = 1; }
            __attribute__((noinline)) void odd(char *at) { *(volatile char *)at = 2; }
            int main(void) {
                char *evens = room(), *odds = room();
                for (long i = 0; i < PAGES; i++) { even(evens + i * PAGE); odd(odds + i * PAGE); }
                return 0;
            }
        """)
        path = os.path.join(self.folder, "turns")
        subprocess.run(["cc", "-O1", "-o", path, source], check=True)
        result = run(exec_command("-e", "page-faults", "-o", "out.folded", "--", path), self.folder)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        evens, odds = (sum(count for stack, count in stacks if name in stack) for name in ("even", "odd"))
        self.assertGreater(evens + odds, 500, result)
        self.assertAlmostEqual(evens / (evens + odds), 0.5, delta=0.05, msg=result)

    def test_faults_of_a_stack_that_grows_have_a_reason_of_their_own_to_have_no_callers(self):
        # Each call is in pages that were never touched, and has written to the last of them first. It takes its
        # time, so that no sample is lost.
        source = self.write("grow.c", """
            int grow(int calls) {
                volatile char room[8192];
                room[0] = (char)calls;
                for (volatile int i = 0; i < 100000; i++);
                return calls ? grow(calls - 1) + room[0] : 0;
            }
            int main(void) { return grow(500) == 1; }
        """)
        path = os.path.join(self.folder, "grow")
        subprocess.run(["cc", "-O1", "-fno-optimize-sibling-calls", "-fno-stack-clash-protection", "-o", path, source], check=True)
        result = run(exec_command("-e", "page-faults", "-c", "4", "-o", "out.folded", "--", path), self.folder)
        self.assertGreater(number(r"cut: ([\d,]+) taken as the stack grew, of which nothing could be copied", result.err), 100, result)
        self.assertRegex(result.err, "warning: only .* taken as the stack grew, .*; --call-graph fp has")

    def test_where_none_was_sampled_a_smaller_count_is_advised(self):
        result = run(exec_command("-e", "page-faults", "-c", "1000000", "-o", "out.folded", "--", "true"), self.folder)
        self.assertRegex(result.err, r"warning: 0 samples of \d+ page-faults tell little; -c 1 samples each, or give it more to do")

    def test_what_never_happened_is_no_short_run(self):
        for options in (("-e", "alignment-faults"), ("-e", "alignment-faults:u", "-c", "5")):
            result = run(exec_command(*options, "-q", "-o", "out.cprof", "--", "true"), self.folder)
            self.assertEqual(result.code, 0, result)
            self.assertEqual(result.err, f"cargo-cprof: warning: there were no {options[1]} while it was watched\n")

    def test_a_counter_that_the_machine_lacks_is_named(self):
        result = run(exec_command("-e", "L1-dcache-load-misses", "-o", "out.folded", "--", "true"), self.folder)
        if result.code != 0:
            self.assert_fails(result, 1, "--event L1-dcache-load-misses: this machine does not count it", "page-faults")

    def test_an_event_that_perf_does_not_know(self):
        result = run(exec_command("-e", "cpu-clock,page-fault", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 2, "--event page-fault: perf has no such event", "did you mean page-faults?")
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_done_to_memory_is_sampled_where_it_is_done(self):
        path = os.path.join(self.folder, "writes")
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "writes.c")
        subprocess.run(["cc", "-O1", "-g", "-no-pie", "-o", path, source], check=True)
        word, function = run([path], self.folder).out.split()
        expected = ((f"{word}/8:w:u", 1, "writes", "first"), (f"{word}/8:rw:u", 1, "accesses", "first"),
                    (f"{function}:x:u", 1, "executions", "second"), (f"{word}/8:w:u", 10, "writes", "first"))
        for name, period, unit, place in expected:
            result = run(exec_command("-e", f"mem:{name}", "-c", str(period), "-o", "out.folded", "--", path), self.folder)
            if "this machine cannot watch that" in result.err:
                self.skipTest("the processor's breakpoints are not to be had here")
            self.assertEqual(result.code, 0, result)
            # Each processor counts for itself, and what it has left over at the end has no sample.
            told = re.search(rf"(?m)^(?:(\d+) of )?300 {unit} of mem:{name} in (\d+) samples", result.err)
            self.assertTrue(told, result)
            self.assertEqual(int(told[1] or 300), period * int(told[2]), result)
            stacks = folded(os.path.join(self.folder, "out.folded"))
            self.assertEqual({(names[0], names[-1]) for names, _ in stacks}, {("writes", place)}, name)

    def test_memory_that_the_processor_cannot_watch(self):
        result = run(exec_command("-e", "mem:0x404028/3:w", "-o", "out.folded", "--", "true"), self.folder)
        self.assert_fails(result, 1, "--event mem:0x404028/3:w: this machine cannot watch that", "1, 2, 4 or 8 bytes")

    def test_stacks_are_found_as_asked_for(self):
        built = os.path.join(self.folder, "worker")
        source = os.path.join(SOURCE, "tests", "e2e", "worker.rs")
        subprocess.run(["rustc", "-O", "-g", "-Cforce-frame-pointers=yes", "-o", built, source], check=True)
        ways = (("dwarf", True), ("dwarf,16384", True), ("fp", True), ("fp,127", True), ("fp,1", False), ("none", False))
        for how, has_callers in ways:
            with self.subTest(how):
                target = self.start([built, "early"], stderr=None)
                target.stdout.readline()
                process = self.attach("-g", "--call-graph", how, "-p", str(target.pid))
                self.tell(target, "go", "early done")
                said = self.finish(process)
                stacks = folded(os.path.join(self.folder, "out.folded"))
                whole = sum(count for _, count in stacks)
                self.assertGreater(whole, 50, said)
                inner = [(names, count) for names, count in stacks if "worker::burn_inlined" in names]
                self.assertGreater(sum(count for _, count in inner), 0.8 * whole)
                called = sum(count for names, count in inner if "start_thread" in names)
                self.assertGreaterEqual(called / whole, 0.8 if has_callers else 0)
                self.assertEqual(called > 0, has_callers)
                # One that was taken in a thread's first function is whole in any way. Of one call alone all may be cut.
                is_known = "of stacks complete" in said and "is not known" not in said
                all_cut = how == "fp,1" and " 0.0% of stacks complete\n" in said
                self.assertEqual(is_known, how.startswith("dwarf") or all_cut, said)

    def test_inlined_calls_can_be_left_together(self):
        target = self.worker("early")
        process = self.attach("-p", str(target.pid), "--no-inline")
        self.tell(target, "go", "early done")
        self.finish(process)
        names = {name for names, _ in folded(os.path.join(self.folder, "out.folded")) for name in names}
        self.assertIn("worker::burn", names)
        self.assertNotIn("worker::burn_inlined", names)


if __name__ == "__main__":
    unittest.main(verbosity=1)
