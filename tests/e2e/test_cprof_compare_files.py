"""cargo cprof compare with the file that a build replaces."""

import os
import unittest

from repositories import RepositoryTest

MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
FILE = "target/profiling/app"
NOTE = f"note: the build has replaced {FILE}, which is run as it was before\n"


def says(word):
    return f'fn main() {{ println!("{word} {{:?}}", std::env::args().skip(1).collect::<Vec<_>>()); }}'


class BuiltFiles(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.start_repository(Cargo_toml=MANIFEST, src__main_rs=says("old"), src__parts_rs="")

    def compare(self, *arguments):
        return self.cargo("compare", "--runs", "1", "--no-profile", "--show-output", *arguments, verb="cprof")

    def folder_of_file(self):
        return sorted(os.listdir(os.path.join(self.folder, "work/app/target/profiling")))

    def test_a_file_that_the_build_replaces_is_run_as_it_was(self):
        self.assertEqual(self.compare("HEAD").code, 0)
        beside = self.folder_of_file()
        same = self.compare(FILE)
        self.assertEqual(same.err.count("old []\n"), 2, same)
        self.assertIn(f"warning: {FILE} is what the working tree builds: both sides are the same program", same.err)
        self.put(src__main_rs=says("new"))
        result = self.compare(FILE, "--", "x")
        self.assertEqual(result.code, 0, result)
        self.assertEqual([result.err.count(f'{word} ["x"]\n') for word in ("old", "new")], [1, 1], result)
        self.assertIn(NOTE, result.err)
        self.assertNotIn("warning: " + FILE, result.err)
        # So of a command with words of its own; where nothing is built anew these are what differs.
        self.put(src__main_rs=says("newer"))
        result = self.compare(f"{FILE} y", "--bin", "app")
        self.assertEqual([result.err.count(line) for line in ('\nnew ["y"]\n', "\nnewer []\n", NOTE)], [1, 1, 1], result)
        result = self.compare(f"{FILE} y", "--bin", "app")
        self.assertEqual([result.err.count(line) for line in ('\nnewer ["y"]\n', "\nnewer []\n", "warning: " + FILE)], [1, 1, 0], result)
        self.assertEqual(self.folder_of_file(), beside)


if __name__ == "__main__":
    unittest.main()
