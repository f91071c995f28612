"""Signals that programs under cargo cprof are started with, as its caller ignores and blocks them and no others, and
those that are sent to us meanwhile."""

import os
import signal
import subprocess
import unittest

from recordings import exec_command, given_time
from suite import ProjectTest, environment, program, run
from targets import TargetTest, state_of, wait_for

CPROF = program("cargo-cprof")
TELL = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
SAVE = ["cp", "-f", "/proc/self/status", "status"]  # whose mode lets nobody but root write it again
OF_THE_C_LIBRARY = 1 << 31 | 1 << 32  # ignored in all that posix_spawn of the GNU C library starts
IGNORED = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT, signal.SIGCHLD, signal.SIGUSR1)
BLOCKED = (signal.SIGTERM, signal.SIGQUIT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGUSR2)


def signals_of(status):
    """The sets of signals in lines of /proc/PID/status, each once."""
    lines = [line.split() for line in status.splitlines() if line.startswith(("SigBlk", "SigIgn"))]
    return sorted({(name, int(bits, 16) & ~OF_THE_C_LIBRARY) for name, bits in lines})


class AsTheCallerLeftThem(ProjectTest):
    def run_with(self, arguments, ignored, blocked):
        """What it writes. Without cargo in between, which has ideas of its own of SIGPIPE."""

        def leave():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

        done = subprocess.run(
            arguments, cwd=self.folder, env=environment(), preexec_fn=leave, capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def assert_same(self, *arguments, saves=False):
        for ignored, blocked in ((), ()), (IGNORED, ()), ((), BLOCKED), (IGNORED, BLOCKED):
            with self.subTest(ignored=ignored, blocked=blocked):
                alone = signals_of(self.run_with(TELL, ignored, blocked))
                self.assertEqual(len(alone), 2)
                said = self.run_with([CPROF, *arguments], ignored, blocked)
                if saves:
                    with open(os.path.join(self.folder, "status"), encoding="utf-8") as file:
                        said = file.read()
                self.assertEqual(signals_of(said), alone)

    def test_of_a_recording(self):
        self.assert_same("exec", "-q", "-o", "out.folded", "--", *TELL)

    def test_of_each_of_several_runs(self):
        self.assert_same("exec", "-q", "-o", "out.folded", "--runs", "2", "--", *TELL)

    def test_of_what_is_only_timed(self):
        save = " ".join(SAVE)
        self.assert_same("compare", "-q", "--no-profile", "--runs", "1", save, save, saves=True)


class WhatIsSent(TargetTest):
    def test_one_that_means_what_a_program_makes_of_it_is_handed_on_and_ends_nothing(self):
        script = "trap 'echo USR1' USR1; trap 'echo USR2; exit 7' USR2; echo ready; while :; do :; done"
        process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", script))
        for number, answer in ((signal.SIGUSR1, b"ready\n"), (signal.SIGUSR2, b"USR1\n")):
            self.assertEqual(process.stdout.readline(), answer)
            process.send_signal(number)
        self.assertEqual(process.stdout.readline(), b"USR2\n")
        self.assertEqual(process.wait(), 7, process.stderr.read())
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_one_to_a_recording_of_what_runs_already_is_for_nobody(self):
        process = self.attach("--pid", str(self.worker("other").pid))
        process.send_signal(signal.SIGUSR1)
        self.finish(process)

    def test_a_program_that_is_stopped_is_ended_too(self):
        for name in ("TERM", "HUP"):
            process = self.start(exec_command("-o", "out.folded", "--", "sh", "-c", "echo $$; while :; do :; done"))
            pid = int(process.stdout.readline())
            os.kill(pid, signal.SIGSTOP)
            wait_for(lambda: state_of(pid) == "T", "the program is stopped")
            process.send_signal(signal.Signals["SIG" + name])
            self.assertEqual(process.wait(), 128 + signal.Signals["SIG" + name], process.stderr.read())

    @unittest.skipIf(os.getuid() or run(["unshare", "-m", "true"], "/").code, "no namespaces may be made here")
    def test_a_time_ends_a_program_with_sigterm_also_without_proc(self):
        script = "trap 'echo asked; exit 3' TERM; while :; do :; done"
        hide = 'mount -t tmpfs none /proc && exec "$@"'

        def record(seconds):
            command = [CPROF, "exec", "-d", seconds, "-o", "out.folded", "--", "sh", "-c", script]
            return run(["unshare", "-m", "sh", "-c", hide, "sh", *command], self.folder)

        result = given_time(record, 1, lambda result: result.out)
        # Sanitizers need /proc, where they have their options from too: the exit code would be theirs.
        self.assertEqual(result.out, "asked\n", result)
        self.assertIn("Wrote out.folded", result.err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
