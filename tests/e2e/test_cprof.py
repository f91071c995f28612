"""cargo cprof with real programs: what it records of them, and how it ends when they do."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from suite import EXAMPLES, SCRATCH, SOURCE, ProjectTest, environment, measured, program, run

TARGET = os.path.join(SCRATCH, "cprof-target")
REFUSE = os.path.join(SOURCE, "tests", "e2e", "refuse_perf.py")
HZ = 997


def number(pattern, text):
    match = re.search(pattern, text)
    if not match:
        raise AssertionError(f"no {pattern} in:\n{text}")
    return float(match.group(1).replace(",", ""))


def folded(path):
    """The stacks of a folded file: lists of names from the thread on, each with its samples."""
    stacks = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            names, count = line.rstrip("\n").rsplit(" ", 1)
            stacks.append((names.split(";"), int(count)))
    return stacks


def child_of(pid, name):
    """The process of this name that came from another one, by whatever way."""
    for line in subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], stdout=subprocess.PIPE, check=True).stdout.split(b"\n"):
        words = line.decode().split(None, 2)
        if len(words) == 3 and int(words[1]) == pid and words[2] == name:
            return words[0]
    raise AssertionError(f"{pid} has no child {name}")


def cpu_seconds(pid):
    """User and system time of a process up to now."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def exec_command(*arguments):
    return ["cargo", "cprof", "exec", *arguments]


class OnTheExamples(ProjectTest):
    """crunch spends its time by a split that examples/README.md tells."""

    def cprof(self, *arguments):
        return run(["cargo", "cprof", "--target-dir", TARGET, *arguments], EXAMPLES)

    @measured
    def test_the_split_of_crunch_is_what_it_is_by_construction(self):
        output = os.path.join(self.folder, "out.folded")
        result = self.cprof("--bin", "crunch", "-o", output, "--", "60")
        self.assertEqual(result.code, 0, result)
        self.assertIn("bytes by client", result.out)
        self.assertNotIn("samples", result.out)
        stacks = folded(output)
        whole = sum(count for _, count in stacks)

        def share(function):
            return 100 * sum(count for names, count in stacks if any(function in name for name in names)) / whole

        expected = {"split_fields": 20, "unescape": 10, "checksum_line": 20, "insert_path": 30, "Recency": 15}
        for function, percent in expected.items():
            self.assertAlmostEqual(share(function), percent, delta=5, msg=function)
        rooted = sum(count for names, count in stacks if names[1] in ("clone3", "__clone3", "_start"))
        self.assertGreaterEqual(rooted / whole, 0.99)
        self.assertLessEqual({names[0] for names, _ in stacks}, {"parser", "indexer", "ranker", "crunch"})

        # kept + lost = sent: a sample for each period of CPU time, which crunch itself tells by thread.
        cpu = sum(float(seconds) for seconds in re.findall(r"([\d.]+) s of CPU time", result.out))
        kept = sum(count for names, count in stacks if names[0] != "crunch")
        lost = number(r"([\d,]+) lost", result.err)
        self.assertGreaterEqual(number(r"([\d.]+)% of stacks complete", result.err), 99.5)
        self.assertAlmostEqual((kept + lost) / (HZ * cpu), 1, delta=0.04)

    def test_what_is_ambiguous_is_answered_with_what_was_typed(self):
        result = self.cprof("--release", "-p", "weblog-tools")
        self.assert_fails(result, 2, "crunch, logreport", "--release --package weblog-tools --bin crunch")

    def test_a_number_for_a_package_may_be_a_process(self):
        self.assert_fails(self.cprof("-p", "1234"), 101, "did you mean --pid 1234?")
        self.assertNotIn("--pid", self.cprof("-p", "no-package").err)

    def test_what_cargo_keeps_to_itself_without_words_is_said_to_be_had(self):
        hint = "hint: without -q cargo says why"
        self.assert_fails(self.cprof("-q", "--bin", "crunch", "--target", "no-such"), 1, hint)
        self.assertNotIn(hint, self.cprof("-q", "--bin", "crunch", "--features", "no-such").err)

    def test_release_means_the_profile_for_looking(self):
        output = os.path.join(self.folder, "out.txt")
        result = self.cprof("--release", "--bin", "crunch", "-o", output, "--", "1")
        self.assertEqual(result.code, 0, result)
        self.assertIn("profiling/crunch", result.err)

    def test_a_test_runs_in_the_folder_of_its_package(self):
        output = os.path.join(self.folder, "out.svg")
        result = self.cprof("-p", "weblog-tools", "--test", "report", "-o", output)
        self.assertEqual(result.code, 0, result)
        self.assertIn("test result: ok", result.out)


