"""Remembers the files and directories that an answer was made from, so that the plug-in can keep the answer until one
of them changes."""

import os
import time

SETTLED_NS = 50_000_000  # longer than the steps in which file systems count time

_noted = {}


def note(path):
    """Remembers the state of a path. Call it before reading."""
    path = os.path.join(os.getcwd(), path)  # abspath() would change `link/..`
    if path not in _noted:
        try:
            found = os.stat(path)
            _noted[path] = [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]
        except OSError:
            _noted[path] = None


def noted():
    """Returns the states by path, or None if a file has just changed: a further change might leave the same state."""
    settled = time.time_ns() - SETTLED_NS
    if any(state and max(state[:2]) > settled for state in _noted.values()):
        return None
    return _noted
