"""Real projects from crates.io, for the comparisons with other tools and for the measurements."""

import json
import os
import shutil
import subprocess

# Chosen to differ: C dependencies or none, fat LTO or none, one version of each crate or several.
PROJECTS = {
    "hexyl": "0.16.0",  # small, no LTO
    "fd-find": "10.2.0",  # fat LTO, abort on panic, an allocator in C
    "tokei": "12.1.2",  # many dependencies, old ones among them
}

# Where sources and builds are kept between runs.
CACHE = os.environ.get("SUITE_PEERS", os.path.join(os.path.expanduser("~"), ".cache", "rust-performance-tools"))


def fetch(name, version=None):
    """The folder with the sources of a project, fetched with cargo when it is not there yet."""
    place = os.path.join(CACHE, name)
    if os.path.isdir(place):
        return place
    helper = os.path.join(CACHE, "fetch-" + name)
    os.makedirs(os.path.join(helper, "src"), exist_ok=True)
    with open(os.path.join(helper, "Cargo.toml"), "w", encoding="utf-8") as file:
        file.write('[package]\nname = "fetch"\nversion = "0.0.0"\n[workspace]\n[dependencies]\n')
        file.write(f'{name} = "={version or PROJECTS[name]}"\n')
    open(os.path.join(helper, "src", "lib.rs"), "w", encoding="utf-8").close()
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--quiet"], cwd=helper, check=True, stdout=subprocess.PIPE
    ).stdout
    for package in json.loads(metadata)["packages"]:
        if package["name"] == name:
            shutil.copytree(os.path.dirname(package["manifest_path"]), place)
    shutil.rmtree(helper)
    return place


def binary(name, target_folder, profile="release"):
    """The program that a build of the project left in its target folder."""
    folder = os.path.join(target_folder, profile)
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if os.path.isfile(path) and os.access(path, os.X_OK) and "." not in entry:
            return path
    raise FileNotFoundError(f"{name}: no program in {folder}")
