"""cargo bloatc beside cargo-bloat and other readers of the same files."""

import os
import shutil
import subprocess

import commands
import document
import projects

PROJECT = projects.named("fd-find")
CPU_FIGURE_MS = {"file": 25, "debug": 250, "cargo": 150}


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
    text += cost_table(measured) + "\n\n" + verdict("`cargo bloatc`", measured[0][1], CPU_FIGURE_MS["cargo"])
    return text + " Nothing is compiled: `cargo build` alone is the floor.\n"


def versions():
    asked = [["cargo", "--version"], ["cargo-bloatc", "--version"], ["cargo", "bloat", "--version"], ["nm", "--version"]]
    asked += [["valgrind", "--version"], ["bloaty", "--version"], ["twiggy", "--version"]]
    found = [(words, commands.first_line(words)) for words in asked]
    return "; ".join("cargo-bloat " + line if words[1] == "bloat" else line for words, line in found if line)


def run(runner, machine, scratch, given):
    """Measures and writes the part `bloatc`; `given` is a file to measure too, or None."""
    with_debug = projects.build(PROJECT, "legacy")
    files = [
        (f"{PROJECT} with symbols", without_debug(with_debug, scratch)),
        (f"{PROJECT} with debug information", with_debug),
    ]
    if given:
        files.append((os.path.basename(given), os.path.abspath(given)))
    parts, costs = zip(*(file_part(runner, title, path) for title, path in files))
    text = f"## cargo bloatc\n\n{machine} {versions()}.\nAgain: `tests/bench/run bloatc`"
    text += f" (medians of {runner.runs} interleaved runs).\n\n"
    text += "\n".join(parts) + "\n" + verdict("a file of 6 MB", costs[0], CPU_FIGURE_MS["file"])
    text += f" With 40 MB of debug information at most {CPU_FIGURE_MS['debug']} ms; the second file above has"
    text += f" {os.path.getsize(with_debug) / 1e6:.0f} MB in all and takes {costs[1].cpu_ms:.1f}.\n\n"
    text += cargo_part(runner)
    document.replace("bloatc", text)
    print(text)
