"""--diff and --rev with git revisions, on small repositories made here; the user's own stays as it is, to the byte."""

import json
import os
import re
import shutil
import subprocess
import time
import unittest

from repositories import ADDED, BUSY_MAIN, LIBRARY, MAIN, MAIN_CALLS_ADDED, MANIFEST, RepositoryTest, picture
from suite import run


class Revisions(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository()

    def add_function(self):
        self.put(src__parts_rs=LIBRARY + ADDED, src__main_rs=MAIN_CALLS_ADDED)

    def test_uncommitted_changes_are_compared_with_a_branch(self):
        self.add_function()
        rows, report, result = self.diff("--diff", "main")
        self.assertIn("   Analyzing target/debug/app\n", result.err)
        self.assertIn("app::parts::added_here", rows)
        self.assertEqual(rows["app::parts::added_here"]["status"], "new")
        self.assertNotIn("app::parts::kept", rows)
        self.assertLessEqual({row.get("crate") for row in rows.values()}, {"app", "std", None})
        self.assertRegex(report["diff"]["base"], r"^main \([0-9a-f]{7}\)$")
        self.assertEqual(report["diff"]["head"], "the working tree")
        self.assertEqual(sum(row["size-difference"] for row in rows.values()), report["size-difference"])
        self.assertEqual(report["text-section-size-after"] - report["text-section-size-before"], report["size-difference"])
        # A second run compiles nothing.
        again = self.cargo("--diff", "main", "--format", "json")
        self.assertEqual(json.loads(again.out), report)
        self.assertNotIn("Compiling", again.err)
        self.assertEqual(len(self.checkouts()), 1)

    def test_a_tree_against_itself_is_empty_and_swapping_negates(self):
        rows, report, _ = self.diff("--diff", "HEAD")
        self.assertEqual(rows, {})
        self.git("tag", "v1")
        self.add_function()
        self.commit()
        there, _, _ = self.diff("--diff", "v1..main")
        back, _, _ = self.diff("--diff", "main..v1")
        self.assertEqual(there["app::parts::added_here"]["status"], "new")
        self.assertEqual(back["app::parts::added_here"]["status"], "gone")
        self.assertEqual({name: row["size-difference"] for name, row in there.items()},
                         {name: -row["size-difference"] for name, row in back.items()})
        same, _, _ = self.diff("--rev", "main", "--diff", "v1")
        self.assertEqual(same, there)

    def test_three_dots_mean_the_merge_base(self):
        self.git("checkout", "-q", "-b", "topic")
        self.add_function()
        self.commit()
        self.git("checkout", "-q", "main")
        self.put(src__parts_rs=LIBRARY.replace("^ 7", "^ 9 * i"))
        self.commit()
        rows, report, _ = self.diff("--diff", "main...topic")
        self.assertNotIn("app::parts::kept", rows)
        self.assertIn("app::parts::added_here", rows)
        self.assertIn("merge base of main and topic (", report["diff"]["base"])
        rows, _, result = self.diff("--diff", "main...main")
        self.assertEqual((rows, result.err.count("Building")), ({}, 1), result.err)

    def test_a_revision_by_itself_is_what_was_there_then(self):
        self.add_function()
        self.commit()
        names = [row["name"] for row in json.loads(self.cargo("--rev", "HEAD~1", "--format", "json").out)["functions"]]
        self.assertNotIn("app::parts::added_here", names)
        self.assertIn("app::parts::kept", names)

    def test_at_is_the_head_also_where_more_follows(self):
        self.add_function()
        self.commit()
        for word in ("@~1", "@^", "@~1..@", "@^...@", "@{0}~"):
            with self.subTest(word):
                rows, _, _ = self.diff("--diff", word)
                self.assertEqual(rows["app::parts::added_here"]["status"], "new")

    def test_files_and_lines_are_compared_by_their_names(self):
        calls = MAIN_CALLS_ADDED.replace("main() {", "main() { beside::twice(3);")
        self.put(Cargo_toml=MANIFEST + 'exclude = ["beside"]\n[dependencies]\nbeside = { path = "beside" }\n',
                 beside__Cargo_toml=MANIFEST.replace('"app"', '"beside"'),
                 beside__src__lib_rs="#[inline(never)]\npub fn twice(n: u64) -> u64 { n.pow(3) ^ 5 }\n",
                 src__parts_rs=LIBRARY + ADDED, src__main_rs=calls)
        self.commit()
        self.put(src__parts_rs=LIBRARY + ADDED.replace("(1,", "(2 + n,"))
        for by, key in (("file", "file"), ("line", "place")):
            result = self.cargo("--by", by, "--diff", "main", "--format", "json")
            self.assertEqual(result.code, 0, result)
            report = json.loads(result.out)
            own = [row for row in report[by + "s"] if row.get("crate") in ("app", "beside")]
            self.assertEqual({(row[key].split(":")[0], row["status"]) for row in own}, {("src/parts.rs", "changed")})
            self.assertEqual(sum(row["size-difference"] for row in report[by + "s"]), report["size-difference"])

    def test_llvm_lines_are_compared_too(self):
        self.add_function()
        rows, report, _ = self.diff("--diff", "main", verb="llvmlines")
        self.assertEqual(rows["app::parts::added_here"]["status"], "new")
        self.assertNotIn("app::parts::kept", rows)
        self.assertEqual(sum(row["lines-difference"] for row in rows.values()), report["lines-difference"])
        self.assertEqual(self.diff("--diff", "HEAD..HEAD", verb="llvmlines")[0], {})

    def test_against_a_file_the_base_is_built_as_the_file_was(self):
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        rows, report, result = self.diff("target/release/app", "--diff", "HEAD")
        self.assertEqual((rows, report["size-difference"]), ({}, 0))
        self.assertNotIn("warning", result.err)
        elsewhere = os.path.join(self.folder, "moved")
        shutil.copy(os.path.join(self.repository, "target/release/app"), elsewhere)
        _, report, result = self.diff(elsewhere, "--diff", "HEAD", "-q")
        self.assertIn(f"cargo-bloatc: warning: {elsewhere} is not from this workspace's target directory: the base is built "
                      "with the profile dev; --release or --profile NAME says otherwise\n", result.err)
        self.assertNotEqual(report["size-difference"], 0)
        rows, _, result = self.diff(elsewhere, "--diff", "HEAD", "--release")
        self.assertEqual(rows, {})
        self.assertNotIn("warning", result.err)

    def test_against_a_file_the_head_is_built_as_the_file_was(self):
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        for more in [], ["--rev", "HEAD"], ["--release"], ["--profile", "bench"]:
            rows, report, result = self.diff("--diff", "./target/release/app", "--fail-over", "0", *more)
            self.assertEqual((rows, report["size-difference"]), ({}, 0))
            self.assertNotIn("warning", result.err)
            self.assertEqual("as ./target/release/app was: --release --bin app\n" in result.err, more in ([], ["--rev", "HEAD"]))
        self.assertEqual(self.cargo("--diff", "target/release/app", "-q").err, "")
        _, _, result = self.diff("--diff", "target/release/app", "--profile", "dev")
        self.assertIn("cargo-bloatc: warning: target/release/app is of the profile release, but the working tree is built with dev\n", result.err)
        elsewhere = os.path.join(self.folder, "moved")
        shutil.copy(os.path.join(self.repository, "target/release/app"), elsewhere)
        _, _, result = self.diff("--diff", elsewhere, "-q")
        self.assertIn(f"cargo-bloatc: warning: {elsewhere} is not from this workspace's target directory: the working tree is "
                      "built with the profile dev; --release or --profile NAME says otherwise\n", result.err)

    def test_against_a_program_the_same_one_is_built_whatever_says_the_profile(self):
        self.put(Cargo_toml=MANIFEST.replace("[workspace]", 'default-run = "app"\n[workspace]\nmembers = ["twin"]'),
                 src__bin__other_rs=BUSY_MAIN.replace("mod parts;", '#[path = "../parts.rs"]\nmod parts;'))
        self.write("work/app/twin/Cargo.toml", '[package]\nname = "twin"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("work/app/twin/src/main.rs", "fn main() {}\n")
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        for more in [], ["--release"]:
            rows, _, result = self.diff("--diff", "target/release/other", *more)
            self.assertEqual(rows, {})
            self.assertIn("   Analyzing target/release/other\n", result.err)
        self.assertIn("as target/release/other was: --bin other\n", result.err)
        self.write("work/app/twin/src/bin/other.rs", "fn main() {}\n")
        self.assertEqual(self.diff("--diff", "target/release/other", "--release")[0], {})
        result = self.cargo("--diff", "target/release/other", "--release", "--workspace")
        self.assertEqual(result.code, 2, result)
        self.assertIn("several targets could be meant: other (bin of twin), other (bin of app)\n", result.err)

    def test_a_target_directory_may_be_there_before_cargo_is(self):
        fast, target = os.path.join(self.folder, "fast"), os.path.join(self.repository, "target")
        os.mkdir(fast)
        os.symlink(fast, target)
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        self.assertFalse(os.path.exists(os.path.join(fast, "CACHEDIR.TAG")))
        for path, *more in ("target/release/app",), (os.path.join(fast, "release/app"), "--target-dir", "../../fast"):
            rows, _, result = self.diff(path, "--diff", "HEAD", *more)
            self.assertEqual(rows, {})
            self.assertNotIn("warning", result.err)

    def test_against_a_library_that_one_of_several_packages_is_built(self):
        library = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n[lib]\ncrate-type = {}\n'
        exported = "#[no_mangle]\npub extern \"C\" fn called(n: u64) -> u64 { n.pow(3) ^ 5 }\n"
        for name, types in ("out-side", '["cdylib"]'), ("still", '["staticlib"]'), ("both", '["staticlib", "cdylib"]'):
            self.write(f"work/app/{name}/Cargo.toml", library.format(name, types))
            self.write(f"work/app/{name}/src/lib.rs", exported)
        self.put(Cargo_toml=MANIFEST + 'members = ["out-side", "still", "both"]\n')
        run(["cargo", "build", "--offline", "--release", "--workspace"], self.repository, **self.variables())
        for file, package in ("libout_side.so", "out-side"), ("libstill.a", "still"), ("libboth.so", "both"):
            rows, report, result = self.diff("--diff", f"target/release/{file}")
            self.assertEqual((rows, report["size-difference"]), ({}, 0), file)
            self.assertIn(f"as target/release/{file} was: --release --package {package} --lib\n", result.err)
            self.assertNotIn("warning", result.err)
        _, _, result = self.diff("--diff", "target/release/libboth.a")
        self.assertIn("libboth.a is a static library, but what is built of the working tree is measured shared\n", result.err)

    def test_profiles_of_ours_need_no_definition_on_either_side(self):
        for profile in "profiling", "profiling-fp":
            self.assertEqual(self.cargo("--profile", profile, "-n", "1").code, 0)
            rows, report, result = self.diff(f"target/{profile}/app", "--diff", "HEAD")
            self.assertEqual((rows, report["size-difference"]), ({}, 0))
            self.assertNotIn("warning", result.err)
        self.assertEqual(self.diff("--diff", f"target/{profile}/app")[0], {})
        flags = {"RUSTFLAGS": "-Cdebuginfo=0"}
        rows, _, result = self.diff("--profile", "profiling-fp", "--diff", "HEAD", **flags)
        self.assertEqual(rows, {})
        self.assertNotIn("warning", result.err)
        # One that a revision defines itself is that one's.
        self.put(Cargo_toml=MANIFEST + '[profile.profiling]\ninherits = "dev"\n')
        self.commit()
        self.put(Cargo_toml=MANIFEST)
        _, report, result = self.diff("--profile", "profiling", "--diff", "HEAD")
        self.assertIn("the profile's settings differ: inherits = \"dev\", now inherits = \"release\"", result.err)
        self.assertNotEqual(report["size-difference"], 0)

    def test_what_the_build_told_of_one_side_alone_is_said(self):
        """A build's libraries tell whose code it is that names do not."""
        said = "the file alone: what is gone from one crate"
        saved, file = (os.path.join(self.folder, name) for name in ("saved.json", "app"))
        result = self.cargo("--crates", "-o", saved)
        self.assertEqual(result.code, 0, result)
        shutil.copy(os.path.join(self.repository, "target", "debug", "app"), file)
        for arguments, is_said in (((saved, "--diff", file), True), ((file, "--diff", saved), True), (("--diff", file), False),
                                   (("--diff", saved), False), ((file, "--diff", file), False)):
            result = self.cargo("--crates", *arguments)
            self.assertEqual((result.code, said in result.err), (0, is_said), result)

    def test_a_file_that_the_build_replaces_is_compared_with_as_it_was(self):
        run(["cargo", "build", "--offline", "--release"], self.repository, **self.variables())
        self.add_function()
        rows, report, result = self.diff("--release", "--diff", "target/release/app")
        self.assertEqual(rows["app::parts::added_here"]["status"], "new")
        self.assertEqual(report["diff"]["base"], "target/release/app")
        self.assertIn("Analyzing target/release/app as it was before\n", result.err)
        rows, _, result = self.diff("--release", "--diff", "target/release/app")
        self.assertEqual(rows, {})
        self.assertNotIn("as it was before", result.err)

    def test_a_word_that_is_both_is_asked_about(self):
        self.git("branch", "saved.json")
        self.assertEqual(self.cargo("-o", os.path.join(self.folder, "saved.json")).code, 0)
        shutil.copy(os.path.join(self.folder, "saved.json"), self.repository)
        result = self.cargo("--diff", "saved.json")
        self.assert_fails(result, 2, "--diff saved.json is both a file and a revision",
                          "--diff ./saved.json means the file, --diff rev:saved.json the revision")
        for word in ("./saved.json", "file:saved.json", os.path.join(self.repository, "saved.json")):
            self.assertEqual(self.diff("--diff", word)[0], {})
        self.assertRegex(self.diff("--diff", "rev:saved.json")[1]["diff"]["base"], r"^saved.json \(")
        # A folder cannot be meant.
        self.git("branch", "src")
        self.assertRegex(self.diff("--diff", "src")[1]["diff"]["base"], r"^src \(")

    def test_a_word_that_is_neither_is_said_before_anything_is_built(self):
        result = self.cargo("--diff", "nowhere")
        self.assert_fails(result, 1, '--diff nowhere is no file, and no revision: "nowhere" is no revision of')
        self.assertNotIn("Compiling", result.err)
        self.assert_fails(self.cargo("--diff", "main..", "--rev", "main"), 2, "--diff main.. names both sides")
        self.assert_fails(self.cargo("--rev", "main", "target/debug/app"), 2, "--rev main is about what cargo builds")

    def test_a_base_that_does_not_compile_costs_only_the_comparison(self):
        self.put(src__main_rs="fn main() { nothing }\n")
        self.commit("broken")
        self.put(src__main_rs=MAIN)
        for verb, work, own in (("bloatc", "build", "text section size"), ("llvmlines", "check", "app::parts::kept")):
            with self.subTest(verb):
                path = os.path.join(self.folder, f"{verb}.md")
                result = self.cargo("--diff", "HEAD", "-o", path, verb=verb)
                self.assertEqual(result.code, 101, result)
                self.assertIn(own, result.out)
                with open(path, encoding="utf-8") as file:
                    self.assertRegex(file.read(), rf"^\*\*No comparison: `HEAD \([0-9a-f]{{7}}\): cargo {work} failed with exit "
                                     r"code 101`\.\*\* Shown is `the working tree` alone\.\n\n\| ")
                said = [line for line in result.err.splitlines() if line.startswith(f"cargo-{verb}: error")]
                self.assertEqual(len(said), 1)
                self.assertRegex(said[0], rf"no comparison: HEAD \([0-9a-f]{{7}}\): cargo {work} .*101$")
                path = os.path.join(self.folder, f"{verb}.json")
                result = self.cargo("--diff", "HEAD", "--filter", "kept", "-o", path, verb=verb)
                self.assertEqual(result.code, 101, result)
                with open(path, encoding="utf-8") as file:
                    shown = json.load(file)
                self.assertEqual(shown["filter"], "kept")
                names = {row["name"].split("::{")[0] for row in shown["functions"]}
                self.assertIn("app::parts::kept", names)
                # v0 names tell that an instance of std's is made for a closure in it.
                self.assertEqual([name for name in names if "app::parts::kept" not in name], [])

    def test_a_package_that_the_base_has_not_is_said(self):
        self.put(deep__Cargo_toml=MANIFEST.replace("app", "deep"), deep__src__main_rs="fn main() {}\n")
        run(["cargo", "generate-lockfile", "--offline"], os.path.join(self.repository, "deep"), **self.variables())
        result = self.cargo("--diff", "main", folder=os.path.join(self.repository, "deep"))
        self.assertEqual(result.code, 1, result)
        self.assertIn("the folder deep is not in main", result.err)
        self.assertIn("section size", result.out)

    def test_a_base_without_a_workspace_and_a_head_with_another_configuration(self):
        self.put(Cargo_toml=MANIFEST.replace("[workspace]\n", ""))
        self.commit("no workspace")
        self.put(Cargo_toml=MANIFEST)
        self.write("work/app/.cargo/config.toml", '[build]\nrustflags = ["--cfg", "fancy"]\n')
        self.put(src__parts_rs=LIBRARY + "#[cfg(fancy)]" + ADDED,
                 src__main_rs="mod parts;\nfn main() { println!(\"{}\", parts::kept(3)); #[cfg(fancy)] "
                 "println!(\"{}\", parts::added_here(4)); }\n")
        rows, _, _ = self.diff("--diff", "main")
        self.assertEqual(rows["app::parts::added_here"]["status"], "new")
        self.assertFalse(os.path.exists(os.path.join(self.checkouts()[0], ".cargo")))

    def test_what_configures_cargo_above_the_repository_counts_for_both(self):
        self.write("work/.cargo/config.toml", '[build]\nrustflags = ["--cfg", "fancy"]\n')
        self.put(src__main_rs="fn main() { #[cfg(not(fancy))] compile_error!(\"not passed on\"); }\n")
        self.commit()
        self.assertEqual(self.diff("--diff", "HEAD")[0], {})
        # The repository's own counts more, as it does in the working tree.
        self.write("work/app/.cargo/config.toml", '[build]\nrustc = "rustc"\n[env]\nWHO = "inner"\n')
        self.write("work/.cargo/config.toml", '[build]\nrustflags = ["--cfg", "fancy"]\n[env]\nWHO = "outer"\n')
        self.put(src__main_rs="fn main() { const WHO: &[u8] = env!(\"WHO\").as_bytes(); "
                 "const _: () = assert!(WHO[0] == b'i'); println!(\"{WHO:?}\"); }\n")
        self.commit()
        self.assertEqual(self.diff("--diff", "HEAD")[0], {})

    def test_a_manifest_and_a_target_directory_may_be_named(self):
        target = os.path.join(self.folder, "elsewhere")
        before = picture(self.repository)
        result = run(["cargo", "bloatc", "--manifest-path", os.path.join(self.repository, "Cargo.toml"), "--target-dir",
                      target, "--diff", "main", "--format", "json"], self.folder, **self.variables())
        self.assertEqual(result.code, 0, result)
        self.assertEqual(json.loads(result.out)["functions"], [])
        self.assertEqual([line for line in picture(self.repository) if "Cargo.lock" not in line], before)
        self.assertIn("debug", os.listdir(target))

    def test_a_budget_that_is_passed_ends_with_3_after_the_result(self):
        self.add_function()
        result = self.cargo("--diff", "main", "--fail-over", "1B", "--fail-over", "function:app::parts::kept=0")
        self.assertEqual(result.code, 3, result)
        self.assertIn("app::parts::added_here", result.out)
        self.assertRegex(result.err, r"error: over budget: \.text grew by [0-9.KiB]+ .*, over --fail-over 1B\n")
        self.assertEqual(self.cargo("--diff", "main", "--fail-over", "100MiB").code, 0)
        self.assert_fails(self.cargo("--fail-over", "1B"), 2, "name what to compare with, --diff BASE")
        self.assert_fails(self.cargo("--diff", "main", "--fail-over", "lots"), 2, '--fail-over: "lots" is no limit')
        # What does not fit what is compared shows before anything is built.
        for arguments in ["10ms"], ["crate=1B", "--by", "section"]:
            result = self.cargo("--diff", "main~0", "--fail-over", *arguments)
            self.assertEqual((result.code, result.out), (2, ""), result)
            self.assertNotIn("Building", result.err)
        self.put(Cargo_toml=MANIFEST + '[workspace.metadata.bloatc]\nfail-over = "crate:app=1B"\n')
        result = self.cargo("--diff", "main", "--format", "markdown")
        self.assertEqual(result.code, 3, result)
        self.assertIn("over workspace.metadata.bloatc: crate:app=1B", result.err)
        self.assertTrue(result.out.startswith("**`.text` grew by "), result.out)
        # It is the budget of the file that cargo built of these packages, too.
        result = self.cargo("target/debug/app", "--diff", "main")
        self.assertEqual(result.code, 3, result)
        self.assertIn("over workspace.metadata.bloatc: crate:app=1B", result.err)
        # It stands for all views: one that does not show crates is no mistake.
        result = self.cargo("--diff", "main", "--by", "section")
        self.assertEqual(result.code, 0, result)
        self.assertIn("warning: not checked: workspace.metadata.bloatc: crate:app=1B is about crates, and these options "
                      "show sections\n", result.err)
        # What was typed stands for what is about the same, and for nothing else; without a comparison nothing is
        # held against anything.
        result = self.cargo("--diff", "main", "--fail-over", "100MiB")
        self.assertEqual(result.code, 3, result)
        self.assertIn("over workspace.metadata.bloatc: crate:app=1B", result.err)
        self.assertEqual(self.cargo("--diff", "main", "--fail-over", "crate:app=100MiB").code, 0)
        self.assertEqual(self.cargo().code, 0)

    def test_what_differs_beside_the_code_is_warned_of(self):
        saved = os.path.join(self.folder, "saved.json")
        self.assertNotIn("warning", self.cargo("-o", saved).err)
        with open(saved, encoding="utf-8") as file:
            build = json.load(file)["build"]
        self.assertEqual((build["profile"], build["settings"], build["features"]), ("dev", "none", "default"))
        self.assertTrue(build["rustc"].startswith("rustc "))
        self.assertNotIn("warning", self.cargo("--diff", saved).err)
        self.assertIn("warning: the working tree against " + saved + ": the selection differs: none, now --bin app\n",
                      self.cargo("--diff", saved, "--bin", "app").err)
        self.put(Cargo_toml=MANIFEST.replace("0.1.0", "0.2.0") + '[features]\nextra = []\n[profile.dev]\nopt-level = 1\n')
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        result = self.cargo("--diff", "main", "--features", "extra")
        self.assertEqual(result.code, 101, result)  # the base has no such feature
        result = self.cargo("--diff", saved, "--features", "extra")
        self.assertIn("warning: the working tree against " + saved + ": the profile's settings differ: none, now opt-level "
                      "= 1; the features differ: default, now default, extra; Cargo.lock differs\n", result.err)
        with open(saved, encoding="utf-8") as file:
            content = file.read()
        with open(saved, "w", encoding="utf-8") as file:
            file.write(content.replace('"rustc":"rustc ', '"rustc":"rustc 0.').replace('"dev"', '"release"'))
        result = self.cargo("--diff", saved, "--features", "extra")
        self.assertIn(": the profile differs: release, now dev; ", result.err)
        self.assertIn("; the compiler differs: rustc 0.", result.err)
        # So does what others read without our standard error.
        told = re.search("warning: (.*: the profile differs: .*)", result.err).group(1)
        result = self.cargo("--diff", saved, "--features", "extra", "--format", "json")
        self.assertEqual(json.loads(result.out)["warnings"], [told])
        result = self.cargo("--diff", saved, "--features", "extra", "--format", "markdown")
        self.assertRegex(result.out, r"^\*\*.*\n\n> \[!WARNING\]\n> .*: the profile differs: release, now dev; .*\n")

    def test_settings_of_the_profile_differ_wherever_they_were_set(self):
        saved = os.path.join(self.folder, "saved.json")
        told = "warning: the working tree against " + saved + ": the profile's settings differ: "
        for arguments, variables in (["--config", 'profile.dev.opt-level="s"'], {}), ([], {"CARGO_PROFILE_DEV_OPT_LEVEL": "s"}):
            with self.subTest(arguments=arguments, variables=variables):
                self.assertEqual(self.cargo("-o", saved, *arguments, **variables).code, 0)
                self.assertNotIn("warning", self.cargo("--diff", saved, *arguments, **variables).err)
                self.assertIn(told + 'opt-level = "s", now none\n', self.cargo("--diff", saved).err)
                self.put(Cargo_toml=MANIFEST + '[profile.dev]\nopt-level = "s"\n')
                self.assertNotIn("warning", self.cargo("--diff", saved).err)
                self.put(Cargo_toml=MANIFEST)
        # What it inherits from another profile is the profile's, too.
        self.put(Cargo_toml=MANIFEST + '[profile.ship]\ninherits = "dev"\n[profile.dev]\nopt-level = 1\n')
        self.assertEqual(self.cargo("-o", saved, "--profile", "ship").code, 0)
        self.put(Cargo_toml=MANIFEST + '[profile.ship]\ninherits = "dev"\n[profile.dev]\nopt-level = 2\n')
        self.assertIn('inherits = "dev", opt-level = 1, now inherits = "dev", opt-level = 2\n',
                      self.cargo("--diff", saved, "--profile", "ship").err)

    def test_settings_of_single_packages_and_build_scripts_differ_too(self):
        saved = os.path.join(self.folder, "saved.json")
        told = "warning: the working tree against " + saved + ": the profile's settings differ: "
        table = '[profile.dev.package."*"]\nopt-level = "s"\n[profile.dev.package.app]\nopt-level = 1\n'
        override = "[profile.dev.build-override]\nopt-level = 3\n"
        self.put(Cargo_toml=MANIFEST + table + override)
        self.assertEqual(self.cargo("-o", saved).code, 0)
        self.assertNotIn("warning", self.cargo("--diff", saved).err)
        self.put(Cargo_toml=MANIFEST)
        self.assertIn(told + 'build-override.opt-level = 3, package."*".opt-level = "s", package.app.opt-level = 1, now none\n',
                      self.cargo("--diff", saved).err)
        result = self.cargo("--diff", "HEAD", "--config", "profile.dev.build-override.opt-level=1", verb="llvmlines")
        self.assertNotIn("warning", result.err)
        # Git does not know of the file, so that the base has none.
        self.write("work/app/.git/info/exclude", ".cargo\n")
        self.write("work/app/.cargo/config.toml", '[profile.dev.package.app]\nopt-level = "s"\n')
        self.assertRegex(self.cargo("--diff", "HEAD", verb="llvmlines").err,
                         r"warning: the working tree against HEAD \(\w+\): the profile's settings differ: none, "
                         'now package.app.opt-level = "s"\n')

    def test_another_target_is_warned_of_where_both_are_known(self):
        saved = os.path.join(self.folder, "saved.json")
        self.assertEqual(self.cargo("-o", saved).code, 0)
        with open(saved, encoding="utf-8") as file:
            content = file.read()
        target = json.loads(content)["build"]["target"]
        self.assertIn(f"\nhost: {target}\n", run(["rustc", "-vV"], self.folder).out)
        self.assertNotIn("warning", self.cargo("--diff", saved, "--target", target).err)
        member = f'"target":"{target}",'
        self.assertIn(member, content)
        with open(saved, "w", encoding="utf-8") as file:
            file.write(content.replace(member, '"target":"a64-b-linux",'))
        self.assertIn(f": the target differs: a64-b-linux, now {target}\n", self.cargo("--diff", saved).err)
        with open(saved, "w", encoding="utf-8") as file:
            file.write(content.replace(member, ""))
        self.assertNotIn("warning", self.cargo("--diff", saved).err)

    def test_flags_that_only_one_side_has_are_warned_of(self):
        saved = os.path.join(self.folder, "saved.json")
        self.assertEqual(self.cargo("-o", saved, RUSTFLAGS="-Copt-level=s").code, 0)
        self.assertNotIn("warning", self.cargo("--diff", saved, RUSTFLAGS="-Copt-level=s").err)
        self.assertIn("warning: the working tree against " + saved + ": the flags for rustc differ: -Copt-level=s, now none\n",
                      self.cargo("--diff", saved).err)
        # Git does not know of the file, so that the base has none.
        self.write("work/app/.git/info/exclude", ".cargo\n")
        self.write("work/app/.cargo/config.toml", "[target.'cfg(unix)']\nrustflags = ['-Copt-level=s']\n")
        for verb in "bloatc", "llvmlines":
            with self.subTest(verb=verb):
                self.assertRegex(self.cargo("--diff", "HEAD", verb=verb).err,
                                 r"warning: the working tree against HEAD \(\w+\): the flags for rustc differ: none, now -Copt-level=s\n")
                self.assertNotIn("warning", self.cargo("--diff", "HEAD", verb=verb, RUSTFLAGS="-Copt-level=s").err)

    def test_clean_empties_the_cache_but_for_what_is_in_use(self):
        self.assertEqual(self.cargo("--diff", "main").code, 0)
        self.assertEqual(len(self.checkouts()), 1)
        lock = os.path.join(os.path.dirname(self.checkouts()[0]), "lock")
        with subprocess.Popen(["flock", lock, "sh", "-c", "echo held; cat"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as holder:
            holder.stdout.readline()
            self.assertIn("0 checkouts of revisions, 0B; 1 in use by other runs", self.cargo("clean").err)
            # Another run takes another checkout meanwhile.
            self.assertEqual(self.cargo("--diff", "main").code, 0)
            self.assertEqual(len(self.checkouts()), 2)
            holder.communicate(b"")
        # What asks for less than all, or for a look, removes nothing.
        for verb in "bloatc", "llvmlines", "cprof":
            for words in ["clean", "--all"], ["clean", "-p", "app"], ["clean", "app"], ["-q", "clean"]:
                self.assertEqual(self.cargo(*words, verb=verb).code, 2)
            self.assertEqual(self.cargo("clean", "--help", verb=verb).code, 0)
        self.assertEqual(len(self.checkouts()), 2)
        self.assertIn("Removed 2 checkouts of revisions, ", self.cargo("clean", verb="llvmlines").err)
        self.assertEqual(self.checkouts(), [])
        self.assertEqual(self.cargo("clean", "-q").err, "")

    def test_a_cache_that_cannot_be_written_is_said_with_where_it_is_set(self):
        result = self.cargo("--diff", "main", XDG_CACHE_HOME="/proc")
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.err, r"error: no comparison: main \(\w+\): make the folder /proc/.*\n"
                         r"cargo-bloatc: hint: set XDG_CACHE_HOME to another folder for this\n$")

    def test_what_was_not_used_for_a_month_goes_away(self):
        self.assertEqual(self.cargo("--diff", "main").code, 0)
        (old,) = [os.path.dirname(checkout) for checkout in self.checkouts()]
        aside = os.path.join(os.path.dirname(os.path.dirname(old)), "other-0123456789abcdef")
        day = 24 * 60 * 60
        for name, days in (("0", 31), ("1", 29)):
            shutil.copytree(old, os.path.join(aside, name), symlinks=True)
            then = time.time() - days * day
            os.utime(os.path.join(aside, name, "lock"), (then, then))
        self.assertEqual(self.cargo("--diff", "main").code, 0)
        self.assertEqual(os.listdir(aside), ["1"])
        self.assertIn(os.path.join(old, "tree"), self.checkouts())


if __name__ == "__main__":
    unittest.main(verbosity=1)
