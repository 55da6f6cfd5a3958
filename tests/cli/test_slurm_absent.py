"""`list` of all schedulers where Slurm's commands are installed and no cluster answers."""

import os
import shutil
import unittest

from app_text import role
from own_namespace import needs_root
from slipway_case import SlipwayCase

SQUEUE = "/usr/bin/squeue"
# The places where Slurm's commands in /usr/bin look for a configuration.
CONFIGURATIONS = ("/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/etc/slurm.conf", "/usr/local/etc/slurm.conf",
                  "/run/slurm/conf/slurm.conf")


def is_configured():
    return any(os.path.exists(path) for path in CONFIGURATIONS)


class SlurmAbsent(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for tool in ("sh", "sleep", "cat"):
            os.symlink(shutil.which(tool), self.bin / tool)

    def install(self, name, script):
        """Makes a command of Slurm. Returns its path."""
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.bin / name).chmod(0o755)
        return self.bin / name

    @needs_root
    @unittest.skipUnless(os.path.exists(SQUEUE), "needs a squeue, in whose place the test mounts its own")
    @unittest.skipIf(is_configured(), "this machine has a configuration of Slurm")
    def test_a_list_of_all_skips_slurm_on_a_machine_without_a_configuration(self):
        asked = self.root / "asked"
        stand_in = self.install("squeue", f"echo x >>{asked}\n"
                                "echo 'squeue: fatal: Could not establish a configuration source' >&2; "
                                "exit 1")
        # Commands of Slurm in another directory than /usr/bin or /bin may have been built with another place for the
        # configuration, so `list` would ask them.
        self.wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                        f'mount --bind "$0" {SQUEUE} && exec "$@"', str(stand_in)]
        self.env["PATH"] = "/usr/bin:/bin"
        del self.env["SLURM_CONF"]
        result = self.run_slipway("list")
        self.assertEqual(result.status, 0, result)
        self.assertNotIn("slurm", result.stderr)
        self.assertFalse(asked.exists(), result)
        result = self.run_slipway("list", "-s", "slurm")
        self.assertEqual(result.status, 69, result)
        self.assertTrue(asked.exists(), result)
        # A user with recorded apps gets the reason why the list lacks them.
        asked.unlink()
        ids = self.state / "slipway" / "slurm" / "ids"
        ids.mkdir(parents=True)
        (ids / "42").symlink_to("../slipway/app-x1")
        self.run_slipway("list")
        self.assertTrue(asked.exists(), result)

    def test_a_list_of_all_shows_recorded_apps_if_the_controller_hangs(self):
        self.env["PATH"] = str(self.bin)
        self.app(role("w", "true"))
        self.install("sbatch", "echo 42")
        self.assertEqual(self.run_slipway("run", "-d", "-s", "slurm", "app.toml").status, 0)
        self.install("squeue", "exec sleep 600")
        self.install("sacct", "exec sleep 600")
        result = self.run_slipway("list", "--all")
        self.assertEqual(result.status, 0, result)
        self.assertIn("slurm://slipway/42", result.stdout)
        self.assertIn("squeue did not answer", result.stderr)


if __name__ == "__main__":
    unittest.main()
