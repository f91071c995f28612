#!/usr/bin/env python3
"""Replays a transcript and compares what is printed.

    run_session.py SESSION FOLDER PROGRAM_FOLDER...

A line "$ COMMAND" is run by bash in FOLDER, with the program folders in PATH. What it prints
(standard output and error together) must be the lines below it, followed by "[exit N]" when it
ends with another code than 0. $TMPDIR is an empty folder for the session. Lines that begin with "#" before the first command are kept.
With UPDATE_GOLDEN=1 the session is rewritten with what is printed now.
"""

import difflib
import os
import subprocess
import sys
import tempfile


def run(command, folder, environment):
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
    )
    printed = done.stdout.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    if printed and not printed.endswith("\n"):
        printed += "[no newline at the end]\n"
    if done.returncode != 0:
        printed += f"[exit {done.returncode}]\n"
    return printed


def main():
    session, folder, *program_folders = sys.argv[1:]
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join(program_folders + [environment["PATH"]])
    environment["LC_ALL"] = "C.UTF-8"
    for name in ("NO_COLOR", "COLUMNS", "CLICOLOR_FORCE"):
        environment.pop(name, None)

    with open(session, encoding="utf-8") as file:
        expected = file.read()
    actual = ""
    has_command = False
    with tempfile.TemporaryDirectory() as scratch:
        environment["TMPDIR"] = scratch
        for line in expected.splitlines():
            if line.startswith("$ "):
                has_command = True
                actual += line + "\n" + run(line[2:], folder, environment)
            elif line.startswith("#") and not has_command:
                actual += line + "\n"
    if not has_command:
        sys.exit(f"{session}: no command")
    if actual == expected:
        return
    if os.environ.get("UPDATE_GOLDEN") == "1":
        with open(session, "w", encoding="utf-8") as file:
            file.write(actual)
        print(f"{session}: rewritten")
        return
    sys.stdout.writelines(
        difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), "expected", "printed")
    )
    sys.exit(f"{session}: differs; UPDATE_GOLDEN=1 rewrites it")


main()
