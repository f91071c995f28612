"""--diff against files that cargo built: of which target they are, and for which machine."""

import glob
import json
import os
import re
import shutil
import unittest

from repositories import BUSY_MAIN, MANIFEST, RepositoryTest
from suite import MANGLED, run, unit_files


class FilesOfTargets(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]", 'default-run = "app"\n[[bench]]\nname = "speed"\nharness = false\n[workspace]'),
                              src__lib_rs="pub mod parts;\n#[test]\nfn inside() {}\n",
                              src__bin__other_rs=BUSY_MAIN.replace("mod parts;", "use app::parts;"),
                              tests__whole_rs="#[test]\nfn one() { assert_eq!(app::parts::kept(1), 7); }\n",
                              benches__speed_rs='fn main() { println!("{}", app::parts::kept(9)); }\n',
                              examples__shown_rs='fn main() { println!("{}", app::parts::kept(8)); }\n')

    def built(self, profile, name, *arguments):
        """The executables of this name, with a hash where all are in one folder, of this run of cargo."""
        folder = os.path.join(self.repository, "target", profile)
        shutil.rmtree(os.path.join(self.repository, "target"), ignore_errors=True)
        run(["cargo", *arguments, "--offline"], self.repository, **self.variables())
        files = glob.glob(os.path.join(folder, "examples", name + "-*")) + unit_files(folder, name + "*")
        return [os.path.relpath(file, self.repository) for file in files if re.fullmatch(name + "(-[0-9a-f]{16})?", os.path.basename(file))]

    def test_against_a_file_with_a_hash_the_target_that_it_is_of_is_built(self):
        for option, name, profile, *arguments in (("test", "whole", "debug", "test", "--no-run", "--test", "whole"),
                                                  ("bench", "speed", "release", "bench", "--no-run", "--bench", "speed"),
                                                  ("bin", "other", "release", "build", "--release", "--bin", "other"),
                                                  ("example", "shown", "debug", "build", "--example", "shown")):
            with self.subTest(name):
                (file,) = self.built(profile, name, *arguments)
                rows, report, result = self.diff("--diff", file)
                self.assertEqual((rows, report["size-difference"]), ({}, 0))
                as_it_was = f"{'--release' if profile == 'release' else '--profile dev'} --{option} {name}"
                self.assertIn(f"Building the working tree as {file} was: {as_it_was}\n", result.err)

    def test_a_file_of_no_target_is_refused_until_one_is_named(self):
        (file,) = self.built("debug", "app", "test", "--no-run", "--lib")
        self.assert_fails(self.cargo("--diff", file), 2, f"{file} holds the unit tests of app", "naming both: NEW --diff OLD")
        # Of a target that is gone by now.
        (file,) = self.built("release", "other", "build", "--release", "--bin", "other")
        os.remove(os.path.join(self.repository, "src/bin/other.rs"))
        shutil.copy(os.path.join(self.repository, file), os.path.join(self.repository, "target/release/libapp.rlib"))
        unknown = "of no target that this workspace has"
        for given, why in ((file, unknown), ("target/release/other", unknown), ("target/release/libapp.rlib", "a library for Rust")):
            refused = self.cargo("--diff", given)
            self.assert_fails(refused, 2, f"{given} is {why}", "of the working tree to compare with it: --bin app;")
            self.assertNotIn("Analyzing", refused.err)
        rows, _, result = self.diff("--diff", "target/release/other", "--bin", "app")
        self.assertIn("as target/release/other was: --release\n", result.err)
        self.assertIn("app::main", rows)
        # A revision that has it is asked.
        self.assertEqual(self.diff("target/release/other", "--diff", "HEAD")[0], {})

    def test_where_several_packages_have_the_program_it_may_be_another_ones(self):
        self.put(Cargo_toml=MANIFEST + 'members = ["second"]\n', second__src__main_rs="fn main() {}\n",
                 second__Cargo_toml='[package]\nname = "second"\nversion = "0.1.0"\nedition = "2021"\n'
                 '[[bin]]\nname = "app"\npath = "src/main.rs"\n')
        file = "target/release/app"
        warning = (f"cargo-bloatc: warning: several packages have app, and {file} may be of another one than the working tree "
                   "is built of: --package NAME says which\n")
        for package, warns in ([], True), (["-p", "second"], False):
            with self.subTest(package):
                run(["cargo", "build", "--release", "--offline", "-p", "second"], self.repository, **self.variables())
                rows, _, result = self.diff("--diff", file, *package)
                self.assertEqual((warning in result.err, "app::parts::kept" in rows), (warns, warns), result)

    def test_a_crate_that_is_gone_is_not_taken_for_the_copy_that_std_has(self):
        for version in "0.1.0", "0.2.0":
            folder = f"work/registry/src/index.crates.io-1949cf8c6b5b557f/hashbrown-{version}"
            self.write(f"{folder}/Cargo.toml", f'[package]\nname = "hashbrown"\nversion = "{version}"\nedition = "2021"\n[workspace]\n')
            self.write(f"{folder}/src/lib.rs", "#[inline(never)]\npub fn fold<T: Copy + Into<u64>>(all: &[T]) -> u64 {\n"
                       "    all.iter().fold(1, |sum, &one| sum.rotate_left(5) ^ one.into())\n}\n")
        needs = '{} = {{ package = "hashbrown", path = "../registry/src/index.crates.io-1949cf8c6b5b557f/hashbrown-{}" }}\n'
        both = "[dependencies]\n" + needs.format("old", "0.1.0") + needs.format("new", "0.2.0")
        self.put(Cargo_toml=MANIFEST.replace("[workspace]", both + "[workspace]"),
                 src__main_rs='fn main() { let n = std::env::args().count(); println!("{} {}", old::fold(&vec![3u8; n]), new::fold(&vec![4u16; n])); }\n')
        asked = ["--release", "--exact", "--bin", "app", "--crates", "--attribute", "defined"]
        self.assertEqual(self.cargo(*asked).code, 0)
        shutil.copy(os.path.join(self.repository, "target/bloatc/release/app"), os.path.join(self.repository, "older"))
        self.put(Cargo_toml=MANIFEST.replace("[workspace]", "[dependencies]\n" + needs.format("new", "0.2.0") + "[workspace]"),
                 src__main_rs='fn main() { let n = std::env::args().count(); println!("{}", new::fold(&vec![4u16; n])); }\n')
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        result = self.cargo(*asked, "--diff", "./older", "--format", "json")
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        rows = {row["name"]: row for row in report["crates"]}
        self.assertEqual(rows["hashbrown@0.1.0"]["status"], "gone", result)
        self.assertNotIn("hashbrown", rows)
        self.assertEqual(sum(row["size-difference"] for row in rows.values()), report["size-difference"])

    def test_stds_copy_is_stds_beside_an_older_version_of_the_crate_too(self):
        for version in "0.1.0", "0.2.0":
            folder = f"work/registry/src/index.crates.io-1949cf8c6b5b557f/hashbrown-{version}"
            self.write(f"{folder}/Cargo.toml", f'[package]\nname = "hashbrown"\nversion = "{version}"\nedition = "2021"\n[workspace]\n')
            self.write(f"{folder}/src/lib.rs", "#[inline(never)]\npub fn plain(n: usize) -> usize { (0..n).fold(n, |sum, one| sum.rotate_left(5) ^ one) }\n")
        needs = '[dependencies]\nhb = {{ package = "hashbrown", path = "../registry/src/index.crates.io-1949cf8c6b5b557f/hashbrown-{}" }}\n[workspace]'
        main = ('fn main() { let n = std::env::args().count(); let map: std::collections::HashMap<_, _> = (0..n).map(|i| (i, i)).collect();\n'
                '    println!("{} {:?}", hb::plain(n), map.get(&1)); }\n')
        changes = MANGLED["v0"]
        for version in "0.1.0", "0.2.0":
            self.put(Cargo_toml=MANIFEST.replace("[workspace]", needs.format(version)), src__main_rs=main)
            run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
            if version == "0.1.0":
                self.assertEqual(self.cargo("--release", "--bin", "app", **changes).code, 0)
                shutil.copy(os.path.join(self.repository, "target/release/app"), os.path.join(self.repository, "older"))
        rows, report, result = self.diff("--release", "--bin", "app", "--diff", "./older", **changes)
        self.assertEqual([name for name in rows if "hashbrown" in name], [], result)
        self.assertEqual(report["size-difference"], sum(row["size-difference"] for row in rows.values()))
        # One that the program had and has no longer is not std's either.
        self.put(Cargo_toml=MANIFEST, src__main_rs=main.replace("hb::plain(n)", "n"))
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        rows, report, result = self.diff("--release", "--bin", "app", "--diff", "./older", **changes)
        crates = {name.partition("::")[0]: row.get("crate") for name, row in rows.items() if row["status"] == "gone"}
        self.assertEqual(crates, {"hashbrown": "hashbrown"}, result)

    def test_files_for_unlike_machines_are_compared_with_a_warning(self):
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        program = os.path.join(self.repository, "target/release/app")
        with open(program, "rb") as file:
            content = file.read()
        self.write("work/app/other-machine", "")
        with open(os.path.join(self.repository, "other-machine"), "wb") as file:
            file.write(content[:18] + (243).to_bytes(2, "little") + content[20:])  # RISC-V
        said = "the target differs: "
        for head, base in (([], "other-machine"), (["target/release/app"], "other-machine"), (["other-machine"], "target/release/app")):
            _, report, result = self.diff(*head, "--diff", f"./{base}", *([] if head else ["--release"]))
            (warning,) = [line for line in report["warnings"] if said in line]
            self.assertRegex(warning, r"^\S.* against \./\S+: the target differs: \w+( with \w+)?, now \w+( with \w+)?$")
            self.assertIn(f"cargo-bloatc: warning: {warning}\n", result.err)
            self.assertIn("riscv64", warning)
        for head in [], ["target/release/app"]:
            self.assertNotIn(said, self.cargo(*head, "--diff", "./target/release/app", *([] if head else ["--release"])).err)
        # Results that were saved tell it, too: of a build by its triple, of a file by itself.
        saved, other = (os.path.join(self.folder, f"{name}.json") for name in ("saved", "other"))
        self.assertEqual(self.cargo("--release", "-o", saved).code, 0)
        self.assertEqual(self.cargo("other-machine", "-o", other).code, 0)
        for words in (["other-machine", "--diff", saved], [saved, "--diff", other], ["--release", "--diff", other],
                      ["target/release/app", "--diff", other]):
            self.assertRegex(self.cargo(*words).err, f"(?m)^cargo-bloatc: warning: .*{said}.*riscv64")
        for words in (["target/release/app", "--diff", saved], ["--release", "--diff", saved], ["other-machine", "--diff", other]):
            self.assertNotIn(said, self.cargo(*words).err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
