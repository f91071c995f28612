"""cargo cprof --heap: memory of allocators that are linked into the program."""

import platform
import unittest

from heap_recordings import HeapTest
from suite import run


class HeapLinked(HeapTest):
    def built(self, *options, prefix="_rjem_"):
        return self.compiled("linked.c", "-O2", "-fno-builtin", f"-DPREFIX={prefix}", *options, name="linked")

    def own(self, event):
        """What each function has for itself."""
        return {name: row["self"] for name, row in self.functions(event).items() if row["self"] > 0}

    def assert_all_is_told(self, library_bytes):
        self.assertEqual(self.own("heap-end"), {"asks": 4000, "grows": 4000, "asks_otherwise": 1840, "asks_the_library": library_bytes})
        self.assertEqual(self.own("alloc-count"), {"asks": 10, "grows": 3, "asks_otherwise": 4, "asks_the_library": 1})
        self.assertEqual(self.own("alloc-bytes"),
                         {"asks": 10000, "grows": 9100, "asks_otherwise": 2540, "asks_the_library": library_bytes})
        self.assertEqual(self.own("heap-peak"), {"asks": 10000})

    def test_what_it_gives_is_told_as_what_malloc_gives(self):
        protected = "-mbranch-protection=standard" if platform.machine() == "aarch64" else "-fcf-protection=full"
        for options in ((), ("-no-pie",), ("-O0",), (protected,)):
            program = self.built(*options)
            self.assertNotIn("warning", self.record(program), options)
            self.assert_all_is_told(50)

    def test_stacks_of_samples_lead_through_what_was_put_in_between(self):
        self.record(self.built(), "long", options=("--heap",))
        whole = self.report("cpu-clock")["whole"]
        self.assertGreater(whole, 100)
        self.assertNotIn("made at run time", run(["cargo", "cprof", "report", "out.cprof"], self.folder).out)
        self.assertGreater(self.functions("cpu-clock")["ask_long"]["total"], 0.9 * whole)

    def test_sums_of_threads_are_exact(self):
        self.record(self.built(), "threads")
        # The C library asks for one in each thread.
        self.assertAlmostEqual(self.report("alloc-count")["whole"], 200000, delta=8)
        # What each of them keeps, and the library.
        self.assertAlmostEqual(self.report("heap-end")["whole"], 4 * 100 * 24, delta=4000)

    def test_a_child_has_its_own(self):
        self.record(self.built(), "fork")
        self.assertEqual(self.own("heap-end")["child_asks"], 7000)
        self.assertEqual(self.report("heap-end")["whole"], 4000 + 4000 + 1840 + 50 + 7000)

    def test_one_with_the_names_of_the_c_library_is_known_by_its_others(self):
        self.assertNotIn("warning", self.record(self.built(prefix="")))
        self.assert_all_is_told(50)
        # Exported, they are found in what was stripped, too.
        self.assertNotIn("warning", self.record(self.built("-rdynamic", "-s", prefix="")))
        self.assertEqual(self.report("heap-end")["whole"], 4000 + 4000 + 1840 + 50)

    def test_a_child_that_becomes_such_a_program_tells_too(self):
        self.assertNotIn("warning", self.record("sh", "-c", f"{self.built()}; true"))
        self.assertEqual(self.own("alloc-bytes")["asks"], 10000)

    def test_where_one_function_cannot_be_none_is_followed(self):
        for options in (("-DCANNOT_BE_MOVED",), ("-DRELOCATED", "-Wl,-z,notext")):
            said = self.record(self.built(*options))
            self.assertIn("warning: what jemalloc gives is not in the heap's figures", said, options)
            self.assertEqual(self.report("alloc-bytes")["whole"], 50, options)

    def test_a_recording_is_drawn_and_converted_without_a_warning(self):
        said = self.record(self.built(), options=("-e", "heap", "-o", "out.pb.gz", "-o", "out.svg"))
        self.assertNotIn("warning", said)
        for name in ("out.pb.gz", "out.cprof"):
            self.assertEqual(run(["cargo", "cprof", "report", name, "--event", "heap-end"], self.folder).err, "", name)


if __name__ == "__main__":
    unittest.main()
