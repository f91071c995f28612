"""What cargo llvmlines takes beside cargo-llvm-lines, on mini-redis and on 1 GB of IR, in one run.

Both are in PATH. CPU time is that of all processes together.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

import commands
import document
import projects

OURS = ["cargo-llvmlines", "llvmlines"]
PEER = ["cargo-llvm-lines", "llvm-lines"]
SELECTION = ["--release", "--lib"]
IR_BYTES = 1_000_000_000


class Usage:
    """What one run of a command took."""

    def __init__(self, arguments, folder):
        started = time.monotonic()
        process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"{' '.join(arguments)}: status {status}")
        self.wall_s = time.monotonic() - started
        self.cpu_s = used.ru_utime + used.ru_stime
        self.memory_mb = used.ru_maxrss / 1024


def best(count, measure):
    """The least of several runs: what others do on the machine only adds."""
    return min((measure() for _ in range(count)), key=lambda usage: usage.cpu_s)


def builds(folder, targets):
    """Arguments by name, for a project that is built into a target folder of its own."""
    return {
        "ours": [*OURS, *SELECTION, "--target-dir", targets["ours"]],
        "peer": [*PEER, *SELECTION, "--target-dir", targets["peer"]],
    }


def touch(folder):
    os.utime(os.path.join(folder, "src", "lib.rs"))


def measure_project(folder, report):
    targets = {name: tempfile.mkdtemp(dir=projects.CACHE) for name in ("ours", "peer")}
    both = builds(folder, targets)
    try:
        report("from nothing, CPU-s", {name: Usage(command, folder).cpu_s for name, command in both.items()}, 30)
        changed = {}
        for name, command in both.items():
            changed[name] = best(3, lambda: touch(folder) or Usage(command, folder)).cpu_s
        report("one file changed, CPU-s", changed, 0.9)
        unchanged = {name: best(3, lambda: Usage(command, folder)).wall_s for name, command in both.items()}
        report("nothing changed, wall s", unchanged, 0.3)
    finally:
        for target in targets.values():
            shutil.rmtree(target)


def make_ir(folder, path):
    """IR of all crates of the project, over and over."""
    target = os.path.join(projects.CACHE, "bench-ir")
    Usage([*OURS, *SELECTION, "--keep-ir", "--target-dir", target], folder)
    texts = sorted(glob.glob(os.path.join(target, "llvmlines", "release", "deps", "*.ll")))
    with open(path, "wb") as out:
        while out.tell() < IR_BYTES:
            for text in texts:
                with open(text, "rb") as file:
                    shutil.copyfileobj(file, out)


def measure_ir(folder, report):
    path = os.path.join(projects.CACHE, "bench.ll")
    if not os.path.exists(path):
        make_ir(folder, path + ".new")
        os.rename(path + ".new", path)
    ours = best(3, lambda: Usage([*OURS, path], folder))
    peer = best(1, lambda: Usage([*PEER, "--files", path], folder))
    report("1 GB of IR, CPU-s", {"ours": ours.cpu_s, "peer": peer.cpu_s}, 0.4)
    report("1 GB of IR, memory in MB", {"ours": ours.memory_mb, "peer": peer.memory_mb}, 24)


def versions():
    peer = commands.first_line([*PEER, "--version"])
    return f"{commands.first_line(['cargo', '--version'])}; cargo-llvm-lines {peer.split()[-1]}"


def run(machine):
    """Measures and writes the part `llvmlines`."""
    project = projects.named("mini-redis")
    rows = []

    def report(what, figures, figure):
        ours, peer = figures["ours"], figures["peer"]
        rows.append([what, f"{ours:.2f}", f"{peer:.2f}", f"{peer / ours:.1f}", f"{figure}"])

    folder = projects.fetch(project)
    measure_project(folder, report)
    measure_ir(folder, report)
    text = f"## cargo llvmlines\n\n{machine} {versions()}.\nAgain: `tests/bench/run llvmlines`; {project},"
    text += f" `{' '.join(SELECTION)}`. From nothing ours compiles every crate of the graph to IR, the peer all of them"
    text += " to machine code and the last once more.\n\n"
    text += document.table(["what", "cargo llvmlines", "cargo-llvm-lines", "ratio", "figure, at most"], rows)
    document.replace("llvmlines", text)
    print(text)
