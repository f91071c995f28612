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


def arguments_of(name, path, scratch):
    """What a program is told: what it is to read, where it is to write. By default a program with debug information."""
    output = os.path.join(scratch, "output.cprof")
    known = {
        "bench_symbol": lambda: [write_names(path, scratch)],
        "bench_flame": lambda: [],
        "bench_folded": lambda: [],
        "bench_profile_file": lambda: [output],
        "bench_record": lambda: [path, output],
    }
    return known.get(name, lambda: [path])()


def run_program(command, scratch):
    """What the program printed. It runs twice: the first time its files are read, and the processor wakes up."""
    for _ in range(2):
        done = subprocess.run(
            command,
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return done


def run(machine, folder, scratch):
    """Runs all that are built in the folder and writes the part `programs`."""
    path = projects.build(PROJECT, "legacy")
    lines = []
    failed = False
    for program in sorted(glob.glob(os.path.join(folder, "bench_*"))):
        if not os.access(program, os.X_OK) or os.path.isdir(program):
            continue
        name = os.path.basename(program)
        arguments = arguments_of(name, path, scratch)
        done = run_program([program, *arguments], scratch)
        failed |= done.returncode != 0
        said = f"$ {' '.join([name, *arguments])}\n" + done.stdout.decode("utf-8", "replace").strip()
        lines.append(said.replace(path, "FILE").replace(scratch + "/", ""))
    text = f"## Parts of the library\n\n{machine} FILE is {PROJECT}, {os.path.getsize(path):,} bytes with debug\n"
    text += "information (`debug = 1`). Again: `tests/bench/run programs`.\n\n```\n" + "\n".join(lines) + "\n```\n"
    document.replace("programs", text)
    print(text)
    return not failed
