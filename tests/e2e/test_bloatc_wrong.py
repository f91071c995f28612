"""cargo bloatc on projects that are wrong in one way each."""

import json
import os
import shutil
import subprocess
import unittest

from suite import MANGLED, ProjectTest, program, run, unit_files
from test_bloatc import bloatc

HELLO = 'fn main() { println!("hello"); }\n'
EXPORTED = '#[no_mangle] pub extern "C" fn f(x: i32) { println!("{x}"); }\n'
TWICE = """#[inline(never)] pub fn plain() { println!("VERSION"); }
#[inline(never)] pub fn generic<T: std::fmt::Debug>(what: T) { println!("{what:?} VERSION"); }
"""
NO_REFERENCE = "[.rodata: no reference found]"
MANIFEST = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n'


class WhenSomethingIsWrong(ProjectTest):
    def test_no_manifest_here_or_above(self):
        result = run(["cargo", "bloatc"], "/")
        self.assert_fails(result, 101, "could not find `Cargo.toml`", "--manifest-path")

    def test_a_manifest_that_cargo_refuses(self):
        self.project("[package\n", src__main_rs=HELLO)
        result = bloatc(self.folder)
        self.assert_fails(result, 101, "Cargo.toml", "[package")

    def test_cargo_is_missing(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = run([program("cargo-bloatc")], self.folder, PATH="/nowhere")
        self.assert_fails(result, 1, "cargo", "rustup.rs")

    def test_an_output_that_cannot_be_written_is_refused_before_anything_is_built(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        os.mkdir(os.path.join(self.folder, "folder.json"))
        for name in "bloatc", "llvmlines":
            for output, phrases in (
                ("folder.json", ["Is a directory"]),
                ("nowhere/x.json", ["No such file or directory", "hint: there is no folder nowhere"]),
                ("target/nowhere/x.json", ["No such file or directory", "hint: there is no folder target/nowhere"]),
            ):
                with self.subTest(name=name, output=output):
                    result = run(["cargo", name, "-o", output], self.folder)
                    self.assert_fails(result, 1, f"error: write {output}", *phrases)
                    self.assertFalse(os.path.exists(os.path.join(self.folder, "target")))

    def test_a_base_that_cannot_be_measured_is_refused_before_anything_is_built(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        self.write("words.txt", "no program\n")
        subprocess.run(["rustc", "-Cstrip=symbols", "-o", "stripped", "src/main.rs"], cwd=self.folder, check=True)
        for options, phrases in (
            (["words.txt"], ["words.txt: not an ELF file: it is text"]),
            (["words.txt", "--by", "section"], ["words.txt: not an ELF file: it is text"]),
            (["stripped"], ["stripped was stripped"]),
            (["stripped", "--attribute", "line"], ["stripped was stripped"]),
        ):
            with self.subTest(options):
                result = bloatc(self.folder, "--diff", *options)
                self.assert_fails(result, 1, *phrases)
                self.assertFalse(os.path.exists(os.path.join(self.folder, "target")))

    def test_an_output_in_the_target_folder_that_cargo_is_to_make(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        for name, output, options in (
            ("cprof", "target/x.svg", []),
            ("bloatc", "./target/x.json", []),
            ("llvmlines", os.path.join(self.folder, "target/x.md"), []),
            ("bloatc", "elsewhere/x.json", ["--target-dir", "elsewhere"]),
        ):
            with self.subTest(name=name, output=output):
                result = run(["cargo", name, "-q", *options, "-o", output], self.folder)
                self.assertEqual(result.code, 0, result)
                self.assertTrue(os.path.exists(os.path.join(self.folder, output)))
                shutil.rmtree(os.path.dirname(os.path.join(self.folder, output)))
        result = run(["cargo", "bloatc", "--target-dir", "elsewhere", "-o", "target/x.json"], self.folder)
        self.assert_fails(result, 1, "hint: there is no folder target")

    def test_a_build_that_fails_passes_on_what_cargo_says_and_its_code(self):
        self.project(MANIFEST, src__main_rs="fn main() { let x: u32 = \"text\"; }\n")
        result = bloatc(self.folder)
        self.assert_fails(result, 101, "mismatched types", "src/main.rs:1")

    def test_a_library_alone_has_nothing_to_measure(self):
        self.project(MANIFEST, src__lib_rs="pub fn f() {}\n")
        result = bloatc(self.folder)
        self.assert_fails(result, 2, "no program here", "--example NAME")

    def test_an_unknown_package(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "-p", "helo")
        self.assertEqual(result.out, "")
        self.assertNotEqual(result.code, 0)
        self.assertIn("helo", result.err)
        self.assertIn("hello", result.err)

    def test_a_dependency_has_no_program(self):
        self.project(
            MANIFEST + '[dependencies]\nother = { path = "other" }\n[workspace]\nexclude = ["other"]\n',
            src__main_rs=HELLO,
        )
        self.write("other/Cargo.toml", MANIFEST.replace("hello", "other"))
        self.write("other/src/lib.rs", "pub fn f() {}\n")
        result = bloatc(self.folder, "-p", "other")
        self.assert_fails(result, 1, "no program", "in a program that uses it")

    def test_an_unknown_binary(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "--bin", "helo")
        self.assertNotEqual(result.code, 0)
        self.assertIn("`helo`", result.err)
        self.assertIn("hello", result.err.replace("`helo`", ""))

    def test_an_unknown_profile_names_the_nearest(self):
        self.project(MANIFEST + '[profile.shipping]\ninherits = "release"\n', src__main_rs=HELLO)
        result = bloatc(self.folder, "--profile", "shiping")
        self.assertNotEqual(result.code, 0)
        self.assertIn("shiping", result.err)
        self.assertIn("did you mean", result.err)
        self.assertIn("shipping", result.err)

    def test_an_unknown_feature(self):
        self.project(MANIFEST + "[features]\nfast = []\n", src__main_rs=HELLO)
        result = bloatc(self.folder, "--features", "fastt")
        self.assertNotEqual(result.code, 0)
        self.assertIn("fastt", result.err)

    def test_a_stripped_build_is_measured_at_its_size_and_left_as_it_is(self):
        self.project(MANIFEST + "\n[profile.release]\nstrip = true\n", src__main_rs=HELLO, src__lib_rs="pub fn f() {}")
        self.assertEqual(run(["cargo", "build", "--release"], self.folder).code, 0)
        target = os.path.join(self.folder, "target", "release")
        program = next(path for path in (os.path.join(target, name) for name in os.listdir(target))
                       if os.path.isfile(path) and os.access(path, os.X_OK))
        with open(program, "rb") as file:
            shipped = file.read()
        result = bloatc(self.folder, "--release", "--format", "json")
        self.assertEqual(result.code, 0, result)
        self.assertIn("Relinking", result.err)
        # The program alone: not the library beside it.
        self.assertEqual(result.err.count("Compiling"), 1, result.err)
        report = json.loads(result.out)
        self.assertEqual(report["file-size"], len(shipped))
        self.assertEqual(sum(row["size"] for row in report["functions"]), report["text-section-size"])
        self.assertTrue([row for row in report["functions"] if row["name"].endswith("::main")])
        with open(program, "rb") as file:
            self.assertEqual(file.read(), shipped)
        data = json.loads(bloatc(self.folder, "--release", "--data", "--format", "json").out)
        self.assertEqual(sum(row["size"] for row in data["functions"]), len(shipped))
        self.assertTrue([row for row in data["functions"] if row.get("crate") == "hello" and row["data-size"] > 0])
        given = json.loads(bloatc(self.folder, program, "--data", "--format", "json").out)
        self.assertEqual(sum(row["size"] for row in given["functions"]), len(shipped))
        self.assertNotIn("Compiling", run(["cargo", "build", "--release"], self.folder).err)
        self.assertNotIn("Compiling", bloatc(self.folder, "--release").err)

    def test_relocations_that_the_linker_left_change_no_owner_of_data(self):
        """--emit-relocs, for optimizers of linked programs: most are of debug information, and so its crates'."""
        self.project(MANIFEST + "\n[profile.release]\ndebug = true\n", src__main_rs=HELLO)
        crates = []
        for flags in ("", "-Clink-arg=-Wl,--emit-relocs"):
            result = bloatc(self.folder, "--release", "--data", "--crates", "--format", "json", RUSTFLAGS=flags)
            self.assertEqual(result.code, 0, result)
            crates.append({row["name"]: row["data-size"] for row in json.loads(result.out)["crates"]})
        plain, left = crates
        # Symbols that are left with them tell that nothing refers to some constants, which else count with what is before.
        nobodys = left.get(NO_REFERENCE, 0) - plain.get(NO_REFERENCE, 0)
        self.assertLess(abs(nobodys), 0.005 * plain["std"])
        for crate, less in ("hello", 0), ("std", nobodys):  # relocations may tell of a word more than the code does
            self.assertAlmostEqual(left[crate] + less, plain[crate], delta=16)
        self.assertFalse([name for name in left if name.startswith("[.rela.debug_")], left)

    def test_a_stripped_cdylib_is_measured_each_time(self):
        """Alone, with a library for Rust beside it, and after a program that uses that."""
        stripped = "\n[profile.release]\nstrip = true\n"
        for types in ('["cdylib"]', '["cdylib", "rlib"]', '["rlib", "cdylib"]'):
            self.project(MANIFEST + f"[lib]\ncrate-type = {types}\n" + stripped, src__lib_rs=EXPORTED)
            for _ in ("linked anew", "up to date"):
                result = bloatc(self.folder, "--release", "--lib", "--format", "json")
                self.assertEqual(result.code, 0, result)
                self.assertIn("f", {row["name"] for row in json.loads(result.out)["functions"]})
        user = "fn main() { hello::f(1) }\n"
        self.write("src/bin/user.rs", user)
        shutil.rmtree(os.path.join(self.folder, "target", "bloatc-relink"))
        for selection in (["--bin", "user"], ["--lib"], ["--lib"], ["--bin", "user"], ["--lib"]):
            result = bloatc(self.folder, "--release", *selection, "--data", "-n", "1")
            self.assertEqual(result.code, 0, result)

    def test_what_a_cdylib_exports_is_its_crates(self):
        """Whatever else the library is built as."""
        for types in ('["cdylib"]', '["cdylib", "rlib"]'):
            self.project(MANIFEST + f"[lib]\ncrate-type = {types}\n", src__lib_rs=EXPORTED)
            result = bloatc(self.folder, "--release", "--format", "json", "--filter", "^f$")
            self.assertEqual(result.code, 0, result)
            self.assertEqual([row.get("crate") for row in json.loads(result.out)["functions"]], ["hello"], types)

    def test_what_a_program_gives_a_name_of_c_s_is_its_crates(self):
        """Wherever the crate's code stands, and of nothing that C's startup files bring."""
        called = HELLO.replace("fn main() {", "fn main() { hooks::f(std::hint::black_box(1));")
        source = called + "mod hooks {\n#[inline(never)]\n" + EXPORTED + "}\n"
        self.project(MANIFEST, src__main_rs=source)
        for options in ([], ["--release"], ["--release", "--config", 'profile.release.lto="fat"']):
            result = bloatc(self.folder, *options, "--format", "json")
            self.assertEqual(result.code, 0, result)
            crates = {row["name"]: row.get("crate") for row in json.loads(result.out)["functions"]}
            self.assertEqual((crates["f"], crates["main"], crates["_start"]), ("hello", "hello", None), options)

    def test_who_defines_a_function_is_told_by_version_where_two_crates_have_one_name(self):
        """By the lines of its own, also where another crate has the instance, or the hash in its name; else by who compiled it."""
        dependencies = "[workspace]\nexclude = [\"registry\"]\n[dependencies]\n"
        for version in ("1.0.0", "2.0.0"):
            folder = f"registry/src/index/dep-{version}"
            dependencies += f'dep{version[0]} = {{ package = "dep", path = "{folder}" }}\n'
            self.write(f"{folder}/Cargo.toml", f'[package]\nname = "dep"\nversion = "{version}"\nedition = "2021"\n')
            self.write(f"{folder}/src/lib.rs", TWICE.replace("VERSION", version))
        main = "fn main() { dep1::plain(); dep2::plain(); dep1::generic(1); dep2::generic(2u8); }\n"
        self.project(MANIFEST + dependencies, src__main_rs=main)
        both = "plain", "generic"
        for mangling, debug, sure in ("legacy", "1", both), ("legacy", "0", both[:1]), ("v0", "1", both), ("v0", "0", both):
            result = bloatc(self.folder, "--attribute", "defined", "--format", "json", CARGO_PROFILE_DEV_DEBUG=debug, **MANGLED[mangling])
            self.assertEqual(result.code, 0, result)
            for name in sure:
                rows = [row for row in json.loads(result.out)["functions"] if row["name"].partition("::<")[0] == f"dep::{name}"]
                self.assertEqual(sorted(row["crate"] for row in rows), ["dep@1.0.0", "dep@2.0.0"], (mangling, debug, rows))

    def test_a_program_that_stays_stripped_is_told_where_to_look(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, RUSTFLAGS="-Clink-arg=-s")
        self.assert_fails(result, 1, "stripped", "RUSTFLAGS", "cargo bloatc target/debug/hello --data")
        self.assertNotIn("once more with its symbols", result.err)
        self.assertEqual(bloatc(self.folder, "target/debug/hello", "--data").code, 0)

    def test_what_the_compiler_warns_of_is_said_once(self):
        source = HELLO + "fn never_called() {}\n"
        self.project(MANIFEST + "\n[profile.release]\nstrip = true\n", src__main_rs=source)
        result = bloatc(self.folder, "--release")
        self.assertEqual(result.code, 0, result)
        self.assertIn("Relinking", result.err)
        self.assertEqual(result.err.count("is never used"), 1, result.err)
        self.assertNotIn("Relinking", bloatc(self.folder, "--release", "-q").err)

    def test_a_stripped_build_is_measured_where_its_parts_are_elsewhere(self):
        self.project(MANIFEST + "\n[profile.release]\nstrip = true\n", src__main_rs=HELLO, src__lib_rs="pub fn f() {}",
                     tests__t_rs="#[test] fn t() { hello::f() }")
        metadata = json.loads(run(["cargo", "metadata", "--no-deps", "--format-version=1"], self.folder).out)
        if "build_directory" not in metadata:
            self.skipTest("cargo before 1.91 keeps its files in the target directory")
        host = run(["rustc", "-vV"], self.folder).out.partition("host: ")[2].split()[0]
        # What a build without the setting left behind tells nothing of the one with it.
        self.assertEqual(bloatc(self.folder, "--release").code, 0)
        self.write(".cargo/config.toml", '[build]\nbuild-dir = "elsewhere"\n')
        typed = ["--config", 'build.build-dir="typed"']
        for arguments in [], ["--target", host], ["--target-dir", "other"], ["--test", "t"], typed:
            with self.subTest(arguments=arguments):
                result = bloatc(self.folder, "--release", "--format", "json", *arguments)
                self.assertEqual(result.code, 0, result)
                self.assertIn("Relinking the last crate alone, with its symbols\n   Compiling hello", result.err)
                names = {row["name"] for row in json.loads(result.out)["functions"]}
                self.assertTrue([name for name in names if name.endswith("main")], names)
        self.assertTrue(unit_files(os.path.join(self.folder, "elsewhere", "release"), "libhello-*.rlib"))

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv"), "takes root to go on with fewer rights")
    def test_a_target_directory_that_may_not_be_written_is_named_with_what_is_built_in_it(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        self.assertEqual(bloatc(self.folder, "--release").code, 0)
        release = os.path.join(self.folder, "target", "release")
        subprocess.run(["chmod", "-R", "a+rX", release], check=True)
        subprocess.run(["chown", "-R", "65534", release], check=True)
        # Root without its capabilities is refused what belongs to others, and has its toolchains yet.
        bounded = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
        result = run([*bounded, program("cargo-bloatc"), "--release"], self.folder)
        self.assert_fails(result, 101, "target/release cannot be written", "--target-dir", "cargo bloatc target/release/hello\n")
        self.assertEqual(run([*bounded, program("cargo-bloatc"), "target/release/hello"], self.folder).code, 0)

    def test_a_package_that_is_not_there_is_told_with_what_names_the_program_too(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        self.assert_fails(bloatc(self.folder, "-p", "nope"), 101, "the workspace has no package nope", "--bin NAME")

    def test_a_source_file_has_no_dots_in_its_path(self):
        self.project(MANIFEST, src__main_rs='#[path = "./other.rs"]\nmod other;\nfn main() { other::f() }\n',
                     src__other_rs='pub fn f() { println!("hello"); }\n')
        result = bloatc(self.folder, "--by", "file", "--format", "json")
        files = {row["file"] for row in json.loads(result.out)["files"]}
        self.assertIn("src/other.rs", files)
        self.assertFalse([name for name in files if "/./" in name])

    def test_a_stripped_build_that_cannot_be_linked_again_is_told_where_it_is_stripped(self):
        self.project(MANIFEST + "\n[profile.release]\nstrip = true\n", src__main_rs=HELLO)
        self.write("target/bloatc-relink", "no folder")
        result = bloatc(self.folder, "--release")
        command = "cargo bloatc --release --config profile.release.strip=false"
        self.assert_fails(result, 1, "stripped", "Cargo.toml:7", command)
        self.assertEqual(run(command.split(), self.folder).code, 0)

    def test_line_tables_that_are_not_there_are_asked_of_the_profile_that_was_built(self):
        thin = '\n[profile.thin]\ninherits = "lean"\ndebug = "line-tables-only"\n'
        lean = '\n[profile.lean]\ninherits = "release"\nstrip = "debuginfo"\n\n[profile.plain]\ninherits = "release"\n'
        self.project(MANIFEST + thin + lean, src__main_rs=HELLO)
        command = "cargo bloatc --profile thin --by file --config profile.thin.strip=false"
        self.assert_fails(bloatc(self.folder, "--profile", "thin", "--by", "file"), 1, 'Cargo.toml:12 sets strip = "debuginfo"', command)
        self.assertEqual(run(command.split(), self.folder).code, 0)
        setting = """--config 'profile.plain.debug="line-tables-only"'"""
        for arguments in (("--profile", "plain"), (os.path.join(self.folder, "target", "plain", "hello"),)):
            self.assert_fails(bloatc(self.folder, *arguments, "--by", "file"), 1, setting)

    def test_what_strips_line_tables_is_told_wherever_it_stands(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        command = "cargo bloatc --release --by file --config profile.release.strip=false"
        strip = '[profile.release]\nstrip = "debuginfo"\ndebug = 1\n'
        self.write(".cargo/config.toml", strip)
        found = bloatc(self.folder, "--release", "--by", "file")
        self.assert_fails(found, 1, '.cargo/config.toml:2 sets strip = "debuginfo"; build with line tables: ' + command + "\n")
        self.assertEqual(run(command.split(), self.folder).code, 0)
        self.write(".cargo/config.toml", "[profile.release]\ndebug = 1\n")
        found = bloatc(self.folder, "--release", "--by", "file", CARGO_PROFILE_RELEASE_STRIP="debuginfo")
        self.assert_fails(found, 1, "CARGO_PROFILE_RELEASE_STRIP=debuginfo; build with line tables: " + command + "\n")
        self.write(".cargo/config.toml", '[build]\nrustflags = ["-Cstrip=debuginfo"]\n[profile.release]\ndebug = 1\n')
        found = bloatc(self.folder, "--release", "--by", "file")
        self.assert_fails(found, 1, "strip it: -Cstrip=debuginfo; build without these, or with --exact")
        self.assertEqual(bloatc(self.folder, "--release", "--by", "file", "--exact").code, 0)

    def test_an_exact_build_stands_apart_and_infers_nothing_of_the_program(self):
        self.project(MANIFEST + "\n[profile.release]\nstrip = true\n", src__main_rs=HELLO)
        log = os.path.join(self.folder, "wrapped")
        wrapper = os.path.join(self.folder, "wrapper")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$@" >> {log}\nexec "$@"\n')
        os.chmod(wrapper, 0o755)
        result = bloatc(self.folder, "--release", "--exact", "--format", "json", RUSTC_WRAPPER=wrapper)
        self.assertEqual(result.code, 0, result)
        main = next(row for row in json.loads(result.out)["functions"] if row["name"].endswith("::main"))
        self.assertTrue(main["symbol"].startswith("_R"), main)
        self.assertEqual(main["crate-source"], "debug-info")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "target", "release")))
        with open(log, encoding="utf-8") as file:
            self.assertIn("-Csymbol-mangling-version=v0", file.read())
        against = bloatc(self.folder, "--release", "--exact", "--diff", "target/bloatc/release/hello")
        self.assertEqual(against.code, 0, against)
        self.assertIn("the working tree against target/bloatc/release/hello", against.out)
        against = bloatc(self.folder, "target/bloatc/release/hello", "--exact", "--diff", "target/bloatc/release/hello")
        self.assert_fails(against, 2, "--exact says how to build", "leave out --exact")
        lines = bloatc(self.folder, "--release", "--exact", "--by", "line", "-n", "3")
        self.assertNotIn("--exact builds", lines.out)
        self.assertEqual(lines.code, 0, lines)
        defined = bloatc(self.folder, "--release", "--exact", "--attribute", "defined", "-n", "3")
        self.assertRegex(defined.out, r"The crates of \d+B are inferred from names alone\.")
        self.assertNotIn("Compiling", lines.err)

    def test_a_section_that_is_not_there_is_not_taken_for_stripping(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "--symbols-section", ".nothing")
        self.assert_fails(result, 1, "no section .nothing", "its sections of code are .text, .init")
        self.assertNotIn("strip", result.err)

    def test_help_of_cargos_unstable_flags_is_cargos(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "-Z", "help")
        self.assert_fails(result, 2, "error: -Z help builds nothing", "hint: cargo lists its unstable flags: cargo -Z help")

    def test_a_failing_output_leaves_the_old_file(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "-o", os.path.join(self.folder, "none", "size.json"))
        self.assertEqual(result.code, 1, result)
        self.assertIn("size.json", result.err)

    def test_binaries_that_need_features_are_not_asked_about(self):
        self.project(
            MANIFEST + '[features]\nextra = []\n[[bin]]\nname = "more"\nrequired-features = ["extra"]\n',
            src__main_rs=HELLO,
            src__bin__more_rs=HELLO,
        )
        self.assertEqual(bloatc(self.folder, "-n", "1").code, 0)
        self.assertEqual(bloatc(self.folder, "--features", "extra").code, 2)

    def test_the_only_unit_tests_are_measured(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "--tests", "-n", "1")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.err, "(deps|out)/hello-")

    def test_several_unit_tests_are_offered_as_the_files_that_cargo_built(self):
        self.project(MANIFEST, src__main_rs=HELLO, src__lib_rs="")
        result = bloatc(self.folder, "--tests", "-n", "1")
        self.assert_fails(result, 2, "which of the programs", "name one file: cargo bloatc target/")
        self.assertRegex(result.err, r"(deps|out)/hello-\w+ \(tests of lib hello\)")
        self.assertRegex(result.err, r"(deps|out)/hello-\w+ \(tests of bin hello\)")
        command = result.err.split("name one file: ")[1].split(" (")[0]
        measured = run(["bash", "-c", command], self.folder)
        self.assertEqual(measured.code, 0, measured)

    def test_default_run_settles_which_binary(self):
        self.project(
            MANIFEST.replace("edition", 'default-run = "more"\nedition'),
            src__main_rs=HELLO,
            src__bin__more_rs=HELLO,
        )
        result = bloatc(self.folder, "-n", "1")
        self.assertEqual(result.code, 0, result)
        self.assertIn("debug/more", result.err)

    def test_what_a_build_script_prints_and_builds_is_not_taken_for_the_program(self):
        self.project(MANIFEST, src__main_rs=HELLO, build_rs='fn main() { println!("cargo:warning=note"); }\n')
        result = bloatc(self.folder, "-n", "1")
        self.assertEqual(result.code, 0, result)
        self.assertIn("debug/hello", result.err)

    def test_c_code_that_its_own_build_script_compiles_is_the_packages(self):
        build = """
use std::{env, process::Command};
fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let object = format!("{out}/c.o");
    assert!(Command::new("cc").args(["-c", "c.c", "-o", &object]).status().unwrap().success());
    assert!(Command::new("ar").args(["rcs", &format!("{out}/libc_part.a"), &object]).status().unwrap().success());
    println!("cargo:rustc-link-search=native={out}\\ncargo:rustc-link-lib=static=c_part");
}
"""
        main = 'extern "C" { fn c_add(a: i32) -> i32; }\nfn main() { println!("{}", unsafe { c_add(1) }); }\n'
        self.project(MANIFEST, src__main_rs=main, build_rs=build)
        self.write("c.c", "int c_add(int a) { return a + 1; }\n")
        for _ in ("built", "fresh"):
            result = bloatc(self.folder, "--format", "json", "--filter", "^(c_add|main)$")
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual(rows["c_add"]["crate"], "hello")
            self.assertEqual(rows["c_add"]["crate-source"], "rlib")
            self.assertEqual(rows["main"]["crate"], "hello")

    def test_stds_parts_are_stds_in_a_static_library_too(self):
        self.project(MANIFEST + '[lib]\ncrate-type = ["staticlib"]\n', src__lib_rs=EXPORTED)
        self.assertEqual(run(["cargo", "build", "--release", "--quiet"], self.folder).code, 0)
        archive = os.path.join(self.folder, "target", "release", "libhello.a")
        result = bloatc(self.folder, archive, "--crates", "--format", "json", "--quiet")
        self.assertEqual(result.code, 0, result)
        names = {row["name"] for row in json.loads(result.out)["crates"]}
        # compiler-rt's C, which std brings along, too.
        self.assertEqual(names, {"std", "hello"})
        built = bloatc(self.folder, "--release", "--crates", "--format", "json")
        self.assertIn("Analyzing target/release/libhello.a\n", built.err)
        self.assertEqual(json.loads(built.out)["file-size"], json.loads(result.out)["file-size"])

    def test_no_other_build_is_advised_for_a_few_bytes(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "--release", "--crates", "-q")
        self.assertRegex(result.out, r"\nThe crates of \d+B are inferred from names alone\.\n$")
        result = bloatc(self.folder, "--release", "-q", "--filter", "^main$")
        self.assertIn("inferred from names alone: line tables would tell most of them (--exact", result.out)

    def test_lines_of_std_alone_are_not_taken_for_lines_of_the_program(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        result = bloatc(self.folder, "--release", "--config", "profile.release.strip=true", "--crates", "--attribute", "line", "-q")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, "No lines tell the crates of .*, which count for who defines the function: --exact builds")

    def test_a_base_without_symbols_takes_nothing_from_what_the_build_tells_of_the_head(self):
        self.project(MANIFEST, src__main_rs=HELLO)
        self.assertEqual(bloatc(self.folder, "-n", "1").code, 0)
        base = os.path.join(self.folder, "stripped")
        subprocess.run(["strip", "-o", base, os.path.join(self.folder, "target", "debug", "hello")], check=True)
        result = bloatc(self.folder, "--diff", base, "--data", "--format", "json", "--quiet")
        self.assertEqual(result.code, 0, result)
        rows = json.loads(result.out)["functions"]
        self.assertEqual({row["crate"] for row in rows if row["name"].startswith("hello::")}, {"hello"})

    def test_a_package_inside_a_workspace_is_the_one_of_the_folder(self):
        self.write("Cargo.toml", '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n')
        for name in ("a", "b"):
            self.write(f"{name}/Cargo.toml", MANIFEST.replace("hello", name))
            self.write(f"{name}/src/main.rs", HELLO)
        result = bloatc(os.path.join(self.folder, "b"), "-n", "1")
        self.assertEqual(result.code, 0, result)
        self.assertIn("debug/b", result.err)
        both = bloatc(self.folder)
        self.assertEqual(both.code, 2, both)
        self.assertIn("cargo bloatc -p a --bin a", both.err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
