"""The errors that each system call may return, according to the kernel's documentation, on a machine that is short of
a resource, broken or interrupted."""

import errno

# Shortages of a resource. In another part than the command, none of them may end the app with 126 or 127 (trial.py).
SHORTAGE = {"ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOBUFS"}
# Errors that can last: besides one call, the sweep also lets that call and every later one of the same name fail.
LASTING = {"ENOSPC", "EDQUOT", "EMFILE", "ENOMEM", "EIO", "EACCES", "ENOSYS"}

# Calls that get no lasting errors: a process whose every wait fails can do nothing, so no result can be demanded of it;
# and no command can cancel the app of a supervisor whose every accept4() fails.
NEVER_LASTING = {"poll", "ppoll", "accept4"}
# Further errors of openat() with O_CREAT.
NEW_FILE = ("ENOSPC", "EDQUOT")

_OPEN = ("EMFILE", "ENFILE", "EACCES", "EIO", "ENOMEM", "EINTR")
_MAKE = ("ENOSPC", "EDQUOT", "EACCES", "EIO")
_READ = ("EIO", "EINTR")
_WRITE = ("ENOSPC", "EDQUOT", "EIO", "EINTR")
_NEW_FD = ("EMFILE", "ENFILE", "ENOMEM")
_PROCESS = ("EAGAIN", "ENOMEM")

ERRORS = {
    "accept4": ("EMFILE", "ENFILE", "ENOMEM", "EINTR", "ECONNABORTED"),
    "bind": ("EACCES", "ENOSPC", "ENOMEM"),
    "chdir": ("EACCES", "EIO"),
    "clone": _PROCESS,
    "clone3": (*_PROCESS, "ENOSYS"),
    "close_range": ("ENOMEM", "EMFILE", "ENOSYS"),
    "connect": ("EAGAIN", "EINTR", "ECONNREFUSED"),
    "dup": ("EMFILE",),
    "epoll_create1": _NEW_FD,
    "epoll_ctl": ("ENOMEM", "ENOSPC"),
    "epoll_pwait": ("EINTR",),
    "epoll_wait": ("EINTR",),
    "execve": ("ENOMEM", "EAGAIN", "EACCES", "EIO"),
    "fallocate": (*_WRITE, "EOPNOTSUPP"),
    "fchmod": ("EIO", "EPERM"),
    "fcntl": ("EMFILE",),
    "fdatasync": ("EIO", "ENOSPC", "EDQUOT"),
    "flock": ("EINTR", "ENOLCK", "ENOMEM"),
    "fork": _PROCESS,
    "fstat": ("EIO",),
    "fsync": ("EIO", "ENOSPC", "EDQUOT"),
    "ftruncate": ("EIO", "EINTR", "ENOSPC"),
    "getdents64": ("EIO",),
    "inotify_add_watch": ("ENOSPC", "ENOMEM", "EACCES"),
    "inotify_init1": ("EMFILE", "ENOMEM"),
    "link": _MAKE,
    "linkat": _MAKE,
    "listen": ("EADDRINUSE",),
    "mkdir": _MAKE,
    "mkdirat": _MAKE,
    "mmap": ("ENOMEM",),
    "munmap": ("ENOMEM",),
    "newfstatat": ("EIO", "EACCES"),
    "open": _OPEN,
    "openat": _OPEN,
    "openat2": _OPEN,
    "pidfd_open": _NEW_FD,
    "pipe2": ("EMFILE", "ENFILE"),
    "poll": ("EINTR", "ENOMEM"),
    "ppoll": ("EINTR", "ENOMEM"),
    "pread64": _READ,
    "prlimit64": ("EPERM",),
    "pwrite64": _WRITE,
    "pwritev": _WRITE,
    "read": _READ,
    "readlink": ("EIO", "EACCES"),
    "recvfrom": ("EINTR", "ECONNRESET"),
    "recvmsg": ("EINTR", "ENOMEM"),
    "rename": _MAKE,
    "renameat": _MAKE,
    "renameat2": _MAKE,
    "rmdir": ("EIO", "EACCES"),
    "sendfile": _WRITE,
    "sendmsg": ("EAGAIN", "ENOBUFS", "EINTR", "EPIPE"),
    "sendto": ("EAGAIN", "ENOBUFS", "EINTR", "EPIPE"),
    "setsid": ("EPERM",),
    "socket": (*_NEW_FD, "ENOBUFS"),
    "socketpair": _NEW_FD,
    "statx": ("EIO", "EACCES"),
    "symlink": _MAKE,
    "symlinkat": _MAKE,
    "timerfd_create": _NEW_FD,
    "unlink": ("EIO", "EACCES"),
    "unlinkat": ("EIO", "EACCES"),
    "vfork": _PROCESS,
    "wait4": ("EINTR",),
    # waitid is missing: the product calls it with WNOHANG alone, which no signal interrupts (waitid(2)).
    "write": _WRITE,
    "writev": _WRITE,
}


def plausible(call, subject):
    """Returns the errors of a call. `subject` is the last word of the injector's line about the call: `O_CREAT` for an
    openat() that may create a file, or the kind of the call's descriptor, `file`, `pipe`, `socket` or `event`."""
    if subject == "event" and call == "write":
        return ()
    if subject in ("pipe", "socket") and call in ("read", "write", "writev"):
        return ("EINTR",) if subject == "pipe" else ("EINTR", "ECONNRESET")
    return ERRORS.get(call, ()) + (NEW_FILE if subject == "O_CREAT" else ())


def number(name):
    return getattr(errno, name)
