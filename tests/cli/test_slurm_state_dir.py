"""`state_dir` in [scheduler.slurm]: the directory of the records of jobs."""

import unittest

from slipway_case import SlipwayCase
from slurm_stand_in_case import SlurmStandIn


class SlurmStateDirectory(SlurmStandIn, SlipwayCase):
    def configure(self, state_dir):
        """Writes the user's configuration with this value of state_dir."""
        (self.config / "slipway").mkdir(exist_ok=True)
        (self.config / "slipway" / "config.toml").write_text(f"[scheduler.slurm]\nstate_dir = \"{state_dir}\"\n")

    def test_records_of_jobs_lie_in_the_directory_and_every_command_finds_them(self):
        self.configure("$HOME/shared/records")
        handle = self.submit()
        place = self.root / "shared" / "records" / "slurm"
        (record,) = place.rglob("job.json")
        self.assertEqual(record.parents[2], place)
        self.assertEqual(list(self.state.rglob("job.json")), [])
        self.assertIn(str(place), self.ok("run", "-n", "-s", "slurm", "app.toml").stdout)
        self.assertEqual(self.status_of(handle)["name"], "mine")
        self.assertIn(handle, self.ok("list", "-s", "slurm").stdout)
        self.look_like("105")  # it has failed
        self.run_slipway("wait", handle)
        self.ok("delete", handle)
        self.assertFalse(record.exists())

    def test_commands_with_another_directory_do_not_find_the_app(self):
        self.configure("$HOME/shared/records")
        handle = self.submit()
        self.look_like("")
        self.configure("$HOME/elsewhere")
        self.expect_failure(66, None, "status", handle)


if __name__ == "__main__":
    unittest.main()
