"""Is the scheduler's account of an ended app legal, and does it agree with what its replicas say?"""

import zlib
from collections import Counter

TERMINAL = {"SUCCEEDED", "FAILED", "CANCELLED"}
# reason: the states of a replica that it may go with, and whether the exit status is known
LEGAL = {
    "exit": ({"SUCCEEDED", "FAILED"}, "exit"),
    "signal": ({"FAILED"}, "signal"),
    "timeout": ({"FAILED"}, None),
    "not_ready": ({"FAILED"}, None),
    "lost": ({"FAILED"}, "unknown"),
    "cancelled": ({"CANCELLED"}, None),
    "restarted": ({"CANCELLED"}, None),
}
# The signals that others send a replica, which may have just recorded its own end: SIGKILL comes from the test or the
# supervisor, SIGTERM from the supervisor.
KILL, TERMINATE = 9, 15


def record_faults(status, account, may_be_lost):
    """`may_be_lost`: there was a moment when nobody watched."""
    faults = []
    if status["state"] not in TERMINAL:
        faults.append(f"the app is {status['state']}")
    for role in status["roles"]:
        for replica in role["replicas"]:
            key = f"{role['role']}.{replica['id']}"
            attempts = replica.get("attempts") or [replica]
            for number, attempt in enumerate(attempts):
                faults += [f"{key} attempt {number}: {fault}"
                           for fault in _attempt_faults(attempt, account.ends(key), may_be_lost)]
            faults += _start_faults(key, attempts, account.starts(key))
    faults += [f"two of {key} ran at the same time" for key in account.doubled()]
    return faults


def _attempt_faults(attempt, ends, may_be_lost):
    state, reason, code, number = (attempt[k] for k in ("state", "reason", "exit_code", "signal"))
    what = f"{state} {reason} exit_code={code} signal={number} pid={attempt['pid']}"
    if reason not in LEGAL:
        return [f"illegal: {what}"]
    states, known = LEGAL[reason]
    faults = []
    if state not in states or (state == "SUCCEEDED") != (state in states and reason == "exit" and code == 0):
        faults.append(f"illegal: {what}")
    if (known == "exit" and code is None) or (known == "signal" and number is None) or \
            (known == "unknown" and (code is not None or number is not None)) or \
            (code is not None and number is not None):
        faults.append(f"reason and exit status do not go together: {what}")
    if reason == "lost" and not may_be_lost:
        faults.append(f"lost, and somebody watched all the time: {what}")
    own = ends.get(attempt["pid"])
    if code is not None and own != ("exit", code):
        faults.append(f"the exit code is not what the replica ended with, {own}: {what}")
    by_others = {KILL} if reason == "signal" else {KILL, TERMINATE}
    if number is not None and own is not None and own[0] == "signal" and own[1] != number and number not in by_others:
        faults.append(f"the signal is not what the replica ended with, {own}: {what}")
    if code is None and number is None and own is not None and not may_be_lost:
        faults.append(f"the end {own} is not recorded: {what}")
    return faults


def _start_faults(key, attempts, starts):
    recorded = Counter(attempt["pid"] for attempt in attempts if attempt["pid"])
    strangers = Counter(starts) - recorded
    if not strangers:
        return []
    return [f"{key}: started, but recorded never or twice: {dict(strangers)}, recorded {dict(recorded)}"]


def journal_faults(path, kills):
    """events.log: each line whole and checked, in order. `kills`: how often its writers were killed, or kept from
    starting; then, and only then, a line may be torn, and somebody takes over."""
    faults, last, replaced = [], 0, 0
    lines = path.read_bytes().split(b"\n")
    if lines[0] != b"slipway-events 2":
        return [f"events.log begins with {lines[0][:50]}"]
    for line in lines[1:-1]:
        checksum, _, rest = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(rest):
            if not kills:
                faults.append(f"events.log: damaged: {line[:100]}")
            continue
        sequence = int(rest.split(b" ")[0])
        if sequence < last:
            faults.append(f"events.log: {sequence} after {last}")
        last = sequence
        replaced += rest.endswith(b" supervisor replaced")
    if replaced > kills:
        faults.append(f"{replaced} supervisors were replaced, and {kills} killed: one died by itself")
    return faults
