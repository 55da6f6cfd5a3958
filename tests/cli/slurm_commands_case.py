"""The TestCase of tests that write Slurm's commands as shell scripts."""

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
        """Makes the shell script a command of Slurm. A shell that runs an earlier script reads that one to its end."""
        draft = self.bin / f"{name}.new"
        draft.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        draft.chmod(0o755)
        draft.rename(self.bin / name)

    def install_cluster(self, answer):
        """Installs sbatch, squeue and scontrol. sbatch adds a line to `calls`, keeps the comment of the job, and then
        runs the shell commands `answer`. The other two print job 42 with that comment, whatever sbatch answered."""
        self.install("sbatch", f"echo x >>{self.root}/calls; for script; do :; done\n"
                               "while read -r line; do case $line in '#SBATCH --comment='*)\n"
                               f"  line=${{line#*=\\\"}}; echo \"${{line%\\\"}}\" >{self.root}/comment;; esac\n"
                               f"done <\"$script\"\n{answer}")
        self.install("squeue", f"printf '42\\037RUNNING\\037\\037w\\037%s\\n' \"$(cat {self.root}/comment)\"")
        self.install("scontrol",
                     f"echo \"JobId=42 JobName=w JobState=RUNNING Comment=$(cat {self.root}/comment) StdErr=/x\"")

    def submit(self):
        """Submits the app. Returns the Result of the command."""
        return self.run_slipway("run", "-d", "-s", "slurm", "app.toml")

    def records(self):
        """Returns the scripts of all recorded jobs, each in the directory of its record."""
        return list(self.state.rglob("job.sh"))
