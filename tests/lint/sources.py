"""The files of the suite, and how a lint check reports.

A check is a module with find(root, ...) that returns one line of text per finding.
"""

import os
import re
import shutil
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def _walk(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "build", "target", "__pycache__")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def files(root):
    """All files of the sources, relative to root: git's, and new ones it does not ignore."""
    listing = None
    if os.path.exists(os.path.join(root, ".git")) and shutil.which("git"):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "-co",
                                  "--exclude-standard"], capture_output=True, check=False)
    if listing is None or listing.returncode != 0:
        return sorted(_walk(root))
    names = set(listing.stdout.decode().split("\0")) - {""}
    return sorted(name for name in names if os.path.isfile(os.path.join(root, name)))


def own_files(root, endings=(".c", ".h")):
    """The sources that are ours, those in C unless told otherwise: no fixtures, no input of the tests."""
    return [name for name in files(root)
            if name.endswith(endings) and not name.startswith(("tests/fixtures/", "tests/fuzz/corpus/"))]


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def finish(findings):
    """Prints the findings and ends the program with 1 when there are any."""
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    sys.exit(1 if findings else 0)
