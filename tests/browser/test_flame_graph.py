"""The flame graph in a real browser: opened as a file, clicked, searched, turned over, read.

usage: test_flame_graph.py SHOW_PROFILE PROFILE SCRATCH_FOLDER

Exits with 77, which ctest takes for "skipped", where chromium or chromedriver is not installed.
"""

import functools
import os
import re
import subprocess
import sys
import unittest
import urllib.parse

import webdriver
from webdriver import DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP, BrowserTest, wait_for

HOSTILE = "<script>document.title='x'</script>"
HOSTILE_THREAD = "evil <script>alert(1)</script> \"&'"

# The title that a box has when it is pointed at.
TITLE_OF = """
const titleOf = function (group) {
    group.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
    return group.querySelector("title").textContent;
};"""

# What people can see of the boxes: name, place, width in per cent, label. `depth` counts rows from the root.
BOXES = TITLE_OF + """
return Array.from(document.querySelectorAll("#frames > g")).filter(g => !g.classList.contains("hidden")).map(g => ({
    name: titleOf(g).split("\\n")[0],
    about: titleOf(g),
    x: parseFloat(g.querySelector("rect").getAttribute("x")),
    y: parseFloat(g.querySelector("rect").getAttribute("y")),
    width: parseFloat(g.querySelector("rect").getAttribute("width")),
    fill: getComputedStyle(g.querySelector("rect")).fill,
    label: g.querySelector("text") ? g.querySelector("text").textContent : "",
    classes: g.getAttribute("class"),
}));"""

BOX_NAMED = TITLE_OF + """
return Array.from(document.querySelectorAll("#frames > g"))
    .find(g => titleOf(g).split("\\n")[0] === arguments[0]).querySelector("rect");"""


@functools.cache
def picture(shape="svg", profile=None):
    program, usual_profile, scratch = ARGUMENTS
    profile = profile or usual_profile
    os.makedirs(scratch, exist_ok=True)
    name = os.path.splitext(os.path.basename(profile))[0]
    path = os.path.abspath(os.path.join(scratch, f"{name}-{shape}.svg"))
    with open(path, "wb") as file:
        subprocess.run([program, shape, profile], stdout=file, check=True)
    return path


def tall_profile():
    """The path of a profile whose picture is taller than the window."""
    path = os.path.join(ARGUMENTS[2], "tall.profile")
    with open(path, "w", encoding="utf-8") as file:
        calls = " > ".join(f"own a call_{i}" for i in range(200))
        file.write(f"9|app|{calls}\n1|app|own a call_0\n")
    return path


