"""Which crate defines each function, from its debug information as readelf prints it.

The outermost DW_TAG_namespace around a function's entry is the crate in which its source stands. The
entry that has the address may only refer to the one that stands in a namespace
(DW_AT_specification, DW_AT_abstract_origin).
"""

import re
import subprocess

ENTRY = re.compile(rb" *<(\d+)><([0-9a-f]+)>: Abbrev Number: (\d+)(?: \((\w+)\))?")
ATTRIBUTE = re.compile(rb" *<[0-9a-f]+> +(DW_AT_\w+) *: (.*)")
REFERENCE = re.compile(rb"<0x([0-9a-f]+)>")


class _Function:
    def __init__(self, crate):
        self.crate = crate  # the outermost namespace around it, or None
        self.low = None
        self.refers_to = None


class _Reader:
    """Takes the lines of readelf in order and keeps the functions and what is open around them."""

    def __init__(self):
        self.functions = {}
        self.names = []  # by level: the name of a namespace that is open there, or None
        self.current = None
        self.namespace_level = None

    def entry(self, match):
        level, offset, tag = int(match[1]), int(match[2], 16), match[4]
        del self.names[level:]
        self.names += [None] * (level + 1 - len(self.names))
        self.current = None
        self.namespace_level = level if tag == b"DW_TAG_namespace" else None
        if tag == b"DW_TAG_subprogram":
            outermost = next((name for name in self.names if name), None)
            self.current = self.functions[offset] = _Function(outermost)

    def attribute(self, name, value):
        if self.namespace_level is not None and name == b"DW_AT_name":
            self.names[self.namespace_level] = value.rpartition(b": ")[2].decode().strip()
        elif self.current and name == b"DW_AT_low_pc":
            self.current.low = int(value.split()[-1], 16)
        elif self.current and name in (b"DW_AT_specification", b"DW_AT_abstract_origin"):
            found = REFERENCE.search(value)
            self.current.refers_to = int(found[1], 16) if found else None


def crates_by_address(path):
    """For every function with debug information: its address and its crate, None outside any namespace."""
    reader = _Reader()
    arguments = ["readelf", "--debug-dump=info", "--wide", path]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        for line in process.stdout:
            match = ENTRY.match(line)
            if match:
                reader.entry(match)
                continue
            if reader.current or reader.namespace_level is not None:
                match = ATTRIBUTE.match(line)
                if match:
                    reader.attribute(match[1], match[2])
    result = {}
    for function in reader.functions.values():
        named = function
        for _ in range(8):
            if named.crate or named.refers_to not in reader.functions:
                break
            named = reader.functions[named.refers_to]
        if function.low:
            result[function.low] = named.crate
    return result
