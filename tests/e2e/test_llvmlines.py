"""cargo llvmlines with real cargo on a small workspace that has one of each kind of unit."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from suite import ProjectTest, environment, program, run

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

    def total(self, *arguments, **changes):
        report = self.report(*arguments, **changes)
        (rows,) = [report[key] for key in ("functions", "crates", "modules") if key in report]
        counted = "instructions" if "instructions" in report else "lines"
        self.assertEqual(sum(row[counted] for row in rows), report[counted])
        self.assertEqual(sum(row["copies"] for row in rows), report["copies"])
        return report[counted], report["copies"]

    def ours(self, pattern, profile="debug"):
        return glob.glob(os.path.join(self.folder, "target", "llvmlines", profile, "deps", pattern))

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


class Totals(LlvmLines):
    def test_they_are_those_of_the_ir_that_a_real_build_writes(self):
        for profile in [], ["--release"]:
            for target in ["--lib"], ["--bin", "app"], ["--test", "outside"]:
                with self.subTest(profile=profile, target=target):
                    self.assertEqual(self.total(*profile, *target), self.expected(*profile, *target))
            with self.subTest(profile=profile, target="dependency"):
                self.assertEqual(self.total(*profile, "-p", "dep"), self.expected(*profile, "--lib", package="dep"))

    def test_features_and_flags_for_rustc_count(self):
        plain = self.total("--lib")
        self.assertEqual(self.total("--lib", "--features", "more"), self.expected("--lib", "--features", "more"))
        self.assertGreater(self.total("--lib", RUSTFLAGS="--cfg special"), plain)
        self.write(".cargo/config.toml", '[build]\nrustflags = ["--cfg", "special"]\n')
        self.assertGreater(self.total("--lib"), plain)

    def test_link_time_optimisation_changes_nothing(self):
        totals = {
            self.total("--release", "--bin", "app", "--config", f"profile.release.lto={lto}")
            for lto in ("false", '"off"', '"thin"', '"fat"')
        }
        self.assertEqual(len(totals), 1)

    def test_instances_of_a_generic_are_one_row(self):
        report = self.report("--lib", "-f", "^dep::twice$")
        self.assertEqual([(row["name"], row["copies"]) for row in report["functions"]], [("dep::twice", 2)])

    def test_rows_are_sorted_by_what_was_asked_for(self):
        rows = lambda *arguments: self.report("--lib", *arguments)["functions"]
        for key in "lines", "copies":
            numbers = [row[key] for row in rows("--sort", key)]
            self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(rows(), rows("-s", "lines"))
        names = [row["name"] for row in rows("-s", "name")]
        self.assertEqual(names, sorted(names))
        self.assertEqual(set(names), {row["name"] for row in rows()})

    def test_the_manifest_may_stand_elsewhere(self):
        expected = self.total("--lib")
        manifest = os.path.join(self.folder, "Cargo.toml")
        for spelling in (["--manifest-path", manifest], ["-m", manifest]):
            result = run(["cargo", "llvmlines", "--format", "json", "--lib", *spelling], "/")
            self.assertEqual(result.code, 0, result)
            self.assertEqual((json.loads(result.out)["lines"], json.loads(result.out)["copies"]), expected)

    def test_several_targets_have_a_total_each(self):
        report = self.report()
        targets = {row["target"]: (row["lines"], row["copies"]) for row in report["targets"]}
        self.assertEqual(targets["lib app"], self.total("--lib"))
        self.assertEqual(targets["bin app"], self.total("--bin", "app"))
        self.assertEqual(len(targets), 2)
        self.assertEqual(report["lines"], sum(lines for lines, _ in targets.values()))
        table = self.lines("-n", "1").out
        self.assertRegex(table, r"\n +[\d,]+ +[\d,]+ lib app\n")
        self.assertEqual(table.count("(TOTAL)"), 2)

    def test_targets_of_one_name_are_told_apart_by_their_packages(self):
        for folder in ".", "dep":
            self.write(os.path.join(folder, "src/bin/extra.rs"), "fn main() {}\n")
        report = self.report("--workspace", "--bins")
        self.assertEqual(sorted(row["target"] for row in report["targets"]), ["bin app", "bin extra of app", "bin extra of dep"])
        table = self.lines("--workspace", "--bin", "extra").out
        self.assertRegex(table, r"\n +[\d,]+ +[\d,]+ bin extra of app\n")
        alone = self.report("-p", "dep", "--bin", "extra")
        self.assertEqual([row["target"] for row in alone["targets"]], ["bin extra"])

    def test_the_test_harness_is_in_only_where_it_was_asked_for(self):
        labels = lambda *arguments: sorted(row["target"] for row in self.report(*arguments)["targets"])
        self.assertEqual(labels("--tests"), ["bin app (test)", "lib app (test)", "test outside"])
        self.assertEqual(labels("--test", "outside"), ["test outside"])
        self.assertEqual(labels("--workspace", "--lib"), ["lib app", "lib dep", "proc-macro mac"])
        self.assertEqual(
            labels("--all-targets"), ["bin app", "bin app (test)", "lib app", "lib app (test)", "test outside"]
        )
        self.assertEqual(labels("--profile", "test"), ["bin app (test)", "lib app (test)"])
        self.assertEqual(self.total("--lib", "--profile", "test"), self.expected("--lib", "--profile", "test"))


class WholeGraph(LlvmLines):
    def test_the_dependencies_of_the_selection_are_counted_too(self):
        report = self.report("--bin", "app", "--deps")
        targets = {row["target"]: (row["lines"], row["copies"]) for row in report["targets"]}
        self.assertEqual(sorted(targets), ["bin app", "lib app", "lib dep"])
        self.assertEqual(targets["lib app"], self.total("--lib"))
        self.assertEqual(targets["lib dep"], self.total("-p", "dep"))
        self.assertEqual(report["lines"], sum(lines for lines, _ in targets.values()))
        self.assertEqual(sum(row["lines"] for row in report["functions"]), report["lines"])

    def test_counting_all_after_a_part_compiles_nothing(self):
        self.lines("--bin", "app")
        again = self.lines("--bin", "app", "--deps")
        self.assertNotIn("Checking", again.err)

    def test_verbose_says_what_was_counted_and_what_was_kept(self):
        told = lambda result: re.findall(r"^ *(Counted|Cached|Not counted) ([^:,\n]*)", result.err, re.MULTILINE)
        first = told(self.lines("-v", "--lib"))
        self.assertEqual(sorted(first), [
            ("Counted", "lib app"), ("Counted", "lib dep"), ("Not counted", "build-script-build"),
            ("Not counted", "dep"), ("Not counted", "mac"),
        ])
        self.write("src/lib.rs", LIB + "pub fn new() {}\n")
        self.assertIn(("Counted", "lib app"), told(self.lines("-v", "--lib")))
        self.assertIn(("Cached", "lib dep"), told(self.lines("-v", "--lib")))

    def test_all_groupings_add_up_to_the_same(self):
        total = self.total("--deps")
        for by in "function", "generic", "crate", "module":
            for more in [], ["--split"]:
                self.assertEqual(self.total("--deps", "--by", by, *more), total)

    def crates(self, *arguments):
        return {row["name"] for row in self.report("--by", "crate", *arguments)["crates"]}

    def test_crates_of_one_name_are_told_apart_by_what_they_are(self):
        # The library's generics are in the program, also where only that is asked for.
        self.write("src/lib.rs", LIB + "pub fn both<T>(x: T) -> T { x }\n")
        self.write("src/main.rs", 'fn main() { println!("{}", app::both(app::total(1))); }\n')
        self.write("dep/tests/outside.rs", "#[test]\nfn used() { assert_eq!(dep::used(), 4); }\n")
        self.assertLessEqual({"app"}, self.crates("--lib"))
        self.assertLessEqual({"app (lib)", "app (bin)"}, self.crates("--bin", "app"))
        names = self.crates("--workspace", "--all-targets")
        targets = {"app (lib)", "app (bin)", "app (lib test)", "app (bin test)"}
        self.assertLessEqual(targets | {"outside (test of app)", "outside (test of dep)"}, names)
        self.assertEqual([name for name in names if name.startswith("app") and name not in targets], [])

    def test_functions_say_what_was_asked_about_inlining(self):
        attributes = {"plain": "", "hinted": "#[inline]", "forced": "#[inline(always)]", "kept": "#[inline(never)]"}
        self.write("src/lib.rs", "".join(f"{text} pub fn {name}<T>(x: T) -> T {{ x }}\n" for name, text in attributes.items())
                   + "pub fn all() -> u8 { kept(forced(hinted(plain(1)))) }\n")
        found = {row["name"]: row["inline"] for row in self.report("--lib")["functions"]}
        for name, expected in ("plain", ""), ("hinted", "inline"), ("forced", "always"), ("kept", "never"):
            self.assertEqual(found[f"app::{name}"], expected)
        self.assertNotIn("inline", self.report("--lib", "--by", "crate")["crates"][0])

    def test_crates_are_those_whose_source_it_is(self):
        rows = {row["name"]: row for row in self.report("--lib", "--by", "crate")["crates"]}
        self.assertIn("alloc", rows)
        self.assertIn("dep", rows)
        self.assertEqual(rows["dep"]["copies"], 2)

    def test_instructions_are_what_the_ir_has_without_the_ends_of_switches(self):
        self.write("src/lib.rs", LIB + "pub fn pick(x: u8) -> u8 { match x { 1 => 7, 2 => 9, 40 => 3, _ => x } }\n")
        self.lines("--lib", "--keep-ir")
        (path,) = self.ours("app-*.ll")
        with open(path, encoding="utf-8") as file:
            brackets = file.read().count("\n  ]")
        lines, copies = self.total("--lib")
        self.assertGreater(brackets, 0)
        self.assertEqual(self.total("--lib", "--count", "instructions"), (lines - brackets, copies))

    @staticmethod
    def with_legacy_names(printed):
        """Lines, copies and names of the rows; how far they add up depends on the others."""
        rows = [re.sub(r"\([^)]*%\)", "", row).split(maxsplit=2) for row in printed.splitlines()[2:]]
        return {tuple(row) for row in rows if not re.search(r"\[[0-9a-f]{16}\]", row[2])}

    def test_compat_prints_what_cargo_llvm_lines_prints(self):
        folder = os.path.join(self.folder, "legacy")
        os.mkdir(folder)
        result = run(["rustc", "--crate-type", "lib", "-Copt-level=0", "-Cno-prepopulate-passes", "-Ccodegen-units=1",
                      "--emit=llvm-ir", "-o", os.path.join(folder, "x.ll"), "dep/src/lib.rs"], self.folder)
        self.assertEqual(result.code, 0, result)
        ours = run(["cargo", "llvmlines", "--compat", "legacy/x.ll"], self.folder)
        with open(os.path.join(folder, "x.ll"), encoding="utf-8") as file:
            lines, copies = count(file.read())
        head, under, total, *rows = ours.out.splitlines()
        self.assertEqual(head.split(), ["Lines", "Copies", "Function", "name"])
        self.assertEqual(total.split(), [str(lines), str(copies), "(TOTAL)"])
        self.assertNotRegex(ours.out, "::h[0-9a-f]{16}")
        peer = shutil.which("cargo-llvm-lines")
        if peer:
            theirs = run([peer, "llvm-lines", "--files", "legacy/x.ll"], self.folder).out
            # What std has instantiated has v0 names, which the peer leaves as they are.
            self.assertEqual(self.with_legacy_names(theirs) - self.with_legacy_names(ours.out), set())

    def test_another_folder_and_another_run_say_the_same(self):
        first = self.lines("--deps", "--format", "csv").out
        self.assertEqual(self.lines("--deps", "--format", "csv").out, first)
        other = os.path.join(self.folder, "elsewhere")
        os.mkdir(other)
        for name in os.listdir(self.folder):
            if name not in ("target", "elsewhere"):
                shutil.move(os.path.join(self.folder, name), other)
        moved = run(["cargo", "llvmlines", "--deps", "--format", "csv"], other)
        self.assertEqual(moved.out, first)


class Sizes(LlvmLines):
    def sizes(self, *arguments, **changes):
        report = self.report("--sizes", "--no-advice", *arguments, **changes)
        (rows,) = [report[key] for key in ("functions", "crates", "modules") if key in report]
        parts = [report[f"{part}-size"] for part in ("elsewhere", "ambiguous", "other", "gap")]
        self.assertEqual(report["size"] + sum(parts), report["text-section-size"])
        for key in "size", "inferred-size", "elsewhere-size":
            self.assertEqual(sum(row[key] for row in rows), report[key])
        return report

    def generics(self, *arguments):
        """What cargo bloatc says of the same build: the sizes of all rows of a name."""
        result = run(["cargo", "bloatc", "--exact", "--by", "generic", "--format", "json", *arguments], self.folder)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        sizes = {}
        for row in report["generics"]:
            sizes.setdefault(row["name"], []).append(row["size"])
        return report["text-section-size"], sizes

    def test_each_generic_has_the_bytes_that_cargo_bloatc_finds(self):
        self.write("src/lib.rs", LIB + "#[inline(never)]\npub fn kept(x: &str) -> usize { x.len() * 3 }\n")
        self.write("src/main.rs", 'fn main() { println!("{} {}", app::total(1), app::kept(&std::env::args().next().unwrap())); }\n')
        for profile in ["--release"], []:
            text, expected = self.generics(*profile)
            for selection in ["--bin", "app", "--deps"], ["--bin", "app"]:
                with self.subTest(profile=profile, selection=selection):
                    report = self.sizes(*profile, *selection)
                    self.assertEqual(report["text-section-size"], text)
                    self.assertEqual((report["inferred-size"], report["ambiguous-size"]), (0, 0))
                    rows = {}
                    for row in report["functions"]:
                        name = re.sub(r" \(.*#.*\)$", "", row["name"])
                        rows.setdefault(name, []).append(row["size"] + row["elsewhere-size"])
                    # The name of what is generic in its self type shows the type of one of its instances.
                    compared = [name for name in rows if name in expected]
                    self.assertGreater(len(compared), len(rows) * 0.05)
                    for name in compared:
                        for size in rows[name]:
                            self.assertTrue(size == 0 or size in expected[name] or size == sum(expected[name]),
                                            (name, size, expected[name]))
                    if "--deps" in selection:
                        kept = {row["name"]: row for row in report["functions"]}["app::kept"]
                        self.assertEqual(([kept["size"]], kept["left"]), (expected["app::kept"], 1))

    def test_code_of_what_was_not_counted_is_in_no_row(self):
        # The library and the program are two crates of one name.
        own = self.sizes("--bin", "app")
        both = self.sizes()
        whole = self.sizes("--bin", "app", "--deps")
        self.assertEqual(own["text-section-size"], whole["text-section-size"])
        self.assertLess(own["size"], both["size"])
        self.assertLess(both["size"], whole["size"])
        rows = {row["name"]: row for row in own["functions"]}
        self.assertEqual(rows["app::main"]["left"], 1)
        self.assertNotIn("app::total", rows)

    def test_all_groupings_add_up_to_the_code_and_the_order_is_what_was_asked_for(self):
        for by in "function", "generic", "crate", "module":
            for more in [], ["--split"]:
                with self.subTest(by=by, more=more):
                    report = self.sizes("--bin", "app", "--deps", "--by", by, "-s", "size", *more)
                    (rows,) = [report[key] for key in ("functions", "crates", "modules") if key in report]
                    sizes = [row["size"] for row in rows]
                    self.assertEqual(sizes, sorted(sizes, reverse=True))
                    self.assertGreater(sizes[0], 0)

    def test_a_library_is_measured_by_its_own_code(self):
        self.write("Cargo.toml", MANIFEST.replace('lto = "fat"', ""))
        report = self.sizes("-p", "dep", "--release")
        self.assertEqual((report["elsewhere-size"], report["other-size"]), (0, 0))
        self.assertGreater(report["size"], 0)
        self.assertIn("libdep.rlib", self.lines("-p", "dep", "--release", "--sizes").out)
        more = self.sizes("--lib", "--deps", "--release")
        self.assertGreater(more["size"], report["size"])
        self.assertEqual(sum(1 for row in more["targets"]), 2)

    def test_a_file_that_was_built_before_may_be_compared_with(self):
        self.assertEqual(run(["cargo", "build"], self.folder).code, 0)
        binary = os.path.join("target", "debug", "app")
        report = self.sizes("--bin", "app", "--deps", "--binary", binary)
        rows = {row["name"]: row for row in report["functions"]}
        self.assertEqual(rows["app::main"]["left"], 1)
        self.assertGreater(rows["dep::twice"]["size"], 0)
        if report["inferred-size"] > 0:  # legacy names
            self.assertRegex(self.lines("--bin", "app", "--deps", "--binary", binary).out, r"B are inferred: ")

    def test_what_no_program_has_is_refused_in_one_line(self):
        self.write("src/bin/other.rs", "fn main() {}\n")
        self.assert_fails(self.lines("--sizes", "-q"), 2, "several targets could be meant: app, other", "--bin app")
        os.remove(os.path.join(self.folder, "src/bin/other.rs"))
        self.write("Cargo.toml", MANIFEST.replace('"mac"', '"mac", "alone"', 1))
        self.write("alone/Cargo.toml", '[package]\nname = "alone"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("alone/src/lib.rs", "pub fn alone() {}\n")
        self.assert_fails(self.lines("--sizes", "-q", "--workspace"), 2,
                          "--sizes measures one program, app, and lib alone is no part of it", "hint: ")
        self.assert_fails(self.lines("-s", "size"), 2, "--sort size goes with --sizes or --binary")

    def test_a_crate_that_comes_in_twice_is_compared_with_itself(self):
        saved = {by: self.lines("--bin", "app", "--deps", "--by", by, "-o", by + ".json", "-q") for by in ("crate", "generic")}
        self.assertEqual({result.code for result in saved.values()}, {0}, saved)
        self.write("old/Cargo.toml", '[package]\nname = "dep"\nversion = "0.0.9"\nedition = "2021"\n')
        self.write("old/src/lib.rs", DEP)
        self.write("Cargo.toml", MANIFEST.replace("members", 'exclude = ["old"]\nmembers').replace(
            "[build-dep", 'old = { package = "dep", path = "old" }\n[build-dep'))
        crates = self.report("--bin", "app", "--deps", "--by", "crate", "--diff", "crate.json", "-q")["crates"]
        self.assertEqual([(row["name"], row["status"]) for row in crates if row["name"].startswith("dep")],
                         [("dep@0.0.9", "new")])
        functions = self.report("--bin", "app", "--deps", "--diff", "generic.json", "-q")["functions"]
        self.assertEqual({(row["name"], row["status"]) for row in functions if row["name"].startswith("dep")},
                         {("dep@0.0.9::twice", "new"), ("dep@0.0.9::used", "new")})

    def test_a_comparison_goes_by_what_the_order_goes_by(self):
        result = self.lines("--bin", "app", "--deps", "--sizes", "-o", "old.json", "-q", "--no-advice")
        self.assertEqual(result.code, 0, result)
        self.write("src/main.rs", 'fn main() { println!("{}", app::total(1)); println!("{:?}", dep::twice(&1.5)); }\n')
        changed = self.report("--bin", "app", "--deps", "--sizes", "-s", "size", "--diff", "old.json")
        self.assertGreater(changed["size-after"], changed["size-before"])
        for key in "size-difference", "lines-difference", "copies-difference", "left-difference":
            self.assertIn(key, changed["functions"][0])
        self.assertEqual(sum(row["size-difference"] for row in changed["functions"]),
                         changed["size-after"] - changed["size-before"])

    def test_what_cargo_bloatc_has_built_is_not_built_again(self):
        self.generics("--release")
        self.lines("--release", "--bin", "app")
        self.assertNotIn("Compiling", self.lines("--release", "--bin", "app", "--sizes").err)


class Causes(LlvmLines):
    def test_instances_and_callers_add_up_to_the_group(self):
        for row in self.report("--deps")["functions"][:12]:
            for question in "instances", "callers":
                answer = self.report("--deps", f"--{question}", row["name"])
                with self.subTest(name=row["name"], question=question):
                    self.assertEqual((answer["lines"], answer["copies"]), (row["lines"], row["copies"]))
                    self.assertEqual(sum(one["lines"] for one in answer[question]), row["lines"])
                    self.assertEqual(sum(one.get("copies", 1) for one in answer[question]), row["copies"])

    def test_the_ways_lead_from_own_functions_through_dependencies(self):
        report = self.report("--deps", "--callers", "dep::twice")
        paths = {row["name"]: (row["copies"], row["path"]) for row in report["callers"]}
        self.assertEqual(paths["app::total"], (2, "app::total > dep::twice"))
        self.assertEqual(paths["dep::used"], (2, "dep::used > dep::twice"))

    def test_types_tell_the_instances_of_a_generic_apart(self):
        rows = self.report("--lib", "--instances", "twice")["instances"]
        self.assertEqual(sorted(row["types"] for row in rows), ["alloc::string::String", "usize"])
        self.assertEqual({row["target"] for row in rows}, {"lib app"})

    def test_what_several_crates_have_is_told_with_who_could_have_it(self):
        # A release build shares no instances between crates, whatever they ask for.
        self.write("src/lib.rs", LIB + "pub fn again() -> usize { dep::twice(&1u8).len() }\n")
        report = self.report("--release", "--dups")
        rows = {row["name"]: row for row in report["functions"]}
        self.assertEqual((rows["dep::twice"]["extra-copies"], rows["dep::twice"]["owner"]), (1, "lib dep"))
        for key in "extra-lines", "extra-copies":
            self.assertEqual(sum(row[key] for row in report["functions"]), report[key])
            self.assertEqual(sum(row[key] for row in report["targets"]), report[key])
        total = self.report("--release", "--deps", "--by", "function")
        self.assertEqual(report["lines"], total["lines"])
        self.assertEqual(report["extra-copies"], sum(row["copies"] - 1 for row in total["functions"]))

    def test_a_picture_shows_all_generics(self):
        result = self.lines("--deps", "-o", "lines.html", "-o", "lines.svg")
        self.assertEqual(result.code, 0, result)
        for name in "lines.html", "lines.svg":
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("dep::twice", text)
            self.assertIn("lines of LLVM IR in", text)
        self.assert_fails(self.lines("--by", "crate", "-o", "x.html"), 2, "pictures show all generics")

    def test_a_picture_shows_what_the_filter_takes_and_says_so(self):
        result = self.lines("--deps", "-f", "^dep::twice$", "-o", "lines.html", "-o", "lines.json")
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "lines.json"), encoding="utf-8") as file:
            shown = sum(row["lines"] for row in json.load(file)["functions"])
        with open(os.path.join(self.folder, "lines.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(f">what matches ^dep::twice$: {shown} of ", text)
        names = re.findall(r'\[3,\d+,"..",("[^"]*")', text)
        self.assertEqual(names + re.findall(r'\[2,\d+,"..",("[^"]*")', text), ['"dep::twice"'])

    def test_a_name_that_nothing_has_is_said(self):
        self.assert_fails(self.lines("--callers", "nowhere"), 1, 'no function is called "nowhere"', "hint: ")
        self.assert_fails(self.lines("--callers", "a", "--dups"), 2, "--callers goes without --dups")


class UnusualTargets(LlvmLines):
    def test_several_crate_types_c_and_names_that_are_not_rusts_count_as_in_a_real_build(self):
        self.write("Cargo.toml", MANIFEST + '[lib]\ncrate-type = ["cdylib", "rlib", "staticlib"]\n')
        self.write("c/add.c", "int add(int a, int b) { return a + b; }\n")
        self.write("build.rs", """
            use std::process::Command;
            fn main() {
                let out = std::env::var("OUT_DIR").unwrap();
                let object = format!("{out}/add.o");
                let library = format!("{out}/libadd.a");
                assert!(Command::new("cc").args(["-c", "c/add.c", "-o", &object]).status().unwrap().success());
                assert!(Command::new("ar").args(["crs", &library, &object]).status().unwrap().success());
                println!("cargo:rustc-link-search={out}\\ncargo:rustc-link-lib=static=add");
            }
        """)
        self.write("src/lib.rs", LIB + """
            extern "C" { fn add(a: i32, b: i32) -> i32; }
            #[no_mangle] pub extern "C" fn plain_name() -> i32 { unsafe { add(1, 2) } }
            #[cfg(feature = "more")]
            #[export_name = "a \\"quoted\\" name"] pub extern "C" fn quoted() -> usize { dep::twice(&1u16).len() }
        """)
        for profile in [], ["--release"]:
            with self.subTest(profile=profile):
                self.assertEqual(self.total(*profile, "--lib"), self.expected(*profile, "--lib"))
        names = {row["name"]: row["copies"] for row in self.report("--lib", "--features", "more")["functions"]}
        self.assertEqual((names["plain_name"], names['a "quoted" name']), (1, 1))
        paths = [row["path"] for row in self.report("--lib", "--features", "more", "--callers", "dep::twice")["callers"]]
        self.assertIn('a "quoted" name > dep::twice', paths)

    def test_a_macros_own_tests_are_a_target_like_others(self):
        self.write("mac/src/lib.rs", MAC + "#[test]\nfn works() { assert_eq!(1 + 1, 2); }\n")
        report = self.report("-p", "mac", "--tests")
        self.assertEqual([row["target"] for row in report["targets"]], ["proc-macro mac (test)"])
        self.assertGreater(report["lines"], 0)

    def test_groups_are_the_same_whichever_way_names_are_mangled(self):
        groups = {}
        for mangling in "legacy", "v0":
            flags = ["-Csymbol-mangling-version=v0"] if mangling == "v0" else []
            path = os.path.join(self.folder, f"{mangling}.ll")
            result = run(["rustc", "--edition", "2021", "--crate-type", "lib", "-Cno-prepopulate-passes", "-Ccodegen-units=1",
                          *flags, "--emit=llvm-ir", "-o", path, "dep/src/lib.rs"], self.folder)
            self.assertEqual(result.code, 0, result)
            with open(path, encoding="utf-8") as file:
                # What is std's own has v0 names already.
                has_legacy = re.search("(?m)^define .*@_ZN", file.read()) is not None
            if mangling == "legacy" and not has_legacy:
                self.skipTest("this compiler has no legacy names")
            self.assertEqual(has_legacy, mangling == "legacy")
            rows = json.loads(self.lines("--format", "json", path).out)["functions"]
            groups[mangling] = {}
            for row in rows:
                # Legacy names do not tell impls apart that differ in their parameters alone.
                name = re.sub(r" \(impl#.*\)$", "", row["name"])
                before = groups[mangling].get(name, (0, 0))
                groups[mangling][name] = (before[0] + row["lines"], before[1] + row["copies"])
        self.assertEqual(groups["legacy"], groups["v0"])


class Cache(LlvmLines):
    def test_what_did_not_change_is_not_compiled_again(self):
        first = self.lines()
        self.assertIn("app v0.1.0", first.err)
        second = self.lines()
        self.assertEqual(second.out, first.out)
        self.assertNotIn("app v0.1.0", second.err)
        self.write("src/main.rs", 'fn main() { println!("{}", app::total(1) + app::total(2)); }\n')
        third = self.lines()
        self.assertNotEqual(third.out, first.out)
        self.assertNotIn("dep v0.1.0", third.err)

    def test_the_users_own_build_is_left_alone(self):
        run(["cargo", "build"], self.folder)
        self.lines()
        again = run(["cargo", "build"], self.folder)
        self.assertNotIn("Compiling", again.err)

    def test_the_ir_is_gone_afterwards_unless_it_is_to_be_kept(self):
        first = self.lines("--lib")
        self.assertEqual(self.ours("*.ll"), [])
        kept = self.lines("--lib", "--keep-ir")
        self.assertEqual(kept.out, first.out)
        (path,) = self.ours("app-*.ll")
        self.assertIn(f"Kept {path}", kept.err)
        again = self.lines("--lib", "--keep-ir")
        self.assertNotIn("Checking", again.err)
        counted = self.lines(path)
        self.assertEqual(counted.out, first.out)

    def test_counts_that_are_missing_or_damaged_are_made_again(self):
        first = self.lines("--lib")
        (path,) = self.ours("app-*.llvmlines-2")
        with open(path, "rb") as file:
            whole = file.read()
        damages = {
            "missing": None,
            "empty": b"",
            "cut": whole[:-9],
            "changed": whole[:40] + bytes([whole[40] ^ 1]) + whole[41:],
            "another version": whole.replace(b"counts 2", b"counts 1"),
            "a folder": path,
        }
        for name, content in damages.items():
            with self.subTest(name):
                os.remove(path)
                if content == path:
                    os.makedirs(os.path.join(path, "inner", "more"))
                elif content is not None:
                    with open(path, "wb") as file:
                        file.write(content)
                again = self.lines("--lib")
                self.assertEqual((again.code, again.out), (0, first.out), again)
                self.assertIn("Checking app", again.err)
                self.assertNotIn("dep v0.1.0", again.err)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), whole)

    def test_counts_older_than_the_unit_are_made_again(self):
        first = self.lines("--lib")
        (path,) = self.ours("app-*.llvmlines-2")
        os.utime(path, (1000000000, 1000000000))
        again = self.lines("--lib")
        self.assertEqual(again.out, first.out)
        self.assertIn("Checking app", again.err)

    def test_two_runs_at_once_say_the_same(self):
        command = ["cargo", "llvmlines", "--format", "csv"]
        runs = [
            subprocess.Popen(
                command, cwd=self.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            for _ in range(2)
        ]
        outputs = [process.communicate(timeout=300)[0] for process in runs]
        self.assertEqual([process.returncode for process in runs], [0, 0])
        self.assertEqual(outputs[0], outputs[1])
        self.assertGreater(len(outputs[0]), 100)

    def test_the_user_s_own_build_directory_is_left_alone_however_it_is_set(self):
        apart = os.path.join(self.folder, "apart")
        total = self.total("--lib")
        self.assertEqual(self.total("--lib", CARGO_BUILD_BUILD_DIR=apart), total)
        self.assertEqual(self.total("--lib", "--config", f'build.build-dir="{apart}"'), total)
        self.assertFalse(os.path.exists(apart))


class HostUnits(LlvmLines):
    def test_build_scripts_and_macros_that_run_compile_as_always_and_are_not_counted(self):
        self.assertEqual(self.lines().code, 0)
        names = sorted(re.sub(r"-[0-9a-f]{16}.*", "", os.path.basename(path)) for path in self.ours("*.llvmlines-2"))
        self.assertEqual(names, ["app", "app", "dep"])
        self.assertEqual(len(self.ours("libdep-*.rlib")), 1)
        self.assertEqual(len(self.ours("libmac-*.so")), 1)

    def test_a_macro_is_counted_when_it_is_asked_for(self):
        self.assertEqual(self.total("-p", "mac"), self.expected("--lib", package="mac"))
        report = self.report("-p", "mac", "-p", "app", "--lib")
        self.assertEqual([row["target"] for row in report["targets"]], ["proc-macro mac", "lib app"])


class OtherWrappers(LlvmLines):
    def wrapper(self, name):
        log = os.path.join(self.folder, name + ".log")
        path = self.write("tools/" + name, f'#!/bin/sh\necho "$@" >> {log}\nexec "$@"\n')
        os.chmod(path, 0o755)
        return path, log

    def assert_logged(self, log):
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"/rustc .*--crate-name app .*--emit=llvm-ir")
        os.remove(log)

    def assert_chained(self, path, log, **changes):
        self.assertEqual(self.total("--lib", **changes), self.total("--lib", "--target-dir", "other"))
        self.assert_logged(log)

    def test_one_in_the_environment_is_chained(self):
        path, log = self.wrapper("first")
        self.assert_chained(path, log, RUSTC_WRAPPER=path)

    def test_one_in_the_environment_of_the_configuration_is_chained(self):
        path, log = self.wrapper("second")
        self.assert_chained(path, log, CARGO_BUILD_RUSTC_WRAPPER=path)

    def test_one_for_workspace_members_is_chained(self):
        path, log = self.wrapper("third")
        self.assert_chained(path, log, RUSTC_WORKSPACE_WRAPPER=path)

    def test_both_kinds_are_chained(self):
        first, first_log = self.wrapper("fourth")
        second, second_log = self.wrapper("fifth")
        self.total("--lib", RUSTC_WRAPPER=first, RUSTC_WORKSPACE_WRAPPER=second)
        self.assert_logged(first_log)
        self.assert_logged(second_log)

    def test_one_in_a_configuration_file_is_chained(self):
        path, log = self.wrapper("sixth")
        self.write(".cargo/config.toml", '[build]\nrustc-wrapper = "tools/sixth"\n')
        self.total("--lib")
        self.assert_logged(log)
        self.assertEqual(self.lines("--lib", "--target-dir", "other", RUSTC_WRAPPER="").code, 0)
        self.assertFalse(os.path.exists(log))

    def test_one_on_the_command_line_is_chained(self):
        path, log = self.wrapper("seventh")
        self.total("--lib", "--config", f"build.rustc-wrapper='{path}'")
        self.assert_logged(log)


class Failures(LlvmLines):
    def test_a_crate_that_does_not_compile_ends_with_what_cargo_says(self):
        good = self.total("--lib")
        self.write("src/lib.rs", LIB + "fn wrong( {}\n")
        result = self.lines("--lib")
        self.assert_fails(result, 101, "error: ", "could not compile `app`", "cargo-llvmlines: error: cargo check")
        self.assertEqual(self.ours("*.ll"), [])
        self.write("src/lib.rs", LIB)
        self.assertEqual(self.total("--lib"), good)

    def bad_compiler(self, commands):
        """A wrapper that does something after rustc has compiled the library; $ir is what rustc wrote."""
        path = self.write(
            "tools/bad",
            '#!/bin/bash\n"$@" || exit\ncase "$*" in *"--crate-name app "*llvm-ir*) ;; *) exit 0;; esac\n'
            f"ir=$(ls {self.folder}/target/llvmlines/debug/deps/app-*.ll)\n{commands}\n",
        )
        os.chmod(path, 0o755)
        return path

    def test_ir_that_is_cut_off_fails_and_the_next_run_is_right(self):
        good = self.total("--lib", "--target-dir", "other")
        for name, commands in {
            "truncated": 'truncate -s 3000 "$ir"',
            "not LLVM IR": 'echo hello > "$ir"',
            "No such file": 'rm "$ir"',
        }.items():
            with self.subTest(name):
                self.write("src/lib.rs", LIB + f"// {name}\n")
                result = self.lines("--lib", RUSTC_WRAPPER=self.bad_compiler(commands))
                self.assert_fails(result, 101, "cargo-llvmlines: error: ", name)
                self.assertEqual(self.ours("*.ll"), [])
                self.assertEqual(self.total("--lib"), good)

    def test_a_compiler_that_fails_or_is_killed_leaves_nothing(self):
        for name, commands in {"exit 3": "exit 3", "signal": "kill -9 $$"}.items():
            with self.subTest(name):
                result = self.lines("--lib", RUSTC_WRAPPER=self.bad_compiler(commands))
                self.assertEqual(result.code, 101, result)
                self.assertEqual(self.ours("*.ll"), [])
        self.assertEqual(self.lines("--lib").code, 0)

    def test_a_full_disk_fails_and_the_next_run_is_right(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", disk], capture_output=True).returncode:
            self.skipTest("needs the right to mount")
        # No build script and no macro, which would be linked: linkers crash on a full disk.
        self.write("Cargo.toml", '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\nbuild = false\n')
        body = "".join(f"pub fn f{i}(x: Vec<u{8 << i % 4}>) -> String {{ format!(\"{{x:?}}\") }}\n" for i in range(50))
        self.write("src/lib.rs", body)
        try:
            result = self.lines("--lib", "--target-dir", disk)
            self.assertNotEqual(result.code, 0, result)
            self.assertIn("No space left", result.err)
            subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            self.assertEqual(self.total("--lib", "--target-dir", disk), self.total("--lib"))
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_target_directory_that_cannot_be_written_to_is_one_line(self):
        self.write("file", "")
        result = self.lines("--target-dir", "file")
        self.assert_fails(result, 1, "cannot write to the target directory", "Not a directory")
        self.assertEqual(result.err.count("\n"), 1, result)

    def test_an_interrupt_is_one_line_and_the_next_run_is_right(self):
        # The shell itself waits: it would outlive an interrupt that its child does not end by.
        slow = self.bad_compiler("mkfifo never; : >started; read -r <>never")
        process = subprocess.Popen(
            ["cargo", "llvmlines", "--lib"],
            cwd=self.folder,
            env=environment(RUSTC_WRAPPER=slow),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        started = os.path.join(self.folder, "started")
        for _ in range(600):
            if os.path.exists(started):
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual(out, b"")
        self.assertIn(b"cargo-llvmlines: error: interrupted", err)
        self.assertIn(process.returncode, (130, -2), err)
        for _ in range(100):
            if not self.ours("*.ll"):
                break
            time.sleep(0.1)
        self.assertEqual(self.ours("*.ll"), [])
        self.assertEqual(self.lines("--lib").code, 0)

    def test_what_cargo_refuses_has_cargos_code(self):
        self.assert_fails(self.lines("--bin", "none"), 101, "no bin target named `none`")
        self.assert_fails(self.lines("--profile", "none"), 101, "profile `none` is not defined")

    def test_a_bad_filter_is_said_before_anything_is_compiled(self):
        self.assert_fails(self.lines("--lib", "-f", "("), 2, 'bad regular expression "("')
        self.assertFalse(os.path.exists(os.path.join(self.folder, "target")))

    def test_a_library_of_generics_alone_is_explained(self):
        self.write("dep/src/lib.rs", "pub fn twice<T: Clone>(x: T) -> (T, T) { (x.clone(), x) }\n")
        empty = self.lines("-p", "dep")
        self.assertEqual(empty.code, 0)
        self.assertRegex(empty.out, r"(?m)^ +0 .*\(TOTAL\)$")
        self.assertIn("generics and inline functions become code in the crates that call them", empty.out)

    def test_nothing_to_count_is_said(self):
        self.assert_fails(self.lines("--lib", "-p", "app", "-f", "^nowhere$"), 1, 'no function\'s name matches "^nowhere$"')


class Wrapper(LlvmLines):
    def wrap(self, *arguments, **changes):
        return run([program("cargo-llvmlines"), *arguments], self.folder, **changes)

    def test_only_the_variable_makes_it_one(self):
        self.assertEqual(self.wrap("echo", "hello").out, "")
        self.assertEqual(self.wrap("echo", "hello", CARGO_LLVMLINES_RUSTC_WRAPPER="1").out, "hello\n")

    def test_the_compilers_exit_code_is_its_own(self):
        self.assertEqual(self.wrap("sh", "-c", "exit 7", CARGO_LLVMLINES_RUSTC_WRAPPER="1").code, 7)
        result = self.wrap("/nowhere/rustc", CARGO_LLVMLINES_RUSTC_WRAPPER="1")
        self.assert_fails(result, 1, "cargo-llvmlines: error: start /nowhere/rustc: No such file or directory")

    def test_ending_it_while_it_counts_leaves_no_ir(self):
        ir = os.path.join(self.folder, "x-1.ll")
        compiler = self.write("compiler", f"#!/bin/sh\nmkfifo {ir}\n")
        os.chmod(compiler, 0o755)
        process = subprocess.Popen(
            [program("cargo-llvmlines"), compiler, "--emit=metadata", "--crate-name", "x", "--out-dir", self.folder,
             "-C", "extra-filename=-1"],
            env=environment(CARGO_LLVMLINES_RUSTC_WRAPPER="1"),
        )
        while process.poll() is None and not os.path.exists(ir):
            time.sleep(0.01)
        with open(ir, "w", encoding="utf-8") as file:
            # It has it open: it counts.
            process.send_signal(signal.SIGTERM)
            file.write("define void @f() {\n  ret void\n}\n")
        self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)
        self.assertFalse(os.path.exists(ir))

    def test_it_loads_libc_alone(self):
        result = self.wrap("true", CARGO_LLVMLINES_RUSTC_WRAPPER="1", LD_DEBUG="libs", LD_DEBUG_OUTPUT="loaded")
        self.assertEqual(result.code, 0, result)
        loaded = ""
        for path in glob.glob(os.path.join(self.folder, "loaded.*")):
            with open(path, encoding="utf-8") as file:
                loaded += file.read()
        self.assertIn("libc.so", loaded)
        self.assertNotRegex(loaded, r"libelf|libcjson|libpcre2|libz")


if __name__ == "__main__":
    unittest.main()
