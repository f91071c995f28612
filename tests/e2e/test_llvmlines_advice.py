"""Advice of cargo llvmlines: of each kind a crate that brings it about (tests/fixtures/advice/KIND.rs), and one that
is like it but must not (KIND_not.rs)."""

import glob
import json
import os
import re
import unittest

from suite import MANGLED, SOURCE, ProjectTest, run, unit_files

FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "advice")
KINDS = {
    "outline": "outline::describe",
    "closures": "closures::retry",
    "boxing": "alloc::slice::<impl [_]>::sort_by",
    "iterators": "chains of iterators",
    "derive_debug": "derive(Debug)",
    "display": "Display",
    "derive_serde": "derive(Deserialize)",
    "drop_glue": "dropping enums of many variants",
}


class Advice(ProjectTest):
    def package(self, name, source, dependencies=""):
        self.write(
            f"{name}/Cargo.toml",
            f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{dependencies}',
        )
        self.write(f"{name}/src/lib.rs", source)

    def fixtures(self, pattern="*"):
        names = [os.path.basename(path)[:-3] for path in sorted(glob.glob(os.path.join(FIXTURES, pattern + ".rs")))]
        for name in names:
            with open(os.path.join(FIXTURES, name + ".rs"), encoding="utf-8") as file:
                self.package(name, file.read())
        self.write("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = " + json.dumps(names) + "\n")
        return names

    def report(self, *arguments):
        result = run(["cargo", "llvmlines", "--format", "json", "-q", *arguments], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def advice(self, *arguments):
        return self.report(*arguments)["advice"]


class Kinds(Advice):
    def test_each_is_given_for_the_crate_made_for_it_and_not_for_its_counterpart(self):
        names = self.fixtures()
        self.assertEqual(sorted([*KINDS, *(kind + "_not" for kind in KINDS), "crates"]), names)
        for profile in [], ["--release"]:
            self.report(*profile, "--workspace")  # compiles all at once
            for name in names:
                with self.subTest(name=name, profile=profile):
                    found = self.advice(*profile, "-p", name)
                    if name not in KINDS:
                        self.assertEqual(found, [])
                        continue
                    self.assertEqual([advice["kind"] for advice in found], [name.replace("_", "-")])
                    self.assertEqual(found[0]["name"], KINDS[name])
                    self.assertGreaterEqual(found[0]["bound"], 300)
                    self.assertGreaterEqual(found[0]["lines"], found[0]["bound"])

    def test_one_function_is_told_of_as_one(self):
        self.package("app", """
pub fn one(items: &[u32]) -> Vec<String> {
    let mut names: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
    names.extend(items.iter().filter(|item| **item > 7).map(|item| format!("<{item:?}>")));
    names
}
""")
        self.write("Cargo.toml", '[workspace]\nresolver = "2"\nmembers = ["app"]\n')
        found = [advice["evidence"] for advice in self.advice("--release") if advice["kind"] == "iterators"]
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].endswith(" for 1 function of yours"), found)


class Crates(Advice):
    """One crate has a generic, three others compile it for types of std."""

    def workspace(self, offered, call):
        with open(os.path.join(FIXTURES, "crates.rs"), encoding="utf-8") as file:
            self.package("base", file.read() + offered)
        for name in "one", "two", "three":
            self.package(name, f'pub fn {name}() -> usize {{ {call} }}\n', 'base = { path = "../base" }')
        self.write("Cargo.toml", '[workspace]\nresolver = "2"\nmembers = ["base", "one", "two", "three"]\n')

    def test_advice_names_the_crate_that_could_have_the_only_copies(self):
        self.workspace("", 'base::report(&[1u8], "a").len() + base::report(&["b"], "c").len()')
        found = [advice for advice in self.advice("--release", "--workspace") if advice["kind"] == "crates"]
        self.assertEqual([advice["name"] for advice in found], ["base::report"])
        self.assertIn("lib base could have the only ones", found[0]["evidence"])
        self.assertEqual(found[0]["copies"], 4)

    def test_nothing_is_said_of_what_one_crate_alone_compiles(self):
        offered = """
pub fn report_bytes(items: &[u8]) -> usize { report(items, "bytes").len() }
pub fn report_names(items: &[&str]) -> usize { report(items, "names").len() }
"""
        self.workspace(offered, 'base::report_bytes(&[1]) + base::report_names(&["b"])')
        self.assertEqual([a["kind"] for a in self.advice("--release", "--workspace") if a["kind"] == "crates"], [])

    def test_nothing_is_said_of_a_dependency_s(self):
        self.workspace("", 'base::report(&[1u8], "a").len() + base::report(&["b"], "c").len()')
        found = self.advice("--release", "-p", "one", "-p", "two", "-p", "three")
        self.assertEqual([advice for advice in found if advice["name"].startswith("base")], [])


