"""The programs bench_*.c, each with what it is to read, and the lines they print."""

import glob
import os
import subprocess

import binutils
import document
import projects

PROJECT = projects.named("fd-find")


def write_names(path, scratch):
    """A file with the symbol names of a program, one a line."""
    names = os.path.join(scratch, "names.txt")
    with open(names, "w", encoding="utf-8") as file:
        file.writelines(line.split()[-1] + "\n" for line in binutils.output(["nm", path]).splitlines())
    return names


def input_of(name, path, scratch):
    """What a program reads: a file of names, or a program with debug information."""
    return write_names(path, scratch) if name == "bench_symbol" else path


def run(machine, folder, scratch):
    """Runs all that are built in the folder and writes the part `programs`."""
    path = projects.build(PROJECT, "legacy")
    lines = []
    failed = False
    for program in sorted(glob.glob(os.path.join(folder, "bench_*"))):
        if not os.access(program, os.X_OK) or os.path.isdir(program):
            continue
        name = os.path.basename(program)
        done = subprocess.run(
            [program, input_of(name, path, scratch)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        failed |= done.returncode != 0
        output = done.stdout.decode("utf-8", "replace").strip().replace(path, "FILE").replace(scratch + "/", "")
        lines.append(f"$ {name} {'names.txt' if name == 'bench_symbol' else 'FILE'}\n{output}")
    text = f"## Parts of the library\n\n{machine} FILE is {PROJECT}, {os.path.getsize(path):,} bytes with debug\n"
    text += "information (`debug = 1`). Again: `tests/bench/run programs`.\n\n```\n" + "\n".join(lines) + "\n```\n"
    document.replace("programs", text)
    print(text)
    return not failed
