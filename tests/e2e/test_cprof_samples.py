"""cargo cprof with more samples than it keeps in memory: where they are meanwhile, and that all of them come back."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from suite import ProjectTest, environment, run
from recordings import exec_command, folded
from targets import TargetTest

BLOCK = 8192  # samples that are kept together
FAST = ("-F", "10000")
# By its own clock, so that a busy machine does not make them fewer, and outside of the kernel.
TWO_SECONDS = (sys.executable, "-c", "import time\nwhile time.process_time() < 2: sum(range(10000))")


def sample_file_bytes(pid):
    """How large the file without a name is that the process has open; 0 when there is none."""
    for name in os.listdir(f"/proc/{pid}/fd"):
        path = f"/proc/{pid}/fd/{name}"
        try:
            if os.readlink(path).endswith(" (deleted)"):
                return os.stat(path).st_size
        except FileNotFoundError:
            pass
    return 0


class ManySamples(ProjectTest):
    def count(self, path):
        return sum(count for _, count in folded(os.path.join(self.folder, path)))

    def test_they_are_in_a_file_without_a_name_while_the_program_runs(self):
        command = exec_command(*FAST, "-o", "a.cprof", "--", "sh", "-c", "while :; do :; done")
        with subprocess.Popen(command, cwd=self.folder, env=environment(), stderr=subprocess.PIPE) as process:
            try:
                while sample_file_bytes(process.pid) == 0:
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                self.assertEqual(os.listdir(self.folder), [])
            finally:
                process.send_signal(signal.SIGTERM)
                said = process.communicate()[1].decode()
        self.assertEqual(os.listdir(self.folder), ["a.cprof"], said)
        shown = run(["cargo", "cprof", "flamegraph", "a.cprof", "-o", "a.folded"], self.folder)
        self.assertEqual(shown.code, 0, shown)
        self.assertGreaterEqual(self.count("a.folded"), BLOCK)

    def test_those_that_the_disk_does_not_take_stay_in_memory(self):
        os.mkfifo(os.path.join(self.folder, "out.folded"))
        lines = []

        def read():
            with open(os.path.join(self.folder, "out.folded"), encoding="utf-8") as pipe:
                lines.extend(pipe)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        command = exec_command(*FAST, "-o", "out.folded", "--", *TWO_SECONDS)
        # A file may not become larger than this; to a program that is what a full disk is.
        result = run(["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command], self.folder)
        self.assertEqual(result.code, 0, result)
        reader.join()
        self.assertIn("samples were kept in memory, as the file for them could not be written: File too large", result.err)
        self.assertGreaterEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), BLOCK)


class Rings(TargetTest):
    """What the kernel writes to, which nobody else may have of the machine's memory."""

    EVENTS = "cpu-clock,task-clock,page-faults,minor-faults,major-faults,alignment-faults,emulation-faults"
    MOST_BYTES = 32 << 20

    def rings_of(self, pid):
        """The bytes of each, without the page that stands before it."""
        with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
            spans = [line.split()[0].split("-") for line in file if line.rstrip().endswith("anon_inode:[perf_event]")]
        return [int(end, 16) - int(start, 16) - os.sysconf("SC_PAGESIZE") for start, end in spans]

    def test_they_take_so_much_in_all_however_many_there_are(self):
        for options in ((), FAST, ("-e", self.EVENTS), (*FAST, "-e", self.EVENTS)):
            with self.subTest(options):
                process = self.start(exec_command(*options, "-o", "out.folded", "--", "sh", "-c", "echo ready; read line"))
                self.assertEqual(process.stdout.readline(), b"ready\n")
                rings = self.rings_of(process.pid)
                process.communicate(b"\n")
                self.assertGreater(sum(rings), 0)
                self.assertLessEqual(sum(rings), self.MOST_BYTES, rings)


if __name__ == "__main__":
    unittest.main(verbosity=1)
