"""The treemap page in a real browser: opened as a file, pointed at, zoomed, searched, read without scripts.

usage: test_treemap.py CARGO_BLOATC FIXTURES SCRATCH_FOLDER

Exits with 77, which ctest takes for "skipped", where chromium or chromedriver is not installed.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import unittest

import webdriver
from webdriver import DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP, BrowserTest, wait_for

BOXES = """
return Array.from(document.querySelectorAll("#map div")).map(box => ({
    name: box.querySelector(":scope > .name") ? box.querySelector(":scope > .name").textContent : "",
    area: box.getBoundingClientRect().width * box.getBoundingClientRect().height,
    inside: box.parentElement.closest("#map div") !== null,
    match: box.classList.contains("match"),
    fill: getComputedStyle(box).backgroundColor,
    opacity: parseFloat(getComputedStyle(box).opacity),
}));"""

BOX_NAMED = """
return Array.from(document.querySelectorAll("#map div"))
    .find(box => box.querySelector(":scope > .name") &&
                 box.querySelector(":scope > .name").textContent === arguments[0]);"""

# Of the map and of the outermost box in it.
HEIGHTS = """
const map = document.getElementById("map");
return [map.clientHeight, Math.round(map.firstElementChild.getBoundingClientRect().height)];"""


class Treemap(BrowserTest):
    @classmethod
    def setUpClass(cls):
        program, fixtures, scratch = ARGUMENTS
        os.makedirs(scratch, exist_ok=True)
        cls.page = os.path.abspath(os.path.join(scratch, "size.html"))
        cls.filtered = os.path.abspath(os.path.join(scratch, "filtered.html"))
        command = [program, "elf/sample", "-q", "-o"]
        for call in ([*command, cls.page], [*command, cls.filtered, "--filter", "^sample::(main|parse)$"]):
            subprocess.run(call, cwd=fixtures, check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        super().setUp()
        self.browser.open("about:blank")
        self.browser.open("file://" + self.page)
        self.addCleanup(lambda: self.assertEqual(self.browser.messages(), []))

    def open_with(self, boxes):
        """Opens the page with other boxes: [depth, weight, colour class, name, detail] each."""
        with open(self.page) as file:
            page = file.read()
        data = json.dumps({"unit": "byte", "whole": [".text", boxes[0][1]], "boxes": boxes})
        other = os.path.join(os.path.dirname(self.page), "other.html")
        with open(other, "w") as file:
            file.write(re.sub(r'(?<=id="data">).*?(?=</script>)', lambda _: data, page, flags=re.DOTALL))
        self.browser.open("file://" + other)

    def boxes(self):
        return {box["name"]: box for box in self.browser.run(BOXES) if box["name"]}

    def element(self, name):
        return self.browser.run(BOX_NAMED, name)[webdriver.ELEMENT]

    def search_for(self, expression):
        self.browser.run("const search = document.getElementById('search'); search.value = arguments[0];"
                         "search.dispatchEvent(new Event('input'))", expression)

    def path(self):
        return self.browser.run("return Array.from(document.querySelectorAll('#path > button, #path > .here'))"
                                ".map(step => step.textContent)")

    def test_boxes_have_areas_by_their_bytes(self):
        boxes = self.boxes()
        self.assertIn(".text", boxes)
        # 1,000 and 500 bytes, less the edges.
        self.assertAlmostEqual(boxes["sample::main"]["area"] / boxes["sample::parse"]["area"], 2, delta=0.15)
        self.assertFalse(boxes[".text"]["inside"])
        self.assertTrue(boxes["sample"]["inside"])

    def test_pointing_at_a_box_tells_its_name_size_and_shares(self):
        self.browser.move_to(self.element("sample::main"))
        wait_for(lambda: "sample::main" in self.browser.text("#tip"))
        told = self.browser.text("#tip")
        self.assertIn("1,000 bytes, 28.94% of .text", told)
        self.assertRegex(told, r"\d+\.\d\d% of sample")

    def test_a_filtered_page_says_so_and_its_shares_are_of_all_that_was_measured(self):
        self.browser.open("file://" + self.filtered)
        shown = "what matches ^sample::(main|parse)$ in .text"
        self.assertEqual(self.path(), [shown])
        self.assertIn("1.5KiB, 43.40% of .text", self.browser.text("#path"))
        self.assertTrue(self.browser.text("#subtitle").startswith(f"{shown}: 1.5KiB of 3.4KiB in a file of "))
        self.browser.move_to(self.element("sample::main"))
        wait_for(lambda: "1,000 bytes, 28.94% of .text" in self.browser.text("#tip"))
        self.assertIn(f"66.67% of {shown}", self.browser.text("#tip"))

    def test_names_are_cut_to_their_boxes_so_that_functions_are_told_apart(self):
        path = "<rhai::parser::Parser as rhai::parser::longer::Statements>::parse_"
        self.open_with([[0, 900, "u0", ".text"], [1, 900, "d0", "a_crate_with_a_name"],
                        *([2, 100, "d0", f"{path}{name}"] for name in "abcdefghi")])
        self.browser.run("document.body.style.width = '420px'")
        wait_for(lambda: {f"parse_{name}" for name in "abcdefghi"} <= set(self.boxes()))
        self.assertEqual(self.browser.run(
            "return Array.from(document.querySelectorAll('#map .name'))"
            ".filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"), [])
        self.browser.move_to(self.element("parse_a"))
        wait_for(lambda: path + "a" in self.browser.text("#tip"))

    def test_names_are_shortened_as_those_of_the_picture_without_scripts(self):
        drop = "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"
        for name, columns, shown in (
            ("alloc::vec::Vec<T>::push", 24, "alloc::vec::Vec<T>::push"),
            ("alloc::vec::Vec<T>::push", 23, "Vec<T>::push"),
            (drop, 30, "<Vec<T> as Drop>::drop"),
            (drop, 21, "drop"),
            (drop, 3, "dr…"),
            (drop, 2, ""),
            ("a::run::{{closure}}", 17, "run::{{closure}}"),
            ("a::b::<impl Fn() -> c::D>::call", 24, "<impl Fn() -> D>::call"),
            ("naïve::größe", 6, "größe"),
            ("llvm::Pass<llvm::Function>::run(llvm::Function&, int) const", 58, "llvm::Pass<llvm::Function>::run"),
            ("llvm::Pass<llvm::Function>::run(llvm::Function&, int) const", 30, "Pass<llvm::Function>::run"),
            ("a::sort()::{lambda(int)#1}::operator()(int) const", 35, "sort()::{lambda(int)#1}::operator()"),
            ("a::b::operator()", 12, "operator()"),
            ("(anonymous namespace)", 12, "(anonymous …"),
            ("abc)", 3, "ab…"),
        ):
            with self.subTest(name=name, columns=columns):
                self.assertEqual(self.browser.run("return label(...arguments)", name, columns), shown)

    def test_a_click_goes_inside_and_the_path_and_escape_lead_back(self):
        self.browser.click(self.element("sample"))
        wait_for(lambda: self.path() == [".text", "sample"])
        self.assertNotIn("std", self.boxes())
        self.assertGreater(self.boxes()["sample::main"]["area"], 100000)
        self.browser.click(self.browser.find("#path button"))
        wait_for(lambda: self.path() == [".text"])
        self.browser.click(self.element("std"))
        wait_for(lambda: self.path() == [".text", "std"])
        self.browser.press(ESCAPE)
        wait_for(lambda: self.path() == [".text"])

    def test_a_link_keeps_what_is_zoomed_to_and_searched(self):
        page = [[0, 1000, "u0", ".text"], [1, 700, "d0", "a/b&c"], [2, 600, "d0", "de"],
                [3, 300, "d0", "serde::de::drop"], [1, 300, "o0", "app"], [2, 100, "o0", "app::drop"]]
        self.open_with(page)
        for name in ("a/b&c", "de"):
            self.browser.click(self.element(name))
        self.search_for("drop|a+b")
        link = self.browser.run("return location.href")
        self.browser.open("about:blank")
        self.browser.open(link)
        self.assertEqual(self.path(), [".text", "a/b&c", "de"])
        self.assertEqual(self.browser.run("return document.getElementById('search').value"), "drop|a+b")
        self.assertEqual(self.browser.text("#matched"), "300B, 50.00% of what is shown matches")
        for followed, path in (("#in=app", [".text", "app"]), ("#in=app&in=gone", [".text", "app"]),
                               ("#in=%&search=drop", [".text"])):
            self.browser.run("location.hash = arguments[0]", followed)
            wait_for(lambda: self.path() == path)
        self.assertEqual(self.browser.text("#matched"), "400B, 40.00% matches")

    def test_the_keyboard_reaches_every_box(self):
        self.open_with([[0, 1000, "u0", ".text"], [1, 300, "o0", "app"], [2, 100, "o0", "app::drop"],
                        [1, 700, "d0", "serde"], [2, 400, "d0", "serde::large"], [2, 300, "d0", "serde::small"]])
        focused = "return document.activeElement.querySelector(':scope > .name').textContent"
        self.browser.run("document.getElementById('search').focus()")
        self.browser.press(TAB)
        self.assertEqual(self.browser.run(focused), ".text")
        for key, reached in ((DOWN, "serde"), (RIGHT, "app"), (RIGHT, "app"), (LEFT, "serde"), (DOWN, "serde::large"),
                             (RIGHT, "serde::small"), (DOWN, "serde::small")):
            self.browser.press(key)
            self.assertEqual(self.browser.run(focused), reached)
        self.assertIn("300 bytes, 30.00% of .text", self.browser.text("#tip"))
        self.browser.press(UP)
        self.browser.press(ENTER)
        self.assertEqual(self.path(), [".text", "serde"])
        self.assertEqual(self.browser.run(focused), "serde")
        self.browser.press(ESCAPE)
        self.assertEqual(self.path(), [".text"])

    def test_a_search_marks_what_matches_and_adds_it_up_once(self):
        self.browser.type(self.browser.find("#search"), "^sample::(main|parse)$")
        wait_for(lambda: "matches" in self.browser.text("#matched"))
        self.assertEqual(self.browser.text("#matched"), "1.5KiB, 43.40% matches")
        boxes = self.boxes()
        self.assertTrue(boxes["sample::main"]["match"])
        self.assertFalse(boxes["memcpy"]["match"] if "memcpy" in boxes else False)
        self.assertEqual(boxes["sample"]["opacity"], 1)
        self.assertLess(boxes["std"]["opacity"], 0.5)

    def test_a_search_goes_by_whole_names_and_a_capital_means_itself(self):
        self.open_with([[0, 1000, "u0", ".text"], [1, 1000, "d0", "rhai"],
                        [2, 100, "d0", "core::ptr::drop_in_place<rhai::types::dynamic::Dynamic>"],
                        [2, 200, "d0", "core::ptr::drop_in_place<rhai::ast::expr::Expr>"],
                        [2, 400, "d0", "<alloc::collections::btree::map::BTreeMap<K, V, A> as Debug>::fmt"]])
        for expression, told in (
            ("drop_in_place<Dynamic>", "nothing matches"),
            ("drop_in_place<Expr>", "nothing matches"),
            ("^fmt$", "nothing matches"),
            ("…", "nothing matches"),
            (r"drop_in_place<.*\b(Dynamic|Expr)>$", "300B, 30.00% matches"),
            ("btreemap", "400B, 40.00% matches"),
            ("BTREEMAP", "nothing matches"),
            ("BTreeMap", "400B, 40.00% matches"),
            (r"\Sbtree\S", "400B, 40.00% matches"),
        ):
            with self.subTest(expression=expression):
                self.search_for(expression)
                self.assertEqual(self.browser.text("#matched"), told)

    def test_zoomed_in_a_search_tells_what_matches_of_what_is_shown(self):
        self.open_with([[0, 1000, "u0", ".text"], [1, 700, "d0", "serde"], [2, 600, "d0", "de"],
                        [3, 300, "d0", "serde::de::drop"], [1, 300, "o0", "app"], [2, 100, "o0", "app::drop"]])
        self.browser.type(self.browser.find("#search"), "drop")
        wait_for(lambda: self.browser.text("#matched") == "400B, 40.00% matches")
        self.browser.click(self.element("app"))
        wait_for(lambda: self.path() == [".text", "app"])
        self.assertEqual(self.browser.text("#matched"), "100B, 33.33% of what is shown matches")
        for expression, told in (("serde::de::", "nothing here matches"),
                                 ("^app$", "300B, 100.00% of what is shown matches")):
            self.search_for(expression)
            self.assertEqual(self.browser.text("#matched"), told)
        self.browser.click(self.browser.find("#path button"))
        wait_for(lambda: self.browser.text("#matched") == "300B, 30.00% matches")

    def test_what_may_be_searched_for_and_its_key_are_told_in_whole(self):
        needed, room = self.browser.run("""
            const search = document.getElementById("search"), style = getComputedStyle(search);
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = style.font;
            return [pen.measureText(search.placeholder).width,
                    search.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)];""")
        self.assertLess(needed, room)

    def test_a_bad_expression_is_said_to_be_one(self):
        self.browser.type(self.browser.find("#search"), "(")
        wait_for(lambda: self.browser.text("#matched") == "not a regular expression")

    def test_a_new_size_of_the_window_lays_out_anew(self):
        before = self.boxes()[".text"]["area"]
        self.browser.run("document.body.style.width = '600px'")
        wait_for(lambda: self.boxes()[".text"]["area"] < before * 0.6)

    def test_texts_that_wrap_cut_no_box_off(self):
        many = [[2, 100, "d0", f"small_{i}"] for i in range(9000)]
        for width in (360, 700, 1000):
            with self.subTest(width=width), self.browser.sized(width, 800):
                self.open_with([[0, 900000, "u0", ".text"], [1, 900000, "d0", "many"], *many])
                before, drawn = self.browser.run(HEIGHTS)
                self.assertEqual(before, drawn)
                self.browser.run("document.getElementById('subtitle').textContent += ' and more'.repeat(80)")
                wait_for(lambda: self.browser.run(HEIGHTS)[0] < before)
                wait_for(lambda: len(set(self.browser.run(HEIGHTS))) == 1)
                self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)

    def test_of_too_many_boxes_the_smallest_are_left_out_and_counted(self):
        many = [[2, 100, "d0", f"small_{i}", ""] for i in range(9000)]
        self.open_with([[0, 1200000, "u0", ".text", ""], [1, 900000, "d0", "many", ""], *many,
                        [1, 300000, "o0", "few", ""], [2, 300000, "o0", "few::large", ""]])
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["many"]["area"] / boxes["few"]["area"], 3, delta=0.15)
        self.assertIn("few::large", boxes)
        drawn = len(self.browser.run(BOXES))
        self.assertGreater(drawn, 1000)
        self.assertEqual(self.browser.text("#left-out"),
                         f"the smallest {9004 - drawn:,} of 9,004 boxes are not drawn")
        self.browser.click(self.element("few"))
        wait_for(lambda: self.path() == [".text", "few"])
        self.assertEqual(self.browser.text("#left-out"), "")

    def test_names_are_readable_light_and_dark(self):
        for dark in (False, True):
            with self.browser.dark() if dark else contextlib.nullcontext():
                box = self.boxes()["sample::main"]
                ink = self.browser.run("return getComputedStyle(document.body).color")
                self.assertGreater(contrast(ink, box["fill"]), 4.5, f"dark: {dark}")

    def test_without_scripts_the_picture_is_there(self):
        with self.browser.without_scripts():
            self.browser.open("file://" + self.page)
            self.assertIn("sample::main", self.browser.text("noscript svg"))


def luminance(color):
    parts = [int(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    """As WCAG 2 has it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:4]
    if not webdriver.programs():
        print("chromium or chromedriver is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
