"""cargo cprof with real programs: whose code it is that takes the time."""

import json
import os
import sys
import unittest

from suite import ProjectTest, run, unit_files


class NamesOfTheUsersOwn(ProjectTest):
    def test_functions_that_others_call_by_another_name_are_ones_own(self):
        self.project('[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n', src__main_rs="""
            use std::hint::black_box;
            #[export_name = "eng_v2"] #[inline(never)]
            pub extern "C" fn engine_step() -> u64 {
                let mut sum = 0;
                for n in 0..300_000_000u64 { sum = black_box(sum ^ n); }
                sum
            }
            fn main() { println!("{}", black_box(engine_step as extern "C" fn() -> u64)()); }""")
        result = run(["cargo", "cprof", "-o", "a.cprof"], self.folder)
        self.assertEqual(result.code, 0, result)
        report = run(["cargo-cprof", "report", "a.cprof", "--format", "json"], self.folder)
        found = [row for row in json.loads(report.out)["groups"] if "engine_step" in row["function"]]
        self.assertEqual([(row["crate"], row["function"], row["category"]) for row in found],
                         [("app", "app::engine_step", "own")], report)

    def test_they_are_so_without_the_debug_information_that_was_split_off(self):
        """Then a function has but lines, which may all be of what is inlined into it."""
        self.project(
            '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[[bin]]\nname = "server"\npath = "src/main.rs"\n'
            '[profile.release]\ndebug = true\nsplit-debuginfo = "unpacked"\n',
            src__lib_rs="""
                #[inline(never)] pub fn hash(words: &[u64]) -> u64 { words.iter().fold(1, |a, b| a.rotate_left(3).wrapping_mul(*b)) }
            """,
            src__main_rs="""fn main() {
                let words = std::hint::black_box(vec![3; 1000]);
                println!("{}", (0..400_000).fold(0, |all, _| all ^ app::hash(std::hint::black_box(&words))));
            }""")
        self.assertEqual(run(["cargo", "build", "--release", "-q"], self.folder).code, 0)
        os.rename(os.path.join(self.folder, "target", "release", "server"), os.path.join(self.folder, "other"))
        for path in unit_files(os.path.join(self.folder, "target", "release"), "*.dwo"):
            os.remove(path)
        result = run(["cargo-cprof", "exec", "-o", "a.cprof", "--", "./other"], self.folder)
        self.assertIn(".dwo: the debug information", result.err)
        report = run(["cargo-cprof", "report", "a.cprof", "--format", "json"], self.folder)
        found = {row["function"]: row["category"] for row in json.loads(report.out)["groups"]}
        self.assertEqual({name: found.get(name) for name in ("app::hash", "server::main")},
                         {"app::hash": "own", "server::main": "own"}, report)


    def test_members_that_are_loaded_while_it_runs_are_ones_own(self):
        self.project(
            '[workspace]\nmembers = ["plug-in"]\n[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
            src__main_rs="""
                use std::ffi::{c_char, c_int, c_void};
                extern "C" {
                    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
                    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
                }
                fn main() {
                    unsafe {
                        let library = dlopen(c"target/debug/libplug_in.so".as_ptr(), 2);
                        assert!(!library.is_null());
                        let work: extern "C" fn() -> u64 = std::mem::transmute(dlsym(library, c"work".as_ptr()));
                        println!("{}", work());
                    }
                }""")
        self.write("plug-in/Cargo.toml", '[package]\nname = "plug-in"\nversion = "0.1.0"\nedition = "2021"\n[lib]\ncrate-type = ["cdylib"]\n')
        self.write("plug-in/src/lib.rs", """
            #[inline(never)] fn spin(sum: u64, n: u64) -> u64 { std::hint::black_box(sum ^ n) }
            #[no_mangle] pub extern "C" fn work() -> u64 { (0..20_000_000u64).fold(1, spin) }
        """)
        self.assertEqual(run(["cargo", "build", "-q", "-p", "plug-in"], self.folder).code, 0)
        result = run(["cargo", "cprof", "-o", "a.cprof"], self.folder)
        self.assertEqual(result.code, 0, result)
        report = run(["cargo-cprof", "report", "a.cprof", "--format", "json"], self.folder)
        found = {row["function"]: row["category"] for row in json.loads(report.out)["groups"] if row["crate"] == "plug_in"}
        self.assertEqual(found.get("plug_in::spin"), "own", report)


