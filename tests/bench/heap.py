"""What it costs a program to have its memory told, beside heaptrack, and whether both find the same.

Valgrind counts, too, what a program is given: a second opinion on the sums, and far too slow to be measured here.
"""

import glob
import json
import os
import re
import subprocess

import commands
import document
import recording


def make_programs(scratch):
    """(label, command) of programs that are given much memory, whose command lines are one program's."""
    source = os.path.join(os.path.dirname(__file__), "..", "e2e", "stacks", "heap.c")
    many = os.path.join(scratch, "many")
    subprocess.run(["cc", "-O2", "-o", many, source, "-pthread"], check=True)
    programs = [("400,000 small ones, four threads", [many, "many"])]
    for program in recording.make_programs(scratch)[:2]:
        arguments = [recording.projects.build(program.project, "legacy"), *program.arguments, *[program.path] * program.times]
        programs.append((str(program.project), arguments))
    return programs


def counted_by_us(scratch, command):
    path = os.path.join(scratch, "counted.cprof")
    subprocess.run(["cargo-cprof", "cprof", "exec", "-q", "--ignore-status", "-e", "alloc-count", "-o", path, "--", *command],
                   check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["cargo-cprof", "cprof", "report", path, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)["whole"]


def counted_by_valgrind(command):
    done = subprocess.run(["valgrind", *command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return int(re.search(r"total heap usage: ([\d,]+) allocs", done.stderr.decode())[1].replace(",", ""))


def counted_by_heaptrack(scratch):
    [path] = glob.glob(os.path.join(scratch, "heaptrack.*"))
    done = subprocess.run(["heaptrack_print", path], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return int(re.search(r"calls to allocation functions: (\d+)", done.stdout.decode())[1])


def row_of(runner, scratch, label, command):
    ours = ["cargo-cprof", "cprof", "exec", "-q", "--ignore-status", "-e", "heap", "-o", os.path.join(scratch, "x.cprof"), "--", *command]
    theirs = ["heaptrack", "-o", os.path.join(scratch, "heaptrack"), *command]
    costs = runner.costs([commands.Command("alone", command), commands.Command("ours", ours), commands.Command("heaptrack", theirs)])
    counts = [counted_by_valgrind(command), counted_by_us(scratch, command), counted_by_heaptrack(scratch)]
    return [label, *[f"{count:,}" for count in counts], *[f"{cost.cpu_ms:.0f}" for cost in costs],
            *[f"{cost.peak_kib / 1024:.0f}" for cost in costs]]


def run(runner, machine, scratch):
    """Measures and writes the part `heap`."""
    versions = [commands.first_line([tool, "--version"]) or f"no {tool}" for tool in ("cargo-cprof", "heaptrack", "valgrind")]
    text = f"## cargo cprof: what telling of memory costs\n\n{machine} {', '.join(versions)}.\nAgain: `tests/bench/run heap`"
    text += f" (medians of {runner.runs} runs; the recorders' own\nCPU time is in it). Allocations as valgrind counts them, as `-e alloc-count` tells and as heaptrack does.\n"
    text += "fd has jemalloc linked in, of which the others see nothing.\n\n"
    rows = [row_of(runner, scratch, label, command) for label, command in make_programs(scratch)]
    columns = ["program", "valgrind", "cargo cprof", "heaptrack", "alone, CPU ms", "cargo cprof", "heaptrack", "alone, MiB", "cargo cprof", "heaptrack"]
    text += document.table(columns, rows)
    document.replace("heap", text)
    print(text)
