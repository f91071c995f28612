"""cargo llvmlines as the wrapper of rustc, alone and beside those of others."""

import glob
import os
import signal
import subprocess
import time
import unittest

from llvmlines_project import LlvmLines
from suite import environment, program, run


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

    def end_while_it_counts(self, number):
        ir = os.path.join(self.folder, f"x-{number}.ll")
        compiler = self.write("compiler", f"#!/bin/sh\nmkfifo {ir}\n")
        os.chmod(compiler, 0o755)
        process = subprocess.Popen(
            [program("cargo-llvmlines"), compiler, "--emit=metadata", "--crate-name", "x", "--out-dir", self.folder,
             "-C", f"extra-filename=-{number}"],
            cwd=self.folder,
            env=environment(CARGO_LLVMLINES_RUSTC_WRAPPER="1"),
        )
        while process.poll() is None and not os.path.exists(ir):
            time.sleep(0.01)
        with open(ir, "w", encoding="utf-8") as file:
            # It has it open: it counts.
            process.send_signal(number)
            file.write("define void @f() {\n  ret void\n}\n")
        self.assertEqual(process.wait(timeout=60), -number)
        self.assertFalse(os.path.exists(ir))

    def test_ending_it_while_it_counts_leaves_no_ir(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                self.end_while_it_counts(number)

    def test_it_loads_libc_alone(self):
        result = self.wrap("true", CARGO_LLVMLINES_RUSTC_WRAPPER="1", LD_DEBUG="libs", LD_DEBUG_OUTPUT="loaded")
        self.assertEqual(result.code, 0, result)
        loaded = ""
        for path in glob.glob(os.path.join(self.folder, "loaded.*")):
            with open(path, encoding="utf-8") as file:
                loaded += file.read()
        self.assertIn("libc.so", loaded)
        self.assertNotRegex(loaded, r"libelf|libcjson|libpcre2|libz")


class OtherBackends(LlvmLines):
    def test_a_profile_that_is_not_compiled_by_llvm_is_counted_as_by_llvm(self):
        """As with Cranelift for dev; `dummy` is in every rustc, and writes nothing."""
        setting = ["-Zcodegen-backend", "--config", 'profile.dev.package.dep.codegen-backend="dummy"']
        self.assertEqual(self.total("--deps", "--lib", *setting, RUSTC_BOOTSTRAP="1"),
                         self.total("--deps", "--lib", "--target-dir", "other"))


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

    def test_a_compiler_of_before_1_87_is_given_libraries_of_metadata(self):
        """Today's compiler takes them as well, so that its counts must stay."""
        log = os.path.join(self.folder, "old.log")
        old = self.write("tools/old", f"""#!/bin/sh
[ "$*" = --version ] && exec echo 'rustc 1.86.0 (05f9846f8 2025-03-31)'
echo "$@" >> {log}
exec rustc "$@"
""")
        os.chmod(old, 0o755)
        self.assertEqual(self.total("--bins", RUSTC=old), self.total("--bins", "--target-dir", "other"))
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"--crate-type bin .*--extern app=\S+\.rmeta .*--extern=app=\S+\.rlib")
        self.assertNotRegex(text, r"--crate-type lib .*--extern=\S+\.rlib")

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


if __name__ == "__main__":
    unittest.main(verbosity=1)
