"""Extreme sizes: lines of any length, names of 255 bytes, thousands of replicas.

SLIPWAY_TEST_LINE_MB gives a smaller size, for slow builds; SLIPWAY_TEST_REPLICAS another number of replicas."""

import hashlib
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from app_text import role
from slipway_case import LIMIT_S, SANITIZED, SLIPWAY, SlipwayCase

LINE_MB = int(os.environ.get("SLIPWAY_TEST_LINE_MB", "1024"))
# The size of a line that a test reads four times, so it is smaller. Where memory is measured, it still exceeds MOST_KB.
READ_MB = min(LINE_MB, 48)
# The most memory, in KiB, that a command, a supervisor or a warden may take. The lines are larger.
MOST_KB = 24 * 1024
REPLICAS = int(os.environ.get("SLIPWAY_TEST_REPLICAS", "2000"))


class Extremes(SlipwayCase):
    def peak_kb(self, pid):
        """Returns the peak memory of a process in KiB."""
        text = Path(f"/proc/{pid}/status").read_text()
        return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmHWM:")))

    def read_some(self, process, size):
        """Returns output of a process, which must not end yet."""
        data = os.read(process.stdout.fileno(), size)
        self.assertNotEqual(data, b"", "the command has ended too early")
        return data

    def helpers_peak_kb(self):
        """Returns the peak memory of the supervisor or the warden, whichever is larger, in KiB."""
        return max(self.peak_kb(pid) for pid, line in self.processes().items() if "/libexec/slipway/" in line)

    def assert_little_memory(self, kb):
        if not SANITIZED:  # a sanitizer keeps freed memory
            self.assertLess(kb, MOST_KB)

    def test_a_line_of_any_length_is_kept_whole_and_not_in_memory(self):
        gate = self.gate()
        app = self.app(f"head -c {LINE_MB << 20} /dev/zero | tr '\\0' x; echo; touch written; read go < gate; echo end")
        handle = self.detach(app)
        self.file_appears("written")
        merged = self.app_dir(handle) / "logs" / "w" / "0" / "combined.log"
        self.eventually(lambda: merged.stat().st_size > LINE_MB << 20, "the line is merged")
        memory = self.helpers_peak_kb()
        self.open_gate(gate)
        self.expect(0, "wait", handle, timeout=10 * LIMIT_S)
        expected = hashlib.sha256()
        for _ in range(LINE_MB):
            expected.update(b"x" * (1 << 20))
        expected.update(b"\nend\n")
        for stream in ("stdout", "combined"):
            shown = subprocess.Popen([SLIPWAY, "log", "--stream", stream, handle], env=self.env, cwd=self.cwd,
                                     stdout=subprocess.PIPE)
            self.started.append(shown)
            digest = hashlib.file_digest(shown.stdout, "sha256").hexdigest()
            self.assertEqual((shown.wait(LIMIT_S), digest), (0, expected.hexdigest()), stream)
        self.assert_little_memory(memory)

    def test_reading_a_line_of_any_length_takes_no_memory_for_it(self):
        gate = self.gate()
        app = self.app(f"head -c {READ_MB << 20} /dev/zero | tr '\\0' x; echo; echo marker; touch written; "
                       "read go < gate")
        handle = self.detach(app)
        self.file_appears("written")
        log = self.app_dir(handle) / "logs" / "w" / "0" / "combined.log"
        self.eventually(lambda: log.stat().st_size >= (READ_MB << 20) + len("\nmarker\n"), "the line is merged")
        for options in ([], ["-f"], ["-f", "--regex", "marker"], ["-f", "--regex", "x+y|marker"]):
            with self.subTest(options=options):
                shown = self.start("log", *options, handle)
                if options:
                    # The follower still runs after it has printed everything.
                    end = b""
                    while not end.endswith(b"marker\n"):
                        end = (end + self.read_some(shown, 1 << 20))[-16:]
                else:
                    # The rest exceeds the pipe, so the command still runs.
                    left = (READ_MB - 1) << 20
                    while left > 0:
                        left -= len(self.read_some(shown, min(left, 1 << 20)))
                self.assert_little_memory(self.peak_kb(shown.pid))
                shown.kill()
                self.finish(shown)
        self.open_gate(gate)
        self.ok("wait", handle)

    def test_a_role_name_may_have_255_bytes_of_any_script(self):
        name = "é" * 127 + "x"
        self.assertEqual(len(name.encode()), 255)
        handle = self.ok("run", "-q", "--no-log", self.app(role(name, "echo here; exit 0"))).stdout.strip()
        self.assertEqual(list(self.replicas_of(handle)), [f"{name}/0"])
        self.assertEqual(self.ok("log", f"{handle}/{name}/0").lines, ["here"])
        self.assertIn(name, self.ok("status", handle).stdout)
        error = self.expect_failure(65, None, "run", self.app(role(name + "x", "exit 0")))
        self.assertNotEqual(error["message"], "")

    def test_thousands_of_replicas_run_at_once_and_all_end(self):
        app = self.app(role("w", num_replicas=REPLICAS, entrypoint="sleep", args=["1000"]))
        handle = self.ok("run", "-d", app, timeout=10 * LIMIT_S).stdout.strip()
        deadline = time.monotonic() + 3 * LIMIT_S
        while [r["state"] for r in self.replicas_of(handle).values()] != ["RUNNING"] * REPLICAS:
            self.assertLess(time.monotonic(), deadline, "not all replicas run")
            self.run_slipway("wait", "--timeout", "6", handle)  # the app does not end, so this takes six seconds
        helpers = self.helpers(handle)
        # No helper has a descriptor for each replica.
        self.assertLessEqual(max(len(os.listdir(f"/proc/{pid}/fd")) for pid in helpers), 32)
        os.kill(helpers[1], signal.SIGKILL)  # the supervisor
        self.ok("cancel", "--now", handle, timeout=10 * LIMIT_S)
        ends = {(r["state"], r["exit_code"], r["signal"], r["restarts"]) for r in self.replicas_of(handle).values()}
        self.assertEqual(ends, {("CANCELLED", None, 9, 0)})
        self.assert_nothing_lives()


if __name__ == "__main__":
    unittest.main()
