"""--diff with revisions that ask for toolchains of their own."""

import os
import shutil
import unittest

from repositories import ADDED, LIBRARY, RepositoryTest
from suite import run


@unittest.skipUnless(shutil.which("rustup"), "the cargo here is not rustup's")
class Toolchains(RepositoryTest):
    """Two toolchains that rustup knows: one is that in use, the other sets `--cfg other` beside."""

    def setUp(self):
        super().setUp()
        sysroot = run(["rustc", "--print", "sysroot"], self.folder).out.strip()
        toolchains = os.path.join(self.folder, "rustup", "toolchains")
        os.makedirs(toolchains)
        os.symlink(sysroot, os.path.join(toolchains, "one"))
        self.write("rustup/toolchains/other/bin/rustc", f'#!/bin/sh\nexec {sysroot}/bin/rustc --cfg other "$@"\n')
        os.chmod(os.path.join(toolchains, "other/bin/rustc"), 0o755)
        os.symlink(os.path.join(sysroot, "bin/cargo"), os.path.join(toolchains, "other/bin/cargo"))
        os.symlink(os.path.join(sysroot, "lib"), os.path.join(toolchains, "other/lib"))
        self.write("rustup/settings.toml", 'version = "12"\ndefault_toolchain = "one"\n')
        self.start_repository(src__parts_rs=LIBRARY + "#[cfg(other)]" + ADDED, src__main_rs="mod parts;\nfn main() "
                              '{ println!("{}", parts::kept(3)); #[cfg(other)] println!("{}", parts::added_here(4)); }\n')

    def variables(self, **changes):
        return super().variables(**{"RUSTUP_HOME": os.path.join(self.folder, "rustup"), "RUSTUP_TOOLCHAIN": None,
                                    "RUSTUP_TOOLCHAIN_SOURCE": None, **changes})

    def toolchain(self, name):
        self.put(**{"rust-toolchain_toml": f'[toolchain]\nchannel = "{name}"\n'})
        self.commit(name)

    def assert_other_is_head(self, *words, **options):
        for verb in ("bloatc", "llvmlines"):
            rows, _, result = self.diff(*words, verb=verb, **options)
            self.assertEqual(rows["app::parts::added_here"]["status"], "new")
            self.assertNotIn(f"cargo-{verb}: warning", result.err)

    def test_each_side_has_that_of_its_own_file(self):
        self.toolchain("one")
        self.toolchain("other")
        self.assert_other_is_head("--diff", "HEAD~1")
        rows, _, _ = self.diff("--diff", "HEAD..HEAD~1")
        self.assertEqual(rows["app::parts::added_here"]["status"], "gone")
        # A file that only one side has.
        self.assert_other_is_head("--diff", "HEAD~2")

    def test_what_was_chosen_otherwise_counts_for_both(self):
        self.toolchain("one")
        self.toolchain("other")
        rows, _, result = self.diff("--diff", "HEAD~1", RUSTUP_TOOLCHAIN="other")
        self.assertEqual(rows, {})
        self.assertRegex(result.err, r"warning: HEAD~1 \(.*\): its toolchain file is not that of the working tree, but "
                         "RUSTUP_TOOLCHAIN=other counts more, for both\n")
        result = run(["cargo", "+other", "bloatc", "--diff", "HEAD~1"], self.repository, **self.variables())
        self.assertIn("nothing changed", result.out)
        self.assertNotIn("cargo-bloatc: warning", result.err)

    def test_a_file_above_the_repository_counts_for_both(self):
        self.write("work/rust-toolchain.toml", '[toolchain]\nchannel = "other"\n')
        self.put(src__main_rs="mod parts;\nfn main() { println!(\"{}\", parts::kept(3)); #[cfg(not(other))] "
                 'compile_error!("not passed on"); }\n')
        self.commit()
        self.assertEqual(self.diff("--diff", "HEAD")[0], {})
        # Also where the working tree alone has one of its own.
        self.put(src__main_rs="mod parts;\nfn main() { println!(\"{}\", parts::kept(3)); #[cfg(other)] "
                 'println!("{}", parts::added_here(4)); }\n')
        self.commit()
        self.toolchain("one")
        rows, _, _ = self.diff("--diff", "HEAD~1")
        self.assertEqual(rows["app::parts::added_here"]["status"], "gone")

    def test_programs_are_compared_as_each_toolchain_builds_them(self):
        self.put(src__main_rs='fn main() { std::process::exit(if cfg!(other) { 0 } else { 7 }) }\n')
        self.toolchain("one")
        self.toolchain("other")
        result = self.cargo("compare", "HEAD~1", "--runs", "1", verb="cprof")
        self.assertRegex(result.err, r"HEAD~1 .*7")


if __name__ == "__main__":
    unittest.main(verbosity=1)
