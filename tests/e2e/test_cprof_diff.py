"""cargo cprof --diff and cargo cprof diff: what a change did, named from real runs of small programs."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from suite import ProjectTest, environment, measured, run
from repositories import RepositoryTest, picture

MANIFEST = """[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
helper = { path = "helper" }
[workspace]
"""
HELPER_MANIFEST = '[package]\nname = "helper"\nversion = "%s"\nedition = "2021"\n'

# Dependent steps: each takes the same time wherever it stands, so that time goes by their number.
GRIND = """
macro_rules! grind {
    ($seed:expr, $steps:expr) => {{
        let mut state: u64 = std::hint::black_box($seed);
        let mut left: u64 = std::hint::black_box($steps);
        while left > 0 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            left -= 1;
        }
        std::hint::black_box(state)
    }};
}
"""
HELPER = GRIND + """
#[inline(never)]
pub fn checksum(seed: u64) -> u64 { grind!(seed, %d) }
"""
MAIN = GRIND + """
const UNIT: u64 = 60_000_000;

#[inline(never)]
fn hot(seed: u64) -> u64 { grind!(seed, %d * UNIT) }

#[inline(never)]
fn steady(seed: u64) -> u64 { grind!(!seed, UNIT) }
%s
fn main() {
    let seed = std::env::args().count() as u64;
    println!("{}", hot(seed) ^ steady(seed) ^ helper::checksum(seed)%s);
    std::process::exit(%d);
}
"""
GENERIC = """
#[inline(never)]
fn fold_all<T: Into<u64> + Copy>(values: &[T]) -> u64 { grind!(values.len() as u64 + values[0].into(), 8 * UNIT) }
"""


READER = GRIND + """
use std::io::Read;

#[inline(never)]
fn compute(seed: u64) -> u64 { grind!(seed, 200_000) }

