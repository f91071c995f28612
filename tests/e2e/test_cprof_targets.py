"""cargo cprof on what runs already, for a time, several times: what is watched, what ends with it and what goes on."""

import gzip
import json
import os
import re
import shlex
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from suite import SCRATCH, SOURCE, ProjectTest, environment, measured, program, run
from test_cprof import HZ, cpu_seconds, exec_command, folded, number

REFUSE = os.path.join(SOURCE, "tests", "e2e", "refuse_perf.py")
NOBODY = 65534
BUSY = "while :; do :; done"
COUNTING = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done"


def worker():
    """worker.rs, built once."""
    source = os.path.join(SOURCE, "tests", "e2e", "worker.rs")
    built = os.path.join(SCRATCH, "worker")
    if not os.path.exists(built) or os.path.getmtime(built) < os.path.getmtime(source):
        os.makedirs(SCRATCH, exist_ok=True)
        subprocess.run(["rustc", "-O", "-g", "-o", built + ".new", source], check=True)
        os.rename(built + ".new", built)
    return built


def is_there(pid):
    """Whether the process runs; one that only waits to be waited for does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().rstrip("\n")


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def wait_for(condition, what):
    """The tests wait for what happens, and give up on what never does."""
    for _ in range(12000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"waited in vain: {what}")


def machine_delay_seconds():
    """How long some thread of the machine has waited for a processor; much where the kernel does not tell."""
    try:
        with open("/proc/pressure/cpu", encoding="utf-8") as file:
            return int(re.search(r"total=(\d+)", file.readline()).group(1)) / 1e6
    except OSError:
        return time.monotonic()


def watches(pid):
    """Whether the process has perf events open and takes signals."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
    except FileNotFoundError:
        return False
    return "anon_inode:[perf_event]" in links and "anon_inode:[signalfd]" in links


