"""--diff and --rev with git revisions, on small repositories made here; the user's own stays as it is, to the byte."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from suite import PROGRAMS, ProjectTest, environment, run

MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
LIBRARY = """
#[inline(never)]
pub fn kept(n: u64) -> u64 { (0..n).map(|i| i ^ 7).sum() }
"""
MAIN = """
mod parts;
fn main() { println!("{}", parts::kept(std::env::args().count() as u64)); }
"""
ADDED = """
#[inline(never)]
pub fn added_here(n: u64) -> u64 { (0..n).map(|i| i.rotate_left(3) * 5).fold(1, |a, b| a ^ b) }
"""
BUSY_MAIN = """
mod parts;
fn main() {
    let busy = (0..100_000_000u64).fold(0, |sum, i| std::hint::black_box(sum ^ i));
    println!("{} {busy}", parts::kept(std::env::args().count() as u64));
}
"""
MAIN_CALLS_ADDED = """
mod parts;
fn main() { println!("{} {}", parts::kept(3), parts::added_here(std::env::args().count() as u64)); }
"""


def picture(folder):
    """Every path below the folder with its kind, mode, times and content, but for what cargo builds."""
    lines = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "target")
        for name in sorted(files) + folders:
            path = os.path.join(parent, name)
            about = os.lstat(path)
            if os.path.islink(path):
                content = os.readlink(path)
            elif os.path.isdir(path):
                # Its time changes with the first target directory in it.
                lines.append(f"{os.path.relpath(path, folder)} {about.st_mode:o}")
                continue
            else:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            lines.append(f"{os.path.relpath(path, folder)} {about.st_mode:o} {about.st_mtime_ns} {content}")
    return lines


class RepositoryTest(ProjectTest):
    def setUp(self):
        super().setUp()
        self.repository = os.path.join(self.folder, "work", "app")
        self.cache = os.path.join(self.folder, "cache")
        os.makedirs(self.repository)
        self.write("home/.gitconfig", "[user]\nname = N\nemail = n@example.org\n[init]\ndefaultBranch = main\n"
                   "[protocol \"file\"]\nallow = always\n[advice]\ndetachedHead = false\n")

    def variables(self, **changes):
        # libgit2 1.5 leaks when it refuses a repository; with sanitizers that would be our exit code.
        self.write("home/leaks", "leak:git_repository_open_ext\n")
        return {"ASAN_OPTIONS": "fast_unwind_on_malloc=0", "LSAN_OPTIONS": "print_suppressions=0:suppressions=" +
                os.path.join(self.folder, "home", "leaks"), "XDG_CACHE_HOME": self.cache, "GIT_CONFIG_GLOBAL": os.path.join(self.folder, "home", ".gitconfig"),
                "CARGO_NET_OFFLINE": "true", **changes}

    def git(self, *arguments, folder=None):
        result = run(["git", *arguments], folder or self.repository, **self.variables())
        self.assertEqual(result.code, 0, result)
        return result.out

    def put(self, **sources):
        for name, content in sources.items():
            path = name.replace("__", "/")
            path = re.sub(r"_(rs|toml|lock)$", r".\1", path)
            self.write(os.path.join("work/app", path), content)

    def commit(self, message="step"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def start_repository(self, **sources):
        self.git("init", "-q", *sources.pop("init", []))
        self.write("work/app/.gitignore", "/target\n")
        self.put(**({"Cargo_toml": MANIFEST, "src__main_rs": MAIN, "src__parts_rs": LIBRARY} | sources))
        self.commit("first")

    def cargo(self, *arguments, folder=None, verb="bloatc", **changes):
        """Runs the command; the repository is the same before and after, to the byte."""
        # Cargo writes a Cargo.lock by itself where there is none: not our doing.
        if not os.path.exists(os.path.join(self.repository, "Cargo.lock")):
            run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        before = picture(os.path.join(self.folder, "work"))
        result = run(["cargo", verb, *arguments], folder or self.repository, **self.variables(**changes))
        after = picture(os.path.join(self.folder, "work"))
        self.assertEqual(sorted(set(after) ^ set(before)), [])
        return result

    def diff(self, *arguments, **options):
        """The comparison as JSON: its rows by name, and the whole."""
        result = self.cargo(*arguments, "--format", "json", **options)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        return {row["name"]: row for row in report["functions"]}, report, result

    def checkouts(self):
        root = os.path.join(self.cache, "rust-performance-tools", "revisions")
        found = []
        for parent, folders, _ in os.walk(root):
            if "tree" in folders:
                found.append(os.path.join(parent, "tree"))
                folders.clear()
        return sorted(found)


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

    def test_a_revision_by_itself_is_what_was_there_then(self):
        self.add_function()
        self.commit()
        names = [row["name"] for row in json.loads(self.cargo("--rev", "HEAD~1", "--format", "json").out)["functions"]]
        self.assertNotIn("app::parts::added_here", names)
        self.assertIn("app::parts::kept", names)

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

    def test_lines_are_counted_as_the_file_to_compare_with_was_built(self):
        run(["cargo", "rustc", "--offline", "--release", "--", "--emit=llvm-ir"], self.repository, **self.variables())
        (name,) = [name for name in os.listdir(os.path.join(self.repository, "target/release/deps")) if name.endswith(".ll")]
        result = self.cargo("--diff", f"target/release/deps/{name}", verb="llvmlines")
        self.assertEqual(result.code, 0, result)
        self.assertIn(f"Building the working tree as target/release/deps/{name} was: --release\n", result.err)

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
                result = self.cargo("--diff", "HEAD", verb=verb)
                self.assertEqual(result.code, 101, result)
                self.assertIn(own, result.out)
                said = [line for line in result.err.splitlines() if line.startswith(f"cargo-{verb}: error")]
                self.assertEqual(len(said), 1)
                self.assertRegex(said[0], rf"no comparison: HEAD \([0-9a-f]{{7}}\): cargo {work} .*101$")

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
        # What was typed counts more; without a comparison nothing is held against anything.
        self.assertEqual(self.cargo("--diff", "main", "--fail-over", "100MiB").code, 0)
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


# Every command that checks a revision out; what they draw goes where nobody looks for changes.
COMPARISONS = (("bloatc", "--diff", "main"), ("llvmlines", "--diff", "main"),
               ("cprof", "--diff", "main", "-o", "target/flame.svg"), ("cprof", "compare", "main", "--runs", "1"))


class Interrupted(RepositoryTest):
    def test_ctrl_c_leaves_everything_as_it_was(self):
        started = os.path.join(self.folder, "started")
        go_on = os.path.join(self.folder, "go-on")
        script = ('use std::path::Path; fn main() { std::fs::write("%s", "x").unwrap(); '
                  'while !Path::new("%s").exists() { std::thread::sleep(std::time::Duration::from_millis(20)); } }')
        self.start_repository(build_rs=script % (started, go_on), Cargo_toml=MANIFEST)
        self.put(build_rs="fn main() {}\n")
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        before = picture(self.repository)
        for words in COMPARISONS:
            with self.subTest(words), subprocess.Popen(
                    ["cargo", *words], cwd=self.repository, start_new_session=True, env=environment(**self.variables()),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while not os.path.exists(started):
                    self.assertIsNone(process.poll())
                    time.sleep(0.05)
                os.killpg(process.pid, signal.SIGINT)
                self.assertNotEqual(process.wait(60), 0)
                os.unlink(started)
                self.assertEqual(picture(self.repository), before)
        # The next run goes on from there.
        with open(go_on, "w", encoding="utf-8"):
            pass
        self.assertEqual(self.diff("--diff", "main")[0], {})

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_full_disk_costs_only_the_comparison(self):
        self.start_repository(src__main_rs=BUSY_MAIN)
        os.makedirs(self.cache)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", self.cache], check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a small file system here")
        try:
            with open(os.path.join(self.repository, "large.bin"), "wb") as file:
                file.write(os.urandom(200000))
            self.commit()
            owns = ("section size", "app::parts::kept", "By time in the function itself", "the working tree alone, in 1 run")
            for (verb, *words), own in zip(COMPARISONS, owns):
                with self.subTest(verb):
                    result = self.cargo(*words, verb=verb)
                    self.assertEqual(result.code, 1, result)
                    self.assertRegex(result.err, r"error: no comparison: main \([0-9a-f]{7}\): .*No space left on device")
                    self.assertIn(own, result.out + result.err)
        finally:
            subprocess.run(["umount", self.cache], check=True)


class Outside(RepositoryTest):
    """Packages that the repository names by a path and does not hold."""

    def package(self, place, dependencies="", source="", head=""):
        name = os.path.basename(place)
        self.write(f"{place}/Cargo.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{head}'
                   f"[dependencies]\n{dependencies}")
        self.write(f"{place}/src/lib.rs", source or f"#[inline(never)]\npub fn {name}(n: u64) -> u64 {{ n.pow(3) ^ 5 }}\n")

    def setUp(self):
        super().setUp()
        # Beside the repository; one of it names others, and its workspace; farther away; and a crate of the repository.
        self.package("work/near", 'member = { path = "../all/member" }\ninner = { path = "../app/inner" }\n')
        self.package("work/all/member", "third.workspace = true\n")
        self.write("work/all/Cargo.toml", '[workspace]\nmembers = ["member"]\n[workspace.dependencies]\n'
                   'third = { path = "../third" }\n')
        self.package("work/third")
        self.package("far/away")
        self.package("work/app/inner")
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]", '[dependencies]\nnear = { path = "../near" }\n'
                                                          'away = { path = "../../far/away" }\ninner = { path = "inner" }\n'
                                                          '[workspace]'),
                              src__main_rs='mod parts;\nfn main() { println!("{} {} {}", near::near(parts::kept(3)), '
                              'away::away(4), inner::inner(5)); }\n')

    def assert_same(self, *words, **options):
        rows, _, result = self.diff("--diff", *words, **options)
        self.assertEqual(rows, {})
        return result

    def test_they_are_found_as_they_are_today(self):
        result = self.assert_same("HEAD")
        places = ", ".join(os.path.join(self.folder, name) for name in ("work/near", "far/away", "work/all/member"))
        self.assertRegex(result.err, r"cargo-bloatc: warning: HEAD \(.{7}\): what is outside of the repository is taken as it is "
                         f"today: {places} and 1 more\n")
        (checkout,) = self.checkouts()
        self.assertTrue(os.path.islink(checkout))
        # Once more: nothing is compiled. Git knows the tree there too.
        self.assertNotIn("Compiling", self.assert_same("HEAD").err)
        self.assertEqual(self.git("status", "--porcelain", "--", "src", folder=checkout), "")
        for verb, *words in COMPARISONS[1:]:
            result = self.cargo(*words, verb=verb)
            self.assertEqual(result.code, 0, result)
        self.assertEqual(self.cargo("--diff", "HEAD", "--manifest-path", os.path.join(self.repository, "Cargo.toml"),
                                    folder=os.path.join(self.folder, "work")).code, 0)
        self.cargo("clean")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "far/away/src/lib.rs")))

    def test_a_revision_without_any_stands_as_usual(self):
        self.assert_same("HEAD")
        self.put(Cargo_toml=MANIFEST, src__main_rs=MAIN)
        os.unlink(os.path.join(self.repository, "Cargo.lock"))
        self.commit("alone")
        result = self.assert_same("HEAD")
        self.assertNotIn("outside", result.err)
        (checkout,) = self.checkouts()
        self.assertFalse(os.path.islink(checkout))
        self.assertNotIn("around", os.listdir(os.path.dirname(checkout)))

    def test_a_working_tree_where_a_link_was_is_not_written_to(self):
        self.assert_same("HEAD")
        linked = os.path.join(self.folder, "work", "near", "linked")
        self.git("worktree", "add", "-q", linked)
        self.package("work/near/near")
        self.package("work/far/away")
        run(["cargo", "generate-lockfile", "--offline"], linked, **self.variables())
        self.write("work/near/linked/untracked", "mine\n")
        self.assert_same("HEAD", folder=linked)
        self.assertEqual(len(self.checkouts()), 1)
        self.assertTrue(os.path.exists(os.path.join(linked, "untracked")))
        self.assert_same("HEAD")


class KindsOfRepository(RepositoryTest):
    def assert_empty_diff(self, *arguments, folder=None):
        self.assertEqual(self.diff("--diff", "HEAD", *arguments, folder=folder)[0], {})

    def test_the_checkout_is_what_git_makes(self):
        self.start_repository()
        self.compare_checkouts()

    def test_the_checkout_is_what_git_makes_with_attributes(self):
        self.start_repository()
        self.write("work/app/.gitattributes", "*.crlf text eol=crlf\n*.bat text eol=crlf\n*.id ident\n")
        self.write("work/app/sub/.gitattributes", "*.crlf text eol=lf\n")
        self.compare_checkouts()

    def compare_checkouts(self):
        """Two revisions in one checkout, each against a clone."""
        for name in ("a.crlf", "!early.crlf", "sub/b.crlf", "sub/deep/c.crlf", "d.id", "sub/run.sh"):
            self.write("work/app/" + name, "one\ntwo $Id$\n")
        os.chmod(os.path.join(self.repository, "sub/run.sh"), 0o755)
        os.symlink("sub/run.sh", os.path.join(self.repository, "link"))
        os.symlink("nowhere", os.path.join(self.repository, "dangling"))
        self.commit()
        # What the working tree says now is not what the commit says.
        self.write("work/app/.gitattributes", "* -text\n")
        os.unlink(os.path.join(self.repository, "link"))
        self.write("work/app/link", "a file now\n")
        for commits in (1, 2):
            self.assertEqual(self.diff("--diff", "HEAD")[0], {})
            wanted = os.path.join(self.folder, f"clone{commits}")
            self.git("clone", "-q", "--no-local", self.repository, wanted)
            checkout = self.checkouts()[0]
            ours = subprocess.run(["diff", "-r", "--no-dereference", "-x", ".git", "-x", "Cargo.lock", wanted, checkout],
                                  check=False, capture_output=True, text=True)
            self.assertEqual(ours.stdout, "")
            self.assertTrue(os.access(os.path.join(checkout, "sub/run.sh"), os.X_OK))
            self.assertEqual(os.readlink(os.path.join(checkout, "dangling")), "nowhere")
            times = {name: os.lstat(os.path.join(checkout, name)).st_mtime_ns for name in ("a.crlf", "sub/run.sh")}
            if commits == 2:
                self.assertEqual(times, kept)
                break
            kept = times
            self.git("checkout", "-q", "-f", "HEAD")
            self.git("clean", "-q", "-f", "-d")
            self.git("rm", "-q", "-r", "sub/deep", "link")
            self.write("work/app/link/inside", "a folder now\n")
            self.write("work/app/sub/new.crlf", "x\ny\n")
            self.commit()

    def test_submodules_and_what_is_missing(self):
        library = os.path.join(self.folder, "library")
        os.makedirs(library)
        self.git("init", "-q", folder=library)
        self.write("library/Cargo.toml", '[package]\nname = "lib-part"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write("library/src/lib.rs", "#[inline(never)]\npub fn outer(n: u64) -> u64 { n.pow(3) ^ 5 }\n")
        self.git("add", "-A", folder=library)
        self.git("commit", "-q", "-m", "one", folder=library)
        self.git("init", "-q")
        self.git("submodule", "add", "-q", library, "vendor/part")
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]", '[dependencies]\nlib-part = {path = "vendor/part"}'
                                                          "\n[workspace]"),
                              src__main_rs="fn main() { println!(\"{}\", lib_part::outer(std::env::args().count() as u64)); }\n",
                              pointer_bin="version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
        result = self.cargo("--diff", "HEAD")
        self.assertEqual(result.code, 0, result)
        self.assertIn("nothing changed", result.out)
        self.assertIn("warning: HEAD (", result.err)
        self.assertIn("Git LFS pointers stand in place of files: pointer_bin", result.err)
        self.assertNotIn("submodule", result.err)
        part = os.path.join(self.checkouts()[0], "vendor/part")
        self.assertEqual(self.git("rev-parse", "HEAD", "--show-toplevel", folder=part),
                         self.git("rev-parse", "HEAD", folder=library) + part + "\n")
        self.assertEqual(self.git("status", "--porcelain", folder=self.checkouts()[0]), "")
        # With the submodule gone, and there again.
        self.git("rm", "-q", "vendor/part")
        self.put(Cargo_toml=MANIFEST, src__main_rs="fn main() {}\n")
        self.commit()
        self.git("tag", "without")
        self.git("reset", "-q", "--hard", "HEAD~1")
        self.git("submodule", "update", "-q", "--init")
        for revision in ("without", "HEAD"):
            self.assertEqual(self.cargo("--rev", revision).code, 0)
            self.assertEqual(self.git("status", "--porcelain", "--", "src", "vendor", folder=self.checkouts()[0]), "")
        self.git("submodule", "deinit", "-q", "-f", "vendor/part")
        shutil.rmtree(self.cache)
        result = self.cargo("--diff", "HEAD", "--rev", "HEAD")
        self.assertEqual(result.code, 101, result)
        self.assertIn("the submodule vendor/part is not initialised here and stays empty: git submodule update", result.err)
        # Once it is there, so is the comparison.
        self.git("submodule", "update", "-q", "--init")
        self.assertEqual(self.diff("--diff", "HEAD", "--rev", "HEAD")[0], {})

    def assert_git_knows(self, checkout, commit, description):
        """Git, asked in the checkout, tells of this commit, of its tags, and of no change."""
        for words, answer in ((("rev-parse", "HEAD"), commit), (("describe", "--tags", "--dirty"), description),
                              (("status", "--porcelain"), ""), (("diff-index", "--quiet", "HEAD"), ""),
                              (("rev-parse", "--show-toplevel"), checkout), (("rev-parse", "main"), self.git("rev-parse", "main").strip()),
                              (("config", "remote.origin.url"), "ssh://nowhere/app"), (("fsck", "--connectivity-only"), "")):
            with self.subTest(words):
                self.assertEqual(self.git(*words, folder=checkout).strip(), answer)

    def compare_what_git_tells(self, *init):
        self.start_repository(init=init)
        self.git("config", "remote.origin.url", "ssh://nowhere/app")
        self.git("tag", "v1")
        # A build script that lives on git's answers; its output is a part of the program.
        self.put(build_rs="""
            use std::process::Command;
            fn ask(words: &[&str]) -> String {
                let output = Command::new("git").args(words).output().unwrap();
                assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
                String::from_utf8(output.stdout).unwrap().trim().to_string()
            }
            fn main() { println!("cargo:rustc-env=TOLD={} {}", ask(&["describe", "--tags"]), ask(&["log", "-1", "--format=%s"])); }
        """, src__main_rs='mod parts;\nfn main() { println!("{} {}", env!("TOLD"), parts::kept(3)); }\n')
        self.commit("second")
        second = self.git("rev-parse", "HEAD").strip()
        self.assertEqual(self.diff("--diff", "HEAD")[0], {})
        (checkout,) = self.checkouts()
        self.assert_git_knows(checkout, second, "v1-1-g" + self.git("rev-parse", "--short", "HEAD").strip())
        program = os.path.join(os.path.dirname(checkout), "target", "debug", "app")
        self.assertRegex(run([program], self.folder).out, "^v1-1-g[0-9a-f]+ second ")
        # A tag that is new, and another commit.
        self.git("tag", "v2")
        self.cargo("--diff", "HEAD")
        self.assert_git_knows(checkout, second, "v2")
        self.put(src__parts_rs=LIBRARY + ADDED)
        self.commit("third")
        self.git("tag", "v3")
        third = self.git("rev-parse", "HEAD").strip()
        self.cargo("--diff", "HEAD")
        self.assert_git_knows(checkout, third, "v3")
        # What is done there stays there.
        before = picture(self.repository)
        self.git("update-ref", "HEAD", "v1", folder=checkout)
        self.git("tag", "there", folder=checkout)
        self.git("config", "user.name", "there", folder=checkout)
        self.git("gc", "-q", "--prune=now", folder=checkout)
        self.assertEqual(picture(self.repository), before)
        self.cargo("--diff", "HEAD")
        self.assert_git_knows(checkout, third, "v3")

    def test_git_knows_the_revision_in_its_checkout(self):
        self.compare_what_git_tells()

    def test_git_knows_the_revision_with_attributes(self):
        self.write("work/app/.gitattributes", "*.rs text eol=crlf\n")
        self.compare_what_git_tells()

    def test_git_knows_the_revision_where_libgit2_does_not(self):
        self.compare_what_git_tells("--object-format=sha256")

    def test_a_hook_of_git_does_not_lead_back(self):
        self.start_repository(build_rs="""
            fn main() {
                let output = std::process::Command::new("git").args(["rev-parse", "--absolute-git-dir"]).output().unwrap();
                println!("cargo:rustc-env=TOLD={}", String::from_utf8(output.stdout).unwrap().trim());
            }
        """, src__main_rs='mod parts;\nfn main() { println!("{}", env!("TOLD")); parts::kept(3); }\n')
        own = os.path.join(self.repository, ".git")
        self.cargo("--diff", "HEAD", GIT_DIR=own, GIT_WORK_TREE=self.repository, GIT_INDEX_FILE=os.path.join(own, "index"))
        slot = os.path.dirname(self.checkouts()[0])
        self.assertEqual(run([os.path.join(slot, "target/debug/app")], slot).out, os.path.join(slot, "git") + "\n")

    def test_a_linked_worktree_shares_the_checkouts(self):
        self.start_repository()
        self.cargo("--diff", "HEAD")
        linked = os.path.join(self.folder, "work", "linked")
        self.git("worktree", "add", "-q", linked)
        run(["cargo", "generate-lockfile", "--offline"], linked, **self.variables())
        self.assert_empty_diff(folder=linked)
        self.assertEqual(len(self.checkouts()), 1)

    def test_a_shallow_clone_says_why_it_has_no_merge_base(self):
        self.start_repository()
        self.git("checkout", "-q", "-b", "old")
        self.put(src__parts_rs=LIBRARY + "// older\n")
        self.commit()
        self.git("checkout", "-q", "main")
        self.put(src__parts_rs=LIBRARY + "// more\n")
        self.commit()
        clone = os.path.join(self.folder, "work", "shallow")
        self.git("clone", "-q", "--depth", "1", "--no-single-branch", "file://" + self.repository, clone)
        run(["cargo", "generate-lockfile", "--offline"], clone, **self.variables())
        self.assert_empty_diff(folder=clone)
        self.assertEqual(self.git("log", "--format=%D", folder=self.checkouts()[0]).count("\n"), 1)
        result = self.cargo("--diff", "origin/old...HEAD", folder=clone)
        self.assert_fails(result, 1, "have no merge base here", "the clone is shallow: git fetch --unshallow")
        result = self.cargo("--diff", "HEAD~1", folder=clone)
        self.assert_fails(result, 1, '"HEAD~1" is no revision of ', "the clone is shallow: git fetch --unshallow")

    def test_a_branch_that_only_a_remote_has_is_named(self):
        self.start_repository()
        self.git("branch", "old")
        clone = os.path.join(self.folder, "work", "clone")
        self.git("clone", "-q", "file://" + self.repository, clone)
        run(["cargo", "generate-lockfile", "--offline"], clone, **self.variables())
        for arguments in (["--diff", "old"], ["--diff", "old..HEAD"], ["--rev", "old"]):
            result = self.cargo(*arguments, folder=clone)
            self.assert_fails(result, 1, '"old" is no revision of ', "hint: a remote's branch is here: origin/old\n")

    def test_what_libgit2_cannot_open_git_does(self):
        self.start_repository(init=["--object-format=sha256"])
        self.write("work/app/.gitattributes", "*.crlf text eol=crlf\n")
        self.write("work/app/a.crlf", "x\ny\n")
        self.commit()
        self.assert_empty_diff()
        with open(os.path.join(self.checkouts()[0], "a.crlf"), "rb") as file:
            self.assertEqual(file.read(), b"x\r\ny\r\n")
        kept = os.stat(os.path.join(self.checkouts()[0], "src/parts.rs")).st_mtime_ns
        self.put(src__main_rs=MAIN + "// more\n")
        self.commit()
        self.assertEqual(self.diff("--diff", "HEAD~1...HEAD")[0], {})
        self.assertEqual(os.stat(os.path.join(self.checkouts()[0], "src/parts.rs")).st_mtime_ns, kept)

    def test_extensions_that_libgit2_does_not_know(self):
        self.start_repository()
        self.git("config", "core.repositoryFormatVersion", "1")
        self.git("config", "extensions.worktreeConfig", "true")
        self.git("config", "extensions.preciousObjects", "true")
        self.assert_empty_diff()

    def test_what_a_partial_clone_lacks_is_fetched_into_the_cache(self):
        self.start_repository()
        self.put(src__parts_rs=LIBRARY + ADDED, src__main_rs=MAIN_CALLS_ADDED)
        self.commit()
        self.git("config", "uploadpack.allowFilter", "true")
        clone = os.path.join(self.folder, "work", "partial")
        self.git("clone", "-q", "--filter=blob:none", "file://" + self.repository, clone)
        run(["cargo", "generate-lockfile", "--offline"], clone, **self.variables())
        self.assertIn("\n?", self.git("rev-list", "--objects", "--missing=print", "HEAD", folder=clone))
        rows, _, _ = self.diff("--diff", "HEAD~1", folder=clone)
        self.assertEqual(rows["app::parts::added_here"]["status"], "new")
        self.assertEqual(self.git("status", "--porcelain", folder=self.checkouts()[0]), "")

    @unittest.skipUnless(os.geteuid() == 0, "giving files away needs root")
    def test_a_repository_of_another_user_is_read_when_it_is_trusted(self):
        self.start_repository()
        run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
        subprocess.run(["chown", "-R", "1234", self.repository], check=True)
        self.assert_fails(self.cargo("--diff", "HEAD"), 1, "belongs to another user, so git refuses it",
                          "if you trust it: git config --global --add safe.directory " + self.repository)
        # A file beside it needs no repository.
        saved = os.path.join(self.folder, "saved.json")
        self.assertEqual(self.cargo("-o", saved).code, 0)
        self.assertEqual(self.diff("--diff", saved)[0], {})
        subprocess.run(["git", "config", "--file", os.path.join(self.folder, "home", ".gitconfig"), "--add",
                        "safe.directory", self.repository], check=True)
        self.assert_empty_diff()

    def test_where_git_is_needed_and_missing_it_is_said(self):
        programs = os.path.join(self.folder, "programs")
        os.makedirs(programs)
        for name in ("cargo", "rustc", "cc", "ld", "as"):
            os.symlink(shutil.which(name), os.path.join(programs, name))
        path = {"PATH": PROGRAMS + os.pathsep + programs}
        self.start_repository(init=["--object-format=sha256"])
        # Cargo itself would look for the command in its own folder first.
        result = run([shutil.which("cargo-bloatc", path=PROGRAMS), "bloatc", "--diff", "HEAD"], self.repository,
                     **self.variables(**path))
        self.assert_fails(result, 1, "--diff HEAD: the repository " + self.repository + " needs the git program, which "
                          "is not here", "hint: install it with: apt-get install git")

    def test_attributes_take_the_git_program(self):
        programs = os.path.join(self.folder, "programs")
        os.makedirs(programs)
        for name in ("cargo", "rustc", "cc", "ld", "as"):
            os.symlink(shutil.which(name), os.path.join(programs, name))
        self.start_repository()
        self.write("work/app/.gitattributes", "*.crlf text eol=crlf\n")
        self.commit()
        result = run([shutil.which("cargo-bloatc", path=PROGRAMS), "bloatc", "--diff", "HEAD"], self.repository,
                     **self.variables(PATH=PROGRAMS + os.pathsep + programs))
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.err, r"error: no comparison: HEAD \([0-9a-f]{7}\): checking out HEAD: .*git.*\n"
                         r"cargo-bloatc: hint: install it with: apt-get install git\n$")
        self.assertIn("section size", result.out)

    def test_two_runs_at_once_do_not_disturb_each_other(self):
        self.start_repository()
        self.git("tag", "v1")
        self.put(src__parts_rs=LIBRARY + ADDED, src__main_rs=MAIN_CALLS_ADDED)
        self.commit()
        self.cargo("-q")
        processes = [
            subprocess.Popen(["cargo", "bloatc", "--diff", word, "--format", "json"], cwd=self.repository,
                             env=environment(**self.variables()), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for word in ("v1", "HEAD", "v1")
        ]
        names = [{row["name"] for row in json.loads(process.communicate(timeout=300)[0])["functions"]}
                 for process in processes]
        self.assertIn("app::parts::added_here", names[0])
        self.assertEqual(names[0], names[2])
        self.assertEqual(names[1], set())
        self.assertEqual([process.returncode for process in processes], [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
