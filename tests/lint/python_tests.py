"""A test in Python that is written is run.

Each test_*.py is named or globbed by the CMakeLists.txt beside it and calls unittest.main; each function
test_* is a method of a class that comes from TestCase, and no other of the class has its name: the second
would replace the first without a word.

usage: python_tests.py ROOT
"""

import ast
import os
import re
import sys

import sources


def _files(root):
    """(name, text) of what is tests and what they import."""
    names = [name for name in sources.own_files(root, (".py",)) if name.startswith("tests/")]
    return [(name, sources.read(root, name)) for name in names]


def _bases(trees):
    """The names of what each class is made from, by the last part of its name."""
    found = {"TestCase": set()}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(ast.unparse(base).split(".")[-1] for base in node.bases)
    return found


def _is_test_case(name, bases):
    return name == "TestCase" or any(_is_test_case(base, bases) for base in bases.get(name, ()) if base != name)


def _functions(node):
    return [child.name for child in node.body if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _twice(names):
    return sorted({name for name in names if names.count(name) > 1})


def _unrun_tests(name, tree, bases):
    for function in _functions(tree):
        if function.startswith("test_"):
            yield f"{name}: {function} is in no class"
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for class_name in _twice([node.name for node in classes]):
        yield f"{name}: {class_name} stands there twice"
    for node in classes:
        functions = _functions(node)
        for function in _twice(functions):
            yield f"{name}: {node.name}.{function} stands there twice"
        if any(function.startswith("test_") for function in functions) and not _is_test_case(node.name, bases):
            yield f"{name}: {node.name} is no TestCase"


def _unrun_file(root, name, tree):
    if not any(isinstance(node, ast.Call) and ast.unparse(node.func) == "unittest.main" for node in ast.walk(tree)):
        yield f"{name}: does not call unittest.main"
    folder, base = os.path.split(name)
    listing = os.path.join(folder, "CMakeLists.txt")
    listed = sources.read(root, listing) if os.path.exists(os.path.join(root, listing)) else ""
    if not re.search(rf"/(?:test_\*\.py|{re.escape(base)})\b", listed):
        yield f"{name}: is not in {listing}"


def find(root):
    trees = {name: ast.parse(text) for name, text in _files(root)}
    bases = _bases(trees.values())
    findings = []
    for name, tree in trees.items():
        findings += _unrun_tests(name, tree, bases)
        if os.path.basename(name).startswith("test_"):
            findings += _unrun_file(root, name, tree)
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1]))
