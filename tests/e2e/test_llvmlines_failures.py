"""How cargo llvmlines ends when something goes wrong."""

import glob
import os
import shutil
import signal
import subprocess
import unittest

from llvmlines_project import LIB, LlvmLines
from suite import SOURCE, environment
from targets import wait_for


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
            f"ir=$(find {self.folder}/target/llvmlines/debug -name 'app-*.ll')\n{commands}\n",
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
        for name, commands in {
            "exit 3": "exit 3",
            "signal": "kill -9 $$",
            # As rustc calls it until it is whole.
            "unfinished": 'mv "$ir" "${ir%.ll}.app.0123-cgu.0.rcgu.ll"; exit 3',
        }.items():
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
            self.assertEqual(glob.glob(os.path.join(disk, "**/*.ll"), recursive=True), [])
            subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            self.assertEqual(self.total("--lib", "--target-dir", disk), self.total("--lib"))
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_target_directory_that_cannot_be_written_to_is_one_line_and_what_to_do(self):
        self.write("file", "")
        result = self.lines("--target-dir", "file")
        self.assert_fails(result, 1, "cannot write to the target directory", "Not a directory")
        self.assertTrue(result.err.endswith("\ncargo-llvmlines: hint: --target-dir DIR compiles elsewhere\n"), result)
        self.assertEqual(result.err.count("\n"), 2, result)
        self.assertEqual(result.err.count("file/llvmlines"), 1, result)

    def test_what_cargo_refuses_of_a_selection_has_the_hints_of_builds(self):
        self.assert_fails(self.lines("-p", "nope"), 101, "hint: the workspace has no package nope", "--bin NAME")
        self.assert_fails(self.lines("--profile", "relase"), 101, "hint: did you mean --profile release?")

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
        wait_for(lambda: os.path.exists(started), "the library is compiled")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual(out, b"")
        self.assertIn(b"cargo-llvmlines: error: interrupted", err)
        self.assertIn(process.returncode, (130, -2), err)
        wait_for(lambda: not self.ours("*.ll"), "the IR is removed")
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

    def test_several_targets_are_refused_before_anything_is_compiled(self):
        two = ["--target", "x86_64-unknown-linux-gnu", "--target", "x86_64-unknown-linux-musl"]
        said = ["several targets: x86_64-unknown-linux-gnu, x86_64-unknown-linux-musl", "--target TRIPLE"]
        self.assert_fails(self.lines("--lib", *two), 2, *said)
        self.write(".cargo/config.toml", f"build.target = {two[1::2]}")
        self.assert_fails(self.lines("--lib"), 2, *said, "build.target of .cargo/config.toml names several")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "target/llvmlines")))

    def test_what_a_file_as_base_has_no_answer_to_is_said_before_anything_is_compiled(self):
        shutil.copy(os.path.join(SOURCE, "tests/fixtures/ir/sample.ll"), os.path.join(self.folder, "base.ll"))
        result = self.lines("--lib", "--sizes", "--diff", "base.ll")
        self.assert_fails(result, 2, "--sizes has nothing to measure", "what was saved with --sizes, -o FILE.json")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "target/llvmlines")))
        result = self.lines("--lib", "--deps", "--diff", "base.ll")
        self.assertEqual(result.code, 0, result)
        self.assertIn("LLVM IR, the working tree against base.ll", result.out)

    def test_nothing_to_count_is_said(self):
        self.assert_fails(self.lines("--lib", "-p", "app", "-f", "^nowhere$"), 1, 'no function\'s name matches "^nowhere$"')


if __name__ == "__main__":
    unittest.main(verbosity=1)
