"""cargo bloatc with real cargo on the example workspace."""

import json
import os
import shutil
import subprocess
import unittest

from suite import EXAMPLES, MANGLED, SCRATCH, SOURCE, run, unit_files

TARGET = os.path.join(SCRATCH, "examples-target")


def bloatc(folder, *arguments, **changes):
    return run(["cargo", "bloatc", *arguments], folder, **changes)


def text_section_bytes(path):
    """The size of .text, as binutils reads it."""
    printed = subprocess.run(["readelf", "-SW", path], check=True, stdout=subprocess.PIPE).stdout.decode()
    for line in printed.splitlines():
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == ".text":
            return int(words[5], 16)
    raise AssertionError(printed)


def object_member(archive):
    """The first member that is an ELF file, with its header."""
    at = archive.index(b"\x7fELF")
    size = int(archive[at - 12:at - 2])
    return archive[at - 60:at + size + size % 2]


class OnTheExamples(unittest.TestCase):
    def bloatc(self, *arguments):
        return bloatc(EXAMPLES, "--target-dir", TARGET, *arguments)

    def test_rows_add_up_to_the_section_exactly(self):
        result = self.bloatc("--release", "--bin", "crunch", "--format", "json")
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        path = os.path.join(TARGET, "release", "crunch")
        self.assertEqual(report["file-size"], os.path.getsize(path))
        self.assertEqual(report["text-section-size"], text_section_bytes(path))
        self.assertEqual(sum(row["size"] for row in report["functions"]), report["text-section-size"])
        self.assertEqual([row["name"] for row in report["functions"] if row["name"].startswith("[")], ["[padding]"])

    def test_a_rlib_is_accounted_for_to_the_last_byte(self):
        self.assertEqual(self.bloatc("--release", "--bin", "crunch", "--quiet").code, 0)
        rlib = unit_files(os.path.join(TARGET, "release"), "*.rlib")[0]
        report = json.loads(bloatc(EXAMPLES, rlib, "--data", "--format", "json", "--quiet").out)
        self.assertEqual(report["file-size"], os.path.getsize(rlib))
        self.assertEqual(sum(row["size"] for row in report["functions"]), os.path.getsize(rlib))

    def test_an_archive_of_any_number_of_members_is_accounted_for(self):
        with open(os.path.join(SOURCE, "tests", "fixtures", "elf", "two-objects.a"), "rb") as file:
            member = object_member(file.read())
        path = os.path.join(SCRATCH, "many.a")
        for count in range(1, 20):
            with open(path, "wb") as file:
                file.write(b"!<arch>\n" + member * count + b"%-48s%-10d`\n" % (b"text/", 4) + b"text")
            result = bloatc(EXAMPLES, path, "--data", "--format", "json", "--quiet")
            self.assertEqual(result.code, 0, (count, result))
            self.assertEqual(sum(row["size"] for row in json.loads(result.out)["functions"]), os.path.getsize(path), count)

    def test_a_picture_of_data_has_its_pieces(self):
        picture = os.path.join(SCRATCH, "data.svg")
        result = self.bloatc("--release", "--bin", "crunch", "--by", "data", "-o", picture)
        self.assertEqual(result.code, 0, result)
        with open(picture, encoding="utf-8") as file:
            self.assertIn("<title>.rodata", file.read())

    def test_crates_add_up_to_the_same(self):
        result = self.bloatc("--release", "--bin", "crunch", "--crates", "--format", "json")
        report = json.loads(result.out)
        self.assertEqual(sum(row["size"] for row in report["crates"]), report["text-section-size"])
        self.assertLessEqual({"std", "crunch", "textindex"}, {row["name"] for row in report["crates"]})

    def test_with_data_all_rows_add_up_to_the_file(self):
        path = os.path.join(TARGET, "release", "crunch")
        for by in ("function", "generic", "crate", "module"):
            result = self.bloatc("--release", "--bin", "crunch", "--data", "--by", by, "--format", "json")
            self.assertEqual(result.code, 0, result)
            report = json.loads(result.out)
            kinds = ("code", "data", "unwind", "relocation", "symbol", "other")
            self.assertEqual(report["file-size"], os.path.getsize(path))
            self.assertEqual(sum(row["size"] for row in report[by + "s"]), report["file-size"])
            for row in report[by + "s"]:
                self.assertEqual(sum(row[kind + "-size"] for kind in kinds), row["size"], row)
        crates = {row["name"]: row for row in json.loads(
            self.bloatc("--release", "--bin", "crunch", "--data", "--crates", "--format", "json").out)["crates"]}
        for name in ("std", "crunch"):
            self.assertGreater(crates[name]["data-size"], 0)
            self.assertGreater(crates[name]["unwind-size"], 0)
            self.assertGreater(crates[name]["symbol-size"], 0)

    def test_pieces_of_data_add_up_and_most_have_an_owner(self):
        result = self.bloatc("--release", "--bin", "crunch", "--by", "data", "--format", "json")
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        crates = json.loads(self.bloatc("--release", "--bin", "crunch", "--data", "--crates", "--format", "json").out)
        total = sum(row["size"] for row in report["data"])
        self.assertEqual(total, sum(row["data-size"] for row in crates["crates"]))
        owned = sum(row["size"] for row in report["data"] if row["owner"] in ("function", "crate"))
        self.assertGreater(owned, 0.9 * total)
        self.assertTrue([row for row in report["data"] if row.get("name", "").startswith("vtable of ")])

    def test_a_file_gives_the_same_as_the_build_that_made_it(self):
        built = self.bloatc("--release", "--bin", "crunch", "--format", "json")
        named = bloatc(EXAMPLES, os.path.join(TARGET, "release", "crunch"), "--format", "json")
        # Only the build tells that a crate such as hashbrown can be std's alone; by that go rows of one size.
        keys = ("size", "name", "symbol")
        rows = [
            sorted([row.get(key) or "" for key in keys] for row in json.loads(result.out)["functions"])
            for result in (built, named)
        ]
        self.assertEqual(rows[0], rows[1])

    def test_of_a_file_with_v0_names_what_std_was_built_with_is_stds(self):
        """Its units stand behind those of all other crates; mangling tells it only where the program's names are legacy ones."""
        target = TARGET + "-v0"
        self.assertEqual(bloatc(EXAMPLES, "--target-dir", target, "--release", "--bin", "crunch", "-q", **MANGLED["v0"]).code, 0)
        report = json.loads(bloatc(EXAMPLES, os.path.join(target, "release", "crunch"), "-n", "0", "--format", "json").out)
        rows = [row for row in report["functions"] if row["name"].startswith(("memchr::", "rustc_demangle::"))]
        self.assertEqual({row["name"].partition("::")[0] for row in rows}, {"memchr", "rustc_demangle"})
        self.assertEqual({row["crate"] for row in rows}, {"std"})
        self.assertNotIn("inferred", {row["crate-source"] for row in rows})

    def test_both_manglings_give_the_same_sizes_and_crates(self):
        target = {mangling: f"{TARGET}-{mangling}" for mangling in MANGLED}
        crates = {}
        for mangling, changes in MANGLED.items():
            result = bloatc(EXAMPLES, "--target-dir", target[mangling], "--release", "--bin", "crunch", "--crates", "--format", "json",
                            **changes)
            self.assertEqual(result.code, 0, result)
            crates[mangling] = {row["name"]: row["size"] for row in json.loads(result.out)["crates"]}
        legacy, v0 = crates.values()
        # std's own part is the same code either way; crates of the workspace are instantiated alike.
        self.assertEqual(set(legacy), set(v0))
        for crate in ("textindex", "crunch"):
            self.assertAlmostEqual(legacy[crate], v0[crate], delta=0.02 * legacy[crate] + 64, msg=crate)
        said = "instances of generics are new on one side and gone on the other"
        before, after = (os.path.join(target[mangling], "release", "crunch") for mangling in ("v0", "legacy"))
        self.assertIn(said, bloatc(EXAMPLES, after, "--diff", before).err)
        self.assertNotIn(said, bloatc(EXAMPLES, after, "--crates", "--diff", before).err)

    def test_an_incremental_build_has_the_crates_of_one_that_is_not(self):
        plain = json.loads(
            bloatc(
                EXAMPLES, "--target-dir", TARGET + "-whole", "--bin", "crunch", "--crates", "--format", "json", "--quiet",
                CARGO_INCREMENTAL="0",
            ).out
        )
        sizes = {row["name"]: row["size"] for row in plain["crates"] if row["name"] != "[Unknown]"}
        self.assertIn("weblog", sizes)
        self.assertNotIn("hashbrown", sizes)
        built = self.bloatc("--bin", "crunch", "--crates", "--format", "json", "--quiet")
        file = bloatc(EXAMPLES, os.path.join(TARGET, "debug", "crunch"), "--crates", "--format", "json", "--quiet")
        for result in (built, file):
            rows = {row["name"]: row["size"] for row in json.loads(result.out)["crates"]}
            for name in ("weblog", "crunch", "textindex", "std"):
                # The order of the objects is another, and so are lengths of some instructions.
                self.assertAlmostEqual(rows[name], sizes[name], delta=200, msg=name)
            self.assertNotIn("hashbrown", rows)

    def test_nothing_is_built_again(self):
        self.bloatc("--release", "--bin", "crunch")
        again = self.bloatc("--release", "--bin", "crunch")
        self.assertNotIn("Compiling", again.err)
        self.assertIn("Analyzing", again.err)

    def test_verbose_tells_the_commands_of_cargo(self):
        result = self.bloatc("--release", "--bin", "crunch", "-v")
        self.assertIn("Running `", result.err)
        self.assertIn("cargo metadata --no-deps --format-version=1 --quiet`", result.err)
        self.assertIn("cargo build --message-format=json-render-diagnostics --target-dir=", result.err)

    def test_an_unoptimised_build_is_noted_unless_quiet(self):
        note = "not optimised (profile dev), so its sizes are not what ships: add --release"
        self.assertIn(note, self.bloatc("--bin", "crunch").err)
        self.assertEqual(self.bloatc("--bin", "crunch", "-q").err, "")
        self.assertNotIn("note:", self.bloatc("--bin", "crunch", "--release").err)
        self.assertNotIn("note:", bloatc(EXAMPLES, os.path.join(TARGET, "debug", "crunch")).err)

    def test_two_binaries_are_listed_as_commands_before_anything_is_built(self):
        result = bloatc(EXAMPLES, "--target-dir", os.path.join(SCRATCH, "never-built"))
        self.assertEqual(result.code, 2, result)
        self.assertIn(f"cargo bloatc --target-dir {os.path.join(SCRATCH, 'never-built')} --bin crunch", result.err)
        self.assertIn("--bin logreport", result.err)
        self.assertNotIn("Compiling", result.err)
        self.assertFalse(os.path.exists(os.path.join(SCRATCH, "never-built", "debug")))

    def test_an_example_a_test_and_a_benchmark_are_measured_too(self):
        for kind, name in (("example", "search"), ("test", "report"), ("bench", "index")):
            result = self.bloatc("--" + kind, name, "--format", "json")
            self.assertEqual(result.code, 0, result)
            report = json.loads(result.out)
            self.assertEqual(sum(row["size"] for row in report["functions"]), report["text-section-size"])

    def test_a_copy_of_what_was_built_does_not_differ_from_it(self):
        before = os.path.join(SCRATCH, "crunch.before")
        self.assertEqual(self.bloatc("--release", "--bin", "crunch").code, 0)
        shutil.copy(os.path.join(TARGET, "release", "crunch"), before)
        for table in ("function", "crate", "generic"):
            result = self.bloatc("--release", "--bin", "crunch", "--by", table, "--diff", before, "--fail-over", "0")
            self.assertEqual(result.code, 0, result)
            self.assertIn("nothing changed", result.out)

    def test_output_to_a_pipe_is_not_cut_and_has_no_colour(self):
        result = self.bloatc("--release", "--bin", "crunch", "-n", "0")
        self.assertNotIn("\x1b", result.out)
        self.assertFalse([line for line in result.out.splitlines() if line.endswith("...")])

    def test_on_a_terminal_there_is_colour_unless_the_environment_says_never(self):
        for changes, has_color in (({}, True), ({"CARGO_TERM_COLOR": "never"}, False), ({"NO_COLOR": "1"}, False)):
            result = run(["script", "-qec", f"cargo-bloatc {TARGET}/release/crunch -q -n 1", "/dev/null"], "/", TERM="xterm", **changes)
            self.assertEqual((result.code, "\x1b[" in result.out), (0, has_color), result)

    def test_the_same_run_prints_the_same(self):
        first = self.bloatc("--release", "--bin", "crunch", "-n", "0")
        second = self.bloatc("--release", "--bin", "crunch", "-n", "0")
        self.assertEqual(first.out, second.out)

    def test_a_reader_that_stops_early_is_no_failure(self):
        command = f"cargo bloatc --target-dir {TARGET} --release --bin crunch -n 0 -q | head -n 1"
        result = run(["bash", "-o", "pipefail", "-c", command], EXAMPLES)
        self.assertEqual(result.code, 0, result)
        self.assertEqual(len(result.out.splitlines()), 1)
        self.assertEqual(result.err, "")

    def test_outputs_are_written_in_the_format_of_their_names(self):
        out = os.path.join(SCRATCH, "outputs")
        os.makedirs(out, exist_ok=True)
        paths = [os.path.join(out, name) for name in ("size.json", "size.csv", "size.md", "size.txt")]
        arguments = [word for path in paths for word in ("-o", path)]
        result = self.bloatc("--release", "--bin", "crunch", *arguments)
        self.assertEqual(result.code, 0, result)
        contents = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                contents.append(file.read())
        self.assertIn("functions", json.loads(contents[0]))
        self.assertTrue(contents[1].startswith("size,crate,crate-source,name,"))
        self.assertTrue(contents[2].startswith("| File | .text |"))
        self.assertEqual(contents[3], result.out)


def tearDownModule():
    shutil.rmtree(os.path.join(SCRATCH, "never-built"), ignore_errors=True)


if __name__ == "__main__":
    unittest.main(verbosity=1)
