"""What bash completes after `cargo`: typed at a shell on a terminal of its own, run, and what ran told. What fish says."""

import os
import pty
import select
import shutil
import subprocess
import unittest

from suite import SCRATCH, SOURCE, ProjectTest, environment, run

# cargo's own completion, as far as it is needed here, and what stands in for bash-completion, which loads it.
OWN = "_cargo() { COMPREPLY=(from-cargo-itself); }; complete -o nospace -F _cargo cargo\n"
LOADER = '_load() { [[ $1 == cargo ]] && . ./own.bash && return 124; }; complete -D -F _load\n'
# What is run tells its words.
START = "PS1='$ '; cargo() { printf 'ran: %s.\\n' \"$*\"; }; cargo-cprof() { cargo cprof-itself \"$@\"; }\n"
OF_THE_SUITE = {
    "cargo cprof flameg": "cprof flamegraph",
    "cargo cprof exec --call-graph n": "cprof exec --call-graph none",
    "cargo bloatc --by mo": "bloatc --by module",
    "cargo cprof report --by thr": "cprof report --by thread",
    "cargo bloatc --by=mo": "bloatc --by=module",
    "cargo +stable -q llvmlines --sor": "+stable -q llvmlines --sort",
    # Verbs are the first word alone.
    "cargo cprof --bin flameg": "cprof --bin flameg",
    "cargo cprof --bin exec --flamec": "cprof --bin exec --flamechart",
    "cargo +stable cprof flamegraph --palet": "+stable cprof flamegraph --palette",
    # Several with commas between.
    "cargo cprof report --by thread,fun": "cprof report --by thread,function",
    "cargo cprof report --by=pid,crate,fun": "cprof report --by=pid,crate,function",
    # Options of cargo that have values.
    "cargo --color always cprof flameg": "--color always cprof flamegraph",
    "cargo --color=always cprof exec --flamec": "--color=always cprof exec --flamechart",
    "cargo --config build.jobs=1 -C .. bloatc --by mo": "--config build.jobs=1 -C .. bloatc --by module",
    "cargo -Z unstable-options -q llvmlines --sor": "-Z unstable-options -q llvmlines --sort",
    # Files only where files are: the folder has one that is called so.
    "cargo cprof exec -e page-fau": "cprof exec -e page-faults",
    "cargo cprof compare -e heap-pe": "cprof compare -e heap-peak",
    "cargo cprof report --event page-fau": "cprof report --event page-faults",
    "cargo cprof --freq page-fau": "cprof --freq page-fau",
    "cargo cprof compare --prepare page-fau": "cprof compare --prepare page-fauna",
    "cargo cprof -o page-fau": "cprof -o page-fauna",
    "cargo cprof --bin page-fau": "cprof --bin page-fau",
    "cargo cprof --target page-fau": "cprof --target page-fau",
    # What cargo builds here has names.
    "cargo cprof --bin rea": "cprof --bin reader",
    "cargo bloatc --bin=rea": "bloatc --bin=reader",
    "cargo llvmlines --example rea": "llvmlines --example rea",
    "cargo bloatc --example tu": "bloatc --example turn",
    "cargo cprof compare main --test ho": "cprof compare main --test holds",
    "cargo cprof --bench fas": "cprof --bench fast",
    "cargo cprof --unit-test she": "cprof --unit-test shelf",
    "cargo cprof -p book": "cprof -p book-shelf",
    "cargo bloatc --package book": "bloatc --package book-shelf",
    # What stands behind a program, or "--", is not ours.
    "cargo cprof -- --freq page-fau": "cprof -- --freq page-fauna",
    "cargo cprof exec -F 99 cat -c page-fau": "cprof exec -F 99 cat -c page-fauna",
    "cargo cprof exec -F 99 -c page-fau": "cprof exec -F 99 -c page-fau",
}
OF_CARGO = {
    "cargo bu": "from-cargo-itself",
    "cargo cpro": "from-cargo-itself",
    "cargo test --li": "test from-cargo-itself",
    "cargo --color cprof --fre": "--color cprof from-cargo-itself",
}
# Without a name cargo lists what there is.
OF_BASH = {"cargo cprof --bin --relea": "cprof --bin --release"}
# As cargo's completion for zsh, which looks for that of plug-ins, reads its own options.
OF_ZSH = {
    line: words for line, words in OF_THE_SUITE.items() if not line.startswith(("cargo --config", "cargo -Z"))
} | {"cargo-cprof flameg": "cprof-itself flamegraph"}
# The words that fish offers, one of them.
OF_FISH = {
    "cargo cpro": "cprof",
    "cargo cprof flameg": "flamegraph",
    "cargo cprof exec --call-graph n": "none",
    "cargo bloatc --by mo": "module",
    "cargo bloatc --by=mo": "--by=module",
    "cargo +stable -q llvmlines --sor": "--sort",
    "cargo-cprof flameg": "flamegraph",
    "cargo bui": "build",
    # Verbs are the first word alone.
    "cargo cprof --bin exec --flamec": "--flamechart",
    "cargo +stable cprof flamegraph --palet": "--palette",
    "cargo cprof report --by thread,fun": "thread,function",
    "cargo cprof report --by=pid,crate,fun": "--by=pid,crate,function",
    "cargo --color always cpro": "cprof",
    "cargo --color always cprof flameg": "flamegraph",
    "cargo --color=always cprof exec --flamec": "--flamechart",
    "cargo --config build.jobs=1 -C .. bloatc --by mo": "module",
    "/usr/bin/cargo cprof exec --flamec": "--flamechart",
    "cargo cprof exec -e page-fau": "page-faults",
    "cargo cprof compare -e heap-pe": "heap-peak",
    "cargo cprof compare --prepare page-fau": "page-fauna",
    "cargo cprof -o page-fau": "page-fauna",
    "cargo cprof exec -F 99 cat -c page-fau": "page-fauna",
    "cargo cprof --bin rea": "reader",
    "cargo bloatc --bin=rea": "--bin=reader",
    "cargo cprof compare main --test ho": "holds",
    "cargo cprof --unit-test she": "shelf",
    "cargo llvmlines -p book": "book-shelf",
}
# Words that it does not offer.
NOT_OF_FISH = {
    "cargo cprof --release flameg": "flamegraph",
    "cargo cprof report flameg": "flamegraph",
    "cargo cprof report --flamec": "--flamechart",
    "cargo run --bin cprof --fre": "--freq",
    "cargo cprof --freq page-fau": "page-fauna",
    "cargo cprof report --event page-fau": "page-fauna",
    "cargo cprof --bin page-fau": "page-fauna",
    "cargo cprof --target page-fau": "page-fauna",
    "cargo llvmlines --example rea": "reader",
}
MANIFEST = """[package]
name = "book-shelf"
version = "1.0.0"
edition = "2021"
[lib]
name = "shelf"
[workspace]
"""


