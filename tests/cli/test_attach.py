"""`slipway attach` without a terminal: follows an app as `run` does, and signals leave the app alone."""

import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase


class Attach(SlipwayCase):
    def test_shows_the_logs_and_ends_with_the_apps_status(self):
        handle = self.detach(self.app(role("w", "echo replica ${replica_id}; exit 3", num_replicas=2)))
        self.run_slipway("wait", handle)
        result = self.expect(3, "attach", handle)
        self.assertEqual(result.stdout, "")
        self.assertLessEqual({"w/0 replica 0", "w/1 replica 1"}, set(result.stderr.splitlines()))
        self.assertNotIn("replica 0", self.expect(3, "attach", "--no-log", handle).stderr)

    def test_follows_an_app_to_its_end(self):
        gate = self.gate()
        handle = self.detach(self.app("echo before; read go < gate; echo after"))
        process = self.start("attach", handle)
        self.assertEqual(process.stderr.readline(), b"w/0 before\n")
        self.open_gate(gate)
        result = self.finish(process)
        self.assertEqual((result.status, result.stderr), (0, "w/0 after\n"), result)

    def test_signals_leave_the_app_alone(self):
        handle = self.detach(self.app("touch ready; sleep 1000"))
        self.file_appears("ready")
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            with self.subTest(number.name):
                process = self.start("attach", "--json", handle)
                self.eventually(lambda: self.is_interruptible(process), "the command waits")
                process.send_signal(number)
                result = self.finish(process)
                self.assertEqual(result.status, 130, result)
                self.assertEqual(result.json["status"]["state"], "RUNNING")
                self.assertIn(f"stopped waiting; {handle} still runs", result.stderr)
                self.assert_state(handle, "RUNNING")

    def test_app_still_runs_when_the_command_dies(self):
        gate = self.gate()
        handle = self.detach(self.app("echo before; read go < gate"))
        process = self.start("attach", handle)
        process.stderr.readline()
        process.kill()
        process.wait()
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)

    def test_an_unknown_app_is_not_found(self):
        self.expect_failure(66, "not_found", "attach", "local_cwd://slipway/none-1")

    @staticmethod
    def is_interruptible(process):
        """Returns whether the command catches SIGINT, or blocks it to read it from a descriptor."""
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            masks = dict(line.split(":\t") for line in status if line.startswith("Sig") and ":\t" in line)
        return any(int(masks[key], 16) & 1 << signal.SIGINT - 1 for key in ("SigBlk", "SigCgt"))


if __name__ == "__main__":
    unittest.main()
