"""cargo cprof --heap: which memory a program is given, and who asks for it."""

import json
import os
import re
import shutil
import subprocess
import unittest

from heap_recordings import HeapTest
from recordings import exec_command, given_time
from suite import SOURCE, environment, run

EVENTS = ["heap-peak", "heap-end", "alloc-bytes", "alloc-count"]


class Heap(HeapTest):
    def setUp(self):
        super().setUp()
        self.program = self.built()

    def built(self, *options, name="heap"):
        return self.compiled("heap.c", "-O1", *options, name=name)

    def assert_saved_says(self, said):
        """Of the saved recording each command says what the recording did, and above what it shows."""
        live = re.findall(r"^cargo-cprof: warning: (.*(?:heap's figures|their memory|its memory|could not be read).*)$", said, re.M)
        self.assertNotEqual(live, [], said)
        for command, of in (
                (["report", "out.cprof", "--event", "alloc-count"], [""]),
                (["annotate", "out.cprof", "--event", "alloc-count", "."], [""]),
                (["flamegraph", "out.cprof", "-q", "-o", "all.svg"], [""]),
                (["flamegraph", "out.cprof", "-q", "-o", "one.folded", "--event", "heap-peak"], [""]),
                (["diff", "out.cprof", "out.cprof", "--event", "alloc-count"], ["out.cprof: ", "out.cprof: "]),
        ):
            told = re.findall(r"^cargo-cprof: warning: (.*)$", run(["cargo", "cprof", *command], self.folder).err, re.M)
            self.assertEqual(told, [side + warning for side in of for warning in live], command)

    def test_what_is_all_told_is_told_exactly(self):
        said = self.record(self.program, "few")
        # The C library asks for nothing here.
        self.assertEqual([self.report(event)["whole"] for event in EVENTS], [57000, 34000, 58000, 11])
        few = self.functions("heap-peak")["few"]
        self.assertEqual((few["self"], few["total"]), (3000, 57000))
        self.assertIn("55.7KiB at the peak in 10 sampled allocations", said)
        self.assertIn("33.2KiB at the end in 4 sampled allocations", said)
        self.assertIn("56.6KiB allocated in 11 sampled allocations", said)
        self.assertIn("11 allocations in 11 sampled allocations", said)
        self.assertIn("100.0% of stacks complete", said)
        self.assertNotIn("warning", said)

    def test_of_many_the_sums_are_exact_and_each_is_near(self):
        self.record(self.program, "many")
        given = self.report("alloc-count")
        asked = self.functions("alloc-count")["asks"]["self"]
        # The C library asks for some in each thread.
        self.assertAlmostEqual(given["whole"], 400000, delta=50)
        self.assertAlmostEqual(asked, 400000, delta=1000)
        self.assertLess(given["samples"], 60000)
        self.assertAlmostEqual(self.functions("alloc-bytes")["asks"]["self"], 400000 * 64, delta=256000)
        # What each thread has of its own, which is in no sum yet, is 16 KiB at most.
        # Only some of those that are left are picked, which may be too few to tell whose all is.
        self.assertAlmostEqual(self.report("heap-end")["whole"], 400 * 64, delta=2000)
        rows = self.functions("heap-end")
        self.assertAlmostEqual(rows.get("asks", {"self": 0})["self"] + rows.get("[no stack]", {"self": 0})["self"], 400 * 64, delta=2000)
        self.assertLess(self.report("heap-peak")["whole"], 400 * 64 + 4 * 16384 + 8192)
        threads = self.report("alloc-count", "--by", "thread")["groups"]
        self.assertAlmostEqual(sum(row["total"] for row in threads), 400000, delta=50)

    def test_what_is_kept_is_counted_as_it_was_asked_for(self):
        # Of what is kept few are picked, and malloc takes 24 bytes for each.
        self.record(self.program, "requests")
        self.assertEqual(self.report("heap-end")["whole"], 100000)
        self.assertAlmostEqual(self.report("heap-peak")["whole"], 105000, delta=16384)
        # One at a time is all that it ever has of these.
        self.assertLessEqual(self.functions("heap-peak").get("asks", {"self": 0})["self"], 5000)
        for by in ("function", "crate", "line", "thread,module"):
            rows = self.report("heap-end", "--by", by)["groups"]
            self.assertEqual(sum(row["self"] for row in rows), 100000)
        # Small ones are not told worse for the large ones beside them.
        for event in ("heap-end", "heap-peak", "alloc-count"):
            self.assertAlmostEqual(self.functions(event)["keeps"]["self"], 100000, delta=20000)
        self.assertEqual(self.report("alloc-count")["whole"], 1100000)
        self.assertEqual(self.report("alloc-bytes")["whole"], 5000 * 1000000 + 100000)
        self.record(self.program, "sizes", options=("-e", "heap-end"))
        self.assertEqual(self.report("heap-end")["whole"], 1500000)

    def test_children_and_what_they_become_have_memory_of_their_own(self):
        self.record(self.program, "fork")
        self.assertEqual(self.report("alloc-bytes")["whole"], 5000 + 58000)
        self.assertEqual(self.report("heap-peak")["whole"], 57000)
        self.assertEqual(self.report("heap-end")["whole"], 5000 + 34000)

    def test_children_do_not_all_pick_the_same(self):
        self.record(self.program, "herd", options=("-e", "alloc-count", "-o", "out.json"))
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            counts = [thread["samples"]["length"] for thread in json.load(file)["threads"] if thread["name"].startswith("child")]
        self.assertEqual(len(counts), 8)
        self.assertGreater(len(set(counts)), 1, counts)
        self.assertAlmostEqual(self.report("alloc-count")["whole"], 56000, delta=50)

    def test_what_a_child_gives_back_of_its_parents_is_not_its_own(self):
        own, parents, runs = 0, 0, 12
        # The parent's are picked, so that how much of them was given back is known by chance: to 165,000 of a run's,
        # and to 48,000 of the mean of so many. Once in some 600 runs a small block beside them is picked for 50,000.
        for _ in range(runs):
            self.record(self.program, "heir", options=("-e", "heap-end"))
            heir = self.functions("heap-end")
            own, parents = own + heir["asks_as_heir"]["self"] / runs, parents + heir["asks"]["self"] / runs
        self.assertAlmostEqual(parents, 20000 * 1000, delta=20000)
        self.assertAlmostEqual(own, 3000 * 1000, delta=250000)

    def test_what_is_asked_for_in_borrowed_memory_is_its_owners(self):
        self.record(self.program, "borrower", options=("-e", "heap-peak,heap-end"))
        for event in ("heap-peak", "heap-end"):
            self.assertEqual(self.functions(event)["borrow"]["total"], 12000)
            self.assertEqual(len(self.report(event, "--by", "process")["groups"]), 1)

    def test_stacks_are_whole_however_deep_and_end_where_another_stack_begins(self):
        self.record(self.program, "deep")
        deep = self.functions("heap-end")
        self.assertEqual(deep["main"]["total"], 123456)
        self.assertEqual(deep["asks"]["self"], 123456)
        self.record(self.program, "coroutine")
        self.assertEqual(self.functions("heap-end")["on_own_stack"]["total"], 54321)

    def test_the_peak_is_that_of_all_threads_whatever_is_told_first(self):
        for _ in range(5):
            self.record(self.program, "together")
            self.assertEqual(self.functions("heap-peak")["asks"]["self"], 8000000)

    def test_a_process_goes_on_after_its_first_thread(self):
        self.record(self.program, "outlived")
        self.assertEqual(self.functions("heap-peak")["asks"]["self"], 5000000)
        self.assertNotIn("asks", self.functions("heap-end"))

    def test_what_threads_have_not_told_as_all_ends_counts(self):
        for how in ("idle", "waiting"):
            record = lambda seconds: run(exec_command("-d", seconds, "-o", "out.cprof", "-e", "heap", "--", self.program, how), self.folder)
            result = given_time(record, 1, lambda result: result.out)
            self.assertEqual((result.code, result.out), (0, "given\n"), result)
            # The C library asks for one in each thread.
            self.assertEqual(self.report("alloc-count")["whole"], 32 * 2000 + 32)
            self.assertAlmostEqual(self.functions("alloc-bytes")["wait_for_ever"]["total"], 32 * 2000 * 64, delta=80000)
            self.assertAlmostEqual(self.functions("heap-end")["asks"]["self"], 32 * 100 * 64, delta=5000)

    def test_threads_one_after_the_other_count_on(self):
        self.record(self.program, "threads")
        # The C library asks for one in each thread whose stack is a new one.
        self.assertAlmostEqual(self.report("alloc-count")["whole"], 1000 * 40 + 500, delta=500)

    def test_what_is_refused_leaves_what_was_there(self):
        self.record(self.program, "refused")
        self.assertEqual([self.report(event)["whole"] for event in EVENTS], [2000000, 2000000, 2000000, 1])

    def test_what_a_program_writes_over_is_said_to_be_missing(self):
        self.assertIn("warning: 1 record could not be read, and what was told behind it then is left out, too", self.record(self.program, "scribbles"))
        self.assertNotIn("could not be read", self.record(self.program, "few"))

    def test_what_a_program_writes_of_the_future_keeps_nothing_back(self):
        self.record(self.program, "foresees")
        self.assertEqual(self.report("alloc-count")["whole"], 1000001)

    def test_what_a_program_cuts_off_is_said_to_be_missing(self):
        said = self.record(self.program, "cuts")
        self.assertIn("warning: 1 record could not be read", said)
        self.assertNotIn("no program told of its memory", said)
        self.assert_saved_says(said)

    def test_what_comes_after_the_recording_is_not_missed(self):
        for _ in range(3):
            self.assertNotIn("not all that programs were given is told", self.record(self.program, "endless", options=("-e", "heap", "-d", "0.2")))

    def test_memory_from_before_main_counts(self):
        for name, text, options in (
                ("early.c", "#include <stdlib.h>\nvoid *kept;\n__attribute__((constructor)) static void early(void) { kept = malloc(1000); }\n",
                 ["-shared", "-fPIC", "-o", "libearly.so"]),
                ("late.c", "extern void *kept;\nint main(void) { return !kept; }\n", ["-o", "late", "-L.", "-learly", "-Wl,-rpath,$ORIGIN"]),
        ):
            with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
                file.write(text)
            subprocess.run(["cc", name, *options], check=True, cwd=self.folder)
        self.record(os.path.join(self.folder, "late"))
        self.assertEqual(self.report("heap-end")["whole"], 1000)

    def test_time_is_sampled_beside_it(self):
        said = self.record(self.program, "many", options=("--heap",))
        self.assertRegex(said, r"samples of (cpu-clock|cycles)")
        self.assertIn(" at the peak in ", said)

    def test_each_is_recorded_alone_by_name(self):
        self.record(self.program, "few", options=("-e", "alloc-count"))
        self.assertEqual(self.report("alloc-count")["whole"], 11)
        self.assertEqual(run(["cargo", "cprof", "report", "out.cprof", "--event", "heap-end"], self.folder).code, 2)

    def test_of_several_runs_the_peak_is_that_of_one(self):
        said = self.record(self.program, "few", options=("-e", "heap", "--runs", "3", "-o", "runs.cprof"))
        self.assertIn("55.7KiB at the peak of a run, the mean of 3, in 30 sampled allocations", said)
        self.assertIn("33.2KiB at the end of a run, the mean of 3, in 12 sampled allocations", said)
        self.assertIn("33 allocations in 33 sampled allocations", said)
        self.assertEqual([self.report(event, path="runs.cprof")["whole"] for event in EVENTS], [57000, 34000, 3 * 58000, 33])
        self.record(self.program, "few")
        for event in EVENTS:
            same = run(["cargo", "cprof", "diff", "runs.cprof", "out.cprof", "--event", event], self.folder)
            self.assertEqual((same.code, "nothing changed" in same.out), (0, True), same)

    def test_files_have_its_units(self):
        self.record(self.program, "few", options=("-e", "heap-peak", "-o", "out.svg", "-o", "out.speedscope.json", "-o", "out.json"))
        with open(os.path.join(self.folder, "out.speedscope.json"), encoding="utf-8") as file:
            self.assertEqual({profile["unit"] for profile in json.load(file)["profiles"]}, {"bytes"})
        with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as file:
            self.assertIn("heap-peak: ", file.read())

    def test_a_change_is_told_exactly_where_all_is(self):
        self.record(self.program, "few", options=("-e", "heap-peak", "-o", "base.cprof"))
        self.record(self.program, "few", options=("-e", "heap-peak"))
        same = run(["cargo", "cprof", "diff", "base.cprof", "out.cprof"], self.folder)
        self.assertEqual((same.code, "nothing changed" in same.out), (0, True), same)
        self.record(self.program, "deep", options=("-e", "heap-peak"))
        more = run(["cargo", "cprof", "diff", "base.cprof", "out.cprof", "--format", "json", "--fail-over", "10%"], self.folder)
        self.assertEqual(more.code, 3, more)
        rows = {row["name"]: row for row in json.loads(more.out)["functions"]}
        self.assertEqual((rows["asks"]["verdict"], rows["asks"]["self-error"]), ("more", 0), rows)

    def test_of_two_parts_of_an_exact_sum_one_is_known_as_well_as_the_other(self):
        self.record(self.program, "parts", options=("-e", "alloc-count", "-o", "base.cprof"))
        self.record(self.program, "parts", options=("-e", "alloc-count"))
        change = run(["cargo", "cprof", "diff", "base.cprof", "out.cprof", "--format", "json", "-n", "0"], self.folder)
        rows = {row["name"]: row for row in json.loads(change.out)["functions"]}
        self.assertAlmostEqual(rows["asks"]["self-error"], rows["asks_as_heir"]["self-error"], delta=10)
        self.assertLess(rows["asks"]["self-error"], 20000)

    def test_of_several_events_the_peak_is_compared_and_the_others_are_named(self):
        self.record(self.program, "few", options=("-e", "heap", "-o", "base.cprof"))
        self.record(self.program, "deep")
        both = run(["cargo", "cprof", "diff", "base.cprof", "out.cprof"], self.folder)
        self.assertIn("heap-peak is compared; --event names another: heap-end, alloc-bytes, alloc-count", both.out)
        one = run(["cargo", "cprof", "diff", "base.cprof", "out.cprof", "--event", "heap-peak"], self.folder)
        self.assertNotIn("is compared;", one.out)
        # CPU time comes first there.
        for options in (["-e", "heap"], ["--heap"]):
            now = run(exec_command(*options, "--diff", "base.cprof", "--", self.program, "deep"), self.folder)
            self.assertEqual(now.code, 0, now)
            self.assertIn("heap-peak is compared; -e names another: heap-end, alloc-bytes, alloc-count", now.err)
            self.assertRegex(now.err, r"\n55.7KiB +120.6KiB +\+64.9KiB ")
        refused = run(exec_command("-e", "cpu-clock,page-faults", "--diff", "base.cprof", "--", self.program), self.folder)
        self.assertIn("--diff compares one event, and --event names 2", refused.err)

    def test_a_part_of_the_time_has_a_part_of_the_peak(self):
        path = os.path.join(self.folder, "steps")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#include <stdlib.h>\n#include <unistd.h>\nstatic void *volatile kept[2];\n"
                       "int main(void) { kept[0] = malloc(20480); usleep(100000); kept[1] = malloc(10240); return !kept[1]; }\n")
        subprocess.run(["cc", "-O1", "-o", path, path + ".c"], check=True)
        self.record(path, options=("-e", "heap", "-o", "out.json"))
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            first, second = sorted(ms for thread in json.load(file)["threads"] for ms in thread["samples"]["time"])
        later = f"{(first + second) / 2000:.3f}.."
        for event, words, moment in (("heap-peak", "at the peak", "at its peak"), ("heap-end", "at the end", "at its end")):
            report = ["cargo", "cprof", "report", "out.cprof", "--event", event]
            self.assertIn(f"30.0KiB {words} in 2 ", run(report, self.folder).out)
            self.assertIn(f"10.0KiB of what the whole recording has {moment} in 1 ", run([*report, "--time", later], self.folder).out)

    def test_limits_of_bytes_have_units_of_bytes(self):
        self.record(self.program, "few")
        os.rename(os.path.join(self.folder, "out.cprof"), os.path.join(self.folder, "base.cprof"))
        self.record(self.program, "deep")
        compare = ["cargo", "cprof", "diff", "base.cprof", "out.cprof"]
        over = run([*compare, "--fail-over", "1KiB", "--fail-over", "crate:heap=64KiB", "--fail-over", "1MiB"], self.folder)
        self.assertEqual(over.code, 3, over)
        self.assertIn("heap-peak grew by 64.9KiB (+116.6%), over --fail-over 1KiB; crate heap grew by 64.9KiB", over.err)
        self.assertNotIn("1MiB", over.err)
        counted = run([*compare, "--event", "alloc-count", "--fail-over", "1KiB"], self.folder)
        self.assertEqual(counted.code, 2, counted)
        self.assertIn("--fail-over 1KiB has another unit than what is compared", counted.err)

    def test_files_of_recordings_are_gone_and_the_library_is_kept(self):
        cache = os.path.join(self.folder, "cache")
        result = run(exec_command("-e", "heap", "-o", "out.cprof", "--", self.program), self.folder, XDG_CACHE_HOME=cache)
        self.assertEqual(result.code, 0, result)
        kept = [os.path.join(at, name) for at, _, names in os.walk(cache) for name in names]
        self.assertEqual([os.path.basename(path) for path in kept], ["libcargo-cprof-heap.so"])
        blank = os.path.join(self.folder, "a cache")
        result = run(exec_command("-e", "heap", "--", self.program), self.folder, XDG_CACHE_HOME=blank)
        self.assertEqual(result.code, 1)
        self.assertIn("the dynamic loader takes no library from a path with a blank or ':'", result.err)

    def test_what_tells_nothing_is_said_to(self):
        try:
            still = self.built("-static", name="static")
        except subprocess.CalledProcessError:
            self.skipTest("no static C library")
        said = self.record(still, "few")
        self.assertIn("no program told of its memory: one that is linked statically", said)
        self.assert_saved_says(said)
        self.assertIn("hint: record it while it asks malloc for memory", run(["cargo", "cprof", "annotate", "out.cprof"], self.folder).err)
        # Beside another, and with samples in it: the C library's malloc, which it has in it, is not its own.
        said = self.record("sh", "-c", f"exec {still} few", options=("-e", "heap,page-faults", "-c", "1"))
        self.assertEqual(re.findall(r"warning: (.*?figures|.*?memory)", said), ["1 of 2 programs told nothing of their memory"])

    def test_programs_that_tell_nothing_beside_others_are_named(self):
        said = self.record("sh", "-c", f"env -i {self.program} few; {self.program} few; true")
        self.assertIn("warning: 1 of 4 programs told nothing of their memory: heap; one that is started with a cleared environment", said)
        self.assert_saved_says(said)
        self.assertNotIn("told nothing", self.record("sh", "-c", f"{self.program} few; {self.program} few; true"))

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv"), "takes root to go on as another user")
    def test_another_user_can_read_the_library_and_tells_nothing(self):
        as_other = ["setpriv", "--reuid", "65534", "--clear-groups"]
        result = run(exec_command("-e", "heap", "-o", "out.cprof", "--", *as_other, "ls", "/"), self.folder, XDG_CACHE_HOME="")
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("cannot be preloaded", result.err)
        self.assertIn("warning: 1 of 2 programs told nothing of their memory: ls; ", result.err)

    @unittest.skipUnless(os.getuid() == 0, "takes root to make namespaces")
    def test_where_times_are_others_nothing_is_told_and_that_is(self):
        elsewhere = ["unshare", "--time", "--monotonic", "1000", "--fork"]
        if run([*elsewhere, "true"], self.folder).code != 0:
            self.skipTest("no time namespaces may be made here")
        said = self.record(*elsewhere, self.program, "many")
        self.assertIn("programs in another PID or time namespace, as in a container, tell nothing of their memory", said)

    def test_sanitizers_that_do_not_start_then_are_refused(self):
        refused = 0
        for sanitizer in ("address", "leak", "thread"):
            try:
                program = self.built("-fsanitize=" + sanitizer, name=sanitizer)
            except subprocess.CalledProcessError:
                continue
            if f"lib{sanitizer[0]}san.so" not in subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout:
                continue
            result = run(exec_command("-e", "heap", "--", program), self.folder)
            self.assertEqual(result.code, 2, result)
            self.assertIn(f"{sanitizer}: the sanitizer that it is linked with does not start behind the library", result.err)
            self.assertIn(f"build it without -fsanitize={sanitizer} to see its memory", result.err)
            self.assertEqual(run(exec_command("--", program), self.folder).code, 0)
            refused += 1
        if refused == 0:
            self.skipTest("no sanitizer has a shared library here")

    def test_a_script_reads_its_standard_input(self):
        self.write("script.sh", "#!/bin/sh\nread line\necho got $line\n")
        os.chmod(os.path.join(self.folder, "script.sh"), 0o755)
        done = subprocess.run(exec_command("-e", "heap", "-o", "out.cprof", "--", "./script.sh"), cwd=self.folder, check=True, text=True,
                              env=environment(ASAN_OPTIONS="verify_asan_link_order=0"), input="a line\n", capture_output=True)
        self.assertEqual(done.stdout, "got a line\n", done)

    def test_an_allocator_in_the_program_is_named(self):
        source = os.path.join(self.folder, "own.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("#include <stdlib.h>\nchar pool[64];\nvoid *rpmalloc(size_t size) { return size ? pool : 0; }\n"
                       "int main(void) { void *volatile p = malloc(10); return !rpmalloc(1) || !p; }\n")
        path = os.path.join(self.folder, "own")
        subprocess.run(["cc", "-O1", "-o", path, source], check=True)
        said = self.record(path, options=("--heap",))
        self.assertRegex(said, r"(?s)CPU time.*what rpmalloc gives is not in the heap's figures.* at the peak")
        self.assertEqual(said.count("what rpmalloc gives"), 1, said)
        self.assertEqual(run(["cargo", "cprof", "report", "out.cprof"], self.folder).err, "")
        self.assertIn("what rpmalloc gives", self.record(path, options=("-e", "heap", "-q", "-o", "out.pb.gz")))
        now = run(exec_command("--heap", "--diff", "out.cprof", "--", path), self.folder)
        for side in ("out.cprof", "this run"):
            self.assertIn(f"warning: {side}: what rpmalloc gives", now.err)
        # A recording keeps it; of what does not the file that ran tells, while it is there.
        report = ["cargo", "cprof", "report", "out.pb.gz", "--event", "alloc-count"]
        self.assertIn("warning: what rpmalloc gives is not in the heap's figures", run(report, self.folder).err)
        with open(source, "a", encoding="ascii") as file:
            file.write("int more(void) { return 1; }\n")
        subprocess.run(["cc", "-O1", "-o", path, source], check=True)
        self.assertEqual(run(report, self.folder).err, "")
        self.assert_saved_says(said)
        self.assertEqual(self.report("alloc-count")["warnings"], re.findall(r"what rpmalloc gives.*", said))

    def test_pictures_and_texts_of_memory_tell_which_is_not_in_them(self):
        path = os.path.join(self.folder, "own")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#include <stdlib.h>\nchar pool[64];\nvoid *rpmalloc(size_t size) { return size ? pool : 0; }\n"
                       "int main(void) { void *volatile p = malloc(10); return !rpmalloc(1) || !p; }\n")
        subprocess.run(["cc", "-O1", "-o", path, path + ".c"], check=True)
        self.record(path, options=("-e", "page-faults,heap-peak", "-c", "1", "-o", "out.svg", "-o", "out.txt"))
        run(["cargo", "cprof", "flamegraph", "out.cprof", "--event", "heap-peak", "--notes", "mine", "-o", "later.svg", "-q"], self.folder)
        missing = "what rpmalloc gives is not in the heap"
        for name, said in (
                ("out.heap-peak.txt", "warning: " + missing), ("out.heap-peak.svg", '<desc id="notes">' + missing),
                ("out.heap-peak.svg", "without some memory (point at the title): 10B at the peak"),
                ("later.svg", '<desc id="notes">mine\n' + missing),
        ):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                self.assertIn(said, file.read(), name)
        for name in ("out.txt", "out.svg"):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                self.assertNotIn(missing, file.read(), name)

    def test_programs_without_samples_that_have_other_memory_are_named(self):
        for name, text, said in (
                ("ownmalloc", "#include <stddef.h>\nstatic char pool[1 << 20];\nstatic size_t used;\n"
                 "void *malloc(size_t size) { used += size; return used < sizeof(pool) ? pool + used - size : 0; }\n"
                 "void free(void *block) { (void)block; }\nint main(void) { return !malloc(10); }\n",
                 "what ownmalloc is given is not in the heap's figures: it brings a malloc of its own"),
                ("mapped", "#include <string.h>\n#include <sys/mman.h>\nint main(void) { size_t size = 100 << 20;\n"
                 "return !memset(mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, size); }\n",
                 r"mapped had (99|10\d) MiB at a time, and hardly any of malloc: memory of mmap, or of an allocator"),
                ("unmapped", "#include <string.h>\n#include <sys/mman.h>\nint main(void) { size_t size = 100 << 20;\n"
                 "return munmap(memset(mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, size), size); }\n",
                 r"unmapped had (99|10\d) MiB at a time, and hardly any of malloc"),
        ):
            path = os.path.join(self.folder, name)
            with open(path + ".c", "w", encoding="ascii") as file:
                file.write(text)
            subprocess.run(["cc", "-fno-builtin", "-o", path, path + ".c"], check=True)
            told = self.record("sh", "-c", f"{path}; true")
            self.assertRegex(told, said)
            # With samples in it, too, of which its symbols would tell less.
            self.assertRegex(self.record(path, options=("--heap", "-e", "heap,page-faults", "-c", "1")), said)
            self.assert_saved_says(told)

    def test_what_a_child_has_of_its_parents_is_no_other_memory(self):
        path = os.path.join(self.folder, "parent")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint main(void) {\n"
                       "char *kept = malloc(64 << 20);\nmemset(kept, 1, 64 << 20);\nif (fork() == 0) exit(0);\nwait(0);\nreturn !kept; }\n")
        subprocess.run(["cc", "-fno-builtin", "-o", path, path + ".c"], check=True)
        self.assertNotIn("warning", self.record(path))
        self.assertEqual(self.report("heap-end")["whole"], 64 << 20)

    @unittest.skipUnless(shutil.which("musl-gcc"), "no musl")
    def test_with_musl_programs_and_their_children_tell_as_others(self):
        path = os.path.join(self.folder, "other_library")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#include <pthread.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nvoid *volatile kept;\n"
                       "static void *keep(void *size) { return kept = malloc((size_t)size); }\nint main(void) {\npthread_t thread;\n"
                       "pthread_create(&thread, 0, keep, (void *)5000);\npthread_join(thread, 0);\nkeep((void *)300);\n"
                       "if (fork() == 0) { keep((void *)70000); exit(0); }\nwait(0);\nreturn 0; }\n")
        subprocess.run(["musl-gcc", "-O1", "-g", "-o", path, path + ".c"], check=True)
        self.assertNotIn("warning", self.record(path))
        groups = self.report("heap-end", "--by", "pid,function")["groups"]
        self.assertEqual([row["self"] for row in groups if row["function"] == "keep"], [70000, 5300])

    @unittest.skipUnless(shutil.which("musl-gcc"), "no musl")
    def test_what_musls_functions_ask_each_other_for_counts_once(self):
        path = os.path.join(self.folder, "other_library")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#define _GNU_SOURCE\n#include <malloc.h>\n#include <stdlib.h>\nint main(void) {\nfor (int i = 0; i < 100; i++) {\n"
                       "void *four[4] = {calloc(3, 7), aligned_alloc(64, 128), memalign(32, 96)};\n"
                       "if (posix_memalign(&four[3], 256, 512)) return 1;\n"
                       "for (int k = 0; k < 4; k++) { if (!four[k]) return 2; free(four[k]); } }\nreturn 0; }\n")
        for compiler in ("musl-gcc", "cc"):
            with self.subTest(compiler):
                subprocess.run([compiler, "-O1", "-g", "-fno-builtin", "-o", path, path + ".c"], check=True)
                self.assertNotIn("warning", self.record(path))
                rows = {event: self.report(event, "--by", "pid,function")["groups"] for event in ("alloc-count", "alloc-bytes", "heap-end")}
                found = {event: sum(row["self"] for row in rows[event] if row["function"] == "main") for event in rows}
                self.assertEqual(found, {"alloc-count": 400, "alloc-bytes": 100 * (21 + 128 + 96 + 512), "heap-end": 0})

    def test_who_takes_mallocs_address_has_none_of_its_own(self):
        path = os.path.join(self.folder, "taker")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write("#include <stdlib.h>\nstatic void *(*volatile give)(size_t);\n"
                       "int main(void) { give = malloc; return !give(1000); }\n")
        for options in (["-no-pie", "-fno-pie"], ["-pie", "-fpie"]):
            subprocess.run(["cc", *options, "-o", path, path + ".c"], check=True)
            self.assertNotIn("warning: what", self.record(path))
            self.assertEqual(self.report("alloc-bytes")["whole"], 1000)

    def test_other_preloaded_libraries_stay(self):
        result = run(exec_command("-e", "heap", "-o", "out.cprof", "--", "sh", "-c", "echo $LD_PRELOAD"), self.folder, LD_PRELOAD="libm.so.6",
                     ASAN_OPTIONS="verify_asan_link_order=0")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, r"/libcargo-cprof-heap\.so:libm\.so\.6\n")

    def test_what_cannot_be_told_is_refused(self):
        for options, said in (
                (["--pid", str(os.getpid()), "--heap"], "--pid: heap-peak is told by a program itself, from its start on"),
                (["-a", "-e", "alloc-bytes"], "--all-cpus: alloc-bytes is told by a program itself"),
                (["--heap", "--call-graph", "none", "--", self.program], "--call-graph none: heap-peak is about who asks"),
                (["-e", "heap", "-c", "10", "--", self.program], "--count 10: of heap-peak each allocation is told"),
                (["-e", "heap", "-F", "10", "--", self.program], "--freq 10: heap-peak is counted, not timed"),
        ):
            result = run(exec_command(*options), self.folder)
            self.assertEqual(result.code, 2, result)
            self.assertIn(said, result.err)


if __name__ == "__main__":
    unittest.main()
