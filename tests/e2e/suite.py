"""What the end-to-end tests share: the programs that were built, scratch folders, real cargo.

The build tells through the environment: SUITE_PROGRAMS (folders of the programs, ":" between), SUITE_SOURCE (the
sources), SUITE_SCRATCH (a folder that is kept between runs, so that cargo builds little twice).
"""

import functools
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

# What is ignored or blocked is inherited: what is started in the background (&, nohup) would not end by such signals.
signal.signal(signal.SIGINT, signal.default_int_handler)
for of_the_caller in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(of_the_caller, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())

PROGRAMS = os.environ["SUITE_PROGRAMS"]
SOURCE = os.environ["SUITE_SOURCE"]
SCRATCH = os.environ["SUITE_SCRATCH"]
EXAMPLES = os.path.join(SOURCE, "examples")

# What has rustc mangle names the one way or the other; its own choice is v0 from 1.97 on. It calls legacy unstable.
MANGLED = {
    "legacy": {"RUSTFLAGS": "-Csymbol-mangling-version=legacy -Zunstable-options", "RUSTC_BOOTSTRAP": "1"},
    "v0": {"RUSTFLAGS": "-Csymbol-mangling-version=v0"},
}


def program(name):
    """The path of one of the programs."""
    return shutil.which(name, path=PROGRAMS)


def public_folder(test, *paths):
    """One with copies of these, which other users may run, too, wherever the suite was built; it is gone after the test."""
    folder = tempfile.mkdtemp(dir="/tmp")
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o777)
    for path in paths:
        os.chmod(shutil.copy(path, folder), 0o755)
    return folder


class Result:
    """How a command ended and what it wrote."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit {self.code}\n--- out\n{self.out}\n--- err\n{self.err}"


OF_THE_CALLER = ("CARGO", "RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "NO_COLOR", "COLUMNS", "SUDO_UID", "SUDO_GID",
                 "CRITERION_HOME", "PERF_BUILDID_DIR", "DEBUGINFOD_CACHE_PATH")


def unit_files(profile, pattern):
    """What cargo keeps of units: all in one folder, or each in its own, as nightly cargo has them since Rust 1.100."""
    return sorted(glob.glob(os.path.join(profile, "deps", pattern)) +
                  glob.glob(os.path.join(profile, "build", "*", "*", "out", pattern)))


def environment(**changes):
    """Ours with the programs first in PATH, without what would change cargo, git or them; None removes a variable."""
    result = dict(os.environ)
    for name in list(result):
        if name.startswith(("CARGO_", "GIT_")) and name != "CARGO_HOME" or name in OF_THE_CALLER:
            del result[name]
    # Cargo looks for its commands where it installs them first, unless that stands in PATH.
    installed = os.path.join(result.get("CARGO_HOME") or os.path.expanduser("~/.cargo"), "bin")
    result["PATH"] = os.pathsep.join([PROGRAMS, result["PATH"], installed])
    result["LC_ALL"] = "C.UTF-8"
    for name, value in changes.items():
        result.pop(name, None)
        if value is not None:
            result[name] = value
    return result


def run(arguments, folder, **changes):
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environment(**changes),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=600,
    )
    return Result(done)


class ProjectTest(unittest.TestCase):
    """A test with a scratch folder of its own, removed at its end."""

    maxDiff = None

    def setUp(self):
        os.makedirs(SCRATCH, exist_ok=True)
        self.folder = tempfile.mkdtemp(dir=SCRATCH)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def project(self, manifest, **sources):
        """A project in the scratch folder; sources by path with "__" for "/": src__main_rs is src/main.rs."""
        self.write("Cargo.toml", manifest)
        for name, content in sources.items():
            path = name.replace("__", "/")
            self.write(path[: -len("_rs")] + ".rs", content)

    def assert_fails(self, result, code, *phrases):
        """It ended with the code, wrote nothing to standard output, and every phrase to the other."""
        self.assertEqual(result.code, code, result)
        self.assertEqual(result.out, "", result)
        for phrase in phrases:
            self.assertIn(phrase, result.err)


def measured(test):
    """Of a test that compares samples with time, on a machine that others use too: it is done again when it fails.

    A fault of ours fails each time, what a moment of a neighbour's work spoiled does not. Not for tests with subtests,
    whose failures nobody sees before the end.
    """

    @functools.wraps(test)
    def attempts(self):
        for _ in range(2):
            try:
                return test(self)
            except AssertionError as error:
                print(f"{self.id()} is done again: {error}", file=sys.stderr)
            self.doCleanups()
            self.setUp()
        return test(self)

    return attempts
