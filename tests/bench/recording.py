"""What a recording costs: the program that is watched, and us, beside perf, on programs that nobody tuned for it.

Each program runs alone, twice, and under each recorder, in each round in another order; what a recorder wrote is removed
at once, as a system that still writes it is slower. What a recorder costs the program is the median over the rounds of its
CPU time against that of the round's two runs alone. Run it on a machine that does nothing else.
"""

import gzip
import json
import os
import pathlib
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
OURS_LESS = "cargo cprof --call-graph dwarf,32000"
OURS_FLAT = "cargo cprof --call-graph none"
PERF = "perf record"
SAMPLY = "samply record"
OUTPUTS = ["out.svg", "perf.data", "samply.json.gz"]
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


def make_programs(scratch, parts=1):
    """Inputs in the scratch folder, and what reads them, or one of so many parts of them."""
    text = os.path.join(scratch, "text")
    tree = os.path.join(scratch, "tree")
    make_text(text)
    make_tree(tree)
    return [
        Program(projects.named("fd-find"), ["--threads", "1", "-u", "9[0-9]*1.*t$"], [tree] * (80 // parts)),
        Program(RIPGREP, ["-j1", "--no-mmap", "-c", r"(\w+t\s+){3}\w*o[a-z]+$"], [text] * (32 // parts)),
        Program(projects.named("b3sum"), ["--num-threads", "1"], [text] * (160 // parts)),
    ]


class Run:
    """What one run took: the program itself, and whoever recorded it."""

    def __init__(self, launch, scratch, recorder, command):
        inner, outer = os.path.join(scratch, "inner"), os.path.join(scratch, "outer")
        arguments = [launch, outer, *recorder, launch, "--clock", inner, *command]
        done = subprocess.run(
            arguments, cwd=scratch, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.said = done.stderr.decode("utf-8", "replace")
        with open(inner, encoding="ascii") as file:
            _, self.target_ms, _, self.clock_ms = (float(word) for word in file.read().split())
        with open(outer, encoding="ascii") as file:
            _, total_ms, self.peak_kib = (float(word) for word in file.read().split())
        self.own_ms = total_ms - self.target_ms
        self.samples = self.count_samples(recorder, scratch)
        for output in OUTPUTS:
            pathlib.Path(scratch, output).unlink(missing_ok=True)

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
        found[OURS_LESS, hz] = [*ours, "--call-graph", "dwarf,32000", "--"]
        found[OURS_FLAT, hz] = [*ours, "--call-graph", "none", "--"]
        if shutil.which("perf"):
            found[PERF, hz] = [*peer, "--call-graph", "dwarf,65528", "--"]
        if shutil.which("samply"):
            found[SAMPLY, hz] = ["env", clock, "samply", "record", "--save-only", "-o", "samply.json.gz", "-r", str(hz), "--"]
    return found


def measure(runner, tools, count, scratch, command):
    """So many rounds: of each the mean CPU time alone in ms, and the runs by recorder. A round before them warms up."""
    chance = random.Random(1)
    rounds = []
    for _ in range(count + 1):
        order = [*tools, None, None]
        chance.shuffle(order)
        runs = [(key, Run(runner.launch, scratch, tools[key] if key else [], command)) for key in order]
        alone = statistics.mean(run.target_ms for key, run in runs if not key)
        of_tools = dict(run for run in runs if run[0])
        rounds.append((alone, {key: of_tools[key] for key in tools}))
    return rounds[1:]


def extra_percents(rounds, key):
    """By how much the program took more CPU time in each round than alone."""
    return [100 * runs[key].target_ms / alone - 100 for alone, runs in rounds]


def quality(name, runs, hz):
    """Samples in percent of what the clock and the CPU time of all runs make, how many were lost, whole stacks in percent."""
    samples = sum(run.samples for run in runs) / hz * 1000
    kept = [
        f"{100 * samples / sum(run.clock_ms for run in runs):.1f}",
        f"{100 * samples / sum(run.target_ms for run in runs):.1f}",
    ]
    if name in (PERF, SAMPLY):
        return [*kept, "", ""]
    if name == OURS_FLAT:  # of which nothing is told but what went wrong
        return [*kept, "some" if any("lost" in run.said for run in runs) else "0", ""]
    lost = sum(run.number(r"([\d,]+) lost, ") for run in runs)
    whole = sum(run.number(r"([\d.]+)% of stacks complete") for run in runs) / len(runs)
    return [*kept, f"{lost:.0f}", f"{whole:.1f}"]


def rows_of(rounds):
    rows = []
    for name, hz in rounds[0][1]:
        of_tool = [runs[name, hz] for _, runs in rounds]
        extra = statistics.median(extra_percents(rounds, (name, hz)))
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
    text += " perf and we 65,528, or what `--call-graph dwarf,BYTES` says).\nThe figures: extra CPU at most "
    text += " and ".join(f"{most} % at {hz} Hz" for hz, most in EXTRA_FIGURES.items())
    text += ", our CPU at most 80 ms for 10,000 samples, 60 MiB,\n99 to 101 % of the samples, 99.7 % of the stacks whole.\n"
    text += "Samples are told in percent of what cpu-clock counted for the program, and of its CPU time, of which the"
    text += " switches between\nthreads are a part that no sample of cpu-clock can meet."
    text += " Without stacks a recorder costs what the kernel's timer does:\non a virtual machine most of it.\n"
    tools = recorders(os.path.dirname(runner.launch))
    for program in make_programs(scratch):
        rounds = measure(runner, tools, runner.runs, scratch, program.command())
        seconds = statistics.median(alone for alone, _ in rounds) / 1000
        columns = ["recorder", "extra CPU %", "its own CPU ms", "of 10,000 samples", "peak MiB"]
        columns += ["samples % of clock", "of CPU time", "lost", "whole %"]
        text += f"\n### {program.project}, {seconds:.1f} s of CPU alone\n\n"
        text += document.table(columns, rows_of(rounds)) + "\n"
    document.replace("recording", text)
    print(text)
