"""What bash completes after `cargo`: typed at a shell on a terminal of its own, run, and what ran told."""

import os
import pty
import select
import subprocess
import unittest

from suite import SOURCE, ProjectTest, environment

# cargo's own completion, as far as it is needed here, and what stands in for bash-completion, which loads it.
OWN = "_cargo() { COMPREPLY=(from-cargo-itself); }; complete -o nospace -F _cargo cargo\n"
LOADER = '_load() { [[ $1 == cargo ]] && . ./own.bash && return 124; }; complete -D -F _load\n'
# What is run tells its words.
START = "PS1='$ '; cargo() { printf 'ran: %s.\\n' \"$*\"; }; cargo-cprof() { cargo cprof-itself \"$@\"; }\n"
OF_THE_SUITE = {
    "cargo cprof flameg": "cprof flamegraph",
    "cargo cprof exec --call-graph n": "cprof exec --call-graph none",
    "cargo bloatc --by mo": "bloatc --by module",
    "cargo bloatc --by=mo": "bloatc --by=module",
    "cargo +stable -q llvmlines --sor": "+stable -q llvmlines --sort",
}
OF_CARGO = {"cargo bu": "from-cargo-itself", "cargo cpro": "from-cargo-itself", "cargo test --li": "test from-cargo-itself"}


def generated(name):
    return f". <(command cargo-{name} --generate bash)\n"


class CompletionTest(ProjectTest):
    def start(self, script):
        self.write("own.bash", OWN)
        self.write("rc.bash", START + script)
        self.terminal, inner = pty.openpty()
        self.addCleanup(os.close, self.terminal)
        shell = subprocess.Popen(
            ["bash", "--noprofile", "--rcfile", "rc.bash", "-i"],
            cwd=self.folder,
            env=environment(INPUTRC="/dev/null", TERM="dumb", BASH_ENV=None, PROMPT_COMMAND=None),
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
        self.assert_completes(OF_THE_SUITE)

    def test_cargos_own_completion_is_loaded_when_it_is_needed(self):
        self.start(LOADER + generated("cprof"))
        self.assert_completes(OF_CARGO | OF_THE_SUITE | {"cargo-cprof flameg": "cprof-itself flamegraph"})


class Installed(CompletionTest):
    def test_the_file_read_at_start_is_enough(self):
        self.start(LOADER + f". {SOURCE}/common/cli/cargo.bash\n")
        self.assert_completes(OF_THE_SUITE | OF_CARGO)


if __name__ == "__main__":
    unittest.main()