class TheProfile(ProjectTest):
    MANIFEST = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n'
    HELLO = 'fn main() { println!("{}", cfg!(debug_assertions)); }\n'

    def test_a_profile_of_the_users_own_is_taken_as_it_is(self):
        self.project(
            self.MANIFEST + '[profile.profiling]\ninherits = "release"\ndebug = 1\ndebug-assertions = true\n',
            src__main_rs=self.HELLO,
        )
        result = run(["cargo", "cprof"], self.folder)
        self.assertEqual((result.code, result.out), (0, "true\n"), result)

    def test_so_is_one_in_the_configuration(self):
        self.project(self.MANIFEST, src__main_rs=self.HELLO)
        self.write(".cargo/config.toml", '[profile.profiling]\ninherits = "dev"\n')
        result = run(["cargo", "cprof"], self.folder)
        self.assertEqual((result.code, result.out), (0, "true\n"), result)

    def test_single_settings_of_it_need_no_profile_to_inherit_from(self):
        self.project(self.MANIFEST, src__main_rs=self.HELLO)
        result = run(["cargo", "cprof", "--config", "profile.profiling.debug=2"], self.folder)
        self.assertEqual((result.code, result.out), (0, "false\n"), result)

    def test_none_is_needed(self):
        self.project(self.MANIFEST, src__main_rs=self.HELLO)
        result = run(["cargo", "cprof"], self.folder)
        self.assertEqual((result.code, result.out), (0, "false\n"), result)
        self.assertNotIn("not defined", result.err)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "flamegraph.svg")))

    def test_another_one_without_debug_information_is_warned_of(self):
        self.project(self.MANIFEST + "[profile.release]\nstrip = true\n", src__main_rs=self.HELLO)
        result = run(["cargo", "cprof", "--profile", "release"], self.folder)
        self.assertEqual((result.code, result.out), (0, "false\n"), result)
        remedy = "--config profile.release.debug=1 --config profile.release.strip=false"
        self.assertIn(remedy, result.err)
        result = run(["cargo", "cprof", "--profile", "release", *remedy.split()], self.folder)
        self.assertNotIn("no debug information", result.err)
        self.assertNotIn("neither symbols nor debug", result.err)

    def test_a_profile_of_the_users_that_loses_debug_information_is_warned_of_where_it_stands(self):
        self.project(self.MANIFEST, src__main_rs=self.HELLO)
        own = '[profile.profiling]\ninherits = "release"\n'
        lines = "inlined calls and lines are missing"
        for settings, variables, expected in (
            ("debug = 1\nstrip = true\n", {}, f"Cargo.toml:8 sets strip = true): names, {lines}; "
             "--config profile.profiling.strip=false adds them"),
            ('debug = 1\nstrip = "debuginfo"\n', {}, f'Cargo.toml:8 sets strip = "debuginfo"): {lines}; '),
            ("debug = 0\n", {}, f"Cargo.toml:7 sets debug = 0): {lines}; --config profile.profiling.debug=1 "),
            ('debug = 1\nsplit-debuginfo = "packed"\n', {}, f'sets split-debuginfo = "packed"): {lines}; '
             "--config 'profile.profiling.split-debuginfo=\"off\"' adds them"),
            ("debug = 1\n[profile.release]\nstrip = true\n", {}, "Cargo.toml:9 sets strip = true): names"),
            ("debug = 1\n", {"CARGO_PROFILE_PROFILING_STRIP": "symbols"},
             "(CARGO_PROFILE_PROFILING_STRIP=symbols): names"),
        ):
            with self.subTest(settings, **variables):
                self.write("Cargo.toml", self.MANIFEST + own + settings)
                result = run(["cargo", "cprof"], self.folder, **variables)
                self.assertEqual(result.code, 0, result)
                self.assertIn("warning: profile profiling ", result.err)
                self.assertIn(expected, result.err)
        self.write("Cargo.toml", self.MANIFEST + own + 'debug = 1\nsplit-debuginfo = "unpacked"\n')
        self.assertNotIn("profile profiling ", run(["cargo", "cprof"], self.folder).err)
        self.write(".cargo/config.toml", "[profile.profiling]\nstrip = true\n")
        self.assertIn(".cargo/config.toml:2 sets strip = true", run(["cargo", "cprof"], self.folder).err)
        shown = run(["cargo", "cprof", "--config", "profile.profiling.strip='symbols'"], self.folder).err
        self.assertIn("(--config sets strip)", shown)


