"""Programs in C for the tests of cargo cprof, one for each kind of stack."""

import os
import subprocess

from suite import SOURCE, ProjectTest, run
from recordings import exec_command, folded


class CompiledTest(ProjectTest):
    def compiled(self, source, *options, compiler="cc"):
        path = os.path.join(self.folder, source.partition(".")[0])
        subprocess.run(
            [compiler, "-O1", "-g", "-o", path, os.path.join(SOURCE, "tests", "e2e", "stacks", source), *options],
            check=True,
        )
        return path

    def ahead(self, priority):
        """What has a command run whenever it wants to, whatever else does (sched(7)); nothing where that is not allowed."""
        command = ["chrt", "--fifo", str(priority)]
        return command if run([*command, "true"], self.folder).code == 0 else []

    def recorded(self, *command, frequency="997", how="dwarf", is_ahead=False):
        """The stacks of a recording, how many samples they are, and what was said of it.

        With `is_ahead` neither the program nor, before it, the recorder waits for a processor that others use.
        """
        options = ("-F", frequency, "--call-graph", how, "-o", "out.folded")
        ours, its = (self.ahead(2), self.ahead(1)) if is_ahead else ([], [])
        result = run([*ours, *exec_command(*options, "--", *its, *command)], self.folder)
        self.assertEqual(result.code, 0, result)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        return stacks, sum(count for _, count in stacks), result.err
