"""Checks that the status of a finished app is consistent and agrees with what its replicas recorded, and that its
journal is whole."""

import zlib
from collections import Counter

TERMINAL = {"SUCCEEDED", "FAILED", "CANCELLED"}
# {reason: (the states of a replica that may have it, the known part of the exit status)}. The part is `exit` (the exit
# code), `signal`, `unknown` (neither) or None (at most one of them).
LEGAL = {
    "exit": ({"SUCCEEDED", "FAILED"}, "exit"),
    "signal": ({"FAILED"}, "signal"),
    "timeout": ({"FAILED", "CANCELLED"}, None),  # CANCELLED: it never ran
    "not_ready": ({"FAILED"}, None),
    "lost": ({"FAILED"}, "unknown"),
    "cancelled": ({"CANCELLED"}, None),
    "restarted": ({"CANCELLED"}, None),
    "work_done": ({"CANCELLED"}, None),
}
# Signals that may overtake the end that a replica has just recorded: the test and the supervisor send SIGKILL, the
# supervisor sends SIGTERM.
KILL, TERMINATE = 9, 15


def record_violations(status, account, may_be_lost):
    """Returns what is wrong in a status. `may_be_lost`: the app had no supervisor for a while."""
    violations = []
    if status["state"] not in TERMINAL:
        violations.append(f"the app has ended, but is {status['state']}")
    for role in status["roles"]:
        for replica in role["replicas"]:
            key = f"{role['role']}.{replica['id']}"
            attempts = replica.get("attempts") or [replica]
            for number, attempt in enumerate(attempts):
                violations += [f"{key} attempt {number}: {violation}"
                               for violation in _attempt_violations(attempt, account.ends(key), may_be_lost)]
            violations += _start_violations(key, attempts, account.starts(key))
    violations += _service_violations(status)
    violations += [f"two of {key} ran at the same time" for key in account.overlapping_replicas()]
    return violations


def _service_violations(status):
    """Only a service ends because the work is done, and not before it is. The state of the app is that of its work."""
    replicas = [r for role in status["roles"] for r in role["replicas"]]
    work = [r for r in replicas if not r.get("service")]
    stopped = [r for r in replicas if r["reason"] == "work_done"]
    violations = [f"a replica that is not a service was stopped as one: {r}" for r in stopped if not r.get("service")]
    last = max(r["finished_at"] for r in work)
    violations += [f"a service was stopped before the work was done: {r}" for r in stopped if r["finished_at"] < last]
    if stopped and any(r["reason"] == "cancelled" for r in work):
        violations.append("services ended because the work was done, and the work because it was cancelled")
    if status["state"] == "SUCCEEDED" and any(r["reason"] == "cancelled" for r in replicas):
        violations.append("the app has succeeded with a cancelled replica")
    return violations


def _attempt_violations(attempt, ends, may_be_lost):
    state, reason, code, number = (attempt[k] for k in ("state", "reason", "exit_code", "signal"))
    what = f"{state} {reason} exit_code={code} signal={number} pid={attempt['pid']}"
    if reason not in LEGAL:
        return [f"illegal: {what}"]
    states, known = LEGAL[reason]
    violations = []
    if state not in states or (state == "SUCCEEDED") != (reason == "exit" and code == 0):
        violations.append(f"illegal: {what}")
    if (known == "exit" and code is None) or (known == "signal" and number is None) or \
            (known == "unknown" and (code is not None or number is not None)) or \
            (code is not None and number is not None):
        violations.append(f"the reason contradicts the exit status: {what}")
    if reason == "lost" and not may_be_lost:
        violations.append(f"lost, although the app always had a supervisor: {what}")
    own = ends.get(attempt["pid"])
    if code is not None and own != ("exit", code):
        violations.append(f"the exit code differs from the replica's own record, {own}: {what}")
    # A replica that ends by the supervisor's SIGTERM has another reason than `signal`.
    by_others = {KILL} if reason == "signal" else {KILL, TERMINATE}
    if number is not None and own is not None and own[0] == "signal" and own[1] != number and number not in by_others:
        violations.append(f"the signal differs from the replica's own record, {own}: {what}")
    if code is None and number is None and own is not None and not may_be_lost:
        violations.append(f"the status lacks the end {own}: {what}")
    return violations


def _start_violations(key, attempts, starts):
    recorded = Counter(attempt["pid"] for attempt in attempts if attempt["pid"])
    unrecorded = Counter(starts) - recorded
    if not unrecorded:
        return []
    return [f"{key}: started, but not recorded exactly once: {dict(unrecorded)}, recorded {dict(recorded)}"]


def journal_violations(path, kills):
    """Returns what is wrong in events.log: lines that are damaged or out of order, and supervisors that were replaced
    without a kill. `kills` is the number of kills of processes that write it; if it is 0, no line may be torn."""
    violations, last, replaced = [], 0, 0
    lines = path.read_bytes().split(b"\n")
    if lines[0] != b"slipway-events 2":
        return [f"events.log begins with {lines[0][:50]}"]
    if lines[-1] and not kills:
        violations.append(f"events.log: torn: {lines[-1][:100]}")
    for line in lines[1:-1]:
        checksum, _, rest = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(rest):
            if not kills:
                violations.append(f"events.log: damaged: {line[:100]}")
            continue
        sequence = int(rest.split(b" ")[0])
        if sequence < last:
            violations.append(f"events.log: {sequence} after {last}")
        last = sequence
        replaced += rest.endswith(b" supervisor replaced")
    if replaced > kills:
        violations.append(f"{replaced} supervisors were replaced, but {kills} killed")
    return violations
