"""cargo llvmlines --sizes with real cargo."""

import json
import os
import re
import unittest

from llvmlines_project import DEP, LIB, MANIFEST, LlvmLines
from suite import MANGLED, run


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
        self.assertRegex(self.lines("-p", "dep", "--release", "--sizes").out,
                         r"(?m)^All of \S+B of \.text in target/bloatc/release/\S*libdep\S*\.rlib is in groups\.$")
        more = self.sizes("--lib", "--deps", "--release")
        self.assertGreater(more["size"], report["size"])
        self.assertEqual(sum(1 for row in more["targets"]), 2)

    def test_a_static_library_is_measured_as_the_file_it_is(self):
        self.write("Cargo.toml", MANIFEST.replace("[dependencies]", '[lib]\ncrate-type = ["staticlib"]\n[dependencies]'))
        self.write("src/lib.rs", '#[unsafe(no_mangle)] pub extern "C" fn total(x: usize) -> usize { dep::twice(&x).len() }\n')
        os.remove(os.path.join(self.folder, "src/main.rs"))
        rows = {row["name"]: row for row in self.sizes("--lib", "--deps")["functions"]}
        self.assertEqual((rows["total"]["left"], rows["total"]["size"] > 0, rows["dep::twice"]["left"] > 0), (1, True, True))

    def test_a_file_that_was_built_before_may_be_compared_with(self):
        self.assertEqual(run(["cargo", "build"], self.folder).code, 0)
        binary = os.path.join("target", "debug", "app")
        report = self.sizes("--bin", "app", "--deps", "--binary", binary)
        rows = {row["name"]: row for row in report["functions"]}
        self.assertEqual(rows["app::main"]["left"], 1)
        self.assertGreater(rows["dep::twice"]["size"], 0)
        if report["inferred-size"] > 0:  # legacy names
            self.assertRegex(self.lines("--bin", "app", "--deps", "--binary", binary).out, r"B are inferred: ")
        said = f"warning: no function in {binary} was compiled in what is counted here: is it of another program?\n"
        self.assertNotIn(said, self.lines("--bin", "app", "--binary", binary).err)
        self.write("src/bin/second.rs", "fn main() {}\n")
        self.assertIn(said, self.lines("--bin", "second", "--binary", binary).err)

    def test_stds_own_memchr_is_none_of_the_programs_copies(self):
        """Beside a program that cargo built are the libraries of all crates that are the program's."""
        self.write("Cargo.toml", MANIFEST.replace("[build-dep", 'memchr = { path = "memchr" }\n[build-dep').replace(
            '"mac"]', '"mac", "memchr"]'))
        self.write("memchr/Cargo.toml", '[package]\nname = "memchr"\nversion = "9.0.0"\nedition = "2021"\n')
        self.write("memchr/src/lib.rs", "#[inline(never)]\npub fn ours(x: usize) -> usize { std::hint::black_box(x) }\n")
        self.write("src/main.rs", 'fn main() { println!("{}", memchr::ours(app::total(1))); }\n')
        v0 = MANGLED["v0"]
        for profile in [], ["--release"]:
            self.assertEqual(run(["cargo", "build", *profile], self.folder, **v0).code, 0)
            binary = os.path.join("target", "release" if profile else "debug", "app")
            options = [*profile, "--bin", "app", "--deps", "--by", "crate", "--binary", binary]
            (row,) = [row for row in self.sizes(*options, **v0)["crates"] if row["name"].startswith("memchr")]
            self.assertEqual((row["left"], row["inferred-size"]), (1, 0), row)

    def test_a_procedural_macro_is_no_part_of_a_program(self):
        result = self.lines("--workspace", "--lib", "--bins", "--sizes")
        self.assertEqual(result.code, 0, result)
        self.assertIn("Not counted, as no part of the program: proc-macro mac\n", result.out)
        self.assertNotIn("mac::", result.out)
        self.assertIn("mac::", self.lines("--workspace", "--lib", "--bins").out)
        result = self.lines("--workspace", "--lib", "--bins", "--deps", "--sizes")
        self.assert_fails(result, 2, "--sizes measures one program, and proc-macro mac is no part of it\n",
                          "hint: the program and what it is made of: --bin app --deps\n")
        result = self.lines("--workspace", "--bin", "app", "--deps", "--sizes")
        self.assertEqual(result.code, 0, result)
        self.assertIn("1 crate runs while compiling and is not counted: mac\n", result.out)
        result = self.lines("-p", "mac", "--sizes")
        self.assert_fails(result, 2, "--sizes builds no procedural macro by itself: proc-macro mac\n", "--binary FILE")
        self.assertNotIn("Building", result.err)
        self.assertNotIn("Building the code", result.err)

    def test_what_no_program_has_is_refused_in_one_line(self):
        self.write("src/bin/other.rs", "fn main() {}\n")
        self.assert_fails(self.lines("--sizes", "-q"), 2, "several targets could be meant: app, other", "--bin app")
        os.remove(os.path.join(self.folder, "src/bin/other.rs"))
        self.write("Cargo.toml", MANIFEST.replace('"mac"', '"mac", "alone"', 1))
        self.write("alone/Cargo.toml", '[package]\nname = "alone"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("alone/src/lib.rs", "pub fn alone() {}\n")
        self.assert_fails(self.lines("--sizes", "-q", "--workspace", "--exclude", "mac"), 2,
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

    def test_what_the_compiler_warns_of_is_said_once(self):
        self.write("src/main.rs", 'fn main() { println!("{}", app::total(1)); }\nfn never_called() {}\n')
        for _ in "built", "fresh":
            result = self.lines("--bin", "app", "--sizes")
            self.assertEqual(result.code, 0, result)
            self.assertEqual(result.err.count("`never_called` is never used"), 1, result.err)

    def test_what_the_second_build_is_for_is_said(self):
        result = self.lines("--bin", "app", "--sizes")
        said = result.err.split("    Building the code of what was counted (--sizes)\n")
        self.assertEqual(["Compiling app" in part and "Finished" in part for part in said], [True, True], result.err)
        self.assertNotIn("Building", self.lines("--bin", "app", "--sizes", "-q").err)
        self.assertNotIn("Building", self.lines("--bin", "app").err)

    def test_what_only_the_build_warns_of_and_why_it_fails_is_said(self):
        # A wrapper that knows the check by what it has rustc make.
        wrapper = os.path.join(self.folder, "wrapper")
        self.write("wrapper", '#!/bin/sh\ncase "$*" in *link*CRATE*|*CRATE*link*) set -- "$@" --cfg built;; esac\nexec "$@"\n'.replace(
            "CRATE", "symbol-mangling-version=v0"))
        os.chmod(wrapper, 0o755)
        main = 'fn main() { println!("{}", app::total(1)); }\n#[cfg(built)] fn only_built() {}\n'
        self.write("src/main.rs", main)
        result = self.lines("--bin", "app", "--sizes", RUSTC_WRAPPER=wrapper)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(result.err.count("`only_built` is never used"), 1, result.err)
        self.write("src/main.rs", main + '#[cfg(built)] compile_error!("not to be built");\n')
        result = self.lines("--bin", "app", "--sizes", RUSTC_WRAPPER=wrapper)
        self.assertEqual(result.code, 101, result)
        self.assertEqual(result.err.count("error: not to be built"), 1, result.err)

    def test_what_cargo_bloatc_has_built_is_not_built_again(self):
        self.generics("--release")
        self.lines("--release", "--bin", "app")
        self.assertNotIn("Compiling", self.lines("--release", "--bin", "app", "--sizes").err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
