"""cargo bloatc: whose C it is that is linked into a program."""

import json
import os
import platform
import subprocess
import unittest

from suite import ProjectTest
from test_bloatc import bloatc

MANIFEST = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n'


class OfCWithoutItsFolder(ProjectTest):
    """A build script that takes the package's folder off the paths of its C, as that of aws-lc-sys does."""

    BUILD = r"""use std::process::Command;
    fn main() {
        let out = std::env::var("OUT_DIR").unwrap();
        let map = format!("-ffile-prefix-map={}=", std::env::var("CARGO_MANIFEST_DIR").unwrap());
        let here = std::env::current_dir().unwrap().join("mix.c");
        let object = format!("{out}/mix.o");
        assert!(Command::new("cc").args(["-c", "-g", "-O1", &map, "-o", &object]).arg(here).status().unwrap().success());
        assert!(Command::new("ar").args(["crs", &format!("{out}/libmix.a"), &object]).status().unwrap().success());
        println!("cargo:rustc-link-search={out}\ncargo:rustc-link-lib=static=mix");
    }
    """

    def test_it_counts_for_the_crate_that_built_it(self):
        self.write("mix-sys/Cargo.toml", '[package]\nname = "mix-sys"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("mix-sys/build.rs", self.BUILD)
        self.write("mix-sys/mix.c", "static long twice(long n) { return n * 2; }\n"
                   "long mix(long n) { return twice(n) % 7 + n; }\n")
        self.write("mix-sys/src/lib.rs", 'extern "C" { pub fn mix(n: i64) -> i64; }\n')
        self.write("hello/Cargo.toml", MANIFEST + '[dependencies]\nmix-sys = { path = "../mix-sys" }\n'
                   '[profile.release]\ndebug = "line-tables-only"\n')
        self.write("hello/src/main.rs", "fn main() { std::process::exit(unsafe { mix_sys::mix(4) } as i32) }\n")
        for attribute in "used", "defined", "line":
            result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", "--attribute", attribute)
            self.assertEqual(result.code, 0, result)
            rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
            self.assertEqual((rows["mix"].get("crate"), rows["mix"]["crate-source"]), ("mix_sys", "rlib"), attribute)


class OfTheCLibraryThatRustBrings(ProjectTest):
    """For musl rustc links programs with libraries of C in its own folder. Here what stands in for it is asked for them."""

    TARGET = platform.machine() + "-unknown-linux-"
    RUSTC = f"""#!/bin/sh
    [ "$1" = --print=target-libdir ] && echo "$BROUGHT" && exit
    for argument; do
        [ "$argument" = {TARGET}musl ] && argument={TARGET}gnu
        shift; set -- "$@" "$argument"
    done
    exec rustc "$@"
    """

    def test_is_stds(self):
        brought = os.path.join(self.folder, "lib")
        self.write("lib/self-contained/part.c", "static long twice(long n) { return n * 2; }\n"
                   "long __brought(long n) { return twice(n) % 7 + n; }\n")
        self.write("rustc", self.RUSTC)
        os.chmod(os.path.join(self.folder, "rustc"), 0o755)
        for command in ["cc", "-c", "-O0", "-o", "part.lo", "part.c"], ["ar", "crs", "libc.a", "part.lo"]:
            subprocess.run(command, check=True, cwd=os.path.join(brought, "self-contained"))
        self.write("hello/Cargo.toml", MANIFEST)
        self.write("hello/src/main.rs", 'extern "C" { fn __brought(n: i64) -> i64; }\n'
                   "fn main() { std::process::exit(unsafe { __brought(4) } as i32) }\n")
        result = bloatc(os.path.join(self.folder, "hello"), "--release", "-q", "-n", "0", "--format", "json", "--split-std",
                        "--target", self.TARGET + "musl", BROUGHT=brought, RUSTC=os.path.join(self.folder, "rustc"),
                        RUSTFLAGS=f"-Clink-arg={brought}/self-contained/libc.a")
        self.assertEqual(result.code, 0, result)
        rows = {row["name"]: row for row in json.loads(result.out)["functions"]}
        for name in "__brought", "twice":
            self.assertEqual((rows[name].get("crate"), rows[name]["crate-source"]), ("libc", "rlib"), name)


if __name__ == "__main__":
    unittest.main(verbosity=1)
