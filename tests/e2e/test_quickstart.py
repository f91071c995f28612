"""What ./quickstart finds missing, installs and says, with no more in PATH than a test puts there."""

import os
import shutil
import subprocess
import unittest

from suite import SOURCE, ProjectTest

# What the script itself is made of.
TOOLS = ("bash", "env", "dirname", "cut", "sed", "sort", "head", "cat", "cp", "chmod", "mkdir", "nproc", "true")
ALL = ("cmake", "ninja", "pkg-config", "gcc", "make")
HEADERS = ("stdio.h", "dwarf.h", "capstone/capstone.h", "Zydis/Zydis.h", "libiberty/demangle.h")
MODULES = ("libcjson", "libpcre2-8", "libgit2", "zlib", "libzstd", "liblzma")
PACKAGES = ("libc6-dev libdw-dev libcjson-dev libpcre2-dev libgit2-dev libcapstone-dev libzydis-dev zlib1g-dev "
            "libzstd-dev liblzma-dev libiberty-dev").split()
NO_DEFAULT = ("error: rustup could not choose a version of rustc to run, because one wasn't specified explicitly, and "
              "no default is configured.")
# Puts what a package has in place.
APT = """echo "$*" >>apt.log
case " $* " in *" install "*)
  for word in "$@"; do if [ -d "packages/$word" ]; then cp -r "packages/$word/." .; fi; done ;;
esac
"""


class QuickstartTest(ProjectTest):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(SOURCE, "quickstart"), self.folder)
        os.mkdir(os.path.join(self.folder, "cmake"))
        shutil.copy(os.path.join(SOURCE, "cmake", "needs.sh"), os.path.join(self.folder, "cmake"))
        for name in TOOLS:
            self.link(name)
        self.script("rustc", "echo 'rustc 1.80.0 (x)'")
        self.script("cargo", "echo 'cargo 1.80.0 (x)'")
        self.script("id", "echo 1000")

    def link(self, name):
        os.makedirs(os.path.join(self.folder, "bin"), exist_ok=True)
        os.symlink(shutil.which(name), os.path.join(self.folder, "bin", name))

    def script(self, name, text, package=None):
        path = self.write(os.path.join(f"packages/{package}" if package else ".", "bin", name), f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)

    def add(self, name, package=None):
        """One of the programs that are needed; what it finds is below the folder of the test."""
        self.script(name, {
            "cmake": "[ \"$1\" = --version ] && echo 'cmake version 3.25.1'",
            "pkg-config": '[ -e "modules/$2" ]',
            "gcc": f'exec {shutil.which("gcc")} -nostdinc -isystem include "$@"',
        }.get(name, ":"), package)

    def add_libraries(self):
        # A header that needs another which is not there is there all the same.
        for name in HEADERS:
            self.write(f"include/{name}", "#include <not-there.h>\n")
        for name in MODULES:
            self.write(f"modules/{name}", "")

    def install(self, **changes):
        """Runs it without a terminal; it never gets past configuring a build."""
        values = {"PATH": os.path.join(self.folder, "bin"), "HOME": self.folder, "LC_ALL": "C.UTF-8"} | changes
        self.done = subprocess.run(["./quickstart", "install"], cwd=self.folder, env=values, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   text=True, check=False)
        return self.done.stderr

    def listed(self, said, heading):
        """The packages below a line that ends so."""
        lines = said.splitlines()
        at = next(i for i, line in enumerate(lines) if line.endswith(heading)) + 1
        result = []
        while at < len(lines) and lines[at].startswith("  "):
            result.append(lines[at].split()[0])
            at += 1
        return result

    def installed(self):
        with open(os.path.join(self.folder, "apt.log"), encoding="utf-8") as file:
            lines = [line.split() for line in file]
        return [line[line.index("install") + 2:] for line in lines if "install" in line]


class Missing(QuickstartTest):
    def test_what_only_a_program_that_is_missing_could_find_is_not_told_to_be_missing(self):
        for name in ("cmake", "ninja", "make"):
            self.add(name)
        self.add_libraries()
        said = self.install()
        self.assertEqual(self.listed(said, "are missing:"), ["pkg-config", "gcc"], said)
        self.assertEqual(self.listed(said, "which are looked for with what is missing:"), PACKAGES, said)

    def test_a_header_is_there_without_those_that_it_includes(self):
        for name in ALL:
            self.add(name)
        self.add_libraries()
        os.remove(os.path.join(self.folder, "include/stdio.h"))
        said = self.install()
        self.assertEqual(self.listed(said, "are missing:"), ["libc6-dev"], said)
        self.assertNotIn("perhaps", said)

    def test_without_apt_get_it_says_so(self):
        self.add("gcc")
        said = self.install()
        self.assertIn("quickstart: error: there is no apt-get here; install what Debian calls cmake ninja-build", said)
        self.assertNotIn("type: ", said)

    def test_nothing_is_missing(self):
        for name in ALL:
            self.add(name)
        self.add_libraries()
        self.assertIn("quickstart: error: the build failed", self.install())


