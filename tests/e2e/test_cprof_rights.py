"""cargo cprof with programs and processes of other users, and under sudo."""

import os
import shutil
import signal
import struct
import subprocess
import unittest

from recordings import exec_command, folded, given_time, number, paranoid
from suite import measured, program, public_folder, run
from targets import COUNTING, NOBODY, TargetTest, children_of, is_there, name_of, wait_for, worker


@unittest.skipUnless(os.getuid() == 0, "takes root to be somebody else")
class OfSomebodyElse(TargetTest):
    """Programs and processes of the user nobody, who may not read where we were built."""

    SYS_PTRACE, PERFMON = 19, 38  # linux/capability.h

    def setUp(self):
        super().setUp()
        self.public = public_folder(self, program("cargo-cprof"), worker())

    def as_nobody(self, *arguments):
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *arguments]

    def cprof(self, *arguments):
        if paranoid() > 2:
            self.skipTest("perf events are refused to everybody here")
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
        self.assertGreater(self.samples("early", output), 50)
        self.assertEqual(os.stat(output).st_uid, NOBODY)

    def test_where_threads_wait_takes_the_right_to_watch_the_kernel(self):
        if paranoid() < 2:
            self.skipTest("everybody may watch the kernel")
        for option in (["--off-cpu"], ["-e", "off-cpu"]):
            result = run(self.cprof(*option, "--", "true"), self.public)
            self.assert_fails(result, 1, "--event off-cpu: it happens in the kernel", "kernel.perf_event_paranoid=1",
                              "record as root: --root")

    def test_a_process_of_another_user_is_refused_with_what_to_do(self):
        target = self.worker("early")
        result = run(self.cprof("-p", str(target.pid)), self.public)
        self.assert_fails(
            result, 1, f"process {target.pid} belongs to user root", f"cargo cprof exec --root --pid {target.pid}", "cap_perfmon"
        )

    def recorded_for_a_time(self, path):
        """In which it gets to change its user, so that we may not end it."""
        output = os.path.join(self.public, "out.folded")
        record = lambda seconds: run(self.cprof("-d", seconds, "-o", output, "--", path), self.public)
        result = given_time(record, 1, lambda result: "goes on" in result.err)
        self.assertEqual(result.code, 0, result)
        return result

    def test_what_takes_other_rights_does_not_keep_us_and_is_told(self):
        path = os.path.join(self.public, "other")
        source = self.write("other.c", "#include <unistd.h>\nint main(void) { return close(1) || close(2) || setuid(0) || pause(); }\n")
        subprocess.run(["cc", "-o", path, source], check=True)
        os.chmod(path, 0o4755)
        result = self.recorded_for_a_time(path)
        pid = int(number(r"warning: process (\d+) \(other\) goes on: .* sudo kill", result.err))
        self.assertTrue(is_there(pid))
        os.kill(pid, signal.SIGKILL)

    def test_nor_does_its_child_that_may_be_ended(self):
        """Which is killed, and is no child of ours: its parent goes on and takes no notice."""
        path = os.path.join(self.public, "other")
        text = """
            #define _GNU_SOURCE
            #include <signal.h>
            #include <unistd.h>

            int main(void)
            {
                uid_t caller = getuid();

                if (close(1) || close(2) || setuid(0))
                    return 1;
                if (fork() > 0)
                    alarm(100); /* who waits for it is not to do so for ever */
                else if (signal(SIGTERM, SIG_IGN) == SIG_ERR || setresuid(caller, caller, caller))
                    return 1;
                return pause();
            }
        """
        subprocess.run(["cc", "-o", path, self.write("other.c", text)], check=True)
        os.chmod(path, 0o4755)
        result = self.recorded_for_a_time(path)
        pid = int(number(r"warning: process (\d+) \(other\) goes on: .* sudo kill", result.err))
        self.assertTrue(is_there(pid))
        self.assertEqual([child for child in children_of(pid) if is_there(child)], [])
        os.kill(pid, signal.SIGKILL)

    def test_what_keeps_an_output_in_its_place_is_told_before_anything_runs(self):
        os.chmod(self.public, 0o1777)
        old = os.path.join(self.public, "out.folded")
        with open(old, "w", encoding="utf-8") as file:
            file.write("old\n")
        os.chmod(old, 0o666)
        result = run(self.cprof("-o", old, "--", "touch", os.path.join(self.public, "ran")), self.public)
        self.assert_fails(result, 1, f"write {old}: Operation not permitted", "it is another user's, and in " + self.public)
        os.chmod(self.public, 0o755)
        result = run(self.cprof("-o", old, "--", "touch", os.path.join(self.public, "ran")), self.public)
        self.assert_fails(result, 1, f"write {old}: Permission denied", f"the folder {self.public} may not be written")
        self.assertNotIn("ran", os.listdir(self.public))

    @unittest.skipIf(run(["unshare", "-m", "true"], "/").code, "no namespaces may be made here")
    def test_so_is_that_an_output_is_mounted_by_itself(self):
        for name in ("of-the-host", "out.folded"):
            self.write(name, "old\n")
        script = 'mount --bind of-the-host out.folded && exec "$@"'
        command = exec_command("-o", "out.folded", "--", "touch", "ran")
        result = run(["unshare", "-m", "sh", "-c", script, "sh", *command], self.folder)
        self.assert_fails(result, 1, "write out.folded: Device or resource busy", "it is mounted by itself")
        self.assertNotIn("ran", os.listdir(self.folder))

    @unittest.skipIf(run(["unshare", "-m", "true"], "/").code, "no namespaces may be made here")
    def test_so_is_that_nothing_may_be_run_where_a_program_or_the_library_of_heap_stands(self):
        closed = os.path.join(self.folder, "closed")
        os.mkdir(closed)
        script = f'mount -t tmpfs -o noexec none {closed} && cp /bin/true {closed}/program && exec "$@"'
        program = os.path.join(closed, "program")
        for words, code, said in (
            (("exec", "-o", "x.svg", "--", program), 126, "its file system is mounted noexec: --target-dir DIR builds elsewhere"),
            (("compare", program, "true"), 1, f"{program}: its file system is mounted noexec"),
            (("exec", "--heap", "-o", "x.svg", "--", "touch", "ran"), 1, "mounted noexec\ncargo-cprof: hint: set XDG_CACHE_HOME"),
        ):
            result = run(["unshare", "-m", "sh", "-c", script, "sh", "cargo-cprof", *words], self.folder, XDG_CACHE_HOME=closed)
            self.assert_fails(result, code, said)
        self.assertEqual(os.listdir(self.folder), ["closed"])

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
        self.assertGreater(kept, 40, result)
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
        path = shutil.copy(worker(), private)
        output = os.path.join(self.public, "out.cprof")
        for capabilities, is_machine in (((self.PERFMON,), True), ((self.PERFMON,), False), ((self.PERFMON, self.SYS_PTRACE), False)):
            with self.subTest(capabilities=capabilities, is_machine=is_machine):
                self.give(*capabilities)
                target = self.start([path, "early"], stderr=None)
                target.stdout.readline()
                watched = ["-a"] if is_machine else ["-p", str(target.pid)]
                said = self.watched(["env", "ASAN_OPTIONS=detect_leaks=0", *self.cprof(*watched, "-o", output)], target)
                report = run([program("cargo-cprof"), "report", output, "--pid", str(target.pid), "-n", "0", "--format", "csv"], self.folder)
                may_read = self.SYS_PTRACE in capabilities
                self.assertEqual((report.code, "worker::burn" in report.out), (0, may_read), said)
                if is_machine:
                    continue  # other programs of the machine are in it, too, whose files may be gone by now
                # Stacks go on by frame pointers where there are some, or end for that reason. CAP_PERFMON lets us
                # see where its file is on Linux 6.18, and on 6.1 not.
                untold = (" in worker, because the file cannot be read", "of which we may not see what code is where")
                self.assertEqual(any(reason in said for reason in untold), not may_read, said)
                self.assertNotIn("could not be read any more", said)

    def test_a_file_with_capabilities_watches_the_kernel_and_other_users_processes(self):
        self.give(self.PERFMON, self.SYS_PTRACE)
        target = self.worker("early")
        output = os.path.join(self.public, "out.folded")
        command = ["env", "ASAN_OPTIONS=detect_leaks=0", *self.cprof("-o", output, "-p", str(target.pid))]
        said = self.watched(command, target)
        self.assertGreater(self.samples("early", output), 50)
        self.assertNotIn("without the kernel's part", said)
        self.assertEqual(os.stat(output).st_uid, NOBODY)

    def few_files(self, count, *command, limits="-n"):
        return ["sh", "-c", f'ulimit {limits} {count}; exec "$@"', "sh", *command]

    def summing(self, count, limits):
        """A recording of many short programs with so many files allowed, or why there is none."""
        sums = "for sum in md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 base64 wc; do"
        work = f"{sums} head -c 40000000 /dev/zero | $sum; done"
        command = self.cprof("-o", os.path.join(self.public, "out.folded"), "--", "sh", "-c", work)
        return run(self.few_files(count, *command, limits=limits), self.public)

    @measured
    def test_files_for_which_no_descriptor_is_left_are_not_told_as_gone(self):
        """By as few as a recording can do with, some for each processor; more may be had up to the hard limit."""
        count = next(count for count in range(8 + os.cpu_count(), 10000) if self.summing(count, "-n").code == 0)
        said = self.summing(count, "-n").err
        beyond = "code of a file that could not be opened beside so many others"
        self.assertIn(beyond, said)
        for wrong in ("could not be read any more", "the file is another one by now", "made at run time"):
            self.assertNotIn(wrong, said)
        said = self.summing(count, "-Sn").err
        self.assertIn("% of stacks complete", said)
        self.assertNotIn(beyond, said)

    def watch_many(self, *options):
        """A process with more threads than one process may have files for, watched; and its watcher."""
        self.names = [f"t{index}" for index in range(20)]
        target = self.start(self.as_nobody(os.path.join(self.public, "worker"), *self.names), stderr=None)
        target.stdout.readline()
        command = self.cprof(*options, "-p", str(target.pid), "--", "sh", "-c", "echo watched; exec sleep 1000")
        # Of its events a thread has one on each processor, which has a ring, too.
        process = self.start(self.few_files(18 + 3 * os.cpu_count(), *command))
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
        said = said.decode()
        self.assertEqual([name for name in [*self.names, "late"] if self.samples(name, output) == 0], [], said)
        sent = number(r"([\d,]+) samples of cpu-clock", said) + number(r"([\d,]+) lost, ", said)
        self.assertAlmostEqual(sent / (200 * 0.3 * 21), 1, delta=0.3, msg=said)
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
        # With fewer files there is no room for their rings, either.
        for files in (12 + 6 * os.cpu_count(), 12 + 3 * os.cpu_count()):
            result = run(self.few_files(files, *command), self.public)
            self.assert_fails(result, 1, f"open {6 * os.cpu_count()} perf events: Too many open files", "ulimit -n")


