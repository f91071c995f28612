"""cargo llvmlines with real cargo on a small workspace that has one of each kind of unit."""

import json
import os
import re
import shutil
import unittest

from llvmlines_project import LIB, MAC, MANIFEST, LlvmLines, count
from suite import MANGLED, run


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
            ("Counted", "lib app"), ("Counted", "lib dep"), ("Not counted", "dep"),
            ("Not counted", "mac"), ("Not counted", "the build script of app"),
        ])
        self.write("src/lib.rs", LIB + "pub fn new() {}\n")
        self.assertIn(("Counted", "lib app"), told(self.lines("-v", "--lib")))
        self.assertIn(("Cached", "lib dep"), told(self.lines("-v", "--lib")))

    def test_all_groupings_add_up_to_the_same(self):
        total = self.total("--deps")
        for by in "function", "generic", "crate", "module":
            for more in [], ["--split"]:
                self.assertEqual(self.total("--deps", "--by", by, *more), total)

    def test_crates_of_one_name_are_told_apart_by_what_they_are(self):
        # The library's generics are in the program, also where only that is asked for.
        self.write("src/lib.rs", LIB + "pub fn both<T>(x: T) -> T { x }\n")
        self.write("src/main.rs", 'fn main() { println!("{}", app::both(app::total(1))); }\n')
        self.write("dep/tests/outside.rs", "#[test]\nfn used() { assert_eq!(dep::used(), 4); }\n")
        self.assertLessEqual({"app"}, self.crates("--lib"))
        self.assertLessEqual({"app (lib)", "app (bin)"}, self.crates("--bin", "app"))
        names = self.crates("--workspace", "--all-targets")
        targets = {"app (lib)", "app (bin)", "app (lib test)", "app (bin test)"}
        self.assertLessEqual(targets | {"outside (of app)", "outside (of dep)"}, names)
        self.assertEqual([name for name in names if name.startswith("app") and name not in targets], [])

    def test_what_std_was_built_with_is_called_so_with_or_without_a_crate_of_that_name(self):
        uses_std = "pub fn table() -> std::collections::HashMap<u32, u32> { [(1, 2)].into_iter().collect() }\n"
        self.write("src/lib.rs", LIB + uses_std)
        names = self.crates("--lib")
        self.assertIn("hashbrown@std", names)
        self.assertNotIn("hashbrown", names)
        for by, rows in ("generic", "functions"), ("function", "functions"), ("module", "modules"):
            found = [row["name"] for row in self.report("--lib", "--by", by)[rows] if "hashbrown" in row["name"]]
            self.assertEqual([name for name in found if "hashbrown@std" not in name], [], by)
        old = os.path.join(self.folder, "old.json")
        self.lines("--lib", "--by", "crate", "-o", old)
        self.write("Cargo.toml", MANIFEST.replace("[dependencies]", '[dependencies]\nhashbrown = { path = "hashbrown" }'))
        self.write("hashbrown/Cargo.toml", '[package]\nname = "hashbrown"\nversion = "9.0.0"\nedition = "2021"\n')
        self.write("hashbrown/src/lib.rs", "pub fn own<T>(x: T) -> T { x }\npub fn made() -> u8 { own(1) }\n")
        self.write("src/lib.rs", LIB + uses_std + "pub fn mine() -> char { hashbrown::own('x') }\n")
        self.assertLessEqual({"hashbrown@std", "hashbrown"}, self.crates("--lib"))
        rows = self.report("--lib", "--by", "crate", "--diff", old)["crates"]
        self.assertEqual([row["lines-before"] for row in rows if row["name"] == "hashbrown"], [0])
        self.assertEqual([row for row in rows if row["name"] == "hashbrown@std"], [])
        self.assertEqual(self.lines("--lib", "--by", "crate", "--diff", old, "--fail-over", "crate:hashbrown=0").code, 3)
        self.assertEqual(self.lines("--lib", "--by", "crate", "--diff", old, "--fail-over", "crate:hashbrown@std=0").code, 0)
        self.assertIn("hashbrown@std", self.lines("--lib", "--by", "crate", "--filter", "hashbrown@std").out)

    def test_versions_of_generics_alone_are_told_and_compared(self):
        for folder, version in ("new", "1.2.0"), ("old", "0.6.1"):
            self.write(f"{folder}/Cargo.toml", f'[package]\nname = "dup"\nversion = "{version}"\nedition = "2021"\n')
            self.write(f"{folder}/src/lib.rs", "pub fn own<T: Clone>(x: &T) -> T { x.clone() }\n")
        apart = MANIFEST.replace("[workspace]", '[workspace]\nexclude = ["new", "old"]')
        one = apart.replace("[dependencies]", '[dependencies]\ndup = { path = "new" }')
        self.write("Cargo.toml", one)
        self.write("src/lib.rs", LIB + "pub fn mine() -> String { dup::own(&String::new()) }\n")
        self.assertIn("dup", self.crates("--lib"))
        old = os.path.join(self.folder, "old.json")
        self.lines("--lib", "--by", "crate", "-o", old)
        self.write("Cargo.toml", one.replace("[dependencies]", '[dependencies]\ndup_old = { path = "old", package = "dup" }'))
        self.write("src/lib.rs", LIB + "pub fn mine() -> String { dup_old::own(&dup::own(&String::new())) }\n")
        for arguments in ["--lib"], ["--lib", "--deps"]:
            names = {name for name in self.crates(*arguments) if name.startswith("dup")}
            self.assertEqual(names, {"dup@1.2.0", "dup@0.6.1"})
        names = {row["name"] for row in self.report("--lib")["functions"]}
        self.assertLessEqual({"dup@1.2.0::own", "dup@0.6.1::own"}, names)
        self.assertIn("dup@0.6.1::own", self.lines("--lib", "--instances", "dup::own").out)
        rows = {row["name"]: row for row in self.report("--lib", "--by", "crate", "--diff", old)["crates"]}
        self.assertNotIn("dup@1.2.0", rows)
        self.assertEqual(rows["dup@0.6.1"]["status"], "new")
        # Counts of another version of this command are not there: those of what is only named are made, too.
        for path in self.ours("dup-*.llvmlines-3"):
            os.remove(path)
        self.assertLessEqual({"dup@1.2.0", "dup@0.6.1"}, self.crates("--lib"))

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
        # They are the source of the crate that they were compiled in, also where it has nothing else.
        self.assertNotIn("[Unknown]", self.crates("--lib", "--features", "more"))
        self.write("src/lib.rs", '#[no_mangle] pub extern "C" fn plain_name() -> i32 { 1 }\n')
        for by, key in ("crate", "crates"), ("module", "modules"):
            self.assertEqual([row["name"] for row in self.report("--lib", "--by", by)[key]], ["app"])
        page = os.path.join(self.folder, "lines.html")
        self.lines("--lib", "-o", page)
        with open(page, encoding="utf-8") as file:
            drawn = file.read()
        self.assertIn('"app"', drawn)
        self.assertNotIn("[Unknown]", drawn)

    def test_a_macros_own_tests_are_a_target_like_others(self):
        self.write("mac/src/lib.rs", MAC + "#[test]\nfn works() { assert_eq!(1 + 1, 2); }\n")
        report = self.report("-p", "mac", "--tests")
        self.assertEqual([row["target"] for row in report["targets"]], ["proc-macro mac (test)"])
        self.assertGreater(report["lines"], 0)

    def test_groups_are_the_same_whichever_way_names_are_mangled(self):
        groups = {}
        for mangling, changes in MANGLED.items():
            path = os.path.join(self.folder, f"{mangling}.ll")
            result = run(["rustc", "--edition", "2021", "--crate-type", "lib", "-Cno-prepopulate-passes", "-Ccodegen-units=1",
                          *changes["RUSTFLAGS"].split(), "--emit=llvm-ir", "-o", path, "dep/src/lib.rs"], self.folder, **changes)
            self.assertEqual(result.code, 0, result)
            with open(path, encoding="utf-8") as file:
                # What is std's own has v0 names already.
                has_legacy = re.search("(?m)^define .*@_ZN", file.read()) is not None
            self.assertEqual(has_legacy, mangling == "legacy")
            rows = json.loads(self.lines("--format", "json", path).out)["functions"]
            groups[mangling] = {}
            for row in rows:
                # Legacy names do not tell impls apart that differ in their parameters alone.
                name = re.sub(r" \(impl#.*\)$", "", row["name"])
                before = groups[mangling].get(name, (0, 0))
                groups[mangling][name] = (before[0] + row["lines"], before[1] + row["copies"])
        self.assertEqual(groups["legacy"], groups["v0"])


class HostUnits(LlvmLines):
    def test_build_scripts_and_macros_that_run_compile_as_always_and_are_not_counted(self):
        self.assertEqual(self.lines().code, 0)
        names = sorted(re.sub(r"-[0-9a-f]{16}.*", "", os.path.basename(path)) for path in self.ours("*.llvmlines-3"))
        self.assertEqual(names, ["app", "app", "dep"])
        self.assertEqual(len(self.ours("libdep-*.rlib")), 1)
        self.assertEqual(len(self.ours("libmac-*.so")), 1)

    def test_of_the_whole_graph_what_is_not_counted_is_named(self):
        said = "1 crate runs while compiling and is not counted: mac\n"
        self.assertIn(said, self.lines("--deps").out)
        self.assertNotIn("runs while compiling", self.lines().out)
        self.assertNotIn("runs while compiling", self.lines("--deps", "-p", "mac").out)

    def test_a_macro_is_counted_when_it_is_asked_for(self):
        self.assertEqual(self.total("-p", "mac"), self.expected("--lib", package="mac"))
        report = self.report("-p", "mac", "-p", "app", "--lib")
        self.assertEqual([row["target"] for row in report["targets"]], ["proc-macro mac", "lib app"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