class TargetTest(ProjectTest):
    def start(self, arguments, **options):
        process = subprocess.Popen(
            arguments,
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=options.pop("stderr", subprocess.PIPE),
            **options,
        )
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def worker(self, *names, **options):
        process = self.start([worker(), *names], stderr=None, **options)
        self.assertEqual(process.stdout.readline(), f"ready {process.pid}\n".encode())
        return process

    def send(self, process, line):
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()

    def tell(self, process, line, *answers):
        """Tells a process something and waits until it has given all of the answers."""
        self.send(process, line)
        missing = {answer.encode() + b"\n" for answer in answers}
        while missing:
            missing.remove(process.stdout.readline())

    def attach(self, *arguments):
        """Records with a command that says when everything is watched, and ends when it is told to."""
        command = exec_command("-o", "out.folded", *arguments, "--", "sh", "-c", "echo watched; read line; exit 4")
        process = self.start(command)
        self.assertEqual(process.stdout.readline(), b"watched\n")
        return process

    def finish(self, process):
        process.stdin.write(b"\n")
        process.stdin.flush()
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 4, said)
        return said

    def samples(self, name, path="out.folded"):
        return sum(count for names, count in folded(os.path.join(self.folder, path)) if names[0] == name)


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
        self.assertAlmostEqual(self.samples("crowd") / (0.03 * HZ * int(count)), 1, delta=0.15, msg=said)

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

    @measured
    def test_samples_that_were_lost_before_it_began_do_not_count(self):
        target = self.worker(*(f"t{index}" for index in range(300)))
        self.send(target, "go")
        hz = 10000
        command = ["cargo", "cprof", "exec", "-F", str(hz), "-d", "0.3", "-p", str(target.pid), "-o", "out.folded"]
        result = run(command, self.folder)
        sent = number(r"([\d,]+) samples of", result.err) + number(r"([\d,]+) lost", result.err)
        self.assertLess(sent / hz, 2 * number(r"([\d.]+) s of CPU time", result.err), result)

    def test_a_process_that_sleeps_all_the_time_is_not_told_to_be_too_short(self):
        target = self.start(["sleep", "100"])
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

    def test_several_processes_and_the_letter(self):
        targets = [self.worker("one"), self.worker("two")]
        process = self.attach("-p", ",".join(str(target.pid) for target in targets))
        self.tell(targets[0], "go", "one done")
        self.tell(targets[1], "go", "two done")
        said = self.finish(process)
        self.assertGreater(self.samples("one"), 200, said)
        self.assertGreater(self.samples("two"), 200, said)

    def test_no_project_and_no_verb_is_needed(self):
        target = self.worker("early")
        target.stdin.close()
        target.wait()
        result = run(["cargo", "cprof", "--pid", str(target.pid)], self.folder)
        self.assert_fails(result, 1, f"there is no process {target.pid}", "pgrep")

    def test_what_runs_is_not_the_working_tree(self):
        target = self.worker("early")
        for arguments in (("-o", "base.cprof"), ("--diff", "base.cprof", "-o", "out.md")):
            result = run(["cargo", "cprof", "--pid", str(target.pid), *arguments, "--", "true"], self.folder)
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
        self.assertGreater(self.samples("early"), 200)

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
        result = run(exec_command("-d", "300ms", "-o", "out.folded", "-p", str(target.pid)), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertTrue(is_there(target.pid))
        self.assertAlmostEqual(number(r"in ([\d.]+) s", result.err), 0.3, delta=0.1)

    def test_the_command_ends_with_what_is_watched(self):
        target = self.worker("early")
        process = self.start(exec_command("-p", str(target.pid), "--", "sh", "-c", "echo $$; exec sleep 1000"))
        command = int(process.stdout.readline())
        self.tell(target, "quit 0")
        self.assertEqual(process.wait(), 0, process.stderr.read())
        self.assertFalse(is_there(command))

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
            (("-p", "1", "-a"), "it is one or the other"),
            (("-p", "1", "--runs", "2"), "--runs"),
            (("-C", "1-0"), "--cpu 1-0"),
            (("-a", "-C", "0"), "it is one or the other"),
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


@unittest.skipUnless(os.getuid() == 0, "takes root to be somebody else")
class OfSomebodyElse(TargetTest):
    """Programs and processes of the user nobody, who may not read where we were built."""

    SYS_PTRACE, PERFMON = 19, 38  # linux/capability.h

    def setUp(self):
        super().setUp()
        self.public = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, self.public, ignore_errors=True)
        os.chmod(self.public, 0o777)
        for path in (program("cargo-cprof"), worker()):
            shutil.copy(path, self.public)

    def as_nobody(self, *arguments):
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *arguments]

    def cprof(self, *arguments):
        return self.as_nobody(os.path.join(self.public, "cargo-cprof"), "exec", *arguments)

    def watched(self, recorder, target):
        """What the recorder says of the target, which works while it is watched."""
        process = self.start([*recorder, "--", "sh", "-c", "echo watched; read line"])
        said = process.stdout.readline()
        self.assertEqual(said, b"watched\n", said or process.stderr.read())
        self.tell(target, "go", "early done")
        process.stdin.write(b"\n")
        process.stdin.close()
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 0, said)
        return said

    def test_a_process_of_ones_own_needs_no_rights(self):
        target = self.start(self.as_nobody(os.path.join(self.public, "worker"), "early"), stderr=None)
        target.stdout.readline()
        output = os.path.join(self.public, "out.folded")
        self.watched(self.cprof("-o", output, "-p", str(target.pid)), target)
        self.assertGreater(self.samples("early", output), 200)
        self.assertEqual(os.stat(output).st_uid, NOBODY)

    def test_a_process_of_another_user_is_refused_with_what_to_do(self):
        target = self.worker("early")
        result = run(self.cprof("-p", str(target.pid)), self.public)
        self.assert_fails(
            result, 1, f"process {target.pid} belongs to user root", f"cargo cprof exec --root --pid {target.pid}", "cap_perfmon"
        )

    @measured
    def test_with_little_locked_memory_rings_and_copies_of_stacks_are_small(self):
        """Six events share what is allowed: 64 KiB for each ring, in which a whole copy would find no room."""
        events = "cpu-clock,task-clock,page-faults,minor-faults,major-faults,emulation-faults"
        output = os.path.join(self.public, "out.folded")
        command = self.cprof("-F", "500", "-e", events, "-o", output, "--", "sh", "-c", COUNTING)
        result = run(["prlimit", "--memlock=65536", *command], self.public)
        self.assertEqual(result.code, 0, result)
        kept = number(r"([\d,]+) samples of cpu-clock", result.err)
        lost = number(r"([\d,]+) lost, ", result.err)
        seconds = number(r"([\d.]+) s of CPU time", result.err)
        self.assertGreater(kept, 100, result)
        self.assertAlmostEqual((kept + lost) / (500 * seconds), 1, delta=0.1, msg=result.err)
        self.assertGreaterEqual(number(r"([\d.]+)% of stacks complete", result.err), 98)

    def give(self, *capabilities):
        """Capabilities of the file: version 2, effective (capabilities(7))."""
        bits = sum(1 << number for number in capabilities)
        value = struct.pack("<5I", 0x02000001, bits & 0xFFFFFFFF, 0, bits >> 32, 0)
        os.setxattr(os.path.join(self.public, "cargo-cprof"), "security.capability", value)

    def test_programs_that_may_not_be_read_are_told_from_those_that_are_gone(self):
        private = os.path.join(self.public, "private")
        os.mkdir(private, 0o700)
        program = shutil.copy(worker(), private)
        output = os.path.join(self.public, "out.folded")
        for capabilities in ((self.PERFMON,), (self.PERFMON, self.SYS_PTRACE)):
            with self.subTest(capabilities):
                self.give(*capabilities)
                target = self.start([program, "early"], stderr=None)
                target.stdout.readline()
                command = ["env", "ASAN_OPTIONS=detect_leaks=0", *self.cprof("-a", "-o", output)]
                said = self.watched(command, target)
                may_read = self.SYS_PTRACE in capabilities
                self.assertEqual(any("worker::burn" in names for names, _ in folded(output)), may_read, said)
                # Stacks go on by frame pointers where there are some, or end for that reason.
                self.assertEqual(" in worker, because the file cannot be read" in said, not may_read, said)
                self.assertNotIn("could not be read any more", said)

    def test_a_file_with_capabilities_watches_the_kernel_and_other_users_processes(self):
        self.give(self.PERFMON, self.SYS_PTRACE)
        target = self.worker("early")
        output = os.path.join(self.public, "out.folded")
        command = ["env", "ASAN_OPTIONS=detect_leaks=0", *self.cprof("-o", output, "-p", str(target.pid))]
        said = self.watched(command, target)
        self.assertGreater(self.samples("early", output), 200)
        self.assertNotIn("without the kernel's part", said)
        self.assertEqual(os.stat(output).st_uid, NOBODY)

    def few_files(self, count, *command):
        return ["sh", "-c", f'ulimit -n {count}; exec "$@"', "sh", *command]

    def watch_many(self, *options):
        """A process with more threads than one process may have files for, watched; and its watcher."""
        self.names = [f"t{index}" for index in range(20)]
        target = self.start(self.as_nobody(os.path.join(self.public, "worker"), *self.names), stderr=None)
        target.stdout.readline()
        command = self.cprof(*options, "-p", str(target.pid), "--", "sh", "-c", "echo watched; exec sleep 1000")
        process = self.start(self.few_files(24, *command))
        said = process.stdout.readline()
        self.assertEqual(said, b"watched\n", said or process.stderr.read())
        return target, process

    def holders_of(self, process):
        holders = [pid for pid in children_of(process.pid) if name_of(pid) == "cargo-cprof"]
        self.assertGreater(len(holders), 1)
        return holders

    @measured
    def test_more_threads_than_one_process_may_have_files_for_are_watched_all_the_same(self):
        output = os.path.join(self.public, "out.folded")
        target, process = self.watch_many("-F", "200", "-o", output)
        self.tell(target, "go", *(f"{name} done" for name in self.names))
        self.tell(target, "start late", "late done")
        holders = self.holders_of(process)
        self.tell(target, "quit 0")
        target.wait()
        _, said = process.communicate()
        self.assertEqual(process.returncode, 0, said)
        for name in [*self.names, "late"]:
            self.assertAlmostEqual(self.samples(name, output) / (0.3 * 200), 1, delta=0.3, msg=(name, said))
        self.assertIn(b"\n0 lost, ", said)
        self.assertFalse([pid for pid in holders if is_there(pid)])

    def test_what_keeps_their_events_ends_with_a_recorder_that_is_killed(self):
        target, process = self.watch_many("-o", os.path.join(self.public, "out.folded"))
        holders = self.holders_of(process)
        process.kill()
        process.wait()
        wait_for(lambda: not any(is_there(pid) for pid in holders), "they end")
        self.assertTrue(is_there(target.pid))

    def test_too_few_files_for_one_thread_are_named(self):
        target = self.start(self.as_nobody(os.path.join(self.public, "worker"), "one"), stderr=None)
        target.stdout.readline()
        events = "cpu-clock,task-clock,page-faults,minor-faults,major-faults,emulation-faults"
        command = self.cprof("-e", events, "-p", str(target.pid), "--", "true")
        result = run(self.few_files(12 + 6 * os.cpu_count(), *command), self.public)
        self.assert_fails(result, 1, f"open {6 * os.cpu_count()} perf events: Too many open files", "ulimit -n")


