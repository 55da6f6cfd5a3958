"""Lines that do not end: each step of a progress bar is shown at once."""

import json
import os
import pty
import select
import time
import unittest

from app_text import role
from slipway_case import LIMIT_S, SlipwayCase

# Shows 10 % and 20 % and waits for the gate after each, then shows 100 % and ends the line.
BAR = r"printf '\r10%%' >&2; read go < gate; printf '\r20%%' >&2; read go < gate; printf '\r100%%\n' >&2"


class ProgressBars(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.go = self.gate()
        self.seen = b""

    def await_text(self, fd, text):
        """Waits until `text` arrives after the texts of earlier calls."""
        end = time.monotonic() + LIMIT_S
        while text not in self.seen:
            self.assertTrue(select.select([fd], [], [], max(0, end - time.monotonic()))[0],
                            f"{text} did not come, but {self.seen}")
            self.seen += os.read(fd, 65536)
        self.seen = self.seen.partition(text)[2]

    def test_a_pipe_gets_each_step_at_once_with_a_prefix(self):
        process = self.start("run", self.app(role("w", BAR)))
        err = process.stderr.fileno()
        self.await_text(err, b"\rw/0 10%")
        self.open_gate(self.go)
        self.await_text(err, b"\rw/0 20%")
        self.open_gate(self.go)
        self.await_text(err, b"\rw/0 100%\n")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_log_f_and_combined_log_have_each_step_at_once(self):
        handle = self.detach(self.app(role("w", BAR)))
        process = self.start("log", "-f", handle)
        out = process.stdout.fileno()
        self.await_text(out, b"\r10%")
        combined = next(self.app_dir(handle).rglob("combined.log"))
        self.assertEqual(combined.read_bytes(), b"\r10%")
        self.open_gate(self.go)
        self.await_text(out, b"\r20%")
        self.assertEqual(combined.read_bytes(), b"\r10%\r20%")
        self.open_gate(self.go)
        self.await_text(out, b"\r100%\n")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assertEqual(self.ok("log", handle).out, b"\r10%\r20%\r100%\n")

    def test_a_stream_has_each_step_without_combined_logs(self):
        handle = self.detach(self.app(role("w", BAR)), "-c", "log_combined=false")
        process = self.start("log", "-f", "--stream", "stderr", handle)
        self.await_text(process.stdout.fileno(), b"\r10%")
        self.open_gate(self.go, 2)
        self.await_text(process.stdout.fileno(), b"100%\n")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_json_and_patterns_get_the_whole_line(self):
        handle = self.detach(self.app(role("w", BAR)))
        self.open_gate(self.go, 2)
        rows = self.ok("log", "-f", "--json", handle).lines
        self.assertEqual([json.loads(row)["line"] for row in rows], ["\r10%\r20%\r100%"])
        self.assertEqual(self.ok("log", "-f", "--regex", "100", handle).out, b"\r10%\r20%\r100%\n")

    def test_a_terminal_shows_only_the_newest_step_and_whole_lines_above_it(self):
        app = self.app(role("w", f"[ ${{replica_id}} = 1 ] && {{ read go < second; echo a line; exit; }}; {BAR}",
                            num_replicas=2))
        second = self.gate("second")
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("run", app, stdin=slave, stdout=slave, stderr=slave,
                             env={**self.env, "TERM": "xterm", "NO_COLOR": "1"}, start_new_session=True)
        os.close(slave)
        shown = b"\x1b[?7l%s\x1b[0m\x1b[?7h"  # without line wrap, then with the usual attributes and line wrap again
        self.await_text(master, shown % b"w/0 10%")
        self.open_gate(second)
        self.await_text(master, b"\r\x1b[Kw/1 a line\r\n" + shown % b"w/0 10%")
        self.open_gate(self.go)
        self.await_text(master, b"\r\x1b[K" + shown % b"w/0 20%")
        self.open_gate(self.go)
        self.await_text(master, b"\r\x1b[Kw/0 100%\r\n")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_a_terminal_without_escape_sequences_gets_what_a_pipe_gets(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("run", self.app(role("w", BAR)), stdin=slave, stdout=slave, stderr=slave,
                             env={**self.env, "TERM": "dumb", "NO_COLOR": "1"}, start_new_session=True)
        os.close(slave)
        self.await_text(master, b"\rw/0 10%")
        self.open_gate(self.go, 2)
        self.await_text(master, b"100%\r\n")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_a_message_after_a_bar_begins_a_line_of_its_own(self):
        process = self.start("run", self.app(role("w", BAR)))
        self.await_text(process.stderr.fileno(), b"\rw/0 10%")
        process.terminate()
        self.assertEqual((self.seen + process.stderr.read()).split(b"slipway: ", 1)[0], b"\n")


if __name__ == "__main__":
    unittest.main()
