"""What programs are started with asks them for nothing but a few functions of any C library: with another
one that is not there no program would start.

usage: preload.py LIBRARY
"""

import os
import re
import subprocess
import sys

import sources

OF_LIBC = {"__errno_location", "clock_gettime", "memcpy", "memmove", "memset", "strlen", "strncmp"}


def asked_for(library):
    """The symbols that the library does not start without."""
    run = subprocess.run(["readelf", "--dyn-syms", "-W", library], capture_output=True, text=True, check=True,
                         env={**os.environ, "LC_ALL": "C"})
    return set(re.findall(r" GLOBAL +DEFAULT +UND +([^\s@]+)", run.stdout))


def judge(name, symbols):
    return [f"{name}: needs {symbol}, which not every program has" for symbol in sorted(symbols - OF_LIBC)]


if __name__ == "__main__":
    sources.finish(judge(os.path.basename(sys.argv[1]), asked_for(sys.argv[1])))