def generated(name, shell="bash"):
    return f". <(command cargo-{name} --generate {shell})\n"


def cargos_zsh():
    """The folder of what the toolchain has for completing cargo in zsh, or None."""
    root = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    folder = os.path.join(root, "share/zsh/site-functions")
    return folder if os.path.exists(os.path.join(folder, "_cargo")) else None


class CompletionTest(ProjectTest):
    def make_project(self):
        """With a file that is called like what is typed."""
        self.write("page-fauna", "")
        self.project(MANIFEST, src__lib_rs="", src__bin__reader_rs="", examples__turn_rs="", tests__holds_rs="",
                     benches__fast_rs="")

    def start(self, script):
        self.make_project()
        self.write("own.bash", OWN)
        self.write("rc.bash", START + script)
        self.start_shell(["bash", "--noprofile", "--rcfile", "rc.bash", "-i"])

    def start_shell(self, words, **changes):
        self.terminal, inner = pty.openpty()
        self.addCleanup(os.close, self.terminal)
        shell = subprocess.Popen(
            words,
            cwd=self.folder,
            env=environment(INPUTRC="/dev/null", TERM="dumb", BASH_ENV=None, PROMPT_COMMAND=None, **changes),
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.addCleanup(shell.wait)
        self.addCleanup(shell.kill)

    def completed(self, line):
        """The words that ran after the line was typed with Tab and Enter behind it."""
        os.write(self.terminal, line.encode() + b"\t\r")
        shown = b""
        while b"ran: " not in shown or b".\r\n" not in shown.split(b"ran: ", 1)[1]:
            self.assertTrue(select.select([self.terminal], [], [], 60)[0], shown)
            shown += os.read(self.terminal, 65536)
        return shown.split(b"ran: ", 1)[1].split(b".\r\n")[0].decode().strip()

    def assert_completes(self, lines):
        for line, words in lines.items():
            with self.subTest(line):
                self.assertEqual(self.completed(line), words)


class SourcedByHand(CompletionTest):
    def test_all_three_complete_after_cargo_whichever_was_loaded_last(self):
        self.start(OWN + generated("llvmlines") + generated("bloatc") + generated("cprof") + generated("bloatc"))
        self.assert_completes(OF_THE_SUITE | OF_CARGO)

    def test_one_of_them_is_enough_without_any_completion_of_cargo(self):
        self.start(generated("bloatc"))
        self.assert_completes(OF_THE_SUITE | OF_BASH)

    def test_cargos_own_completion_is_loaded_when_it_is_needed(self):
        self.start(LOADER + generated("cprof"))
        self.assert_completes(OF_CARGO | OF_THE_SUITE | {"cargo-cprof flameg": "cprof-itself flamegraph"})


class Installed(CompletionTest):
    def test_the_file_read_at_start_is_enough(self):
        self.start(LOADER + f". {SOURCE}/common/cli/cargo.bash\n")
        self.assert_completes(OF_THE_SUITE | OF_CARGO)


class ForZsh(CompletionTest):
    @unittest.skipUnless(shutil.which("zsh") and cargos_zsh(), "there is no zsh, or no cargo for it")
    def test_all_three_complete_after_cargo_and_by_themselves(self):
        self.make_project()
        # One is read from a folder of functions, the others are sourced.
        printed = run(["cargo", "llvmlines", "--generate", "zsh"], self.folder)
        self.write("home/functions/_cargo-llvmlines", printed.out)
        self.write("home/.zshrc", f"fpath=({self.folder}/home/functions {cargos_zsh()} $fpath)\n"
                   + "autoload -U compinit; compinit -u -D\n" + START
                   + "".join(generated(name, "zsh") for name in ("bloatc", "cprof"))
                   + "unsetopt promptsp zle_bracketed_paste\n")
        self.start_shell(["zsh", "-o", "NO_GLOBAL_RCS", "-i"], ZDOTDIR=os.path.join(self.folder, "home"))
        self.assert_completes(OF_ZSH)


class InstalledForFish(CompletionTest):
    def setUp(self):
        super().setUp()
        done = run(["cmake", "--install", os.path.dirname(SCRATCH), "--prefix", self.folder], self.folder)
        self.assertEqual(done.code, 0, done)

    def test_each_has_a_file_among_those_that_are_read_at_start(self):
        folder = os.path.join(self.folder, "share/fish/vendor_conf.d")
        for name in ("bloatc", "cprof", "llvmlines"):
            with open(os.path.join(folder, f"cargo-{name}.fish"), encoding="utf-8") as file:
                self.assertIn(f"\ncomplete -c cargo -n __cargo_{name}_is_meant ", file.read())

    def offered(self, line):
        shared = os.path.join(self.folder, "share") + ":/usr/local/share:/usr/share"
        done = run(["fish", "-c", f"complete -C '{line}'"], self.folder, HOME=self.folder, RUSTUP_HOME=os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup")),
                   XDG_CONFIG_HOME=None, XDG_DATA_HOME=None, XDG_DATA_DIRS=shared)
        self.assertEqual(done.err, "", done)
        return [offered.split("\t")[0] for offered in done.out.splitlines()]

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_all_three_complete_after_cargo_beside_what_is_cargos(self):
        self.make_project()
        for line, word in OF_FISH.items():
            with self.subTest(line):
                self.assertIn(word, self.offered(line))
        for line, word in NOT_OF_FISH.items():
            with self.subTest(line):
                self.assertNotIn(word, self.offered(line))


if __name__ == "__main__":
    unittest.main()
