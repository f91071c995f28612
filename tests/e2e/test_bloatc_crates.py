"""cargo bloatc: whose code it is, of crates that are path dependencies."""

import json
import os
import shutil
import unittest

from suite import MANGLED, ProjectTest
from test_bloatc import bloatc

MANIFEST = """[package]
name = "hello"
version = "0.1.0"
edition = "2021"
[dependencies]
one = { package = "dup", path = "../dup1" }
two = { package = "dup", path = "../dup2" }
"""
MAIN = """fn main() {
    one::plain();
    two::plain();
    println!("{} {}", one::generic::<u8>(), two::generic::<u16>());
}
"""
DUP = """use std::hint::black_box;
#[inline(always)] fn spin() { for i in 0..black_box(VERSION) { black_box(i); } }
#[inline(never)] pub fn plain() { spin(); }
#[inline(never)] pub fn generic<T: Default>() -> T { spin(); T::default() }
"""


class OfPathDependencies(ProjectTest):
    """Two versions of one crate, whose generics and inlined functions others have, outside of the workspace."""

    def setUp(self):
        super().setUp()
        for version in "1", "2":
            manifest = f'[package]\nname = "dup"\nversion = "{version}.0.0"\nedition = "2021"\n'
            self.write(f"dup{version}/Cargo.toml", manifest)
            self.write(f"dup{version}/src/lib.rs", DUP.replace("VERSION", version))
        self.write("hello/Cargo.toml", MANIFEST)
        self.write("hello/src/main.rs", MAIN)

    def rows(self, *arguments, key="functions", debug, split="off", **changes):
        folder = os.path.join(self.folder, "hello")
        changes |= {"CARGO_PROFILE_RELEASE_DEBUG": debug, "CARGO_PROFILE_RELEASE_SPLIT_DEBUGINFO": split}
        result = bloatc(folder, "-q", "-n", "0", "--format", "json", *arguments, **changes)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)[key]

    def crates_by_file(self, *arguments, debug, split="off"):
        found = {}
        for row in self.rows("--by", "file", *arguments, key="files", debug=debug, split=split):
            found.setdefault(row["file"], set()).add(row.get("crate"))
        return {name: crates for name, crates in found.items() if name.endswith(("dup1/src/lib.rs", "dup2/src/lib.rs"))}

    def test_a_file_has_one_crate_wherever_its_code_is_instantiated_or_inlined(self):
        for debug in "line-tables-only", "2":
            built = self.crates_by_file("--release", debug=debug)
            self.assertEqual(list(map(sorted, built.values())), [["dup@1.0.0"], ["dup@2.0.0"]], built)
            file = self.crates_by_file(os.path.join("target", "release", "hello"), debug=debug)
            self.assertEqual([len(crates) for crates in file.values()], [1, 1], file)
            names = {name for crates in file.values() for name in crates}
            self.assertEqual((len(names), {name.partition("[")[0] for name in names}), (2, {"dup"}), names)

    def test_split_debug_information_tells_the_same_of_files(self):
        expected = self.crates_by_file("--release", debug="2")
        for split in "packed", "unpacked":
            self.assertEqual(self.crates_by_file("--release", debug="2", split=split), expected)
            file = self.crates_by_file(os.path.join("target", "release", "hello"), debug="2", split=split)
            self.assertEqual((sorted(file), [len(crates) for crates in file.values()]), (sorted(expected), [1, 1]), file)

    def test_generics_by_lines_without_mangled_names_are_told_by_crate(self):
        rows = self.rows("--release", "--attribute", "line", "--by", "generic", key="generics", debug="line-tables-only")
        names = {row["name"] for row in rows}
        self.assertNotIn("", names)
        for version in "12":
            self.assertIn(f"plain of dup@{version}.0.0", names)
        crates = self.rows("--release", "--attribute", "line", "--by", "crate", key="crates", debug="line-tables-only")
        self.assertEqual(sum(row["size"] for row in rows), sum(row["size"] for row in crates))

    def test_who_defines_a_function_is_told_by_version(self):
        for mangling, changes in MANGLED.items():
            for debug in "line-tables-only", "2":
                rows = self.rows("--release", "--attribute", "defined", debug=debug, **changes)
                for name in "dup::plain", "dup::generic":
                    crates = sorted(row["crate"] for row in rows if row["name"].startswith(name))
                    self.assertEqual(crates, ["dup@1.0.0", "dup@2.0.0"], (mangling, debug, name))

    def test_who_pays_for_a_function_is_told_by_version(self):
        for mangling, changes in MANGLED.items():
            for debug in "0", "line-tables-only", "2":
                rows = self.rows("--release", debug=debug, **changes)
                crates = sorted(row["crate"] for row in rows if row["name"] == "dup::plain")
                self.assertEqual(crates, ["dup@1.0.0", "dup@2.0.0"], (mangling, debug))

    def test_what_may_be_of_either_version_says_so(self):
        """Legacy names show no hash of the crate."""
        for mangling, expected in ("legacy", ["dup (version unknown)"] * 2), ("v0", ["dup@1.0.0", "dup@2.0.0"]):
            rows = self.rows("--release", "--attribute", "defined", debug="0", **MANGLED[mangling])
            crates = sorted(row["crate"] for row in rows if row["name"].startswith("dup::generic"))
            self.assertEqual(crates, expected, mangling)

    PLAIN = {"dup@1.0.0::plain": 1, "dup@2.0.0::plain": 1}
    GENERIC = {"dup@1.0.0::generic": 1, "dup@2.0.0::generic": 1}

    def test_generics_of_two_versions_are_two_rows_where_it_is_known_whose_they_are(self):
        for mangling, changes in MANGLED.items():
            for debug in "0", "line-tables-only":
                rows = self.rows("--release", "--by", "generic", key="generics", debug=debug, **changes)
                found = {row["name"]: row["copies"] for row in rows if "dup" in row["name"]}
                unknown = debug == "0" and mangling == "legacy"
                self.assertEqual(found, {**self.PLAIN, **({"dup::generic": 2} if unknown else self.GENERIC)}, (mangling, debug))
                versions = {row["name"]: row.get("crate-version") for row in rows}
                self.assertEqual(versions["dup@2.0.0::plain"], "2.0.0")

    def test_generics_of_a_file_are_told_apart_by_their_crates_hashes(self):
        """Its units have them, where nobody knows the versions."""
        for mangling, changes in MANGLED.items():
            self.rows("--release", debug="line-tables-only", **changes)
            file = os.path.join("target", "release", "hello")
            rows = self.rows(file, "--by", "generic", key="generics", debug="")
            found = [(row["name"], row["copies"], row["label"]) for row in rows if "dup" in row["name"]]
            shown = sorted((name, copies, label.partition("[")[0]) for name, copies, label in found)
            self.assertEqual(shown, [("dup::generic", 1, "dup")] * 2 + [("dup::plain", 1, "dup")] * 2, mangling)
            rows = self.rows(file, "--instances", "dup::plain", key="instances", debug="")
            self.assertEqual(len({row["generic"] for row in rows}), 2, rows)
            for label in [row["generic"] for row in rows] + [label for _, _, label in found if label]:
                one = self.rows(file, "--instances", label, key="instances", debug="")
                self.assertEqual(len(one), 1, (label, one))

    def instances(self, name, debug="line-tables-only", **changes):
        rows = self.rows("--release", "--instances", name, key="instances", debug=debug, **changes)
        return sorted((row["crate"], row.get("generic")) for row in rows)

    def test_instances_say_of_which_version_they_are(self):
        generic = [("hello", name) for name in self.GENERIC]
        for changes in MANGLED.values():
            self.assertEqual(self.instances("dup::generic", **changes), generic)
            self.assertEqual(self.instances("generic", **changes), generic)
            self.assertEqual(self.instances("dup@2.0.0::generic", **changes), [("hello", "dup@2.0.0::generic")])
            plain = self.instances("plain", "0", **changes)
            self.assertEqual(plain, [("dup@1.0.0", "dup@1.0.0::plain"), ("dup@2.0.0", "dup@2.0.0::plain")])
        self.assertEqual(self.instances("generic", "0", **MANGLED["legacy"]), [("hello", None)] * 2)
        self.assertEqual(self.instances("generic", "0", **MANGLED["v0"]), generic)

    def test_compared_a_version_is_not_taken_for_the_other(self):
        folder = os.path.join(self.folder, "hello")
        options = ["--release", "-q", "--by", "generic"]
        self.assertEqual(bloatc(folder, *options, "-o", "before.json").code, 0)
        self.write("dup2/src/lib.rs", DUP.replace("VERSION", "2").replace("spin(); }", "spin(); println!(); }"))
        result = bloatc(folder, *options, "--diff", "before.json", "--format", "json")
        self.assertEqual(result.code, 0, result)
        names = {row["name"] for row in json.loads(result.out)["generics"] if "dup" in row["name"]}
        self.assertEqual(names, {"dup@2.0.0::plain"})

    def test_a_version_that_comes_is_new_beside_the_one_that_was_there(self):
        folder = os.path.join(self.folder, "hello")
        options = ["--release", "-q", "--by", "generic"]
        self.write("hello/src/main.rs", "fn main() { one::plain(); }\n")
        self.assertEqual(bloatc(folder, *options, "-o", "before.json").code, 0)
        self.write("hello/src/main.rs", "fn main() { one::plain(); two::plain(); }\n")
        result = bloatc(folder, *options, "--diff", "before.json", "--format", "json")
        self.assertEqual(result.code, 0, result)
        rows = [row for row in json.loads(result.out)["generics"] if "dup" in row["name"]]
        self.assertEqual([row["name"] for row in rows], ["dup@2.0.0::plain"], rows)

    def test_what_an_older_version_had_in_a_file_is_not_the_programs(self):
        """All names of a crate have other hashes then, which no library of this build has."""
        folder = os.path.join(self.folder, "hello")
        self.write("hello/Cargo.toml", MANIFEST[:MANIFEST.index("two")])
        self.write("hello/src/main.rs", 'use one::Number;\nfn main() { one::plain(); 7u64.named(); println!("{}", one::generic::<u8>()); }\n')
        self.write("dup1/src/lib.rs", DUP.replace("VERSION", "1") + "pub trait Number { fn named(&self); }\n"
                   "impl Number for u64 { #[inline(never)] fn named(&self) { spin(); black_box(self); } }\n")
        self.assertEqual(bloatc(folder, "--release", "-q").code, 0)
        shutil.copy(os.path.join(folder, "target", "release", "hello"), os.path.join(folder, "before"))
        self.write("dup1/Cargo.toml", '[package]\nname = "dup"\nversion = "1.0.1"\nedition = "2021"\n')
        for key in "functions", "crates":
            by = [] if key == "functions" else ["--by", "crate"]
            rows = self.rows("--release", "--diff", "before", *by, key=key, debug="0")
            self.assertEqual([row for row in rows if "plain" in row["name"] or "named" in row["name"]
                              or row["name"] in ("hello", "dup")], [])

    def test_nor_is_what_a_crate_had_that_is_gone(self):
        folder = os.path.join(self.folder, "hello")
        self.assertEqual(bloatc(folder, "--release", "-q").code, 0)
        shutil.copy(os.path.join(folder, "target", "release", "hello"), os.path.join(folder, "before"))
        self.write("hello/Cargo.toml", MANIFEST[:MANIFEST.index("[dep")])
        self.write("hello/src/main.rs", "fn main() {}\n")
        rows = self.rows("--release", "--diff", "before", debug="0")
        self.assertEqual({(row["crate"][:3], row["status"]) for row in rows if row["name"].endswith("plain")},
                         {("dup", "gone")}, rows)

    def test_in_a_file_of_another_folder_crates_of_one_name_are_neither_version(self):
        folder = os.path.join(self.folder, "hello")
        for debug in "0", "1":
            self.assertEqual(bloatc(folder, "--release", "-q", CARGO_PROFILE_RELEASE_DEBUG=debug).code, 0)
            shutil.copy(os.path.join(folder, "target", "release", "hello"), os.path.join(folder, "before" + debug))
        for version in "12":
            shutil.move(os.path.join(self.folder, "dup" + version), os.path.join(folder, "moved" + version))
        self.write("hello/Cargo.toml", MANIFEST.replace("../dup", "moved") + '[workspace]\nexclude = ["moved1", "moved2"]\n')
        for debug in "0", "1":
            with self.subTest(debug=debug):
                rows = self.rows("--release", "--diff", "before" + debug, debug=debug)
                found = {(row["crate"], row["status"]) for row in rows if row["name"].endswith("plain")}
                versions = {("dup@1.0.0", "moved"), ("dup@2.0.0", "moved")}
                self.assertLess(versions, found)
                for crate, status in found - versions:
                    self.assertRegex(crate, r"^dup(\[[0-9a-f]+\]| \(version unknown\)|)$")
                    self.assertEqual(status, "moved")

    def test_gnu_ld_hides_from_nobody_that_the_program_has_made_an_instance(self):
        """Hidden symbols stand behind no file's there."""
        if not shutil.which("ld.bfd"):
            self.skipTest("GNU ld is not installed")
        rows = self.rows("--release", debug="0", RUSTFLAGS="-Clink-arg=-fuse-ld=bfd")
        found = [(row["crate"], row["crate-source"]) for row in rows if row["name"].startswith("dup::generic")]
        self.assertEqual({crate for crate, _ in found}, {"hello"}, found)
        self.assertNotIn("inferred", {source for _, source in found})


