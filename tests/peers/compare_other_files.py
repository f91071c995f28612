#!/usr/bin/env python3
"""cargo bloatc on ELF files that neither Rust nor this project made.

Files of this machine and some made here: programs with symbols and without, a static position-independent one, object
files of other machines, of 32 bits and of the other byte order. Fails when the rows of a file do not
add up to its .text sections as readelf has them, when it ends by a signal or a sanitizer, when a file without symbols
is not called stripped, or when another message comes than "stripped", "no section .text" and, of a file that has code
nowhere, "only symbols".

usage: compare_other_files.py [FILE...]        these files instead
"""

import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import binutils

# Places with ELF files of many kinds; a pattern that finds nothing here is passed over.
PATTERNS = [
    "/usr/bin/*",
    "/usr/lib/x86_64-linux-gnu/*.so*",
    "/usr/lib/x86_64-linux-gnu/*.o",
    "/usr/lib/gcc/*/*/*.o",
    "/lib/modules/*/kernel/lib/*.ko",
    "/usr/lib/go*/pkg/tool/*/*",
    "/usr/*-linux-gnu*/lib/*.o",
    "/usr/lib/debug/.build-id/0?/*.debug",
    os.path.expanduser("~/.rustup/toolchains/*/lib/rustlib/*/lib/*.so"),
]

# Of each pattern at most so many files, evenly spread.
FILES_OF_A_PATTERN = 60

SOURCE = """
static int twice(int value) { return value * 2; }
int (*chosen)(int) = twice;
int other(int value) { return value > 3 ? chosen(value) : value - 1; }
int main(void) { return other(4); }
"""

# What clang makes object files for; one it was built without is passed over.
MACHINES = [
    "aarch64-linux-gnu",
    "aarch64_be-linux-gnu",
    "arm-linux-gnueabihf",
    "armeb-linux-gnueabi",
    "i386-linux-gnu",
    "mips-linux-gnu",
    "mips64el-linux-gnuabi64",
    "powerpc-linux-gnu",
    "powerpc64-linux-gnu",
    "powerpc64le-linux-gnu",
    "riscv32",
    "riscv64-linux-gnu",
    "s390x-linux-gnu",
    "sparc64-linux-gnu",
    "bpfeb",
    "msp430",
    "hexagon",
]


def made_files(folder):
    """Files made from SOURCE with the compilers that are here."""
    source = os.path.join(folder, "source.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    commands = [
        ["gcc", "-O2", "-static-pie", source, "-o", os.path.join(folder, "static-pie")],
        ["gcc", "-O2", "-static", source, "-o", os.path.join(folder, "static")],
        ["gcc", "-O2", "-ffunction-sections", "-c", source, "-o", os.path.join(folder, "sections.o")],
        ["gcc", "-O2", "-g", "-gz", source, "-o", os.path.join(folder, "compressed-debug")],
        ["gcc", "-O2", "-s", source, "-o", os.path.join(folder, "stripped")],
    ]
    for machine in MACHINES:
        output = os.path.join(folder, machine + ".o")
        commands.append(["clang", f"--target={machine}", "-O1", "-c", source, "-o", output])
    for command in commands:
        if shutil.which(command[0]):
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
    return sorted(path for path in glob.glob(os.path.join(folder, "*")) if path != source)


def is_elf(path):
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def found_files():
    for pattern in PATTERNS:
        found = [path for path in sorted(glob.glob(pattern)) if not os.path.islink(path) and is_elf(path)]
        yield from found[:: max(1, len(found) // FILES_OF_A_PATTERN)]


def refusal(path, error):
    """What kind of message it is, or None for one that should not come."""
    has_symbols = " SYMTAB " in binutils.output(["readelf", "-SW", path])
    if "was stripped" in error or "has no symbols" in error:
        return None if has_symbols else "without symbols, and said so"
    if "no section .text" in error:
        return None if binutils.text_sections(path) else "without .text, and said so"
    if "holds only symbols" in error:
        return None if binutils.text_sections(path) else "debug information of other files, and said so"
    return None


def check(path):
    """A word on how it went, and whether that is right."""
    done = subprocess.run(
        ["cargo-bloatc", "--quiet", path, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
    )
    error = done.stderr.decode("utf-8", "replace")
    if done.returncode == 1 and "Sanitizer" not in error:
        kind = refusal(path, error)
        return kind or f"{path}: {error}", kind is not None
    if done.returncode != 0:
        return f"{path}: exit {done.returncode}: {error}", False
    report = json.loads(done.stdout)
    total = sum(row["size"] for row in report["functions"])
    expected = binutils.section_total(path)
    if not total == expected == report["text-section-size"]:
        return f"{path}: rows add up to {total}, .text has {expected}", False
    return "the rows add up to .text", True


def main():
    counts = collections.Counter()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for path in sys.argv[1:] or [*made_files(folder), *found_files()]:
            outcome, is_right = check(path)
            failed |= not is_right
            if is_right:
                counts[outcome] += 1
            else:
                print(f"  WRONG: {outcome}")
    for outcome, count in counts.most_common():
        print(f"  {count} files: {outcome}")
    sys.exit(1 if failed else 0)


main()
