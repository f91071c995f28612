"""What a comparison with an unchanged revision takes beside the plain command, with nothing left to compile."""

import os
import shutil
import subprocess
import tempfile

import commands
import document
import projects

PROJECT = projects.Project("pulldown-cmark", "0.12.2", ["--bin", "pulldown-cmark"], "a parser, hardly any dependencies")
EXTRA_S_MAX = 0.3


def make_repository(scratch):
    """The project as a repository of one commit."""
    folder = os.path.join(scratch, PROJECT.name)
    shutil.copytree(projects.fetch(PROJECT), folder, ignore=shutil.ignore_patterns("target", ".cargo-ok"))
    for words in (["init", "-q"], ["add", "-A", "-f"],
                  ["-c", "user.name=N", "-c", "user.email=n@example.org", "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def pair(tool, folder, environment):
    """The plain command and the comparison; what runs a program draws, too."""
    words = ["cargo", tool, "--quiet", "--release", *PROJECT.selection]
    behind = []
    if tool == "cprof":
        words += ["-o", os.path.join(folder, "target", "flame.svg")]
        behind = ["--", "README.md"]
    return [
        commands.Command(f"cargo {tool}", [*words, *behind], folder, environment),
        commands.Command(f"cargo {tool} --diff HEAD", [*words, "--diff", "HEAD", *behind], folder, environment),
    ]


def row(tool, plain, diff):
    most = 2 * plain.wall_ms / 1000 + EXTRA_S_MAX
    return [f"`cargo {tool}`", f"{plain.wall_ms / 1000:.2f}", f"{diff.wall_ms / 1000:.2f}", f"{most:.2f}"]


def run(runner, machine):
    """Measures and writes the part `diff`."""
    os.makedirs(projects.CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=projects.CACHE) as scratch:
        folder = make_repository(scratch)
        environment = projects.environment("legacy", XDG_CACHE_HOME=os.path.join(scratch, "cache"))
        rows = [
            row(tool, *runner.costs(pair(tool, folder, environment)))
            for tool in ("bloatc", "llvmlines", "cprof")
        ]
    text = f"## Comparisons\n\n{machine} {commands.first_line(['cargo', '--version'])}.\nAgain: `tests/bench/run diff`"
    text += f" (medians of {runner.runs} interleaved runs, both sides built before); {PROJECT}, `--diff HEAD` of an"
    text += f" unchanged repository; `cargo cprof` runs it on a small file; figure: two plain runs and {EXTRA_S_MAX} s.\n\n"
    text += document.table(["command", "plain, wall s", "`--diff HEAD`, wall s", "figure, at most"], rows) + "\n"
    document.replace("diff", text)
    print(text)
