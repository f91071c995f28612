"""The picture of a comparison in a real browser: its colours, what search finds of what is gone, its key.

usage: test_flame_diff.py SHOW_PROFILE CARGO_CPROF FOLDER_OF_PROFILES SCRATCH_FOLDER

Exits with 77, which ctest takes for "skipped", where chromium or chromedriver is not installed.
"""

import functools
import os
import subprocess
import sys
import unittest

import webdriver
from test_flame_graph import BOXES, BOX_NAMED, colours, hue_of
from webdriver import ESCAPE, BrowserTest


def run(*command, output=None):
    with open(output or os.devnull, "wb") as file:
        subprocess.run(command, stdout=file, check=True)


@functools.cache
def saved(name):
    """A profile of the fixtures as a .cprof file."""
    show, _, fixtures, scratch = ARGUMENTS
    os.makedirs(scratch, exist_ok=True)
    path = os.path.abspath(os.path.join(scratch, name + ".cprof"))
    run(show, "cprof", os.path.join(fixtures, name + ".profile"), output=path)
    return path


@functools.cache
def picture(*options, before="before", after="after"):
    """The comparison of the two profiles of the fixtures, drawn."""
    path = os.path.join(os.path.dirname(saved(before)), "-".join(["diff", before, after, *options]) + ".svg")
    run(ARGUMENTS[1], "diff", saved(before), saved(after), "-o", path, *options)
    return path


class FlameDiff(BrowserTest):
    def show(self, *options, **sides):
        self.browser.open("about:blank")
        self.browser.open(picture(*options, **sides))
        self.addCleanup(lambda: self.assertEqual(self.browser.messages(), []))
        return {box["name"]: box for box in self.browser.run(BOXES)}

    def search(self, expression):
        if self.browser.run("return document.getElementById('search').value;"):
            self.browser.press(ESCAPE)
        self.browser.type(self.browser.find("#search"), expression)
        return self.browser.text("#matched")

    def assert_red(self, box):
        self.assertLess(min(hue_of(box["fill"]), 360 - hue_of(box["fill"])), 20, box)

    def assert_blue(self, box):
        self.assertAlmostEqual(hue_of(box["fill"]), 215, delta=15, msg=box)

    def assert_grey(self, box):
        self.assertLess(max(colours(box["fill"])) - min(colours(box["fill"])), 12, box)

    def test_what_became_slower_is_red_and_what_did_not_is_grey(self):
        boxes = self.show()
        self.assert_red(boxes["app::hot"])
        self.assert_red(boxes["app::new_way<T>"])
        self.assert_blue(boxes["app::old_way"])
        for name in ("app::parse", "regex::find", "core::fmt::write", "all"):
            self.assert_grey(boxes[name])
        # The larger change is the stronger colour.
        self.assertGreater(colours(boxes["app::new_way<T>"]["fill"])[1], colours(boxes["app::hot"]["fill"])[1])

    def test_boxes_are_as_wide_as_what_is_and_what_is_gone_stands_beside_them(self):
        boxes = self.show()
        whole = 2010 + 280 + 510 + 25 + 68 + 5 + 300
        self.assertAlmostEqual(boxes["app::hot"]["width"], 100 * 2010 / whole, delta=0.01)
        self.assertAlmostEqual(boxes["app::old_way"]["width"], 100 * 300 / whole, delta=0.01)
        self.assertAlmostEqual(boxes["[gone]"]["x"], 100 - 100 * 300 / whole, delta=0.01)
        self.assertIn("gone", boxes["app::old_way"]["classes"])

    def test_search_finds_what_is_gone_and_tells_what_it_was(self):
        self.show()
        self.assertEqual(self.search("old_way"), "matched 0.00%, was 15.81%")
        marked = [box for box in self.browser.run(BOXES) if "match" in box["classes"].split()]
        self.assertEqual([box["name"] for box in marked], ["app::old_way"])
        self.assertEqual(self.search("app::hot"), "matched 69.36%, was 52.71%")
        # A caller of what is gone counts that once: as it was.
        self.assertEqual(self.search("app::parse"), "matched 79.02%, was 68.53%")
        self.browser.click(self.browser.run(BOX_NAMED, "app::hot")[webdriver.ELEMENT])
        self.assertEqual(self.search("regex::find"), "matched 17.60%, was 26.36%")

    def test_what_has_no_box_may_have_matched(self):
        self.show("--min-width", "20")
        self.assertEqual(self.search("app::hot"), "matched at least 69.36%, was at least 52.71%")
        self.assertEqual(self.search("^(app|worker)$"), "matched 100.00%, was 100.00%")

    def test_titles_tell_both_sides(self):
        boxes = self.show()
        self.assertIn("2.01 s, was 1.00 s: +1.01 s (+101.0%)", boxes["app::hot"]["about"])
        self.assertIn("0 s, was 300.0 ms: -300.0 ms (gone)", boxes["app::old_way"]["about"])
        self.assertIn("(new)", boxes["app::new_way<T>"]["about"])
        self.assertIn("within noise", boxes["regex::find"]["about"])
        self.assertIn("by CPU seconds", self.browser.text("#subtitle"))

    def test_negated_the_other_order_has_the_same_colours(self):
        boxes = self.show("--negate", before="after", after="before")
        self.assert_red(boxes["app::hot"])
        self.assert_blue(boxes["app::old_way"])
        self.assert_red(boxes["app::new_way<T>"])
        self.assertIn("faster", self.browser.text("#key"))
        key = self.browser.run("return Array.from(document.querySelectorAll('#key text')).map(text => text.textContent);")
        self.assertEqual(key[:2], ["faster", "slower"])

    def test_a_profile_against_itself_has_no_colour(self):
        boxes = self.show(after="before")
        for box in boxes.values():
            self.assert_grey(box)
        self.assertNotIn("[gone]", boxes)

    def test_by_share_reversed_and_turned_over_it_is_as_whole(self):
        boxes = self.show("--measure", "share", "--reverse", "--inverted")
        self.assert_red(boxes["app::hot"])
        self.assertIn("69.36%, was 52.71%: +16.64 pp (+31.6%)", boxes["app::hot"]["about"])
        self.assertIn("more", self.browser.text("#key"))

    def test_a_dark_desktop_sees_the_same_colours(self):
        with self.browser.dark():
            boxes = self.show()
            self.assert_red(boxes["app::hot"])
            self.assert_blue(boxes["app::old_way"])
            self.assertLess(max(colours(boxes["app::parse"]["fill"])), 128)


if __name__ == "__main__":
    if not webdriver.programs():
        print("skipped: chromium and chromedriver are not installed")
        sys.exit(77)
    ARGUMENTS = sys.argv[1:5]
    unittest.main(argv=sys.argv[:1], verbosity=2)
