"""Records the files of a directory that processes open, with inotify."""

import ctypes
import os
import struct

IN_OPEN = 0x20
EVENT = struct.Struct("iIII")


class OpenedFiles:
    """Records openings during a block: `with OpenedFiles(directory) as opened: …; opened.names()`. The directory itself
    is `.`."""

    def __init__(self, directory):
        self.directory = os.fsencode(directory)

    def __enter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self.fd < 0 or libc.inotify_add_watch(self.fd, self.directory, IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def names(self):
        try:
            events = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return set()
        found, at = set(), 0
        while at < len(events):
            length = EVENT.unpack_from(events, at)[3]
            at += EVENT.size
            found.add(events[at:at + length].rstrip(b"\0").decode() or ".")
            at += length
        return found