class FlameGraph(BrowserTest):
    def setUp(self):
        super().setUp()
        self.browser.open("about:blank")
        self.browser.open(picture())
        self.addCleanup(lambda: self.assertEqual(self.browser.messages(), []))

    def boxes(self):
        return {box["name"]: box for box in self.browser.run(BOXES)}

    def click(self, name):
        element = self.browser.run(BOX_NAMED, name)
        self.browser.click(element[webdriver.ELEMENT])

    def search(self, expression):
        self.browser.type(self.browser.find("#search"), expression)

    def matched(self):
        return self.browser.text("#matched")

    def test_boxes_are_as_wide_as_their_share_and_lie_on_their_callers(self):
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["all"]["width"], 100)
        self.assertAlmostEqual(boxes["weblog::record::parse"]["width"], 43.5)
        self.assertAlmostEqual(boxes["core::str::<impl str>::split"]["width"], 34.0)
        self.assertLess(boxes["weblog::record::parse"]["y"], boxes["crunch::main"]["y"])
        parse, inner = boxes["weblog::record::parse"], boxes["core::str::<impl str>::split"]
        self.assertGreaterEqual(inner["x"], parse["x"])
        self.assertLessEqual(inner["x"] + inner["width"], parse["x"] + parse["width"] + 0.001)

    def test_a_title_tells_the_figures_the_crate_and_that_a_call_was_inlined(self):
        about = self.boxes()["core::str::<impl str>::split"]["about"]
        self.assertEqual(about, "core::str::<impl str>::split\n340 samples, 34.00%\ncore, inlined, src/lib.rs:7")

    def test_a_click_zooms_and_reset_goes_back(self):
        self.assertTrue(self.browser.run("return document.querySelector('#reset').disabled"))
        self.click("weblog::aggregate::by_path")
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["weblog::aggregate::by_path"]["width"], 100)
        self.assertAlmostEqual(boxes["crunch::main"]["width"], 100)
        self.assertIn("above", boxes["crunch::main"]["classes"])
        self.assertAlmostEqual(boxes["weblog::record::parse"]["width"], 100 * 435 / 615, places=3)
        self.assertNotIn("cfree", boxes)
        self.assertNotIn("worker 1", boxes)
        self.browser.click(self.browser.find("#reset"))
        self.assertAlmostEqual(self.boxes()["weblog::record::parse"]["width"], 43.5)
        self.assertIn("cfree", self.boxes())

    def test_escape_goes_back_too(self):
        self.click("crunch::fib")
        self.assertNotIn("worker 1", self.boxes())
        self.browser.press(ESCAPE)
        self.assertIn("worker 1", self.boxes())

    def test_zooming_gives_labels_the_room_there_is(self):
        name = "<core::hash::sip::Hasher<S> as core::hash::Hasher>::write"
        self.assertEqual(self.boxes()[name]["label"], "write")
        self.click(name)
        self.assertEqual(self.boxes()[name]["label"], name)
        # Without another move of the mouse.
        self.assertIn("100.00% of what is shown", self.browser.text("#details"))

    def test_a_search_counts_what_lies_within_another_match_once(self):
        self.search("weblog::")
        self.assertEqual(self.matched(), "matched 81.30%")
        self.assertIn("match", self.boxes()["weblog::record::parse"]["classes"])
        self.assertNotIn("match", self.boxes()["crunch::main"]["classes"])

    def test_a_search_is_a_regular_expression_within_what_is_shown(self):
        self.search("^crunch::(fib|render)|find_fwd$")
        self.assertEqual(self.matched(), "matched 16.20%")
        self.click("weblog::aggregate::by_path")
        self.assertEqual(self.matched(), "matched %.2f%%" % (100 * 95 / 615))
        self.browser.press(ESCAPE)
        self.assertEqual(self.matched(), "")

    def test_small_letters_match_both_cases_and_a_capital_only_itself(self):
        self.search("hashmap")
        self.assertEqual(self.matched(), "matched 12.00%")
        self.browser.press(ESCAPE)
        self.search("Hashmap")
        self.assertEqual(self.matched(), "matched 0.00%")

    def test_the_run_as_a_whole_is_no_function_and_threads_count_where_none_matches(self):
        self.search("^all$")
        self.assertEqual(self.matched(), "matched 0.00%")
        self.assertNotIn("match", self.boxes()["all"]["classes"])
        for shape in ("svg", "svg-threads"):
            self.browser.open(picture(shape))
            self.search("^worker")
            self.assertEqual(self.matched(), "matched 19.80%", shape)
            self.browser.press(ESCAPE)
            self.search("checksum")
            calls = self.matched()
            self.assertNotEqual(calls, "matched 19.80%", shape)
            self.browser.press(ESCAPE)
            self.search("checksum|^worker")
            self.assertEqual(self.matched(), calls, shape)
            marked = [box["name"] for box in self.browser.run(BOXES) if "match" in box["classes"].split()]
            self.assertFalse([name for name in marked if name.startswith("worker")], shape)
            self.browser.press(ESCAPE)

    def test_a_wrong_expression_says_so(self):
        self.search("a(")
        self.assertEqual(self.matched(), "not an expression")

    def test_turning_over_puts_callers_at_the_top(self):
        self.browser.click(self.browser.find("#turn"))
        boxes = self.boxes()
        self.assertLess(boxes["all"]["y"], boxes["crunch::main"]["y"])
        self.assertLess(boxes["crunch::main"]["y"], boxes["weblog::record::parse"]["y"])

    def test_an_inverted_picture_begins_with_callers_at_the_top(self):
        self.browser.open(picture("svg-inverted"))
        boxes = self.boxes()
        self.assertLess(boxes["all"]["y"], boxes["crunch::main"]["y"])

    def test_a_link_keeps_zoom_and_search(self):
        self.click("weblog::aggregate::by_path")
        self.search("parse|fwd")
        link = self.browser.run("return location.href")
        self.browser.open("about:blank")
        self.browser.open(link)
        self.assertAlmostEqual(self.boxes()["crunch::main"]["width"], 100)
        self.assertEqual(self.matched(), "matched %.2f%%" % (100 * 435 / 615))
        self.assertIn("search=" + urllib.parse.quote("parse|fwd"), link)

    def test_so_does_one_that_is_followed_in_the_open_picture(self):
        self.click("weblog::aggregate::by_path")
        self.search("parse|fwd")
        link = self.browser.run("return location.hash")
        followed = "location.hash = arguments[0]; return new Promise(done => setTimeout(() => requestAnimationFrame(done), 0))"
        self.browser.run(followed, "#search=main")
        self.assertLess(self.boxes()["weblog::aggregate::by_path"]["width"], 100)
        self.assertEqual(self.matched(), "matched 77.70%")
        self.browser.run(followed, link)
        self.assertAlmostEqual(self.boxes()["weblog::aggregate::by_path"]["width"], 100)
        self.assertEqual(self.matched(), "matched %.2f%%" % (100 * 435 / 615))

    def test_a_link_into_a_tall_picture_shows_what_is_zoomed_to(self):
        profile = tall_profile()
        edges = "const edges = arguments[0].getBoundingClientRect(); return [edges.top, edges.bottom, window.innerHeight];"
        for shape in ("svg", "svg-inverted"):
            self.browser.open("about:blank")
            self.browser.open(picture(shape, profile) + "#zoom=100")
            for _ in range(2):
                zoomed = next(box["name"] for box in self.browser.run(BOXES) if "above" not in box["classes"])
                top, bottom, height = self.browser.run(edges, self.browser.run(BOX_NAMED, zoomed))
                self.assertGreater(top, 84, shape)
                self.assertLess(bottom, height - 24, shape)
                self.browser.press("i")

    def test_on_paper_the_head_is_above_the_picture_which_is_as_wide_as_the_paper(self):
        self.browser.open(picture("svg", tall_profile()))
        bar = "return document.querySelector('#bar').getAttribute('transform')"
        scale = "return document.documentElement.getAttribute('viewBox')"
        before = self.browser.run(bar)
        self.assertNotIn(before, (None, "translate(0,0)"))
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertIsNone(self.browser.run(bar))
        self.assertRegex(self.browser.run(scale), r"^0 0 1200 \d+$")
        self.browser.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.run(bar), before)
        self.assertIsNone(self.browser.run(scale))

    def test_pointing_at_a_box_tells_about_it(self):
        self.assertIn("Click a box", self.browser.text("#details"))
        element = self.browser.run(BOX_NAMED, "cfree")[webdriver.ELEMENT]
        self.browser.move_to(element)
        told = wait_for(lambda: "cfree" in self.browser.text("#details") and self.browser.text("#details"))
        self.assertIn("70 samples, 7.00%", told or "")

    def test_the_keyboard_reaches_every_box(self):
        focused = "const title = document.activeElement.querySelector('title'); return title && title.textContent.split('\\n')[0];"
        parse = "weblog::record::parse"
        self.browser.press(TAB)
        self.assertEqual(self.browser.run(focused), "all")
        for key, reached in ((UP, "crunch"), (RIGHT, HOSTILE_THREAD), (LEFT, "crunch"), (LEFT, "crunch"), (UP, "_start"),
                             (UP, "__libc_start_main"), (DOWN, "_start"), (UP, "__libc_start_main"), (UP, "main"),
                             (UP, "std::rt::lang_start::{{closure}}"), (UP, "crunch::main"),
                             (UP, "weblog::aggregate::by_path"), (UP, parse)):
            self.browser.press(key)
            self.assertEqual(self.browser.run(focused), reached)
        self.assertIn(parse, self.browser.text("#details"))
        self.browser.press(ENTER)
        self.assertAlmostEqual(self.boxes()[parse]["width"], 100)
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('role')"), "button")
        self.browser.press(ESCAPE)
        self.assertIn("worker 1", self.boxes())
        self.assertEqual(self.browser.run(focused), parse)
        self.browser.press("i")
        self.browser.press(UP)
        self.assertEqual(self.browser.run(focused), "weblog::aggregate::by_path")

    def test_the_box_that_the_keyboard_reaches_is_seen(self):
        self.browser.open(picture("svg", tall_profile()))
        self.browser.press(TAB)
        for _ in range(60):
            self.browser.press(UP)
        top, bottom, height = self.browser.run(
            "const edges = document.activeElement.querySelector('rect').getBoundingClientRect();"
            "return [edges.top, edges.bottom, window.innerHeight];")
        self.assertGreater(top, 83)
        self.assertLess(bottom, height - 23)
        before = self.browser.run("return window.scrollY")
        self.browser.press("/")
        self.assertEqual(self.browser.run("return window.scrollY"), before)

    def test_a_screenshot_of_a_command_line_shows_what_fits_of_it(self):
        path = os.path.join(ARGUMENTS[2], "tall.png")
        webdriver.take_screenshot(picture("svg", tall_profile()), path, (1200, 700))
        # An empty page has 4.
        self.assertGreater(len(set(webdriver.pixels_of(path))), 32)

    def test_hostile_names_are_text(self):
        self.assertIn(HOSTILE, self.boxes())
        self.assertIn("]]><b>\"x\"&amp;'", self.boxes())
        self.assertIn("evil <script>alert(1)</script> \"&'", self.boxes())
        self.assertEqual(self.browser.run("return document.querySelectorAll('script').length"), 1)
        self.assertEqual(self.browser.run("return document.title"), "crunch --size 5000")
        self.click(HOSTILE)
        self.assertEqual(self.boxes()[HOSTILE]["label"], HOSTILE)
        self.assertEqual(self.browser.run("return document.querySelectorAll('script').length"), 1)

    def test_whose_code_it_is_shows_in_the_colour(self):
        boxes = self.boxes()
        hue = {}
        for whose, name in (("own", "crunch::main"), ("dependency", "regex::Regex::captures"),
                            ("std", "std::fs::read"), ("kernel", "ksys_read"), ("other", "cfree")):
            hue[whose] = hue_of(boxes[name]["fill"])
        hues = sorted(hue.values())
        apart = [(b - a) % 360 for a, b in zip(hues, hues[1:] + hues[:1])]
        self.assertGreaterEqual(min(apart), 25, hue)
        self.assertIn("own crates", self.browser.text("#key"))

    def test_the_key_adds_up(self):
        shares = [float(share) for share in re.findall(r"([\d.]+)%", self.browser.text("#key"))]
        self.assertAlmostEqual(sum(shares), 100, delta=0.5)


    def test_inlined_calls_are_marked(self):
        boxes = self.boxes()
        self.assertIn("i", boxes["core::str::<impl str>::split"]["classes"])
        self.assertNotIn("i", boxes["crunch::main"]["classes"])
        self.assertIn("inlined", self.browser.text("#key"))

    def test_notes_are_text_shown_with_the_heading(self):
        note = self.browser.run("return document.querySelector('#heading title').textContent")
        self.assertEqual(note, "<b>a note</b>")

    def test_one_thread_may_be_picked_and_fills_the_picture(self):
        self.browser.open(picture("svg-threads"))
        choose = """const select = document.querySelector('#threads');
            select.value = Array.from(select.options).find(option => option.textContent === arguments[0]).value;
            select.dispatchEvent(new Event('change'));"""
        self.browser.run(choose, "worker 1 (102)")
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["worker 1 (102)"]["width"], 100)
        self.assertAlmostEqual(boxes["weblog::checksum"]["width"], 100 * 48 / 198, places=3)
        self.assertNotIn("crunch::main", boxes)
        self.click("weblog::checksum")
        chosen = "const select = document.querySelector('#threads'); return select.options[select.selectedIndex].textContent"
        self.assertEqual(self.browser.run(chosen), "worker 1 (102)")
        self.browser.press(ESCAPE)
        self.assertEqual(self.browser.run(chosen), "all threads")

    def test_a_search_in_a_picture_without_narrow_boxes_says_at_least(self):
        self.search("^core|^crunch::main$")
        self.assertEqual(self.matched(), "matched 92.70%")
        self.browser.open(picture("svg-wide"))
        self.search("^core|^crunch::main$")
        self.assertRegex(self.matched(), r"matched at least (7\d|8\d|90)\.\d\d%")
        self.browser.open("about:blank")
        self.browser.open(picture("svg-wide") + "#search=.")
        self.assertRegex(self.matched(), r"matched at least (7\d|8\d|90)\.\d\d%")

    def test_callees_too_narrow_to_be_seen_do_not_leave_their_caller_empty(self):
        profile = os.path.join(ARGUMENTS[2], "narrow.profile")
        with open(profile, "w", encoding="utf-8") as file:
            file.writelines(f"1|app|own a main > own a dispatch > own a handler_{i}\n" for i in range(1000))
            file.write("49000|app|own a main > own a other\n")
        self.browser.open(picture("svg", profile))
        seen = [box for box in self.browser.run(BOXES) if box["name"].startswith("handler_")]
        self.assertTrue(0 < len(seen) < 1000, len(seen))
        # To within what is too narrow at the end of the row.
        self.assertAlmostEqual(sum(box["width"] for box in seen), 2, delta=100 / 1200)
        self.search("handler_")
        self.assertEqual(self.matched(), "matched 2.00%")
        self.browser.press(ESCAPE)
        # One that has no box of its own is marked where another stands for it.
        hidden = next(i for i in range(1000) if f"handler_{i}" not in {box["name"] for box in seen})
        self.search(f"^handler_{hidden}$")
        marked = [box for box in self.browser.run(BOXES) if "match" in box["classes"].split()]
        self.assertEqual(len(marked), 1)
        self.click("dispatch")
        marked = [box["name"] for box in self.browser.run(BOXES) if "match" in box["classes"].split()]
        self.assertEqual(marked, [f"handler_{hidden}"])
        seen = [box for box in self.browser.run(BOXES) if box["name"].startswith("handler_")]
        self.assertEqual(len(seen), 1000)
        self.assertAlmostEqual(max(box["width"] for box in seen), 0.1)
        self.assertEqual({round(hue_of(box["fill"])) for box in seen}, {18})

    def test_in_a_wider_window_more_boxes_can_be_seen(self):
        profile = os.path.join(ARGUMENTS[2], "wider.profile")
        with open(profile, "w", encoding="utf-8") as file:
            file.writelines(f"1|app|own a main > own a handler_{i}\n" for i in range(2000))
        path = picture("svg", profile)
        with open(path, encoding="utf-8") as file:
            in_file = file.read().count("<rect x=")
        self.assertTrue(500 < in_file < 1250, in_file)
        for width in (1200, 2400):
            with self.browser.sized(width, 700):
                self.browser.open("about:blank")
                self.browser.open(path)
                seen = [box for box in self.browser.run(BOXES) if box["name"].startswith("handler_")]
                self.assertAlmostEqual(len(seen), width if width > 2000 else 1000, delta=400)
                self.assertAlmostEqual(sum(box["width"] for box in seen), 100, delta=100 / width)
                self.assertEqual(len({box["x"] for box in seen}), len(seen))
                # What is made comes after what is in the file, and the keyboard goes by what is seen.
                self.browser.run("document.querySelector('#frames > g').focus()")
                for key in (UP, UP, UP, RIGHT, LEFT, RIGHT):
                    self.browser.press(key)
                told = "return document.activeElement.querySelector('title').textContent.split('\\n')[0]"
                self.assertIn(self.browser.run(told), {box["name"] for box in seen})

    def test_a_reversed_picture_begins_where_samples_were_taken(self):
        self.browser.open(picture("svg-reversed"))
        boxes = self.boxes()
        self.assertGreater(boxes["core::str::<impl str>::split"]["y"], boxes["weblog::record::parse"]["y"])
        self.assertAlmostEqual(boxes["core::str::<impl str>::split"]["width"], 34.0)
        self.assertIn("own crates 12.3%", self.browser.text("#key"))

    def test_a_chart_has_all_samples_in_their_threads(self):
        self.browser.open(picture("svg-chart"))
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["crunch (101)"]["width"], 78.0)
        self.assertLess(boxes["weblog::checksum"]["y"], boxes["worker 1 (102)"]["y"])

    def test_a_picture_of_a_given_width_keeps_it_and_its_palette(self):
        self.browser.open(picture("svg-hot-800"))
        self.assertEqual(self.browser.run("return document.querySelector('#frames rect').getBoundingClientRect().width"), 800)
        self.assertLess(self.browser.run("return document.querySelector('#search').getBoundingClientRect().right"), 800)
        red, _, blue = colours(self.boxes()["crunch::main"]["fill"])
        self.assertGreater(red, blue + 100)


