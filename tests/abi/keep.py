#!/usr/bin/env python3
"""Builds the kept plug-ins and host of today's draft into kept/draft-N, and writes their checksums and README.

Usage: keep.py

After a change of SLIPWAY_ABI_DRAFT, moves the sources of the earlier draft to the folder of the new one first, and
deletes the earlier plug-ins, which no host loads any more.
"""

import hashlib
import lzma
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kept_plugin import DRAFT, LIBCXX_OF, SOURCES, compile_c, compile_cpp, compile_host, compile_rust, has_libcxx

SMALL = ("-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-s")
SMALL_RUST = ("-Copt-level=z", "-Clto", "-Ccodegen-units=1", "-Cstrip=symbols")
README = """# Kept plug-ins of draft {draft}

The plug-in `org.example.kept`, with a provider of each kind, in C (`*.c`, `*.h`), in C++ (`plugin.cpp`, `*.hpp`) and in
Rust (`*.rs`). `*.so.xz` are the libraries that `keep.py` built on {machine} with {flags}, in
Rust with {rust_flags}, and `host.xz` is the small host `tests/abi/growth/host.c`.
`SHA256SUMS` has their checksums.

| file | compiler | bytes, unpacked |
|--|--|--|
"""


def version_of(compiler):
    return subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]


def variants(work):
    """Yields the name, the compiler and the file of each plug-in and of the host."""
    for compiler in ("gcc", "clang"):
        yield f"c-{compiler}.so", compiler, compile_c(work / f"c-{compiler}", compiler, *SMALL) / "kept.so"
    for name, compiler, flags in (("gcc-libstdcxx", "g++", ()), ("clang-libstdcxx", "clang++", ()),
                                  ("clang-libcxx", "clang++", LIBCXX_OF["clang"])):
        yield f"cpp-{name}.so", compiler, compile_cpp(work / name, compiler, "-std=c++17", *SMALL, *flags) / "kept.so"
    yield "rust.so", "rustc", compile_rust(work / "rust", *SMALL_RUST) / "kept.so"
    yield "host", "gcc", compile_host(work / "host", *SMALL)


def quoted(flags):
    return " ".join(f"`{flag}`" for flag in flags)


def take_over_sources():
    """Moves the folder of an earlier draft to that of today's draft."""
    for earlier in sorted(SOURCES.parent.glob("draft-*")):
        if earlier != SOURCES:
            earlier.rename(SOURCES)
    for library in SOURCES.glob("*.xz"):
        library.unlink()


def main():
    if not has_libcxx():
        raise SystemExit("keep.py: needs clang++ and libc++-14-dev")
    if shutil.which("rustc") is None:
        raise SystemExit("keep.py: needs rustc")
    if list(SOURCES.glob("*.xz")) and "--replace" not in sys.argv:
        raise SystemExit(f"keep.py: {SOURCES.name} has its plug-ins, which stay; --replace builds new ones")
    take_over_sources()
    table, sums = "", ""
    with tempfile.TemporaryDirectory() as work:
        for name, compiler, built in variants(Path(work)):
            content = built.read_bytes()
            packed = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)
            (SOURCES / f"{name}.xz").write_bytes(packed)
            sums += f"{hashlib.sha256(packed).hexdigest()}  {name}.xz\n"
            table += f"| `{name}` | {version_of(compiler)} | {len(content)} |\n"
    (SOURCES / "SHA256SUMS").write_text(sums, encoding="utf-8")
    head = README.format(draft=DRAFT, machine=platform.machine(), flags=quoted(SMALL),
                         rust_flags=quoted(SMALL_RUST))
    (SOURCES / "README.md").write_text(head + table, encoding="utf-8")


if __name__ == "__main__":
    main()
