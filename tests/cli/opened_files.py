"""Records the files of a directory that processes open, with inotify."""

import ctypes
import errno
import os
import struct
import time

IN_OPEN = 0x20
EVENT = struct.Struct("iIII")  # the start of an inotify_event; the last field is the length of the name after it
LIMIT_S = 60  # for a free inotify instance


class OpenedFiles:
    """Records openings during a block: `with OpenedFiles(directory) as opened: …; opened.names()`."""

    def __init__(self, directory):
        self.directory = os.fsencode(directory)

    def __enter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        end = time.monotonic() + LIMIT_S
        while True:
            self.fd = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
            # A user may have a limited number of instances. Apps of other tests may use all of them for a moment.
            if self.fd >= 0 or ctypes.get_errno() != errno.EMFILE or time.monotonic() > end:
                break
            time.sleep(0.05)
        if self.fd < 0 or libc.inotify_add_watch(self.fd, self.directory, IN_OPEN) < 0:
            error = ctypes.get_errno()
            if self.fd >= 0:
                os.close(self.fd)
            raise OSError(error, "inotify")
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def names(self):
        """Returns the names of the files that were opened since the last call; `.` is the directory itself."""
        events = b""
        try:
            while True:
                events += os.read(self.fd, 1 << 16)
        except BlockingIOError:
            pass
        found, at = set(), 0
        while at < len(events):
            length = EVENT.unpack_from(events, at)[3]
            at += EVENT.size
            found.add(events[at:at + length].rstrip(b"\0").decode() or ".")
            at += length
        return found