class FramePointers(ProjectTest):
    """--call-graph fp builds with them, beside what the user has set up."""

    MANIFEST = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n[lints.rust]\nunexpected_cfgs = "allow"\n'
    MAIN = """
        #[inline(never)] fn outer(n: u64) -> u64 { std::hint::black_box(inner(n)) + 1 }
        #[inline(never)] fn inner(n: u64) -> u64 { (0..n).fold(1, |a, b| std::hint::black_box(a ^ b.wrapping_mul(a))) }
        fn main() { std::hint::black_box(outer(std::hint::black_box(200_000_000))); println!("{}", cfg!(mine)); }
    """

    def test_flags_of_the_user_stay(self):
        self.project(self.MANIFEST, src__main_rs=self.MAIN)
        configurations = ("[build]\nrustflags = ['--cfg', 'mine']\n", "[target.'cfg(unix)']\nrustflags = '--cfg mine'\n")
        for configuration, variable in ((configurations[0], None), (configurations[1], None), ("", "--cfg mine")):
            with self.subTest((configuration, variable)):
                self.write(".cargo/config.toml", configuration)
                command = ["cargo", "cprof", "--call-graph", "fp", "-o", "out.folded"]
                result = run(command, self.folder, RUSTFLAGS=variable)
                self.assertEqual((result.code, result.out), (0, "true\n"), result)
                stacks = folded(os.path.join(self.folder, "out.folded"))
                whole = sum(count for _, count in stacks)
                called = sum(count for names, count in stacks if "hello::outer" in names and "hello::main" in names)
                self.assertGreater(called / whole, 0.8, result)
        folders = sorted(name for name in os.listdir(os.path.join(self.folder, "target")) if name[0] != ".")
        self.assertEqual([name for name in folders if name.startswith("profiling")], ["profiling-fp"])

    def test_flags_that_cargo_would_choose_between_are_refused(self):
        self.project(self.MANIFEST, src__main_rs=self.MAIN)
        both = "[build]\nrustflags = ['--cfg', 'a']\n[target.'cfg(unix)']\nrustflags = ['--cfg', 'b']\n"
        self.write(".cargo/config.toml", both)
        result = run(["cargo", "cprof", "--call-graph", "fp"], self.folder)
        self.assert_fails(result, 2, "building with frame pointers: rustflags stand in [build] and in [target]", "RUSTFLAGS")


