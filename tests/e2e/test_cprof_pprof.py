"""Profiles of pprof, written (-o x.pb.gz), which are read here by what is known of the form, and read."""

import gzip
import json
import os
import subprocess
import unittest

from recordings import exec_command, folded
from suite import SOURCE, ProjectTest, measured, run


def fields(message):
    """The fields of a message of Protocol Buffers by number, in their order: numbers, and bytes."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            value = varint()
        elif key & 7 == 2:
            length = varint()
            value = message[at:at + length]
            at += length
            if len(value) != length:
                raise AssertionError("a field goes beyond the message")
        else:
            raise AssertionError(f"wire type {key & 7}")
        found.setdefault(key >> 3, []).append(value)
    return found


def numbers(packed):
    """The varints of a packed field."""
    found, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(value)
            value = shift = 0
    return found


def varint(value):
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(found) + bytes([value])


def number(field, value):
    """A field of a message, as the next: a number."""
    return varint(field << 3) + varint(value)


def message(field, content):
    """Bytes: a message, text, or packed numbers."""
    return varint(field << 3 | 2) + varint(len(content)) + content


class Pprof:
    def __init__(self, data):
        top = fields(data)
        self.strings = [text.decode() for text in top[6]]
        self.types = [tuple(self.strings[kind[field][0]] for field in (1, 2)) for kind in map(fields, top[1])]
        functions = {item[1][0]: item for item in map(fields, top[5])}
        self.mappings = {item[1][0]: self.strings[item[5][0]] for item in map(fields, top.get(3, []))}
        self.first_mapping = next(iter(self.mappings.values()), None)
        self.locations = {}
        for item in map(fields, top[4]):
            lines = [fields(line) for line in item.get(4, [])]
            names = [self.strings[functions[line[1][0]][2][0]] for line in lines]
            self.locations[item[1][0]] = (item.get(2, [0])[0], item.get(3, [0])[0], names)
        self.samples = []
        for item in map(fields, top[2]):
            labels = {self.strings[label[1][0]]: self.strings[label[2][0]] if 2 in label else label[3][0] for label in map(fields, item.get(3, []))}
            self.samples.append((numbers(item[1][0]), numbers(item[2][0]), labels))
        self.default = self.strings[top[14][0]] if 14 in top else None
        self.comment = self.strings[top[13][0]] if 13 in top else None

    def index(self, name):
        return [kind for kind, _ in self.types].index(name)

    def self_of(self, name):
        """Values by innermost function."""
        at, found = self.index(name), {}
        for calls, values, _ in self.samples:
            inner = self.locations[calls[0]][2][0]
            found[inner] = found.get(inner, 0) + values[at]
        return found


class PprofFiles(ProjectTest):
    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return Pprof(gzip.decompress(file.read()) if name.endswith(".gz") else file.read())

    def build(self, name, *flags):
        source = os.path.join(SOURCE, "tests", "e2e", "stacks", name + ".c")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-g", "-o", name, source, *flags], cwd=self.folder, check=True)

    def report(self, event=None):
        options = ["--event", event] if event else []
        result = run(["cargo", "cprof", "report", "a.cprof", "--format", "json", "-n", "0", *options], self.folder)
        self.assertEqual(result.code, 0, result)
        return json.loads(result.out)

    @measured
    def test_samples_are_those_of_the_report(self):
        self.build("lines")
        result = run(exec_command("-o", "a.cprof", "-o", "a.pb.gz", "-o", "a.pb", "--", "./lines", "100000000"), self.folder)
        self.assertEqual(result.code, 0, result)
        profile = self.read("a.pb.gz")
        report = self.report()
        self.assertEqual(profile.types, [("samples", "count"), ("cpu", "nanoseconds")])
        self.assertEqual(profile.default, "cpu")
        self.assertEqual(os.path.basename(profile.first_mapping), "lines")
        self.assertIn("lines 100000000", profile.comment)
        self.assertEqual(sum(values[0] for _, values, _ in profile.samples), report["samples"])
        ours = {row["function"]: row["self"] for row in report["groups"] if row["self"] > 0}
        self.assertEqual({name: value for name, value in profile.self_of("samples").items() if name != "[no stack]"}, ours)
        self.assertEqual({labels["thread"] for _, _, labels in profile.samples}, {"lines"})
        self.assertTrue(all(labels["pid"] == labels["tid"] > 0 for _, _, labels in profile.samples))
        # Addresses are the file's: those of the function that takes the time are in it.
        symbols = subprocess.run(["nm", "-S", "lines"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        start, size = next((int(line.split()[0], 16), int(line.split()[1], 16)) for line in symbols.splitlines() if line.endswith(" loops"))
        for calls, _, _ in profile.samples:
            module, address, names = profile.locations[calls[0]]
            if names == ["loops"]:
                self.assertEqual(os.path.basename(profile.mappings[module]), "lines")
                self.assertTrue(start <= address < start + size)
        with open(os.path.join(self.folder, "a.pb.gz"), "rb") as packed, open(os.path.join(self.folder, "a.pb"), "rb") as plain:
            self.assertEqual(gzip.decompress(packed.read()), plain.read())

    @measured
    def test_one_file_has_all_events(self):
        self.build("heap", "-pthread")
        result = run(exec_command("--heap", "-o", "a.cprof", "-o", "a.pb.gz", "--", "./heap", "few"), self.folder, ASAN_OPTIONS="verify_asan_link_order=0")
        self.assertEqual(result.code, 0, result)
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.startswith("a.")), ["a.cprof", "a.pb.gz"])
        profile = self.read("a.pb.gz")
        for event, unit in (("heap-peak", "bytes"), ("heap-end", "bytes"), ("alloc-bytes", "bytes"), ("alloc-count", "count")):
            self.assertIn((event, unit), profile.types)
            self.assertEqual(sum(profile.self_of(event).values()), self.report(event)["whole"])
        self.assertEqual(len({kind for kind, _ in profile.types}), len(profile.types))

    @measured
    def test_of_two_clocks_the_first_is_called_cpu(self):
        self.build("lines")
        result = run(exec_command("-e", "cpu-clock,task-clock", "-o", "a.pb", "--", "./lines", "10000000"), self.folder)
        self.assertEqual(result.code, 0, result)
        time = "nanoseconds"
        self.assertEqual(self.read("a.pb").types, [("samples", "count"), ("cpu", time), ("task-clock-samples", "count"), ("task-clock", time)])

    def test_folded_stacks_keep_their_counts(self):
        self.write("a.folded", "one;a;b 10\none;a;<T as x>::c 5\ntwo;d 1\n")
        result = run(["cargo", "cprof", "flamegraph", "a.folded", "-o", "b.pb.gz", "-o", "b.folded"], self.folder)
        self.assertEqual(result.code, 0, result)
        profile = self.read("b.pb.gz")
        self.assertEqual(profile.types, [("samples", "count")])
        self.assertEqual(profile.self_of("samples"), {"b": 10, "<T as x>::c": 5, "d": 1})
        self.assertEqual(sum(count for _, count in folded(os.path.join(self.folder, "b.folded"))), 16)

    def rows(self, name, event):
        """What a report tells of each function."""
        result = run(["cargo", "cprof", "report", name, "--format", "json", "-n", "0", "--event", event], self.folder)
        self.assertEqual(result.code, 0, result)
        report = json.loads(result.out)
        return report["whole"], sorted((row["function"], row["self"], row["total"]) for row in report["groups"])

    @measured
    def test_what_is_read_back_tells_the_same(self):
        self.build("lines")
        result = run(exec_command("-e", "cpu-clock,page-faults", "-o", "a.cprof", "-o", "a.pb.gz", "-o", "a.pb", "--", "./lines", "100000000"), self.folder)
        self.assertEqual(result.code, 0, result)
        for name in ("a.pb", "a.pb.gz"):
            self.assertEqual(self.rows(name, "cpu"), self.rows("a.cprof", "cpu-clock"))
            self.assertEqual(self.rows(name, "page-faults"), self.rows("a.cprof", "page-faults"))
        piped = run(["sh", "-c", "cargo cprof report --format json < a.pb.gz"], self.folder)
        self.assertEqual(json.loads(piped.out)["sampled"], {"event": "cpu", "unit": "samples"})
        for options in ((), ("--asm",)):
            listings = [run(["cargo", "cprof", "annotate", name, "^loops$", *options], self.folder).out.split("\n\n")[0] for name in ("a.pb.gz", "a.cprof")]
            self.assertIn("loops", listings[0])
            self.assertEqual(*listings)

    @measured
    def test_the_heap_that_is_read_back_is_the_same(self):
        self.build("heap", "-pthread")
        result = run(exec_command("--heap", "-o", "a.cprof", "-o", "a.pb.gz", "--", "./heap", "few"), self.folder, ASAN_OPTIONS="verify_asan_link_order=0")
        self.assertEqual(result.code, 0, result)
        for event in ("heap-peak", "heap-end", "alloc-bytes", "alloc-count"):
            self.assertEqual(self.rows("a.pb.gz", event), self.rows("a.cprof", event))
        # How far each sample may be off by chance is not in the file, so nothing is said of their number.
        self.assertNotIn("sampled allocation", run(["cargo", "cprof", "report", "a.pb.gz", "--event", "heap-peak"], self.folder).out)
        result = run(["cargo", "cprof", "diff", "a.pb.gz", "a.cprof", "--event", "heap-peak"], self.folder)
        self.assertEqual(result.code, 2, result)
        self.assertIn("not of how many samples", result.err)

    def write_addresses(self, name, build_id, addresses, program):
        """A profile of nothing but addresses, of a process that had the program at 0x5555_0000_0000."""
        start = 0x555500000000
        strings = ["", "samples", "count", program, build_id]
        content = message(1, number(1, 1) + number(2, 2))
        content += message(3, number(1, 1) + number(2, start) + number(3, start + (1 << 20)) + number(5, 3) + number(6, 4))
        for at, address in enumerate(addresses, 1):
            content += message(4, number(1, at) + number(2, 1) + number(3, start + address))
        content += message(2, message(1, bytes(range(1, len(addresses) + 1))) + message(2, bytes([7])))
        content += b"".join(message(6, text.encode()) for text in strings)
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(gzip.compress(content))

    def test_addresses_get_names_from_the_file_that_ran_and_from_no_other(self):
        self.build("lines", "-Wl,--build-id")
        symbols = subprocess.run(["nm", "lines"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        addresses = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines() if len(line.split()) == 3}
        notes = subprocess.run(["readelf", "-n", "lines"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        build_id = next(line.split()[-1] for line in notes.splitlines() if "Build ID" in line)
        # Where the linker puts code at its place in the file, that is its address.
        calls = (addresses["loops"] + 1, addresses["main"] + 1)
        for program in (os.path.join(self.folder, "lines"), "./lines"):
            self.write_addresses("a.pb.gz", build_id, calls, program)
            self.assertEqual(self.rows("a.pb.gz", "samples"), (7, [("loops", 7, 7), ("main", 0, 7)]))
            for other in ("0000" + build_id[4:], ""):
                self.write_addresses("b.pb.gz", other, calls, program)
                self.assertEqual([row[0] for row in self.rows("b.pb.gz", "samples")[1]], sorted(f"lines+0x{address:x}" for address in calls))


if __name__ == "__main__":
    unittest.main()
