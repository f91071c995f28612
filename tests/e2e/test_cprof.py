"""cargo cprof with real programs: what it records of them, and how it ends when they do."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

from recordings import HZ, REFUSE, exec_command, folded, number, paranoid
from suite import EXAMPLES, SCRATCH, ProjectTest, measured, program, run
from targets import state_of, wait_for

TARGET = os.path.join(SCRATCH, "cprof-target")


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

        # How fast each thread was it tells itself: they may have had processors of different speed.
        told = re.findall(r"(\w+) +([\d.]+) s of CPU time", result.out)
        self.assertEqual([thread for thread, _ in told], ["parser", "indexer", "ranker"])
        cpu_seconds = {thread: float(seconds) for thread, seconds in told}
        cpu = sum(cpu_seconds.values())
        for thread, function, part in (("parser", "split_fields", 0.4), ("parser", "unescape", 0.2), ("parser", "checksum_line", 0.4),
                                       ("indexer", "insert_path", 1), ("ranker", "Recency", 0.75)):
            share = sum(count for names, count in stacks if any(function in name for name in names)) / whole
            self.assertAlmostEqual(share, part * cpu_seconds[thread] / cpu, delta=0.05, msg=function)
        rooted = sum(count for names, count in stacks if names[1] in ("clone3", "__clone3", "_start"))
        self.assertGreaterEqual(rooted / whole, 0.99)
        self.assertLessEqual({names[0] for names, _ in stacks}, {"parser", "indexer", "ranker", "crunch"})

        # kept + lost = sent: a sample for each period of CPU time, which crunch itself tells by thread.
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


class OfSeveralPackages(ProjectTest):
    def test_of_targets_with_one_name_that_of_the_package_is_recorded(self):
        self.write("Cargo.toml", '[workspace]\nmembers = ["one", "two"]\nresolver = "2"\n')
        for name in ("one", "two"):
            self.write(f"{name}/Cargo.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n')
            for place in ("src/lib.rs", "tests/same.rs"):
                self.write(f"{name}/{place}", '#[test] fn tells() { println!("HERE {}", module_path!()); }')
        for arguments, module in ((["--unit-test", "one"], "one"), (["-p", "one", "-p", "t*", "--unit-test", "two"], "two"),
                                  (["-p", "one", "--test=same"], "same")):
            with self.subTest(arguments):
                result = run(["cargo", "cprof", *arguments, "-o", "out.svg", "--", "--nocapture"], self.folder)
                self.assertEqual(re.findall("HERE (.*)", result.out), [module], result)
                with open(os.path.join(self.folder, "out.svg"), encoding="utf-8") as picture:
                    self.assertRegex(picture.read(), "<title>target/profiling/(deps|build/.*/out)/")


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
        for setting in "debug=2", "codegen-units=1":
            result = run(["cargo", "cprof", "--config", f"profile.profiling.{setting}"], self.folder)
            self.assertEqual((result.code, result.out), (0, "false\n"), result)
            self.assertNotIn("profile profiling ", result.err)
        result = run(["cargo", "cprof"], self.folder, CARGO_PROFILE_PROFILING_DEBUG="0")
        self.assertIn("(CARGO_PROFILE_PROFILING_DEBUG=0): inlined calls and lines are missing", result.err)

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
        self.write(".cargo/config.toml", "[profile.profiling]\nstrip = true\n")
        self.assertIn(".cargo/config.toml:2 sets strip = true", run(["cargo", "cprof"], self.folder).err)
        shown = run(["cargo", "cprof", "--config", "profile.profiling.strip='symbols'"], self.folder).err
        self.assertIn("(--config sets strip)", shown)

    def test_flags_for_rustc_that_strip_are_told_and_not_the_profile(self):
        self.project(self.MANIFEST, src__main_rs=self.HELLO)
        for flags, expected in (
            ("-C strip=symbols", "names, inlined calls and lines are missing, though profile profiling does not strip them: -C strip=symbols among the"),
            ("-Cstrip=debuginfo", "warning: inlined calls and lines are missing, though profile profiling does not strip them: -Cstrip=debuginfo among the"),
            ("-Clink-arg=-s", "-Clink-arg=-s among the flags for rustc (RUSTFLAGS, or rustflags of cargo's configuration) does; build without it"),
        ):
            with self.subTest(flags):
                result = run(["cargo", "cprof"], self.folder, RUSTFLAGS=flags)
                self.assertEqual(result.code, 0, result)
                self.assertIn(expected, result.err)
                self.assertNotIn("--config", result.err)

    def test_debug_information_of_the_users_profile_may_be_split_or_packed(self):
        # Each multiplication waits for the one before: that takes some cycles on any processor.
        spin = "#[inline(always)] fn spin() -> u64 { let mut sum = 3u64; for n in 0..100_000_000u64 { sum = n ^ sum.wrapping_mul(sum); } sum }"
        self.project(self.MANIFEST, src__main_rs=f'{spin}\nfn main() {{ println!("{{}}", spin()); }}')
        for kind in ("unpacked", "packed"):
            with self.subTest(kind):
                own = f'[profile.profiling]\ninherits = "release"\ndebug = 1\nsplit-debuginfo = "{kind}"\n'
                self.write("Cargo.toml", self.MANIFEST + own)
                result = run(["cargo", "cprof", "-q", "-o", "a.cprof"], self.folder)
                self.assertEqual(result.code, 0, result)
                self.assertNotIn("profile profiling ", result.err)
                self.assert_spins("a.cprof")
                # What was installed has left it where it was built, which is found by its id.
                os.makedirs(os.path.join(self.folder, "bin"), exist_ok=True)
                shutil.copy(os.path.join(self.folder, "target", "profiling", "hello"), os.path.join(self.folder, "bin"))
                result = run(exec_command("-o", "b.cprof", "--", "bin/hello"), self.folder)
                self.assertNotIn("no inlined calls", result.err)
                self.assert_spins("b.cprof")

    def assert_spins(self, name):
        report = run(["cargo-cprof", "report", name, "--by", "function,line", "--format", "json"], self.folder)
        found = json.loads(report.out)
        spins = [row for row in found["groups"] if row["function"] == "hello::spin"]
        self.assertEqual([row["line"].endswith("src/main.rs:1") for row in spins], [True], report)
        self.assertGreater(spins[0]["total"], found["whole"] * 0.8, report)


class FramePointers(ProjectTest):
    """--call-graph fp builds with them, beside what the user has set up."""

    MANIFEST = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n[lints.rust]\nunexpected_cfgs = "allow"\n'
    MAIN = """
        #[inline(never)] fn outer(n: u64) -> u64 { std::hint::black_box(inner(n)) + 1 }
        #[inline(never)] fn inner(n: u64) -> u64 { (0..n).fold(1, |a, b| std::hint::black_box(a ^ b.wrapping_mul(a))) }
        #[inline(never)] fn caller(n: u64) -> u64 { std::hint::black_box(looping(n)) + 1 }
        // It needs no stack before its loop is done.
        #[inline(never)] fn looping(n: u64) -> u64 {
            let mut x = n | 1;
            for i in 0..n { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x ^= i; }
            std::hint::black_box(x)
        }
        fn main() {
            std::hint::black_box(outer(std::hint::black_box(100_000_000)));
            std::hint::black_box(caller(std::hint::black_box(100_000_000)));
            println!("{}", cfg!(mine));
        }
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
                for function, caller in (("inner", "outer"), ("looping", "caller")):
                    below = [(names, count) for names, count in stacks if f"hello::{function}" in names]
                    called = sum(count for names, count in below if {f"hello::{caller}", "hello::main"} < set(names))
                    self.assertGreater(sum(count for _, count in below), whole * 0.1, result)
                    self.assertGreater(called, 0.9 * sum(count for _, count in below), (function, result))
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
    BENCH = 'fn main() { show(); println!("{:?}", std::env::var_os("DIVAN_MIN_TIME")) }\n'  # as of divan's
    TEST = "#[test] fn it_shows() { show() }\n"
    # So much CPU time that its thread is sampled, however long it has to wait for a processor.
    SPINS = """
#[repr(C)]
#[derive(Default)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

#[test]
fn it_spins() {
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    let mut used = Timespec::default();
    while used.seconds == 0 && used.nanoseconds < 3_000_000 {
        unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut used) };
    }
}
"""
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
            benches__b_rs=self.BENCH + self.SHOW,
            tests__all_rs=self.TEST + self.SHOW,
            tests__spins_rs=self.SPINS,
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

    def test_a_filter_that_may_match_nothing_is_told(self):
        for selection in (["--test=all"], ["--unit-test", "--lib"]):
            result = run(["cargo", "cprof", *selection, "--", "nowhere"], self.folder)
            self.assertIn("running 0 tests", result.out)
            self.assertIn('is there a test or benchmark with "nowhere" in its name? `-- --list` shows them', result.err)
        # Its thread tells that it has matched.
        result = run(["cargo", "cprof", "--test=spins", "-F4000", "--", "spins", "--test-threads=2"], self.folder)
        self.assertIn("too short to tell much", result.err)
        result = run(["cargo", "cprof", "--test=all", "--", "--test-threads", "1"], self.folder)
        self.assertIn("running 1 test", result.out)
        self.assertIn("too short to tell much", result.err)
        # The words of a program that has neither tests nor benchmarks are its own.
        _, result = self.given("cprof", "--bin=hello", "--", "nowhere")
        self.assertIn("too short to tell much", result.err)

    def test_benchmarks_are_told_once_that_they_are(self):
        got = self.assert_same(["bench", "--bench=b"], ["--benches"])
        self.assertIn('/b-', got)
        self.assertIn('"--bench"] Ok("' + self.folder + '")', got)
        got, _ = self.given("cprof", "--bench=b", "--", "--bench", "x")
        self.assertIn('"--bench", "x"] Ok(', got)
        _, result = self.given("cprof", "--bench=b")
        self.assertIn("; have divan run each benchmark for longer: -- --min-time 5", result.err)
        _, result = self.given("cprof", "--bench=b", "--", "--min-time=1")
        self.assertIn("; give it more to do", result.err)
        _, result = self.given("cprof", "--bench=b", "--", "nowhere")
        self.assertIn('is there a test or benchmark with "nowhere" in its name?', result.err)
        self.assertIn("if one did run, have divan run each benchmark for longer: -- --min-time 5", result.err)
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


class StandardInput(ProjectTest):
    def test_it_may_be_set_not_to_wait(self):
        """As whoever shares the pipe may have done."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        process = subprocess.Popen([program("cargo-cprof"), "report", "-"], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(reader)
        wait_for(lambda: state_of(process.pid) == "S", "it waits for input")
        os.write(writer, b"a;b 3\na;c 2\n")
        os.close(writer)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertIn(b"5 samples of folded stacks", out)


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
                may_be_the_level = os.geteuid() != 0 and paranoid() > 2
                for other in ("kernel.perf_event_paranoid", "--root"):
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