class OfPackagesWithOneCratesName(ProjectTest):
    """Their crates have the same name and version."""

    LIBRARY = "#[inline(never)] pub fn %s() -> u64 { std::hint::black_box(7) }\n"
    GENERIC = "#[inline(never)] pub fn made<T: Default>() -> T { std::hint::black_box(T::default()) }\n"

    def owners(self, folder, **changes):
        """Of what the program made of both packages' generics."""
        result = bloatc(folder, "--release", "-q", "-n", "0", "--format", "json", "--attribute", "defined", **changes)
        self.assertEqual(result.code, 0, result)
        return sorted((row["name"], row["crate"]) for row in json.loads(result.out)["functions"] if row["name"].startswith("util::made"))

    def test_each_has_a_row_and_a_limit_of_its_own(self):
        for package, lib in ("util", ""), ("zed", '[lib]\nname = "util"\n'):
            self.write(f"{package}/Cargo.toml", f'[package]\nname = "{package}"\nversion = "0.1.0"\nedition = "2021"\n{lib}')
            self.write(f"{package}/src/lib.rs", self.LIBRARY % package + self.GENERIC)
        dependencies = 'one = { package = "util", path = "../util" }\ntwo = { package = "zed", path = "../zed" }\n'
        self.write("hello/Cargo.toml", MANIFEST.partition("one =")[0] + dependencies)
        self.write("hello/src/main.rs", 'fn main() { println!("{} {} {} {}", one::util(), two::zed(), one::made::<u8>(), two::made::<u16>()); }\n')
        folder = os.path.join(self.folder, "hello")
        for options in ("--attribute", "used"), ("--attribute", "defined"), ("--attribute", "used", "--exact"):
            result = bloatc(folder, "--release", "-q", "-n", "0", "--format", "json", *options)
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual(rows["util::util"]["crate"], "util (of util)", options)
            self.assertEqual(rows["util::zed"]["crate"], "util (of zed)", options)
            self.assertEqual(rows["util::zed"]["crate-version"], "0.1.0", options)
        result = bloatc(folder, "--release", "-q", "-n", "0", "--format", "json", "--attribute", "line", "--exact", "--crates")
        crates = {row["name"] for row in json.loads(result.out)["crates"]}
        self.assertEqual({name for name in crates if name.startswith("util")}, {"util (of util)", "util (of zed)"})
        legacy, v0 = ({**changes, "CARGO_TARGET_DIR": mangling} for mangling, changes in MANGLED.items())
        names = {"util::made::<u8>": "util (of util)", "util::made::<u16>": "util (of zed)"}
        self.assertEqual(self.owners(folder, **legacy), [("util::made", "util (package unknown)")] * 2)
        self.assertEqual(self.owners(folder, **legacy, CARGO_PROFILE_RELEASE_DEBUG="1"), [("util::made", crate) for crate in names.values()])
        self.assertEqual(dict(self.owners(folder, **v0)), names)
        crates = ["--release", "-q", "--crates"]
        self.assertEqual(bloatc(folder, *crates, "-o", "before.json").code, 0)
        self.write("zed/src/lib.rs", (self.LIBRARY % "zed" + self.GENERIC).replace("7", "(1..black_box(9)).map(black_box).sum()").replace(
            "std::", "use std::hint::black_box; std::"))
        for limit, code in ("crate:util (of util)=0", 0), ("crate:util (of zed)=0", 3):
            self.assertEqual(bloatc(folder, *crates, "--diff", "before.json", "--fail-over", limit).code, code, limit)


    def test_so_has_a_program_that_is_called_like_a_library_of_another_package(self):
        self.write("Cargo.toml", '[workspace]\nmembers = ["cli", "util"]\nresolver = "2"\n')
        self.write("util/Cargo.toml", '[package]\nname = "util"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("util/src/lib.rs", self.LIBRARY % "util")
        manifest = MANIFEST.partition("one =")[0].replace('"hello"', '"util-cli"')
        self.write("cli/Cargo.toml", manifest + 'util = { path = "../util" }\n[[bin]]\nname = "util"\npath = "src/main.rs"\n')
        self.write("cli/src/main.rs", (self.LIBRARY % "own").replace("pub ", "").replace("7", "9") + 'fn main() { println!("{} {}", util::util(), own()); }\n')
        for options in [], ["--exact"], ["--config", 'profile.release.lto="fat"', "--target-dir", "fat"]:
            result = bloatc(os.path.join(self.folder, "cli"), "--release", "-q", "-n", "0", "--format", "json", *options)
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row.get("crate") for row in json.loads(result.out)["functions"]}
            self.assertEqual((rows["util::util"], rows["util::own"]), ("util (of util)", "util (of util-cli)"), options)


