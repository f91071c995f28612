#!/usr/bin/env python3
"""cargo bloatc --data beside objdump and readelf, on real projects or on files.

What refers to each piece of data is found anew from `objdump -d` and `readelf -r`, and from that who must pay for
it. Fails when a piece has another owner (those known from numbers alone are not checked), when rows do not add up to the file, the pieces not to the sections that
readelf has, when a function's call frame information is not what readelf says, or when what is called a vtable
does not begin with the function that drops its type.

usage: compare_data.py [-v] [PROJECT|FILE...]
"""

import bisect
import collections
import json
import os
import re
import subprocess
import sys

import binutils
import projects

VERBOSE = "-v" in sys.argv[1:]

# Sections of data by readelf's type, and those of them that are tables for the loader and for unwinding.
DATA_TYPES = ("PROGBITS", "INIT_ARRAY", "FINI_ARRAY", "PREINIT_ARRAY")
TABLES = (".eh_frame", ".eh_frame_hdr", ".gcc_except_table", ".interp")

# What drops a type, as rustc calls it up to 1.96 and since.
GLUE = ("core::ptr::drop_in_place", "core::ptr::drop_glue")

# Relocations whose target readelf prints last: an address, or a symbol's name and what is added.
RELATIVE = ("R_X86_64_RELATIVE", "R_X86_64_IRELATIVE")


def measured(path, *options):
    arguments = ["cargo-bloatc", "--quiet", path, "--format", "json", *options]
    return json.loads(subprocess.run(arguments, check=True, stdout=subprocess.PIPE).stdout)


class Functions:
    """The functions of .text by address, each with its row of the usual report."""

    def __init__(self, path):
        rows = collections.defaultdict(list)
        # Local functions of one name may be of several crates; the report does not tell where each one stands.
        self.crates = collections.defaultdict(set)
        for row in measured(path)["functions"]:
            for symbol in [row.get("symbol", ""), *row.get("aliases", "").split()]:
                rows[symbol].append(row)
            self.crates[row["name"]].add(projects.crate_of(row))
        self.starts, self.found = [], []
        for place in binutils.places(path):
            # Units may have local functions of one name: those of one size are in the order of the file.
            known = [row for name in place.names for row in rows[name]]
            known = [row for row in known if row["size"] == place.size] or known
            if known:
                self.starts.append(place.svma)
                self.found.append((place.svma, place.size, known[0]))
                for name in place.names:
                    if known[0] in rows[name] and len(rows[name]) > 1:
                        rows[name].remove(known[0])

    def at(self, address):
        """The row of the function that has the address, or None."""
        index = bisect.bisect_right(self.starts, address)
        # The one that starts last has the byte; an outer one goes on behind it. Labels reach up to the next one.
        for start, size, row in reversed(self.found[max(0, index - 8) : index]):
            if size == 0 and index > 0 and start == self.starts[index - 1]:
                return row
            if start <= address < start + size:
                return row
        return None

    def starting_at(self, address):
        index = bisect.bisect_left(self.starts, address)
        return self.found[index][2] if index < len(self.starts) and self.starts[index] == address else None


