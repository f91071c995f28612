"""A test that is written is run.

Each function with the form of a cmocka test is handed to cmocka_unit_test*, each list of
tests to cmocka_run_group_tests*; every C file is part of the build, every fuzz target
has a corpus.

usage: registered.py ROOT COMPILE_COMMANDS
"""

import json
import os
import re
import sys

import sources

TEST = re.compile(r"^(?:static\s+)?void\s+(\w+)\s*\(\s*void\s*\*\*\s*\w+\s*\)\s*\{", re.MULTILINE)
LIST = re.compile(r"struct\s+CMUnitTest\s+(\w+)\s*\[")
SHORTHAND = re.compile(r"#define\s+(\w+)\(\w+\)\s+cmocka_unit_test")
RUN = re.compile(r"cmocka_run_group_tests\w*\s*\(\s*(?:\"[^\"]*\"\s*,\s*)?(\w+)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def _unrun_tests(root):
    for name in sources.own_files(root, (".c",)):
        if not name.startswith("tests/unit/"):
            continue
        text = COMMENT.sub("", sources.read(root, name))
        spellings = ["cmocka_unit_test\\w*"] + SHORTHAND.findall(text)
        handed = set(re.findall(r"\b(?:%s)\s*\(\s*(\w+)" % "|".join(spellings), text))
        runs = set(RUN.findall(text))
        for test in TEST.findall(text):
            if test not in handed:
                yield f"{name}: {test} is never run"
        for tests in LIST.findall(text):
            if tests not in runs:
                yield f"{name}: the list {tests} is never run"


def _unbuilt_files(root, built):
    for name in sources.own_files(root, (".c",)):
        if name.startswith(("common/", "cargo-", "tests/unit/", "tests/fuzz/")) and name not in built:
            yield f"{name}: is part of no target"


def _targets_without_corpus(root, names):
    for name in names:
        match = re.fullmatch(r"tests/fuzz/fuzz_(\w+)\.c", name)
        corpus = match and os.path.join(root, "tests/fuzz/corpus", match.group(1))
        if corpus and not (os.path.isdir(corpus) and os.listdir(corpus)):
            yield f"{name}: has no corpus"


def built_files(root, compile_commands):
    """The files of a CMake build, relative to root. replay.c is left out of libFuzzer's."""
    with open(compile_commands, encoding="utf-8") as file:
        return {os.path.relpath(os.path.realpath(entry["file"]), os.path.realpath(root))
                for entry in json.load(file)} | {"tests/fuzz/replay.c"}


def find(root, built):
    findings = list(_unrun_tests(root))
    findings += _unbuilt_files(root, built)
    findings += _targets_without_corpus(root, sources.own_files(root, (".c",)))
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1], built_files(sys.argv[1], sys.argv[2])))