class WithoutStd(ProjectTest):
    """A program of its own entry, which no C library and no std stands before."""

    MAIN = """#![no_std]
    #![no_main]
    #[panic_handler] #[inline(never)] fn stop(info: &core::panic::PanicInfo) -> ! { core::hint::black_box(info); loop {} }
    #[unsafe(no_mangle)] pub extern "C" fn _start() -> ! { panic!("{}", core::hint::black_box(7)) }
    """

    def test_the_handler_of_panics_is_the_programs(self):
        profile = '[profile.release]\npanic = "abort"\nlto = true\n'
        self.write("hello/Cargo.toml", '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n' + profile)
        self.write("hello/build.rs", 'fn main() { println!("cargo:rustc-link-arg=-nostartfiles"); }\n')
        self.write("hello/src/main.rs", self.MAIN)
        for options in ((), ("--attribute", "defined")):
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", *options)
            self.assertEqual(result.code, 0, result)
            rows = json.loads(result.out)["functions"]
            self.assertEqual([row["crate"] for row in rows if row["name"].endswith("rust_begin_unwind")], ["hello"], result)


class OfStdsOwnCrates(ProjectTest):
    """What has a name as C's, or one that only the compiler knows the crate of."""

    MAIN = """fn main() {
        let number = std::env::args().count() as u128 * 1234567890123456789012;
        println!("{} {}", number % std::env::args().count() as u128, number as f64);
    }
    """

    def test_what_the_compiler_calls_is_of_a_crate_that_has_it(self):
        self.write("hello/Cargo.toml", MANIFEST.partition("[dependencies]")[0])
        self.write("hello/src/main.rs", self.MAIN)
        for options in [], ["--attribute", "defined"]:
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "--split-std", "-q", "-n", "0", "--format", "json", *options)
            self.assertEqual(result.code, 0, result)
            crates = {row["name"]: row.get("crate") for row in json.loads(result.out)["functions"]}
            self.assertEqual(crates["__umodti3"], "compiler_builtins", options)
            self.assertEqual(crates["__rustc::rust_panic"], "std", options)
            self.assertEqual(crates["__rustc::__rust_start_panic"], "panic_unwind", options)
            self.assertNotIn("__rustc", crates.values(), options)