@unittest.skipUnless(os.getuid() == 0, "takes root to give a program a root folder of its own")
class InAContainer(TargetTest):
    """A program whose path leads us to another one, neither with a build id."""

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "place")
        self.root = os.path.join(self.folder, "root")
        inside = self.root + self.path
        os.makedirs(os.path.dirname(inside))
        for path, name in ((self.path, "outside_work"), (inside, "inside_work")):
            source = os.path.join(SOURCE, "tests", "e2e", "stacks", "place.c")
            command = ["cc", "-O1", "-g", "-static", "-Wl,--build-id=none", f"-DPLACE={name}", "-o", path, source]
            subprocess.run(command, check=True)

    def assert_is_the_one_inside(self, said):
        stacks = folded(os.path.join(self.folder, "out.folded"))
        inside = sum(count for names, count in stacks if "inside_work" in names)
        self.assertGreater(inside, 900, said)
        self.assertFalse([names for names, _ in stacks if "outside_work" in names])

    def test_a_process_that_runs_has_the_names_of_its_own_file(self):
        target = self.start(["chroot", self.root, self.path], stderr=None)
        wait_for(lambda: os.path.exists(f"/proc/{target.pid}/root{self.path}") and self.is_started(target), "chroot")
        process = self.attach("--pid", str(target.pid))
        self.tell(target, "go", "done")
        self.assert_is_the_one_inside(self.finish(process))

    def is_started(self, target):
        with open(f"/proc/{target.pid}/comm", encoding="utf-8") as file:
            return file.read() == "place\n"

    def test_so_has_a_program_that_is_started_and_gone(self):
        command = exec_command("-o", "out.folded", "--", "chroot", self.root, self.path)
        process = self.start(command)
        _, said = process.communicate(b"go\nend\n")
        self.assertEqual(process.returncode, 0, said)
        self.assert_is_the_one_inside(said)


