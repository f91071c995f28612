"""No paths of one machine and no hosts of package registries in the sources.

The plain word for the crate site is fine: cargo's own files hold it.

usage: paths.py ROOT
"""

import re
import sys

import sources

MACHINE = re.compile(r"(?<![\w.$}-])/(?:work|root)/")
REGISTRY = re.compile(r"(?:index|static)\.crates\.io(?!-)|registry\.npmjs\.org|pypi\.org|pythonhosted\.org"
                      r"|proxy\.golang\.org|(?:deb|security|ftp\.\w+)\.debian\.org"
                      r"|(?:archive|ports|security)\.ubuntu\.com")
SELF = ("tests/lint/paths.py",)


def find(root):
    findings = []
    for name in sources.files(root):
        text = sources.read(root, name)
        if "\0" in text or name in SELF or name.startswith("tests/fuzz/corpus/"):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern in (MACHINE, REGISTRY):
                match = pattern.search(line)
                if match:
                    findings.append(f"{name}:{number}: {match.group(0)}: a machine's path or a registry's host")
    return findings


if __name__ == "__main__":
    sources.finish(find(sys.argv[1]))
