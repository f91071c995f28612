#!/usr/bin/env python3
"""cargo bloatc beside binutils, debug information and cargo-bloat, on real projects in both manglings.

Fails when the rows of a file do not add up to .text as readelf has it; when a function's size is not the
one nm has, but for functions that share bytes and labels without a size, which are counted; when fewer
bytes than REQUIRED are given to the crate that debug information says defines them; when cargo-bloat finds
another .text or other functions. Crates that cargo-bloat names otherwise are counted by cause.

usage: compare_bloatc.py [-v] [PROJECT...]
"""

import collections
import json
import os
import subprocess
import sys

import binutils
import debug_truth
import projects

# The share of the bytes with debug information whose defining crate must be the one it says.
REQUIRED = {"legacy": 0.97, "v0": 1.0}

# Not functions but what is between them.
GAPS = ("[padding]", "[unnamed]")

VERBOSE = "-v" in sys.argv[1:]


def show(line, *details):
    print("  " + line)
    if VERBOSE:
        for detail in details:
            print("      " + detail[:160])


def largest(rows, text):
    """The details of the rows that weigh most."""
    return [f"{row['size']:>7} {text(row)}" for row in sorted(rows, key=lambda row: -row["size"])[:12]]


def bytes_of(rows):
    return sum(row["size"] for row in rows)


def measured(path, *options):
    arguments = ["cargo-bloatc", "--quiet", path, "--attribute", "defined", "--format", "json", *options]
    return json.loads(subprocess.run(arguments, check=True, stdout=subprocess.PIPE).stdout)


def check_sums(path, report):
    """The problems of the totals."""
    total = bytes_of(report["functions"])
    expected = binutils.section_total(path)
    gaps = {row["name"]: row["size"] for row in report["functions"] if row["name"] in GAPS}
    show(f"{total} bytes in rows, .text has {expected}; of these {gaps}")
    problems = []
    if not total == expected == report["text-section-size"]:
        problems.append(f"rows add up to {total}, total {report['text-section-size']}, .text has {expected}")
    crates = measured(path, "--crates")["crates"]
    if bytes_of(crates) != expected:
        problems.append(f"crates add up to {bytes_of(crates)}, .text has {expected}")
    if report["file-size"] != os.path.getsize(path):
        problems.append(f"file size {report['file-size']}")
    return problems


def place_rows(report, places):
    """Gives each row its place ("at"): one that has its name and is not taken, of the same size if there is one."""
    by_name = collections.defaultdict(list)
    for place in places:
        for name in set(place.names):
            by_name[name].append(place)
    taken = set()
    for row in sorted((row for row in report["functions"] if "symbol" in row), key=lambda row: -row["size"]):
        free = [place for place in by_name[row["symbol"]] if place.svma not in taken]
        if free:
            row["at"] = next((place for place in free if place.size == row["size"]), free[0])
            taken.add(row["at"].svma)


def check_sizes(report, places):
    """The problems of single functions, after place_rows."""
    rows = [row for row in report["functions"] if "symbol" in row]
    shared = binutils.overlapping(places)
    same = [row for row in rows if "at" in row and row["at"].size == row["size"]]
    labels = [row for row in rows if "at" in row and row["at"].size == 0]
    cut = [row for row in rows if "at" in row and row["at"].svma in shared and row["size"] < row["at"].size]
    explained = {id(row) for row in same + labels + cut}
    wrong = [row for row in rows if id(row) not in explained]
    seen = {row["at"].svma for row in rows if "at" in row}
    missed = [place for place in places if place.size > 0 and place.svma not in seen]
    aliases = sum(len(place.names) - 1 for place in places)
    show(
        f"{len(same)} of {len(rows)} functions as nm has them; {len(labels)} labels without a size own "
        f"{bytes_of(labels)} bytes; {len(cut)} share bytes with functions inside them; {aliases} names are aliases",
        *largest(labels + cut, lambda row: f"{row['symbol']} (nm: {row['at'].size})"),
    )
    problems = [
        f"{row['symbol']}: {row['size']} bytes, nm says {row['at'].size if 'at' in row else 'nothing'}" for row in wrong
    ]
    return problems + [f"{place.names[0]}: {place.size} bytes at {place.svma:#x} are in no row" for place in missed]


