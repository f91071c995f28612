"""--diff and --rev in each kind of repository, and with packages outside of it."""

import json
import os
import shutil
import subprocess
import unittest

from repositories import ADDED, COMPARISONS, LIBRARY, MAIN, MAIN_CALLS_ADDED, MANIFEST, RepositoryTest, picture
from suite import PROGRAMS, environment, run


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
        self.package("work/near", 'member = { path = "../all/member" }\ninner = { path = "../app/inner" }\n'
                     '[lib]\npath = "src/lib.rs"\n')
        self.package("work/all/member", "third.workspace = true\n")
        self.write("work/all/Cargo.toml", '[workspace]\nmembers = ["member"]\n[workspace.dependencies]\n'
                   'third = { path = "../third" }\n')
        self.package("work/third")
        self.package("far/away")
        self.package("work/app/inner")
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]", '[dependencies]\nnear = { path = "../near" }\n'
                                                          'away = { path = "../../far/away" }\ninner = { path = "inner" }\n'
                                                          '[workspace]'),
                              src__main_rs='mod parts;\nfn main() { let busy = (0..100_000_000u64).fold(0, |sum, i| std::hint::black_box(sum ^ i));\n'
                              'println!("{} {} {} {busy}", near::near(parts::kept(3)), away::away(4), inner::inner(5)); }\n')

    def assert_same(self, *words, **options):
        """But for what stands between functions: their order follows hashes, in which rustc has such packages' paths."""
        rows, _, result = self.diff("--diff", *words, **options)
        self.assertEqual([name for name in rows if name != "[padding]"], [])
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

    def test_a_lock_file_of_both_commits_is_part_of_what_changed(self):
        def lock(version):
            self.put(Cargo_toml=MANIFEST.replace("0.1.0", version))
            run(["cargo", "generate-lockfile", "--offline"], self.repository, **self.variables())
            self.commit(version)

        self.start_repository()
        told = "Cargo.lock differs"
        lock("0.2.0")
        lock("0.3.0")
        self.assertNotIn(told, self.cargo("--diff", "HEAD~1..HEAD").err)
        self.assertNotIn(told, self.cargo("--diff", "HEAD~1", "--rev", "HEAD", "--by", "crate").err)  # checked out before
        # The working tree's is git's, too.
        self.assertNotIn(told, self.cargo("--diff", "HEAD~1").err)
        # What a commit lacks is of today.
        self.git("rm", "-q", "--cached", "Cargo.lock")
        self.git("commit", "-q", "-m", "without")
        self.assertIn(told, self.cargo("--diff", "HEAD~2..HEAD").err)
        self.assertIn(told, self.cargo("--diff", "HEAD~2").err)

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

    def test_braces_in_a_path_are_no_variable_of_cargo_s(self):
        self.start_repository(Cargo_toml=MANIFEST + "[profile.release]\nstrip = true\n")
        self.repository = os.path.join(self.folder, "work", "{{project-name}}")
        os.rename(os.path.join(self.folder, "work", "app"), self.repository)
        manifest = os.path.join(self.repository, "Cargo.toml")
        for verb, *words in (("bloatc", "--exact"), ("llvmlines",), ("llvmlines", "--manifest-path", manifest)):
            with self.subTest(verb=verb, words=words):
                folder = self.folder if manifest in words else None
                self.assertEqual(self.cargo(*words, verb=verb, folder=folder).code, 0)
        for cache in "cache", "{cache}":
            with self.subTest(cache=cache):
                self.cache = os.path.join(self.folder, cache)
                rows, _, result = self.diff("--release", "--diff", "HEAD")
                self.assertEqual((rows, result.err.count("Relinking")), ({}, 2), result)

    def test_a_build_directory_that_was_set_is_left_alone_where_paths_have_braces(self):
        self.repository = os.path.join(self.folder, "work", "{app}")
        shutil.move(os.path.join(self.folder, "work", "app"), self.repository)
        self.write("work/{app}/Cargo.toml", MANIFEST)
        self.write("work/{app}/src/main.rs", "fn main() {}\n")
        apart = os.path.join(self.folder, "apart")
        self.assertEqual(self.cargo(verb="llvmlines", CARGO_BUILD_BUILD_DIR=apart).code, 0)
        self.assertFalse(os.path.exists(apart))

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

    def test_without_such_a_branch_those_that_there_are_are_named(self):
        for init, names in (([], ["old"]), (["--object-format=sha256"], ["b1", "b2", "b3", "b4", "b5"])):
            shutil.rmtree(self.repository, ignore_errors=True)
            os.makedirs(self.repository)
            self.start_repository(init=init)
            for name in names:
                self.git("branch", name)
            listed = ", ".join(sorted(["main"] + names)[:5]) + (", ..." if len(names) > 4 else "")
            self.assert_fails(self.cargo("--diff", "trunk"), 1, '"trunk" is no revision of ',
                              f"hint: branches here: {listed}; the last commit is HEAD\n")
            result = self.cargo("--diff", "HEAD~9")
            self.assert_fails(result, 1, '"HEAD~9" is no revision of ')
            self.assertNotIn("branches here", result.err)

    def test_without_a_commit_that_is_said(self):
        self.git("init", "-q")
        self.put(Cargo_toml=MANIFEST, src__main_rs=MAIN, src__parts_rs=LIBRARY)
        for revision in ("HEAD", "main"):
            self.assert_fails(self.cargo("--diff", revision), 1, f'"{revision}" is no revision of ',
                              "hint: there is no commit yet: `git commit` makes one, HEAD\n")

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

    def test_a_file_of_a_revision_is_called_as_in_the_working_tree(self):
        busy = "#[inline(never)]\npub fn busy(n: u64) -> u64 { (0..n).fold(0, |sum, i| std::hint::black_box(sum ^ i)) }\n"
        bench = '[package]\nname = "bench"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\napp = { path = ".." }\n'
        # No workspace: cargo compiles the library of the root by its absolute path.
        self.start_repository(Cargo_toml=MANIFEST.replace("[workspace]\n", ""), src__lib_rs=busy, bench__Cargo_toml=bench,
                              bench__src__main_rs='fn main() { println!("{}", app::busy(100_000_000)); }\n')
        bench = os.path.join(self.repository, "bench")
        result = run(["cargo", "generate-lockfile", "--offline"], bench, **self.variables())
        self.assertEqual(result.code, 0, result)
        self.commit()
        for side in [], ["--rev", "main"]:
            result = self.cargo("--by", "file", "--format", "json", *side, folder=bench)
            self.assertEqual(result.code, 0, result)
            files = {row["file"] for row in json.loads(result.out)["files"] if row.get("crate") in ("app", "bench")}
            self.assertEqual(files - {"[no line information]"}, {"app/src/lib.rs", "src/main.rs"}, side)
            recording = os.path.join(self.folder, "p.cprof")
            result = self.cargo("-o", recording, *side, folder=bench, verb="cprof")
            self.assertEqual(result.code, 0, result)
            result = self.cargo("report", recording, "--by", "file", "--format", "csv", folder=bench, verb="cprof")
            self.assertIn(",app/src/lib.rs\r\n", result.out, side)
            self.assertNotIn("tree/", result.out, side)

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
    unittest.main(verbosity=1)