class CratesOfLocalSources(ProjectTest):
    """Crates that cargo did not unpack: the path of a source file does not say whose it is."""

    PACKAGE = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n'
    SPIN = """
        #[inline(always)]
        pub fn spin() -> u64 {
            let (mut state, mut left) = std::hint::black_box((1u64, 50_000_000u64));
            while left > 0 {
                state ^= state << 13;
                state ^= state >> 7;
                left -= 1;
            }
            std::hint::black_box(state)
        }
    """
    ANCHOR = "#[inline(never)] pub fn anchor() -> u64 { std::hint::black_box(1) }\n"

    def package(self, folder, name, source, more=""):
        self.write(f"{folder}/Cargo.toml", self.PACKAGE.format(name) + more)
        self.write(f"{folder}/src/{'main' if name == 'app' else 'lib'}.rs", source)

    def self_samples(self):
        """By crate and function, of a program in app/."""
        folder = os.path.join(self.folder, "app")
        result = run(["cargo", "cprof", "-o", "a.cprof"], folder)
        self.assertEqual(result.code, 0, result)
        report = run(["cargo-cprof", "report", "a.cprof", "--by", "crate,function", "--format", "json", "-n", "0"], folder)
        return {(row["crate"], row["function"]): row["self"] for row in json.loads(report.out)["groups"] if row["self"] > 0}

    def test_what_they_have_inlined_elsewhere_is_theirs_with_debug_information_of_lines_only(self):
        self.package("app", "app", "fn main() { println!(\"{}\", member::anchor() ^ member::spin() ^ outer::anchor()"
                     " ^ outer::spin() ^ without_unit::spin()); }", """
            [dependencies]
            member = { path = "member" }
            outer = { path = "../other-folder" }
            without-unit = { path = "../without-unit" }
            [workspace]
            members = ["member"]
            [profile.profiling]
            inherits = "release"
            debug = "line-tables-only"
        """)
        self.package("app/member", "member", self.SPIN + self.ANCHOR)
        self.package("other-folder", "outer", self.SPIN + self.ANCHOR)
        self.package("without-unit", "without-unit", self.SPIN)
        found = self.self_samples()
        self.assertEqual({crate for crate, function in found if function == "spin"},
                         {"member", "outer", "without_unit"}, found)

    def test_c_that_their_build_scripts_compile_is_theirs(self):
        self.package("app", "app", "fn main() { println!(\"{}\", ccode::anchor()); }", """
            [dependencies]
            ccode = { path = "ccode" }
            [workspace]
        """)
        self.package("app/ccode", "ccode", 'extern "C" { fn c_spin() -> u64; }\n'
                     "#[inline(never)] pub fn anchor() -> u64 { unsafe { c_spin() } }\n")
        self.write("include/spin.h", """
            static inline unsigned long long header_spin(volatile unsigned long long left) { while (left) left--; return left; }
        """)
        self.write("app/ccode/src/c.c", """
            #include <spin.h>
            static unsigned long long spin(volatile unsigned long long left) { while (left) left--; return left; }
            /* With the linkage name that C++ has for it. */
            unsigned long long cpp_spin(volatile unsigned long long left) __asm__("_ZN4deep8cpp_spinEy");
            unsigned long long cpp_spin(volatile unsigned long long left) { while (left) left--; return left; }
            unsigned long long c_spin(void) { return spin(50000000) + cpp_spin(50000000) + header_spin(50000000); }
        """)
        build = """
            use std::{env, process::Command};
            fn main() {
                let out = env::var("OUT_DIR").unwrap();
                let (object, library) = (format!("{out}/c.o"), format!("{out}/libc_part.a"));
                let source = env::current_dir().unwrap().join("src/c.c").display().to_string();
                let map = format!("-ffile-prefix-map={}=", env::current_dir().unwrap().display());
                let compile = ["-O1", "-g", "-isystem", "../../include", "-c", SOURCE, "-o", &object];
                assert!(Command::new("cc").args(compile).status().unwrap().success());
                assert!(Command::new("ar").args(["rcs", &library, &object]).status().unwrap().success());
                println!("cargo:rustc-link-search=native={out}\\ncargo:rustc-link-lib=static=c_part");
            }
        """
        # And where the package's folder is taken off the paths, as aws-lc-sys does.
        for source in '"src/c.c"', '&source, &map', '"src/c.c", &map':
            self.write("app/ccode/build.rs", build.replace("SOURCE", source))
            found = self.self_samples()
            for name in ("spin", "header_spin", "deep::cpp_spin(unsigned long long)"):
                self.assertEqual({crate for crate, function in found if function == name}, {"ccode"}, (source, found))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
