"""Real projects from crates.io, for the comparisons with other tools and for the measurements."""

import glob
import json
import os
import re
import shutil
import subprocess


class Project:
    """A package of crates.io at one version, and what of it is built."""

    def __init__(self, name, version, selection, why):
        self.name = name
        self.version = version
        self.selection = selection  # cargo's selection flags: one target
        self.why = why

    def __str__(self):
        return f"{self.name} {self.version}"


# Chosen to differ.
PROJECTS = [
    Project("b3sum", "1.5.5", ["--bin", "b3sum"], "small, no LTO, C and assembly beside Rust"),
    Project("mini-redis", "0.4.1", ["--bin", "mini-redis-server"], "no LTO, async, two programs, two versions of a crate"),
    Project("fd-find", "10.2.0", ["--bin", "fd"], "fat LTO, strip = true, an allocator in C"),
    Project("boringtun", "0.6.0", ["--lib", "--features", "ffi-bindings"], "a cdylib with cryptography in C and assembly"),
]

# The one whose attribution is compared beside these.
OF_C = [
    Project("git-absorb", "0.9.0", ["--bin", "git-absorb"], "fat LTO, much of it C: libgit2 and zlib"),
]

# Those whose data is compared.
OF_DATA = [
    Project("zoxide", "0.10.0", ["--bin", "zoxide"], "fat LTO, panic = abort, templates as text"),
    Project("just", "1.59.0", ["--bin", "just"], "large, tables of Unicode, many vtables"),
]

MANGLINGS = {"legacy": "", "v0": "-Csymbol-mangling-version=v0"}

# Where sources and builds are kept between runs.
CACHE = os.path.realpath(
    os.environ.get("SUITE_PEERS")
    or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "rust-performance-tools")
)


def crate_of(row):
    """The crate of a row of a report, without its version and without who instantiated its code."""
    return re.split(r"[ @\[]", row["crate"])[0] if "crate" in row else None


def named(name):
    return next(project for project in PROJECTS if project.name == name)


def environment(mangling, **changes):
    """Ours for a build that keeps all symbols and function-level debug information."""
    result = {name: value for name, value in os.environ.items() if not name.startswith("CARGO_PROFILE_")}
    result.update(CARGO_PROFILE_RELEASE_STRIP="false", CARGO_PROFILE_RELEASE_DEBUG="1")
    result.update(changes)
    result["RUSTFLAGS"] = MANGLINGS[mangling]
    return result


def _unpacked(project):
    """Where cargo keeps the package's sources, or None."""
    home = os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")
    places = glob.glob(os.path.join(home, "registry", "src", "*", f"{project.name}-{project.version}"))
    return places[0] if places else None


def fetch(project):
    """A copy of the package's sources that cargo may build in; cargo fetches them when they are not here yet."""
    place = os.path.join(CACHE, f"{project.name}-{project.version}")
    if os.path.isdir(place):
        return place
    if not _unpacked(project):
        # The command that unpacks any package, also one that is no library.
        specification = f"{project.name}@{project.version}"
        subprocess.run(["cargo", "info", "--quiet", specification], check=True, stdout=subprocess.PIPE)
    os.makedirs(CACHE, exist_ok=True)
    fresh = f"{place}.{os.getpid()}"
    shutil.copytree(_unpacked(project), fresh)
    os.rename(fresh, place)
    return place


def target_folder(project, mangling, debug=None):
    kind = f"{mangling}-{debug}" if debug else mangling
    return os.path.join(CACHE, "build", f"{project.name}-{project.version}-{kind}")


def build(project, mangling, debug=None):
    """
    Builds the project, as a release with symbols, and returns the path of the program or library. `debug` is
    cargo's name for another amount of debug information.
    """
    changes = {"CARGO_PROFILE_RELEASE_DEBUG": debug} if debug else {}
    arguments = ["cargo", "build", "--release", "--quiet", "--message-format", "json", *project.selection]
    arguments += ["--target-dir", target_folder(project, mangling, debug)]
    done = subprocess.run(
        arguments, cwd=fetch(project), env=environment(mangling, **changes), check=True, stdout=subprocess.PIPE
    )
    found = None
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["manifest_path"].startswith(CACHE):
            shared = [name for name in message["filenames"] if name.endswith(".so")]
            found = message["executable"] or (shared[0] if shared else found)
    if not found:
        raise FileNotFoundError(f"{project}: cargo built neither a program nor a shared library")
    return found
