#!/usr/bin/env python3
"""Writes down the binary contract of the SDK's C headers, as a C file of static assertions.

Usage: layout.py INCLUDE >draft-N.inc

The file compiles as long as the headers in INCLUDE keep the contract: the offset, size and type of each field, the
signature of each function and callback, each enumerator, number and id. A struct with `struct_size` may grow at its
end; all others keep their size.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The macros that name the version of the contract. Their values may differ.
VERSION = ("SLIPWAY_ABI_MAJOR", "SLIPWAY_ABI_MINOR", "SLIPWAY_ABI_DRAFT")
# Declarations as the headers have them after preprocessing.
STRUCT = re.compile(r"struct (slipway_\w+) \{([^{}]*)\}")
ARRAY = re.compile(r"typedef struct \{([^{}]*)\} (slipway_\w+);")
POINTER = re.compile(r"(.*?)\(\*\s*(\w+)\)\s*\((.*)\)$", re.DOTALL)
FIELD = re.compile(r"(.*?[\s*])(\w+)$", re.DOTALL)
CALLBACK = re.compile(r"typedef ([^;{}]*?)\(\*(slipway_\w+)\)\s*\(([^;]*)\);")
ENUM = re.compile(r"enum (?:\w+ )?\{([^{}]*)\}")
MACRO = re.compile(r"#define (SLIPWAY_\w+) (.+)")


def headers(include):
    names = sorted(path.name for path in (include / "slipway" / "abi").glob("*.h"))
    return "".join(f'#include "slipway/abi/{name}"\n' for name in names)


def preprocessed(include, *flags):
    command = ["gcc", "-std=c99", "-E", "-P", *flags, f"-I{include}", "-x", "c", "-"]
    return subprocess.run(command, input=headers(include), stdout=subprocess.PIPE, text=True, check=True).stdout


def on_one_line(text):
    return " ".join(text.split())


def fields_of(body):
    """Returns the name and the type of each field, in order; a function's type is that of a pointer to it."""
    for statement in filter(None, map(on_one_line, body.split(";"))):
        pointer = POINTER.match(statement)
        if pointer:
            yield pointer[2], f"{pointer[1].strip()} (*)({pointer[3]})"
        else:
            field = FIELD.match(statement)
            yield field[2], field[1].strip()


def values_of(include, expressions):
    """Compiles the expressions, and returns their values."""
    lines = "".join(f'printf("%lld\\n", (long long)({each}));\n' for each in expressions)
    source = f"#include <stddef.h>\n#include <stdio.h>\n{headers(include)}int main(void) {{\n{lines}return 0; }}\n"
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory) / "values"
        subprocess.run(["gcc", f"-I{include}", "-x", "c", "-o", program, "-"], input=source, text=True, check=True)
        return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def assertions(include):
    """Returns three lists: (expression, operator between it and its value), (expression, its type), and (macro, its
    text)."""
    text = preprocessed(include)
    structs = [(name, body) for name, body in STRUCT.findall(text)]
    structs += [(name, body) for body, name in ARRAY.findall(text)]
    values, types = [], []
    for name, body in structs:
        is_typedef = re.search(rf"typedef struct(?: {name})? [^;]*?\b{name};|\}} {name};", text)
        full = name if is_typedef else f"struct {name}"
        for field, kind in fields_of(body):
            if field.startswith("reserved"):  # may get a name and a meaning
                continue
            values.append((f"offsetof({full}, {field})", "=="))
            types.append((f"(({full}*)0)->{field}", kind))
        # A field of 64 bits that is appended to a struct of fields of 32 bits raises its alignment.
        growth = ">=" if "uint32_t struct_size" in on_one_line(body) else "=="
        values.append((f"_Alignof({full})", growth))
        values.append((f"sizeof({full})", growth))
    for result, name, arguments in CALLBACK.findall(text):
        types.append((f"({name})0", f"{result.strip()} (*)({on_one_line(arguments)})"))
    for body in ENUM.findall(text):
        values += [(each.split("=")[0].strip(), "==") for each in body.split(",") if "SLIPWAY_" in each]
    texts = []
    for name, body in MACRO.findall(preprocessed(include, "-dM")):
        if name in VERSION:
            continue
        if body.startswith('"'):
            texts.append((name, body))
        elif re.fullmatch(r"\(?-?(0x)?[0-9a-f]+u?\)?", body):
            values.append((name, "=="))
    return values, types, sorted(texts)


def lines(include):
    values, types, texts = assertions(include)
    yield "// Written by tests/abi/layout.py; do not edit.\n#include <stddef.h>\n"
    yield headers(include)
    yield "#define VALUE(expression) _Static_assert(expression, #expression)"
    yield ("#define TYPE(expression, ...) \\\n"
           '  _Static_assert(_Generic((expression), __VA_ARGS__: 1, default: 0), #expression " is a " #__VA_ARGS__)')
    yield "#define TEXT(name, text) _Static_assert(__builtin_strcmp(name, text) == 0, #name)\n"
    for (expression, comparison), value in zip(values, values_of(include, [each for each, _ in values])):
        yield f"VALUE({expression} {comparison} {value});"
    for expression, kind in types:
        yield f"TYPE({expression}, {kind});"
    for name, text in texts:
        yield f"TEXT({name}, {text});"


def written_down(include):
    """Returns the C file of static assertions for the headers in `include`."""
    return "".join(line + "\n" for line in lines(include))


if __name__ == "__main__":
    print(written_down(Path(sys.argv[1])), end="")