class Showing(QuickstartTest):
    """On an example of two commands that are built already."""

    def setUp(self):
        super().setUp()
        for name in ALL:
            self.add(name)
        self.add_libraries()
        self.script("cmake", "echo 'cmake version 3.25.1'")
        for name in ("cmp", "mktemp", "mv", "rm", "touch"):
            self.link(name)
        os.mkdir(os.path.join(self.folder, "examples"))
        for name in ("cargo-bloatc", "cargo-cprof"):
            self.write(f"{name}/main.c", "")
            self.write(f"build/release/{name}/{name}", "")

    def show(self, cargo):
        """How it ended, what it said, and what cargo was given."""
        self.script("cargo", f"echo \"$*\" >>{self.folder}/cargo.log\n{cargo}")
        environment = {"PATH": os.path.join(self.folder, "bin"), "HOME": self.folder, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["./quickstart"], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        with open(os.path.join(self.folder, "cargo.log"), encoding="utf-8") as file:
            return done.returncode, done.stdout, [line.split() for line in file if not line.startswith("-")]

    def test_what_the_commands_show_is_shown(self):
        code, said, given = self.show("true")
        self.assertEqual(code, 0, said)
        self.assertEqual([words[0] for words in given], ["bloatc", "bloatc", "cprof", "cprof"], said)
        self.assertNotIn("lacks", said)

    def test_of_one_that_is_refused_no_more_is_shown_and_the_others_are(self):
        code, said, given = self.show('[ "$1" != cprof ]')
        self.assertEqual(code, 1, said)
        self.assertEqual([words[0] for words in given], ["bloatc", "bloatc", "cprof"], said)
        self.assertTrue(said.endswith("==> the commands are installed; above stands what this machine lacks for: cargo-cprof\n"), said)


class Installing(QuickstartTest):
    def setUp(self):
        super().setUp()
        for name in ("cmake", "ninja", "pkg-config", "make"):
            self.add(name)
        self.add_libraries()
        self.add("gcc", package="gcc")
        self.script("apt-get", APT)

    def test_as_root_what_finds_the_rest_comes_first(self):
        self.script("id", "echo 0")
        os.remove(os.path.join(self.folder, "include/dwarf.h"))
        self.write("packages/libdw-dev/include/dwarf.h", "")
        self.assertIn("quickstart: error: the build failed", self.install())
        self.assertEqual(self.installed(), [["gcc"], ["libdw-dev"]])

    def test_sudo_that_does_not_ask_is_enough(self):
        self.script("sudo", '[ "$1" = -n ] && shift; exec "$@"')
        self.assertIn("quickstart: error: the build failed", self.install())
        self.assertEqual(self.installed(), [["gcc"]])

    def test_sudo_without_a_terminal_to_ask_at_is_told_as_such(self):
        self.script("sudo", "echo 'sudo: a password is required' >&2; exit 1")
        said = self.install()
        self.assertIn(
            "quickstart: error: sudo asks for a password, for which there is no terminal; as root, type: apt-get "
            f"install --no-install-recommends gcc {PACKAGES[0]} ", said)
        self.assertNotIn("apt-get could not", said)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "apt.log")))

    def test_a_program_that_asks_for_sudos_password_is_enough(self):
        self.script("sudo", '[ "$1" = -n ] && exit 1; exec "$@"')
        self.assertIn("quickstart: error: the build failed", self.install(SUDO_ASKPASS="/bin/true"))
        self.assertEqual(self.installed(), [["gcc"]])

    def test_sudo_that_refuses_is_told(self):
        self.script("sudo", "exit 1")
        self.assertIn("quickstart: error: sudo does not make you root; as root, type: apt-get install ",
                      self.install(SUDO_ASKPASS="/bin/true"))

    def test_without_sudo_what_to_type_is_told(self):
        self.assertIn("quickstart: error: you are not root and there is no sudo; as root, type: apt-get install ",
                      self.install())


class Rust(QuickstartTest):
    def test_rustup_without_a_toolchain(self):
        self.script("rustc", f'echo "{NO_DEFAULT}" >&2; exit 1')
        said = self.install()
        self.assertEqual(said.splitlines()[-1],
                         "quickstart: error: rustup has no default toolchain; type: rustup default stable", self.done)

    def test_a_toolchain_that_does_not_run(self):
        self.script("cargo", "echo \"error: toolchain 'nope' is not installed\" >&2; exit 1")
        said = self.install()
        self.assertIn("toolchain 'nope' is not installed\nquickstart: error: rustc or cargo does not run", said)

    def test_no_toolchain_at_all(self):
        os.remove(os.path.join(self.folder, "bin/cargo"))
        self.assertIn("quickstart: error: a Rust toolchain is missing: install one from https://rustup.rs",
                      self.install())

    def test_a_toolchain_that_is_too_old(self):
        self.script("rustc", "echo 'rustc 1.60.0 (x)'")
        self.assertIn("quickstart: error: rustc 1.60.0 is too old", self.install())


if __name__ == "__main__":
    unittest.main()
