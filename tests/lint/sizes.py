"""Files of C, Python and the shell of at most 500 lines, headers of at most 150.

Exempt is a file that is a table of constants: its name ends in _table.c, _tables.c (or .h)
and it defines no function. The size of functions is clang-tidy's to check.

usage: sizes.py ROOT
"""

import os
import re
import sys

import sources

LIMITS = {".c": 500, ".h": 150, ".py": 500, ".sh": 500, "quickstart": 500}
TABLE = re.compile(r"_tables?\.[ch]$")


def _defines_a_function(text):
    return re.search(r"^\{", text, re.MULTILINE) is not None


def find(root):
    findings = []
    for name in sources.own_files(root, tuple(LIMITS)):
        text = sources.read(root, name)
        lines, limit = text.count("\n"), LIMITS[os.path.splitext(name)[1] or name]
        if lines <= limit:
            continue
        if not TABLE.search(name):
            findings.append(f"{name}: {lines} lines, the limit is {limit}")
        elif _defines_a_function(text):
            findings.append(f"{name}: a table of constants of {lines} lines must not define functions")
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1]))
