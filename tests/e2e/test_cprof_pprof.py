"""cargo cprof -o x.pb.gz: profiles for pprof, read here by what is known of the form."""

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


if __name__ == "__main__":
    unittest.main()