class InOtherWindows(BrowserTest):
    def test_without_scripts_the_picture_is_readable(self):
        path = picture()
        with self.browser.without_scripts():
            self.browser.open(path)
            self.browser.screenshot(os.path.join(os.path.dirname(path), "without-scripts.png"))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(">weblog::record::parse</text>", text)
        self.assertIn(">drop</text>", text)

    def test_what_a_search_tells_is_readable_in_a_narrow_window(self):
        edges = "return ['#matched', '#turn'].map(what => document.querySelector(what).getBoundingClientRect())"
        with self.browser.sized(500, 700):
            self.browser.open(picture("svg-threads"))
            self.browser.type(self.browser.find("#search"), "main")
            first, last = self.browser.run(edges)
            self.browser.screenshot(os.path.join(ARGUMENTS[2], "narrow.png"))
            # The buttons make room for it.
            self.assertEqual(last["width"], 0)
            self.browser.press(ESCAPE)
            last = self.browser.run(edges)[1]
        self.assertGreaterEqual(first["left"], 0)
        self.assertTrue(0 < last["right"] <= 500)

    def test_the_heading_has_the_room_that_the_panel_leaves(self):
        with self.browser.sized(780, 700):
            self.browser.open("about:blank")
            self.browser.open(picture("svg-threads"))
            self.assertEqual(self.browser.run("return document.querySelector('#heading').firstChild.textContent"),
                             "crunch --size 5000")
            self.browser.type(self.browser.find("#search"), "main")
            ends, begins = self.browser.run("""return [document.querySelector('#heading').getBoundingClientRect().right,
                document.querySelector('#matched').getBoundingClientRect().left];""")
            self.assertLessEqual(ends, begins)

    def test_lines_that_are_too_long_say_that_they_go_on(self):
        lines = """return Array.from(document.querySelectorAll("#subtitle, #key text, #details")).filter(text => text.textContent)
            .map(text => [text.firstChild.textContent, text.getBBox().x + text.getBBox().width]);"""
        for width in (360, 760):
            with self.browser.sized(width, 700):
                self.browser.open("about:blank")
                self.browser.open(picture("svg-wide"))
                self.browser.move_to(self.browser.run(BOX_NAMED, "core::str::<impl str>::split")[webdriver.ELEMENT])
                wait_for(lambda: "split" in self.browser.text("#details"))
                shown = self.browser.run(lines)
                self.assertLessEqual(max(end for _, end in shown), width, shown)
                self.assertTrue(any("…" in text for text, _ in shown), shown)
                # What is left out is told where the rest of its line has no room.
                self.assertIn("boxes below", self.browser.text("#subtitle"))

    def test_a_dark_desktop_gets_a_dark_picture(self):
        with self.browser.dark():
            self.browser.open(picture())
            paper = self.browser.run("return getComputedStyle(document.querySelector('#paper')).fill")
            ink = self.browser.run("return getComputedStyle(document.querySelector('#frames text')).fill")
            self.browser.screenshot(os.path.join(ARGUMENTS[2], "dark.png"))
        self.assertLess(max(colours(paper)), 64)
        self.assertGreater(min(colours(ink)), 192)


def colours(text):
    return [int(part) for part in re.findall(r"\d+", text)[:3]]


def hue_of(text):
    red, green, blue = (part / 255 for part in colours(text))
    most, least = max(red, green, blue), min(red, green, blue)
    if most == red:
        hue = (green - blue) / (most - least) % 6
    elif most == green:
        hue = (blue - red) / (most - least) + 2
    else:
        hue = (red - green) / (most - least) + 4
    return 60 * hue


if __name__ == "__main__":
    if not webdriver.programs():
        print("skipped: chromium and chromedriver are not installed")
        sys.exit(77)
    ARGUMENTS = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
