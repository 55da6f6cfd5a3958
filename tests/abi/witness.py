#!/usr/bin/env python3
"""Writes down the types of the SDK's C headers as libabigail sees them in a library's debug information.

Usage: witness.py INCLUDE >draft-N.abi

The exported functions of the library mention every struct, table and callback. A plug-in exports one variable, from
which libabigail reaches few types.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from layout import ARRAY, CALLBACK, STRUCT, headers, preprocessed

WRITE = ("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-parameter-names")


def source(include):
    """Returns a C source with an exported function for each type."""
    text = preprocessed(include)
    types = [name if re.search(rf"\}} {name};|typedef struct {name} {name};", text) else f"struct {name}"
             for name, _ in STRUCT.findall(text)]
    types += [name for _, name in ARRAY.findall(text)]
    lines = [f"void see_{kind.split()[-1]}(const {kind}* it) {{ (void)it; }}\n" for kind in types]
    lines += [f"void see_{name}({name} it) {{ (void)it; }}\n" for _, name, _ in CALLBACK.findall(text)]
    return headers(include) + "".join(lines)


def build(include, library):
    subprocess.run(["gcc", "-std=c99", "-g", "-O0", "-shared", "-fPIC", f"-I{include}", "-x", "c", "-o", library, "-"],
                   input=source(include), text=True, check=True)


def main(include):
    with tempfile.TemporaryDirectory() as directory:
        library = Path(directory) / "witness.so"
        build(include, library)
        print(subprocess.run([*WRITE, library], stdout=subprocess.PIPE, text=True,
                             check=True).stdout, end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
