"""The run options log_max_mb and log_keep: the parts of a long log that are kept, and reading them."""

import os
import unittest

from slipway_case import SlipwayCase

MIB = 1024 * 1024
LINE_BYTES = 100


def script(lines):
    """Returns a command that writes the numbers 1 to `lines`, each in a line of LINE_BYTES."""
    return f"awk 'BEGIN{{for(i=1;i<={lines};i++) printf \"%0{LINE_BYTES - 1}d\\n\", i}}'"


class LogLimits(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.buffer = bytearray()  # what read_line() has read beyond the line that it returned

    def check_kept(self, out, last, keep):
        """Checks that the output is the numbers up to `last` without a gap, and has the bytes that log_max_mb=1 and
        log_keep=`keep` promise."""
        self.assertNotIn(b"\0", out)
        numbers = [int(line) for line in out.split()]
        self.assertEqual(numbers, list(range(last - len(numbers) + 1, last + 1)))
        self.assertGreaterEqual(len(out), keep * MIB)
        self.assertLessEqual(len(out), (keep + 1) * MIB)

    def test_keeps_full_pieces_and_the_current_one(self):
        lines = 10 * MIB // LINE_BYTES
        for keep in (1, 3):
            with self.subTest(keep=keep):
                app = self.app(script(lines))
                handle = self.ok("run", "-q", "--no-log", "-c", f"log_max_mb=1,log_keep={keep}", app).stdout.strip()
                for arguments in ([], ["--stream", "stdout"], ["-f"]):
                    self.check_kept(self.ok("log", *arguments, handle).out, lines, keep)
                self.assertEqual(self.ok("log", "--tail", "2", handle).lines,
                                 [str(n).zfill(LINE_BYTES - 1) for n in (lines - 1, lines)])
                for name in ("stdout.log", "combined.log"):
                    info = os.stat(self.app_dir(handle) / "logs" / "w" / "0" / name)
                    self.assertEqual(info.st_size, lines * LINE_BYTES)
                    # The file system may keep a part of the MiB that was freed last.
                    self.assertLessEqual(info.st_blocks * 512, (keep + 2) * MIB)
                # The app's message would say that the file system cannot free blocks.
                self.assertFalse(self.status_of(handle)["msg"])

    def test_without_a_limit_everything_is_kept(self):
        lines = 3 * MIB // LINE_BYTES
        handle = self.ok("run", "-q", "--no-log", self.app(script(lines))).stdout.strip()
        self.assertEqual(len(self.ok("log", handle).out), lines * LINE_BYTES)

    def test_a_follower_that_keeps_up_sees_every_line(self):
        gate = self.gate()
        # The lines of one round have half a MiB. The newest MiB is always kept.
        lines = MIB // 2 // LINE_BYTES
        rounds = 12
        step = (f"read go; awk -v from=$from "
                f"'BEGIN{{for(i=1;i<={lines};i++) printf \"%0{LINE_BYTES - 1}d\\n\", from+i}}'")
        app = self.app(f"exec < gate; from=0; while [ $from -lt {lines * rounds} ]; do {step}; "
                       f"from=$((from+{lines})); done")
        handle = self.detach(app, "-c", "log_max_mb=1")
        follower = self.start("log", "-f", handle)
        for turn in range(rounds):
            self.open_gate(gate)
            for number in range(lines * turn + 1, lines * (turn + 1) + 1):
                line = self.read_line(follower)
                if line != str(number).zfill(LINE_BYTES - 1).encode() + b"\n":
                    self.fail(f"{line!r} instead of {number}")
        self.assertEqual(bytes(self.buffer) + self.finish(follower).out, b"")
        self.check_kept(self.ok("log", handle).out, lines * rounds, 1)

    def read_line(self, process):
        """Returns the next line on standard output. Reads many bytes at once, because single bytes take minutes."""
        while b"\n" not in self.buffer:
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                return bytes(self.buffer)
            self.buffer += piece
        end = self.buffer.index(b"\n") + 1
        line = bytes(self.buffer[:end])
        del self.buffer[:end]
        return line

    def test_values_out_of_range_are_refused(self):
        for option in ("log_max_mb=-1", "log_max_mb=9999999", "log_keep=0", "log_keep=1001", "log_max_mb=1.5"):
            with self.subTest(option=option):
                error = self.expect_failure(65, "invalid", "dryrun", "-c", option, self.app("true"))
                self.assertIn(option.partition("=")[0], error["message"])


if __name__ == "__main__":
    unittest.main()