def code_references(path):
    """Pairs of an instruction's address and what it refers to relative to itself."""
    line = re.compile(r"^ *([0-9a-f]+):\t.*\(%rip\).*# ([0-9a-f]+)(?: <|$)")
    text = binutils.output(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", path])
    for match in filter(None, map(line.match, text.splitlines())):
        yield int(match[1], 16), int(match[2], 16)


def relocations(path):
    """Pairs of a place and the address that is put there."""
    for line in binutils.output(["readelf", "-rW", path]).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in RELATIVE:
            yield int(words[0], 16), int(words[3], 16)
        elif len(words) == 7 and words[2] == "R_X86_64_64" and int(words[3], 16) != 0:
            yield int(words[0], 16), int(words[3], 16) + int(words[6], 16)
        elif len(words) >= 5 and words[2] in ("R_X86_64_GLOB_DAT", "R_X86_64_JUMP_SLOT") and int(words[3], 16) != 0:
            yield int(words[0], 16), int(words[3], 16)


class Pieces:
    def __init__(self, rows):
        self.rows = sorted(rows, key=lambda row: int(row["address"], 16))
        self.starts = [int(row["address"], 16) for row in self.rows]

    def at(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        if index < 0 or address >= self.starts[index] + self.rows[index]["size"]:
            return None
        return index


def find_referrers(path, functions, pieces):
    """By piece: the functions whose instructions refer to it (None for code without a name), and the pieces."""
    by_code, by_data = collections.defaultdict(dict), collections.defaultdict(set)
    for source, target in code_references(path):
        piece = pieces.at(target)
        if piece is not None:
            row = functions.at(source)
            by_code[piece][id(row)] = row
    for place, target in relocations(path):
        source, piece = pieces.at(place), pieces.at(target)
        if source is None:
            continue
        if pieces.rows[source]["section"].endswith("_array"):
            row = functions.at(target)
            by_code[source][id(row)] = row
        elif piece is not None and piece != source:
            by_data[piece].add(source)
    return by_code, by_data


def all_owners(piece, pieces, by_code, by_data):
    """Who leads to the piece: functions' rows by id, and crates of the named data on the way that settled it."""
    seen, waiting = {piece}, [piece]
    rows, crates = {}, set()
    while waiting:
        at = waiting.pop()
        if at != piece and pieces.rows[at].get("known-from") == "symbol":
            crates.add(pieces.rows[at].get("crate"))
            continue
        rows.update(by_code[at])
        for source in by_data[at] - seen:
            seen.add(source)
            waiting.append(source)
    return rows, crates


def expected_owner(rows, crates):
    """The owner, function and crate that a piece must have."""
    if not rows and not crates:
        return ("none", None, None)
    if len(rows) == 1 and not crates:
        row = next(iter(rows.values()))
        return ("function", row["name"], row.get("crate")) if row else ("unnamed", None, None)
    # Functions without a crate are a row of their own, as [unnamed] code is.
    everyone = crates | {row.get("crate", "[Unknown]") if row else "[unnamed]" for row in rows.values()}
    if len(everyone) > 1:
        return ("shared", None, None)
    crate = everyone.pop()
    return ("crate", None, None if crate == "[Unknown]" else crate)


def agrees(row, expected, functions):
    owner, function, crate = expected
    if row.get("known-from") == "symbol":
        return owner in ("none", "shared")
    if row.get("known-from") == "inferred":
        return True  # from numbers, which neither of the two tools reads
    if owner == "none":
        return row["owner"] in ("none", "padding")
    # With data there may be two versions of a crate, where functions are of one.
    crates = functions.crates[function] if function else {crate and crate.partition("@")[0]}
    return (row["owner"], row.get("function")) == (owner, function) and projects.crate_of(row) in crates


def check_owners(path, functions, pieces):
    by_code, by_data = find_referrers(path, functions, pieces)
    problems, kinds, byte_count, twins = [], collections.Counter(), 0, 0
    for index, row in enumerate(pieces.rows):
        rows, crates = all_owners(index, pieces, by_code, by_data)
        expected = expected_owner(rows, crates)
        kinds[row["owner"]] += 1
        byte_count += row["size"]
        if agrees(row, expected, functions):
            continue
        if len(rows) > 1 and any(len(functions.crates[at["name"]]) > 1 for at in rows.values() if at):
            twins += 1
        else:
            problems.append(f"{row}: should be {expected}")
    print(f"  {len(pieces.rows)} pieces, {byte_count} bytes: {dict(kinds)}; {len(problems)} with another owner, "
          f"{twins} not told because functions of one name are of several crates")
    return problems


def check_vtables(path, functions, pieces):
    places = dict(relocations(path))
    problems, count = [], 0
    if "EXEC (" in binutils.output(["readelf", "-hW", path]):
        return []  # with fixed addresses nothing is relocated
    for start, row in zip(pieces.starts, pieces.rows):
        if not row.get("name", "").startswith("vtable of "):
            continue
        count += 1
        drop = functions.starting_at(places.get(start, 0))
        kind = row["name"][len("vtable of ") :]
        if not drop or not drop["name"].startswith(GLUE) or kind not in drop["name"]:
            problems.append(f"{row} begins with {drop}")
    print(f"  {count} vtables named after what drops their type; {len(problems)} wrong")
    return problems


def check_sums(path, rows):
    size = os.path.getsize(path)
    problems = []
    for option in ("function", "crate", "module", "generic"):
        report = measured(path, "--data", "--by", option)
        found = sum(row["size"] for row in report[option + "s"])
        parts = sum(value for row in report[option + "s"] for key, value in row.items() if key in PARTS)
        if not found == parts == report["file-size"] == size:
            problems.append(f"by {option}: rows {found}, parts {parts}, file {size}")
    sections = collections.Counter()
    for line in binutils.output(["readelf", "-SW", path]).splitlines():
        words = line.partition("]")[2].split()
        if len(words) > 6 and words[1] in DATA_TYPES and "A" in words[6] and "X" not in words[6]:
            if words[0] not in TABLES and int(words[4], 16) > 0:
                sections[words[0]] += int(words[4], 16)
    found = collections.Counter()
    for row in rows:
        found[row["section"]] += row["size"]
    if found != sections:
        problems.append(f"sections of data: {dict(found)}, readelf has {dict(sections)}")
    return problems


PARTS = ("code-size", "data-size", "unwind-size", "relocation-size", "symbol-size", "debug-size", "other-size")


def frames(path):
    """By start of code: the bytes of its FDEs, and whether one has data of its language."""
    sizes, has_table = collections.Counter(), set()
    head = re.compile(r"^[0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ FDE cie=[0-9a-f]+ pc=([0-9a-f]+)\.\.")
    start = None
    for line in binutils.output(["readelf", "--debug-dump=frames", path]).splitlines():
        match = head.match(line)
        if match:
            start = int(match[2], 16)
            sizes[start] += int(match[1], 16) + 4 + 8  # its length field; the entry that finds it
        elif start is not None and "Augmentation data:" in line:
            if set(line.split(":")[1].split()) - {"00"}:
                has_table.add(start)
    return sizes, has_table


def check_unwinding(path, functions):
    sizes, has_table = frames(path)
    expected, least = collections.Counter(), set()
    for start, size in sizes.items():
        row = functions.at(start)
        if row:
            expected[row["symbol"]] += size
            if start in has_table:
                least.add(row["symbol"])
    found, problems = collections.Counter(), []
    for row in measured(path, "--data")["functions"]:
        if "symbol" in row:
            found[row["symbol"]] += row["unwind-size"]
    for symbol, size in found.items():
        if size < expected[symbol] or (symbol not in least and size != expected[symbol]):
            problems.append(f"{symbol}: {size} bytes to unwind, readelf has {expected[symbol]}")
    print(f"  {len(found)} functions' call frame information; {len(problems)} wrong")
    return problems


def compare(path):
    functions = Functions(path)
    pieces = Pieces(measured(path, "--by", "data")["data"])
    problems = check_sums(path, pieces.rows)
    problems += check_owners(path, functions, pieces)
    problems += check_vtables(path, functions, pieces)
    problems += check_unwinding(path, functions)
    for problem in problems[: None if VERBOSE else 20]:
        print(f"  WRONG: {problem}")
    return not problems


def main():
    names = [word for word in sys.argv[1:] if word != "-v"]
    paths = [name for name in names if os.path.exists(name)]
    chosen = [project for project in projects.OF_DATA if not names or project.name in names]
    results = []
    for path in paths:
        print(f"{path}, {os.path.getsize(path)} bytes")
        results.append(compare(path))
    for project in chosen:
        for mangling in projects.MANGLINGS:
            path = projects.build(project, mangling)
            print(f"{project} ({project.why}), {mangling} names, {os.path.getsize(path)} bytes")
            results.append(compare(path))
    sys.exit(0 if all(results) else 1)


main()
