"""Makes headers of a version 1.1 from today's headers, which are those of 1.0, and growth/additions.txt."""

import re
import shutil

from kept_plugin import HERE, INCLUDE

ADDITIONS = HERE / "growth" / "additions.txt"
ADDITION = re.compile(r"/\* at the end of (\w+) \((\w+\.h)\) \*/\n(.*?\n)(?=\n/\* at the end|\Z)", re.DOTALL)


def replace_once(file, pattern, replacement):
    text, count = re.subn(pattern, replacement, file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    if count != 1:
        raise AssertionError(f"{file.name}: {count} places match {pattern}")
    file.write_text(text, encoding="utf-8")


def headers_of_1_1(root):
    """Copies the SDK's headers to `root`, appends the additions, and returns the include directory."""
    include = root / "include-1.1"
    shutil.copytree(INCLUDE, include)
    for name, header, fields in ADDITION.findall(ADDITIONS.read_text(encoding="utf-8")):
        replace_once(include / "slipway/abi" / header, rf"^((?:typedef )?struct {name} \{{\n.*?)^(\}})",
                     rf"\g<1>{fields}\g<2>")
    replace_once(include / "slipway/abi/base.h", r"^(#define SLIPWAY_ABI_MINOR) \d+$", r"\g<1> 1")
    return include
