"""cargo cprof annotate: lines of source and instructions, with what was sampled in each."""

import json
import os
import platform
import re
import shutil
import subprocess
import time
import unittest

from recordings import exec_command, paranoid
from suite import SOURCE, ProjectTest, measured, run

LINES = os.path.join(SOURCE, "tests", "e2e", "stacks", "lines.c")
if platform.machine() == "x86_64":
    CALL, ADDING, AS_OBJDUMP = "call", "incl (%rdi)", {}
else:
    CALL, ADDING = "bl", "ldr w1, [x0]\\nadd w1, w1, #1\\nstr w1, [x0]"
    AS_OBJDUMP = {"movz": "mov", "movn": "mov", "b.hs": "b.cs", "b.lo": "b.cc"}  # capstone has both from the architecture


def line_with(path, text):
    with open(path, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


class Annotate(ProjectTest):
    def setUp(self):
        super().setUp()
        self.source = os.path.join(self.folder, "src", "lines.c")
        os.mkdir(os.path.dirname(self.source))
        shutil.copyfile(LINES, self.source)
        past = time.time() - 100
        os.utime(self.source, (past, past))

    def build(self, *flags):
        subprocess.run(["cc", "-O1", "-g", "-fno-builtin", *flags, "-o", "lines", self.source], cwd=self.folder, check=True)

    def record(self, *arguments, options=()):
        result = run(exec_command(*options, "-F", "4000", "-o", "out.cprof", "--", "./lines", *arguments), self.folder)
        self.assertEqual(result.code, 0, result)
        return result.out

    def annotate(self, *words):
        return run(["cargo", "cprof", "annotate", *words], self.folder)

    def listed(self, *words):
        result = self.annotate("out.cprof", *words, "--format", "json")
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    def self_of(self, function):
        result = run(["cargo", "cprof", "report", "out.cprof", "--format", "json", "-n", "0"], self.folder)
        return next(row["self"] for row in json.loads(result.out)["groups"] if row["function"] == function)

    @measured
    def test_each_line_has_its_part(self):
        self.build()
        first_seconds, second_seconds = map(float, self.record("300000000").split())
        lines = self.listed("^loops$")["lines"]
        whole = sum(line["self"] for line in lines)
        self.assertEqual(whole, self.self_of("loops"))
        first = line_with(self.source, "three quarters")
        of_first = sum(line["self"] for line in lines if line["line"] in (first, first - 1))
        self.assertAlmostEqual(of_first / whole, first_seconds / (first_seconds + second_seconds), delta=0.04)
        self.assertEqual({os.path.basename(line["file"]) for line in lines}, {"lines.c"})
        self.assertIn("three quarters", next(line["source"] for line in lines if line["line"] == first))

    @measured
    def test_calls_have_what_they_call(self):
        copy = line_with(LINES, "the copy")
        # Through a stub, and through an address that the loader stores, which others load into a register first.
        for flags in (("-fplt",), ("-fno-plt",)) if platform.machine() == "x86_64" else (("-fplt",),):
            self.build(*flags)
            self.record("1000", "50000")
            lines = {line["line"]: line for line in self.listed("^copies$")["lines"]}
            self.assertGreater(lines[copy]["total"], 10 * max(1, lines[copy]["self"]))
            calls = [row for row in self.listed("^copies$", "--asm")["instructions"] if row["instruction"].startswith(CALL)]
            self.assertEqual(len(calls), 1)
            self.assertIn("<memcpy", calls[0]["instruction"])
            self.assertAlmostEqual(calls[0]["total"], lines[copy]["total"], delta=max(5, lines[copy]["self"]))

    @measured
    def test_instructions_are_those_that_objdump_tells(self):
        self.build()
        self.record("100000000")
        rows = self.listed("^loops$", "--asm")["instructions"]
        told = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-M", "intel", "lines"], cwd=self.folder, check=True, capture_output=True, text=True)
        function = told.stdout.split("<loops>:\n")[1].split("\n\n")[0]
        # What exchanges a register with itself is a nop, and called that here.
        function = re.sub(r"xchg +(\w+),\1\b", "nop", function)
        theirs = re.findall(r"^ *([0-9a-f]+):\t(\S+)", function, re.M)
        names = [row["instruction"].split()[0] for row in rows]
        ours = [(row["address"][2:], AS_OBJDUMP.get(name, name)) for row, name in zip(rows, names)]
        # What pads the function at its end is none of it.
        self.assertEqual(ours, theirs[:len(ours)])
        self.assertGreaterEqual(len(ours), len(theirs) - 1)
        self.assertEqual(sum(row["self"] for row in rows), self.self_of("loops"))
        lines = {row["line"] for row in rows if row["self"] > 0}
        self.assertIn(line_with(self.source, "three quarters"), lines)

    @measured
    def test_code_that_functions_are_inlined_into_is_shown_with_all_that_was_sampled_there(self):
        shutil.copyfile(os.path.join(SOURCE, "tests", "e2e", "stacks", "inlined_parts.c"), self.source)
        self.build()
        self.record("200000000")
        rows = self.listed("^part", "--asm")["instructions"]
        self.assertEqual([row["function"] for row in rows if row["instruction"].startswith("ret")], ["host", "part_alone"])
        of_host = [row for row in rows if row["function"] == "host"]
        # The other half of what is sampled in it stands beside the instructions that it was sampled at.
        of_part = sum(row["self"] for row in of_host if row.get("inlined") == "part")
        self.assertEqual(sum(row["self"] for row in of_host), self.self_of("host") + self.self_of("part"))
        self.assertGreater(self.self_of("host"), of_part / 10)  # its loop may be faster
        table = self.annotate("out.cprof", "^part", "--asm", "--context", "0").out
        self.assertRegex(table, r"host in lines, where part is inlined: \d+\.\d%\n")
        self.assertIn("part_alone in lines\n", table)
        self.assertRegex(table, rf"src/lines.c:\d+  \*sum \+= i;  \(inlined part at \S*src/lines.c:{line_with(self.source, 'part(sum, count)')}\)\n")
        self.assertNotIn("xor", table)

    @measured
    def test_tables_show_what_is_near(self):
        self.build()
        self.record("100000000")
        result = self.annotate("out.cprof")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, r"\n *\d+\.\d% +\d+\.\d% +\d+         \*sum \+= i; /\* three quarters \*/\n")
        self.assertIn("src/lines.c: loops\n", result.out)
        self.assertNotIn("the copy", self.annotate("out.cprof", "--context", "1").out)
        self.assertIn("the copy", self.annotate("out.cprof", "--context", "all").out)
        code = self.annotate("out.cprof", "loops", "--asm", "-M", "att")
        self.assertIn("loops in lines\n", code.out)
        self.assertRegex(code.out, r"src/lines.c:\d+  \*sum \+= i; /\* a quarter \*/\n")
        if platform.machine() == "x86_64":
            self.assertRegex(code.out, r"    (add|mov)l [^\n]*\(%r")
        self.assertIn("samples stand at the instruction that was to be done next", code.out)

    @measured
    def test_code_without_samples_of_the_event_is_refused(self):
        self.build()
        self.record("50000000", options=("-e", "cpu-clock,heap-peak"))
        result = self.annotate("out.cprof", "^loops$", "--asm", "--event", "heap-peak")
        self.assertEqual(result.code, 1)
        self.assertIn("no sample is in a function that matches", result.err)

    @measured
    def test_stripped_code_is_shown_by_its_extent(self):
        self.build("-s")
        self.record("100000000")
        rows = self.listed(r"^lines\+0x", "--asm")["instructions"]
        self.assertGreater(sum(row["self"] for row in rows), 100)
        result = self.annotate("out.cprof", r"^lines\+0x")
        self.assertEqual(result.code, 1)
        self.assertIn("no line is known of the functions that match", result.err)
        self.assertIn("instructions are shown by --asm", result.err)

    @measured
    def test_what_is_not_what_was_recorded_is_said(self):
        self.build()
        self.record("100000000")
        for options in ((), ("--asm",)):
            self.assertNotIn("was written to", self.annotate("out.cprof", "loops", *options).out)
        os.utime(self.source)
        for options in ((), ("--asm",)):
            self.assertIn("src/lines.c was written to after the program was built", self.annotate("out.cprof", "loops", *options).out)
        os.remove(self.source)
        result = self.annotate("out.cprof", "loops")
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.out, "no source of .*src/lines.c: open .*: No such file or directory")
        shutil.copyfile(LINES, self.source)
        self.build("-O2")
        result = self.annotate("out.cprof", "loops", "--asm")
        self.assertEqual(result.code, 1)
        self.assertRegex(result.err, "no machine code of loops: .*/lines: the file is another one by now")
        os.remove(os.path.join(self.folder, "lines"))
        self.assertRegex(self.annotate("out.cprof", "loops", "--asm").err, "/lines: the file cannot be read")

    @measured
    def test_calls_of_symbols_without_a_size_are_named(self):
        # As musl's memcpy is, and much assembly.
        self.write("src/lines.c", """
            #include <stdlib.h>
            __asm__(".text\\n.globl bare\\n.type bare, @function\\nbare: ADDING\\nret\\n");
            void bare(volatile unsigned *sum);
            __attribute__((noinline)) static void calls(volatile unsigned *sum, unsigned count)
            {
                for (unsigned i = 0; i < count; i++)
                    bare(sum);
                *sum += 1;
            }
            int main(int count, char **arguments)
            {
                volatile unsigned sum = 0;
                calls(&sum, count > 1 ? (unsigned)atoi(arguments[1]) : 1);
                return 0;
            }
            """.replace("ADDING", ADDING))
        self.build()
        self.record("100000000")
        rows = self.listed("^calls$", "--asm")["instructions"]
        self.assertEqual([row["instruction"].split(" <")[1] for row in rows if row["instruction"].startswith(CALL)], ["bare>"])

    @unittest.skipUnless(platform.machine() == "x86_64", "others have all of the loop in one part, or no parts")
    @measured
    def test_parts_of_a_function_are_told_apart(self):
        # gcc puts what is next to calls of cold functions into a part of its own, "hosts.cold".
        self.write("src/lines.c", """
            #include <stdlib.h>
            __attribute__((cold, noinline)) static void rare(volatile unsigned *sum) { *sum += 1; }
            __attribute__((noinline)) static unsigned hosts(volatile unsigned *sum, unsigned count)
            {
                unsigned state = 1;
                for (unsigned i = 0; i < count; i++) {
                    state = state * 3 + (i ^ state);
                    if (i % 2) { rare(sum); state += *sum; rare(sum); state -= *sum / 3; }
                }
                return state;
            }
            int main(int count, char **arguments)
            {
                volatile unsigned sum = 0;
                return count > 1 ? hosts(&sum, atoi(arguments[1])) == 1234567 : 0;
            }
            """)
        self.build("-O2")
        self.record("50000000")
        table = self.annotate("out.cprof", "^hosts$", "--asm").out
        self.assertIn("hosts in lines\n", table)
        self.assertIn("hosts.cold in lines\n", table)

    @measured
    def test_code_that_is_missing_beside_other_is_named(self):
        self.build()
        shutil.copyfile(os.path.join(self.folder, "lines"), os.path.join(self.folder, "gone"))
        os.chmod(os.path.join(self.folder, "gone"), 0o755)
        result = run(exec_command("-F", "4000", "-o", "out.cprof", "--", "sh", "-c", "./lines 50000000; ./gone 50000000"), self.folder)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("not shown", self.annotate("out.cprof", "^loops$", "--asm").out)
        os.remove(os.path.join(self.folder, "gone"))
        result = self.annotate("out.cprof", "^loops$", "--asm")
        self.assertIn("loops in lines\n", result.out)
        self.assertRegex(result.out, "not shown: no machine code of loops: .*/gone: the file cannot be read")

    @measured
    def test_where_there_is_no_sample_that_is_said_and_where_there_are_some(self):
        if os.geteuid() != 0 and paranoid() > 1:
            self.skipTest("the kernel may not be sampled here")
        self.build()
        self.record("50000000", options=("-e", "cpu-clock,major-faults:k"))
        for words in ((), ("--asm",), ("loops",), ("nothing",)):
            result = self.annotate("out.cprof", "--event", "major-faults:k", *words)
            self.assertEqual(result.code, 1, result)
            self.assertEqual(result.err, "cargo-cprof: error: there is no sample of major-faults:k\n"
                             "cargo-cprof: hint: --event cpu-clock has some\n")

    @measured
    def test_of_the_kernels_code_it_is_said_that_names_alone_are_known(self):
        program = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=20000"]
        result = run(exec_command("-F", "4000", "-o", "out.cprof", "--", *program), self.folder)
        self.assertEqual(result.code, 0, result)
        report = json.loads(run(["cargo", "cprof", "report", "out.cprof", "--format", "json"], self.folder).out)
        names = [row["function"] for row in report["groups"] if row["crate"] == "[kernel]"]
        if not names:
            self.skipTest("the kernel's part is not sampled")
        name = f"^{re.escape(names[0])}$"
        known = "the kernel's, of which names alone are known\n"
        self.assertIn(f"no line is known of the functions that match: they are {known}", self.annotate("out.cprof", name).err)
        self.assertIn(f"no machine code of {names[0]}: it is {known}", self.annotate("out.cprof", name, "--asm").err)

    def test_what_cannot_be_shown_is_refused(self):
        self.write("a.folded", "main;parse 10\nmain;[kernel] 3\n")
        folded = "folded stacks tell neither lines nor code, a .cprof does: cargo cprof exec -o app.cprof -- PROGRAM"
        for words, said in (
                (["a.folded"], "no line is known of the functions that match"),
                (["a.folded"], f"hint: {folded}"),
                (["a.folded", "parse", "--asm"], "no machine code of parse: it is in no file"),
                (["a.folded", "parse", "--asm"], f"hint: {folded}"),
                (["a.folded", "nothing"], 'no function in the profile matches "nothing"'),
                (["a.folded", "["], "["),
                (["a.folded", "parse", "main"], "main: one expression says which functions"),
                (["a.folded", "-M", "att"], "--disassembler-style is about machine code, which --asm shows"),
                (["a.folded", "--list", "parse"], "the function's name follows the file's"),
                (["a.folded", "--disasm", "parse"], "that is --asm; the function's name follows the file's"),
                (["a.folded", "parse", "--asm", "--att"], "that is -M att"),
                (["a.folded", "--context", "x"], "--context takes a whole number or all"),
                (["-i", "a.folded", "-i", "a.folded"], "--input: functions of one profile are shown at a time"),
                ([], "no profile was named"),
                (["none.cprof"], "none.cprof"),
        ):
            result = self.annotate(*words)
            self.assertNotEqual(result.code, 0, words)
            self.assertIn(said, result.err)


