"""What cargo's own options do to what is built, with each command that builds."""

import json
import unittest

from suite import ProjectTest, run

VERBS = ("bloatc", "llvmlines", "cprof")
FEATURES = """
[features]
default = ["usual"]
usual = []
more = []
"""
MAIN = """
#[cfg(feature = "usual")]
#[inline(never)]
fn usual() { println!("usual"); }
#[cfg(feature = "more")]
#[inline(never)]
fn more() { println!("more"); }
fn main() {
    #[cfg(feature = "usual")]
    usual();
    #[cfg(feature = "more")]
    more();
}
"""
BROKEN = "pub fn main() { missing_in_NAME() }\n"


def manifest(name, more=""):
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{more}'


class CargoOptions(ProjectTest):
    def cargo(self, verb, *arguments):
        return run(["cargo", verb, *arguments], self.folder)

    def start_workspace(self, *broken, file="main.rs", dependencies=""):
        """The package app and some that do not compile."""
        members = ", ".join(f'"{name}"' for name in ("app", *broken))
        self.write("Cargo.toml", f'[workspace]\nresolver = "2"\nmembers = [{members}]\n')
        self.write("app/Cargo.toml", manifest("app", FEATURES + dependencies))
        self.write("app/src/main.rs", MAIN)
        for name in broken:
            self.write(f"{name}/Cargo.toml", manifest(name))
            self.write(f"{name}/src/{file}", BROKEN.replace("NAME", name))

    def features_of(self, verb, *arguments):
        """Those whose functions are in the result, or that the program names when it runs."""
        if verb == "cprof":
            result = self.cargo(verb, "-o", "target/out.folded", *arguments)
            found = set(result.out.split())
        else:
            result = self.cargo(verb, "--format", "json", "-n", "0", *arguments)
            found = {row["name"] for row in json.loads(result.out)["functions"]} if result.code == 0 else set()
        self.assertEqual(result.code, 0, result)
        return {name for name in ("usual", "more") if name in found or f"app::{name}" in found}

    def test_features_are_those_that_were_chosen(self):
        self.start_workspace()
        for verb in VERBS:
            for options, expected in (((), {"usual"}), (("--all-features",), {"usual", "more"}),
                                      (("--no-default-features",), set()),
                                      (("--no-default-features", "--features", "more"), {"more"})):
                with self.subTest(verb=verb, options=options):
                    self.assertEqual(self.features_of(verb, *options), expected)

    def test_a_package_that_is_left_out_is_not_built(self):
        self.start_workspace("wrong")
        for verb in VERBS:
            with self.subTest(verb):
                # Where one program is to be chosen there are two, before either is built.
                self.assert_fails(self.cargo(verb, "--workspace"), 101 if verb == "llvmlines" else 2, "wrong")
                self.assertEqual(self.features_of(verb, "--workspace", "--exclude", "wrong"), {"usual"})

    def test_the_first_package_that_fails_is_the_last_unless_told_otherwise(self):
        dependencies = '[dependencies]\none = { path = "../one" }\ntwo = { path = "../two" }\n'
        self.start_workspace("one", "two", file="lib.rs", dependencies=dependencies)
        for verb in VERBS:
            for options, expected in ((("-j", "1"), 1), (("-j", "1", "--keep-going"), 2)):
                with self.subTest(verb=verb, options=options):
                    result = self.cargo(verb, "-p", "app", *options)
                    failed = sum(f"missing_in_{name}" in result.err for name in ("one", "two"))
                    self.assertEqual((result.code, failed), (101, expected), result)

    def test_a_newer_compiler_that_is_asked_for_can_be_done_without(self):
        self.project(manifest("app", 'rust-version = "1.999"\n' + FEATURES), src__main_rs=MAIN)
        for verb in VERBS:
            with self.subTest(verb):
                self.assert_fails(self.cargo(verb), 101, "1.999")
                self.assertEqual(self.features_of(verb, "--ignore-rust-version"), {"usual"})

    def test_a_lock_file_that_would_be_written_is_refused(self):
        self.start_workspace()
        for verb in VERBS:
            for option in ("--locked", "--frozen"):
                with self.subTest(verb=verb, option=option):
                    self.assert_fails(self.cargo(verb, option), 101, "Cargo.lock", option)
        self.assertEqual(run(["cargo", "generate-lockfile", "--offline"], self.folder).code, 0)
        for verb in VERBS:
            for option in ("--locked", "--frozen"):
                with self.subTest(verb=verb, option=option):
                    self.assertEqual(self.features_of(verb, option), {"usual"})

    def test_unstable_flags_are_cargos_to_judge(self):
        self.start_workspace()
        for verb in VERBS:
            with self.subTest(verb):
                self.assert_fails(self.cargo(verb, "-Z", "no-such-flag"), 101, "-Z")


if __name__ == "__main__":
    unittest.main(verbosity=1)
