"""Changes bytes of `state.bin`. plugins/local/engine/state_layout.hpp defines the layout."""

import struct
import zlib

VERSION_AT, CRC_AT, RECORDS_AT, ROLES_AT, SUBMITTED_AT, BOOT_ID_AT, MINIMUM_READER_AT = 8, 12, 24, 32, 64, 84, 120
ORDER_AT = 144
FIXED = 152  # sizeof(StateFixed)
HEADER = FIXED + 1128  # sizeof(StateHeader)
STARTED_AT, FINISHED_AT, CHECK_AT = FIXED + 32, FIXED + 40, FIXED + 68
HEAD, TAIL_STARTED_AT, TAIL_CHECK_AT = 32, 16, 68
BEING_CHANGED = 1  # a value that every reader accepts in place of a checksum


def shift_times(state, nanoseconds, *places):
    """Adds to the times at `places`."""
    for at in places:
        (time,) = struct.unpack_from("=q", state, at)
        assert time > 10**18, f"no time at {at}: {time}"
        struct.pack_into("=q", state, at, time + nanoseconds)


def shift_starts(state, nanoseconds):
    """Changes the start times of the app and its first replica, as if the wall clock had been set since."""
    records, replicas = struct.unpack_from("=II", state, RECORDS_AT)
    tail = records + HEAD * replicas
    shift_times(state, nanoseconds, STARTED_AT, tail + TAIL_STARTED_AT)
    for at in (CHECK_AT, tail + TAIL_CHECK_AT):
        struct.pack_into("=I", state, at, BEING_CHANGED)
    return state


def shift_finished(state, nanoseconds):
    """Changes all times of a finished app, as if the wall clock had been set since it was submitted."""
    shift_times(state, nanoseconds, SUBMITTED_AT, ORDER_AT, STARTED_AT, FINISHED_AT)
    struct.pack_into("=I", state, CHECK_AT, BEING_CHANGED)
    return put_checksum(state)


def put_checksum(state):
    """Repairs the checksum of the constant part."""
    roles, role_count = struct.unpack_from("=II", state, ROLES_AT)
    fixed = bytes(state[:CRC_AT]) + bytes(4) + bytes(state[CRC_AT + 4:FIXED])
    struct.pack_into("=I", state, CRC_AT, zlib.crc32(bytes(state[HEADER:roles + 16 * role_count]), zlib.crc32(fixed)))
    return state