def is_mangled(row):
    return row["symbol"].startswith(("_R", "_ZN"))


def is_std_on_std(row):
    """
    alloc's `impl CStr`, of core's type: std's crates alone may do so. The name says alloc, where the source
    stands, but debug information files methods under their type.
    """
    is_inherent = row["full"].startswith("<") and " as " not in row["full"]
    return is_inherent and row.get("crate") in ("alloc", "std") and row["truth"] in ("core", "alloc")


def check_crates(path, mangling, split):
    """Compares crates with debug information; `split` is a report with std split. Sets each row's "truth"."""
    truth = debug_truth.crates_by_address(path)
    placed = [row for row in split["functions"] if "at" in row]
    for row in placed:
        if truth.get(row["at"].svma):
            row["truth"] = truth[row["at"].svma]
    known = [row for row in placed if "truth" in row and is_mangled(row)]
    if not known:
        return ["no function has debug information"]
    others = [row for row in known if projects.crate_of(row) != row["truth"]]
    merged = [row for row in others if len(row["at"].names) > 1]
    foreign = [row for row in others if row not in merged and is_std_on_std(row)]
    wrong = [row for row in others if row not in merged and row not in foreign]
    inferred = [row for row in known if row.get("crate-source") == "inferred"]
    unmarked = [row for row in wrong if row.get("crate-source") != "inferred"]
    share = 1 - bytes_of(wrong) / bytes_of(known)
    show(
        f"{share:.2%} of {bytes_of(known)} bytes of Rust names with debug information have the crate it says; "
        f"{bytes_of(inferred)} are marked as inferred; wrong without that mark: {bytes_of(unmarked)}",
        *largest(wrong, lambda row: f"{row.get('crate')}, not {row['truth']}: {row['full']}"),
    )
    unnamed = [row for row in placed if "truth" in row and not is_mangled(row)]
    alone = [row for row in placed if "crate" in row and "truth" not in row]
    show(
        f"other crates at addresses of several names, functions that were merged: {bytes_of(merged)} bytes; "
        f"methods that a crate of std gives another's type: {bytes_of(foreign)}",
        *largest(merged + foreign, lambda row: f"{row.get('crate')}, not {row['truth']}: {row['full']}"),
    )
    show(
        f"no Rust name but in a crate by debug information: {bytes_of(unnamed)} bytes; "
        f"a crate by the name alone: {bytes_of(alone)}",
        *largest(unnamed, lambda row: f"{row['truth']}: {row['full']}"),
    )
    if share < REQUIRED[mangling]:
        return [f"the crates of {1 - share:.2%} of the bytes are not those of the debug information"]
    return []


def cause_of(row, theirs):
    """Why cargo-bloat names another crate than we do, as far as its answer shows it."""
    crate = projects.crate_of(row)
    if crate == theirs:
        return None
    if theirs == "[Unknown]":
        return "it names none"
    if not crate:
        return "we name none"
    if theirs.endswith("?"):
        return "it guesses rightly but says `?`" if theirs[:-1] == crate else "its guess with `?` differs"
    if crate == "std":
        return "std's generics given to a crate that uses them"
    if theirs == "std":
        return "a crate that std was built with, called std"
    return "another crate"


def by_cause(pairs):
    causes = collections.defaultdict(list)
    for row, theirs in pairs:
        cause = cause_of(row, theirs.get("crate", "[Unknown]"))
        if cause:
            row["theirs"] = theirs.get("crate", "[Unknown]")
            causes[cause].append(row)
    return sorted(causes.items(), key=lambda item: -bytes_of(item[1]))


def is_std(row):
    return projects.crate_of(row) == "std"


def agrees(row, crate):
    """Whether a crate, std standing for all of std, is the one that debug information says."""
    return crate == row["truth"] or (crate == "std" and row["split_is_std"])


def show_causes(pairs):
    for cause, rows in by_cause(pairs):
        known = [row for row in rows if "truth" in row]
        ours = bytes_of(row for row in known if agrees(row, projects.crate_of(row)))
        theirs = bytes_of(row for row in known if agrees(row, row["theirs"].rstrip("?")))
        show(
            f"  {bytes_of(rows):>8} bytes: {cause} (debug information agrees with us on {ours}, with it on {theirs})",
            *largest(rows, lambda row: f"{row.get('crate')} / {row['theirs']} / {row.get('truth')}: {row['full']}"),
        )


