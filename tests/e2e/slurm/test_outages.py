"""The scheduler `slurm` while the controller is away."""

import signal
import unittest

from outage_case import OutageCase, is_warning
from slurm_case import LIMIT, why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class Outages(OutageCase):
    def test_waiting_commands_continue_while_the_controller_is_away_and_others_end(self):
        self.check_an_outage(self.controller_away)

    def test_a_controller_that_is_killed_loses_no_running_app(self):
        one, gate = self.gated("killed", "done")
        self.app(one)
        handle = self.submit()
        self.until_started(handle)
        waiter = self.start("wait", handle)
        self.cluster.save_job(self.job(handle))
        with self.controller_away(by=signal.SIGKILL):
            self.until_line(waiter.stderr, is_warning)
            listed = self.slipway("list", "-s", "slurm")
            self.assertIn(handle, listed.stdout)
            self.assertIn("apps are listed by their records", listed.stderr)
        self.assertEqual(self.status(handle)["state"], "RUNNING")
        gate.touch()
        self.assertEqual(waiter.wait(LIMIT), 0)
        self.assertEqual(self.slipway("log", "--no-prefix", handle).stdout, "one\ndone\n")


if __name__ == "__main__":
    unittest.main()
