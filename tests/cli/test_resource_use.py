"""What replicas have used: CPU time and memory of each attempt, and of the app, in `status`."""

import os
import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase

# A Python program that uses as much CPU time and memory as its arguments say, in seconds and MiB.
SPEND = """import sys, time
seconds, mebibytes = float(sys.argv[1]), int(sys.argv[2])
held = bytearray(b"x") * (mebibytes << 20)
while time.process_time() < seconds: pass
"""
MEBIBYTE = 1 << 20


class ResourceUse(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.write("spend.py", SPEND)

    def replica(self, handle):
        return self.replicas_of(handle)["w/0"]

    def test_status_shows_what_a_replica_used_and_the_sum_of_the_app(self):
        handle = self.detach(self.app(role("w", "python3 spend.py 0.3 100"), role("v", "python3 spend.py 0.2 1")))
        self.ok("wait", handle)
        big, small = (self.replicas_of(handle)[name] for name in ("w/0", "v/0"))
        self.assertGreaterEqual(big["cpu_seconds"], 0.3)
        self.assertGreaterEqual(small["cpu_seconds"], 0.2)
        self.assertGreaterEqual(big["max_rss_bytes"], 100 * MEBIBYTE)
        self.assertLess(small["max_rss_bytes"], 100 * MEBIBYTE)
        app = self.ok("status", "--json", handle).json
        self.assertAlmostEqual(app["cpu_seconds"], big["cpu_seconds"] + small["cpu_seconds"], places=6)
        self.assertEqual(app["max_rss_bytes"], big["max_rss_bytes"])
        self.assertRegex(self.ok("status", handle).stdout,
                         r"(?m)^  used: +\d+\.\d s CPU, 1\d\d MiB in the largest replica$")

    def test_text_has_the_values_also_if_replicas_share_a_line(self):
        script = "test ${replica_id} != 4 || exit 3"
        handle = self.detach(self.app(role("w", script, num_replicas=9), role("v", "true")))
        self.run_slipway("wait", handle)
        text = self.ok("status", handle).stdout
        self.assertRegex(text, r"(?m)^  used: +\d+\.\d s CPU, \d+ MiB in the largest replica$")
        self.assertRegex(text, r"(?m)^    4     FAILED  exit 3  after \d+\.\d s  \d+\.\d s CPU, \d+ MiB$")

    def test_each_attempt_has_its_own_resource_use(self):
        app = self.app(role("w", "test -e again && exec python3 spend.py 0 1; touch again; "
                                 "python3 spend.py 0.2 100; exit 3", max_retries=1))
        handle = self.detach(app)
        self.ok("wait", handle)
        first, second = self.replica(handle)["attempts"]
        self.assertGreaterEqual(first["max_rss_bytes"], 100 * MEBIBYTE)
        self.assertLess(second["max_rss_bytes"], 100 * MEBIBYTE)
        self.assertGreaterEqual(first["cpu_seconds"], 0.2)
        status = self.ok("status", "--json", handle).json
        self.assertAlmostEqual(status["cpu_seconds"], first["cpu_seconds"] + second["cpu_seconds"], places=6)
        self.assertEqual(status["max_rss_bytes"], first["max_rss_bytes"])

    def test_replica_that_has_not_ended_has_no_resource_use(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate")))
        self.eventually(lambda: self.replica(handle)["state"] == "RUNNING", "the replica runs")
        self.assertIsNone(self.replica(handle)["cpu_seconds"])
        self.assertIsNone(self.replica(handle)["max_rss_bytes"])
        self.assertNotIn("CPU", self.ok("status", handle).stdout)
        self.open_gate(gate, 1)
        self.run_slipway("wait", handle)

    def test_replica_whose_supervisor_was_killed_has_its_resource_use(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate; exec python3 spend.py 0.2 100")))
        self.eventually(lambda: self.replica(handle)["state"] == "RUNNING", "the replica runs")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        self.open_gate(gate, 1)
        self.ok("wait", handle)
        self.assertGreaterEqual(self.replica(handle)["cpu_seconds"], 0.2)
        self.assertGreaterEqual(self.replica(handle)["max_rss_bytes"], 100 * MEBIBYTE)

    def test_resource_use_survives_the_loss_of_the_state_file(self):
        handle = self.detach(self.app(role("w", "exec python3 spend.py 0.2 100")))
        self.run_slipway("wait", handle)
        before = self.replica(handle)
        (self.app_dir(handle) / "state.bin").write_bytes(b"")
        self.assertEqual(self.replica(handle), before)


if __name__ == "__main__":
    unittest.main()
