"""Processes that tests of cargo cprof start, watch and wait for."""

import os
import re
import subprocess
import time

from recordings import exec_command, folded, stat_of
from suite import SCRATCH, SOURCE, ProjectTest, environment

NOBODY = 65534
BUSY = "while :; do :; done"
COUNTING = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done"


def worker():
    """worker.rs, built once."""
    source = os.path.join(SOURCE, "tests", "e2e", "worker.rs")
    built = os.path.join(SCRATCH, "worker")
    if not os.path.exists(built) or os.path.getmtime(built) < os.path.getmtime(source):
        os.makedirs(SCRATCH, exist_ok=True)
        subprocess.run(["rustc", "-O", "-g", "-o", built + ".new", source], check=True)
        os.rename(built + ".new", built)
    return built


def state_of(pid):
    """R, S, ... of proc_pid_stat(5)."""
    return stat_of(pid)[0]


def is_there(pid):
    """Whether the process runs; one that only waits to be waited for does not."""
    try:
        return state_of(pid) not in "ZX"
    except FileNotFoundError:
        return False


def parent_of(pid):
    return int(stat_of(pid)[1])


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().rstrip("\n")


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def wait_for(condition, what):
    """The tests wait for what happens, and give up on what never does."""
    for _ in range(12000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"waited in vain: {what}")


def machine_delay_seconds():
    """How long some thread of the machine has waited for a processor; much where the kernel does not tell."""
    try:
        with open("/proc/pressure/cpu", encoding="utf-8") as file:
            return int(re.search(r"total=(\d+)", file.readline()).group(1)) / 1e6
    except OSError:
        return time.monotonic()


def watches(pid):
    """Whether the process has perf events open and takes signals."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
    except FileNotFoundError:
        return False
    return "anon_inode:[perf_event]" in links and "anon_inode:[signalfd]" in links


class TargetTest(ProjectTest):
    def start(self, arguments, **options):
        process = subprocess.Popen(
            arguments,
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=options.pop("stderr", subprocess.PIPE),
            **options,
        )
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def worker(self, *names, **options):
        process = self.start([worker(), *names], stderr=None, **options)
        self.assertEqual(process.stdout.readline(), f"ready {process.pid}\n".encode())
        return process

    def send(self, process, line):
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()

    def tell(self, process, line, *answers):
        """Tells a process something and waits until it has given all of the answers."""
        self.send(process, line)
        missing = {answer.encode() + b"\n" for answer in answers}
        while missing:
            missing.remove(process.stdout.readline())

    def attach(self, *arguments):
        """Records with a command that says when everything is watched, and ends when it is told to."""
        command = exec_command("-o", "out.folded", *arguments, "--", "sh", "-c", "echo watched; read line; exit 4")
        process = self.start(command)
        self.assertEqual(process.stdout.readline(), b"watched\n")
        return process

    def finish(self, process):
        process.stdin.write(b"\n")
        process.stdin.flush()
        said = process.stderr.read().decode()
        self.assertEqual(process.wait(), 4, said)
        return said

    def samples(self, name, path="out.folded"):
        return sum(count for names, count in folded(os.path.join(self.folder, path)) if names[0] == name)
