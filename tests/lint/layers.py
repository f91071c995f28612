"""The folders are the architecture: a folder includes only folders of a lower rank.

usage: layers.py ROOT
"""

import os
import sys

import sources

RANKS = {
    "base": 0,
    "elf": 1, "rust": 1, "json": 1, "proc": 1,
    "dwarf": 2, "code": 2, "git": 2, "cli": 2,
    "cargo": 3, "report": 3, "page": 3, "size": 3,
    "account": 4, "delta": 4, "revision": 4,
    "compare": 5,
}


def _resolve(known, name, included):
    """The file that `#include "included"` in `name` means, or None."""
    places = [os.path.dirname(name), "common"]
    if name.startswith("cargo-"):
        places.append(name.split("/")[0])
    if name.startswith("tests/"):
        places.append("tests/unit")
        places += [part for part in {k.split("/")[0] for k in known} if part.startswith("cargo-")]
    for place in places:
        path = os.path.normpath(os.path.join(place, included))
        if path in known:
            return path
    return None


def _judge(name, target):
    """What is wrong with `name` including `target`, or None."""
    own, theirs = name.split("/"), target.split("/")
    if target.endswith(".c"):
        return "a .c file is never included"
    if own[0] == "tests":
        return None
    if theirs[0] == "tests":
        return "the suite does not include its tests"
    if own[0] == "common":
        if theirs[0] != "common":
            return "common/ does not know the tools"
        if own[1] == theirs[1]:
            return None
        if own[1] in RANKS and theirs[1] in RANKS and RANKS[theirs[1]] >= RANKS[own[1]]:
            return f"{own[1]} (rank {RANKS[own[1]]}) may not include {theirs[1]} (rank {RANKS[theirs[1]]})"
        return None
    if theirs[0] != "common" and theirs[0] != own[0]:
        return "a tool does not include another tool"
    return None


def _cycles(graph):
    """Each include cycle once, as the list of its files."""
    found, done = [], set()

    def visit(name, path):
        if name in path:
            found.append(path[path.index(name):] + [name])
            return
        if name in done:
            return
        for target in graph.get(name, []):
            visit(target, path + [name])
        done.add(name)

    for name in sorted(graph):
        visit(name, [])
    return found


def find(root):
    findings, graph = [], {}
    names = sources.c_files(root)
    known = set(names)
    for name in names:
        parts = name.split("/")
        if parts[0] == "common" and (len(parts) < 3 or parts[1] not in RANKS):
            findings.append(f"{name}: this folder has no rank: add it to tests/lint/layers.py")
        for included in sources.INCLUDE.findall(sources.read(root, name)):
            target = _resolve(known, name, included)
            if ".." in included.split("/"):
                findings.append(f'{name}: "{included}" goes up: include from the root of common/ or the tool')
            elif target is None:
                findings.append(f'{name}: "{included}" is no header that may be included from here')
            else:
                graph.setdefault(name, []).append(target)
                problem = _judge(name, target)
                if problem:
                    findings.append(f'{name}: "{included}": {problem}')
    findings += ["include cycle: " + " -> ".join(cycle) for cycle in _cycles(graph)]
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1]))
