"""What cargo llvmlines takes beside cargo-llvm-lines, on mini-redis and on 1 GB of IR, in one run.

Both are in PATH.
"""

import functools
import glob
import os
import shutil
import tempfile

import commands
import document
import projects

OURS = ["cargo-llvmlines", "llvmlines"]
PEER = ["cargo-llvm-lines", "llvm-lines"]
FLOOR = ["cargo", "check"]
SELECTION = ["--release", "--lib"]
IR_BYTES = 1_000_000_000


def best(count, measure):
    """The least of several runs: what others do on the machine only adds."""
    return min((measure() for _ in range(count)), key=lambda cost: cost.cpu_ms)


def builds(folder, targets):
    """Commands by name, for a project that is built into a target folder of its own."""
    programs = {"floor": FLOOR, "ours": OURS, "peer": PEER}
    return {
        name: commands.Command(name, [*program, *SELECTION, "--target-dir", targets[name]], folder)
        for name, program in programs.items()
    }


def touch(folder):
    os.utime(os.path.join(folder, "src", "lib.rs"))


def in_turns(count, measures):
    """The least of several runs of each, taking turns: the processor's speed changes within minutes."""
    rounds = [{name: measure() for name, measure in measures.items()} for _ in range(count)]
    return {name: min(figures[name] for figures in rounds) for name in measures}


def measure_project(runner, folder, report):
    targets = {name: tempfile.mkdtemp(dir=projects.CACHE) for name in ("floor", "ours", "peer")}
    all_builds = builds(folder, targets)

    def from_nothing(name):
        shutil.rmtree(targets[name])
        return runner.once(all_builds[name]).cpu_ms / 1000

    def changed(name):
        touch(folder)
        return runner.once(all_builds[name]).cpu_ms / 1000

    def unchanged(name):
        return runner.once(all_builds[name]).wall_ms / 1000

    def measure(what, run_one, figure):
        report(what, in_turns(3, {name: functools.partial(run_one, name) for name in all_builds}), figure)

    try:
        measure("from nothing, CPU-s", from_nothing, 30)
        measure("one file changed, CPU-s", changed, 0.9)
        measure("nothing changed, wall s", unchanged, 0.3)
    finally:
        for target in targets.values():
            shutil.rmtree(target)


def make_ir(runner, folder, path):
    """IR of all crates of the project, over and over."""
    target = os.path.join(projects.CACHE, "bench-ir")
    runner.once(commands.Command("IR", [*OURS, *SELECTION, "--keep-ir", "--target-dir", target], folder))
    texts = sorted(glob.glob(os.path.join(target, "llvmlines", "release", "deps", "*.ll")))
    with open(path, "wb") as out:
        while out.tell() < IR_BYTES:
            for text in texts:
                with open(text, "rb") as file:
                    shutil.copyfileobj(file, out)


def measure_ir(runner, folder, report):
    path = os.path.join(projects.CACHE, "bench.ll")
    if not os.path.exists(path):
        make_ir(runner, folder, path + ".new")
        os.rename(path + ".new", path)
    counts = {"floor": ["wc", "-l", path], "ours": [*OURS, path], "peer": [*PEER, "--files", path]}
    costs = {
        name: best(3, functools.partial(runner.once, commands.Command(name, arguments, folder)))
        for name, arguments in counts.items()
    }
    report("1 GB of IR, CPU-s", {name: cost.cpu_ms / 1000 for name, cost in costs.items()}, 0.4)
    report("1 GB of IR, memory in MB", {name: cost.peak_kib / 1024 for name, cost in costs.items()}, 24)


def versions():
    peer = commands.first_line([*PEER, "--version"])
    return f"{commands.first_line(['cargo', '--version'])}; cargo-llvm-lines {peer.split()[-1]}"


def run(runner, machine):
    """Measures and writes the part `llvmlines`."""
    project = projects.named("mini-redis")
    rows = []

    def report(what, figures, figure):
        ours, peer = figures["ours"], figures["peer"]
        floor = f"{figures['floor']:.2f}"
        rows.append([what, f"{ours:.2f}", f"{peer:.2f}", f"{peer / ours:.1f}", floor, f"{figure}"])

    folder = projects.fetch(project)
    measure_project(runner, folder, report)
    measure_ir(runner, folder, report)
    text = f"## cargo llvmlines\n\n{machine} {versions()}.\nAgain: `tests/bench/run llvmlines`; {project},"
    text += f" `{' '.join(SELECTION)}`. From nothing ours compiles every crate of the graph to IR, the peer all of them"
    text += " to machine code and the last once more.\n\n"
    text += "The floor is `cargo check`, or `wc -l` of the IR: nothing can take less.\n\n"
    text += document.table(["what", "cargo llvmlines", "cargo-llvm-lines", "ratio", "floor", "figure, at most"], rows)
    document.replace("llvmlines", text)
    print(text)
