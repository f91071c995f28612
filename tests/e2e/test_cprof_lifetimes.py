"""cargo cprof while processes, threads, libraries and code come and go: each sample belongs to what ran then."""

import json
import os
import re
import subprocess
import sys
import unittest

from lifetimes import (
    AFTER_EXEC, BEFORE_EXEC, CLOCK, FEW_FAULTS, HELPED, HELPING, JIT, JOBS, KEPT, NAMELESS, ORPHAN, PARENT, PLUGIN, RELOAD, REMOVED,
    RENAMED, SHORT_THREADS, THREADS, UNHEARD,
)
from recordings import paranoid
from suite import ProjectTest, run


def stacks_of(path):
    """The stacks of a folded file: lists of names from the thread on, each with its samples."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in file]
    return [(names.split(";"), int(count)) for names, count in lines]


class Lifetimes(ProjectTest):
    def compile(self, name, source, *flags):
        self.write(name + ".c", source)
        subprocess.run(["cc", "-O1", "-g", "-o", name, name + ".c", *flags], cwd=self.folder, check=True)
        return os.path.join(self.folder, name)

    def assert_about(self, one, other):
        """Both run as many instructions; how much time that takes depends on who else runs."""
        self.assertGreater(min(one, other), 0)
        self.assertLess(max(one, other) / min(one, other), 4)

    def plugin(self, name, function, *flags):
        return self.compile(name, PLUGIN, "-shared", "-fPIC", "-DSPIN=" + function, *flags)

    def record(self, *command, code=0):
        result = run(["cargo", "cprof", "exec", "-o", "out.folded", "--", *command], self.folder)
        self.assertEqual(result.code, code, result)
        self.said = result.err
        self.stacks = stacks_of(os.path.join(self.folder, "out.folded"))
        return result.out

    def until_held(self, name):
        """A command that waits until somebody has the file open: the recorder, which has met code of it then."""
        path = os.path.join(self.folder, name)
        return f"until ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF '{path}'; do sleep 0.01; done"

    def samples(self, function, thread=None):
        return sum(count for names, count in self.stacks if function in names and thread in (None, names[0]))

    def test_a_library_in_the_place_of_another_gets_its_own_samples_alone(self):
        reload = self.compile("reload", RELOAD)
        first = self.plugin("first.so", "spin_first")
        second = self.plugin("second.so", "spin_second")
        out = self.record(reload, first, "spin_first", "true", second, "spin_second", "true", first, "spin_first", "true")
        addresses = out.split()
        self.assertEqual(len(addresses), 3)
        self.assertEqual(len(set(addresses)), 1, "the system did not use the address again")
        # Twice as much of the first as of the second, by construction.
        self.assertGreater(self.samples("spin_second"), 20)
        self.assert_about(self.samples("spin_first"), 2 * self.samples("spin_second"))

    def test_a_library_that_was_replaced_since_has_its_own_names_as_the_one_after(self):
        for flags in ([], ["-Wl,--build-id=none"]):
            with self.subTest(flags):
                reload = self.compile("reload", RELOAD)
                self.plugin("next.so", "spin_after", *flags)
                plugin = self.plugin("plugin.so", "spin_before", *flags)
                move = self.until_held("plugin.so") + "; mv next.so plugin.so"
                self.record(reload, plugin, "spin_before", move, plugin, "spin_after", "true")
                self.assert_about(self.samples("spin_before"), self.samples("spin_after"))
                self.assertNotRegex(self.said, r"no name: .* in plugin.so")

    def test_a_library_that_another_process_loaded_into_the_same_memory_is_named(self):
        helped = self.compile("helped", HELPED)
        plugin = self.plugin("plugin.so", "spin_shared")
        for lives in ([], ["lives"], ["unreaped"]):
            with self.subTest(lives):
                self.record(helped, plugin, "spin_shared", self.until_held("plugin.so"), *lives)
                self.assertGreater(self.samples("spin_shared"), 20, self.said)

    def test_a_library_that_was_loaded_into_memory_that_another_process_shares_is_named_there(self):
        helping = self.compile("helping", HELPING)
        plugin = self.plugin("plugin.so", "spin_shared")
        self.record(helping, plugin, "spin_shared", self.until_held("plugin.so"))
        self.assert_about(self.samples("spin_shared", "child"), self.samples("spin_shared", "helping"))

    def test_a_library_that_is_gone_is_still_named(self):
        reload = self.compile("reload", RELOAD)
        plugin = self.plugin("plugin.so", "spin_gone")
        self.record(reload, plugin, "spin_gone", self.until_held("plugin.so") + "; rm plugin.so")
        self.assertGreater(self.samples("spin_gone"), 20)
        self.assertNotRegex(self.said, r"no name: .* in plugin.so")

    @unittest.skipUnless(os.geteuid() == 0, "it takes the right to see what is mapped")
    def test_so_is_one_that_was_gone_or_replaced_before_it_ran(self):
        kept = self.compile("kept", KEPT)
        for flags in ([], ["-Wl,--build-id=none"]):
            for gone in ("rm plugin.so", "mv next.so plugin.so"):
                with self.subTest(flags=flags, gone=gone):
                    self.plugin("next.so", "spin_after", *flags)
                    plugin = self.plugin("plugin.so", "spin_kept", *flags)
                    self.record(kept, plugin, "spin_kept", gone, self.until_held("plugin.so"))
                    self.assertGreater(self.samples("spin_kept"), 20, (self.said, self.stacks))
                    whole = sum(count for names, count in self.stacks if "spin_kept" in names and "main" in names)
                    self.assertEqual(whole, self.samples("spin_kept"))

    def test_so_is_a_program_that_removes_itself(self):
        self.record(self.compile("lost", REMOVED), self.until_held("lost"))
        self.assertGreater(self.samples("spin_lost"), 20)

    def test_so_are_programs_without_a_file_as_long_as_they_run(self):
        after = self.compile("after", AFTER_EXEC)
        self.record(self.compile("nameless", NAMELESS, "-D_GNU_SOURCE"), after)
        self.assertGreater(self.samples("spin_after"), 20)
        self.record("sh", "-c", "./after & until readlink /proc/$!/exe | grep -q /after; do :; done; rm after; wait")
        self.assertGreater(self.samples("spin_after"), 20)

    def test_threads_have_their_names_and_their_samples(self):
        self.record(self.compile("threads", THREADS, "-pthread"))
        for name in ("alpha", "beta"):
            self.assertGreater(self.samples("spin_" + name, name), 20)
            self.assertEqual(self.samples("spin_" + name), self.samples("spin_" + name, name))

    def test_a_thread_that_changes_its_name_has_samples_of_each(self):
        self.record(self.compile("jobs", JOBS))
        for name in ("index", "query"):
            self.assertGreater(self.samples("spin_" + name), 60)
            self.assertGreaterEqual(self.samples("spin_" + name, name), 0.97 * self.samples("spin_" + name))

    def test_who_starts_others_all_the_time_has_all_of_its_own_samples(self):
        self.record(self.compile("parent", PARENT))
        self.assertGreater(self.samples("spin_after"), 60)
        self.assertGreater(self.samples("spin_between") / self.samples("spin_after"), 0.3)

    def test_time_of_threads_too_short_to_be_sampled_is_told(self):
        self.record(self.compile("short", SHORT_THREADS, "-pthread"))
        self.assertRegex(self.said, r"\Amissed: samples stand for [\d.]+% of its CPU time( outside of the kernel)?; the first 1.0 ms of each thread on each processor have none")

    def test_so_is_that_of_the_program_alone(self):
        short = self.compile("short", SHORT_THREADS, "-pthread")
        result = run(["cargo", "cprof", "exec", "--no-kernel", "-o", "out.folded", "--", short], self.folder)
        self.assertRegex(result.err, r"\Amissed: samples stand for [\d.]+% of its CPU time outside of the kernel;")

    def test_faults_of_threads_with_few_of_them_are_counted_all_the_same(self):
        few = self.compile("few", FEW_FAULTS, "-pthread")
        result = run(["cargo", "cprof", "exec", "-e", "page-faults", "-o", "out.cprof", "--", few], self.folder)
        for said in (result.err, run(["cargo", "cprof", "report", "out.cprof"], self.folder).out):
            self.assertRegex(said, r"missed: samples stand for [\d.]+% of its page-faults;")
            counted = re.search(r"\d+ of ([\d,]+) page-faults in ", said)
            self.assertAlmostEqual(int(counted[1].replace(",", "")), 4 * 1000, delta=400, msg=said)

    def test_who_waits_for_a_child_is_not_said_to_be_idle(self):
        busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
        for last, is_idle in (("exec sleep {}", True), ("sleep {}; true", False)):
            for seconds in ("1.3", "10"):  # on a busy machine it waits for a processor, too, which is no idling
                command = f"{busy}; {last.format(seconds)}"
                result = run(["cargo", "cprof", "exec", "-o", "out.folded", "--", "sh", "-c", command], self.folder)
                if ("hint (idle)" in result.err) == is_idle:
                    break
            self.assertEqual("hint (idle)" in result.err, is_idle, result)

    def test_a_child_that_outlives_its_parent_is_recorded_to_its_end(self):
        orphan = self.compile("orphan", ORPHAN)
        self.record(orphan, code=5)
        self.assertGreater(self.samples("spin_orphan"), 20)
        result = run(["cargo", "cprof", "exec", "-e", "page-faults", "-o", "out.folded", "--", orphan], self.folder)
        self.assertGreater(float(re.search(r"([\d.]+) s of CPU time", result.err)[1]), 0.1, result)

    def test_the_time_of_children_that_nobody_waits_for_is_told_all_the_same(self):
        if os.geteuid() != 0 and paranoid() > 1:
            self.skipTest("how much of it was the kernel's is not known")
        short = self.compile("short", SHORT_THREADS, "-pthread")
        self.record(self.compile("unheard", UNHEARD), short)
        self.assertRegex(self.said, r"\Amissed: samples stand for [\d.]+% of its CPU time;")

    def test_what_a_process_did_before_its_exec_stays_with_the_program_before(self):
        self.record(self.compile("before", BEFORE_EXEC), self.compile("after", AFTER_EXEC))
        self.assertRegex(self.said, r", 1 thread\b")
        for name in ("before", "after"):
            self.assertGreater(self.samples("spin_" + name, name), 20)
            self.assertEqual(self.samples("spin_" + name), self.samples("spin_" + name, name))

    def test_what_it_did_before_it_was_called_something_else_stays_with_the_name_before(self):
        self.record(self.compile("worker", RENAMED))
        for name, thread in (("spin_before", "worker"), ("spin_after", "ending")):
            self.assertGreater(self.samples(name, thread), 20)
            self.assertEqual(self.samples(name), self.samples(name, thread))

    def test_the_firefox_profiler_has_a_process_for_each_program_of_an_exec(self):
        programs = [self.compile("before", BEFORE_EXEC), self.compile("after", AFTER_EXEC)]
        result = run(["cargo", "cprof", "exec", "-q", "-o", "out.json", "--", *programs], self.folder)
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            before, after = json.load(file)["threads"]
        self.assertEqual([before["processName"], after["processName"]], ["before", "after"])
        self.assertEqual([before["isMainThread"], after["isMainThread"]], [True, True])
        self.assertEqual(after["pid"], before["pid"] + ".1")

    def test_samples_are_chosen_by_the_program_that_ran_and_by_the_processs_number(self):
        programs = [self.compile("before", BEFORE_EXEC), self.compile("after", AFTER_EXEC)]
        result = run(["cargo", "cprof", "exec", "-q", "-o", "out.cprof", "-o", "out.pb", "--", *programs], self.folder)
        self.assertEqual(result.code, 0, result)
        (pid,) = {re.search(r"\((\d+)\)", row["pid"])[1] for row in self.report("--by", "pid")["groups"]}
        chosen = {name: self.report("--process", f"^{name}$") for name in ("before", "after")}
        for name, report in chosen.items():
            functions = {row["function"] for row in report["groups"]}
            self.assertEqual({"spin_before", "spin_after"} & functions, {"spin_" + name})
        together = sum(report["samples"] for report in chosen.values())
        self.assertEqual(together, self.report("--pid", pid)["samples"])
        self.assertEqual(together, self.report("--tid", pid)["samples"])
        self.assertEqual(together, self.report()["samples"])
        # Files for pprof tell them by labels.
        for name, report in chosen.items():
            self.assertEqual(self.report("--process", f"^{name}$", path="out.pb")["samples"], report["samples"])

    def report(self, *arguments, path="out.cprof"):
        result = run(["cargo", "cprof", "report", path, "-n", "0", "--format", "json", *arguments], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def test_the_kernels_own_library_is_named_and_unwound(self):
        self.record(self.compile("clock", CLOCK))
        own = {"clock_gettime", "__vdso_clock_gettime"}  # the C library's is __GI___clock_gettime
        inside = [(names, count) for names, count in self.stacks if own & set(names)]
        whole = sum(count for _, count in inside)
        self.assertGreater(whole, 20, self.stacks)
        rooted = sum(count for names, count in inside if "main" in names and "_start" in names)
        self.assertGreaterEqual(rooted / whole, 0.99)

    def test_code_made_at_run_time_has_the_names_that_its_process_tells(self):
        out = self.record(sys.executable, self.write("jit.py", JIT))
        for pid in out.split():
            self.addCleanup(os.unlink, f"/tmp/perf-{pid}.map")
        parent, child = self.samples("made by the parent"), self.samples("made by the child")
        self.assertGreater(min(parent, child), 20)
        self.assert_about(parent, child)
        self.assertNotIn("perf-PID.map", self.said)

    def test_that_code_had_another_name_before_is_told_where_no_times_are(self):
        told = 'file.write(f"{address:x} {len(code):x} {name}\\n")'
        again = JIT.replace(told, told.replace("{name}", "thrown away") + "\n        " + told)
        self.assertNotEqual(again, JIT)
        for pid in self.record(sys.executable, self.write("jit.py", again)).split():
            self.addCleanup(os.unlink, f"/tmp/perf-{pid}.map")
        self.assertGreater(min(self.samples("made by the parent"), self.samples("made by the child")), 20)
        self.assertRegex(self.said, r"\d\d\.\d% of samples were taken in code made at run time at addresses where other code")

    def test_a_child_that_goes_on_with_its_parents_code_has_its_names(self):
        before = JIT.replace("child = os.fork()", 'tell("made before")\nchild = os.fork()').replace("    tell(name)\n", "")
        parent, child = self.record(sys.executable, self.write("jit.py", before)).split()
        self.addCleanup(os.unlink, f"/tmp/perf-{parent}.map")
        self.assertFalse(os.path.exists(f"/tmp/perf-{child}.map"))
        self.assertGreater(self.samples("made before"), 40)
        self.assertEqual(self.samples("[unknown]"), 0, self.said)

    @unittest.skipUnless(os.getuid() == 0, "takes root to make namespaces")
    def test_so_has_code_made_in_a_container(self):
        """The process is number 1 there, and writes to a /tmp of its own; both are gone when names are looked for."""
        inside = 'mount -t tmpfs none /tmp && exec "$0" -c "$1"'
        try:
            out = self.record("unshare", "--pid", "--mount", "--fork", "sh", "-c", inside, sys.executable, JIT)
        except AssertionError:
            if run(["unshare", "--pid", "--mount", "--fork", "true"], self.folder).code != 0:
                self.skipTest("no namespaces may be made here")
            raise
        self.assertEqual(out.split()[0], "1")
        parent, child = self.samples("made by the parent"), self.samples("made by the child")
        self.assertGreater(min(parent, child), 20, self.said)
        self.assert_about(parent, child)

    def test_names_that_are_not_taken_say_why(self):
        """Anyone may have put a link into /tmp, to have a file read that is not theirs."""
        tell = '    with open(f"/tmp/perf-{os.getpid()}.map", "w") as file:'
        link = """    path = f"/tmp/perf-{os.getpid()}.map"
    os.symlink(path + ".names", path)
    with open(path, "w") as file:"""
        self.assertIn(tell, JIT)
        out = self.record(sys.executable, self.write("jit.py", JIT.replace(tell, link)))
        for pid in out.split():
            self.addCleanup(os.unlink, f"/tmp/perf-{pid}.map")
            self.addCleanup(os.unlink, f"/tmp/perf-{pid}.map.names")
            self.assertRegex(self.said, rf"  no name: .* in perf-{pid}.map, because .*; /tmp/perf-{pid}.map is a symb")

    def test_names_that_an_earlier_process_of_that_number_told_are_not_taken(self):
        script = JIT.replace("    tell(name)", '    tell(name)\n    os.utime(f"/tmp/perf-{os.getpid()}.map", (1e9, 1e9))')
        self.assertIn("utime", script)
        for pid in self.record(sys.executable, self.write("jit.py", script)).split():
            self.addCleanup(os.unlink, f"/tmp/perf-{pid}.map")
            self.assertIn(f"; /tmp/perf-{pid}.map is older than its process\n", self.said)
        self.assertEqual(self.samples("made by the parent") + self.samples("made by the child"), 0)

    def test_code_that_nobody_names_says_so(self):
        script = JIT.replace("tell(name)\n    spin", "spin")
        self.record(sys.executable, self.write("jit.py", script))
        self.assertGreater(self.samples("[unknown]"), 40)
        # push %rbp; mov $1, %ebp before it, pop %rbp behind it: no frame pointer leads on, nor does a return: it
        # goes back by pop %rcx; jmp *%rcx.
        script = script.replace("[0x48,", "[0x55, 0xBD, 1, 0, 0, 0, 0x48,").replace("0xC3]", "0x5D, 0x59, 0xFF, 0xE1]")
        self.record(sys.executable, self.write("jit.py", script))
        self.assertRegex(self.said, r"  cut: [\d,]+ code made at run time\n")
        self.assertIn("it is in no file: made at run time", self.said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
