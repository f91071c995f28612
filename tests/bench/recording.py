"""What a recording costs: the program that is watched, and us, beside perf, on programs that nobody tuned for it.

Each program runs alone and under each recorder in turn, round by round. What a recorder costs the program is told from
the least CPU time that the program took under it and alone: what a machine adds by itself is never negative, and more
than what is to be measured. Run it on a machine that does nothing else.
"""

import gzip
import json
import os
import random
import re
import shlex
import shutil
import statistics
import subprocess

import commands
import document
import projects

FREQUENCIES = [997, 4000]
TEXT_BYTES = 48 << 20
FILES = 20000
OURS = "cargo cprof"
OURS_FLAT = "cargo cprof --call-graph none"
PERF = "perf record"
SAMPLY = "samply record"
EXTRA_FIGURES = {997: 2.5, 4000: 9}
RIPGREP = projects.Project("ripgrep", "14.1.1", ["--bin", "rg"], "no LTO")


class Program:
    """A program whose input is given to it so often that one process is busy for some seconds."""

    def __init__(self, project, arguments, inputs):
        self.project = project
        self.arguments = arguments
        self.inputs = inputs

    def command(self):
        line = shlex.join([projects.build(self.project, "legacy"), *self.arguments, *self.inputs])
        return ["sh", "-c", f"{line} > /dev/null"]


def make_text(path):
    """Words that look like a language's, the same ones every time."""
    chance = random.Random(1)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(5000)]
    line = lambda: " ".join(chance.choices(words, k=chance.randint(3, 14)))
    block = "\n".join(line() for _ in range(20000)).encode() + b"\n"
    with open(path, "wb") as file:
        while file.tell() < TEXT_BYTES:
            file.write(block)


def make_tree(folder):
    for number in range(FILES):
        parent = os.path.join(folder, f"d{number % 40}", f"e{number % 1000}")
        os.makedirs(parent, exist_ok=True)
        with open(os.path.join(parent, f"file{number}.txt"), "wb"):
            pass


def make_programs(scratch):
    """Inputs in the scratch folder, and what reads them."""
    text = os.path.join(scratch, "text")
    tree = os.path.join(scratch, "tree")
    make_text(text)
    make_tree(tree)
    return [
        Program(projects.named("fd-find"), ["--threads", "1", "-u", "9[0-9]*1.*t$"], [tree] * 80),
        Program(RIPGREP, ["-j1", "--no-mmap", "-c", r"(\w+t\s+){3}\w*o[a-z]+$"], [text] * 32),
        Program(projects.named("b3sum"), ["--num-threads", "1"], [text] * 160),
    ]


