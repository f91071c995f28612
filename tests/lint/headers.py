"""Every header compiles alone as C17, without warnings.

usage: headers.py ROOT COMPILER
"""

import concurrent.futures
import os
import subprocess
import sys

import sources

FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", '-DSUITE_VERSION="0"', '-DFIXTURES="."', "-fsyntax-only", "-Wall",
         "-Wextra", "-Werror"]


def _compile(root, compiler, name):
    own = name.split("/")[0]
    tools = [own] if own != "tests" else sorted(f for f in os.listdir(root) if f.startswith("cargo-"))
    tool = [f"-I{folder}" for folder in tools if folder.startswith("cargo-")]
    # The header is included from an empty file: as a main file it may warn of its own pragmas.
    run = subprocess.run([compiler, *FLAGS, "-Icommon", "-I.", *tool, "-x", "c", "-"], cwd=root, text=True,
                         input=f'#include "{os.path.join(root, name)}"\n', capture_output=True, check=False)
    if run.returncode == 0:
        return []
    first = next((line for line in run.stderr.splitlines() if "error" in line), run.stderr)
    return [f"{name}: does not compile alone: {first}"]


def find(root, compiler):
    names = sources.own_files(root, (".h",))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda name: _compile(root, compiler, name), names)
        return [finding for findings in found for finding in findings]


if __name__ == "__main__":
    sources.finish(find(sys.argv[1], sys.argv[2]))
