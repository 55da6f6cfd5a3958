"""A full log disk: the writes of replicas fail, or wait with log_pipes, and the status has a message."""

import os
import shutil
import unittest

from slipway_case import SlipwayCase


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "needs root, to mount a small file system")
class LogDiskFull(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.disk = self.mount("-t", "tmpfs", "-o", "size=1m", "slipway-test", self.root / "disk")

    def await_disk_message(self, handle):
        self.eventually(lambda: "No space left" in (self.status_of(handle)["msg"] or ""),
                        "the message reports the full disk")

    def test_no_process_dies_and_the_status_has_the_message(self):
        gate = self.gate()
        app = self.app("yes 0123456789 | head -c 3000000; touch written; read go < gate")
        handle = self.detach(app, "-c", f"log_dir={self.disk}/logs")
        self.file_appears("written")
        self.await_disk_message(handle)
        document = self.status_of(handle)
        self.assertEqual(document["state"], "RUNNING")
        self.assertIn("combined.log", document["msg"])
        self.assertEqual(self.replicas_of(handle)["w/0"]["state"], "RUNNING")
        # All lines but the last, which may be cut, are complete and readable.
        stdout = self.ok("log", "--stream", "stdout", handle).lines
        self.assertEqual(set(stdout[:-1]), {"0123456789"})
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.status_of(handle)["state"], "SUCCEEDED")
        self.assertIn("No space left", self.ok("status", handle).stdout)

    def fill_disk(self):
        """Fills the disk. Returns the file whose removal makes room again."""
        ballast = self.disk / "ballast"
        with ballast.open("wb", buffering=0) as file:
            with self.assertRaises(OSError):
                while True:
                    file.write(b"x" * 4096)
        return ballast

    def test_failed_write_is_not_treated_as_a_truncation(self):
        """A failed write changes the time of the file, but not its size."""
        gate = self.gate()
        # These lines fill one page, so that the next byte needs room on the disk.
        app = self.app("exec < gate; yes 1234567 | head -n 512 >&2; read go; echo more >&2; touch tried; read go")
        handle = self.detach(app, "-c", f"log_dir={self.disk}/logs")
        self.eventually(lambda: len(self.ok("log", handle).out) == 4096, "the lines are in the log")
        self.fill_disk()
        self.open_gate(gate)
        self.file_appears("tried")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(len(self.ok("log", handle).out), 4096)
        self.assertNotIn("truncated", self.status_of(handle)["msg"] or "")

    def test_with_pipes_the_replica_waits_for_room(self):
        gate = self.gate()
        app = self.app("exec < gate; echo start; read go; seq 1 60000; echo end")
        handle = self.detach(app, "-c", f"log_dir={self.disk}/logs", "-c", "log_pipes=true,log_times=false")
        self.eventually(lambda: self.ok("log", handle).lines == ["start"], "the first line is in the log")
        ballast = self.fill_disk()
        self.open_gate(gate)
        self.await_disk_message(handle)
        self.assert_state(handle, "RUNNING")
        ballast.unlink()
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).lines, ["start", *map(str, range(1, 60001)), "end"])

    def test_logs_continue_when_the_disk_has_room_again(self):
        gate = self.gate()
        # After these lines, combined.log ends at the end of a page, but the last page of stdout.log has room: so on the
        # full disk a line fits into stdout.log, but not into combined.log.
        app = self.app("exec < gate; yes 123456789 | head -n 400; yes 12345678901 | head -n 8 >&2; "
                       "read go; echo end; read go; echo again")
        handle = self.detach(app, "-c", f"log_dir={self.disk}/logs")
        self.eventually(lambda: len(self.ok("log", handle).out) == 4096, "the lines of both streams are in the log")
        ballast = self.fill_disk()
        self.open_gate(gate)
        self.await_disk_message(handle)
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).lines[-1], "end")
        self.assertEqual(len(self.ok("log", handle).out), 4096)
        ballast.unlink()
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).lines[-2:], ["end", "again"])
        self.assertEqual(len(self.ok("log", handle).lines), 410)


if __name__ == "__main__":
    unittest.main()
