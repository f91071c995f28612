"""cargo cprof on stacks: that they are whole whatever the program, and where the kernel's part stands."""

import os
import shutil
import unittest

from suite import ProjectTest, program, run
from test_cprof import exec_command, folded, number

NOBODY = 65534
READING = "dd if=/dev/zero of=/dev/null bs=64k count=50000 2>/dev/null"
COUNTING = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done"


def paranoid():
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        return int(file.read())


class KernelFrames(ProjectTest):
    NOTE = "the kernel's own time is not in the profile"

    def test_calls_in_the_kernel_stand_above_the_programs(self):
        if os.geteuid() != 0 and paranoid() > 1:
            self.skipTest("the kernel may not be sampled here")
        result = run(exec_command("-o", "out.folded", "--", "sh", "-c", READING), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn(self.NOTE, result.err)
        chains = [names for names, _ in folded(os.path.join(self.folder, "out.folded")) if "vfs_read" in names]
        self.assertGreater(len(chains), 0)
        for names in chains:
            at = names.index("vfs_read")
            entry = names.index("do_syscall_64")
            self.assertLess(entry, at, names)
            self.assertTrue(any("read" in name for name in names[:entry]), names)

    def test_without_the_right_the_programs_own_frames_are_recorded_and_a_note_tells(self):
        """Nobody's process, with the locked memory of a cautious system."""
        if paranoid() > 2:
            self.skipTest("perf events are refused to everybody here")
        os.chmod(self.folder, 0o777)
        ours = shutil.copy(program("cargo-cprof"), self.folder)
        command = ["prlimit", "--memlock=65536", ours, "exec", "-o", "out.folded", "--", "sh", "-c", f"{READING}; {COUNTING}"]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        result = run(command, self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(self.NOTE in result.err, paranoid() > 1, result)
        self.assertEqual(", without the kernel's part" in result.err, paranoid() > 1, result)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        self.assertEqual(any("do_syscall_64" in names for names, _ in stacks), paranoid() <= 1)
        self.assertGreaterEqual(number(r"([\d.]+)% of stacks complete", result.err), 98)


if __name__ == "__main__":
    unittest.main(verbosity=1)
