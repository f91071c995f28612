"""What counting a whole graph costs beyond the compiler: CPU time, memory of the wrapper, disk; written into docs/measured.md."""

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

PROJECT = projects.Project("xh", "0.24.1", ["--release", "--bin", "xh"], "184 crates")

# Does with rustc what cargo llvmlines does, and counts nothing.
PLAIN = """#!/bin/sh
case " $* " in
*" --crate-type proc-macro "*) exec "$@" ;;
*"--emit=dep-info,metadata "*) ;;
*) exec "$@" ;;
esac
exec "$@" --emit=llvm-ir -Cno-prepopulate-passes -Csymbol-mangling-version=v0 -Ccodegen-units=1 -Clto=off
"""

# Stands for rustc: the IR is there at once.
FAKE = """#!/bin/sh
cp "{ir}" "{folder}/x-1.ll"
"""


def used(arguments, folder, **variables):
    """CPU seconds, wall seconds and peak memory in MB of a command and all it starts."""
    started = time.monotonic()
    process = subprocess.Popen(arguments, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(arguments)}: status {status}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - started, usage.ru_maxrss / 1024


def script(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def wrapper(ir, scratch):
    """CPU and memory of counting one crate; the compiler is a copy of its IR."""
    fake = script(os.path.join(scratch, "rustc"), FAKE.format(ir=ir, folder=scratch))
    cpu_s, _, memory = used(
        ["cargo-llvmlines", fake, "--emit=metadata", "--crate-name", "x", "--out-dir", scratch, "-C",
         "extra-filename=-1"], scratch, CARGO_LLVMLINES_RUSTC_WRAPPER="1")
    return cpu_s, memory


def run(machine):
    """Measures and writes the part `llvmlines-graph`."""
    folder = projects.fetch(PROJECT)
    rows = []
    with tempfile.TemporaryDirectory(dir=projects.CACHE) as scratch:
        target = os.path.join(scratch, "ours")
        command = ["cargo-llvmlines", "llvmlines", *PROJECT.selection, "--deps", "--target-dir", target]
        plain = script(os.path.join(scratch, "plain"), PLAIN)
        rustc_s, _, _ = used(["cargo", "check", *PROJECT.selection, "--target-dir", os.path.join(scratch, "plain-target")],
                             folder, RUSTC_WRAPPER=plain, CARGO_INCREMENTAL="0")
        texts = glob.glob(os.path.join(scratch, "plain-target", "release", "deps", "*.ll"))
        ours_s, _, _ = used(command, folder)
        _, again_s, memory = used(command, folder)
        counts = glob.glob(os.path.join(target, "llvmlines", "release", "deps", "*.llvmlines-*"))
        disk = sum(os.stat(path).st_blocks * 512 for path in counts) / 1e6
        largest = max(texts, key=os.path.getsize)
        largest_s, largest_mb = wrapper(largest, scratch)
        total_mb = sum(os.path.getsize(path) for path in texts) / 1e6
        shutil.rmtree(target)
    rows.append(["from nothing, CPU-s; rustc alone in the same way", f"{ours_s:.0f}; {rustc_s:.0f}", "125; 115"])
    rows.append(["the same, ratio", f"{ours_s / rustc_s:.3f}", "1.087"])
    rows.append([f"IR of {len(texts)} crates, MB", f"{total_mb:.0f}", ""])
    rows.append(["what is kept of it, MB on disk", f"{disk:.1f}", "20"])
    rows.append([f"the largest crate ({os.path.basename(largest).rsplit('-', 1)[0]}), CPU-s", f"{largest_s:.2f}", ""])
    rows.append(["the same, memory of the wrapper, MB", f"{largest_mb:.1f}", "24"])
    rows.append(["nothing changed, wall s", f"{again_s:.2f}", ""])
    rows.append(["the same, memory, MB", f"{memory:.0f}", ""])
    text = f"## cargo llvmlines on a whole graph\n\n{machine} {commands.first_line(['cargo', '--version'])}.\n"
    text += f"Again: `tests/bench/run llvmlines-graph`; {PROJECT}, `{' '.join(PROJECT.selection)} --deps`.\n\n"
    text += document.table(["what", "measured", "figure, at most"], rows)
    document.replace("llvmlines-graph", text)
    print(text)


if __name__ == "__main__":
    run("")
