"""What programs under cargo cprof are started with: the signals that its caller ignores and blocks, and no others."""

import os
import signal
import subprocess
import unittest

from suite import ProjectTest, environment, program

CPROF = program("cargo-cprof")
TELL = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
SAVE = ["cp", "/proc/self/status", "status"]
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
