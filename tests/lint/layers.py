"""The folders are the architecture: a folder includes only folders of a lower rank.

docs/architecture.md names each folder, and no module that is not there.

usage: layers.py ROOT
"""

import os
import re
import sys

import sources

# Of the folders in a folder, from the lowest rank up. What lies beside them is above all of them.
RANKS = {
    "common": (
        ("base",),
        ("elf", "rust", "json", "proc"),
        ("dwarf", "code", "git", "cli"),
        ("cargo", "report", "page", "size"),
        ("account", "delta", "revision"),
        ("compare",),
    ),
    "cargo-cprof": (
        ("profile", "sampler"),
        ("facts", "preload", "process", "unwind"),
        ("hints", "symbolize", "target", "view"),
        ("annotate", "built", "collect", "timing", "tree"),
        ("changes", "import"),
        ("criterion", "emit"),
        ("files",),
        ("record",),
        ("compared", "diffed"),
    ),
    "cargo-bloatc": (
        ("content", "subject"),
        ("tables",),
    ),
    "cargo-llvmlines": (
        ("ir", "sizes"),
        ("counts",),
        ("build", "groups"),
        ("measure",),
        ("graph",),
        ("view",),
        ("advice",),
    ),
}


def _rank(parts):
    """Of the file with these parts of a path among the folders beside its own; None where that has none."""
    ranks = RANKS.get(parts[0], ())
    if len(parts) < 3:
        return len(ranks)
    return next((rank for rank, folders in enumerate(ranks) if parts[1] in folders), None)


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
    if own[0] != theirs[0]:
        if own[0] == "common":
            return "common/ does not know the tools"
        return None if theirs[0] == "common" else "a tool does not include another tool"
    if own[1] == theirs[1] or len(own) == len(theirs) == 2 or None in (_rank(own), _rank(theirs)):
        return None
    if _rank(theirs) >= _rank(own):
        return f"{own[1]} (rank {_rank(own)}) may not include {theirs[1]} (rank {_rank(theirs)})"
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


def _unlike_the_document(root, known):
    name = "docs/architecture.md"
    text = sources.read(root, name) if os.path.exists(os.path.join(root, name)) else None
    if text is None:
        return
    stems = {os.path.splitext(path)[0] for path in known}
    places = {}
    for top, ranks in RANKS.items():
        for folder in (folder for folders in ranks for folder in folders):
            places.setdefault(folder, []).append(f"{top}/{folder}/")
            if f"`{top}/{folder}/`" not in text and f"`{folder}/`" not in text:
                yield f"{name}: no word of {top}/{folder}"
    for folder, within in places.items():
        for module, many in re.findall(rf"(?<![\w/.]){folder}/(\w+)(\*?)", text):
            paths = [place + module for place in within]
            if not any(stem in paths or stem.startswith(tuple(path if many else path + "/" for path in paths)) for stem in stems):
                yield f"{name}: there is no {folder}/{module}"


def _of_two_tools(names):
    """Tests may link several tools, and an include there means the first that has it."""
    tools = {}
    for name in names:
        tool, _, path = name.partition("/")
        if tool.startswith("cargo-") and path.endswith(".h") and "/" in path:
            tools.setdefault(path, []).append(tool)
    for path, found in sorted(tools.items()):
        if len(found) > 1:
            yield f"{found[1]}/{path}: {found[0]} has a header of this name in a folder of this name"


def find(root):
    findings, graph = [], {}
    names = sources.own_files(root)
    known = set(names)
    findings += _of_two_tools(names)
    for name in names:
        parts = name.split("/")
        if parts[0] in RANKS and (_rank(parts) is None or (parts[0] == "common" and len(parts) < 3)):
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
    findings += _unlike_the_document(root, sources.files(root))
    findings += ["include cycle: " + " -> ".join(cycle) for cycle in _cycles(graph)]
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1]))
