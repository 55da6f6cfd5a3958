#!/usr/bin/env python3
"""Writes the types and values of the SDK's C headers as Rust declarations.

Usage: rust_bindings.py INCLUDE >bindings.rs
"""

import re
import sys
from pathlib import Path

from layout import ARRAY, CALLBACK, ENUM, MACRO, STRUCT, fields_of, on_one_line, preprocessed, values_of

WORDS = {"uint16_t": "u16", "uint32_t": "u32", "int32_t": "i32", "int64_t": "i64", "size_t": "usize", "double": "f64",
         "char": "c_char", "void": "c_void", "slipway_status": "i32"}
FUNCTION = re.compile(r"(.*?)\(\*\)\((.*)\)$", re.DOTALL)
OPAQUE = re.compile(r"typedef struct (slipway_\w+) \1;")
HEAD = """// Written by tests/abi/rust_bindings.py.
use std::os::raw::{c_char, c_void};
"""


def rust_type(kind):
    """Returns the Rust type of a C type such as `const char*`, which no name of a field or argument follows."""
    kind = on_one_line(kind)
    function = FUNCTION.match(kind)
    if function:
        return function_type(function[1], function[2])
    if kind.endswith("*"):
        target = kind[:-1].strip()
        # `const T*` points to a constant, `T* const*` does not occur.
        if target.startswith("const ") and not target.endswith("*"):
            return f"*const {rust_type(target[len('const '):])}"
        return f"*mut {rust_type(target)}"
    kind = kind.replace("struct ", "")
    return WORDS.get(kind, kind)


def function_type(result, arguments):
    kinds = []
    for argument in filter(None, map(on_one_line, arguments.split(","))):
        if argument == "void":
            continue
        # After `const` alone, the last word is the type of an argument without a name.
        named = re.match(r"(.*[\s*])(\w+)$", argument)
        kinds.append(rust_type(named[1] if named and named[1].strip() != "const" else argument))
    back = "" if result.strip() == "void" else f" -> {rust_type(result.strip())}"
    return f"Option<unsafe extern \"C\" fn({', '.join(kinds)}){back}>"


def declarations(include):
    text = preprocessed(include)
    structs = STRUCT.findall(text) + [(name, body) for body, name in ARRAY.findall(text)]
    for name, body in structs:
        fields = "".join(f"    pub {'r#type' if field == 'type' else field}: {rust_type(kind)},\n"
                         for field, kind in fields_of(body))
        yield f"#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n{fields}}}\n"
    defined = {name for name, _ in structs}
    for name in sorted(set(OPAQUE.findall(text)) - defined):
        yield f"#[repr(C)]\npub struct {name} {{\n    _private: [u8; 0],\n}}\n"
    for result, name, arguments in CALLBACK.findall(text):
        yield f"pub type {name} = {function_type(result, arguments)};\n"
    enumerators = (each for body in ENUM.findall(text) for each in body.split(",") if "SLIPWAY_" in each)
    names = [each.split("=")[0].strip() for each in enumerators]
    macros = dict(MACRO.findall(preprocessed(include, "-dM")))
    numbers = [name for name, body in macros.items() if re.fullmatch(r"\(?-?(0x)?[0-9a-f]+u?\)?", body)]
    for name, value in zip(names + numbers, values_of(include, names + numbers)):
        yield f"pub const {name}: i64 = {value};\n"
    for name, body in sorted(macros.items()):
        if body.startswith('"'):
            yield f"pub const {name}: &str = {body};\n"


def bindings(include):
    return HEAD + "".join(declarations(include))


if __name__ == "__main__":
    print(bindings(Path(sys.argv[1])), end="")
