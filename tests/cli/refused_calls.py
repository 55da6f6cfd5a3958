"""Runs a command for which the kernel refuses some system calls, as an older kernel or a seccomp profile may do.

    python3 refused_calls.py ENOSYS clone3,close_range -- COMMAND...

The refusals also apply to all processes that the command starts.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

# {name: (number on x86-64, number on architectures with the generic table)}
CALLS = {
    "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434), "clone3": (435, 435), "close_range": (436, 436),
    "openat2": (437, 437), "faccessat2": (439, 439), "mount_setattr": (442, 442), "renameat2": (316, 276),
    "link": (86, 37),  # 37 is linkat: the generic table has no link
    "fsync": (74, 82),
}
# {machine of uname: (AUDIT_ARCH of linux/audit.h, column of CALLS)}
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# From linux/bpf_common.h, linux/seccomp.h and linux/prctl.h. The offsets are those of struct seccomp_data.
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER_AT, MACHINE_AT = 0, 4
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2


def rules(calls, error, column):
    """Yields the instructions (code, jump if true, jump if false, operand) of a filter that refuse these calls."""
    for name in calls:
        yield from ((JUMP_IF_EQUAL, 0, 1, CALLS[name][column]), (RETURN, 0, 0, REFUSE | error))


def refuse(calls, error):
    """Makes the kernel refuse these calls of this process and of its children."""
    machine, column = MACHINES[platform.machine()]
    program = [(LOAD, 0, 0, MACHINE_AT), (JUMP_IF_EQUAL, 1, 0, machine), (RETURN, 0, 0, ALLOW),
               (LOAD, 0, 0, NUMBER_AT), *rules(calls, error, column), (RETURN, 0, 0, ALLOW)]
    code = b"".join(struct.pack("HBBI", *line) for line in program)
    buffer = ctypes.create_string_buffer(code)
    sock_fprog = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer)))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, FILTER, sock_fprog, 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "seccomp filters are forbidden here")


if __name__ == "__main__":
    error_name, calls, separator, *command = sys.argv[1:]
    assert separator == "--", __doc__
    refuse(calls.split(","), getattr(errno, error_name))
    os.execvp(command[0], command)