class WhatItIsGiven(ProjectTest):
    """Arguments, variables and folder of a program are those that cargo gives it, to the letter."""

    MANIFEST = """
[package]
name = "hello"
version = "1.2.3-beta.4+5"
edition = "2021"
authors = ["A <a@b.c>", "D"]
description = "says hello"
[[bench]]
name = "b"
harness = false
# As the profile that is used where there is none.
[profile.profiling]
inherits = "release"
debug = 1
strip = false
split-debuginfo = "off"
"""
    SHOW = """
#[allow(dead_code)]
fn show() {
    let mut variables: Vec<_> = std::env::vars_os().collect();
    variables.sort();
    println!("BEGIN {:?} {:?}", std::env::args_os().collect::<Vec<_>>(), std::env::current_dir());
    println!("{variables:?} END");
}
"""
    MAIN = "fn main() { show() }\n"
    TEST = "#[test] fn it_shows() { show() }\n"
    BUILD = """fn main() {
    let folder = std::env::var("OUT_DIR").unwrap();
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-env=OF_THE_BUILD=a b");
}"""
    CONFIGURATION = """
[env]
PLAIN = "a value"
BELOW = { value = "data/x", relative = true }
KEPT = "of the configuration"
FORCED = { value = "of the configuration", force = true }
NEAREST = "farther"
"""
    SHOWN = ["--", "--nocapture", "--test-threads=1"]

    def setUp(self):
        # Kept between runs and not written again, so that cargo builds it once.
        self.folder = os.path.join(SCRATCH, "given")
        self.project(
            self.MANIFEST,
            src__lib_rs=self.TEST + self.SHOW,
            src__main_rs=self.MAIN + self.TEST + self.SHOW,
            examples__e_rs=self.MAIN + self.SHOW,
            benches__b_rs=self.MAIN + self.SHOW,
            tests__all_rs=self.TEST + self.SHOW,
            build_rs=self.BUILD,
        )
        self.write(".cargo/config.toml", self.CONFIGURATION)
        self.write("sub/.cargo/config.toml", '[env]\nNEAREST = "nearest"\n')

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() == content:
                    return path
        return super().write(name, content)

    def given(self, *command, **changes):
        changes = {"KEPT": "ours", "FORCED": "ours", "LD_LIBRARY_PATH": "/a:/b", "ODD": "two\nlines", **changes}
        result = run(["cargo", *command], os.path.join(self.folder, "sub"), **changes)
        self.assertEqual(result.code, 0, result)
        found = re.search("BEGIN .*END", result.out, re.DOTALL)
        self.assertTrue(found, result)
        return found.group(0), result

    def assert_same(self, by_cargo, by_us, *arguments, **changes):
        expected, _ = self.given(*by_cargo, "--profile=profiling", *arguments, **changes)
        got, result = self.given("cprof", *by_us, *arguments, **changes)
        self.assertEqual(got, expected)
        self.assertNotIn("Compiling", result.err)  # it is the very program that cargo runs
        return got

    def test_programs_and_examples(self):
        got = self.assert_same(["run"], [], "--", "-x", "--bin", "a b", "\u00e9")
        for expected in (
            '"-x", "--bin", "a b", "\u00e9"]',
            '/sub")',
            '("CARGO_PKG_DESCRIPTION", "says hello")',
            '("FORCED", "of the configuration")',
            '("KEPT", "ours")',
            '("NEAREST", "nearest")',
            '("ODD", "two\\nlines")',
            '("OF_THE_BUILD", "a b")',
            '("OUT_DIR", "',
            "/out:",
            ":/a:/b",
        ):
            self.assertIn(expected, got)
        self.assert_same(["run", "--example=e"], ["--examples"], "--config=env.PLAIN='x'", "--config=env.NEW='y'")
        self.assert_same(["run", "--bin=hello"], ["--workspace", "--bins"])
        self.assert_same(["run"], ["-p", "h*"])

    def test_tests_and_unit_tests(self):
        got = self.assert_same(["test", "--test=all"], ["--test=all"], *self.SHOWN)
        self.assertIn('("CARGO_PKG_NAME", "hello")', got)
        self.assertNotIn('/sub")', got)
        self.assert_same(["test", "--test=all", "-q"], ["--test", "a*", "-q"], *self.SHOWN)
        self.assert_same(["test", "--lib"], ["--unit-test", "--lib"], *self.SHOWN)
        self.assert_same(["test", "--bin=hello"], ["--unit-test", "hello", "--bin=hello"], "--", "shows", "--nocapture")
        result = run(["cargo", "cprof", "-q", "--unit-test"], self.folder)
        self.assert_fails(result, 2, "--unit-test --lib, or ", "--unit-test --bin hello")
        result = run(["cargo", "cprof", "-q", "--unit-test", "other"], self.folder)
        self.assert_fails(result, 2, "no library or binary other", "--unit-test --lib")

    def test_benchmarks_are_told_once_that_they_are(self):
        got = self.assert_same(["bench", "--bench=b"], ["--benches"])
        self.assertIn('/b-', got)
        self.assertIn('"--bench"] Ok("' + self.folder + '")', got)
        got, _ = self.given("cprof", "--bench=b", "--", "--bench", "x")
        self.assertIn('"--bench", "x"] Ok(', got)
        self.assert_same(["bench", "--bin=hello"], ["--unit-bench", "--bin=hello"], "--", "--nocapture", "--test")

    def test_the_runner_of_the_configuration_starts_it_and_is_recorded_too(self):
        triple = re.search("host: (.*)", run(["cargo", "-Vv"], self.folder).out).group(1)
        runner = self.write("of us/runner.sh", '#!/bin/sh\necho "RUNNER $0 $*"\nshift\n"$@"\n')
        os.chmod(runner, 0o755)
        variable = "CARGO_TARGET_" + triple.upper().replace("-", "_").replace(".", "_") + "_RUNNER"
        path = os.path.relpath(runner, self.folder)
        for settings, arguments, changes in (
            (f'[target.{triple}]\nrunner = ["{path}", "1"]', [], {}),
            (f"[target.'cfg(all(unix, not(windows)))']\nrunner = ['{path}', '2']", [], {}),
            ("[target.'cfg(windows)']\nrunner = 'not there'", [], {variable: "env A=3"}),
            (f'[target.{triple}]\nrunner = "not there"', [], {variable: "env B=4"}),
            (f'[target.{triple}]\nrunner = "not there"', [f"--config=target.{triple}.runner='env C=5'"], {}),
        ):
            with self.subTest(settings + str(changes)):
                self.write(".cargo/config.toml", settings)
                self.assert_same(["test", "--test=all"], ["--test=all"], *arguments, *self.SHOWN, **changes)
                _, result = self.given("cprof", *arguments, **changes)
                self.assertIn("Recording `", result.err)
                if path in settings:
                    self.assertIn("RUNNER", result.out)


