"""The scheduler `slurm` while the controller accepts connections and answers none."""

import unittest

from outage_case import OutageCase
from slurm_case import why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class HungController(OutageCase):
    def test_waiting_commands_continue_while_the_controller_hangs_and_others_end(self):
        self.check_an_outage(self.controller_hung)


if __name__ == "__main__":
    unittest.main()