class Own(Advice):
    """What a library of the workspace has is the user's own, whether or not the library is counted."""

    def test_a_generic_of_the_library_beside_the_program_is_the_users_own(self):
        with open(os.path.join(FIXTURES, "closures.rs"), encoding="utf-8") as file:
            generic, calls = file.read().split("pub fn all")
        self.package("app", generic.replace("pub fn note", "#[inline]\npub fn note"))
        self.write("app/src/main.rs", "use app::retry;\npub fn all" + calls + "fn main() { all(1); }\n")
        self.write("Cargo.toml", '[workspace]\nresolver = "2"\nmembers = ["app"]\n')
        for selection in ["--bin", "app"], []:
            with self.subTest(selection=selection):
                found = [(advice["kind"], advice["name"]) for advice in self.advice("--release", *selection)]
                self.assertEqual(found, [("closures", "app::retry")])

    def callers(self, members, called, *arguments):
        """Who is to change for what "far" has in the program, which calls one of "near" that calls it."""
        self.package("far", "pub fn twice<T: Clone>(item: &T) -> [T; 2] { [item.clone(), item.clone()] }\n")
        self.package("near", "pub fn stack<T: Clone>(item: T) -> [T; 2] { far::twice(&item) }\n",
                     'far = { path = "../far" }')
        self.package("app", "", f'called = {{ package = "{called}", path = "../near" }}')
        self.write("app/src/main.rs", "fn main() { println!(\"{:?}\", called::stack(String::new())); }\n")
        others = [name for name in ("far", "near") if name not in members]
        self.write("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = " + json.dumps(["app", *members]) +
                   "\nexclude = " + json.dumps(others) + "\n")
        rows = self.report("--release", *arguments, "--callers", "far::twice")["callers"]
        return [(row["name"], row["own"]) for row in rows]

    def test_the_function_to_change_is_named_in_whichever_member_it_stands(self):
        for more in [], ["--deps"]:
            with self.subTest(more=more):
                self.assertEqual(self.callers(["near"], "near", "--bin", "app", *more), [("near::stack", "yes")])

    def test_what_others_call_like_a_member_is_not_the_users_own(self):
        self.package("like", "")
        self.write("like/Cargo.toml", '[package]\nname = "near"\nversion = "0.2.0"\nedition = "2021"\n')
        self.assertEqual(self.callers(["like"], "near", "--workspace"), [("app::main", "yes")])