@unittest.skipUnless(os.getuid() == 0, "takes root, as sudo does")
class UnderSudo(TargetTest):
    """What sudo does is to set variables and to be root; a caller who may not read where we were built."""

    def setUp(self):
        super().setUp()
        self.public = public_folder(self, program("cargo-cprof"))

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
        kept = {"CARGO_CPROF_KEPT_0": f"PATH={path}"}
        result = self.cprof("exec", "--root", "-o", "out.folded", "--", "sh", "-c", show, **kept)
        self.assertEqual(result.code, 0, result)
        user, capabilities, kept = result.out.splitlines()
        self.assertEqual((user.split()[1:], capabilities.split()[1], kept), (["65534"] * 4, "0" * 16, path))
        self.assertEqual((self.owner("out.folded"), self.owner("made")), (NOBODY, NOBODY))

    def test_who_is_not_root_gets_there_by_sudo(self):
        sudo = os.path.join(self.public, "sudo")
        with open(sudo, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nprintf "%s\\n" "$@"\nenv | sed -n "s/^CARGO_CPROF_KEPT_[0-9]*=PATH=//p"\nexit 5\n')
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

    def test_compare_watches_what_it_starts(self):
        command = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        around = ["--prepare", "id -u >>prepared", "--shell", "sh"]
        result = self.cprof("compare", "--runs", "2", *around, command, command)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("is not known", result.err)
        self.assertNotIn("does not let us look", result.err)
        with open(os.path.join(self.public, "prepared"), encoding="ascii") as file:
            self.assertEqual(set(file.read().split()), {str(NOBODY)})

    def test_with_root_the_program_has_the_environment_that_was_there(self):
        """sudo hands on what it is not made to drop: here it shows what it was given, and the test drops the rest."""
        own = {
            "PATH": f"{self.public}:/usr/bin:/bin",
            "USER": "somebody",
            "LD_LIBRARY_PATH": "/own/lib",
            "TMPDIR": self.public,
            "TWO_LINES": "a=b\nc",
            "EMPTY": "",
            "ASAN_OPTIONS": "detect_leaks=0",
        }
        sudo = os.path.join(self.public, "sudo")
        with open(sudo, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec env -0\n")
        os.chmod(sudo, 0o755)
        command = [os.path.join(self.public, "cargo-cprof"), "exec", "--root", "-q", "-o", "out.folded", "--", "env", "-0"]
        user = [shutil.which("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        given = self.variables([*user, *command], own)
        for name in ("LD_LIBRARY_PATH", "TMPDIR"):
            del given[name]
        given.update(USER="root", PATH="/usr/bin:/bin", SUDO_UID=str(NOBODY), SUDO_GID=str(NOBODY))
        self.assertEqual(self.variables(command, given), own)

    def variables(self, command, environment):
        done = subprocess.run(command, cwd=self.public, env=environment, capture_output=True, check=True, timeout=100)
        return dict(entry.split("=", 1) for entry in done.stdout.decode().split("\0") if not entry.startswith("PWD=") and entry)

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


if __name__ == "__main__":
    unittest.main(verbosity=1)
