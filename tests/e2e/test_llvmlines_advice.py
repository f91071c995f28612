"""Advice of cargo llvmlines: of each kind a crate that brings it about (tests/fixtures/advice/KIND.rs), and one that
is like it but must not (KIND_not.rs)."""

import glob
import json
import os
import unittest

from suite import SOURCE, ProjectTest, run

FIXTURES = os.path.join(SOURCE, "tests", "fixtures", "advice")
KINDS = {
    "outline": "outline::describe",
    "closures": "closures::retry",
    "boxing": "alloc::slice::<impl [_]>::sort_by",
    "iterators": "chains of iterators",
    "derive_debug": "derive(Debug)",
    "display": "Display",
    "derive_serde": "derive(Deserialize)",
    "drop_glue": "dropping enums of many variants",
}


class Advice(ProjectTest):
    def package(self, name, source, dependencies=""):
        self.write(
            f"{name}/Cargo.toml",
            f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{dependencies}',
        )
        self.write(f"{name}/src/lib.rs", source)

    def fixtures(self):
        names = [os.path.basename(path)[:-3] for path in sorted(glob.glob(os.path.join(FIXTURES, "*.rs")))]
        for name in names:
            with open(os.path.join(FIXTURES, name + ".rs"), encoding="utf-8") as file:
                self.package(name, file.read())
        self.write("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = " + json.dumps(names) + "\n")
        return names

    def report(self, *arguments):
        result = run(["cargo", "llvmlines", "--format", "json", "-q", *arguments], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def advice(self, *arguments):
        return self.report(*arguments)["advice"]


class Kinds(Advice):
    def test_each_is_given_for_the_crate_made_for_it_and_not_for_its_counterpart(self):
        names = self.fixtures()
        self.assertEqual(sorted([*KINDS, *(kind + "_not" for kind in KINDS), "crates"]), names)
        for profile in [], ["--release"]:
            self.report(*profile, "--workspace")  # compiles all at once
            for name in names:
                with self.subTest(name=name, profile=profile):
                    found = self.advice(*profile, "-p", name)
                    if name not in KINDS:
                        self.assertEqual(found, [])
                        continue
                    self.assertEqual([advice["kind"] for advice in found], [name.replace("_", "-")])
                    self.assertEqual(found[0]["name"], KINDS[name])
                    self.assertGreaterEqual(found[0]["bound"], 300)
                    self.assertGreaterEqual(found[0]["lines"], found[0]["bound"])


if __name__ == "__main__":
    unittest.main()