class CLibrary(ProjectTest):
    """Its lines are looked up when they are asked for: told by a library that is called as one of its files."""

    SOURCE = """
static inline __attribute__((always_inline)) void write_to(volatile char *page) {
    *page = 1; /* here */
}
__attribute__((noinline)) void fill(char *pages, long bytes) {
    for (long at = 0; at < bytes; at += 4096)
        write_to(pages + at);
}
"""
    MAIN = """
#include <sys/mman.h>
void fill(char *pages, long bytes);
int main(void) {
    long bytes = 200 * 4096;
    char *pages = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, bytes, MADV_NOHUGEPAGE);
    fill(pages, bytes);
}
"""

    def build_library(self, *flags):
        command = ["cc", "-O2", "-g", "-fPIC", "-shared", "-Wl,--build-id", *flags, "-o", "libm.so.99", "fill.c"]
        subprocess.run(command, cwd=self.folder, check=True)

    def asked(self, verb, *words):
        result = run(["cargo", "cprof", verb, "out.cprof", *words], self.folder)
        self.assertEqual(result.code, 0, result)
        return result.out

    def test_lines_and_inlined_calls_are_told_where_they_are_asked_for(self):
        source = self.write("fill.c", self.SOURCE)
        self.write("main.c", self.MAIN)
        self.build_library()
        command = ["cc", "-O2", "-o", "main", "main.c", "./libm.so.99", "-Wl,-rpath,$ORIGIN"]
        subprocess.run(command, cwd=self.folder, check=True)
        recording = exec_command("-e", "page-faults", "-c", "5", "-o", "out.cprof", "--", "./main")
        result = run(recording, self.folder)
        self.assertEqual(result.code, 0, result)
        here = rf" \S*fill.c:{line_with(source, 'here')}\n"
        self.assertRegex(self.asked("report"), r" libm.so.99 fill\n")
        self.assertNotRegex(self.asked("report"), "write_to")
        for by in ("line", "function,line"):
            self.assertRegex(self.asked("report", "--by", by), here)
        self.assertRegex(self.asked("report", "--by", "file"), r" \S*fill.c\n")
        self.assertRegex(self.asked("annotate", "^write_to$"), r"\*page = 1; /\* here \*/")
        self.assertIn("fill in libm.so.99", self.asked("annotate", "--asm", "^fill$"))
        self.assertRegex(self.asked("annotate", "--asm", "^fill$"), "fill.c:")

        # Of another build nothing is taken.
        self.build_library("-O0")
        self.assertRegex(self.asked("report", "--by", "line"), r" \[libm.so.99\]\n")


if __name__ == "__main__":
    unittest.main()