@unittest.skipUnless(os.getuid() == 0, "takes root, as sudo does")
class UnderSudo(TargetTest):
    """What sudo does is to set variables and to be root; a caller who may not read where we were built."""

    def setUp(self):
        super().setUp()
        self.public = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, self.public, ignore_errors=True)
        os.chmod(self.public, 0o777)
        shutil.copy(program("cargo-cprof"), self.public)

    def cprof(self, *arguments, **changes):
        # Processes that have changed their user cannot be looked at by the leak checker.
        return run(
            [os.path.join(self.public, "cargo-cprof"), *arguments],
            self.public,
            SUDO_UID=str(NOBODY),
            SUDO_GID=str(NOBODY),
            ASAN_OPTIONS="detect_leaks=0",
            **changes,
        )

    def owner(self, name):
        return os.stat(os.path.join(self.public, name)).st_uid

    def test_outputs_belong_to_the_caller_and_the_program_is_what_sudo_says(self):
        result = self.cprof("exec", "-o", "out.folded", "--", "sh", "-c", "id -u; touch made")
        self.assertEqual((result.code, result.out), (0, "0\n"), result)
        self.assertEqual((self.owner("out.folded"), self.owner("made")), (NOBODY, 0))

    def test_the_callers_rights_decide_what_may_be_written(self):
        result = self.cprof("exec", "-o", os.path.join(self.folder, "out.folded"), "--", "touch", "ran")
        self.assertEqual(result.code, 1, result)
        self.assertIn("Permission denied", result.err)
        self.assertFalse(os.path.exists(os.path.join(self.public, "ran")))

    def test_with_root_only_the_recorder_is(self):
        show = "grep -E '^(Uid|CapEff)' /proc/self/status; echo $PATH; touch made"
        path = os.environ["PATH"] + ":/own"
        result = self.cprof("exec", "--root", "-o", "out.folded", "--", "sh", "-c", show, CARGO_CPROF_PATH=path)
        self.assertEqual(result.code, 0, result)
        user, capabilities, kept = result.out.splitlines()
        self.assertEqual((user.split()[1:], capabilities.split()[1], kept), (["65534"] * 4, "0" * 16, path))
        self.assertEqual((self.owner("out.folded"), self.owner("made")), (NOBODY, NOBODY))

    def test_who_is_not_root_gets_there_by_sudo(self):
        sudo = os.path.join(self.public, "sudo")
        with open(sudo, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nprintf "%s\\n" "$@"\necho "$CARGO_CPROF_PATH"\nexit 5\n')
        os.chmod(sudo, 0o755)
        ourselves = os.path.join(self.public, "cargo-cprof")
        typed = ["exec", "--root", "-q", "--", "a program", "", "-x"]
        user = [shutil.which("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        path = f"{self.public}:/usr/bin:/bin"
        result = run([*user, ourselves, *typed], self.public, PATH=path)
        self.assertEqual((result.code, result.out), (5, "\n".join(["-E", "--", ourselves, *typed, path, ""])), result)
        os.unlink(sudo)
        result = run([*user, ourselves, *typed], self.public, PATH=self.public + ":/own")
        self.assert_fails(result, 1, "--root: there is no sudo")

    def test_cargo_runs_as_the_caller_for_good(self):
        cargo = os.path.join(self.public, "own-cargo")
        with open(cargo, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ngrep -E '^(Uid|Gid|CapEff)' /proc/self/status >ids\nexit 101\n")
        os.chmod(cargo, 0o755)
        result = self.cprof("--bin", "x", CARGO=cargo)
        self.assertNotEqual(result.code, 0, result)
        with open(os.path.join(self.public, "ids"), encoding="utf-8") as file:
            words = [line.split() for line in file]
        self.assertEqual(words, [["Uid:", *["65534"] * 4], ["Gid:", *["65534"] * 4], ["CapEff:", "0" * 16]])


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
        self.assertGreater(self.samples("early"), 100, said)

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
        result = run(exec_command("-C", "0", "-o", "out.folded", "--", "true"), self.folder)
        self.assertEqual(result.code, 0, result)
        result = run(exec_command("-C", "8000", "--", "true"), self.folder)
        self.assert_fails(result, 1, "processor 8000: there is none")

    @unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "it takes two processors")
    def test_a_program_that_was_started_on_another_processor_has_its_own_name(self):
        self.allowed()
        os.symlink(sys.executable, os.path.join(self.folder, "second"))
        second = "import os, time; os.sched_setaffinity(0, {0})\nwhile time.process_time() < 0.4: pass"
        first = f"import os; os.sched_setaffinity(0, {{1}}); os.execv('second', ['second', '-c', {second!r}])"
        result = run(exec_command("-C", "0", "-o", "out.cprof", "--", sys.executable, "-c", first), self.folder)
        self.assertEqual(result.code, 0, result)
        report = run([program("cargo-cprof"), "cprof", "report", "out.cprof", "--by", "process", "-n", "0"], self.folder)
        self.assertGreater(number(r"([\d,]+) +second\n", report.out), 200, report)


class ForATime(TargetTest):
    def record(self, *arguments):
        return run(exec_command("-o", "out.folded", *arguments), self.folder)

    def test_a_program_that_ends_when_asked_to(self):
        result = self.record("-d", "0.3", "--", "sh", "-c", "echo $$; " + BUSY)
        self.assertEqual(result.code, 0, result)
        self.assertFalse(is_there(int(result.out)))
        self.assertGreater(self.samples("sh"), 0)

    def test_one_that_does_not(self):
        result = self.record("-d", "0.3", "--", "sh", "-c", "trap '' TERM; echo $$; " + BUSY)
        self.assertEqual(result.code, 0, result)
        self.assertFalse(is_there(int(result.out)))

    def test_what_it_has_started_ends_with_it(self):
        script = f"sh -c 'trap \"\" TERM; echo $$; {BUSY}' & sh -c 'echo $$; {BUSY}' & wait"
        result = self.record("-d", "0.3", "--", "sh", "-c", script)
        self.assertEqual(result.code, 0, result)
        for pid in result.out.split():
            self.assertFalse(is_there(int(pid)), result)

    def test_each_of_several_runs(self):
        result = self.record("--runs", "2", "-d", "0.3", "--", "sh", "-c", "echo $$; " + BUSY)
        self.assertEqual(result.code, 0, result)
        self.assertEqual([is_there(int(pid)) for pid in result.out.split()], [False, False])
        self.assertRegex(result.err, r" of CPU time in 0\.[67]\d s, 2 runs, 2 threads")
        result = self.record("--runs", "2", "-d", "60m", "--", "sh", "-c", "exit 6")
        self.assertEqual(result.code, 6, result)

    def test_a_program_that_ends_before_has_its_own_exit_code(self):
        self.assertEqual(self.record("-d", "1h", "--", "true").code, 2)
        self.assertEqual(self.record("-d", "60m", "--", "sh", "-c", "exit 6").code, 6)

    def test_samples_from_before_a_delay_are_not_kept(self):
        result = self.record("--delay", "60m", "--", "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
        self.assertEqual(result.code, 0, result)
        self.assertEqual(folded(os.path.join(self.folder, "out.folded")), [])

    def times(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            document = json.load(file)
        times = [at for thread in document["threads"] for at in thread["samples"]["time"]]
        return document["meta"]["startTime"], sorted(times)

    def test_times_for_the_firefox_profiler_are_those_since_the_start(self):
        burn = "import time\nend = time.time() + 0.6\nwhile time.time() < end: pass"
        outputs = ("-o", "out.json", "-o", "out.cprof", "--delay", "0.3")
        result = run(exec_command(*outputs, "--", sys.executable, "-c", burn), self.folder)
        self.assertEqual(result.code, 0, result)
        start, times = self.times("out.json")
        self.assertGreaterEqual(times[0], 300)
        self.assertLess(start + times[-1], time.time() * 1000)
        # A part has the times of the whole.
        result = run(["cargo", "cprof", "flamegraph", "-q", "out.cprof", "--time", "0.1..", "-o", "part.json"], self.folder)
        self.assertEqual(result.code, 0, result)
        start_of_part, part = self.times("part.json")
        self.assertEqual(start_of_part, start)
        self.assertEqual(part, [at for at in times if at >= times[0] + 100])

    @measured
    def test_samples_by_count(self):
        target = self.worker("early")
        process = self.attach("-p", str(target.pid), "-e", "cpu-clock", "-c", "5000000")
        self.tell(target, "go", "early done")
        said = self.finish(process)
        self.assertAlmostEqual(self.samples("early"), 60, delta=6, msg=said)


class TheEvents(TargetTest):
    FAULTS = "import resource; x = b'x' * (100 << 20); print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)"

    @measured
    def test_events_that_a_frequency_does_not_hold_for_are_not_made_rarer_by_one(self):
        faults = ("import mmap\nfor _ in range(20):\n    with mmap.mmap(-1, 32 << 20) as m:\n"
                  "        m.madvise(mmap.MADV_NOHUGEPAGE)\n        m[:] = bytes(32 << 20)\n")
        command = exec_command("-F", "49", "-e", "cpu-clock,page-faults", "-o", "out.folded", "--", sys.executable, "-c", faults)
        result = run(command, self.folder)
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
    def test_each_so_many_faults_are_a_sample(self):
        for period in (100, 1000):
            options = ("-e", "page-faults", "-c", str(period), "-o", "out.folded")
            result = run(exec_command(*options, "--", sys.executable, "-c", self.FAULTS), self.folder)
            samples = number(r"page-faults in ([\d,]+) samples", result.err)
            self.assertAlmostEqual(samples * period / int(result.out), 1, delta=0.15, msg=result)

    def test_where_none_was_sampled_a_smaller_count_is_advised(self):
        result = run(exec_command("-e", "page-faults", "-c", "1000000", "-o", "out.folded", "--", "true"), self.folder)
        self.assertRegex(result.err, r"0 samples.*; give it more to do, or sample more often: a smaller -c")

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
                self.assertGreater(whole, 200, said)
                inner = [(names, count) for names, count in stacks if "worker::burn_inlined" in names]
                self.assertGreater(sum(count for _, count in inner), 0.8 * whole)
                called = sum(count for names, count in inner if "start_thread" in names)
                self.assertGreaterEqual(called / whole, 0.8 if has_callers else 0)
                self.assertEqual(called > 0, has_callers)
                self.assertEqual("of stacks complete" in said, how.startswith("dwarf"))

    def test_inlined_calls_can_be_left_together(self):
        target = self.worker("early")
        process = self.attach("-p", str(target.pid), "--no-inline")
        self.tell(target, "go", "early done")
        self.finish(process)
        names = {name for names, _ in folded(os.path.join(self.folder, "out.folded")) for name in names}
        self.assertIn("worker::burn", names)
        self.assertNotIn("worker::burn_inlined", names)


class WhatMisleads(TargetTest):
    COUNT = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"

    def said(self, *options):
        result = run(exec_command(*options, "-o", "out.folded", "--", "sh", "-c", self.COUNT), self.folder)
        self.assertEqual(result.code, 0, result)
        return result.err

    def test_a_delay_that_was_not_over_is_told(self):
        said = self.said("--delay", "100")
        self.assertIn("warning: nothing was kept: it ended before --delay 100 was over", said)
        self.assertNotIn("too short", said)

    def test_what_sampling_itself_takes_is_told_where_it_is_much(self):
        self.assertRegex(self.said("-F", "50000"), "take (a sizeable part|most) of that time themselves")
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


class SeveralRuns(TargetTest):
    def record(self, *arguments):
        return run(exec_command("-o", "out.folded", *arguments), self.folder)

    def test_runs_are_one_profile(self):
        """Told by page faults: a program has as many each time, whoever else runs."""
        faults = ("-e", "page-faults", "-c", "1")
        one = self.record(*faults, "--", "sh", "-c", "echo run")
        samples = self.samples("sh")
        three = self.record(*faults, "--runs", "3", "--", "sh", "-c", "echo run")
        self.assertEqual((one.out, three.out), ("run\n", "run\n" * 3))
        self.assertGreater(samples, 20)
        self.assertAlmostEqual(self.samples("sh") / (3 * samples), 1, delta=0.2)

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


class WhatIsLeft(TargetTest):
    def test_a_second_sigterm_leaves_no_process(self):
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", f"trap '' TERM HUP; echo $$; {BUSY}"))
        pid = int(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(), 128 + signal.SIGKILL, process.stderr.read())
        self.assertFalse(is_there(pid))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out.folded")))

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
        result = run(exec_command("-o", "out.folded", "--", "sh", "-c", "sleep 1.5 & exit 0"), self.folder)
        self.assertRegex(result.err, r"note: the program has ended; still recording process \d+ \(sleep\)")
        result = run(exec_command("-q", "-o", "out.folded", "--", "sh", "-c", "sleep 1.2 & exit 0"), self.folder)
        self.assertNotIn("note: ", result.err)

    def test_children_of_a_program_that_has_ended_end_when_everything_is_to_stop(self):
        script = f"sh -c 'echo $$; {BUSY}' & read line; exit 0"
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", script))
        pid = int(process.stdout.readline())
        process.stdin.write(b"\n")
        process.stdin.flush()
        wait_for(lambda: parent_of(pid) == process.pid, "the child is handed to us")
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

    def test_a_full_disk_leaves_the_old_file(self):
        self.write("out.svg", "old")
        command = exec_command("-o", "out.svg", "--", "true")
        # A file may not become larger than this; to a program that is what a full disk is.
        result = run(["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command], self.folder)
        self.assertEqual(result.code, 1, result)
        self.assertIn("write out.svg: File too large", result.err)
        self.assertEqual(os.listdir(self.folder), ["out.svg"])
        with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_signals_of_writes_are_the_programs_own(self):
        result = run(exec_command("-o", "out.cprof", "--", "grep", "SigIgn", "/proc/self/status"), self.folder)
        self.assertEqual(result.code, 0, result)
        ignored = int(result.out.split()[1], 16)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            self.assertFalse(ignored & 1 << number - 1, number)

    def test_only_the_outputs_are_left(self):
        result = run(exec_command("-d", "0.2", "-o", "a.svg", "-o", "b.folded", "--", "sh", "-c", BUSY), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.svg", "b.folded"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
