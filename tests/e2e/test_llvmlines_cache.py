"""What cargo llvmlines keeps between its runs."""

import os
import subprocess
import unittest

from llvmlines_project import LlvmLines
from suite import environment, run


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
        (path,) = self.ours("app-*.llvmlines-3")
        with open(path, "rb") as file:
            whole = file.read()
        damages = {
            "missing": None,
            "empty": b"",
            "cut": whole[:-9],
            "changed": whole[:40] + bytes([whole[40] ^ 1]) + whole[41:],
            "another version": whole.replace(b"counts 3", b"counts 2"),
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
        (path,) = self.ours("app-*.llvmlines-3")
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
