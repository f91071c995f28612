"""docs/measured.md: parts that are written anew by the measurements, each between marks of its own.

A part is everything from `<!-- NAME -->` to `<!-- /NAME -->`. What stands outside is a person's.
"""

import os
import re

PATH = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "measured.md")

START = """# Measured

Written by `./quickstart bench`: every part between marks is replaced by the measurement it is named after, the rest
is kept. The figures of one table come from one run, its commands taking turns; what is to be compared are the
ratios, because machines differ.
"""


def replace(name, text, path=PATH):
    """Puts the text in place of the part of that name, at the end when there is none yet."""
    content = START
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            content = file.read()
    part = f"<!-- {name} -->\n{text.strip()}\n<!-- /{name} -->"
    pattern = re.compile(rf"<!-- {re.escape(name)} -->.*?<!-- /{re.escape(name)} -->", re.DOTALL)
    if pattern.search(content):
        content = pattern.sub(lambda _: part, content, count=1)
    else:
        content = content.rstrip("\n") + "\n\n" + part + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


def table(columns, rows):
    """A Markdown table; the first column is left-aligned, the others are numbers."""
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
