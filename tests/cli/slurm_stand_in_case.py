"""A base class that puts the stand-in for Slurm's commands (slurm_stand_in.py) on the PATH of a SlipwayCase."""

import os
from pathlib import Path

from app_text import role

HERE = Path(__file__).parent
COMMANDS = ("sbatch", "scancel", "squeue", "sacct", "scontrol", "sinfo", "srun")


class SlurmStandIn:
    """Precedes SlipwayCase among the bases of a test class."""

    version = "24.11"  # of Slurm: the folder of slurm_answers whose answers the commands print

    def setUp(self):
        super().setUp()
        self.bin, self.stand_in = self.root / "bin", self.root / "stand_in"
        self.bin.mkdir()
        self.stand_in.mkdir()
        for command in COMMANDS:
            os.symlink(HERE / "slurm_stand_in.py", self.bin / command)
        self.env.update(PATH=f"{self.bin}:{os.environ['PATH']}", STAND_IN=str(self.stand_in), TZ="UTC",
                        STAND_IN_ANSWERS=str(HERE / "slurm_answers" / self.version))

    def look_like(self, recorded):
        """Gives the submitted job the answers of the recorded job with this id; with "", Slurm has forgotten it."""
        (self.stand_in / "like").write_text(recorded, encoding="utf-8")

    def calls(self, command):
        """Returns the lines of the calls of this command, such as "scancel 42"."""
        lines = (self.stand_in / "calls").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.split()[0] == command]

    def submit(self, script="true", **fields):
        """Submits an app of the role `w`. Returns its handle."""
        self.app(role("w", script, **fields), name="mine")
        handle = self.ok("run", "-d", "-s", "slurm", "app.toml").stdout.strip()
        self.assertEqual(handle, "slurm://slipway/42")
        return handle
