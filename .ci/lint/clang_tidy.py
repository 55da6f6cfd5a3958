#!/usr/bin/env python3
"""Runs clang-tidy over the sources of a build directory, in parallel; skips those unchanged since they passed.

Usage: clang_tidy.py BUILD_DIR   (configured with Ninja and built; the current directory is the repository root)
For each source that passes, BUILD_DIR/tidy gets an empty file whose name is a hash of the source's command, its bytes,
those of the headers of this repository that it includes, .clang-tidy and clang-tidy's version. Changes of system
headers are not noticed.
Exits with 1 if there is a finding.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys


def dependencies(build):
    """Returns {object: [files that it was compiled from]}, from Ninja's records."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found, current = {}, None
    for line in listing.splitlines():
        if line.startswith("    ") and current is not None:
            current.append(line.strip())
        elif ": #deps" in line:
            current = found.setdefault(line.split(": #deps")[0], [])
    return found


def output(entry):
    """Returns the object file of a command, as Ninja names it."""
    words = shlex.split(entry["command"])
    return words[words.index("-o") + 1]


def fingerprint(entry, files, tool):
    """Returns the name of the source's file in BUILD_DIR/tidy. `tool`: clang-tidy's version and configuration."""
    digest = hashlib.sha256(tool)
    digest.update(entry["command"].encode())
    for file in sorted(files):
        digest.update(file.encode() + b"\0" + pathlib.Path(file).read_bytes())
    return digest.hexdigest()


def check(build, entry):
    return subprocess.run(["clang-tidy", "--quiet", "-p", build, entry["file"]], capture_output=True, text=True)


def main():
    build, root = os.path.abspath(sys.argv[1]), os.getcwd() + os.sep
    database = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    ours = {e["file"]: e for e in database if e["file"].startswith(root) and not e["file"].startswith(build + os.sep)}
    tool = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    tool += pathlib.Path(".clang-tidy").read_bytes()
    cache = pathlib.Path(build, "tidy")
    cache.mkdir(exist_ok=True)

    known, work = dependencies(build), []
    for entry in ours.values():
        files = [os.path.normpath(os.path.join(build, f)) for f in known.get(output(entry), [])]
        files = [f for f in files if f.startswith(root) and os.path.exists(f)]
        marker = cache / fingerprint(entry, files, tool) if files else None  # an object that was not built has no files
        if marker is None or not marker.exists():
            work.append((entry, marker))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (entry, marker), result in zip(work, pool.map(lambda w: check(build, w[0]), work)):
            if result.returncode == 0:
                if marker is not None:
                    marker.touch()
            else:
                failed += 1
                print(result.stdout.strip() or result.stderr.strip(), flush=True)
    print(f"clang-tidy: {len(ours)} sources, {len(work)} checked, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
