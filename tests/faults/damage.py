"""Damages to the files of a record, to its run record and to the index of finished apps."""

import os
import random
from dataclasses import dataclass

# Sizes of the formats' magic numbers, headers, entries and pages. A file is cut at and beside each of them.
# test_damage.py compares them with the structs.
BORDERS = (0, 1, 8, 32, 72, 104, 136, 152, 512, 1280, 4096)

# `zero` and `noise` damage one place of each block of this many bytes.
BLOCK = 64


@dataclass(frozen=True)
class Damage:
    """One damage to one file. `file` is a name in the app's directory, `.finished` (the index of finished apps), or
    `run_record` (the file of the app in `runs`).

    `kind` is the kind of record: finished, running or orphaned. `act` is `cut` (to at most `at` bytes), `flip` (bit
    `at` of the file), `zero` (64 bytes from `at` on), `noise` (7 bytes from `at` on) or `gone`."""
    kind: str
    file: str
    act: str
    at: int

    def __str__(self):
        return f"damage:{self.kind}:{self.file}:{self.act}:{self.at}"

    @staticmethod
    def parse(text):
        _, kind, file, act, at = text.split(":")
        return Damage(kind, file, act, int(at))

    def apply(self, path):
        """Changes the file in place, as a failing disk would. Processes that have mapped the file see the change."""
        if self.act == "gone":
            path.unlink()
            return
        with open(path, "r+b") as file:
            if self.act == "cut":
                file.truncate(min(self.at, os.fstat(file.fileno()).st_size))
                return
            offset = self.at // 8 if self.act == "flip" else self.at
            file.seek(offset)
            old = file.read({"flip": 1, "zero": BLOCK, "noise": 7}[self.act])
            if not old:
                return  # this trial's file is shorter than the sample, for example because its pids have fewer digits
            if self.act == "flip":
                new = bytes([old[0] ^ 1 << self.at % 8])
            elif self.act == "zero":
                new = bytes(len(old))
            else:
                new = random.Random(self.at).randbytes(len(old))
            file.seek(offset)
            file.write(new)


def damages_of(kind, name, path, rng):
    """Returns every kind of damage to one file. Flips change one bit of each byte, or of the first byte of a block of
    zeros; `rng` chooses the bit."""
    content = path.read_bytes()
    size = len(content)
    flips = [at for at in range(size) if at % BLOCK == 0 or any(content[at - at % BLOCK:][:BLOCK])]
    cuts = {at for border in BORDERS for at in (border - 1, border, border + 1)}
    cuts |= {at for at in (size // 2, size - 64, size - 32, size - 2, size - 1)}
    out = [Damage(kind, name, "gone", 0)]
    out += [Damage(kind, name, "cut", at) for at in sorted(cuts) if 0 <= at < size]
    out += [Damage(kind, name, "flip", 8 * at + rng.randrange(8)) for at in flips]
    out += [Damage(kind, name, act, at) for act in ("zero", "noise") for at in range(0, size, BLOCK)
            if act == "noise" or any(content[at:at + BLOCK])]
    return out
