"""What a recording costs: the program that is watched, and us, beside perf, on programs that nobody tuned for it.

Each program runs alone, twice, and under each recorder, in each round in another order; what a recorder wrote is removed
at once, as a system that still writes it is slower. What a recorder costs the program is the median over the rounds of its
CPU time against that of the round's two runs alone. Inputs are so many that the program takes enough time for
10,000 samples at the highest frequency. Run it on a machine that does nothing else.
"""

import gzip
import json
import math
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
LEAST_SECONDS = 10000 / max(FREQUENCIES)
TEXT_BYTES = 48 << 20
FILES = 20000
OURS = "cargo cprof"
OURS_LESS = "cargo cprof --call-graph dwarf,32000"
OURS_FLAT = "cargo cprof --call-graph none"
TIMER = "the kernel's timer alone"
PERF = "perf record"
SAMPLY = "samply record"
OUTPUTS = ["out.svg", "perf.data", "samply.json.gz"]
EXTRA_FIGURES = {997: 2.5, 4000: 9}
COLUMNS = ["recorder", "extra CPU %", "its own CPU ms", "of 10,000 samples", "peak MiB"]
COLUMNS += ["samples % of clock", "of CPU time", "lost", "whole %"]
RIPGREP = projects.Project("ripgrep", "14.1.1", ["--bin", "rg"], "no LTO")


class Program:
    """A program whose input is given to it so often that one process is busy for a while."""

    def __init__(self, project, arguments, path, times):
        self.project = project
        self.arguments = arguments
        self.path = path
        self.times = times  # to begin with

    def command(self):
        inputs = [self.path] * self.times
        line = shlex.join([projects.build(self.project, "legacy"), *self.arguments, *inputs])
        return ["sh", "-c", f"{line} > /dev/null"]

    def last(self, launch, scratch, seconds):
        """Takes so many inputs that it is busy for that long."""
        while True:
            took_ms = min(Run(launch, scratch, [], self.command()).target_ms for _ in range(2))
            if took_ms >= seconds * 1000:
                return
            self.times = math.ceil(self.times * max(1.05, 1.05 * seconds * 1000 / took_ms))


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
    """Inputs in the scratch folder, and what reads them for a second or so."""
    text = os.path.join(scratch, "text")
    tree = os.path.join(scratch, "tree")
    make_text(text)
    make_tree(tree)
    return [
        Program(projects.named("fd-find"), ["--threads", "1", "-u", "9[0-9]*1.*t$"], tree, 26),
        Program(RIPGREP, ["-j1", "--no-mmap", "-c", r"(\w+t\s+){3}\w*o[a-z]+$"], text, 10),
        Program(projects.named("b3sum"), ["--num-threads", "1"], text, 53),
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
        return self.number(r"([\d,]+) samples of ") if "cargo-cprof" in recorder else 0

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
        found[TIMER, hz] = [os.path.join(folder, "launch"), "--timer", str(hz), "/dev/null"]
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


def cost(name, runs, hz):
    """What is told of a recorder beside what the program takes more."""
    own = statistics.median(run.own_ms for run in runs)
    of_many = statistics.median(run.own_ms / run.samples for run in runs) * 10000
    peak = statistics.median(run.peak_kib for run in runs) / 1024
    return [f"{own:.0f}", f"{of_many:.0f}", f"{peak:.0f}", *quality(name, runs, hz)]


def rows_of(rounds):
    rows = []
    for name, hz in rounds[0][1]:
        of_tool = [runs[name, hz] for _, runs in rounds]
        extra = statistics.median(extra_percents(rounds, (name, hz)))
        row = [f"{name}, {hz} Hz", f"{extra:.1f}"]
        row += cost(name, of_tool, hz) if name != TIMER else []
        rows.append(row + [""] * (len(COLUMNS) - len(row)))
    return rows


def run(runner, machine, scratch):
    """Measures and writes the part `recording`."""
    peers = [commands.first_line([peer, "--version"]) or f"no {peer}" for peer in ("perf", "samply")]
    text = f"## cargo cprof: recordings\n\n{machine} {commands.first_line(['cargo-cprof', '--version'])}; {', '.join(peers)}.\n"
    text += f"Again: `tests/bench/run recording` ({runner.runs} rounds; ours writes a picture with names, perf only what"
    text += " it copied,\nsamply a profile without names, which it looks up when it shows it; it copies 32,000 bytes of a stack,"
    text += " perf and we 65,528, or what `--call-graph dwarf,BYTES` says).\nThe figures: extra CPU at most "
    text += " and ".join(f"{most} % at {hz} Hz" for hz, most in EXTRA_FIGURES.items())
    text += ", our CPU at most 80 ms for 10,000 samples (which 4000 Hz takes here), 60 MiB,\n99 to 101 % of the samples, 99.7 % of the stacks whole.\n"
    text += "Samples are told in percent of what cpu-clock counted for the program, and of its CPU time, of which the"
    text += " switches between\nthreads are a part that no sample of cpu-clock can meet."
    text += "\nThe kernel's timer alone interrupts the program so often and nothing is written: no recorder that goes by"
    text += " cpu-clock\ncan cost less.\n"
    tools = recorders(os.path.dirname(runner.launch))
    for program in make_programs(scratch):
        program.last(runner.launch, scratch, LEAST_SECONDS)
        rounds = measure(runner, tools, runner.runs, scratch, program.command())
        seconds = statistics.median(alone for alone, _ in rounds) / 1000
        text += f"\n### {program.project}, {seconds:.1f} s of CPU alone\n\n"
        text += document.table(COLUMNS, rows_of(rounds)) + "\n"
    document.replace("recording", text)
    print(text)
