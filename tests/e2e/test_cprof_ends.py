"""How cargo cprof ends, by itself, with its program or by a signal, and what is left then."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

from recordings import REFUSE, cpu_seconds, exec_command, folded, given_time, number
from suite import ProjectTest, environment, measured, program, run
from targets import BUSY, TargetTest, is_there, parent_of, wait_for


CPU_TIME = r"([\d.]+) s of CPU time"


class HowItEnds(ProjectTest):
    """Exit codes, signals, and what is written all the same."""

    def exec(self, *arguments):
        return run(exec_command("-o", "out.folded", "--", *arguments), self.folder)

    def output(self):
        with open(os.path.join(self.folder, "out.folded"), encoding="utf-8") as file:
            return file.read()

    def test_the_exit_code_of_the_program_is_ours(self):
        result = self.exec("sh", "-c", "exit 7")
        self.assertEqual(result.code, 7, result)
        self.output()

    def test_a_crash_is_128_and_the_signal_and_leaves_a_profile(self):
        busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; kill -SEGV $$"
        result = self.exec("sh", "-c", busy)
        self.assertEqual(result.code, 128 + signal.SIGSEGV, result)
        self.assertIn("sh;", self.output())
        self.assertIn("warning: the program was ended by signal 11 (SIGSEGV): ", result.err)

    def test_an_end_that_was_asked_for_is_no_news(self):
        for number in ("PIPE", "KILL"):
            result = self.exec("sh", "-c", f"kill -{number} $$")
            self.assertEqual("was ended by" in result.err, number == "KILL", result)
        ended = run(exec_command("-o", "out.folded", "-d", "0.1", "--", "sleep", "60"), self.folder)
        self.assertNotIn("was ended by", ended.err)

    def test_a_program_that_is_not_there(self):
        result = self.exec("/not/there")
        self.assert_fails(result, 127, "error: /not/there: no such program")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out.folded")))
        self.assert_fails(self.exec("./a b; c"), 127, "error: ./a b; c: no such program", "hint: ", "sh -c '...'")

    def test_a_limit_that_keeps_it_from_being_started_is_named(self):
        command = [program("cargo-cprof"), "exec", "-o", "out.folded", "--", "true"]
        for files in ("4", "8"):
            result = run(["sh", "-c", 'ulimit -n "$0"; exec "$@"', files, *command], self.folder)
            self.assert_fails(result, 1, ": Too many open files", "hint: ", "`ulimit -n`")

    def test_a_script_whose_interpreter_is_not_there(self):
        self.write("script", "#!/not/there\n")
        os.chmod(os.path.join(self.folder, "script"), 0o755)
        self.assert_fails(self.exec("./script"), 126, "start ./script: what is to run it is not there")

    def test_a_file_of_the_current_folder_is_not_looked_for_by_its_bare_name(self):
        self.write("tool", "#!/bin/sh")
        self.assert_fails(self.exec("tool"), 127, "there is a file ./tool, but it is not executable")
        os.chmod(os.path.join(self.folder, "tool"), 0o755)
        self.assert_fails(self.exec("tool"), 127, "hint: the file in the current folder is ./tool")

    def test_a_program_that_may_not_be_executed(self):
        self.assert_fails(self.exec("/etc/passwd"), 126, "start /etc/passwd: Permission denied", "chmod +x /etc/passwd")
        self.assert_fails(self.exec("/etc"), 126, "start /etc: it is a folder")

    def test_text_without_an_interpreter_is_run_by_the_shell(self):
        self.write("bin/plain", 'test "$1" = "a b" && exit 5\n')
        os.chmod(os.path.join(self.folder, "bin/plain"), 0o755)
        self.assertEqual(self.exec("bin/plain", "a b").code, 5)
        path = os.path.join(self.folder, "bin") + ":" + environment()["PATH"]
        result = run(exec_command("-o", "out.folded", "--", "plain", "a b"), self.folder, PATH=path)
        self.assertEqual(result.code, 5, result)

    def test_what_is_neither_text_nor_a_program_for_this_machine_is_not_run(self):
        """Its bytes are no commands, whatever stands among them."""
        commands = b"\n>stray\n"
        header = b"\x7fELF\2\1\1" + bytes(9) + b"\2\0%c\0\1\0\0\0" + commands
        self.write("out.folded", "old 1\n")
        for content, message in (
            (header % 243, "start ./program: a program for riscv, and this machine is "),
            (header % 250, "start ./program: Exec format error"),
            (b"\0" + commands, "start ./program: Exec format error"),
        ):
            with open(os.path.join(self.folder, "program"), "wb") as file:
                file.write(content)
            os.chmod(file.name, 0o755)
            self.assert_fails(self.exec("./program"), 126, message)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.folded", "program"])
        self.assertEqual(self.output(), "old 1\n")

    def test_who_starts_us_may_ignore_the_end_of_children(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        for arguments, code in (
            (exec_command("-q", "-o", "out.folded", "--", "sh", "-c", "exit 7"), 7),
            (["cargo", "cprof", "compare", "-q", "--no-profile", "--runs", "1", "true", "true"], 0),
        ):
            done = subprocess.run(
                arguments, cwd=self.folder, env=environment(), preexec_fn=ignore, capture_output=True, timeout=60
            )
            self.assertEqual(done.returncode, code, done)
        self.output()

    def test_a_run_too_short_says_so_and_writes_what_there_is(self):
        result = self.exec("true")
        self.assertEqual(result.code, 0, result)
        self.assertIn("too short", result.err)
        self.assertIn("give it more to do", result.err)
        self.output()

    def test_streams_are_the_programs_own(self):
        done = subprocess.run(
            exec_command("-q", "--", "cat"), cwd=self.folder, env=environment(), input=b"a\0b\n", capture_output=True
        )
        self.assertEqual(done.stdout, b"a\0b\n")

    def test_an_output_of_unknown_form_is_refused_before_anything_runs(self):
        result = run(exec_command("-o", "out.jpg", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 2, "--output out.jpg", ".svg, .folded")
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_output_that_cannot_be_written_is_refused_before_anything_runs(self):
        old = self.write("old/out.folded", "old\n")
        os.mkdir(os.path.join(self.folder, "folder.svg"))
        for name, cause in (
            ("old/out.folded/x.svg", "Not a directory"),
            ("not/there.svg", "No such file or directory"),
            ("folder.svg", "Is a directory"),
        ):
            with self.subTest(name):
                result = run(exec_command("-o", "out.txt", "-o", name, "--", "touch", "ran"), self.folder)
                self.assert_fails(result, 1, f"error: write {name}: {cause}")
                self.assertEqual("hint: there is no folder not" in result.err, name == "not/there.svg", result)
                self.assertEqual(sorted(os.listdir(self.folder)), ["folder.svg", "old"])
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old\n")

    def test_so_is_one_whose_library_cannot_be_loaded(self):
        for library, names in {"libzstd.so.1": ["out.cprof"], "libz.so.1": ["out.json.gz", "out.pb.gz"]}.items():
            path = self.write(f"lib/{library}", "no library\n")
            for name in names:
                result = run(exec_command("-o", name, "--", "touch", "ran"), self.folder, LD_LIBRARY_PATH=os.path.dirname(path))
                self.assert_fails(result, 1, f"error: the library {library} cannot be loaded: {path}: ")
        self.assertEqual(os.listdir(self.folder), ["lib"])

    def test_a_folder_in_which_no_mode_can_be_set_is_written_to(self):
        self.write("old.cprof", "")
        command = exec_command("-o", "new.folded", "-o", "old.cprof", "--", "true")
        result = run([sys.executable, REFUSE, "fchmod=EPERM", *command], self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "old.cprof")), 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["new.folded", "old.cprof"])

    def test_the_usual_output_is_checked_before_too(self):
        os.mkdir(os.path.join(self.folder, "flamegraph.svg"))
        old = self.write("old.folded", "a;b 10\n")
        for options in ([], ["--diff", old]):
            result = run(exec_command(*options, "--", "touch", "ran"), self.folder)
            hint = "hint: write it elsewhere: -o /tmp/flamegraph.svg"
            self.assert_fails(result, 1, "write flamegraph.svg: Is a directory", hint)
            self.assertEqual(sorted(os.listdir(self.folder)), ["flamegraph.svg", "old.folded"])

    def test_a_recording_is_not_written_over_by_a_part_of_it(self):
        old = self.write("old.folded", "one;a 10\ntwo;b 5\n")
        os.link(old, os.path.join(self.folder, "same.folded"))
        part = ["old.folded", "--thread", "two", "-o", "same.folded"]
        for verb in (["flamegraph"], ["diff", old]):
            result = run(["cargo", "cprof", *verb, *part], self.folder)
            self.assert_fails(result, 2, "error: --output same.folded: that is what is read", "hint: give it another name")
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "one;a 10\ntwo;b 5\n")

    def test_a_picture_of_a_part_says_which(self):
        old = self.write("old.folded", "one;a 10\ntwo;b 5\n")
        for verb in (["flamegraph"], ["diff", old]):
            for options, part in (([], []), (["--thread", "t<wo|two"], ["; of --thread t&#60;wo|two"])):
                result = run(["cargo", "cprof", *verb, "old.folded", "-o", "part.svg", *options], self.folder)
                self.assertEqual(result.code, 0, result)
                with open(os.path.join(self.folder, "part.svg"), encoding="utf-8") as file:
                    subtitle = re.search(r'<text id="subtitle"[^>]*>([^<]*)<', file.read())[1]
                self.assertEqual(re.findall("; of --.*", subtitle), part, subtitle)

    def test_of_two_that_are_compared_the_one_without_what_was_chosen_is_named(self):
        self.write("old.folded", "one;a 10\ntwo;b 5\n")
        self.write("new.folded", "one;a 10\n")
        result = run(["cargo", "cprof", "diff", "old.folded", "new.folded", "--thread", "two"], self.folder)
        self.assert_fails(result, 1, "error: new.folded: no sample is left by --thread")

    def test_an_output_that_cannot_be_written_in_the_end_does_not_cost_the_others(self):
        self.write("gone/old.svg", "old\n")
        result = run(exec_command("-o", "gone/out.svg", "-o", "out.folded", "--", "sh", "-c", "mv gone moved; exit 7"), self.folder)
        self.assertEqual(result.code, 1, result)  # docs/habits.md
        self.assertIn("gone/out.svg", result.err)
        self.output()

    def open(self, script):
        """Records with --open where xdg-open is this script; None: there is none."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        for name in ("cargo", "cargo-cprof", "sh", "touch"):
            os.symlink(shutil.which(name, path=environment()["PATH"]), os.path.join(folder, name))
        if script:
            self.write("bin/xdg-open", "#!/bin/sh\n" + script)
            os.chmod(os.path.join(folder, "xdg-open"), 0o755)
        result = run(["cargo-cprof", "exec", "--open", "--", "sh", "-c", ":"], self.folder, PATH=folder)
        self.assertEqual(result.code, 0, result)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "flamegraph.svg")))
        return [line for line in result.err.splitlines() if "--open" in line]

    def test_the_picture_is_handed_to_the_browser(self):
        self.assertEqual(self.open('touch "opened-$1"'), [])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "opened-flamegraph.svg")))

    def test_nothing_to_open_a_picture_with_is_said(self):
        lines = self.open(None)
        self.assertEqual(len(lines), 1)
        self.assertIn("xdg-open: no such program; install xdg-utils, or open flamegraph.svg in a browser", lines[0])

    def test_a_desktop_that_does_not_open_it_is_said(self):
        lines = self.open("exit 3")
        self.assertEqual(len(lines), 1)
        self.assertIn("xdg-open failed with exit code 3; open flamegraph.svg in a browser yourself", lines[0])

    def test_there_must_be_a_picture_to_open(self):
        result = run(exec_command("--open", "-o", "out.folded", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 2, "--open: no picture", "-o flamegraph.svg")
        self.assertEqual(os.listdir(self.folder), [])

    def test_as_many_functions_are_shown_as_asked_for(self):
        busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        few = run(exec_command("-n", "1", "--", "sh", "-c", busy), self.folder)
        self.assertIn("-n 0 shows all", few.err)
        everything = run(exec_command("-n", "0", "--", "sh", "-c", busy), self.folder)
        self.assertNotIn("shows all", everything.err)
        self.assertGreater(len(everything.err.splitlines()), len(few.err.splitlines()))

    def start(self, script):
        """Starts a recording whose program says "ready", in a process group of its own."""
        process = subprocess.Popen(
            exec_command("-o", "out.folded", "--", "sh", "-c", script),
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_sigterm_is_handed_on_and_leaves_a_profile(self):
        process = self.start("trap 'exit 9' TERM; echo ready; while :; do :; done")
        pid = subprocess.run(
            ["pgrep", "-x", "cargo-cprof", "-g", str(process.pid)], stdout=subprocess.PIPE, check=True
        ).stdout.split()
        os.kill(int(pid[0]), signal.SIGTERM)
        self.assertEqual(process.wait(30), 9)
        self.output()

    def test_children_are_recorded_to_their_end(self):
        busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
        script = f"sh -c '{busy}; touch done' & exit 3"
        result = self.exec("sh", "-c", script)
        self.assertEqual(result.code, 3, result)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "done")))
        self.assertIn("sh;", self.output())


