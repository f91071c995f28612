"""What the tests of cargo cprof --heap share: a program built, recorded and asked for."""

import json
import os
import subprocess

from recordings import exec_command
from suite import SOURCE, run
from targets import TargetTest


class HeapTest(TargetTest):
    def compiled(self, source, *options, name):
        """A program of stacks/."""
        path = os.path.join(self.folder, name)
        subprocess.run(["cc", "-g", "-o", path, *options, os.path.join(SOURCE, "tests", "e2e", "stacks", source), "-pthread"], check=True)
        return path

    def record(self, *arguments, options=("-e", "heap")):
        result = run(exec_command("-o", "out.cprof", *options, "--", *arguments), self.folder)
        self.assertEqual(result.code, 0, result)
        return result.err

    def report(self, event, *options, path="out.cprof"):
        result = run(["cargo", "cprof", "report", path, "--event", event, "--format", "json", "-n", "0", *options], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def functions(self, event, *options):
        return {row["function"]: row for row in self.report(event, *options)["groups"]}
