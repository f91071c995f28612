"""cargo cprof on stacks that go on on other stacks: coroutines' and signal handlers'."""

import platform
import unittest

from compiled import CompiledTest
from recordings import number

START = "__start_context" if platform.machine() == "x86_64" else "__startcontext"  # glibc's


class Coroutines(CompiledTest):
    def test_their_stacks_begin_with_what_starts_them(self):
        for option in ("-rdynamic", "-static", "-Wl,-z,noseparate-code"):  # the last with data where code is told to be
            with self.subTest(option):
                stacks, whole, said = self.recorded(self.compiled("coroutine.c", option))
                inner = [(names[1:], count) for names, count in stacks if "work" in names]
                self.assertGreater(sum(count for _, count in inner), 0.9 * whole, said)
                for names, count in inner:
                    self.assertEqual(names[:3], [START, "coroutine", "work"], count)
                self.assertGreaterEqual(number(r"([\d.]+)% of stacks complete", said), 99, said)


    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_those_that_unwind_information_leads_to_have_their_callers(self):
        stacks, whole, said = self.recorded(self.compiled("led_over.c"), "still", "2")
        inside = [(names, count) for names, count in stacks if "second" in names]
        self.assertGreater(sum(count for _, count in inside), 0.9 * whole, said)
        rooted = [(names, count) for names, count in inside if "main" in names]
        self.assertGreaterEqual(sum(count for _, count in rooted), 0.95 * whole, said)
        for names, _ in rooted:
            at = names.index("main")
            self.assertEqual(names[at : at + 6], ["main", "still", "call_on", "first", "call_on", "second"])

    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_callers_that_stay_for_long_each_in_turn_are_told(self):
        stacks, whole, said = self.recorded(self.compiled("led_over.c"), "staying", "3")
        self.assert_none_for_the_other(stacks, said)
        rooted = sum(count for names, count in stacks if "main" in names)
        self.assertGreater(rooted, 0.25 * whole, said)

    def assert_none_for_the_other(self, stacks, said):
        for names, _ in stacks:
            self.assertFalse("red" in names and "blue_end" in names, said)
            self.assertFalse("blue" in names and "red_end" in names, said)

    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_callers_that_change_all_the_time_are_never_taken_for_each_other(self):
        stacks, whole, said = self.recorded(self.compiled("led_over.c"), "turning", "3", frequency="4000")
        self.assertGreater(whole, 4000, said)
        self.assert_none_for_the_other(stacks, said)
        self.assertGreater(number(r"cut: ([\d,]+) on a stack of its own", said), 0.8 * whole, said)

    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_where_code_without_unwind_information_led_to_one_its_callers_are_on_another(self):
        _, whole, said = self.recorded(self.compiled("other_stack.c"))
        cut = number(r"cut: ([\d,]+) on a stack of its own", said)
        self.assertGreater(cut, 0.9 * whole, said)

    @unittest.skipUnless(platform.machine() == "x86_64", "written in its assembly")
    def test_a_zero_above_a_stack_that_was_moved_by_hand_is_no_start_of_a_thread(self):
        stacks, whole, said = self.recorded(self.compiled("moved_by_hand.c"))
        inside = sum(count for names, count in stacks if "work" in names)
        self.assertGreater(inside, 0.8 * whole, said)
        cut = number(r"cut: ([\d,]+) unwind information that leads nowhere", said)
        self.assertGreater(cut, 0.8 * whole, said)


class SignalHandlers(CompiledTest):
    """On a stack of their own: what they interrupted is on another, which is read a little later."""

    def inside(self, where, who):
        """The stacks in the handlers, the share of those that are whole, and what was said."""
        stacks, whole, said = self.recorded(self.compiled("altstack.c"), where, who, "1.5", frequency="4000")
        inside = [(names, count) for names, count in stacks if "in_handler" in names]
        self.assertGreater(sum(count for _, count in inside), 0.8 * whole)
        rooted = sum(count for names, count in inside if "main" in names)
        return inside, rooted / sum(count for _, count in inside), said

    def test_what_they_interrupted_stands_below_those_that_last(self):
        for where in ("near", "far"):
            with self.subTest(where):
                inside, rooted, said = self.inside(where, "red")
                self.assertGreaterEqual(rooted, 0.7, said)
                for names, _ in inside:
                    at = names.index("handle_red")
                    # What it returns to, and what the registers say was interrupted.
                    self.assertIn("kill", names[at - 2])
                    self.assertTrue(at == 3 or names[at - 5 : at - 2] == ["main", "red", "raise"], names)

    def test_of_those_that_interrupt_now_this_and_now_that_nothing_is_made_up(self):
        for where in ("near", "far"):
            with self.subTest(where):
                inside, rooted, said = self.inside(where, "both")
                self.assertLess(rooted, 0.2, said)
                for names, _ in inside:
                    self.assertEqual("red" in names, "handle_red" in names and "main" in names)
                    self.assertEqual("blue" in names, "handle_blue" in names and "main" in names)
                self.assertIn(" in a signal handler on a stack of its own", said)
                self.assertIn("without SA_ONSTACK", said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
