"""cargo cprof compare with real programs and revisions: what it tells, how it ends, what it leaves behind."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from suite import SOURCE, ProjectTest, environment, measured, run
from repositories import RepositoryTest

PYTHON = sys.executable
MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
# So much work as the two numbers say, in functions of their own.
MAIN = """
#[inline(never)]
fn steady(n: u64) -> u64 { (0..n).fold(1, |a, i| std::hint::black_box(a ^ i).rotate_left(5)) }
#[inline(never)]
fn hot(n: u64) -> u64 { (0..n * TIMES).fold(1, |a, i| std::hint::black_box(a ^ i).rotate_left(3)) }
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{} {}", steady(n), hot(n));
}
"""


# What of a benchmark with Criterion in it is seen from outside: its list, and runs of so many seconds.
BENCHMARK = """
use std::time::{Duration, Instant};
#[inline(never)]
fn parse(mut n: u64) -> u64 { let mut x = 1u64; while n > 0 { x = (x ^ n).wrapping_mul(5); n -= 1; } x }
#[inline(never)]
fn sum(mut n: u64) -> u64 { let mut x = 1u64; while n > 0 { x = (x ^ n).wrapping_mul(9); n -= 1; } x }
#[inline(never)]
fn prepare(n: u64) { let mut i = 0; while i < n { i = std::hint::black_box(i + 1); } }
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.contains(&"--list".to_string()) {
        println!("summary/10: benchmark\\nother: benchmark");
        return;
    }
    let at = arguments.iter().position(|a| a == "--profile-time").expect("only --profile-time is known here");
    assert_eq!(arguments[at + 2], "^summary/10$");
    let end = Instant::now() + Duration::from_secs(arguments[at + 1].parse().unwrap());
    while Instant::now() < end {
        prepare(1_000_000 * TIMES);
        criterion::bencher::Bencher { measurement: &1 }.LOOP(|| parse(1_000_000) ^ sum(1_000_000 * TIMES));
    }
}
"""
# Its loops, under their names.
CRITERION = """
pub mod bencher {
    pub struct Bencher<'a, M> { pub measurement: &'a M }
    impl<'a, M> Bencher<'a, M> {
        #[inline(never)]
        pub fn iter<O, R: FnMut() -> O>(&mut self, mut routine: R) {
            for _ in 0..10 { std::hint::black_box(routine()); }
        }
        #[inline(never)]
        pub fn iter_custom<O, R: FnMut() -> O>(&mut self, mut routine: R) {
            for _ in 0..10 { std::hint::black_box(routine()); }
        }
    }
}
"""


# A command that nobody else on the machine runs, another run of these tests for one.
FOREVER = f"sleep {10**8 + os.getpid()}"


def processes(word):
    """The command lines that hold the word."""
    listed = subprocess.run(["ps", "-eo", "args="], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [line for line in listed.splitlines() if word in line]


class Commands(ProjectTest):
    def compare(self, *arguments, **changes):
        return run(["cargo", "cprof", "compare", *arguments], self.folder, **changes)

    def figures(self, *arguments):
        result = self.compare("--no-profile", "--format", "json", *arguments)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        return {row["figure"]: row for row in report["figures"]}, report, result

    @measured
    def test_what_takes_twice_as_long_is_slower(self):
        figures, report, result = self.figures("sleep 0.1", "sleep 0.4", "--runs", "5")
        elapsed = figures["elapsed time"]
        self.assertEqual((report["runs"], elapsed["unit"], elapsed["verdict"]), (5, "ns", "slower"))
        self.assertGreaterEqual(elapsed["before-least"], 100_000_000)
        self.assertGreaterEqual(elapsed["after-least"], 400_000_000)
        self.assertLess(elapsed["ratio-low"], elapsed["ratio"])
        self.assertIn("Measuring sleep 0.1 and sleep 0.4 in turn", result.err)
        swapped, _, _ = self.figures("sleep 0.4", "sleep 0.1", "--runs", "5")
        self.assertEqual(swapped["elapsed time"]["verdict"], "faster")

    def test_runs_go_in_turn_with_the_same_arguments(self):
        log = os.path.join(self.folder, "log")
        script = self.write("note.sh", f'#!/bin/sh\necho "$@" >> {log}\n')
        os.chmod(script, 0o755)
        self.figures("./note.sh a", "file:note.sh", "--warmup", "1", "--runs", "4", "--", "x y")
        with open(log, encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[:-1], ["a x y", "x y"] + ["a x y", "x y", "x y", "a x y"] * 2)

    def test_profiled_runs_go_in_turn_too(self):
        log = os.path.join(self.folder, "log")
        script = self.write("note.sh", f'#!/bin/sh\necho "$@" >> {log}\n')
        os.chmod(script, 0o755)
        result = self.compare("./note.sh a", "./note.sh b", "--runs", "2")
        self.assertEqual(result.code, 0, result)
        with open(log, encoding="utf-8") as file:
            profiled = file.read().split()[4:]
        self.assertGreaterEqual(len(profiled), 4)
        self.assertEqual(profiled, (["a", "b", "b", "a"] * len(profiled))[: len(profiled)])

    def test_programs_whose_files_are_gone_are_profiled_too(self):
        # Such a file is kept open while names are looked for; what leaks fails under LeakSanitizer.
        work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
        commands = [f"cp /bin/sh {name}; exec ./{name} -c 'rm {name}; {work}'" for name in ("one", "other")]
        result = self.compare("--shell", "default", "--runs", "1", *commands)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_on_standard_input_is_answered_with_input(self):
        path = self.write("words", "one two\n")
        for options, start, says in (((), 0, True), (("--input", "words"), 0, False), ((), 4, False)):
            with open(path, encoding="utf-8") as file:
                os.lseek(file.fileno(), start, os.SEEK_SET)
                result = subprocess.run(
                    ["cargo-cprof", "compare", "--no-profile", "--runs", "1", *options, "true", "true"], cwd=self.folder,
                    env=environment(), stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
            self.assertEqual(b"--input FILE" in result.stderr, says, result.stderr)

    def test_commands_around_runs(self):
        log = os.path.join(self.folder, "log")
        script = self.write("note.sh", f'#!/bin/sh\necho "$@" >> {log}\n')
        os.chmod(script, 0o755)
        self.figures("./note.sh A", "./note.sh B", "--runs", "1", "--setup", "./note.sh setup", "--cleanup",
                     "./note.sh cleanup", "--prepare", "./note.sh before-a", "--prepare", "./note.sh before-b",
                     "--conclude", "./note.sh after")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["setup", "before-a", "A", "after", "before-b", "B", "after", "cleanup"])
        result = self.compare("true", "true", "--prepare", "false", "--cleanup", "./note.sh tidied")
        self.assert_fails(result, 1, "--prepare: false failed with exit code 1")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read().split()[-1], "tidied")

    def test_memory_and_processor_time_are_those_of_the_program(self):
        code = "x = bytearray({} << 20)\nfor i in range(len(x) >> 12): x[i << 12] = 1\n"
        for name, megabytes in (("small.py", 20), ("large.py", 120)):
            self.write(name, code.format(megabytes))
        figures, _, _ = self.figures(f"{PYTHON} small.py", f"{PYTHON} large.py", "--runs", "3")
        memory = figures["peak memory"]
        self.assertEqual((memory["unit"], memory["verdict"]), ("bytes", "more"))
        self.assertAlmostEqual((memory["after-mean"] - memory["before-mean"]) / (100 << 20), 1, delta=0.05)
        cpu = figures["CPU time"]
        self.assertAlmostEqual(cpu["after-mean"], figures["user time"]["after-mean"] + figures["system time"]["after-mean"], delta=2)

    def test_a_program_that_fails_is_one_clear_line(self):
        result = self.compare("sh -c 'exit 3'", "true", "--runs", "2")
        self.assert_fails(result, 1, "sh -c 'exit 3' failed with exit code 3", "--ignore-failure", "--show-output")
        result = self.compare("true", "sh -c 'kill -9 $$'", "--runs", "2")
        self.assert_fails(result, 1, "was ended by signal 9 (SIGKILL)")
        figures, _, _ = self.figures("sh -c 'exit 3'", "false", "-i", "--runs", "2", "--export-json", "times.json")
        with open(os.path.join(self.folder, "times.json"), encoding="utf-8") as file:
            results = json.load(file)["results"]
        self.assertEqual([r["exit_codes"] for r in results], [[3, 3], [1, 1]])
        self.assertEqual(len(figures), 5)

    def test_output_is_hidden_unless_it_is_asked_for(self):
        result = self.compare("sh -c 'echo out; echo err >&2; cat'", "true", "--runs", "1", "--no-profile")
        self.assertNotIn("out\n", result.out + result.err)
        self.assertNotIn("err\n", result.out + result.err)
        self.write("input", "from the file\n")
        result = self.compare("sh -c 'echo out; echo err >&2; cat'", "true", "--runs", "1", "--no-profile",
                              "--show-output", "--input", "input")
        for line in ("out\n", "err\n", "from the file\n"):
            self.assertIn(line, result.err)
        self.assertNotIn("out\n", result.out)

    def test_limits_hold_beyond_noise_alone(self):
        # So much more that a busy machine cannot hide it.
        slower = ("sleep 0.1", "sleep 1", "--runs", "4", "--no-profile")
        result = self.compare(*slower, "--fail-over", "50%", "--fail-over", "60%")
        self.assertEqual(result.code, 3, result)
        self.assertRegex(result.err, r"over budget: elapsed time grew by at least [0-9.]+%, over --fail-over 50%; "
                                     r"elapsed time grew by at least [0-9.]+%, over --fail-over 60%: sleep 1 against sleep 0.1\n")
        self.assertIn("slower", result.out)
        self.assertEqual(self.compare(*slower, "--fail-over", "90000%").code, 0)
        # One run of each is never beyond noise, and two tell an interval only where they are alike.
        one = self.compare(*slower[:2], "--runs", "1", "--no-profile", "--fail-over", "5%")
        self.assert_fails(one, 2, "--fail-over 5%: one run of each has no interval")
        # Of the first side one run takes a hundred times as long as the other.
        script = self.write("once.sh", "#!/bin/sh\n[ -e there ] && exit 0\n: > there\nsleep 0.5\n")
        os.chmod(script, 0o755)
        unlike = self.compare("./once.sh", "true", "--runs", "2", "--no-profile", "--fail-over", "1%")
        self.assertEqual(unlike.code, 0, unlike)
        self.assertIn("warning: not checked: --fail-over 1%: the elapsed time has no interval: too few runs", unlike.err)
        self.assert_fails(self.compare(*slower, "--fail-over", "5KiB"), 2, '"5KiB" is no limit')
        self.assert_fails(self.compare(*slower, "--fail-over", "disk=5%"), 2, "limits are 5% or elapsed=5% (of the elapsed time), cpu=5%")

    def test_exports_are_hyperfines(self):
        result = self.compare("sleep 0.01", "sleep 0.02", "--runs", "3", "-n", "one", "-n", "two", "--no-profile",
                              "--export-json", "t.json", "--export-csv", "t.csv", "--export-markdown", "t.md")
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "t.json"), encoding="utf-8") as file:
            results = json.load(file)["results"]
        self.assertEqual([r["command"] for r in results], ["one", "two"])
        for r in results:
            self.assertEqual(set(r), {"command", "mean", "stddev", "median", "user", "system", "min", "max", "times",
                                      "memory_usage_byte", "exit_codes"})
            self.assertEqual((len(r["times"]), len(r["memory_usage_byte"])), (3, 3))
            self.assertAlmostEqual(sum(r["times"]) / 3, r["mean"])
            self.assertEqual((min(r["times"]), max(r["times"])), (r["min"], r["max"]))
        with open(os.path.join(self.folder, "t.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(io.StringIO(file.read())))
        self.assertEqual([float(row["mean"]) for row in rows], [r["mean"] for r in results])
        with open(os.path.join(self.folder, "t.md"), encoding="utf-8") as file:
            self.assertIn("| `two` |", file.read())

    def test_an_export_to_standard_output_is_all_that_is_there(self):
        result = self.compare("true", "sleep 0.01", "--runs", "2", "--no-profile", "--export-json", "-")
        self.assertEqual(result.code, 0, result)
        self.assertEqual([r["command"] for r in json.loads(result.out)["results"]], ["true", "sleep 0.01"])
        self.assertIn("elapsed time", result.err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_ctrl_c_ends_what_runs_and_tells_what_was_measured(self):
        mark = os.path.join(self.folder, "mark")
        script = self.write("third.sh", f"#!/bin/sh\necho x >> {mark}\n[ $(wc -l < {mark}) -lt 5 ] && exit 0\n"
                            f"(trap '' TERM INT; exec {FOREVER}) & echo >> {mark}.there; {FOREVER}\n")
        os.chmod(script, 0o755)
        process = subprocess.Popen(["cargo-cprof", "compare", "./third.sh", "./third.sh", "--runs", "9"], cwd=self.folder,
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        while not os.path.exists(mark + ".there"):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = (text.decode() for text in process.communicate(timeout=60))
        self.assertEqual(process.returncode, 128 + signal.SIGINT, err)
        self.assertIn("elapsed time", out)
        self.assertIn("ended early: 2 of 9 runs of each", err)
        self.assertEqual(processes(FOREVER), [])

    def test_a_signal_before_the_first_pair(self):
        process = subprocess.Popen(["cargo-cprof", "compare", FOREVER, "true"], cwd=self.folder, env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while FOREVER not in processes(FOREVER):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.terminate()
        out, err = (text.decode() for text in process.communicate(timeout=60))
        self.assertEqual((process.returncode, out), (128 + signal.SIGTERM, ""), err)
        self.assertIn("before one run of each was complete", err)
        self.assertEqual(processes(FOREVER), [])

    def test_words_that_are_nothing(self):
        self.assert_fails(self.compare(), 2, "nothing to compare with", "cargo cprof compare main")
        self.assert_fails(self.compare("true"), 2, "one command is nothing to compare: true, a program in PATH; no revision")
        self.assert_fails(self.compare("true", "false", "true"), 2, "compare takes two sides")
        self.assert_fails(self.compare("./nothing", "true"), 1, "./nothing: no such file")
        self.assert_fails(self.compare("./" + 300 * "x", "true"), 1, "x: File name too long")
        self.assert_fails(self.compare("no-such-thing", "true"), 1, "no-such-thing is no revision, no executable file")
        self.assert_fails(self.compare("true | cat", "true"), 2, '"|" takes a shell', "--shell sh")
        self.assert_fails(self.compare("true", "true", "-r", "10"), 2, "compare takes two sides", "its -r is --runs")
        self.assert_fails(self.compare("true", "10", "-r"), 1, "did you mean --runs 10?")
        self.assert_fails(self.compare("true", "true", "-n", "10"), 2, "did you mean --top 10?")
        self.assert_fails(self.compare("true", "true", "--input", "none"), 1, "--input none")
        figures, report, _ = self.figures("true | cat", "true", "--shell", "sh", "--runs", "1", "--top", "1")
        self.assertEqual((len(figures), "omitted" in report), (5, False))


class Revisions(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository(Cargo_toml=MANIFEST, src__main_rs=MAIN.replace("TIMES", "1"), src__parts_rs="")

    def compare(self, *arguments, **options):
        return self.cargo("compare", *arguments, verb="cprof", **options)

    @measured
    def test_the_working_tree_is_compared_with_a_revision(self):
        self.put(src__main_rs=MAIN.replace("TIMES", "8"))
        result = self.compare("main", "--runs", "3", "--no-profile", "--format", "json", "--", "60000000")
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        figures = {row["figure"]: row for row in report["figures"]}
        self.assertRegex(report["sides"]["before"], r"^main \([0-9a-f]{7}\)$")
        self.assertEqual(report["sides"]["after"], "the working tree")
        # steady + hot against steady + 8 hot; between two runs the processor may become slower by half.
        self.assertTrue(3 < figures["CPU time"]["ratio"] < 6.75, figures)
        self.commit("slower")
        result = self.compare("HEAD~1", "HEAD", "--runs", "6", "--format", "json", "--", "60000000")
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        self.assertEqual(report["sides"]["measure"], "cpu-ns")
        told = {row["name"]: row for row in report["functions"] if row["verdict"] != "noise"}
        self.assertIn(told["app::hot"]["verdict"], ("slower", "calls"))  # itself, or a fold that it calls
        self.assertTrue(5.3 < told["app::hot"]["total-after"] / told["app::hot"]["total-before"] < 12, told)
        for row in report["functions"]:
            if row["name"] == "app::steady":
                self.assertTrue(0.6 < row["total-after"] / row["total-before"] < 1.7, row)
        result = self.compare("HEAD~1..HEAD", "--runs", "1", "--no-profile", "--", "1000")
        self.assertEqual(result.code, 0, result)
        self.assertIn("HEAD~1", result.out)

    def put_benchmark(self, source=BENCHMARK, times=1, loop="iter"):
        manifest = MANIFEST.replace("[workspace]", '[dependencies]\ncriterion = { path = "criterion" }\n'
                                    '[[bench]]\nname = "words"\nharness = false\n[workspace]')
        self.put(Cargo_toml=manifest, benches__words_rs=source.replace("TIMES", str(times)).replace("LOOP", loop),
                 criterion__Cargo_toml='[package]\nname = "criterion"\nversion = "0.5.0"\nedition = "2021"\n',
                 criterion__src__lib_rs=CRITERION)

    def test_benchmarks_that_run_as_long_as_they_choose_are_refused(self):
        self.put_benchmark()
        self.commit("benchmark")
        # Also where the arguments tell Criterion what to do.
        for more in ["--profile-time", "1"], ["--quick"]:
            self.assert_fails(self.compare("HEAD", "--bench", "words", "--", *more), 2, "words is a benchmark of Criterion's")
        self.put(benches__lib_rs="#![feature(test)]\nextern crate test;\n#[bench]\nfn one(b: &mut test::Bencher) { b.iter(|| 1) }\n")
        self.commit("libtest")
        refused = self.compare("HEAD", "--bench", "lib", RUSTC_BOOTSTRAP="1")
        self.assert_fails(refused, 2, "the benchmarks of lib are libtest's, which runs as long as it chooses to",
                          "cargo cprof --bench lib --diff REV")
        self.assert_fails(self.compare("HEAD", "--unit-bench"), 2, "the benchmarks of app are libtest's", "cargo cprof --unit-bench --diff REV")
        # Which libtest measures, too, and Criterion only tries.
        tried = ["--runs", "1", "--no-profile", "--", "--test"]
        self.assert_fails(self.compare("HEAD", "--bench", "lib", *tried, RUSTC_BOOTSTRAP="1"), 2, "the benchmarks of lib are libtest's")
        tried = self.compare("HEAD", "--bench", "words", "--ignore-failure", *tried)
        self.assertEqual(tried.code, 0, tried)
        self.put_benchmark("fn main() {}")
        self.commit("own")
        own = self.compare("HEAD", "--bench", "words", "--runs", "1", "--no-profile")
        self.assertEqual(own.code, 0, own)
        self.assertEqual(own.err.count("note: times are those of a whole run of words"), 1, own)

    def test_of_several_benchmarks_of_libtests_shares_are_not_compared(self):
        bench = "#[bench]\nfn {0}(b: &mut test::Bencher) {{ b.iter(|| (0..test::black_box(999u64)).map(|x| x ^ x << 7).max()) }}\n"
        self.put(benches__lib_rs="#![feature(test)]\nextern crate test;\n" + bench.format("one") + bench.format("two"))
        self.commit("libtest")
        changes = os.path.join(self.folder, "changes.json")
        diff = ["--bench", "lib", "--diff", "HEAD", "-o", changes]
        refused = self.cargo(*diff, verb="cprof", RUSTC_BOOTSTRAP="1")
        self.assert_fails(refused, 2, "each of these 2 benchmarks as often as it chooses to", "name one: -- --exact one")
        alone = self.cargo(*diff, "--", "--exact", "two", verb="cprof", RUSTC_BOOTSTRAP="1")
        self.assertEqual(alone.code, 0, alone)
        with open(changes, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["diff"]["measure"], "share")

    def test_a_benchmark_of_criterions_is_told_with_its_functions(self):
        self.put_benchmark()
        self.commit("benchmark")
        self.git("branch", "before")
        self.put_benchmark(times=4)
        self.assert_fails(self.compare("before", "--bench", "words"), 2, "words is a benchmark of Criterion's",
                          "--bench words --baseline NAME")
        kept = os.path.join(SOURCE, "tests", "fixtures", "criterion")
        result = self.compare("before", "--bench", "words", "--baseline", "main", "--format", "json", "-o",
                              os.path.join(self.folder, "words.txt"), CRITERION_HOME=kept)
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "words.txt"), encoding="utf-8") as file:
            self.assertIn("functions: of 5 runs of each side, in turn;", file.read())
        rows = json.loads(result.out)["benchmarks"]
        # Of the three that are kept the others are of another target.
        self.assertEqual({row["benchmark"] for row in rows}, {"summary/10"}, result)
        self.assertEqual(rows[0]["verdict"], "slower")
        functions = {row["function"]: row for row in rows[1:]}
        # Itself, or what is inlined into it.
        self.assertIn("words::sum", functions, result)
        row = functions["words::sum"]
        self.assertIn(row["verdict"], ("slower", "calls"), result)
        self.assertGreater(row["total-after-ps"] / row["total-before-ps"], 2, result)
        self.assertLess(row["total-before-ps"], rows[0]["before-ps"])
        self.assertLess(row["total-after-ps"], rows[0]["after-ps"])
        # What did not change has a smaller share than it had: that the whole became slower makes it no slower.
        parse = functions.get("words::parse")
        if parse:
            self.assertNotEqual(parse["verdict"], "slower", result)
            self.assertLess(parse["total-after-ps"], parse["total-before-ps"], result)
        # What is done before takes as long, but no iteration has it.
        self.assertEqual([name for name in functions if "prepare" in name], [])
        self.put_benchmark(times=4, loop="iter_custom")
        result = self.compare("before", "--bench", "words", "--baseline", "main", "--profile-time", "1", CRITERION_HOME=kept)
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, r"slower summary/10\n")
        self.assertNotIn("words::sum", result.out)
        self.assertIn("no functions are told of summary/10", result.out)

    def test_criterion_need_not_ask_cargo_where_its_folder_is(self):
        self.put_benchmark('fn main() { println!("--profile-time at {:?}", std::env::var("CRITERION_HOME")); }')
        usual = f'at Ok("{os.path.join(self.repository, "target", "criterion")}")'
        for expected, variables in ((usual, {}), ('at Ok("own")', {"CRITERION_HOME": "own"}), ("at Err", {"CARGO_TARGET_DIR": "target"})):
            with self.subTest(variables):
                result = self.cargo("--bench", "words", "-o", os.path.join(self.folder, "words.svg"), verb="cprof", **variables)
                self.assertEqual(result.code, 0, result)
                self.assertIn(expected, result.out)

    def test_functions_of_a_benchmark_that_differ_from_run_to_run_did_not_change(self):
        # Each run has another part of its time in the one function. Those of either side (the first, the fourth, the
        # fifth, ... and the others) do not have the same, but what chance may well give them.
        thousands = "200, 600, 1400, 1000, 1800, 2600, 3400, 3000, 4000, 3600"
        source = BENCHMARK.replace("let end =", f"""let runs = "{self.folder}/runs";
    let count = std::fs::read_to_string(runs).map_or(0, |text| text.len());
    std::fs::write(runs, "x".repeat(count + 1)).unwrap();
    let other = [{thousands}][count % 10] * 1000;
    let end =""").replace("|| parse(1_000_000) ^ sum(1_000_000 * TIMES)", "|| parse(1_000_000) ^ sum(other)")
        self.put_benchmark(source)
        self.commit("benchmark")
        self.git("branch", "before")
        kept = os.path.join(SOURCE, "tests", "fixtures", "criterion")
        compare = ["before", "--bench", "words", "--baseline", "main"]
        result = self.compare(*compare, CRITERION_HOME=kept)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(os.path.getsize(os.path.join(self.folder, "runs")), 10)
        self.assertIn("no function has clearly more or less of the time in summary/10", result.out)
        # One run of each has nothing to be held against, which is said of what it tells.
        result = self.compare(*compare, "--profile-time", "1", CRITERION_HOME=kept)
        self.assertEqual(result.code, 0, result)
        self.assertEqual("words::" in result.out, "functions: of one run of each side" in result.out, result)

    def test_benchmarks_are_told_where_the_code_before_cannot_be_built(self):
        self.put_benchmark("fn main() { nonsense }")
        self.commit("broken")
        self.put_benchmark()
        kept = os.path.join(SOURCE, "tests", "fixtures", "criterion")
        result = self.compare("HEAD", "--bench", "words", "--baseline", "main", CRITERION_HOME=kept)
        self.assertEqual(result.code, 101, result)
        self.assertRegex(result.out, r"slower summary/10\n")
        self.assertRegex(result.err, r"error: which functions changed is not known: HEAD \([0-9a-f]{7}\): cargo bench ")

    def test_a_name_that_no_benchmark_target_has_is_told(self):
        self.put_benchmark()
        self.git("branch", "-m", "trunk")
        kept = os.path.join(SOURCE, "tests", "fixtures", "criterion")
        for more in [], ["--no-profile"]:
            wrong = self.compare("--bench", "wrods", "--baseline", "main", *more, CRITERION_HOME=kept)
            self.assert_fails(wrong, 1, "--bench wrods: no benchmark target has this name", "hint: there are words; --filter REGEXP")
        other = self.compare("--bench", "w*", "--baseline", "main", CRITERION_HOME=kept)
        self.assertEqual(other.code, 0, other)
        self.assertIn("what is not of --bench, is not known: no revision is called main", other.err)

    def test_programs_run_where_we_are(self):
        self.put(src__main_rs='fn main() { println!("{}", std::fs::read_to_string("untracked").unwrap()); }')
        self.commit("reads")
        self.write("work/app/untracked", "content")
        result = self.compare("HEAD", "--runs", "1", "--no-profile", "--show-output")
        self.assertEqual(result.code, 0, result)
        self.assertEqual(result.err.count("content\n"), 2, result)

    def test_a_base_that_does_not_compile_costs_only_the_comparison(self):
        self.put(src__main_rs="fn main() { nonsense }")
        self.commit("broken")
        self.put(src__main_rs="fn main() {}")
        result = self.compare("HEAD", "--runs", "2", "-o", os.path.join(self.folder, "own.json"))
        self.assertEqual(result.code, 101, result)
        self.assertRegex(result.err, r"cargo-cprof: error: no comparison: HEAD \([0-9a-f]{7}\): cargo run failed with exit code 101\n$")
        self.assertEqual(result.err.count("cargo-cprof: error"), 1, result)
        self.assertIn("       Wrote " + os.path.join(self.folder, "own.json") + "\n", result.err)
        # What the working tree takes is told all the same.
        self.assertRegex(result.out, r"[0-9.]+ [num]?s ± [0-9.]+ [num]?s +elapsed time\n")
        self.assertIn("the working tree alone, in 2 runs\n", result.out)
        with open(os.path.join(self.folder, "own.json"), encoding="utf-8") as file:
            own = json.load(file)
        self.assertEqual((own["runs"], own["sides"]["after"]), (2, "the working tree"))
        self.assertEqual([row["figure"] for row in own["figures"]],
                         ["elapsed time", "CPU time", "user time", "system time", "peak memory"])
        # Where the head does not compile either there is nothing to tell, and nothing more to build.
        self.put(src__main_rs="fn main() { other }")
        result = self.compare("HEAD", "--runs", "1")
        self.assertEqual((result.code, result.out), (101, ""), result)
        self.assertRegex(result.err, "\ncargo-cprof: error: cargo run failed with exit code 101\n$")
        self.assertNotIn("Building HEAD", result.err)

    def test_a_word_that_is_both_asks(self):
        self.git("branch", "tool")
        os.chmod(self.write("work/app/tool", "#!/bin/sh\n"), 0o755)
        result = self.compare("tool", "true")
        self.assert_fails(result, 2, "tool is both a file and a revision", "./tool means the file, rev:tool")


if __name__ == "__main__":
    unittest.main(verbosity=1)
