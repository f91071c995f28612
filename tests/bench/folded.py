"""A flame graph of a folded file of 1,000,000 lines with 50,000 distinct stacks: time, memory, size of the picture."""

import os
import subprocess

import commands
import document


def run(runner, machine, folder, scratch):
    """Measures and writes the part `folded`."""
    lines = os.path.join(scratch, "lines.folded")
    picture = os.path.join(scratch, "lines.svg")
    subprocess.run([os.path.join(folder, "bench_folded"), lines], check=True)
    command = commands.Command("", ["cargo-cprof", "flamegraph", lines, "-o", picture])
    cost = runner.costs([command])[0]
    text = f"## cargo cprof: a large folded file\n\n{machine} {commands.first_line(['cargo-cprof', '--version'])}.\n"
    text += f"Again: `tests/bench/run folded` (medians of {runner.runs} runs): `cargo cprof flamegraph FILE -o FILE.svg` of 1,000,000 lines,\n"
    text += f"{os.path.getsize(lines) / 1e6:.0f} MB, with 50,000 distinct stacks of up to 60 calls.\n\n"
    rows = [
        ["time, ms", f"{cost.wall_ms:.0f}", "1000"],
        ["CPU time, ms", f"{cost.cpu_ms:.0f}", ""],
        ["peak memory, MiB", f"{cost.peak_kib / 1024:.0f}", ""],
        ["picture, MB", f"{os.path.getsize(picture) / 1e6:.1f}", "10"],
    ]
    text += document.table(["what", "measured", "figure, at most"], rows) + "\n"
    document.replace("folded", text)
    print(text)
