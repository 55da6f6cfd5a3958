#!/usr/bin/env python3
"""Builds the kept plug-ins and host of today's draft that are missing in kept/draft-N, and writes their checksums and
README.

Usage: keep.py [--replace]

With --replace, builds all of them again. After a change of SLIPWAY_ABI_DRAFT, moves the sources of the earlier draft to
the folder of the new one first, and deletes the earlier plug-ins, which no host loads any more.
"""

import hashlib
import lzma
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kept_plugin import (DRAFT, LIBCXX_OF, SOURCES, compile_c, compile_cpp, compile_host, compile_runner, compile_rust,
                         has_libcxx)

SMALL = ("-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-s")
SMALL_RUST = ("-Copt-level=z", "-Clto", "-Ccodegen-units=1", "-Cstrip=symbols")
README = """# Kept plug-ins of draft {draft}

The plug-in `org.example.kept`, with a provider of each kind, in C (`*.c`, `*.h`), in C++ (`plugin.cpp`, `*.hpp`) and in
Rust (`*.rs`), runs no programs. `org.example.runner` (`runner/`), with a provider of each kind that implements all
functions, runs programs on this machine. `*.so.xz` are the libraries that `keep.py` built on {machine} with {flags}, in
Rust with {rust_flags}, and `host.xz` is the small host `tests/abi/growth/host.c`.
`SHA256SUMS` has their checksums.

| file | compiler | bytes, unpacked |
|--|--|--|
"""


def version_of(compiler):
    return subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]


def variants():
    """Yields name, compiler and a function that builds it in a directory, for each plug-in and for the host."""
    # The default arguments of the functions keep the values of their turn of the loop.
    for compiler in ("gcc", "clang"):
        yield f"c-{compiler}.so", compiler, lambda work, it=compiler: compile_c(work, it, *SMALL) / "kept.so"
    for name, compiler, flags in (("gcc-libstdcxx", "g++", ()), ("clang-libstdcxx", "clang++", ()),
                                  ("clang-libcxx", "clang++", LIBCXX_OF["clang"])):
        yield (f"cpp-{name}.so", compiler,
               lambda work, it=compiler, more=flags: compile_cpp(work, it, "-std=c++17", *SMALL, *more) / "kept.so")
    for name, compiler, flags in (("gcc-libstdcxx", "g++", ()), ("gcc-libcxx", "g++", LIBCXX_OF["gcc"]),
                                  ("clang-libstdcxx", "clang++", ()), ("clang-libcxx", "clang++", LIBCXX_OF["clang"])):
        yield (f"runner-{name}.so", compiler,
               lambda work, it=compiler, more=flags: compile_runner(work, it, *SMALL, *more) / "runner.so")
    yield "rust.so", "rustc", lambda work: compile_rust(work, *SMALL_RUST) / "kept.so"
    yield "host", "gcc", lambda work: compile_host(work / "host", *SMALL)


def quoted(flags):
    return " ".join(f"`{flag}`" for flag in flags)


def move_sources():
    """Moves the folder of an earlier draft to that of today's draft, without its plug-ins."""
    for earlier in sorted(SOURCES.parent.glob("draft-*")):
        if earlier != SOURCES:
            earlier.rename(SOURCES)
            remove_binaries()


def remove_binaries():
    for binary in SOURCES.glob("*.xz"):
        binary.unlink()


def rows_of_readme():
    """Returns the lines of the table by the names of the files."""
    text = (SOURCES / "README.md").read_text(encoding="utf-8")
    return {name: line for line, name in re.findall(r"^(\| `(\S+)` \|.*\n)", text, re.MULTILINE)}


def main():
    if not has_libcxx():
        raise SystemExit("keep.py: needs clang++ and libc++-14-dev")
    if shutil.which("rustc") is None:
        raise SystemExit("keep.py: needs rustc")
    move_sources()
    if "--replace" in sys.argv:
        remove_binaries()
    rows, table, sums = rows_of_readme(), "", ""
    for name, compiler, build in variants():
        kept = SOURCES / f"{name}.xz"
        if not kept.exists():
            with tempfile.TemporaryDirectory() as work:
                content = build(Path(work)).read_bytes()
            kept.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
            rows[name] = f"| `{name}` | {version_of(compiler)} | {len(content)} |\n"
        sums += f"{hashlib.sha256(kept.read_bytes()).hexdigest()}  {kept.name}\n"
        table += rows[name]
    (SOURCES / "SHA256SUMS").write_text(sums, encoding="utf-8")
    head = README.format(draft=DRAFT, machine=platform.machine(), flags=quoted(SMALL),
                         rust_flags=quoted(SMALL_RUST))
    (SOURCES / "README.md").write_text(head + table, encoding="utf-8")


if __name__ == "__main__":
    main()
