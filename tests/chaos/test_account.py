"""Tests the account: which bytes in the logs of a replica it reports."""

import struct
import tempfile
import unittest
from pathlib import Path

from account import Account, line_of

WIDTH = 20
FIRST, SECOND = b"r0.0.1.111", b"r0.0.22.222"


def lines(writer, stream, count):
    return b"".join(line_of(writer, stream, number, WIDTH) for number in range(count))


class LogViolations(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        # A kill cut the third line of the first writer on stdout.
        self.record(FIRST, begun=(3, 1), done=(2, 1))
        self.record(SECOND, begun=(2, 0), done=(2, 0))

    def record(self, writer, begun, done):
        (self.directory / f"writer.{writer.decode()}").write_bytes(struct.pack("4I", *begun, *done))

    def violations(self, out, err=lines(FIRST, b"e", 1), combined=None):
        combined = out + err if combined is None else combined
        for name, text in (("stdout", out), ("stderr", err), ("combined", combined)):
            (self.directory / f"{name}.log").write_bytes(text)
        return Account(self.directory).log_violations("r0.0", self.directory, WIDTH)

    def test_a_write_may_be_cut_anywhere(self):
        cut = line_of(FIRST, b"o", 2, WIDTH)
        for length in range(len(cut) + 1):
            with self.subTest(length=length):
                out = lines(FIRST, b"o", 2) + cut[:length] + lines(SECOND, b"o", 2)
                self.assertEqual(self.violations(out), [])

    def test_lost_and_doubled_lines_are_violations(self):
        out = lines(FIRST, b"o", 2) + lines(SECOND, b"o", 2)
        self.assertEqual(self.violations(out), [])
        self.assertNotEqual(self.violations(lines(FIRST, b"o", 2) + lines(SECOND, b"o", 1)), [])
        self.assertNotEqual(self.violations(out + line_of(SECOND, b"o", 1, WIDTH)), [])
        self.assertNotEqual(self.violations(out, combined=out), [])

    def test_bytes_that_no_actor_wrote_are_violations(self):
        out = lines(FIRST, b"o", 2) + lines(SECOND, b"o", 2)
        for foreign in (b"\0", b"x", b"<x", b"<r0.0.3", b"<r0.0.1.111 o 2 <r0.0.1", b"<r0.0.22"):
            with self.subTest(foreign=foreign):
                self.assertNotEqual(self.violations(foreign + out), [])
                self.assertNotEqual(self.violations(out + foreign), [])
                self.assertNotEqual(self.violations(out, combined=out + lines(FIRST, b"e", 1) + foreign), [])


if __name__ == "__main__":
    unittest.main()
