"""What the actors of a round say of themselves (actor.cpp), for comparison with what the scheduler says."""

import re
import struct
from collections import Counter, defaultdict

LINE = re.compile(rb"<(\S+) ([oe]) (\d+) ([a-z]*)>\n")


def lines_of(path):
    return path.read_text().splitlines() if path.exists() else []


class Account:
    def __init__(self, directory):
        self.directory = directory

    def doubled(self):
        return lines_of(self.directory / "doubled")

    def started(self):
        """Whether any replica was started at all."""
        return any(self.directory.glob("*.starts"))

    def starts(self, key):
        """Pids of the replica ROLE.K, in the order of its attempts."""
        return [int(line) for line in lines_of(self.directory / f"{key}.starts")]

    def ends(self, key):
        """pid: (exit or signal, number), of those that came to an end of their own making."""
        return {int(pid): (how, int(number))
                for pid, how, number in map(str.split, lines_of(self.directory / f"{key}.ends"))}

    def writers(self, key):
        """writer: {stream: (lines begun, lines done)}."""
        found = {}
        for path in self.directory.glob(f"writer.{key}.*"):
            record = path.read_bytes()
            if len(record) != 16:  # killed before its first line
                continue
            begun_out, begun_err, done_out, done_err = struct.unpack("4I", record)
            found[path.name.removeprefix("writer.").encode()] = {b"o": (begun_out, done_out),
                                                                 b"e": (begun_err, done_err)}
        return found

    def log_faults(self, key, log, width):
        """What is wrong with a replica's three log files: nothing lost, nothing doubled, nothing else."""
        faults, complete = [], Counter()
        writers = self.writers(key)
        for stream, name in ((b"o", "stdout"), (b"e", "stderr")):
            text = self._text(log / f"{name}.log")
            faults += self._stream_faults(stream, name, text, writers, width)
            complete.update(LINE.findall(text))
        combined = Counter(LINE.findall(self._text(log / "combined.log")))
        for line in (complete - combined).elements():
            faults.append(f"combined.log lacks {line[:3]}")
        for line in (combined - complete).elements():
            faults.append(f"combined.log has {line[:3]} once too often")
        return faults

    @staticmethod
    def _text(path):
        return path.read_bytes() if path.exists() else b""

    def _stream_faults(self, stream, name, text, writers, width):
        faults, seen = [], defaultdict(list)
        for writer, of, number, payload in LINE.findall(text):
            n = int(number)
            seen[writer].append(n)
            if of != stream:
                faults.append(f"{name} has a line of the other stream: {writer} {n}")
            if payload != bytes([ord("a") + n % 26]) * (n * 37 % width if width else 0):
                faults.append(f"{name}: the text of {writer} {n} is not what was written")
        for writer, counts in writers.items():
            begun, done = counts[stream]
            numbers = seen.pop(writer, [])
            if numbers != list(range(len(numbers))):
                faults.append(f"{name}: lines of {writer} out of order or doubled: {numbers[:20]}")
            if not done <= len(numbers) <= begun:
                faults.append(f"{name}: {len(numbers)} lines of {writer}, which wrote {done} and had begun {begun}")
        if seen:
            faults.append(f"{name} has lines of unknown writers {sorted(seen)}")
        # A write that a SIGKILL cut short leaves a piece of one line per writer, and nothing more.
        rest = LINE.sub(b"", text)
        if rest.count(b"<") > len(writers) or (rest and not rest.startswith(b"<")):
            faults.append(f"{name} has bytes that nobody wrote: {rest[:100]}")
        return faults
