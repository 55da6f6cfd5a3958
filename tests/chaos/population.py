"""Finds the processes of one round by an environment entry that they inherited, and kills one of them safely."""

import os
import signal
from pathlib import Path

HELPER = "/libexec/slipway/slipway-local-supervisor"


def _read(path):
    try:
        return path.read_bytes()
    except OSError:  # the process has just ended, or belongs to another user
        return b""


class Process:
    def __init__(self, pid, parent, session, command):  # `session`: the id of the process session
        self.pid, self.parent, self.session, self.command = pid, parent, session, command

    def __repr__(self):
        return f"{self.pid} (parent {self.parent}, session {self.session}): {' '.join(self.command)[:200]}"


class Population:
    """The processes with the environment entry `entry`, which no other process of the machine has."""

    def __init__(self, entry):
        self.entry = entry.encode()

    def _has_entry(self, pid):
        return self.entry in _read(Path(f"/proc/{pid}/environ")).split(b"\0")

    def living(self):
        """Returns {pid: Process} of the processes, without zombies."""
        found = {}
        for name in os.listdir("/proc"):
            if not name.isdigit() or not self._has_entry(name):
                continue
            fields = _read(Path("/proc", name, "stat")).rpartition(b")")[2].split()
            if not fields or fields[0] in (b"Z", b"X"):
                continue
            command = _read(Path("/proc", name, "cmdline")).decode("utf-8", "replace").split("\0")
            found[int(name)] = Process(int(name), int(fields[1]), int(fields[3]), command)
        return found

    def kill(self, pid, number=signal.SIGKILL):
        """Sends a signal. Returns false if the process has ended. Through the pidfd, the signal never reaches another
        program that got the same pid."""
        try:
            fd = os.pidfd_open(pid)
        except OSError:
            return False
        try:
            if not self._has_entry(pid):
                return False
            signal.pidfd_send_signal(fd, number)
            return True
        except OSError:
            return False
        finally:
            os.close(fd)


def find_helpers(living):
    """Returns the processes (warden, supervisor), or None for one that is missing. A single helper counts as the
    supervisor, because a warden takes over when its supervisor dies. A replica that has not executed its program yet
    looks like its supervisor; beside a warden it is not returned, because it is younger than the supervisor."""
    helpers = {p.pid: p for p in living.values() if p.command[0].endswith(HELPER)}
    tops = [p for p in helpers.values() if p.parent not in helpers]
    if not tops:
        return None, None
    top = tops[0]
    below = sorted((p for p in helpers.values() if p.parent == top.pid), key=lambda p: p.pid)
    return (top, below[0]) if below else (None, top)
