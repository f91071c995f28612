"""Names of symbols, threads, sources and programs that are full of markup, quotes, control characters and bytes that
are not UTF-8: every output of cargo cprof shows them as text.

They are put into a compiled program in place of as many plain bytes, where compilers would refuse them.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from suite import SCRATCH, environment

# What the program is made to hold: name of a symbol, name and file of debug information.
HOSTILE_SYMBOL = b"sy<script>alert(1)</script>\"'&;|`\x1b[31m\xff\xfe\r\n\t,$x"
HOSTILE_FUNCTION = b"fn<script>alert(2)</script>\"'&;|`\x1b[32m\xc3\x28\r\n\t,$x"
HOSTILE_FILE = b"so<script>alert(3)</script>\"'&;|`\x1b[33m\xed\xa0\x80\n,$.c"


def plain_name(hostile, letter):
    """As long, for compilers."""
    return letter * (len(hostile) - 2) + ".c" if hostile.endswith(b".c") else letter * len(hostile)


SYMBOL = plain_name(HOSTILE_SYMBOL, "s")
FUNCTION_NAME = plain_name(HOSTILE_FUNCTION, "f")
FILE = plain_name(HOSTILE_FILE, "p")
PROGRAM = b"pr<script>alert(4)<script>\"'&;|`\x1b[34m\xff\n,$x"

# The thread's name has room for 15 bytes.
SOURCE = r"""
#include <pthread.h>
#include <sys/prctl.h>
static inline __attribute__((always_inline)) double steps(unsigned long count)
{
    volatile double x = 1;
    for (unsigned long i = 0; i < count; i++)
        x = x * 1.0000001;
    return x;
}
%s
static void *work(void *argument)
{
    prctl(PR_SET_NAME, "<b>&\"';,|\033[3\377\n");
    %s(COUNT);
    return argument;
}
int main(void)
{
    pthread_t thread;
    %s(COUNT);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
"""
FUNCTION = "__attribute__((noinline)) double %s(unsigned long count) { return steps(count) + 1; }"

# Where people see a name, one that is plain must still be recognised: these stay as they are in every output.
MARKS = {"symbol": "alert(1)", "function": "alert(2)", "source": "alert(3)", "program": "alert(4)"}


class HostileNames(unittest.TestCase):
    """One recording of a program with hostile names, shown in every way there is."""

    @classmethod
    def compile(cls, folder, count):
        """The path of the program, as bytes."""
        steps = FUNCTION % SYMBOL
        separate = os.path.join(folder, "separate.c")
        source = os.path.join(folder, FILE)
        with open(separate, "w", encoding="ascii") as file:
            file.write(SOURCE.partition("%s")[0].replace("#include <pthread.h>\n", "") + steps)
        with open(source, "w", encoding="ascii") as file:
            file.write(f"double {SYMBOL}(unsigned long);\n")
            file.write(SOURCE % (FUNCTION % FUNCTION_NAME, SYMBOL, FUNCTION_NAME))
        objects = []
        for path, debug in ((separate, "-g0"), (source, "-g")):
            objects.append(path + ".o")
            subprocess.run(["cc", "-O1", debug, f"-DCOUNT={count}", "-c", path, "-o", objects[-1]], check=True)
        plain = os.path.join(folder, "plain")
        subprocess.run(["cc", *objects, "-o", plain, "-pthread"], check=True)
        with open(plain, "rb") as file:
            content = file.read()
        for name, hostile in ((SYMBOL, HOSTILE_SYMBOL), (FUNCTION_NAME, HOSTILE_FUNCTION), (FILE, HOSTILE_FILE)):
            assert name.encode() in content, name
            content = content.replace(name.encode(), hostile)
        path = os.path.join(os.fsencode(folder), PROGRAM)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o755)
        return path

    @classmethod
    def setUpClass(cls):
        os.makedirs(SCRATCH, exist_ok=True)
        cls.folder = tempfile.mkdtemp(dir=SCRATCH)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.program = cls.compile(cls.folder, 20000000)
        outputs = [word for form in ("svg", "folded", "txt", "json", "cprof") for word in ("-o", f"out.{form}")]
        cls.recorded = cls.run_in_folder(["cargo-cprof", "exec", "-F", "4000", *outputs, "--", cls.program]).stderr

    @classmethod
    def run_in_folder(cls, command):
        return subprocess.run(
            command,
            cwd=cls.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=300,
            check=True,
        )

    def show(self, *command):
        """What the command writes to standard output; what it says beside that is text, too."""
        done = self.run_in_folder(["cargo-cprof", *command])
        self.plain(done.stderr, command)
        return self.plain(done.stdout, command)

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return self.plain(file.read(), name)

    def plain(self, content, what):
        """The text, which has nothing in it that a terminal or a parser would take for more than text."""
        text = content.decode("utf-8").replace("\r\n", "\n")
        self.assertEqual(re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text), [], what)
        return text

    def assert_has(self, text, *marks):
        for mark in marks:
            self.assertIn(MARKS[mark], text)

    def test_the_summary_and_the_text(self):
        self.assert_has(self.plain(self.recorded, "summary"), "symbol", "function")
        self.assert_has(self.read("out.txt"), "symbol", "function")

    def test_pictures_have_no_script_but_their_own(self):
        self.show("diff", "out.cprof", "out.cprof", "-o", "diff.svg")
        self.show("flamegraph", "out.folded", "-o", "folded.svg")
        for options in ([], ["--per-thread"], ["--flamechart"], ["--reverse"]):
            self.show("flamegraph", "out.cprof", "-o", "again.svg", *options)
            for name in ("out.svg", "diff.svg", "folded.svg", "again.svg"):
                text = self.read(name)
                tree = xml.etree.ElementTree.fromstring(text)
                scripts = [element for element in tree.iter() if element.tag.endswith("script")]
                self.assertEqual(len(scripts), 2 if 'type="application/json"' in text else 1, name)
                self.assertNotIn("alert(", "".join(script.text or "" for script in scripts if "json" not in str(script.attrib)))
                titles = "".join(element.text or "" for element in tree.iter() if element.tag.endswith("title"))
                self.assert_has(titles, "symbol", "function")

    def test_folded_stacks_are_a_line_each(self):
        lines = self.read("out.folded").splitlines()
        for line in lines:
            self.assertRegex(line, r"^[^\t]* \d+$")
        self.assert_has("\n".join(lines), "symbol", "function")
        stacks = [line.rpartition(" ")[0].split(";") for line in lines]
        self.assertTrue(any("alert(1)" in stack[-1] and "&:|" in stack[-1] for stack in stacks), stacks)

    def test_the_json_for_the_firefox_profiler(self):
        names = json.dumps(json.loads(self.read("out.json")))
        self.assert_has(names, "symbol", "function", "source", "program")

    def test_tables_in_every_format(self):
        marks = {"function": ("symbol", "function"), "file": ("source",), "line": ("source",), "dso": ("program",)}
        for by in ("function", "line", "dso", "thread", "file", "module", "process", "crate"):
            for form in ("table", "json", "csv", "markdown") if by in ("function", "line", "thread") else ("csv",):
                text = self.show("report", "out.cprof", "--by", by, "--format", form, "-w", "-n", "0")
                self.assert_has(text, *marks.get(by, ()))
                self.check_format(form, text)

    def check_format(self, form, text):
        """It has the form that it says it has, whatever the names in it are."""
        if form == "json":
            json.loads(text)
        if form == "csv":
            widths = {len(row) for row in csv.reader(io.StringIO(text))}
            self.assertEqual(len(widths), 1, text)
        if form == "markdown":
            lines = [line for line in text.splitlines() if line.startswith("|")]
            bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
            self.assertEqual(len(bars), 1, text)
            self.assertNotRegex(re.sub(r"(`+).*?\1", "", text), r"(?<!\\)<(script|b>)")

    def test_trees(self):
        for question in (["--tree"], ["--callers", "alert"], ["--callees", "alert"]):
            for form in ("table", "json", "csv", "markdown"):
                text = self.show("report", "out.cprof", "-w", "--format", form, *question)
                self.assert_has(text, "symbol", "function")
                self.check_format(form, text)

    def test_comparisons(self):
        os.mkdir(os.path.join(self.folder, "new"))
        slower = self.compile(os.path.join(self.folder, "new"), 40000000)
        self.show("exec", "-q", "-F", "4000", "-o", "new.cprof", "--", slower)
        for form in ("table", "json", "csv", "markdown"):
            text = self.show("diff", "out.cprof", "new.cprof", "--format", form, "-n", "0", "-w")
            self.assert_has(text, "symbol", "function")
            self.check_format(form, text)
        for form in ("table", "markdown"):
            text = self.show("compare", self.program, slower, "--runs", "3", "--no-profile", "--format", form)
            self.assert_has(text, "program")
            self.check_format(form, text)
        self.show("diff", "out.cprof", "new.cprof", "-o", "diff.folded", "-o", "diff.svg")
        self.assert_has(self.read("diff.folded"), "symbol", "function")
        self.assert_has(self.read("diff.svg"), "symbol", "function")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
