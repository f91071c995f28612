"""cargo cprof where processes are numbered anew and clocks begin anew (namespaces(7)), as in containers."""

import os
import subprocess
import unittest

from suite import SOURCE, measured, run
from test_cprof import exec_command, folded
from test_cprof_targets import TargetTest

OUTSIDE = "[outside of this container]"


@unittest.skipUnless(os.getuid() == 0, "takes root to make namespaces")
class NamespaceTest(TargetTest):
    """With two programs, whose functions inside_work and outside_work are at the same address."""

    unshare = ()

    def setUp(self):
        super().setUp()
        if run([*self.unshare, "true"], self.folder).code != 0:
            self.skipTest("no namespaces may be made here")

    def place(self, name):
        path = os.path.join(self.folder, name)
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", "place.c")
        subprocess.run(["cc", "-O1", "-g", "-static", "-no-pie", f"-DPLACE={name}_work", "-o", path, source], check=True)
        return path

    def start_inside(self, *command):
        return self.start([*self.unshare, *command])

    def stacks(self):
        return folded(os.path.join(self.folder, "out.folded"))


class AmongProcessesOfItsOwn(NamespaceTest):
    unshare = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")

    def watch_all(self, *options):
        """Records all processes, one of each program among them, which begin meanwhile."""
        script = 'echo watched; read line; echo go | "$0"; exit 4'
        command = exec_command("--all-cpus", *options, "-o", "out.folded", "--", "sh", "-c", script, self.place("inside"))
        process = self.start_inside(*command)
        if process.stdout.readline() != b"watched\n":
            self.assertIn("the system refuses perf events", process.stderr.read().decode())
            self.skipTest("the machine may not be watched")
        outside = self.start([self.place("outside")])
        self.tell(outside, "go", "done")
        return self.finish(process)

    @measured
    def test_processes_outside_are_told_as_such_and_nobody_has_their_code(self):
        said = self.watch_all()
        inside = [(names[0], count) for names, count in self.stacks() if "inside_work" in names]
        self.assertEqual({name for name, _ in inside}, {"inside"})
        self.assertGreater(sum(count for _, count in inside), 900, said)
        outside = [(names, count) for names, count in self.stacks() if OUTSIDE in names]
        self.assertEqual({names[0] for names, _ in outside}, {OUTSIDE})
        self.assertGreater(sum(count for _, count in outside), 900, said)
        self.assertFalse([names for names, _ in self.stacks() if "outside_work" in names])
        self.assertRegex(said, r"\n  cut: [\d,]+ of processes outside of this container\n")
        self.assertRegex(said, r"\n  no name: .* record on the host, or .*--pid=host\)\n")
        self.assertNotIn("made at run time", said)

    @measured
    def test_frame_pointers_of_theirs_are_not_missed(self):
        said = self.watch_all("--call-graph", "fp")
        self.assertGreater(sum(count for names, count in self.stacks() if names[0] == OUTSIDE), 900, said)
        self.assertFalse([names for names, _ in self.stacks() if "outside_work" in names])
        self.assertNotIn("no frame pointers", said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
