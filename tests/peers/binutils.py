"""What GNU binutils says of an ELF file: another reader of the same bytes, to compare with."""

import collections
import subprocess


class Section:
    def __init__(self, kind, svma, size):
        self.kind = kind
        self.svma = svma
        self.size = size


def output(arguments):
    # What is not UTF-8 (names in damaged or foreign files) must not stop a comparison.
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode(
        "utf-8", "replace"
    )


def text_sections(path):
    """The sections .text and .text.* that have bytes in the file, by readelf."""
    found = []
    for line in output(["readelf", "-SW", path]).splitlines():
        words = line.partition("]")[2].split()
        if len(words) > 5 and (words[0] == ".text" or words[0].startswith(".text.")) and words[1] != "NOBITS":
            found.append(Section(words[1], int(words[2], 16), int(words[4], 16)))
    return found


def section_total(path):
    return sum(section.size for section in text_sections(path))


class Place:
    """All symbols at one address: their names and the largest of their sizes."""

    def __init__(self, svma):
        self.svma = svma
        self.size = 0
        self.names = []


def places(path):
    """The places in .text that nm has symbols for, in the order of their addresses."""
    found = {}
    sections = text_sections(path)
    for line in output(["nm", "-S", path]).splitlines():
        words = line.split()
        if len(words) < 3 or len(words[0]) not in (8, 16):
            continue
        svma = int(words[0], 16)
        has_size = len(words) > 3 and len(words[1]) == len(words[0])
        if not any(section.svma <= svma < section.svma + section.size for section in sections):
            continue
        place = found.setdefault(svma, Place(svma))
        place.names.append(words[-1])
        place.size = max(place.size, int(words[1], 16) if has_size else 0)
    return [found[svma] for svma in sorted(found)]


def overlapping(sorted_places):
    """The places that share bytes with a function that starts inside them."""
    result = set()
    open_places = collections.deque()
    for place in sorted_places:
        while open_places and open_places[-1].svma + open_places[-1].size <= place.svma:
            open_places.pop()
        if place.size > 0:
            result.update(outer.svma for outer in open_places if outer.svma + outer.size > place.svma)
            open_places.append(place)
    return result
