"""Each lint check finds what it is for: one bad sample for each thing that it demands.

usage: selftest.py COMPILER
"""

import os
import sys
import tempfile
import unittest

import format as layout
import headers
import layers
import paths
import preload
import python_tests
import registered
import sizes
import skipped
import startup

COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "cc"
GUARD = "#ifndef X_{0}\n#define X_{0}\n{1}\n#endif\n"


class Case(unittest.TestCase):
    """A small tree of sources for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def header(self, name, text=""):
        self.write(name, GUARD.format(name.upper().translate(str.maketrans("/.-", "___")), text))

    def assert_finds(self, findings, *words):
        """Exactly one finding, which holds all the words."""
        self.assertEqual(len(findings), 1, findings)
        for word in words:
            self.assertIn(word, findings[0])


class Layers(Case):
    def setUp(self):
        super().setUp()
        self.header("common/base/text.h")
        self.header("common/elf/image.h", '#include "base/text.h"')
        self.header("common/json/json_in.h", '#include "base/text.h"')
        self.header("cargo-bloatc/bloatc.h", '#include "elf/image.h"')
        self.header("cargo-cprof/view/rows.h")
        self.write("cargo-cprof/main.c", '#include "view/rows.h"\n')

    def test_lower_ranks_and_the_own_folder_are_fine(self):
        self.write("common/elf/image.c", '#include "elf/image.h"\n#include "base/text.h"\n')
        self.assertEqual(layers.find(self.root), [])

    def test_a_higher_rank_is_found(self):
        self.write("common/base/text.c", '#include "elf/image.h"\n')
        self.assert_finds(layers.find(self.root), "common/base/text.c", "rank 0", "rank 1")

    def test_the_same_rank_is_found(self):
        self.write("common/json/json_in.c", '#  include "elf/image.h"\n')
        self.assert_finds(layers.find(self.root), "common/json/json_in.c", "may not include elf")

    def test_a_tool_that_includes_a_tool_is_found(self):
        self.write("cargo-bloatc/main.c", '#include "../cargo-cprof/view/rows.h"\n')
        self.assert_finds(layers.find(self.root), "cargo-bloatc/main.c", "goes up")
        self.write("cargo-bloatc/main.c", '#include "view/rows.h"\n')
        self.assert_finds(layers.find(self.root), "cargo-bloatc/main.c", "no header")

    def test_common_that_includes_a_tool_is_found(self):
        self.write("common/elf/image.c", '#include "bloatc.h"\n')
        self.assert_finds(layers.find(self.root), "common/elf/image.c", "no header")

    def test_an_included_source_file_is_found(self):
        self.write("common/elf/image.c", "")
        self.write("tests/unit/test_image.c", '#include "elf/image.c"\n')
        self.assert_finds(layers.find(self.root), "tests/unit/test_image.c", "never included")

    def test_folders_of_a_tool_have_ranks_too(self):
        self.header("cargo-cprof/record/record.h", '#include "view/rows.h"')
        self.assertEqual(layers.find(self.root), [])
        self.write("cargo-cprof/view/rows.c", '#include "record/record.h"\n')
        self.assert_finds(layers.find(self.root), "cargo-cprof/view/rows.c", "may not include record")

    def test_a_folder_that_includes_what_stands_above_all_folders_is_found(self):
        self.header("cargo-cprof/command_line.h")
        self.write("cargo-cprof/view/rows.c", '#include "command_line.h"\n')
        self.assert_finds(layers.find(self.root), "cargo-cprof/view/rows.c", "may not include")

    def test_a_header_that_two_tools_have_alike_is_found(self):
        self.header("cargo-cprof/view/rows.h")
        self.header("cargo-llvmlines/view/lines.h")
        self.assertEqual(layers.find(self.root), [])
        self.header("cargo-llvmlines/view/rows.h")
        self.assert_finds(layers.find(self.root), "cargo-llvmlines/view/rows.h", "cargo-cprof has a header of this name")

    def test_a_folder_without_a_rank_is_found(self):
        self.header("common/misc/things.h")
        self.assert_finds(layers.find(self.root), "common/misc/things.h", "no rank")

    def test_a_document_that_names_what_is_gone_is_found(self):
        folders = "".join(f"`{top}/{folder}/` " for top, ranks in layers.RANKS.items() for group in ranks for folder in group)
        self.write("docs/architecture.md", folders + "`base/text` ► view/rows")
        self.assertEqual(layers.find(self.root), [])
        self.write("docs/architecture.md", folders + "`base/texts`")
        self.assert_finds(layers.find(self.root), "docs/architecture.md", "no base/texts")
        self.write("docs/architecture.md", folders.replace("`common/git/`", ""))
        self.assert_finds(layers.find(self.root), "docs/architecture.md", "common/git")

    def test_a_cycle_is_found(self):
        self.header("common/elf/a.h", '#include "elf/b.h"')
        self.header("common/elf/b.h", '#include "elf/a.h"')
        self.assert_finds(layers.find(self.root), "cycle", "a.h -> ")


class Sizes(Case):
    def test_the_limits_themselves_are_fine(self):
        self.write("common/base/a.c", "\n" * 500)
        self.write("common/base/a.h", "\n" * 150)
        self.write("tests/e2e/test_a.py", "\n" * 500)
        self.assertEqual(sizes.find(self.root), [])

    def test_one_line_more_is_found(self):
        self.write("common/base/a.c", "\n" * 501)
        self.assert_finds(sizes.find(self.root), "a.c", "501", "500")

    def test_a_long_header_is_found(self):
        self.write("common/base/a.h", "\n" * 151)
        self.assert_finds(sizes.find(self.root), "a.h", "151", "150")

    def test_a_long_test_in_python_is_found(self):
        self.write("tests/e2e/test_a.py", "\n" * 501)
        self.assert_finds(sizes.find(self.root), "test_a.py", "501", "500")

    def test_a_table_may_be_long_but_holds_no_function(self):
        self.write("common/base/option_table.c", "int a[] = {\n" + "1,\n" * 600 + "};\n")
        self.assertEqual(sizes.find(self.root), [])
        self.write("common/base/option_table.c", "\n" * 600 + "int f(void)\n{\n}\n")
        self.assert_finds(sizes.find(self.root), "option_table.c", "must not define functions")


class Headers(Case):
    def test_a_header_that_needs_another_one_is_found(self):
        self.header("common/base/good.h", "#include <stddef.h>\nsize_t good(void);")
        self.header("common/base/bad.h", "size_t bad(void);")
        self.assert_finds(headers.find(self.root, COMPILER), "common/base/bad.h", "size_t")

    def test_a_header_of_a_tool_finds_its_neighbours(self):
        self.header("cargo-bloatc/a.h")
        self.header("cargo-bloatc/view/b.h", '#include "a.h"')
        self.assertEqual(headers.find(self.root, COMPILER), [])


class Layout(Case):
    def test_code_in_another_layout_is_found(self):
        program = layout.program()
        if program is None:
            self.skipTest("clang-format of the right version is not here")
        self.write(".clang-format", "BasedOnStyle: LLVM\n")
        self.write("common/base/good.c", "int good;\n")
        self.write("common/base/bad.c", "int   bad ;\nint   worse ;\n")
        self.assert_finds(layout.find(self.root, program), "bad.c:1")


class Startup(unittest.TestCase):
    def test_libc_alone_is_fine(self):
        self.assertEqual(startup.judge("cargo-llvmlines", {"libc", "ld-linux-x86-64"}, {"libc"}), [])

    def test_a_library_beyond_the_list_is_found(self):
        for name in ("cargo-bloatc", "cargo-llvmlines", "cargo-cprof"):
            self.assertEqual(len(startup.judge(name, {"libc", "libelf"}, {"libc", "libelf"})), 1)

    def test_a_library_that_another_one_brings_is_found(self):
        findings = startup.judge("cargo-bloatc", {"libc"}, {"libc", "libdw"})
        self.assertEqual(len(findings), 1)
        self.assertIn("libdw", findings[0])

    def test_the_libraries_of_a_real_program_are_read(self):
        self.assertIn("libc", startup.needed("/bin/sh"))
        self.assertIn("libc", startup.loaded("/bin/sh"))


class Preload(unittest.TestCase):
    def test_functions_of_libc_are_fine(self):
        self.assertEqual(preload.judge("libheap.so", {"memcpy", "strlen"}), [])

    def test_a_function_of_the_compilers_library_is_found(self):
        findings = preload.judge("libheap.so", {"memcpy", "__aarch64_cas8_relax"})
        self.assertEqual(len(findings), 1)
        self.assertIn("__aarch64_cas8_relax", findings[0])

    def test_the_symbols_of_a_real_program_are_read(self):
        self.assertIn("__libc_start_main", preload.asked_for(os.path.realpath("/bin/sh")))


class Paths(Case):
    def findings_of(self, text):
        self.write("docs/a.md", text)
        return paths.find(self.root)

    def test_a_path_of_one_machine_is_found(self):
        self.assert_finds(self.findings_of("built in /" + "work/main\n"), "docs/a.md:1")
        self.assert_finds(self.findings_of("\n\"/" + "root/.cargo\"\n"), "docs/a.md:2")

    def test_a_host_of_a_registry_is_found(self):
        self.assert_finds(self.findings_of("from https://index." + "crates.io/x"), "docs/a.md:1")
        self.assert_finds(self.findings_of("deb http://deb." + "debian.org/debian"), "docs/a.md:1")

    def test_the_crate_site_and_a_folder_of_that_name_are_fine(self):
        self.assertEqual(self.findings_of("on crates.io; my/work/x; src/index.crates.io-1949cf8c6b5b557f/"), [])


class Registered(Case):
    TEST = "static void {0}(void **state)\n{{\n}}\n"
    MAIN = ("int main(void)\n{{\n    const struct CMUnitTest tests[] = {{{0}}};\n"
            "    return cmocka_run_group_tests{1};\n}}\n")

    def unit(self, text):
        self.write("tests/unit/test_a.c", text)
        return registered.find(self.root, {"tests/unit/test_a.c", "tests/fuzz/fuzz_a.c"})

    def test_a_test_that_is_run_is_fine(self):
        text = self.TEST.format("one") + self.MAIN.format("cmocka_unit_test(one)", "_name(\"a\", tests, 0, 0)")
        self.assertEqual(self.unit(text), [])

    def test_a_test_that_is_not_run_is_found(self):
        text = (self.TEST.format("one") + self.TEST.format("two") +
                self.MAIN.format("cmocka_unit_test(one), /* cmocka_unit_test(two) */", "(tests, 0, 0)"))
        self.assert_finds(self.unit(text), "test_a.c", "two is never run")

    def test_a_list_that_is_not_run_is_found(self):
        text = self.TEST.format("one") + self.MAIN.format("cmocka_unit_test(one)", "(others, 0, 0)")
        self.assert_finds(self.unit(text), "list tests")

    def test_a_file_of_no_target_is_found(self):
        self.write("tests/unit/a_test.c", "")
        self.assert_finds(self.unit(""), "a_test.c", "no target")

    def test_a_fuzz_target_without_a_corpus_is_found(self):
        self.write("tests/fuzz/fuzz_a.c", "")
        self.assert_finds(self.unit(""), "fuzz_a.c", "no corpus")
        self.write("tests/fuzz/corpus/a/seed", "x")
        self.assertEqual(self.unit(""), [])


class PythonTests(Case):
    BASE = "class Base(unittest.TestCase):\n    pass\n"
    RUN = "unittest.main(verbosity=1)\n"

    def of(self, text, base=BASE, listing="file(GLOB x ${CMAKE_CURRENT_SOURCE_DIR}/test_*.py)\n"):
        self.write("tests/e2e/base.py", base)
        self.write("tests/e2e/test_a.py", text)
        self.write("tests/e2e/CMakeLists.txt", listing)
        return python_tests.find(self.root)

    def test_tests_that_are_run_are_fine(self):
        text = "class A(Base):\n    def test_x(self): pass\n    def test_y(self): pass\n" + self.RUN
        self.assertEqual(self.of(text), [])
        self.assertEqual(self.of(text, listing="add_test(NAME a COMMAND python3 ${HERE}/test_a.py)\n"), [])

    def test_a_test_that_another_one_replaces_is_found(self):
        text = "class A(Base):\n    def test_x(self): pass\n    def test_x(self): pass\n" + self.RUN
        self.assert_finds(self.of(text), "test_a.py", "A.test_x", "twice")
        text = ("class A(Base):\n    def test_x(self): pass\n" * 2) + self.RUN
        self.assert_finds(self.of(text), "test_a.py", "A stands there twice")

    def test_a_test_of_no_test_case_is_found(self):
        text = "class A(Base):\n    def test_x(self): pass\n" + self.RUN
        self.assert_finds(self.of(text, base="class Base:\n    pass\n"), "A is no TestCase")
        self.assert_finds(self.of("def test_x(): pass\n" + self.RUN), "test_x is in no class")

    def test_a_file_that_runs_nothing_is_found(self):
        self.assert_finds(self.of(""), "test_a.py", "unittest.main")

    def test_a_file_that_nobody_runs_is_found(self):
        self.assert_finds(self.of(self.RUN, listing="/test_ab.py\n"), "test_a.py", "CMakeLists.txt")


class Skipped(unittest.TestCase):
    def test_reasons_are_counted_by_what_they_say(self):
        log = """
1/2 Test: e2e/test_a
test_x (__main__.A.test_x) ... skipped 'takes root'
test_y (__main__.A.test_y)
What it is for. ... skipped "the kernel's rings are small"
test_z (__main__.A.test_z) ... ok
test_w (__main__.A.test_w) ... skipped 'takes root'
OK (skipped=3)
2/2 Test: unit/test_b
[  SKIPPED ] a_device_stays_one
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] a_device_stays_one

 1 SKIPPED TEST(S)
"""
        self.assertEqual(skipped.summary(skipped.reasons(log.splitlines())),
                         "4 tests were skipped within those that ran:\n    2  takes root\n"
                         "    1  the kernel's rings are small\n    1  unit/test_b: a_device_stays_one\n")

    def test_where_none_was_it_says_so(self):
        self.assertEqual(skipped.summary(skipped.reasons(["OK"])), "no test was skipped within those that ran\n")


if __name__ == "__main__":
    unittest.main()
