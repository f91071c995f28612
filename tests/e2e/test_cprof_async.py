"""Async functions by their names and tasks by their outermost future, with every kind of debug information."""

import json
import os
import sys
import unittest

from suite import MANGLED, SOURCE, ProjectTest, measured, run


class Futures(ProjectTest):
    MANIFEST = '[package]\nname = "futures"\nversion = "0.1.0"\nedition = "2021"\n'

    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "tests", "fixtures", "cargo", "futures.rs"), encoding="utf-8") as file:
            self.project(self.MANIFEST, src__main_rs=file.read())

    def record(self, **changes):
        result = run(["cargo", "cprof", "-F", "4000", "-o", "out.cprof"], self.folder, **changes)
        self.assertEqual(result.code, 0, result)

    def shares(self, by):
        """Each group's share of all samples, in percent, its callees' with it."""
        result = run(["cargo", "cprof", "report", "out.cprof", "--by", by, "-n", "0", "--format", "json"], self.folder)
        self.assertEqual(result.code, 0, result)
        document = json.loads(result.out)
        return {row[by]: 100 * row["total"] / document["whole"] for row in document["groups"]}

    @measured
    def test_async_fns_have_their_names_and_others_stay(self):
        for changes in MANGLED.values():
            self.record(**changes)
            functions = self.shares("function")
            closure = "futures::serve::{closure#0}"
            # Of six equal parts serve has three, two of them in its closure, log one, main's block one, main one.
            for name, expected in (
                ("futures::serve", 50),
                ("futures::parse", 16.7),
                (closure, 33.3),
                ("futures::log", 16.7),
                (closure.replace("serve", "main"), 16.7),
            ):
                self.assertAlmostEqual(functions[name], expected, delta=5, msg=(name, functions))
            tasks = self.shares("task")
            for name, expected in (
                ("futures::serve", 50),
                ("futures::log", 16.7),
                (closure.replace("serve", "main"), 16.7),
                ("[no task]", 16.7),
            ):
                self.assertAlmostEqual(tasks[name], expected, delta=5, msg=(name, tasks))

    def test_without_debug_information_closures_stay_and_tasks_are_refused(self):
        self.write("Cargo.toml", self.MANIFEST + '[profile.profiling]\ninherits = "release"\ndebug = 0\n')
        self.record()
        self.assertFalse({"futures::serve", "futures::log"} & set(self.shares("function")))
        result = run(["cargo", "cprof", "report", "out.cprof", "--by", "task"], self.folder)
        self.assert_fails(result, 1, "--by task: the profile tells of no future", "debug = 1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