class OfCratesThatStdHasToo(ProjectTest):
    """hashbrown is in std, whose maps are instances of it that the program makes."""

    MANIFEST = '[package]\nname = "hashbrown"\nversion = "0.1.0"\nedition = "2021"\n'
    MAP = "pub mod map { #[inline(never)] pub fn find<T: Default>() -> T { std::hint::black_box(T::default()) } }\n"
    USES = """fn main() {
        let mut lengths = std::collections::HashMap::new();
        for word in std::env::args() { lengths.insert(word.len(), word); }
        println!("{lengths:?} {}", hashbrown::map::find::<u64>());
    }
    """

    def crates(self, *arguments, **changes):
        result = bloatc(os.path.join(self.folder, "hello"), "--release", "--attribute", "defined", "--split-std", "-q", "-n", "0",
                        "--format", "json", *arguments, **changes)
        self.assertEqual(result.code, 0, result)
        found = {}
        for row in json.loads(result.out)["functions"]:
            if row["name"].lstrip("<").startswith("hashbrown::"):
                name = row["name"].lstrip("<").partition("<")[0].partition("::{")[0].rstrip(":")
                found.setdefault((name, row["crate-source"]), set()).add(row.get("crate-version"))
        return found

    def test_lines_tell_whose_map_it_is_and_names_alone_do_not(self):
        self.write("hashbrown/Cargo.toml", self.MANIFEST)
        self.write("hashbrown/src/lib.rs", self.MAP)
        self.write("hello/Cargo.toml", MANIFEST.partition("one =")[0] + 'hashbrown = { path = "../hashbrown" }\n')
        self.write("hello/src/main.rs", self.USES)
        hello = os.path.join(self.folder, "hello")
        names = "hashbrown::map::find", "hashbrown::raw::RawTable"
        for mangling, source, own in ("legacy", "inferred", {None}), ("v0", "symbol", {"0.1.0"}):
            # Of the two crates of one name v0 names show the hashes, and cargo's library has the program's.
            found = self.crates(**MANGLED[mangling])
            self.assertLessEqual({(name, source) for name in names}, set(found), mangling)
            self.assertEqual(found.pop((names[0], source)), own, mangling)
            self.assertEqual(set().union(*found.values()), {None}, found)
            generics = "--release", "--by", "generic", "-q", "-n", "0", "--format", "json"
            before = bloatc(hello, *generics, **MANGLED[mangling])
            found = [row for row in json.loads(before.out)["generics"] if "hashbrown" in row["name"]]
            self.assertGreater(len(found), 1)
            told = [row["name"] for row in found if "@" in row["name"] or "crate-version" in row]
            self.assertEqual(told, [f"hashbrown@{version}::map::find" for version in own if version])
            self.write("before.json", before.out)
            self.write("hashbrown/Cargo.toml", self.MANIFEST.replace("0.1.0", "0.2.0"))
            raised = bloatc(hello, *generics, "--diff", os.path.join(self.folder, "before.json"), **MANGLED[mangling])
            self.assertEqual([row for row in json.loads(raised.out)["generics"] if "hashbrown" in row["name"]], [], raised)
            self.write("hashbrown/Cargo.toml", self.MANIFEST)
        for options in ((), ("--exact",)):
            found = self.crates(*options, CARGO_PROFILE_RELEASE_DEBUG="line-tables-only")
            own = [name for (name, _), versions in found.items() if versions == {"0.1.0"}]
            self.assertEqual(own, ["hashbrown::map::find"], found)
            self.assertFalse([name for (name, _), versions in found.items() if name not in own and "0.1.0" in versions], found)
            self.assertGreater(len(found), 1, found)

    def test_whatever_the_mangling_the_programs_copy_is_apart_from_stds(self):
        """rustc-demangle is in std for its backtraces."""
        self.write("demangle/Cargo.toml", '[package]\nname = "rustc-demangle"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("demangle/src/lib.rs", "#[inline(never)] pub fn ours() -> u64 { std::hint::black_box(7) }\n")
        self.write("hello/Cargo.toml", MANIFEST.partition("one =")[0] + 'rustc-demangle = { path = "../demangle" }\n')
        self.write("hello/src/main.rs", 'fn main() { println!("{}", rustc_demangle::ours()); }\n')
        for options, changes in (((), MANGLED["legacy"]), (("--exact",), {}), (("--target-dir", "v0"), MANGLED["v0"])):
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", *options, **changes)
            self.assertEqual(result.code, 0, result)
            rows = [row for row in json.loads(result.out)["functions"] if "rustc_demangle::" in row["name"]]
            ours = [row["crate"] for row in rows if row["name"].startswith("rustc_demangle::ours")]
            self.assertEqual(ours, ["rustc_demangle"], options)
            self.assertEqual({row["crate"] for row in rows if row["name"] != "rustc_demangle::ours"}, {"std"}, options)
        result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "--filter", "rustc-demangle", "--format", "json")
        self.assertEqual([row["name"] for row in json.loads(result.out)["functions"]], ["rustc_demangle::ours"])

    def test_stds_own_memchr_is_stds_whose_library_the_build_has_not(self):
        self.write("memchr/Cargo.toml", '[package]\nname = "memchr"\nversion = "9.0.0"\nedition = "2021"\n')
        self.write("memchr/src/lib.rs", "#[inline(never)] pub fn ours() -> u64 { std::hint::black_box(7) }\n")
        self.write("hello/Cargo.toml", MANIFEST.partition("one =")[0] + 'memchr = { path = "../memchr" }\n')
        self.write("hello/src/main.rs", 'fn main() { println!("{}", memchr::ours()); }\n')
        result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json",
                        **MANGLED["v0"])
        self.assertEqual(result.code, 0, result)
        rows = [row for row in json.loads(result.out)["functions"] if row["name"].startswith("memchr::")]
        self.assertEqual({(row["name"], row["crate"]) for row in rows if row["crate"] != "std"}, {("memchr::ours", "memchr")})
        self.assertGreater(len(rows), 1, rows)