class ForATime(TargetTest):
    def record(self, *arguments):
        return run(exec_command("-o", "out.folded", *arguments), self.folder)

    def record_until_it_tells(self, script, *options, words=1):
        """For a time in which it gets to tell so much; how it ended, and the processes that it told of."""
        record = lambda seconds: self.record("-d", seconds, *options, "--", "sh", "-c", script)
        result = given_time(record, 0.3, lambda result: len(result.out.split()) == words)
        pids = [int(word) for word in result.out.split()]
        self.assertEqual((result.code, len(pids)), (0, words), result)
        return result, pids

    def test_a_program_that_ends_when_asked_to(self):
        _, (pid,) = self.record_until_it_tells("while :; do i=$((i+1)); [ $i = 20000 ] && echo $$; done")
        self.assertFalse(is_there(pid))
        self.assertGreater(self.samples("sh"), 0)

    def test_one_that_does_not(self):
        _, (pid,) = self.record_until_it_tells("trap '' TERM; echo $$; " + BUSY)
        self.assertFalse(is_there(pid))

    def test_what_it_has_started_ends_with_it(self):
        script = f"sh -c 'trap \"\" TERM; echo $$; {BUSY}' & sh -c 'echo $$; {BUSY}' & wait"
        result, pids = self.record_until_it_tells(script, words=2)
        self.assertEqual([pid for pid in pids if is_there(pid)], [], result)
        self.assertNotIn("still recording", result.err)

    def test_each_of_several_runs(self):
        began = time.monotonic()
        result, pids = self.record_until_it_tells("echo $$; " + BUSY, "--runs", "2", words=2)
        elapsed = time.monotonic() - began
        self.assertEqual([is_there(pid) for pid in pids], [False, False])
        told = number(r" of CPU time in ([\d.]+) s, 2 runs of 1 thread", result.err)
        self.assertTrue(0.6 <= told <= elapsed + 0.01, (elapsed, result))
        result = self.record("--runs", "2", "-d", "60m", "--", "sh", "-c", "exit 6")
        self.assertEqual(result.code, 6, result)

    @measured
    def test_who_is_late_for_the_end_tells_the_time_up_to_then(self):
        """Nothing can be read while the recorder is stopped, and the program goes on."""
        process = self.start(exec_command("-d", "1", "-F", "99", "-o", "out.folded", "--", "sh", "-c", "echo $$; " + BUSY))
        target = int(process.stdout.readline())
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: cpu_seconds(target) > 1.3, "the program")
        process.send_signal(signal.SIGCONT)
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 0, said)
        cpu, elapsed = number(CPU_TIME, said), number(r" of CPU time in ([\d.]+) s", said)
        self.assertGreater(elapsed, 1.25, said)
        self.assertLess(cpu, 1.05 * elapsed, said)
        self.assertTrue(0.5 < self.samples("sh") / 99 / cpu < 1.15, said)  # up to the second that was asked for there are fewer still

    @measured
    def test_short_runs_take_no_more_of_one_processor_than_they_last(self):
        said = self.record("--runs", "100", "-F", "1", "--", "true").err
        self.assertLess(number(CPU_TIME, said), 1.3 * number(r" of CPU time in ([\d.]+) s", said), said)

    def test_a_program_that_ends_before_has_its_own_exit_code(self):
        self.assertEqual(self.record("-d", "1h", "--", "true").code, 2)
        self.assertEqual(self.record("-d", "60m", "--", "sh", "-c", "exit 6").code, 6)

    def test_samples_from_before_a_delay_are_not_kept(self):
        result = self.record("--delay", "60m", "--", "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
        self.assertEqual(result.code, 0, result)
        self.assertEqual(folded(os.path.join(self.folder, "out.folded")), [])

    @measured
    def test_its_cpu_time_is_what_the_system_tells_and_not_what_samples_stand_for(self):
        tell = "lambda *_: (print(time.process_time(), flush=True), os._exit(0))"
        script = f"import os, signal, time\nsignal.signal(signal.SIGTERM, {tell})\nwhile True: pass"
        for seconds in ("0.7", "2", "8"):  # as long as it takes to get a processor for some of it
            result = self.record("-F", "1", "-d", seconds, "--", sys.executable, "-c", script)
            self.assertEqual(result.code, 0, result)
            if float(result.out or 0) > 0.3:
                break
        self.assertAlmostEqual(number(CPU_TIME, result.err), float(result.out), delta=0.1, msg=result)
        self.assertIn("missed: samples stand for 0.0% of its CPU time", result.err)

    @measured
    def test_its_cpu_time_is_that_since_a_delay(self):
        """Of a program that notes all the time how much it has had by then, and goes on for some more."""
        script = ("import json, os, time\nnotes = []\nbegan = time.monotonic()\nlater = None\n"
                  "while later is None or time.process_time() < later + 0.3:\n"
                  "    notes.append((time.monotonic(), time.process_time()))\n    for _ in range(10000): pass\n"
                  "    if later is None and time.monotonic() > began + 0.6: later = time.process_time()\n"
                  "print(json.dumps(notes), flush=True)\nos._exit(0)")
        result = self.record("-F", "1", "--delay", "0.6", "--", sys.executable, "-c", script)
        self.assertEqual(result.code, 0, result)
        notes = json.loads(result.out)
        end, whole = notes[-1]
        begin = end - number(r" of CPU time in ([\d.]+) s", result.err)
        before = max((cpu for at, cpu in notes if at <= begin), default=0)
        self.assertAlmostEqual(number(CPU_TIME, result.err), whole - before, delta=0.05, msg=result.err)

    def times(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            document = json.load(file)
        times = [at for thread in document["threads"] for at in thread["samples"]["time"]]
        return document["meta"]["startTime"], sorted(times)

    def test_times_for_the_firefox_profiler_are_those_since_the_start(self):
        burn = "import time\nwhile time.process_time() < 0.6: pass"
        outputs = ("-o", "out.json", "-o", "out.cprof", "--delay", "0.3")
        result = run(exec_command(*outputs, "--", sys.executable, "-c", burn), self.folder)
        self.assertEqual(result.code, 0, result)
        start, times = self.times("out.json")
        self.assertGreaterEqual(times[0], 300)
        self.assertLess(start + times[-1], time.time() * 1000)
        # A part is chosen by the times of the whole, and has them.
        result = run(["cargo", "cprof", "flamegraph", "-q", "out.cprof", "--time", "0.4..", "-o", "part.json"], self.folder)
        self.assertEqual(result.code, 0, result)
        start_of_part, part = self.times("part.json")
        self.assertEqual(start_of_part, start)
        self.assertEqual(part, [at for at in times if at >= 400])

    @measured
    def test_samples_by_count(self):
        target = self.worker("early")
        process = self.attach("-p", str(target.pid), "-e", "cpu-clock", "-c", "5000000")
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertAlmostEqual(self.samples("early"), 60, delta=6, msg=said)


class WhatIsLeft(TargetTest):
    def test_a_second_sigterm_leaves_no_process(self):
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", f"trap '' TERM HUP; echo $$; {BUSY}"))
        pid = int(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(), 128 + signal.SIGKILL, process.stderr.read())
        self.assertFalse(is_there(pid))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_a_recorder_that_is_killed_leaves_no_process(self):
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", f"echo $$; {BUSY}"))
        pid = int(process.stdout.readline())
        os.kill(parent_of(pid), signal.SIGKILL)
        process.wait()
        wait_for(lambda: not is_there(pid), "the program's end")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_an_interrupt_that_a_process_sends_is_handed_on(self):
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", f"echo $$; {BUSY}"))
        pid = int(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 128 + signal.SIGINT, process.stderr.read())
        self.assertFalse(is_there(pid))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_one_sent_to_a_command_in_a_scripts_background_ends_the_recording(self):
        work = f"echo ready; {BUSY}"
        script = 'cargo cprof exec -o out.folded -- sh -c "$0" >shown & until grep -q ready shown; do :; done; kill -INT $!; wait $!'
        result = run(["sh", "-c", script, work], self.folder)
        self.assertEqual(result.code, 128 + signal.SIGTERM, result)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_what_is_waited_for_when_the_program_has_ended_is_told(self):
        os.mkfifo(os.path.join(self.folder, "end"))
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", "cat end & exit 0"))
        said = process.stderr.readline().decode()
        self.assertRegex(said, r"note: the program has ended; still recording process \d+ \((cat|sh)\)")
        open(os.path.join(self.folder, "end"), "w", encoding="ascii").close()
        self.assertEqual(process.wait(), 0, process.stderr.read())
        result = run(exec_command("-q", "-o", "out.folded", "--", "sh", "-c", "sleep 1.2 & exit 0"), self.folder)
        self.assertNotIn("note: ", result.err)

    def test_children_of_a_program_that_has_ended_end_when_everything_is_to_stop(self):
        script = f"sh -c 'echo $$; {BUSY}' & read line; exit 0"
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", script))
        pid = int(process.stdout.readline())
        process.stdin.write(b"\n")
        process.stdin.flush()
        wait_for(lambda: parent_of(pid) == process.pid, "the child is handed to us")
        wait_for(lambda: cpu_seconds(pid) > 0.05, "the child gets on")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertFalse(is_there(pid))
        self.assertGreater(self.samples("sh"), 0)

    @unittest.skipUnless(os.getuid() == 0, "takes root to make a device")
    def test_a_device_is_written_to_and_stays_one(self):
        for name, minor, code in (("null.folded", 3, 0), ("full.folded", 7, 1)):
            path = os.path.join(self.folder, name)
            try:
                os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
                open(path, "wb").close()
            except OSError as error:
                self.skipTest(f"devices may not be made here: {error}")
            result = run(exec_command("-o", name, "--", "sh", "-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"), self.folder)
            self.assertEqual(result.code, code, result)
            self.assertTrue(stat.S_ISCHR(os.stat(path).st_mode))
        self.assertIn("full.folded: No space left on device", result.err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["full.folded", "null.folded"])

    def test_a_full_disk_leaves_the_old_files_and_each_is_told(self):
        names = ["out.json", "out.svg"]
        for name in names:
            self.write(name, "old")
        command = exec_command(*(word for name in names for word in ("-o", name)), "--", "true")
        # A file may not become larger than this; to a program that is what a full disk is.
        result = run(["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command], self.folder)
        self.assertEqual(result.code, 1, result)
        for name in names:
            self.assertEqual(result.err.count(f"cargo-cprof: error: write {name}: File too large\n"), 1, result.err)
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), names)

    def test_only_the_outputs_are_left(self):
        result = run(exec_command("-d", "0.2", "-o", "a.svg", "-o", "b.folded", "--", "sh", "-c", BUSY), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.svg", "b.folded"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
