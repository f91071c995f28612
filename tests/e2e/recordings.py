"""What the tests of cargo cprof share: the command, and what a recording says and holds."""

import os
import re

from suite import SOURCE

REFUSE = os.path.join(SOURCE, "tests", "e2e", "refuse_perf.py")
HZ = 997


def paranoid():
    """What the kernel lets ordinary users do; above 2, as distributions have it, they may not sample."""
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        return int(file.read())


def number(pattern, text):
    match = re.search(pattern, text)
    if not match:
        raise AssertionError(f"no {pattern} in:\n{text}")
    return float(match.group(1).replace(",", ""))


def folded(path):
    """The stacks of a folded file: lists of names from the thread on, each with its samples."""
    stacks = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            names, count = line.rstrip("\n").rsplit(" ", 1)
            stacks.append((names.split(";"), int(count)))
    return stacks


def stat_of(pid):
    """What stands behind the name in /proc/PID/stat: state, parent, ... (proc_pid_stat(5))."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()


def cpu_seconds(pid):
    """User and system time of a process up to now."""
    fields = stat_of(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def given_time(record, seconds, happened):
    """What `record` makes of so many seconds, or of more where on a busy machine too little happened in them."""
    for times in (1, 10, 100):
        result = record(str(seconds * times))
        if happened(result):
            break
    return result


def exec_command(*arguments):
    return ["cargo", "cprof", "exec", *arguments]
