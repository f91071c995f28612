#!/usr/bin/env python3
"""The pictures and folded stacks of cargo cprof beside inferno-flamegraph's.

inferno draws our folded stacks: it must take every line, and its boxes of each name must be as wide
together as ours. (Two functions of one name in different files are two boxes of ours beside each
other and one of inferno's.) Neither leaves boxes out for being narrow.
"""

import collections
import html
import os
import re
import subprocess
import sys
import tempfile

import projects

TOLERATED_SHARE = 0.0005
FOLDED = re.compile(r"^(.+) (\d+)$")
INFERNO = re.compile(r"<title>([^<]*) \(([\d,]+) samples, [\d.]+%\)</title>")
BOX = re.compile(r"<g class=\"[\w ]+\">(?:<title>([^<]*)</title>)?<rect x=\"[\d.]+%")
LINES = re.compile(r"<desc id=\"lines\">([^<]*)</desc>")


def run(arguments, **options):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def numbers(name, svg):
    return [int(number) for number in re.search(rf"\b{name}: \[([\d,\s]*)\]", svg)[1].replace(",", " ").split()]


def boxes(svg):
    """Name and samples of each of our boxes, of which narrow ones are figures alone, and share the lines of titles."""
    found = LINES.search(svg)
    lines = found[1].split("\n") if found else []
    titles = numbers("titles", svg)
    shared = iter(numbers("titlesOfBoxes", svg))
    own = iter(BOX.findall(svg))
    figures = numbers("frames", svg)
    for weight, look in zip(figures[1::4], figures[3::4]):
        title = "" if look else next(own)
        yield title.split("\n")[0] or lines[titles[3 * next(shared)]], weight


def widths(named, whole):
    """The samples of all boxes of a name, without the root, whose name differs."""
    found = collections.Counter()
    for name, count in named:
        # A ";" separates frames in a folded stack, so that in a name it is written as ":" there.
        found[html.unescape(name).replace(";", ":")] += count
    return collections.Counter({name: count for name, count in found.items() if count < whole})


def inferno_boxes(folded):
    for name, count in INFERNO.findall(run(["inferno-flamegraph", "--minwidth", "0", folded])):
        yield name, int(count.replace(",", ""))


def record(program, arguments, folder):
    svg, folded = (os.path.join(folder, name) for name in ("ours.svg", "ours.folded"))
    run(["cargo", "cprof", "exec", "-F", "997", "-o", svg, "-o", folded, "--", program, *arguments], cwd=folder)
    with open(svg, encoding="utf-8") as file:
        return file.read(), folded


def compare(what, program, arguments, folder):
    svg, folded = record(program, arguments, folder)
    with open(folded, encoding="utf-8") as file:
        lines = file.read().splitlines()
    problems = [f"no folded stack: {line!r}" for line in lines if not FOLDED.match(line)]
    whole = sum(int(FOLDED.match(line).group(2)) for line in lines if FOLDED.match(line))
    ours = widths(boxes(svg), whole)
    theirs = widths(inferno_boxes(folded), whole)
    for name in sorted(ours.keys() | theirs.keys()):
        if abs(ours[name] - theirs[name]) > TOLERATED_SHARE * whole:
            problems.append(f"{name}: {ours[name]} samples in ours, {theirs[name]} in inferno's")
    print(f"{what}: {whole} samples, {len(lines)} stacks, {len(ours)} names, {len(problems)} differ")
    for problem in problems[:10]:
        print(f"  {problem}")
    return not problems and whole > 100


def main():
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        with open(data, "wb") as file:
            file.truncate(1 << 30)
        hashing = projects.build(projects.named("b3sum"), "legacy")
        searching = projects.build(projects.named("fd-find"), "v0")
        done = [
            compare("b3sum", hashing, ["--no-mmap", data], folder),
            compare("fd", searching, ["--unrestricted", "e.*[sx]", "/usr"], folder),
        ]
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()