class Figures(Advice):
    """What the advice says of a function is what its row says; what is made with it is told apart."""

    def evidence(self, source):
        self.package("figures", source)
        self.write("Cargo.toml", '[workspace]\nresolver = "2"\nmembers = ["figures"]\n')
        report = self.report("-p", "figures", "-n", "0")
        return {row["name"]: row for row in report["functions"]}, report["advice"][0]

    def fixture(self, name):
        with open(os.path.join(FIXTURES, name + ".rs"), encoding="utf-8") as file:
            return file.read()

    def test_of_the_function_that_takes_closures(self):
        calls = ", ".join(f"keep(|y| y + x == {i}, x)" for i in range(12))
        rows, advice = self.evidence(
            "pub fn keep<F: Fn(u32) -> bool>(test: F, x: u32) -> Option<bool> {\n"
            "    Some(x).map(|y| test(y)).map(|y| !y).filter(|_| test(3))\n}\n"
            f"pub fn all(x: u32) -> usize {{ [{calls}, keep(odd, x)].len() }}\n"
            "fn odd(x: u32) -> bool { x % 2 == 1 }\n")
        row = rows["figures::keep"]
        self.assertEqual((advice["name"], row["copies"]), ("figures::keep", 13))
        own = row["lines"] * 12 // 13  # a pointer is called in as many lines as a closure, or nearly
        match = re.search(r": 12 of its 13 copies with (\d+) lines, and 72 copies of what is made for it with "
                          r"([\d,]+) lines; of all these 77 differ", advice["evidence"])
        self.assertTrue(match, advice)
        self.assertAlmostEqual(int(match[1]), own, delta=24)
        self.assertEqual(int(match[1]) + int(match[2].replace(",", "")), advice["lines"])

    def test_closures_in_impls_for_types_of_others_are_the_users_own(self):
        rows, advice = self.evidence(
            "pub fn keep<F: Fn(u32) -> bool>(test: F, x: u32) -> Option<u32> {\n"
            "    if test(x) { println!(\"{x}\"); println!(\"{}\", x + 1); Some(x) } else { None }\n}\n"
            "pub trait Kept { fn kept(x: u32) -> Option<u32>; }\n"
            "macro_rules! kept { ($($type:ty)*) => { $(impl Kept for $type {\n"
            "    fn kept(x: u32) -> Option<u32> { keep(|y| y as $type as u32 == x, x) }\n})* } }\n"
            "kept!(u8 u16 u32 u64 i8 i16 i32 i64 usize);\npub struct Own;\n"
            "impl std::ops::Not for &mut Own { type Output = bool;\n"
            "    fn not(self) -> bool { keep(|y| y == 1, 1).is_some() }\n}\n")
        self.assertEqual((advice["name"], rows["figures::keep"]["copies"]), ("figures::keep", 10))
        self.assertIn(": 10 copies with ", advice["evidence"])

    def test_of_the_function_of_others_that_is_given_closures(self):
        rows, advice = self.evidence(self.fixture("boxing"))
        row = rows["alloc::slice::<impl [_]>::sort_by"]
        self.assertIn(f": {row['copies']} copies with {row['lines']} lines, and ", advice["evidence"])
        self.assertIn(" copies of what it calls with ", advice["evidence"])

    def test_of_a_body_with_closures_in_it(self):
        _, advice = self.evidence(self.fixture("outline"))
        self.assertIn(" lines with the closures in them", advice["evidence"])


class Shown(Advice):
    def test_advice_stands_below_the_table_and_can_be_left_out(self):
        self.fixtures("outline")
        text = run(["cargo", "llvmlines", "-q", "-p", "outline"], self.folder).out
        self.assertRegex(text, r"\n\nadvice \(outline\): outline::describe has 5 instances of [\d,]+ to [\d,]+ lines")
        self.assertRegex(text, r"\n  keep what depends on the types.*: saves at most [\d.]+% of all lines\n")
        for option in "--no-advice", "--by=crate", "--filter=describe", "--compat":
            with self.subTest(option=option):
                self.assertNotIn("advice", run(["cargo", "llvmlines", "-q", "-p", "outline", option], self.folder).out)

    def test_advice_on_files_is_given_when_asked_for(self):
        self.fixtures("outline")
        run(["cargo", "llvmlines", "-q", "-p", "outline", "--keep-ir"], self.folder)
        (path,) = unit_files(os.path.join(self.folder, "target", "llvmlines", "debug"), "outline-*.ll")
        self.assertNotIn("advice", run(["cargo", "llvmlines", path], self.folder).out)
        self.assertIn("advice (outline): outline::describe", run(["cargo", "llvmlines", path, "--advice"], self.folder).out)

    def test_advice_on_dropping_is_given_for_files_of_either_mangling(self):
        source = os.path.join(FIXTURES, "drop_glue.rs")
        for name, changes in MANGLED.items():
            run(["rustc", "--edition", "2021", "--crate-type", "lib", "--emit=llvm-ir", "-Cno-prepopulate-passes",
                 *changes["RUSTFLAGS"].split(), "-o", name + ".ll", source], self.folder, **changes)
            said = run(["cargo", "llvmlines", name + ".ll", "--advice"], self.folder).out
            self.assertIn("the largest drop_glue::Node with", said, name)

    def test_saved_results_with_advice_are_compared_as_before(self):
        self.fixtures("outline")
        saved = os.path.join(self.folder, "saved.json")
        run(["cargo", "llvmlines", "-q", "-p", "outline", "-o", saved], self.folder)
        result = run(["cargo", "llvmlines", "-q", "-p", "outline", "--diff", saved], self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("advice (", result.out)


if __name__ == "__main__":
    unittest.main()