class Run:
    """What one run took: the program itself, and whoever recorded it."""

    def __init__(self, launch, scratch, recorder, command):
        inner, outer = os.path.join(scratch, "inner"), os.path.join(scratch, "outer")
        arguments = [launch, outer, *recorder, launch, inner, *command]
        done = subprocess.run(
            arguments, cwd=scratch, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.said = done.stderr.decode("utf-8", "replace")
        with open(inner, encoding="ascii") as file:
            self.target_ms = float(file.read().split()[1])
        with open(outer, encoding="ascii") as file:
            _, total_ms, self.peak_kib = (float(word) for word in file.read().split())
        self.own_ms = total_ms - self.target_ms
        self.samples = self.count_samples(recorder, scratch)

    def count_samples(self, recorder, scratch):
        if "samply" in recorder:
            with gzip.open(os.path.join(scratch, "samply.json.gz")) as file:
                return sum(thread["samples"]["length"] for thread in json.load(file)["threads"])
        if "perf" in recorder:
            return self.number(r"\(~?([\d,]+) samples\)")
        return self.number(r"([\d,]+) samples of ") if recorder else 0

    def number(self, pattern):
        found = re.search(pattern, self.said)
        if not found:
            raise ValueError(f"no {pattern} in: {self.said}")
        return float(found[1].replace(",", ""))


def recorders(folder):
    """The command lines by name and frequency; what to run comes behind. `folder` has what bench programs are built to."""
    found = {}
    clock = "LD_PRELOAD=" + os.path.join(folder, "cycles_as_clock.so")
    for hz in FREQUENCIES:
        ours = ["cargo-cprof", "cprof", "exec", "-F", str(hz), "-o", "out.svg"]
        peer = ["perf", "record", "-F", str(hz), "-o", "perf.data"]
        found[OURS, hz] = [*ours, "--"]
        found[OURS_FLAT, hz] = [*ours, "--call-graph", "none", "--"]
        if shutil.which("perf"):
            found[PERF, hz] = [*peer, "--call-graph", "dwarf,65528", "--"]
        if shutil.which("samply"):
            found[SAMPLY, hz] = ["env", clock, "samply", "record", "--save-only", "-o", "samply.json.gz", "-r", str(hz), "--"]
    return found


def measure(runner, scratch, command):
    """The runs by recorder, in the order of rounds, and those of the program alone. A first round warms up."""
    tools = recorders(os.path.dirname(runner.launch))
    alone = []
    runs = {key: [] for key in tools}
    for number in range(runner.runs + 1):
        kept = [] if number == 0 else alone
        kept.append(Run(runner.launch, scratch, [], command))
        for key, recorder in tools.items():
            kept = [] if number == 0 else runs[key]
            kept.append(Run(runner.launch, scratch, recorder, command))
    return alone, runs


def quality(name, runs, hz):
    """Samples in percent of frequency and CPU time of all runs, how many were lost, and in percent how many stacks are whole."""
    wanted = sum(run.target_ms for run in runs) / 1000 * hz
    kept = f"{100 * sum(run.samples for run in runs) / wanted:.1f}"
    if name in (PERF, SAMPLY):
        return [kept, "", ""]
    if name == OURS_FLAT:  # of which nothing is told but what went wrong
        return [kept, "some" if any("lost" in run.said for run in runs) else "0", ""]
    lost = sum(run.number(r"([\d,]+) lost, ") for run in runs)
    whole = sum(run.number(r"([\d.]+)% of stacks complete") for run in runs) / len(runs)
    return [kept, f"{lost:.0f}", f"{whole:.1f}"]


def rows_of(alone, runs):
    rows = []
    for (name, hz), of_tool in runs.items():
        extra = min(run.target_ms for run in of_tool) / min(bare.target_ms for bare in alone) * 100 - 100
        row = [f"{name}, {hz} Hz", f"{extra:.1f}", f"{statistics.median(run.own_ms for run in of_tool):.0f}"]
        row.append(f"{statistics.median(run.own_ms / run.samples for run in of_tool) * 10000:.0f}")
        row.append(f"{statistics.median(run.peak_kib for run in of_tool) / 1024:.0f}")
        rows.append(row + quality(name, of_tool, hz))
    return rows


def run(runner, machine, scratch):
    """Measures and writes the part `recording`."""
    peers = [commands.first_line([peer, "--version"]) or f"no {peer}" for peer in ("perf", "samply")]
    text = f"## cargo cprof: recordings\n\n{machine} {commands.first_line(['cargo-cprof', '--version'])}; {', '.join(peers)}.\n"
    text += f"Again: `tests/bench/run recording` ({runner.runs} rounds; ours writes a picture with names, perf only what"
    text += " it copied,\nsamply a profile without names, which it looks up when it shows it; it copies 32,000 bytes of a stack,"
    text += " perf and we 65,528).\nThe figures: extra CPU at most "
    text += " and ".join(f"{most} % at {hz} Hz" for hz, most in EXTRA_FIGURES.items())
    text += ", our CPU at most 80 ms for 10,000 samples, 60 MiB,\n99 to 101 % of the samples, 99.7 % of the stacks whole.\n"
    text += "Extra CPU is the program's least in all rounds against its least alone; it swings by two or three points."
    text += " Without stacks a\nrecorder costs what the kernel's timer does: on a virtual machine most of it.\n"
    for program in make_programs(scratch):
        alone, runs = measure(runner, scratch, program.command())
        seconds = statistics.median(bare.target_ms for bare in alone) / 1000
        columns = ["recorder", "extra CPU %", "its own CPU ms", "of 10,000 samples", "peak MiB", "samples %", "lost", "whole %"]
        text += f"\n### {program.project}, {seconds:.1f} s of CPU alone\n\n"
        text += document.table(columns, rows_of(alone, runs)) + "\n"
    document.replace("recording", text)
    print(text)
