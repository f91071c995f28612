"""A small workspace that has one of each kind of unit, and what rustc writes for it."""

import glob
import json
import os

from suite import ProjectTest, run, unit_files

MANIFEST = """
[workspace]
members = ["dep", "mac"]
[package]
name = "app"
version = "0.1.0"
edition = "2021"
build = "build.rs"
[features]
more = []
[dependencies]
dep = { path = "dep" }
mac = { path = "mac" }
[build-dependencies]
dep = { path = "dep" }
[profile.release]
lto = "fat"
"""
DEP = """
pub fn twice<T: Clone>(x: &T) -> Vec<T> { vec![x.clone(), x.clone()] }
pub fn used() -> usize { twice(&1u8).len() + twice(&'a').len() }
"""
MAC = """
extern crate proc_macro;
#[proc_macro]
pub fn seven(_: proc_macro::TokenStream) -> proc_macro::TokenStream { "7usize".parse().unwrap() }
"""
LIB = """
pub fn total(x: usize) -> usize { dep::twice(&x).len() + dep::twice(&String::new()).len() + mac::seven!() }
#[cfg(feature = "more")]
pub fn more(x: f64) -> usize { dep::twice(&x).len() }
#[cfg(special)]
pub fn special(x: f32) -> usize { dep::twice(&x).len() }
#[test]
fn works() { assert_eq!(total(1), 11); }
"""


def count(ir):
    """Lines and copies of LLVM IR, by the rule as it is written down."""
    lines = copies = 0
    inside = False
    for line in ir.split("\n"):
        if line.startswith("define "):
            inside = True
            copies += 1
        elif line == "}":
            inside = False
        elif inside and line.startswith("  ") and not line.startswith("   "):
            lines += 1
    return lines, copies


class LlvmLines(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("Cargo.toml", MANIFEST)
        self.write("build.rs", "fn main() { assert_eq!(dep::twice(&1).len(), 2); }\n")
        self.write("src/lib.rs", LIB)
        self.write("src/main.rs", 'fn main() { println!("{}", app::total(1)); }\n')
        self.write("tests/outside.rs", "#[test]\nfn total() { assert_eq!(app::total(2), 11); }\n")
        self.write("dep/Cargo.toml", '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("dep/src/lib.rs", DEP)
        self.write("mac/Cargo.toml", '[package]\nname = "mac"\nversion = "0.1.0"\n[lib]\nproc-macro = true\n')
        self.write("mac/src/lib.rs", MAC)

    def lines(self, *arguments, **changes):
        return run(["cargo", "llvmlines", *arguments], self.folder, **changes)

    def report(self, *arguments, **changes):
        result = self.lines("--format", "json", *arguments, **changes)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def crates(self, *arguments):
        return {row["name"] for row in self.report("--by", "crate", *arguments)["crates"]}

    def total(self, *arguments, **changes):
        report = self.report(*arguments, **changes)
        (rows,) = [report[key] for key in ("functions", "crates", "modules") if key in report]
        counted = "instructions" if "instructions" in report else "lines"
        self.assertEqual(sum(row[counted] for row in rows), report[counted])
        self.assertEqual(sum(row["copies"] for row in rows), report["copies"])
        return report[counted], report["copies"]

    def ours(self, pattern, profile="debug"):
        return unit_files(os.path.join(self.folder, "target", "llvmlines", profile), pattern)

    def expected(self, *arguments, package="app"):
        """What rustc writes for one target when cargo builds it for real, counted here."""
        folder = os.path.join(self.folder, "by-rustc")
        os.makedirs(folder, exist_ok=True)
        for old in os.listdir(folder):
            os.remove(os.path.join(folder, old))
        result = run(
            ["cargo", "rustc", "-p", package, *arguments, "--", "--emit=llvm-ir", "-Cno-prepopulate-passes"]
            + ["-o", os.path.join(folder, "x")],
            self.folder,
            CARGO_INCREMENTAL="0",
            CARGO_PROFILE_RELEASE_LTO="off",
            CARGO_TARGET_DIR=os.path.join(self.folder, "by-cargo"),
        )
        self.assertEqual(result.code, 0, result)
        (path,) = glob.glob(os.path.join(folder, "*.ll"))
        with open(path, encoding="utf-8") as file:
            return count(file.read())