fn main() {
    let megabytes: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut zeros = std::fs::File::open("/dev/zero").unwrap();
    let mut buffer = vec![0u8; megabytes << 20];
    for seed in 1..2000 {
        compute(seed);
        zeros.read_exact(&mut buffer).unwrap();
    }
}
"""


def main_of(hot=1, generic="", call="", code=0):
    return MAIN % (hot, generic, call, code)


def named(rows):
    """What of the functions is told to have changed itself, with the word for how."""
    return [(row["name"], row["verdict"]) for row in rows["functions"] if row["verdict"] not in ("noise", "calls")]


class Diff(RepositoryTest):
    def cprof(self, *arguments, verb=()):
        frequency = [] if verb == ("diff",) else ["-F", "2000"]
        return run(["cargo", "cprof", *verb, *frequency, *arguments], self.repository, **self.variables())

    def start(self):
        self.start_repository(Cargo_toml=MANIFEST, src__main_rs=main_of(), src__parts_rs="",
                              helper__Cargo_toml=HELPER_MANIFEST % "0.1.0", helper__src__lib_rs=HELPER % 60_000_000)
        result = run(["cargo", "generate-lockfile"], self.repository, **self.variables())
        self.assertEqual(result.code, 0, result)
        self.commit("lock")

    def difference(self, *arguments, code=0, verb=()):
        """The comparison as JSON, and what was said."""
        output = os.path.join(self.folder, "diff.json")
        result = self.cprof("-o", output, *arguments, verb=verb)
        self.assertEqual(result.code, code, result)
        with open(output, encoding="utf-8") as file:
            return json.load(file), result

    def assert_first(self, rows, name, verdict):
        """It takes eight times as long as `steady` on one side, once or not at all on the other; little else changed.

        The two runs may have had a processor of half or twice the speed.
        """
        first = rows["functions"][0]
        self.assertEqual((first["name"], first["verdict"]), (name, verdict), named(rows))
        side = "before" if verdict == "gone" else "after"
        for row in rows["functions"]:  # it is not there when both sides have as many samples
            if row["name"] == "app::steady":
                self.assertTrue(5 < first["self-" + side] / row["self-" + side] < 12, rows["functions"][:4])
        self.assertGreater(abs(first["self-difference"]), first["self-" + side] / 2, rows["functions"][:4])
        others = sum(abs(row["self-difference"]) for row in rows["functions"][1:])
        self.assertLess(others, abs(first["self-difference"]) / 2, rows["functions"][:4])

    @measured
    def test_a_function_made_slower_is_named(self):
        self.start()
        self.put(src__main_rs=main_of(hot=8))
        before = picture(self.repository)
        rows, result = self.difference("--diff", "HEAD")
        self.assertEqual(rows["diff"]["measure"], "cpu-ns")
        self.assert_first(rows, "app::hot", "slower")
        self.assertIn("CPU time, the working tree against HEAD", result.err)
        # Both runs' output is their own.
        self.assertEqual(len(result.out.split()), 2)
        self.assertEqual(picture(self.repository), before)
        self.assertEqual(self.git("status", "--porcelain"), " M src/main.rs\n")

    @measured
    def test_a_generic_that_was_added_is_new_and_one_that_went_is_gone(self):
        self.start()
        self.put(src__main_rs=main_of(generic=GENERIC, call=" ^ fold_all(&[7u32])"))
        self.commit("generic")
        svg = os.path.join(self.folder, "diff.svg")
        rows, _ = self.difference("--diff", "HEAD~1..HEAD")
        name = rows["functions"][0]["name"]
        self.assertRegex(name, r"^app::fold_all")
        self.assert_first(rows, name, "new")
        rows, _ = self.difference("--diff", "HEAD", "--rev", "HEAD~1", "-o", svg)
        self.assert_first(rows, name, "gone")
        with open(svg, encoding="utf-8") as file:
            self.assertRegex(file.read(), r'<g class="l\d gone"><title>app::fold_all')

    @measured
    def test_a_dependency_that_was_bumped_is_named(self):
        self.start()
        self.put(helper__Cargo_toml=HELPER_MANIFEST % "0.2.0", helper__src__lib_rs=HELPER % 480_000_000)
        rows, result = self.difference("--diff", "HEAD")
        self.assert_first(rows, "helper::checksum", "slower")
        # It is part of what changed.
        self.assertNotIn("Cargo.lock differs", result.err)

    def test_a_base_that_does_not_compile_leaves_the_heads_own_result(self):
        self.start()
        self.put(src__main_rs="fn main() { nothing }")
        self.commit("broken")
        self.put(src__main_rs=main_of())
        svg = os.path.join(self.folder, "head.svg")
        tables = {ending: self.write(f"diff.{ending}", "of an earlier comparison") for ending in ("md", "json", "csv")}
        before = picture(self.repository)
        result = self.cprof("--diff", "HEAD", "-o", svg, *(word for path in tables.values() for word in ("-o", path)))
        self.assertEqual(result.code, 101, result)
        self.assertEqual(picture(self.repository), before)
        self.assertIn("no comparison", result.err)
        self.assertIn("By time in the function itself", result.err)
        self.assertTrue(os.path.exists(svg))
        # Where no picture was asked for, none is written in place of the files that were.
        result = self.cprof("--diff", "HEAD", "-o", tables["md"])
        self.assertEqual(result.code, 101, result)
        self.assertNotIn("flamegraph.svg", result.err)
        self.assertEqual(picture(self.repository), before)
        with open(tables["md"], encoding="utf-8") as file:
            said = file.read()
        self.assertRegex(said, r"^\*\*No comparison: `HEAD \([0-9a-f]{7}\): cargo run failed with exit code 101`\.\*\* "
                         r"Shown is `the working tree` alone\.\n\n\| ")
        self.assertIn("main`", said)
        with open(tables["json"], encoding="utf-8") as file:
            self.assertIn("groups", json.load(file))
        with open(tables["csv"], encoding="utf-8") as file:
            self.assertIn("main", file.read())

    def interrupted(self, svg):
        """Ctrl-C once the file `mark` is there, which what runs writes; the repository stays as it is."""
        mark = os.path.join(self.folder, "mark")
        before = picture(self.repository)
        with subprocess.Popen(["cargo", "cprof", "--diff", "HEAD", "-o", svg], cwd=self.repository, stdin=subprocess.DEVNULL,
                              env=environment(**self.variables(MARK=mark)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            while not os.path.exists(mark):
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=300)
        self.assertEqual(picture(self.repository), before)
        os.unlink(mark)
        return process.returncode, err.decode()

    def test_ctrl_c_ends_the_whole_with_what_was_recorded(self):
        forever = 'fn main() { std::fs::write(std::env::var("MARK").unwrap(), "").unwrap(); loop { std::hint::black_box(1); } }'
        # Of what runs there are samples by then.
        runs_forever = forever.replace("{ ", "{ (0..100_000_000u64).for_each(|i| { std::hint::black_box(i); }); ", 1)
        self.start()
        svg = os.path.join(self.folder, "flame.svg")
        with self.subTest("the head's run"):
            self.put(src__main_rs=runs_forever)
            code, err = self.interrupted(svg)
            self.assertEqual(code, 130, err)
            self.assertRegex(err, r"error: no comparison: ended early: HEAD \([0-9a-f]{7}\) was not run\n")
            self.assertIn("By time in the function itself", err)
            self.assertEqual(err.count("Running"), 1, err)
            self.assertTrue(os.path.exists(svg))
        with self.subTest("the base's run"):
            self.commit("forever")
            self.put(src__main_rs=main_of())
            code, err = self.interrupted(svg)
            self.assertEqual(code, 130, err)
            self.assertRegex(err, r"warning: ended early: compared is what HEAD \([0-9a-f]{7}\) had done until then")
            self.assertIn("compared by share", err)
        with self.subTest("the base's build"):
            self.put(src__main_rs=main_of(3), build_rs=forever)
            self.commit("builds forever")
            os.unlink(os.path.join(self.repository, "build.rs"))
            code, err = self.interrupted(svg)
            self.assertEqual(code, 130, err)
            self.assertRegex(err, r"error: no comparison: HEAD \([0-9a-f]{7}\): cargo run was ended by signal 2")
            self.assertIn("By time in the function itself", err)

    @measured
    def test_a_profile_is_a_base_too_and_the_program_keeps_its_status(self):
        self.start()
        old = os.path.join(self.folder, "old.cprof")
        new = os.path.join(self.folder, "new.cprof")
        self.assertEqual(self.cprof("-o", old).code, 0)
        self.put(src__main_rs=main_of(hot=8, code=7))
        rows, result = self.difference("--diff", old, code=7)
        self.assert_first(rows, "app::hot", "slower")
        self.assertIn("the program ended with 7", result.err)
        self.assertEqual(self.cprof("-o", new).code, 7)
        program = os.path.join(self.repository, "target", "profiling", "app")
        result = self.cprof("--diff", new, "-o", os.path.join(self.folder, "same.md"), "--", program, verb=("exec",))
        self.assertEqual(result.code, 7, result)
        self.assertIn("this run against", result.err)
        result = self.cprof(old, new, "--fail-over", "function:app::hot=50%", verb=("diff",))
        self.assertEqual(result.code, 3, result)
        self.assertIn("function app::hot grew by", result.err)
        result = self.cprof(old, new, "--fail-over", "function:app::steady=500%", "--fail-over", "crate:app=5000%",
                            verb=("diff",))
        self.assertEqual(result.code, 0, result)

    def test_the_kernels_time_is_given_to_no_function_where_it_was_not_sampled(self):
        self.start()
        self.put(src__main_rs=READER)
        little, much = (os.path.join(self.folder, name) for name in ("little.cprof", "much.cprof"))
        for profile, megabytes in ((little, "0"), (much, "8")):
            self.assertEqual(self.cprof("--no-kernel", "-o", profile, "--", megabytes).code, 0)
        rows, result = self.difference(little, much, verb=("diff",))
        self.assertEqual((rows["diff"]["measure"], rows["diff"]["sampled"]), ("cpu-ns", "user"))
        self.assertIn("compared by CPU seconds, the kernel's apart", result.out)
        kernel = rows["functions"][0]
        self.assertEqual((kernel["name"], kernel["verdict"]), ("[kernel]", "slower"), rows["functions"][:3])
        for row in rows["functions"]:  # how fast the processor was may differ, but not what a sample stands for
            if row["name"] == "app::compute":
                self.assertLess(row["self-after"], rows["samples-after"] * 1e9 / 2000 * 1.05)
        # What is left of the whole is the kernel's.
        self.assertGreater(kernel["self-after"], 100_000_000)

    def test_what_a_signal_ended_is_compared_by_share(self):
        profile = os.path.join(self.folder, "short.cprof")
        work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; "
        for end, measure in (("exit 0", "CPU seconds"), ("kill -TERM $$", "share"), ("kill -INT $PPID", "share")):
            with self.subTest(end):
                self.cprof("-o", profile, "--", "sh", "-c", work + end, verb=("exec",))
                result = self.cprof(profile, profile, verb=("diff",))
                self.assertEqual(result.code, 0, result)
                self.assertIn("compared by " + measure, result.out)

    def test_a_base_that_misses_a_file_tells_where_it_ran(self):
        reads = 'fn main() { std::process::exit(if std::fs::read("data").is_ok() { 0 } else { 4 }) }'
        self.start_repository(Cargo_toml=MANIFEST, src__main_rs=reads,
                              helper__Cargo_toml=HELPER_MANIFEST % "0.1.0", helper__src__lib_rs="")
        self.put(data="here")
        result = self.cprof("--diff", "HEAD")
        self.assertIn("the program ended with 4; it ran in its own checkout, which has no files but git's", result.err)

    def test_lines_that_are_left_out_of_a_base_are_told(self):
        base = self.write("base.folded", "a;b 1\na;c\n")
        work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"  # long enough for samples
        result = self.cprof("-q", "--diff", base, "--", "sh", "-c", work, verb=("exec",))
        self.assertEqual(result.code, 0, result)
        self.assertIn("are left out: 1 of 2, the first of them is line 2", result.err)

    def test_a_base_that_is_some_other_text_is_refused_before_anything_runs(self):
        base = self.write("base.txt", "100.0%   0.0%  app 3\n\nTotal\nSelf\n")
        ran = os.path.join(self.folder, "ran")
        result = self.cprof("-q", "--diff", base, "--", "touch", ran, verb=("exec",))
        self.assertEqual(result.code, 1, result)
        self.assertIn("no folded stacks: 2 of 3 lines have another form", result.err)
        self.assertFalse(os.path.exists(ran))

    def test_another_revision_is_recorded_as_the_working_tree_is(self):
        self.start()
        self.put(src__main_rs=main_of(generic=GENERIC, call=" ^ fold_all(&[7u32])"))
        output = os.path.join(self.folder, "first.folded")
        result = self.cprof("--rev", "HEAD", "-o", output)
        self.assertEqual(result.code, 0, result)
        with open(output, encoding="utf-8") as file:
            self.assertNotIn("fold_all", file.read())

    def test_what_cannot_be_compared_is_said_before_anything_is_built(self):
        self.start()
        json_file = self.write("old.json", '{"functions":[]}')
        for arguments, phrase in ((["--diff", "nothing"], "is no file, and no revision"),
                                  (["--diff", json_file], "not a profile"),
                                  (["--diff", "HEAD", "--flamechart"], "cannot be compared"),
                                  (["--measure", "cpu"], "--measure is about a comparison"),
                                  (["--diff", "HEAD", "-o", "x.cprof"], "does not tell the format"),
                                  (["--diff", "HEAD", "--pid", "1"], "is of no revision")):
            result = self.cprof(*arguments)
            self.assertEqual(result.out, "", result)
            self.assertIn(phrase, result.err)
            self.assertNotIn("Compiling", result.err)


class Disk(ProjectTest):
    """A file that one run finds in memory and the other one does not."""

    BYTES = 8 << 20

    # Each page of the file is a fault of its own; what was read stands in the program's own words.
    READS = """
