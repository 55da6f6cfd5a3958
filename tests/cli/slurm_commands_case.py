"""The TestCase of tests with shell scripts as Slurm's commands."""

import os
import shutil

from app_text import role
from slipway_case import SlipwayCase


class SlurmCommandsCase(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.bin = self.root / "bin"
        self.bin.mkdir()
        # PATH lacks Slurm of this machine, but has the shell.
        for tool in ("sh", "sleep", "cat", "touch"):
            os.symlink(shutil.which(tool), self.bin / tool)
        self.env["PATH"] = str(self.bin)
        self.app(role("w", "true"))

    def install(self, name, script):
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def install_cluster(self, answer):
        """sbatch counts its calls and gives this answer; squeue prints job 42 with the last comment."""
        self.install("sbatch", f"echo x >>{self.root}/calls; for script; do :; done\n"
                               "while read -r line; do case $line in '#SBATCH --comment='*)\n"
                               f"  line=${{line#*=\\\"}}; echo \"${{line%\\\"}}\" >{self.root}/comment;; esac\n"
                               f"done <\"$script\"\n{answer}")  # fmt: skip
        self.install("squeue", f"printf '42|RUNNING||w|%s\\n' \"$(cat {self.root}/comment)\"")
        self.install("scontrol",
                     f"echo \"JobId=42 JobName=w JobState=RUNNING Comment=$(cat {self.root}/comment) StdErr=/x\"")

    def submit(self):
        return self.run_slipway("run", "-d", "-s", "slurm", "app.toml")

    def records(self):
        return list(self.state.rglob("job.sh"))
