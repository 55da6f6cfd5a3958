"""Finds processes in /proc by their environment, also those that started a process session or lost their parent."""

import os
from pathlib import Path


def _read(path):
    try:
        return path.read_bytes()
    except OSError:  # the process has just ended, or belongs to another user
        return b""


def with_environment(entry):
    """Returns {pid: command line} of the live processes that started with this environment entry; zombies do not
    count."""
    out = {}
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit() and entry in _read(directory / "environ").split(b"\0"):
            out[int(directory.name)] = _read(directory / "cmdline").replace(b"\0", b" ").decode("utf-8", "replace")
    return out


def helpers(state, part=""):
    """Returns the pids of supervisors and wardens of apps below XDG_STATE_HOME=`state` whose command line contains
    `part`.

    Until it executes its program, a new replica looks like its supervisor."""
    found = with_environment(b"XDG_STATE_HOME=" + os.fsencode(state))
    return [pid for pid, line in found.items() if "/libexec/slipway/" in line.split(" ")[0] and part in line]


def parent(pid):
    """Returns the pid of the parent, or 0 if the process does not exist."""
    stat = _read(Path(f"/proc/{pid}/stat"))
    return int(stat.rpartition(b")")[2].split()[1]) if stat else 0


def alive(pid):
    """Returns whether the process exists and is no zombie."""
    stat = _read(Path(f"/proc/{pid}/stat"))
    return bool(stat) and stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")