class UnderFatLto(ProjectTest):
    """All code is in one unit, so that neither symbols nor debug information tell who made an instance."""

    SORT = """
        #[derive(PartialEq, Eq, PartialOrd, Ord)] pub struct Word([u64; %d]);
        #[inline(never)] pub fn sorted() -> u64 {
            let mut words: Vec<Word> = (0..std::hint::black_box(1000)).map(|n: u64| Word([n ^ 0x2a5; %d])).collect();
            words.sort();
            words[0].0[0]
        }
    """

    def test_the_library_that_has_its_name_has_made_an_instance_and_else_the_program(self):
        self.write("dep/Cargo.toml", '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("dep/src/lib.rs", self.SORT % (3, 3))
        manifest = MANIFEST.partition("one =")[0] + 'dep = { path = "../dep" }\n[profile.release]\nlto = "fat"\n'
        self.write("hello/Cargo.toml", manifest)
        self.write("hello/src/main.rs", self.SORT % (5, 5) + 'fn main() { println!("{} {}", dep::sorted(), sorted()); }\n')
        # v0 names say it themselves. Those of what std made stand in the file, too.
        for mangling, source, mark in ("legacy", "rlib", "_ZN"), ("v0", "symbol", "4Word"):
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", **MANGLED[mangling])
            self.assertEqual(result.code, 0, result)
            rows = [row for row in json.loads(result.out)["functions"] if row["name"].startswith("core::slice::sort::")]
            made = {(row["crate"], row["crate-source"]) for row in rows if mark in row["symbol"]}
            self.assertEqual(made, {("dep", source), ("hello", source)}, result)

    def test_the_one_object_of_a_static_library_is_not_all_of_the_crate_that_was_compiled_last(self):
        self.write("dep/Cargo.toml", '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("dep/src/lib.rs", self.SORT % (3, 3))
        manifest = MANIFEST.partition("one =")[0] + 'dep = { path = "../dep" }\n[lib]\ncrate-type = ["staticlib"]\n'
        self.write("hello/Cargo.toml", manifest)
        self.write("hello/src/lib.rs", '#[unsafe(no_mangle)] pub extern "C" fn least() -> u64 { dep::sorted() }\n')
        for lto, source in ("off", "unit-symbol"), ("fat", "rlib"):
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", "--config", f'profile.release.lto="{lto}"')
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual((rows["dep::sorted"]["crate"], rows["dep::sorted"]["crate-source"]), ("dep", source), lto)
            # Of the file alone, too, what it exports is its own.
            result = bloatc(os.path.join(self.folder, "hello"), "target/release/libhello.a", "-q", "-n", "0", "--format", "json")
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual(rows["least"]["crate"], "hello", lto)
            self.assertEqual({row.get("crate") for row in rows.values()} & {"[Unknown]", None}, set(), lto)

    def test_of_a_shared_library_alone_what_it_exports_is_its_own(self):
        self.write("dep/Cargo.toml", '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("dep/src/lib.rs", self.SORT % (3, 3) + '#[unsafe(no_mangle)] pub extern "C" fn of_dep() -> u64 { sorted() + 1 }\n')
        manifest = MANIFEST.partition("one =")[0] + 'dep = { path = "../dep" }\n[lib]\ncrate-type = ["cdylib"]\n'
        self.write("hello/Cargo.toml", manifest)
        self.write("hello/src/lib.rs", self.SORT % (5, 5) + """
            #[unsafe(no_mangle)] pub extern "C" fn least() -> u64 { dep::sorted() + sorted() }
            #[unsafe(no_mangle)] pub extern "C" fn last() -> u64 { sorted() + 1 }
        """)
        wanted = {"least": "hello", "last": "hello", "of_dep": "dep"}
        for subject in ["--release"], ["target/release/libhello.so"]:
            result = bloatc(os.path.join(self.folder, "hello"), *subject, "-q", "-n", "0", "--format", "json")
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual({name: rows[name].get("crate") for name in wanted}, wanted, subject)
            with open(os.path.join(self.folder, "hello/target/release/libhello.so"), "rb") as file:
                if b"Linker: LLD" not in file.read():
                    self.skipTest("GNU ld moves the symbols that tell")
            # Of the file alone, by where they stand: the dependency's stands between two crates.
            wanted.pop("of_dep", None)
        self.assertEqual((rows["least"]["crate-source"], rows["of_dep"].get("crate")), ("inferred", None))


if __name__ == "__main__":
    unittest.main(verbosity=1)
