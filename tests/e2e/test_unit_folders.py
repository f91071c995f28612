"""Where cargo keeps each unit in a folder of its own, as nightly cargo does since Rust 1.100 and older ones when asked to."""

import json
import os
import re
import shutil
import unittest

from suite import ProjectTest, run, unit_files

OWN_FOLDERS = {"RUSTC_BOOTSTRAP": "1", "CARGO_UNSTABLE_BUILD_DIR_NEW_LAYOUT": "true"}
MANIFEST = """[package]
name = "app"
version = "0.1.0"
edition = "2021"
[lib]
crate-type = ["cdylib", "rlib"]
[profile.release]
strip = true
"""
LIB = '#[no_mangle] pub extern "C" fn shout(x: i32) { println!("{x}"); }\n#[test] fn one() { shout(1) }\n'


class UnitFolders(ProjectTest):
    def setUp(self):
        super().setUp()
        self.project(MANIFEST, src__lib_rs=LIB, src__main_rs="fn main() { app::shout(1) }\n")
        self.assertEqual(self.cargo("build").code, 0)
        if not os.path.isdir(os.path.join(self.folder, "target", "debug", "build", "app")):
            self.skipTest("this cargo knows of no folders of units")

    def cargo(self, *arguments):
        return run(["cargo", *arguments], self.folder, **OWN_FOLDERS)

    def succeed(self, *arguments):
        result = self.cargo(*arguments)
        self.assertEqual(result.code, 0, result)
        return result

    def test_what_cargo_stripped_is_linked_with_its_symbols(self):
        """Also beside what a cargo that has no such folders left behind."""
        self.assertEqual(run(["cargo", "build", "--release"], self.folder).code, 0)
        for selection in (["--bin", "app"], ["--lib"], ["--lib"], ["--bin", "app"], ["--lib"]):
            with self.subTest(selection):
                result = self.succeed("bloatc", "--release", *selection, "--format", "json")
                self.assertIn("shout", {row["name"] for row in json.loads(result.out)["functions"]}, result)

    def test_counts_that_are_damaged_are_made_again(self):
        first = self.succeed("llvmlines", "--lib")
        (path,) = unit_files(os.path.join(self.folder, "target", "llvmlines", "debug"), "app-*.llvmlines-*")
        for damage in (lambda: os.truncate(path, 20), lambda: os.remove(path)):
            damage()
            again = self.succeed("llvmlines", "--lib")
            self.assertEqual(again.out, first.out)
            self.assertIn("Checking app", again.err)
        self.assertNotIn("Checking app", self.succeed("llvmlines", "--lib").err)

    def test_a_file_tells_of_which_target_it_is(self):
        for arguments, pattern, phrase in (
            (["test", "--no-run", "--lib"], "app-" + 16 * "?", "holds the unit tests of app"),
            (["build", "--bin", "app"], "app", None),
        ):
            shutil.rmtree(os.path.join(self.folder, "target"))
            self.succeed(*arguments)
            (path,) = unit_files(os.path.join(self.folder, "target", "debug"), pattern)
            result = self.cargo("bloatc", "--diff", os.path.relpath(path, self.folder))
            if phrase:
                self.assert_fails(result, 2, phrase)
            else:
                self.assertRegex(result.err, f"Building the working tree as {re.escape(os.path.relpath(path, self.folder))} was: --profile dev")
                self.assertIn("nothing changed", result.out)


if __name__ == "__main__":
    unittest.main()