class HowItEnds(ProjectTest):
    """Exit codes, signals, and what is written all the same."""

    def exec(self, *arguments):
        return run(exec_command("-o", "out.folded", "--", *arguments), self.folder)

    def output(self):
        with open(os.path.join(self.folder, "out.folded"), encoding="utf-8") as file:
            return file.read()

    def test_the_exit_code_of_the_program_is_ours(self):
        result = self.exec("sh", "-c", "exit 7")
        self.assertEqual(result.code, 7, result)
        self.output()

    def test_a_crash_is_128_and_the_signal_and_leaves_a_profile(self):
        busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; kill -SEGV $$"
        result = self.exec("sh", "-c", busy)
        self.assertEqual(result.code, 128 + signal.SIGSEGV, result)
        self.assertIn("sh;", self.output())

    def test_a_program_that_is_not_there(self):
        result = self.exec("/not/there")
        self.assert_fails(result, 127, "error: /not/there: no such program")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out.folded")))

    def test_a_script_whose_interpreter_is_not_there(self):
        self.write("script", "#!/not/there\n")
        os.chmod(os.path.join(self.folder, "script"), 0o755)
        self.assert_fails(self.exec("./script"), 126, "start ./script: what is to run it is not there")

    def test_a_file_of_the_current_folder_is_not_looked_for_by_its_bare_name(self):
        self.write("tool", "#!/bin/sh")
        self.assert_fails(self.exec("tool"), 127, "there is a file ./tool, but it is not executable")
        os.chmod(os.path.join(self.folder, "tool"), 0o755)
        self.assert_fails(self.exec("tool"), 127, "hint: the file in the current folder is ./tool")

    def test_a_program_that_may_not_be_executed(self):
        self.assert_fails(self.exec("/etc/passwd"), 126, "start /etc/passwd: Permission denied")

    def test_a_run_too_short_says_so_and_writes_what_there_is(self):
        result = self.exec("true")
        self.assertEqual(result.code, 0, result)
        self.assertIn("too short", result.err)
        self.assertIn("-F 4000", result.err)
        self.output()

    def test_streams_are_the_programs_own(self):
        done = subprocess.run(
            exec_command("-q", "--", "cat"), cwd=self.folder, env=environment(), input=b"a\0b\n", capture_output=True
        )
        self.assertEqual(done.stdout, b"a\0b\n")

    def test_an_output_of_unknown_form_is_refused_before_anything_runs(self):
        result = run(exec_command("-o", "out.jpg", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 2, "--output out.jpg", ".svg, .folded")
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_output_that_cannot_be_written_is_refused_before_anything_runs(self):
        old = self.write("old/out.folded", "old\n")
        os.mkdir(os.path.join(self.folder, "folder.svg"))
        for name, cause in (
            ("old/out.folded/x.svg", "Not a directory"),
            ("not/there.svg", "No such file or directory"),
            ("folder.svg", "Is a directory"),
        ):
            with self.subTest(name):
                result = run(exec_command("-o", "out.txt", "-o", name, "--", "touch", "ran"), self.folder)
                self.assert_fails(result, 1, f"error: write {name}: {cause}")
                self.assertEqual(len(result.err.splitlines()), 1, result)
                self.assertEqual(sorted(os.listdir(self.folder)), ["folder.svg", "old"])
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old\n")

    def test_the_usual_output_is_checked_before_too(self):
        os.mkdir(os.path.join(self.folder, "flamegraph.svg"))
        result = run(exec_command("--", "touch", "ran"), self.folder)
        self.assert_fails(result, 1, "write flamegraph.svg: Is a directory", "hint: write it elsewhere: -o /tmp/flamegraph.svg")
        self.assertEqual(os.listdir(self.folder), ["flamegraph.svg"])

    def test_an_output_that_cannot_be_written_in_the_end_does_not_cost_the_others(self):
        self.write("gone/old.svg", "old\n")
        result = run(exec_command("-o", "gone/out.svg", "-o", "out.folded", "--", "mv", "gone", "moved"), self.folder)
        self.assertEqual(result.code, 1, result)
        self.assertIn("gone/out.svg", result.err)
        self.output()

    def open(self, script):
        """Records with --open where xdg-open is this script; None: there is none."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        for name in ("cargo", "cargo-cprof", "sh", "touch"):
            os.symlink(shutil.which(name, path=environment()["PATH"]), os.path.join(folder, name))
        if script:
            self.write("bin/xdg-open", "#!/bin/sh\n" + script)
            os.chmod(os.path.join(folder, "xdg-open"), 0o755)
        result = run(["cargo-cprof", "exec", "--open", "--", "sh", "-c", ":"], self.folder, PATH=folder)
        self.assertEqual(result.code, 0, result)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "flamegraph.svg")))
        return [line for line in result.err.splitlines() if "--open" in line]

    def test_the_picture_is_handed_to_the_browser(self):
        self.assertEqual(self.open('touch "opened-$1"'), [])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "opened-flamegraph.svg")))

    def test_nothing_to_open_a_picture_with_is_said(self):
        lines = self.open(None)
        self.assertEqual(len(lines), 1)
        self.assertIn("xdg-open: no such program; install xdg-utils, or open flamegraph.svg in a browser", lines[0])

    def test_a_desktop_that_does_not_open_it_is_said(self):
        lines = self.open("exit 3")
        self.assertEqual(len(lines), 1)
        self.assertIn("xdg-open failed with exit code 3; open flamegraph.svg in a browser yourself", lines[0])

    def test_there_must_be_a_picture_to_open(self):
        result = run(exec_command("--open", "-o", "out.folded", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 2, "--open: no picture", "-o flamegraph.svg")
        self.assertEqual(os.listdir(self.folder), [])

    def test_as_many_functions_are_shown_as_asked_for(self):
        busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        few = run(exec_command("-n", "1", "--", "sh", "-c", busy), self.folder)
        self.assertIn("-n 0 shows all", few.err)
        everything = run(exec_command("-n", "0", "--", "sh", "-c", busy), self.folder)
        self.assertNotIn("shows all", everything.err)
        self.assertGreater(len(everything.err.splitlines()), len(few.err.splitlines()))

    def start(self, script):
        """Starts a recording whose program says "ready", in a process group of its own."""
        process = subprocess.Popen(
            exec_command("-o", "out.folded", "--", "sh", "-c", script),
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_sigterm_is_handed_on_and_leaves_a_profile(self):
        process = self.start("trap 'exit 9' TERM; echo ready; while :; do :; done")
        pid = subprocess.run(
            ["pgrep", "-x", "cargo-cprof", "-g", str(process.pid)], stdout=subprocess.PIPE, check=True
        ).stdout.split()
        os.kill(int(pid[0]), signal.SIGTERM)
        self.assertEqual(process.wait(30), 9)
        self.output()

    def test_children_are_recorded_to_their_end(self):
        busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
        script = f"sh -c '{busy}; touch done' & exit 3"
        result = self.exec("sh", "-c", script)
        self.assertEqual(result.code, 3, result)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "done")))
        self.assertIn("sh;", self.output())


class Lost(ProjectTest):
    @measured
    def test_kept_and_lost_samples_are_what_was_sent(self):
        """While we are stopped nobody empties the rings: what finds no room is counted."""
        script = "echo ready; i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done; times"
        process = subprocess.Popen(
            exec_command("-o", "out.folded", "--", "sh", "-c", script),
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.assertEqual(process.stdout.readline(), b"ready\n")
        program = int(child_of(process.pid, "sh"))
        os.kill(process.pid, signal.SIGSTOP)
        started = cpu_seconds(program)
        while cpu_seconds(program) < started + 0.5:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGCONT)
        times, said = process.communicate(timeout=60)
        said = said.decode()
        own = re.findall(r"(\d+)m([\d.]+)s", times.decode().splitlines()[0])  # the shell's, user and system
        cpu = sum(60 * int(minutes) + float(seconds) for minutes, seconds in own)
        kept = sum(count for _, count in folded(os.path.join(self.folder, "out.folded")))
        lost = number(r"([\d,]+) lost", said)
        self.assertGreater(lost, 50, said)
        self.assertAlmostEqual((kept + lost) / (HZ * cpu), 1, delta=0.04, msg=said)


class Refused(ProjectTest):
    def test_what_forbids_perf_events_is_named(self):
        for error in ("EPERM", "EACCES", "ENOSYS"):
            with self.subTest(error):
                result = run(
                    [sys.executable, REFUSE, error, *exec_command("-o", "out.svg", "--", "touch", "ran")], self.folder
                )
                self.assert_fails(
                    result, 1, "the system refuses perf events", "filtered here", "--cap-add PERFMON", "seccomp=unconfined"
                )
                with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as level:
                    may_be_the_level = os.geteuid() != 0 and int(level.read()) > 2
                for other in ("kernel.perf_event_paranoid", "cap_perfmon"):
                    self.assertEqual(other in result.err, may_be_the_level, result)
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_revision_for_what_is_not_built_is_answered_with_what_builds(self):
        result = run(exec_command("--diff", "HEAD", "--", "touch", "ran"), self.folder)
        self.assert_fails(result, 1, "open HEAD: No such file", "takes a profile here", "cargo cprof --diff HEAD")
        self.assertEqual(os.listdir(self.folder), [])

    def test_without_cargo_the_remedy_is_told(self):
        result = run(["cargo-cprof"], self.folder, PATH=os.path.dirname(program("cargo-cprof")))
        self.assert_fails(result, 1, "cargo: no such program", "hint: install Rust from https://rustup.rs, or put cargo")

    def test_a_compiler_that_fails_leads_to_the_file_that_names_the_toolchain(self):
        self.project('[package]\nname = "app"\nversion = "0.1.0"\n', src__main_rs="fn main() {}\n")
        rustc = self.write("rustc", "#!/bin/sh\necho toolchain 1.2.3 is not installed >&2\nexit 1\n")
        os.chmod(rustc, 0o755)
        changes = {"RUSTC": rustc, "RUSTUP_TOOLCHAIN": None}
        result = run(["cargo-cprof"], self.folder, **changes)
        self.assert_fails(result, 1, f"error: {rustc} failed with exit code 1")
        self.write("rust-toolchain.toml", '[toolchain]\nchannel = "1.2.3"\n')
        result = run(["cargo-cprof"], self.folder, **changes)
        self.assert_fails(result, 1, "hint: rust-toolchain.toml names the toolchain; rustup toolchain list")


if __name__ == "__main__":
    unittest.main(verbosity=1)
