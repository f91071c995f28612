"""How long after a program's end the result with names is there, and what memory that takes: programs with little,
with some and with much debug information.

The program's own launcher writes its report when the program has ended, ours when everything is written: the time
between the two files is what people wait for. The kernel tells times of files to 4 ms.
"""

import os
import statistics
import subprocess

import binutils
import commands
import document
import projects

MAIN = """
fn main() {
    let mut x = 1u64;
    for i in 0..60_000_000u64 {
        x = std::hint::black_box(x.rotate_left(7) ^ i);
    }
    println!("{x}");
}
"""
WASMTIME = projects.Project("wasmtime-cli", "48.0.8", ["--bin", "wasmtime"], "a large graph of crates")
FUNCTIONS = 4000


class Program:
    def __init__(self, name, command, figure_ms, figure_mib):
        self.name = name
        self.command = command
        self.figure_ms = figure_ms
        self.figure_mib = figure_mib

    def debug_bytes(self):
        """Of its sections .debug_*, as they are in the file."""
        total = 0
        for line in binutils.output(["readelf", "-SW", self.command[0]]).splitlines():
            words = line.partition("]")[2].split()
            if words and words[0].startswith(".debug_"):
                total += int(words[4], 16)
        return total


def make_small(scratch):
    """A program that has no debug information but std's and its own few functions'."""
    source = os.path.join(scratch, "small.rs")
    with open(source, "w", encoding="ascii") as file:
        file.write(MAIN)
    path = os.path.join(scratch, "small")
    subprocess.run(["rustc", "-O", "-Cdebuginfo=1", "-o", path, source], check=True)
    return Program("a program of one function", [path], 150, 60)


def make_tree(scratch):
    folder = os.path.join(scratch, "tree")
    for number in range(20000):
        parent = os.path.join(folder, f"d{number % 40}", f"e{number % 1000}")
        os.makedirs(parent, exist_ok=True)
        with open(os.path.join(parent, f"file{number}.txt"), "wb"):
            pass
    return folder


def make_fd(scratch):
    path = projects.build(projects.named("fd-find"), "legacy", "2")
    return Program("fd-find 10.2.0", [path, "-u", "--threads", "1", "9[0-9]*1.*t$", *[make_tree(scratch)] * 10], 500, None)


def make_wasmtime(scratch):
    """It compiles a module of many functions, which takes most of its compiler's code."""
    module = os.path.join(scratch, "module.wat")
    with open(module, "w", encoding="ascii") as file:
        file.write("(module\n")
        for number in range(FUNCTIONS):
            text = f"local.get 0 i32.const {number} i32.mul local.get 1 i32.add i32.popcnt local.get 0 i32.xor"
            file.write(f"(func (param i32 i32) (result i32) {text})\n")
        file.write(")\n")
    path = projects.build(WASMTIME, "legacy", "2")
    return Program(str(WASMTIME), [path, "compile", "-o", os.path.join(scratch, "module.cwasm"), module], 5000, 500)


class Run:
    """One recording at 997 Hz that ends in a picture with names."""

    def __init__(self, launch, scratch, program):
        inner, outer = os.path.join(scratch, "inner"), os.path.join(scratch, "outer")
        recorder = ["cargo-cprof", "exec", "-o", "out.svg", "--", launch, inner]
        subprocess.run(
            [launch, outer, *recorder, *program.command],
            cwd=scratch,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_ms = (os.stat(outer).st_mtime_ns - os.stat(inner).st_mtime_ns) / 1e6
        with open(inner, encoding="ascii") as file:
            _, target_ms, _ = (float(word) for word in file.read().split())
        with open(outer, encoding="ascii") as file:
            _, total_ms, self.peak_kib = (float(word) for word in file.read().split())
        self.own_ms = total_ms - target_ms


def row_of(program, runs):
    row = [program.name, f"{program.debug_bytes() / 1e6:.1f}"]
    row.append(f"{statistics.median(run.wait_ms for run in runs):.0f}")
    row.append(f"{program.figure_ms}")
    row.append(f"{statistics.median(run.own_ms for run in runs):.0f}")
    row.append(f"{statistics.median(run.peak_kib for run in runs) / 1024:.0f}")
    row.append(f"{program.figure_mib or ''}")
    return row


def run(runner, machine, scratch):
    """Measures and writes the part `symbolize`."""
    programs = [make_small(scratch), make_fd(scratch), make_wasmtime(scratch)]
    rows = []
    for program in programs:
        runs = [Run(runner.launch, scratch, program) for _ in range(runner.runs + 1)][1:]
        rows.append(row_of(program, runs))
    text = f"## cargo cprof: from a program's end to its names\n\n{machine} {commands.first_line(['cargo-cprof', '--version'])}.\n"
    text += f"Again: `tests/bench/run symbolize` (medians of {runner.runs} runs; a picture is written). The wait is from the end of the\n"
    text += "program to that of `cargo cprof`; the CPU time is all of the recording; the memory the larger one of ours and the\n"
    text += "program's. The programs are built as releases with `debug = 2`.\n\n"
    columns = ["program", "MB of debug information", "wait ms", "at most", "our CPU ms", "peak MiB", "at most"]
    text += document.table(columns, rows) + "\n"
    document.replace("symbolize", text)
    print(text)
