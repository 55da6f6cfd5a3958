"""The part of a SlipwayCase that puts a stand-in of Slurm's commands on PATH (slurm_stand_in.py)."""

import os
from pathlib import Path

from app_text import role

HERE = Path(__file__).parent
COMMANDS = ("sbatch", "scancel", "squeue", "sacct", "scontrol", "sinfo", "srun")


class SlurmStandIn:
    """`version` names the folder of answers."""

    version = "24.11"

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
        """Gives the submitted job the answers of a recorded one; with "", Slurm has forgotten it."""
        (self.stand_in / "like").write_text(recorded, encoding="utf-8")

    def calls(self, command):
        lines = (self.stand_in / "calls").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.split()[0] == command]

    def submit(self, script="true", **fields):
        self.app(role("w", script, **fields), name="mine")
        handle = self.ok("run", "-d", "-s", "slurm", "app.toml").stdout.strip()
        self.assertEqual(handle, "slurm://slipway/42")
        return handle
