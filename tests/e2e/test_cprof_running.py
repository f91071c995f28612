"""cargo cprof on what runs already: what is watched, and that it goes on."""

import json
import os
import re
import signal
import sys
import time
import unittest

from recordings import HZ, REFUSE, cpu_seconds, exec_command, folded, number
from suite import measured, run
from targets import BUSY, COUNTING, TargetTest, children_of, is_there, machine_delay_seconds, name_of, state_of, wait_for, watches, worker


class WhatRunsAlready(TargetTest):
    @measured
    def test_threads_that_were_there_and_those_that_come_are_watched(self):
        target = self.worker("early", "other")
        process = self.attach("--pid", str(target.pid))
        self.tell(target, "go", "early done", "other done")
        self.tell(target, "start late", "late done")
        said = self.finish(process)
        for name in ("early", "other", "late"):
            self.assertAlmostEqual(self.samples(name) / (0.3 * HZ), 1, delta=0.15, msg=name + said)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        self.assertTrue(any("worker::burn" in names for names, _ in stacks))
        self.assertTrue(is_there(target.pid))
        self.tell(target, "quit 7")
        self.assertEqual(target.wait(), 7)

    @measured
    def test_threads_that_come_while_the_others_are_found_are_sampled_once(self):
        target = self.worker()
        self.send(target, "crowd threads")
        wait_for(lambda: len(os.listdir(f"/proc/{target.pid}/task")) > 5, "the first threads")
        process = self.attach("--pid", str(target.pid))
        self.send(target, "go")
        name, count = target.stdout.readline().split()
        said = self.finish(process)
        self.assertEqual(name, b"crowd")
        sent = number(r"([\d,]+) samples of", said) + number(r"([\d,]+) lost", said)
        self.assertAlmostEqual(sent / (0.03 * HZ * int(count)), 1, delta=0.15, msg=said)

    def test_few_samples_stand_for_the_time_that_was_sampled(self):
        target = self.worker("early")
        process = self.attach("-F", "20", "--pid", str(target.pid))
        self.tell(target, "go", "early done")
        self.assertRegex(self.finish(process), r"too short to tell much: \d+ samples in 0\.[1-9]\d* s of CPU time;")

    def test_the_cpu_time_of_what_ran_before_is_the_systems_and_not_that_of_its_samples(self):
        target = self.start(["dd", "if=/dev/zero", "of=/dev/null", "bs=1M"])
        before = cpu_seconds(target.pid)
        process = self.attach("--no-kernel", "--pid", str(target.pid))
        began = cpu_seconds(target.pid)
        wait_for(lambda: cpu_seconds(target.pid) > began + 0.3, "dd")
        said = self.finish(process)
        told = float(re.search(r"([\d.]+) s of CPU time", said).group(1))
        self.assertGreater(told, 0.28, said)
        self.assertLess(told, cpu_seconds(target.pid) - before + 0.02, said)

    def test_the_cpu_time_of_what_it_starts_is_told_however_few_samples_that_has(self):
        target = self.start(["sh", "-c", "while :; do (:); done"])
        process = self.attach("-F", "1", "--pid", str(target.pid))
        began = cpu_seconds(target.pid)
        wait_for(lambda: cpu_seconds(target.pid) > began + 0.3, "the shell")
        said = self.finish(process)
        self.assertGreater(number(r"([\d.]+) s of CPU time", said), 0.28, said)

    @measured
    def test_samples_that_were_lost_before_it_began_do_not_count(self):
        target = self.worker(*(f"t{index}" for index in range(300)))
        self.send(target, "burn")
        hz = 10000
        command = ["cargo", "cprof", "exec", "-F", str(hz), "-d", "0.3", "-p", str(target.pid), "-o", "out.folded"]
        result = run(command, self.folder)
        sent = number(r"([\d,]+) samples of", result.err) + number(r"([\d,]+) lost", result.err)
        self.assertLess(sent / hz, 2 * number(r"([\d.]+) s of CPU time", result.err), result)

    def test_a_process_that_sleeps_all_the_time_is_not_told_to_be_too_short(self):
        target = self.start(["sleep", "100"])
        wait_for(lambda: (name_of(target.pid), state_of(target.pid)) == ("sleep", "S"), "it sleeps")
        command = ["cargo", "cprof", "exec", "--pid", str(target.pid), "-o", "out.folded", "--", "sleep", "1.1"]
        self.assertIn("warning: it hardly ran, too little to tell much: 0 samples;", run(command, self.folder).err)

    def test_a_process_that_waits_is_said_to_be_idle(self):
        target = self.start([sys.executable, "-c", "import time\nwhile True: time.sleep(0.001)"])
        before = machine_delay_seconds()
        result = run(
            ["cargo", "cprof", "exec", "--pid", str(target.pid), "-o", "out.folded", "--", "sleep", "1.3"], self.folder
        )
        # Where others kept the processors, it may have been kept from them.
        if machine_delay_seconds() - before < 0.1:
            self.assertIn("hint (idle)", result.err)

    def test_children_that_were_there_before_are_told_with_what_watches_them(self):
        parent = self.start(["sh", "-c", "sleep 100 & sh -c 'sleep 100; true' & wait"])
        wait_for(lambda: len(children_of(parent.pid)) == 2, "its children")
        direct = children_of(parent.pid)
        wait_for(lambda: any(children_of(child) for child in direct), "the child of one")
        numbers = {*direct, *(grandchild for child in direct for grandchild in children_of(child))}
        self.addCleanup(lambda: [os.kill(number, signal.SIGKILL) for number in numbers])
        watch = lambda *pids: run(exec_command("--pid", ",".join(map(str, pids)), "-o", "out.folded", "--", "true"), self.folder)
        note = r"note: \d+ processes that it had started before are not watched; with --pid ([\d,]+) they are\n"
        said = watch(parent.pid).err
        told = re.search(note, said)
        self.assertEqual({int(number) for number in told[1].split(",")}, {parent.pid, *numbers}, said)
        self.assertRegex(said, "it hardly ran, too little to tell much: 0 samples; watch it while it works, or for longer")
        self.assertNotIn("not watched", watch(parent.pid, *numbers).err)
        # The recorder is one of ours, too.
        self.assertEqual(re.search(note, watch(os.getpid()).err)[1].count(","), len({parent.pid, *numbers}))

    @measured
    def test_a_process_that_is_named_twice_is_watched_once(self):
        target = self.worker("early")
        threads = [thread for thread in os.listdir(f"/proc/{target.pid}/task") if thread != str(target.pid)]
        process = self.attach("--pid", f"{target.pid},{threads[0]},{target.pid}", "--pid", str(target.pid))
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertAlmostEqual(self.samples("early") / (0.3 * HZ), 1, delta=0.15, msg=said)
        self.assertLess(float(re.search(r"([\d.]+) s of CPU time", said).group(1)), 0.45, said)
        self.assertNotIn("is a thread", said)

    def test_of_a_thread_all_of_the_process_is_watched_which_is_told(self):
        target = self.worker("early")
        threads = [thread for thread in os.listdir(f"/proc/{target.pid}/task") if thread != str(target.pid)]
        result = run(exec_command("--pid", threads[0], "-o", "out.folded", "--", "true"), self.folder)
        self.assertIn(f"note: {threads[0]} is a thread, all of whose process is watched", result.err)
        result = run(exec_command("--pid", f"{target.pid},{2**22 + 1}", "-o", "out.folded", "--", "true"), self.folder)
        self.assert_fails(result, 1, f"there is no process {2**22 + 1}", "pgrep")
        self.assertNotIn("note:", result.err)

    @measured
    def test_so_is_its_time(self):
        target = self.worker("early")
        process = self.attach("--pid", f"{target.pid},{target.pid}")
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertLess(number(r"([\d.]+) s of CPU time", said), 0.45, said)

    @measured
    def test_samples_from_before_it_began_are_not_kept(self):
        target = self.worker(*(f"t{index}" for index in range(300)))
        self.send(target, "burn")
        command = exec_command("--delay", "0.3", "-d", "0.3", "-p", str(target.pid), "-o", "out.json")
        result = run(command, self.folder)
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            times = [at for thread in json.load(file)["threads"] for at in thread["samples"]["time"]]
        self.assertLess((max(times) - min(times)) / 1000, number(r" of CPU time in ([\d.]+) s", result.err) + 0.01, result)

    def test_several_processes_and_the_letter(self):
        targets = [self.worker("one"), self.worker("two")]
        process = self.attach("-p", ",".join(str(target.pid) for target in targets))
        self.tell(targets[0], "go", "one done")
        self.tell(targets[1], "go", "two done")
        said = self.finish(process)
        self.assertGreater(self.samples("one"), 50, said)
        self.assertGreater(self.samples("two"), 50, said)

    def test_no_project_and_no_verb_is_needed(self):
        target = self.worker("early")
        target.stdin.close()
        target.wait()
        result = run(["cargo", "cprof", "--pid", str(target.pid)], self.folder)
        self.assert_fails(result, 1, f"there is no process {target.pid}", "pgrep")

    def test_what_runs_is_not_the_working_tree(self):
        target = self.start(["sh", "-c", BUSY])
        for arguments in (("-o", "base.cprof"), ("--diff", "base.cprof", "-o", "out.md")):
            result = run(["cargo", "cprof", "--pid", str(target.pid), *arguments, "--", "sh", "-c", COUNTING], self.folder)
            self.assertEqual(result.code, 0, result)
        self.assertIn("Recording this run", result.err)
        with open(os.path.join(self.folder, "out.md"), encoding="utf-8") as file:
            self.assertIn("`base.cprof` with `this run`", file.read())

    def test_the_end_of_the_process_ends_the_recording(self):
        target = self.worker("early")
        process = self.start(exec_command("-o", "out.folded", "-p", str(target.pid)))
        wait_for(lambda: watches(process.pid), "the process is watched")
        self.tell(target, "go", "early done")
        self.tell(target, "quit 9")
        self.assertEqual(target.wait(), 9)
        process.stdin.close()
        self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertGreater(self.samples("early"), 50)

    def test_ctrl_c_ends_it_and_the_process_goes_on(self):
        for number_of_signal in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number_of_signal):
                target = self.start(["sh", "-c", BUSY])
                process = self.start(exec_command("-o", "out.folded", "-p", str(target.pid)))
                wait_for(lambda: watches(process.pid), "the process is watched")
                started = cpu_seconds(target.pid)
                wait_for(lambda: cpu_seconds(target.pid) > started + 0.2, "the process gets on")
                process.send_signal(number_of_signal)
                self.assertEqual(process.wait(), 0, process.stderr.read())
                self.assertTrue(is_there(target.pid))
                self.assertGreater(self.samples("sh"), 0)

    def test_a_time_ends_it_and_the_process_goes_on(self):
        target = self.start(["sh", "-c", BUSY])
        began = time.monotonic()
        result = run(exec_command("-d", "300ms", "-o", "out.folded", "-p", str(target.pid)), self.folder)
        elapsed = time.monotonic() - began
        self.assertEqual(result.code, 0, result)
        self.assertTrue(is_there(target.pid))
        told = number(r"in ([\d.]+) s", result.err)
        self.assertTrue(0.3 <= told <= min(elapsed + 0.01, 30), (elapsed, result))

    def test_the_command_ends_with_what_is_watched(self):
        target = self.worker("early")
        process = self.start(exec_command("-p", str(target.pid), "--", "sh", "-c", "echo $$; exec sleep 1000"))
        command = int(process.stdout.readline())
        self.tell(target, "quit 0")
        self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertFalse(is_there(command))

    def test_a_command_that_does_not_end_when_asked_to_is_ended(self):
        target = self.worker("early")
        process = self.start(exec_command("-p", str(target.pid), "--", "sh", "-c", "trap '' TERM; echo $$; exec sleep 1000"))
        command = int(process.stdout.readline())
        self.tell(target, "quit 0")
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertFalse(is_there(command))

    def test_what_it_did_is_told_also_where_the_command_ends_after_it(self):
        work = ("import mmap, sys; print(flush=True); sys.stdin.readline(); m = mmap.mmap(-1, 16 << 20)\n"
                "m.madvise(mmap.MADV_NOHUGEPAGE); m[:] = bytes(16 << 20)")
        target = self.start([sys.executable, "-c", work])
        target.stdout.readline()
        command = ["--", "sh", "-c", "trap 'cat' TERM; echo; cat"]
        process = self.start(exec_command("-e", "page-faults", "-c", "1000", "-p", str(target.pid), *command))
        process.stdout.readline()
        target.stdin.write(b"\n")
        target.stdin.close()
        os.waitid(os.P_PID, target.pid, os.WEXITED | os.WNOWAIT)  # its times are there until somebody has waited for it
        said = process.communicate()[1].decode()
        self.assertRegex(said, r"[\d,]+,000 of [\d,]+ page-faults in \d samples, 1,000 each: .* in [\d.]+ s", said)

    def test_one_that_has_ended_is_named_so(self):
        target = self.start(["true"])
        wait_for(lambda: not is_there(target.pid), "it ends")
        result = run(exec_command("-p", str(target.pid)), self.folder)
        self.assert_fails(result, 1, f"process {target.pid} has ended")

    def test_the_picture_is_named_after_what_is_watched(self):
        target = self.worker("early")
        for arguments, title in ((("-p", str(target.pid)), f"process {target.pid} (worker)"), ((), "true")):
            result = run(exec_command("-o", "out.svg", *arguments, "--", "true"), self.folder)
            self.assertEqual(result.code, 0, result)
            with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as file:
                self.assertIn(f"<title>{title}</title>", file.read())

    def test_what_is_no_process_is_refused(self):
        for arguments, phrase in (
            (("-p", "1x"), "--pid 1x"),
            (("-p", "0"), "--pid 0"),
            (("-p", "1,"), "--pid 1,"),
            (("-p", ""), "--pid: no number was given"),
            (("-p", "1", "-a"), "it is one or the other"),
            (("-p", "1", "--runs", "2"), "--runs"),
            (("-C", "1-0"), "--cpu 1-0"),
        ):
            with self.subTest(arguments):
                self.assert_fails(run(exec_command(*arguments), self.folder), 2, phrase)

    def test_more_threads_than_descriptors_allowed_raise_the_limit(self):
        target = self.worker(*(f"t{index}" for index in range(20)))
        command = exec_command("-o", "out.folded", "-p", str(target.pid), "--", "true")
        result = run(["sh", "-c", 'ulimit -Sn 24; exec "$@"', "sh", *command], self.folder)
        self.assertEqual(result.code, 0, result)

    @measured
    def test_a_process_that_a_filter_forbids_perf_events_is_watched_like_others(self):
        """What it may not do itself says nothing of what we may."""
        target = self.start([sys.executable, REFUSE, "EPERM", worker(), "early"], stderr=None)
        self.assertEqual(target.stdout.readline(), f"ready {target.pid}\n".encode())
        process = self.attach("--pid", str(target.pid))
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertAlmostEqual(self.samples("early") / (0.3 * HZ), 1, delta=0.15, msg=said)
        self.assertGreaterEqual(number(r"([\d.]+)% of stacks complete", said), 98)

    def test_what_forbids_perf_events_is_named(self):
        target = self.worker("early")
        result = run([sys.executable, REFUSE, "EPERM", *exec_command("-p", str(target.pid))], self.folder)
        self.assert_fails(result, 1, "the system refuses perf events", "seccomp=unconfined")


if __name__ == "__main__":
    unittest.main(verbosity=1)
