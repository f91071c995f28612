"""Stripped programs that keep the names of their functions packed, as those of Fedora do (GDB manual, "MiniDebugInfo")."""

import json
import lzma
import os
import subprocess
import unittest

from recordings import exec_command, folded
from suite import ProjectTest, run

SOURCE = """
#[inline(never)]
fn burn(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, round| std::hint::black_box(sum * 31 + round))
}

fn main() {
    std::process::exit((burn(400_000_000) % 2) as i32 * 0);
}
"""


def functions_of(path):
    """Those of .text, as nm has them for GDB's recipe."""
    printed = subprocess.run(["nm", "--format=posix", "--defined-only", path], check=True, stdout=subprocess.PIPE)
    rows = [line.split() for line in printed.stdout.decode().splitlines()]
    return sorted({row[0] for row in rows if row[1] in "Tt"})


class PackedNames(ProjectTest):
    def setUp(self):
        super().setUp()
        self.full = os.path.join(self.folder, "full")
        self.mini = os.path.join(self.folder, "mini")
        source = self.write("burn.rs", SOURCE)
        subprocess.run(["rustc", "-O", "-o", self.full, source], check=True)
        self.pack()

    def pack(self):
        debug, table = (os.path.join(self.folder, name) for name in ("debug", "table"))
        keep = self.write("keep", "\n".join(functions_of(self.full)))
        subprocess.run(["objcopy", "--only-keep-debug", self.full, debug], check=True)
        subprocess.run(["objcopy", "-S", f"--keep-symbols={keep}", debug, table], check=True)
        with open(table, "rb") as file, lzma.open(table + ".xz", "wb") as packed:
            packed.write(file.read())
        strip = ["objcopy", "--strip-all", "--add-section", f".gnu_debugdata={table}.xz", self.full, self.mini]
        subprocess.run(strip, check=True)

    def test_a_recording_has_them(self):
        result = run(exec_command("-o", "out.folded", "--", self.mini), self.folder)
        self.assertEqual(result.code, 0, result)
        stacks = folded(os.path.join(self.folder, "out.folded"))
        within = sum(count for names, count in stacks if "burn::burn" in names)
        self.assertGreater(within, 0.9 * sum(count for _, count in stacks))
        self.assertNotRegex(result.err, "in mini, because|in mini.*stripped")

    def rows(self, path):
        result = run(["cargo", "bloatc", path, "--quiet", "--format", "json"], self.folder)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        self.assertEqual(sum(row["size"] for row in report["functions"]), report["text-section-size"])
        return {(row["name"], row["size"]) for row in report["functions"] if row["name"][0] != "["}

    def test_the_size_of_each_function_is_that_of_the_program_before_it_was_stripped(self):
        packed = self.rows(self.mini)
        self.assertGreater(len(packed), 100)
        # What is neither global nor local (weak) is not in GDB's recipe.
        self.assertGreaterEqual(len(packed & self.rows(self.full)), len(packed) - 5)

    def test_what_is_damaged_is_told(self):
        with open(os.path.join(self.folder, "table.xz"), "r+b") as file:
            file.truncate(1000)
        part = f".gnu_debugdata={self.folder}/table.xz"
        subprocess.run(["objcopy", "--strip-all", "--add-section", part, self.full, self.mini], check=True)
        why = "mini: .gnu_debugdata: what was packed with xz is damaged"
        result = run(["cargo", "bloatc", self.mini], self.folder)
        self.assertEqual(result.code, 1, result)
        self.assertIn(why, result.err)
        result = run(exec_command("-o", "out.cprof", "--", self.mini), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertIn(why, result.err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
