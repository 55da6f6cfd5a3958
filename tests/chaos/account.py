"""Reads what the actors of a round recorded about themselves (actor.cpp), and compares the logs with it."""

import re
import struct
from collections import Counter, defaultdict

# A line of an actor, such as `<r0.3.1234.99887766 o 5 fffff>`: writer, stream (o or e), number, payload.
# The writer has no `<`, so a line does not begin in the fragment of another one.
LINE = re.compile(rb"<([^<\s]+) ([oe]) (\d+) ([a-z]*)>\n")


def line_of(writer, stream, number, width):
    """Returns what an actor with the argument `width` writes as this line."""
    payload = bytes([ord("a") + number % 26]) * (number * 37 % width if width else 0)
    return b"<%s %s %d %s>\n" % (writer, stream, number, payload)


def read_lines(path):
    return path.read_text().splitlines() if path.exists() else []


class Account:
    """The files in `directory`, the first argument of the actors."""

    def __init__(self, directory):
        self.directory = directory

    def overlapping_replicas(self):
        """Returns the replicas ROLE.K of which an attempt began while another was still running."""
        return read_lines(self.directory / "doubled")

    def any_replica_started(self):
        """Returns whether any replica was started."""
        return any(self.directory.glob("*.starts"))

    def starts(self, key):
        """Returns the pids of the replica ROLE.K, in the order of its attempts."""
        return [int(line) for line in read_lines(self.directory / f"{key}.starts")]

    def ends(self, key):
        """Returns {pid: ("exit" or "signal", number)} of the attempts that ended by themselves."""
        return {int(pid): (how, int(number))
                for pid, how, number in map(str.split, read_lines(self.directory / f"{key}.ends"))}

    def writers(self, key):
        """Returns {writer: {stream: (lines begun, lines finished)}}."""
        found = {}
        for path in self.directory.glob(f"writer.{key}.*"):
            record = path.read_bytes()
            if len(record) != 16:  # a kill came before the first line
                continue
            begun_out, begun_err, done_out, done_err = struct.unpack("4I", record)
            found[path.name.removeprefix("writer.").encode()] = {b"o": (begun_out, done_out),
                                                                 b"e": (begun_err, done_err)}
        return found

    def log_violations(self, key, log, width):
        """Returns what is wrong in a replica's three log files: lines that are lost, doubled or unknown, and bytes
        of no line. `log` is the directory of the files, `width` the value of the actor's argument of that name."""
        violations, complete, fragments = [], Counter(), b""
        writers = self.writers(key)
        for stream, name in ((b"o", "stdout"), (b"e", "stderr")):
            text = self._bytes_of(log / f"{name}.log")
            violations += self._stream_violations(stream, name, text, writers, width)
            complete.update(LINE.findall(text))
            fragments += LINE.sub(b"", text)
        text = self._bytes_of(log / "combined.log")
        combined = Counter(LINE.findall(text))
        for line in (complete - combined).elements():
            violations.append(f"combined.log lacks {line[:3]}")
        for line in (combined - complete).elements():
            violations.append(f"combined.log has {line[:3]} one time too many")
        rest = LINE.sub(b"", text)
        if sorted(rest) != sorted(fragments):
            violations.append(f"combined.log has cut lines {rest[:100]}, the streams have {fragments[:100]}")
        return violations

    @staticmethod
    def _bytes_of(path):
        return path.read_bytes() if path.exists() else b""

    def _stream_violations(self, stream, name, text, writers, width):
        violations, seen, unfinished = [], defaultdict(list), []
        for writer, line_stream, number, payload in LINE.findall(text):
            n = int(number)
            seen[writer].append(n)
            if line_stream != stream:
                violations.append(f"{name} has a line of the other stream: {writer} {n}")
            if line_of(writer, line_stream, n, width) != b"<%s %s %s %s>\n" % (writer, line_stream, number, payload):
                violations.append(f"{name}: the text of {writer} {n} differs from what it wrote")
        for writer, counts in writers.items():
            begun, done = counts[stream]
            numbers = seen.pop(writer, [])
            if numbers != list(range(len(numbers))):
                violations.append(f"{name}: lines of {writer} out of order or doubled: {numbers[:20]}")
            if not done <= len(numbers) <= begun:
                violations.append(f"{name}: {len(numbers)} lines of {writer}, which finished {done} and began {begun}")
            if len(numbers) < begun:
                unfinished.append(line_of(writer, stream, begun - 1, width))
        if seen:
            violations.append(f"{name} has lines of unknown writers {sorted(seen)}")
        # A SIGKILL that cuts a write short leaves the start of that line. Several lines may have the same short start.
        first, *fragments = LINE.sub(b"", text).split(b"<")
        for fragment in [first] * bool(first) + sorted((b"<" + each for each in fragments), key=len, reverse=True):
            line = next((each for each in unfinished if each.startswith(fragment)), None)
            if line is None:
                violations.append(f"{name} has bytes that no actor wrote: {fragment[:100]}")
            else:
                unfinished.remove(line)
        return violations
