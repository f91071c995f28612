"""Runs commands in turns and tells what each costs: medians of CPU, wall time and peak memory."""

import os
import re
import statistics
import subprocess
import tempfile


class Command:
    def __init__(self, label, arguments, folder=None, environment=None):
        self.label = label
        self.arguments = arguments
        self.folder = folder
        self.environment = environment


class Cost:
    """Medians over the runs of a command."""

    def __init__(self, runs):
        self.wall_ms, self.cpu_ms, self.peak_kib = (statistics.median(column) for column in zip(*runs))


class Runner:
    """Measures with the program `launch`, see launch.c."""

    def __init__(self, launch, runs):
        self.launch = launch
        self.runs = runs

    def _once(self, command):
        with tempfile.NamedTemporaryFile("r") as report:
            subprocess.run(
                [self.launch, report.name, *command.arguments],
                cwd=command.folder,
                env=command.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            return [float(word) for word in report.read().split()]

    def once(self, command):
        """The cost of one run."""
        return Cost([self._once(command)])

    def costs(self, commands):
        """The cost of each command, all of them run once a round; a first round only warms up."""
        runs = [[] for _ in commands]
        for number in range(self.runs + 1):
            for command, kept in zip(commands, runs):
                cost = self._once(command)
                if number > 0:
                    kept.append(cost)
        return [Cost(kept) for kept in runs]


def instructions(command):
    """How many instructions one run of the command takes, by callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command.arguments],
            cwd=command.folder,
            env=command.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
        )
    return int(re.search(r"refs: +([\d,]+)", done.stderr.decode())[1].replace(",", ""))


def first_line(arguments):
    """The first line that a program writes about its version, or None when it is not there."""
    try:
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    return lines[0].strip()
