"""What it takes to make a flame graph, or a table, of what perf has recorded, beside perf and samply."""

import os
import shutil
import subprocess

import commands
import document
import recording


def record(scratch, program, form, options):
    """perf's file of the program; its name and how many samples it has."""
    path = os.path.join(scratch, f"{program.project}-{form}.data")
    command = [recording.projects.build(program.project, "legacy"), *program.arguments, *[program.path] * program.times]
    subprocess.run(["perf", "record", "-q", "-F", "2000", *options, "-o", path, "--", *command],
                   check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    script = subprocess.run(["perf", "script", "-i", path, "-F", "event", "-G"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return path, len(script.stdout.splitlines())


def readers(scratch, path):
    """Each does as much as it can of: walk the stacks, find names with inlined calls, draw or tell them."""
    picture = os.path.join(scratch, "out.svg")
    found = [
        commands.Command("flamegraph", ["cargo-cprof", "cprof", "flamegraph", path, "-o", picture]),
        commands.Command("report", ["cargo-cprof", "cprof", "report", path]),
        commands.Command("perf report", ["perf", "report", "--stdio", "--no-children", "-g", "none", "--no-inline", "-i", path]),
        commands.Command("perf script", ["perf", "script", "--no-inline", "-i", path]),
    ]
    if shutil.which("samply"):
        found.append(commands.Command("samply", ["samply", "import", "--save-only", "-o", os.path.join(scratch, "out.json"), path]))
    return found


def rows_of(runner, scratch, program):
    rows = []
    for form, options in (("dwarf", ["--call-graph", "dwarf"]), ("fp", ["--call-graph", "fp"])):
        path, count = record(scratch, program, form, options)
        size = os.path.getsize(path) / (1 << 20)
        tools = readers(scratch, path)
        costs = runner.costs(tools)
        rows += [[f"{program.project}, {form}" if i == 0 else "", f"{count:,}" if i == 0 else "", f"{size:.0f}" if i == 0 else "",
                  tool.label, f"{cost.cpu_ms:.0f}", f"{cost.peak_kib / 1024:.0f}"] for i, (tool, cost) in enumerate(zip(tools, costs))]
        os.remove(path)
    return rows


def run(runner, machine, scratch):
    """Measures and writes the part `perf-data`."""
    versions = [commands.first_line([tool, "--version"]) or f"no {tool}" for tool in ("cargo-cprof", "perf", "samply")]
    text = f"## cargo cprof: reading what perf has recorded\n\n{machine} {', '.join(versions)}.\nAgain: `tests/bench/run perf-data`"
    text += f" (medians of {runner.runs} runs). perf's own are without inlined calls, with which they take\nseveral times as long; samply names nothing before its page is opened.\n\n"
    rows = [row for program in recording.make_programs(scratch)[:2] for row in rows_of(runner, scratch, program)]
    text += document.table(["recording", "samples", "MiB", "read by", "CPU ms", "peak MiB"], rows)
    document.replace("perf-data", text)
    print(text)
