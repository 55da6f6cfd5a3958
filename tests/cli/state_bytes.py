"""Changes bytes of `state.bin`. plugins/local/engine/state_layout.hpp defines the layout."""

import struct
import zlib

# Offsets of the fields of StateFixed.
VERSION_AT, CRC_AT, ENTRIES_AT, ROLES_AT, SUBMITTED_AT, BOOT_ID_AT, MINIMUM_READER_AT = 8, 12, 24, 32, 64, 84, 120
ORDER_AT = 144  # LaunchPlan's `order`, a time
FIXED_BYTES = 152  # sizeof(StateFixed)
# Offsets of the fields of StateHeader after its StateFixed.
STARTED_AT, FINISHED_AT, CHECK_AT = FIXED_BYTES + 32, FIXED_BYTES + 40, FIXED_BYTES + 68
MESSAGE_AT = FIXED_BYTES + 104  # the last field
HEADER_BYTES = MESSAGE_AT + 1024  # sizeof(StateHeader)
HEAD_BYTES = 32  # sizeof(ReplicaHead)
TAIL_STARTED_AT, TAIL_CHECK_AT = 16, 68  # in a ReplicaTail
BEING_CHANGED = 1  # a value that every reader accepts in place of the checksum `check`


def shift_times(state, nanoseconds, *places):
    """Adds `nanoseconds` to the times at these offsets."""
    for at in places:
        (time,) = struct.unpack_from("=q", state, at)
        assert time > 10**18, f"no time at {at}: {time}"  # in nanoseconds, after the year 2001
        struct.pack_into("=q", state, at, time + nanoseconds)


def shift_starts(state, nanoseconds):
    """Changes the start times of the app and its first replica, as if the wall clock had been set since."""
    entries, replicas = struct.unpack_from("=II", state, ENTRIES_AT)
    tail = entries + HEAD_BYTES * replicas  # of the first replica
    shift_times(state, nanoseconds, STARTED_AT, tail + TAIL_STARTED_AT)
    for at in (CHECK_AT, tail + TAIL_CHECK_AT):
        struct.pack_into("=I", state, at, BEING_CHANGED)
    return state


def shift_finished(state, nanoseconds):
    """Changes the times of a finished app, but not of its replicas, as if the wall clock had been set since it was
    submitted."""
    shift_times(state, nanoseconds, SUBMITTED_AT, ORDER_AT, STARTED_AT, FINISHED_AT)
    struct.pack_into("=I", state, CHECK_AT, BEING_CHANGED)
    return put_checksum(state)


def put_checksum(state):
    """Repairs the checksum of the parts that never change: StateFixed, the strings and the role table."""
    roles, role_count = struct.unpack_from("=II", state, ROLES_AT)
    fixed = bytes(state[:CRC_AT]) + bytes(4) + bytes(state[CRC_AT + 4:FIXED_BYTES])
    tables = bytes(state[HEADER_BYTES:roles + 16 * role_count])  # 16 is sizeof(RoleEntry)
    struct.pack_into("=I", state, CRC_AT, zlib.crc32(tables, zlib.crc32(fixed)))
    return state