class PeerFailed(Exception):
    """cargo-bloat ended with this message."""


def cargo_bloat(project, mangling):
    arguments = ["cargo", "bloat", "--release", "-n", "0", "--full-fn", "--message-format", "json"]
    arguments += [*project.selection, "--target-dir", projects.target_folder(project, mangling)]
    done = subprocess.run(
        arguments,
        cwd=projects.fetch(project),
        env=projects.environment(mangling),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if done.returncode != 0:
        raise PeerFailed(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    return json.loads(done.stdout)


def match_functions(rows, theirs):
    """Pairs of rows with one name and size; then what is left of ours and of theirs."""
    ours = collections.defaultdict(list)
    for row in rows:
        ours[row["full"], row["size"]].append(row)
    pairs, unmatched = [], []
    for row in theirs:
        same = ours[row["name"], row["size"]]
        if same:
            pairs.append((same.pop(), row))
        else:
            unmatched.append(row)
    return pairs, [row for same in ours.values() for row in same], unmatched


def check_cargo_bloat(project, mangling, report):
    """
    Compares with cargo-bloat, function by function. Names may differ: of several at one address it takes
    another, and its demangler is older; so what is left is matched by size alone. It leaves out labels without a size.
    """
    try:
        peer = cargo_bloat(project, mangling)
    except PeerFailed as failure:
        show(f"cargo-bloat cannot: {failure}")
        # It takes no library that is also built as something else.
        return [] if "--lib" in project.selection else [str(failure)]
    rows = [row for row in report["functions"] if "symbol" in row]
    pairs, left, unmatched = match_functions(rows, peer["functions"])
    sizes = collections.Counter(row["size"] for row in left if row["at"].size > 0)
    extra = collections.Counter(row["size"] for row in unmatched)
    show(
        f"cargo-bloat: {len(pairs)} functions with the same name and size, {len(unmatched)} with another name; "
        f"it leaves out {bytes_of(row for row in left if row['at'].size == 0)} bytes of labels without a size",
        *largest(left, lambda row: f"ours: {row['full']}"),
        *largest(unmatched, lambda row: f"its: {row['name']}"),
    )
    show_causes(pairs)
    problems = []
    if peer["text-section-size"] != report["text-section-size"]:
        problems.append(f".text: {report['text-section-size']}, cargo-bloat says {peer['text-section-size']}")
    if sizes != extra:
        problems.append(f"sizes only ours {dict(sizes - extra)}, only cargo-bloat's {dict(extra - sizes)}")
    return problems


def join(report, full, split):
    """Adds to each row of the usual report its full name and whether it is std's; the reports are in one order."""
    for row, with_hash, by_crate in zip(report["functions"], full["functions"], split["functions"]):
        row["full"] = by_crate["full"] = with_hash["name"]
        row["split_is_std"] = is_std(row)


def by_symbol(report):
    """The report with its rows in an order that options for names do not change."""
    report["functions"].sort(key=lambda row: (row.get("symbol", row["name"]), row["size"], row["name"]))
    return report


def compare(project, mangling):
    path = projects.build(project, mangling)
    print(f"{project} ({project.why}), {mangling} names, {os.path.getsize(path)} bytes")
    report = by_symbol(measured(path))
    split = by_symbol(measured(path, "--split-std"))
    join(report, by_symbol(measured(path, "--full-fn")), split)
    places = binutils.places(path)
    problems = check_sums(path, report)
    place_rows(report, places)
    place_rows(split, places)
    problems += check_sizes(report, places)
    problems += check_crates(path, mangling, split)
    for row, with_truth in zip(report["functions"], split["functions"]):
        if "truth" in with_truth:
            row["truth"] = with_truth["truth"]
    problems += check_cargo_bloat(project, mangling, report)
    for problem in problems[:20]:
        print(f"  WRONG: {problem}")
    return not problems


def main():
    names = [word for word in sys.argv[1:] if word != "-v"]
    chosen = [projects.named(name) for name in names] or projects.PROJECTS
    results = [compare(project, mangling) for project in chosen for mangling in projects.MANGLINGS]
    sys.exit(0 if all(results) else 1)


main()