import mmap, os, resource, sys
with open("data", "rb") as data:
    if sys.argv[1] == "anew":
        os.posix_fadvise(data.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    pages = mmap.mmap(data.fileno(), 0, prot=mmap.PROT_READ)
    pages.madvise(mmap.MADV_RANDOM)
    sum(pages[at] for at in range(0, len(pages), 4096))
print(resource.getrusage(resource.RUSAGE_SELF).ru_inblock * 512)
"""

    def setUp(self):
        super().setUp()
        with open(os.path.join(self.folder, "data"), "wb") as data:
            data.write(os.urandom(self.BYTES))
            data.flush()
            os.fsync(data.fileno())

    def record(self, name, how, *options):
        """What the program's child, which reads the file, says that it read in each run."""
        script = self.write("reads.py", self.READS)
        result = run(["cargo", "cprof", "exec", "-q", "-c", "1", "-e", "major-faults", "-o", name, *options, "--",
                      "sh", "-c", f"'{sys.executable}' '{script}' {how}; true"], self.folder)
        self.assertEqual(result.code, 0, result)
        return [int(line) for line in result.out.split()]

    def compare(self, before, after):
        result = run(["cargo", "cprof", "diff", before, after, "-o", "diff.json"], self.folder)
        self.assertEqual(result.code, 0, result)
        with open(os.path.join(self.folder, "diff.json"), encoding="utf-8") as file:
            return json.load(file), result

    def test_reading_from_disks_on_one_side_alone_is_told(self):
        self.record("first.cprof", "again")
        warm = self.record("warm.cprof", "again", "--runs", "2")
        cold = self.record("cold.cprof", "anew", "--runs", "2")
        if max(warm) >= self.BYTES / 4 or min(cold) < self.BYTES:
            self.skipTest(f"the file system keeps what is given up, or forgets the rest: {warm}, {cold}")
        rows, result = self.compare("warm.cprof", "cold.cprof")
        self.assertEqual(rows["diff"]["disks"], "after", rows["diff"])
        read = f"{rows['disk-bytes-after'] / (1 << 20):.1f}MiB"
        self.assertIn(f"cold.cprof read {read} from disks in a run, warm.cprof ", result.out)
        # What is read of programs before and after that is told, too.
        self.assertGreaterEqual(rows["disk-bytes-after"], sum(cold) // 2)
        self.assertLess(rows["disk-bytes-after"], self.BYTES * 2)
        self.assertEqual(self.compare("cold.cprof", "warm.cprof")[0]["diff"]["disks"], "before")
        rows, result = self.compare("cold.cprof", "cold.cprof")
        self.assertNotIn("disks", rows["diff"])
        self.assertNotIn("disks", result.out)


if __name__ == "__main__":
    unittest.main()
