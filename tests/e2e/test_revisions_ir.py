"""--diff between files of LLVM IR and what cargo builds of a repository."""

import os
import re
import unittest

from repositories import RepositoryTest
from suite import run


class FilesOfIr(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository()

    def test_lines_are_counted_as_the_file_to_compare_with_was_built(self):
        run(["cargo", "rustc", "--offline", "--release", "--", "--emit=llvm-ir"], self.repository, **self.variables())
        (name,) = [name for name in os.listdir(os.path.join(self.repository, "target/release/deps")) if name.endswith(".ll")]
        result = self.cargo("--diff", f"target/release/deps/{name}", verb="llvmlines")
        self.assertEqual(result.code, 0, result)
        self.assertIn(f"Building the working tree as target/release/deps/{name} was: --release\n", result.err)
        # That is no IR to compare with, which has to be said.
        said = f"warning: target/release/deps/{name} was written after optimisation, what is built here is counted before"
        self.assertIn(said, result.err)
        for more in [], ["--by", "crate"], ["--by", "function"]:
            self.assertIn(said, self.cargo(f"target/release/deps/{name}", "--diff", "HEAD", *more, verb="llvmlines").err)

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
            self.assertRegex(result.err, r"warning: \S.* has 2 targets, and \S+\.ll 1: --lib, --bin NAME and the like select")
            self.assertNotEqual(report["lines-difference"], 0)
        for base in [kept], [self.saved("--lib")]:
            result = self.cargo(kept, "--diff", *base, "--lib", verb="llvmlines")
            self.assert_fails(result, 2, "--lib is about what cargo builds, but the file ")

    def saved(self, *selection):
        path = os.path.join(self.folder, "lines.json")
        self.assertEqual(self.cargo(*selection, "-o", path, verb="llvmlines").code, 0)
        return path


if __name__ == "__main__":
    unittest.main(verbosity=1)
