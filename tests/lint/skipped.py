"""How many tests were skipped within those that ctest ran, and why: ctest counts what holds them as passed.

Those of unittest give their reason; those of cmocka have none but their name.

usage: skipped.py LOG    ctest's Testing/Temporary/LastTest.log
"""

import ast
import collections
import re
import sys

TEST = re.compile(r"^\d+/\d+ Test: (\S+)")
UNITTEST = re.compile(r"\bskipped ('.*'|\".*\")$")
CMOCKA = re.compile(r"^\[  SKIPPED \] (\w+)$")


def reasons(lines):
    """How often each reason is in the log. cmocka names a test twice."""
    counts = collections.Counter()
    of_cmocka = set()
    test = ""
    for line in lines:
        if match := TEST.match(line):
            test = match.group(1)
        elif match := UNITTEST.search(line):
            counts[ast.literal_eval(match.group(1))] += 1
        elif match := CMOCKA.match(line):
            of_cmocka.add(f"{test}: {match.group(1)}")
    counts.update(of_cmocka)
    return counts


def summary(counts):
    total = sum(counts.values())
    if total == 0:
        return "no test was skipped within those that ran\n"
    lines = [f"{total} {'test was' if total == 1 else 'tests were'} skipped within those that ran:"]
    lines += [f"{count:5}  {reason}" for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        sys.stdout.write(summary(reasons(file.read().splitlines())))
