"""The hints of cargo cprof on programs that provoke them, and on one that does not."""

import os
import platform
import re
import sys
import unittest

from compiled import CompiledTest
from suite import SOURCE, ProjectTest, measured, run


class Hints(ProjectTest):
    MANIFEST = '[package]\nname = "patterns"\nversion = "0.1.0"\nedition = "2021"\n'
    EXPECTED = {
        "hashing": r"hint \(hashing\): .* in patterns::hashing",
        "formatting": r"hint \(formatting\): .* in patterns::formatting",
        "clone": r"hint \(clone\): .* in <patterns::Record as core::clone::Clone>::clone",
        "growth": r"hint \(growth\): .* in patterns::growth",
        "utf8": r"hint \(utf8\): .* in patterns::utf8",
        "recursion": r"hint \(recursion\): .* in patterns::visit",
        "panics": r"hint \(panics\): ",
        "copy": r"hint \(copy\): .* in patterns::copying",
        "locks": r"hint \(locks\): .* in patterns::locks",
        "allocation": r"hint \(allocation\): .* in patterns::boxes",
        "drop": r"hint \(drop\): .* in patterns::dropping",
        "unbuffered": r"hint \(unbuffered\): .* in patterns::unbuffered",
        "lines": r"hint \(unbuffered\): .* in patterns::lines",
        "bounds-checks": r"hint \(bounds-checks\): .* in patterns::slices",
        "hot-inlined": r"hint \(hot-inlined\): .* in patterns::mix",
        "new-memory": r"hint \(new-memory\): .* in patterns::fresh",
        "threads": r"hint \(threads\): .* in patterns::threads",
        "wakeups": r"hint \(wakeups\): .* in patterns::wakeups",
        "clock": r"hint \(clock\): .* in patterns::clock",
        "idle": r"hint \(idle\): ",
    }

    if platform.machine() == "x86_64":  # others have the instruction from the start
        EXPECTED["rounding"] = r"hint \(rounding\): .* in patterns::rounding"

    BY_THE_KERNEL = ("unbuffered", "lines", "new-memory", "threads", "wakeups")  # its time is most of theirs

    @measured
    def test_programs_get_the_hint_that_they_provoke_and_others_none(self):
        with open(os.path.join(SOURCE, "tests", "fixtures", "cargo", "patterns.rs"), encoding="utf-8") as file:
            self.project(self.MANIFEST, src__main_rs=file.read())
        for what, expected in self.EXPECTED.items():
            # Whoever reads a pipe has to be woken, which takes more than the calls do.
            command = "exec cargo cprof -F 4000 -o out.folded -- $0 > /dev/null"
            result = run(["sh", "-c", command, what], self.folder)
            self.assertEqual(result.code, 0, result)
            if what in self.BY_THE_KERNEL and "without the kernel's part" in result.err:
                continue
            self.assertRegex(result.err, expected, what)
            self.assertNotIn("no-debug-info", result.err, what)
        result = run(["cargo", "cprof", "-F", "4000", "-o", "out.folded", "--", "compute"], self.folder)
        # Waiting for a processor, on a busy machine, is no idling.
        self.assertEqual(re.findall(r"^hint \((\S+)\)", result.err, re.M), [], result)

    def test_builds_that_are_not_worth_profiling_are_told(self):
        with open(os.path.join(SOURCE, "tests", "fixtures", "cargo", "patterns.rs"), encoding="utf-8") as file:
            self.project(self.MANIFEST, src__main_rs=file.read())
        linked_statically = {"RUSTFLAGS": "-Ctarget-feature=+crt-static"}
        for profile, variables, hint in (
            ("dev", {}, "debug-build"),
            ("release", {}, "no-debug-info"),
            ("release", linked_statically, "no-debug-info"),
        ):
            result = run(
                ["cargo", "cprof", "--profile", profile, "-F", "4000", "-o", "out.folded", "--", "compute"],
                self.folder,
                **variables,
            )
            self.assertEqual(result.code, 0, result)
            self.assertRegex(result.err, rf"hint \({hint}\): ", f"{profile} {variables}")


class Interrupted(CompiledTest):
    def assert_no_cost(self, name, *arguments):
        stacks, whole, said = self.recorded(self.compiled("interrupted.c"), *arguments)
        inside = [(names, count) for names, count in stacks if "cfree" in names and "work" in names]
        self.assertGreater(sum(count for _, count in inside), 0.9 * whole, said)
        for names, _ in inside:
            self.assertEqual(names[names.index("work") - 1], "handle", said)
            self.assertRegex(names[names.index("work") - 2], name, said)
        self.assertNotIn("hint (allocation)", said)

    def test_what_a_signals_handler_does_is_no_cost_of_what_it_interrupts(self):
        self.assert_no_cost("^(__restore(_rt)?|__kernel_rt_sigreturn|<signal handler called>)$")

    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_where_it_returns_to_is_known_without_a_symbol(self):
        self.assert_no_cost("^<signal handler called>$", "unnamed")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
