"""cargo bloatc beside cargo-bloat and other readers of the same files."""

import os
import shutil
import subprocess

import commands
import document
import projects

PROJECT = projects.named("fd-find")
# What is measured: cargo's name for the debug information, None for symbols alone; what the figure is for; its CPU.
FILES = [
    (None, "symbols", "a file of 6 MB", 25),
    ("line-tables-only", "line tables", "a file with 16 MB of line tables", 100),
    ("full", "debug information", "a file with 40 MB of debug information", 250),
]
CARGO_CPU_MS = 150
CARGO_PEAK_MB = 40


# What the copy of a file without debug information is called behind its name.
WITHOUT_DEBUG = "-symbols"


def without_debug(path, scratch):
    """What a release build leaves: the symbols, no debug information."""
    result = os.path.join(scratch, os.path.basename(path) + WITHOUT_DEBUG)
    subprocess.run(["strip", "-g", path, "-o", result], check=True)
    return result


def readers(path):
    """Commands that tell the sizes of a file's functions, those that are here; ours first."""
    candidates = [
        ["cargo-bloatc", "--quiet", path],
        ["cargo-bloatc", "--quiet", path, "--crates"],
        ["cargo-bloatc", "--quiet", path, "--crates", "--data"],
        ["cargo-bloatc", "--quiet", path, "--format", "json"],
        ["cargo-bloatc", "--quiet", path, "--sections"],
        ["cargo-bloatc", "--quiet", path, "--by", "generic"],
        ["cargo-bloatc", "--quiet", path, "--by", "line"],
        ["nm", "-S", "--size-sort", path],
        ["bloaty", "-d", "symbols", path],
        ["twiggy", "top", path],
    ]
    # Without line tables there are no lines to show.
    has_lines = not path.endswith(WITHOUT_DEBUG)
    return [
        commands.Command(" ".join(words).replace(path, "FILE"), words)
        for words in candidates
        if shutil.which(words[0]) and (has_lines or "line" not in words)
    ]


def cargo_commands(environment):
    folder = projects.fetch(PROJECT)
    rest = ["--release", *PROJECT.selection, "--target-dir", projects.target_folder(PROJECT, "legacy")]
    return [
        commands.Command(" ".join(words), words + rest, folder, environment)
        for words in (["cargo", "bloatc"], ["cargo", "bloat"], ["cargo", "build"])
    ]


def cost_table(measured):
    ours = measured[0][1]
    rows = [
        [
            f"`{command.label}`",
            f"{cost.cpu_ms:.1f}",
            f"{cost.cpu_ms / ours.cpu_ms:.2f}",
            f"{cost.wall_ms:.1f}",
            f"{cost.peak_kib / 1024:.1f}",
            f"{cost.peak_kib / ours.peak_kib:.2f}",
        ]
        for command, cost in measured
    ]
    return document.table(["command", "CPU ms", "ratio", "wall ms", "peak MiB", "ratio"], rows)


def verdict(what, cost, figure):
    return f"Figure: {what} at most {figure} ms of CPU; measured {cost.cpu_ms:.1f}."


def debug_bytes(path):
    """How much of the file its debug information is."""
    listing = subprocess.run(["size", "-A", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(int(line.split()[1]) for line in listing.splitlines() if line.startswith(".debug_"))


def file_part(runner, title, path):
    listed = readers(path)
    measured = list(zip(listed, runner.costs(listed)))
    text = f"### {title}: {os.path.getsize(path):,} bytes\n\n{cost_table(measured)}\n"
    if shutil.which("valgrind"):
        text += f"\nInstructions of `{listed[0].label}` (callgrind): {commands.instructions(listed[0]):,}.\n"
    return text, measured[0][1]


def cargo_part(runner):
    listed = cargo_commands(projects.environment("legacy"))
    measured = list(zip(listed, runner.costs(listed)))
    text = f"### {PROJECT}, built before (`--release`, selection and target folder the same for all)\n\n"
    ours = measured[0][1]
    text += cost_table(measured) + "\n\n" + verdict("`cargo bloatc`", ours, CARGO_CPU_MS)
    text += f" At most {CARGO_PEAK_MB} MB at its peak; measured {ours.peak_kib * 1024 / 1e6:.1f}."
    return text + " Nothing is compiled: `cargo build` alone is the floor.\n"


def versions():
    asked = [["cargo", "--version"], ["cargo-bloatc", "--version"], ["cargo", "bloat", "--version"], ["nm", "--version"]]
    asked += [["valgrind", "--version"], ["bloaty", "--version"], ["twiggy", "--version"]]
    found = [(words, commands.first_line(words)) for words in asked]
    return "; ".join("cargo-bloat " + line if words[1] == "bloat" else line for words, line in found if line)


def run(runner, machine, scratch, given):
    """Measures and writes the part `bloatc`; `given` is a file to measure too, or None."""
    files = []
    for debug, what, _, _ in FILES:
        path = projects.build(PROJECT, "legacy", debug)
        files.append((f"{PROJECT} with {what}", path if debug else without_debug(path, scratch)))
    if given:
        files.append((os.path.basename(given), os.path.abspath(given)))
    parts, costs = zip(*(file_part(runner, title, path) for title, path in files))
    text = f"## cargo bloatc\n\n{machine} {versions()}.\nAgain: `tests/bench/run bloatc`"
    text += f" (medians of {runner.runs} interleaved runs).\n\n"
    text += "\n".join(parts) + "\n"
    for (_, _, what, figure), (_, path), cost in zip(FILES, files, costs):
        text += verdict(what, cost, figure)
        text += f" This one has {os.path.getsize(path) / 1e6:.1f} MB,"
        text += f" {debug_bytes(path) / 1e6:.1f} of them debug information.\n"
    text += "\n"
    text += cargo_part(runner)
    document.replace("bloatc", text)
    print(text)
