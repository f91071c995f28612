"""A program starts with few libraries; the others are loaded when first used.

usage: startup.py PROGRAM...
"""

import os
import re
import subprocess
import sys

import sources

# libc, and what the sanitizers of the dev build bring.
EVERYWHERE = {"libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64", "libasan", "libubsan"}

# What a program may name beyond that. None does today: libc alone starts fastest.
ALLOWED = {}

# What no program may start with, not even through another library.
NEVER = {"libpcre2-8", "libgit2", "libdw", "libcapstone", "libZydis", "libncurses", "libncursesw", "libtinfo",
         "libmicrohttpd", "libcurl"}


def _stem(soname):
    return re.sub(r"\.so.*$", "", soname)


def needed(program):
    """The libraries that the program names itself."""
    run = subprocess.run(["readelf", "-dW", program], capture_output=True, text=True, check=True,
                         env={**os.environ, "LC_ALL": "C"})
    return {_stem(name) for name in re.findall(r"\(NEEDED\).*\[([^\]]+)\]", run.stdout)}


def loaded(program):
    """All libraries that are in the process when main starts."""
    run = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    return {_stem(os.path.basename(line.split()[0])) for line in run.stdout.splitlines() if line.strip()}


def judge(name, named, present):
    allowed = EVERYWHERE | ALLOWED.get(name, set())
    findings = [f"{name}: names {library}, which it may not" for library in sorted(named - allowed)]
    findings += [f"{name}: starts with {library}, which is to be loaded when first used"
                 for library in sorted((present & NEVER) - named)]
    return findings


def find(programs):
    findings = []
    for program in programs:
        findings += judge(os.path.basename(program), needed(program), loaded(program))
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1:]))
