"""--diff between files of LLVM IR and what cargo builds of a repository."""

import os
import re
import shutil
import unittest

from repositories import RepositoryTest
from suite import run, unit_files


class FilesOfIr(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository()

    def test_lines_are_counted_as_the_file_to_compare_with_was_built(self):
        run(["cargo", "rustc", "--offline", "--release", "--", "--emit=llvm-ir"], self.repository, **self.variables())
        (path,) = unit_files(os.path.join(self.repository, "target/release"), "*.ll")
        path = os.path.relpath(path, self.repository)
        result = self.cargo("--diff", path, verb="llvmlines")
        self.assertEqual(result.code, 0, result)
        self.assertIn(f"Building the working tree as {path} was: --release --bin app\n", result.err)
        # That is no IR to compare with, which has to be said.
        said = f"warning: {path} was written after optimisation, what is built here is counted before"
        self.assertIn(said, result.err)
        for more in [], ["--by", "crate"], ["--by", "function"]:
            self.assertIn(said, self.cargo(path, "--diff", "HEAD", *more, verb="llvmlines").err)

    def kept_ir(self, *selection):
        result = self.cargo(*selection, "--keep-ir", verb="llvmlines")
        self.assertEqual(result.code, 0, result)
        return re.search(r"Kept (\S+\.ll)\n", result.err).group(1)

    def test_ir_that_was_kept_is_compared_with_the_target_that_it_is_of(self):
        self.put(src__lib_rs="pub mod parts;\n")
        self.commit()
        kept = self.kept_ir("--lib")
        for arguments in ([kept, "--diff", "HEAD"], ["--files", kept, "--diff", "HEAD"], ["--diff", kept]):
            rows, report, result = self.diff(*arguments, "--lib", verb="llvmlines")
            self.assertEqual((rows, report["lines-difference"]), ({}, 0))
            self.assertIn(" was: --profile dev\n", result.err)
            self.assertNotIn("warning", result.err)
            rows, report, result = self.diff(*arguments, verb="llvmlines")
            self.assertEqual((rows, report["lines-difference"]), ({}, 0))
            self.assertIn(f" as {kept} was: --profile dev --lib\n", result.err)
        # Cargo's notes do not tell of these: one that was copied, and several.
        other = os.path.join(os.path.dirname(kept), "copied.ll")
        shutil.copy(kept, other)
        for base, count in ([other], 1), ([kept, other], 2):
            _, report, result = self.diff(*[word for file in base for word in ("--diff", file)], verb="llvmlines")
            self.assertIn(f" as {base[0]} was: --profile dev\n", result.err)
            self.assertEqual(bool(re.search(r"warning: the working tree has 2 targets, and \S+\.ll 1: --lib, --bin NAME and the like select", result.err)),
                             count == 1)
        odd = os.path.join(os.path.dirname(kept), "copied.txt")
        shutil.copy(kept, odd)
        self.assert_fails(self.cargo("--diff", odd, verb="llvmlines"), 2, f"{odd} is of no target that this workspace has",
                          "or two files: cargo llvmlines NEW --diff OLD")
        for base in [kept], [self.saved("--lib")]:
            result = self.cargo(kept, "--diff", *base, "--lib", verb="llvmlines")
            self.assert_fails(result, 2, "--lib is about what cargo builds, but the file ")

    def test_ir_of_a_test_is_not_compared_with_the_program(self):
        self.put(tests__whole_rs="#[test]\nfn one() { assert_eq!(1.to_string(), \"1\"); }\n")
        kept = self.kept_ir("--test", "whole")
        rows, report, result = self.diff("--diff", kept, verb="llvmlines")
        self.assertEqual((rows, report["lines-difference"]), ({}, 0))
        self.assertIn(f" as {kept} was: --profile dev --test whole\n", result.err)

    def saved(self, *selection):
        path = os.path.join(self.folder, "lines.json")
        self.assertEqual(self.cargo(*selection, "-o", path, verb="llvmlines").code, 0)
        return path


if __name__ == "__main__":
    unittest.main(verbosity=1)
