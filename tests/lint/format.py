"""The code is laid out as clang-format lays it out.

Versions differ in small things, so only version 14, Debian 12's and Ubuntu 22.04's, is
asked; with another one the check is skipped (exit code 77).

usage: format.py ROOT
"""

import os
import re
import subprocess
import sys

import sources

VERSION = 14


def program():
    """clang-format of the right version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        try:
            run = subprocess.run([name, "--version"], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            continue
        if re.search(rf"version {VERSION}\.", run.stdout):
            return name
    return None


def find(root, clang_format):
    paths = [os.path.join(root, name) for name in sources.own_files(root)]
    run = subprocess.run([clang_format, "--dry-run", "-Werror", *paths], capture_output=True, text=True,
                         check=False)
    lines = [line for line in run.stderr.splitlines() if "clang-format-violations" in line]
    findings = {line.split(":")[0]: ":".join(line.split(":")[:2]) for line in reversed(lines)}
    if run.returncode != 0 and not findings:
        return [f"clang-format failed: {run.stderr}"]
    return [f"{place}: not as clang-format lays it out" for place in sorted(findings.values())]


if __name__ == "__main__":
    CLANG_FORMAT = program()
    if CLANG_FORMAT is None:
        print(f"clang-format {VERSION} is not here: skipped")
        sys.exit(77)
    sources.finish(find(sys.argv[1], CLANG_FORMAT))
