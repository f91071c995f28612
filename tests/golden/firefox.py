#!/usr/bin/env python3
"""Checks a profile for the Firefox Profiler field by field, and that its tables fit together.

    firefox.py SHOW_PROFILE PROFILE REFERENCE

REFERENCE is a minimal document of version 49 as fxprof-processed-profile 0.8.0 (samply's own writer)
makes it: every field there must be in ours with a value of the same type, and no other.
"""

import collections
import json
import re
import subprocess
import sys

# In the reference the value is absent, in ours it may be there; or the other way about.
MAY_BE_NULL = {"line", "fileName", "prefix", "stack", "nativeSymbol", "address"}


def kind(value):
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def compare(ours, theirs, place, problems):
    """Both have the same fields of the same kinds, whatever the values."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in theirs.keys() | ours.keys():
            if name not in ours or name not in theirs:
                problems.append(f"{place}.{name}: only in {'theirs' if name in theirs else 'ours'}")
            else:
                compare(ours[name], theirs[name], f"{place}.{name}", problems)
    elif isinstance(theirs, list) and isinstance(ours, list):
        for at, value in enumerate(ours):
            if theirs:
                compare(value, theirs[0], f"{place}[{at}]", problems)
    elif kind(ours) != kind(theirs):
        name = re.sub(r"\[\d+\]$", "", place).rsplit(".", 1)[-1]
        if name not in MAY_BE_NULL or "NoneType" not in (kind(ours), kind(theirs)):
            problems.append(f"{place}: {kind(ours)} and not {kind(theirs)}")


def check_columns(table, place, problems):
    for name, column in table.items():
        if isinstance(column, list) and len(column) != table["length"]:
            problems.append(f"{place}.{name}: {len(column)} entries and not {table['length']}")


def check_places(values, length, place, problems):
    for value in values:
        if value is not None and not -1 <= value < length:
            problems.append(f"{place}: {value} of {length}")


def check_thread(thread, document, problems):
    frames, functions, stacks = thread["frameTable"], thread["funcTable"], thread["stackTable"]
    strings, samples, resources = thread["stringArray"], thread["samples"], thread["resourceTable"]
    for name in ("frameTable", "funcTable", "stackTable", "samples", "resourceTable", "nativeSymbols", "markers"):
        check_columns(thread[name], name, problems)
    check_places(samples["stack"], stacks["length"], "samples.stack", problems)
    check_places(stacks["frame"], frames["length"], "stackTable.frame", problems)
    check_places(stacks["category"], len(document["meta"]["categories"]), "stackTable.category", problems)
    check_places(frames["category"], len(document["meta"]["categories"]), "frameTable.category", problems)
    check_places(frames["func"], functions["length"], "frameTable.func", problems)
    check_places(functions["name"] + functions["fileName"], len(strings), "funcTable", problems)
    check_places(functions["resource"], resources["length"], "funcTable.resource", problems)
    check_places(resources["lib"], len(document["libs"]), "resourceTable.lib", problems)
    for at, prefix in enumerate(stacks["prefix"]):
        if prefix is not None and prefix >= at:
            problems.append(f"stackTable.prefix[{at}]: {prefix} comes later")
    if samples["time"] != sorted(samples["time"]):
        problems.append("samples.time: not rising")
    check_functions(functions, strings, problems)


def check_functions(functions, strings, problems):
    """To the front-end a function whose file is known and one of the same name without a file are two."""
    keys = set(zip(functions["name"], functions["resource"], functions["fileName"]))
    halves = [name for name, resource, file in keys if file is not None and (name, resource, None) in keys]
    problems += [f"funcTable: {strings[name]} with a file and without" for name in halves]


def check_ids(threads, problems):
    """The front-end shows one main thread of a pid, and tells threads by their tid."""
    mains = collections.Counter(thread["pid"] for thread in threads if thread["isMainThread"])
    problems += [f"pid {pid}: {count} main threads" for pid, count in mains.items() if count > 1]
    tids = collections.Counter(thread["tid"] for thread in threads)
    problems += [f"tid {tid}: {count} threads" for tid, count in tids.items() if count > 1]


def stack_names(thread, stack):
    names = []
    while stack is not None:
        function = thread["frameTable"]["func"][thread["stackTable"]["frame"][stack]]
        names.append(thread["stringArray"][thread["funcTable"]["name"][function]])
        stack = thread["stackTable"]["prefix"][stack]
    return ";".join([thread["name"], *reversed(names)])


def folded(document):
    """The document's samples as folded stacks."""
    counts = collections.Counter()
    for thread in document["threads"]:
        for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            counts[stack_names(thread, stack) if stack is not None else thread["name"] + ";[no stack]"] += weight
    return counts


def main():
    show, profile, reference = sys.argv[1:]

    def shown(shape):
        return subprocess.run([show, shape, profile], stdout=subprocess.PIPE, check=True).stdout.decode()

    document, problems = json.loads(shown("json")), []
    with open(reference, encoding="utf-8") as file:
        theirs = json.load(file)
    library = {"name": "", "path": "", "debugName": "", "debugPath": "", "breakpadId": "", "codeId": None, "arch": None}
    theirs["libs"] = [library]
    compare(document, theirs, "", problems)
    for thread in document["threads"]:
        check_thread(thread, document, problems)
    check_ids(document["threads"], problems)
    if document["meta"]["categories"][0]["color"] != "grey":
        problems.append("meta.categories: the first is the default one and must be grey")
    expected = collections.Counter()
    for line in shown("folded").splitlines():
        path, count = line.rsplit(" ", 1)
        expected[path] += int(count)
    ours = folded(document)
    if sum(ours.values()) != sum(expected.values()) or len(ours) != len(expected):
        problems.append(f"{sum(ours.values())} samples in {len(ours)} stacks, folded {sum(expected.values())} in {len(expected)}")
    # What separates names in folded stacks is written as ":" within names there.
    missing = [path for path in expected if path not in ours and ":" not in path.replace("::", "")]
    problems += [f"no stack {path}" for path in missing]
    sys.exit("\n".join(problems[:20]) if problems else 0)


if __name__ == "__main__":
    main()
