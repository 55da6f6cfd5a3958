"""The commands in the documentation that need a cluster."""

import sys
import unittest
from pathlib import Path

import slurm_case

sys.path.append(str(Path(__file__).resolve().parents[2] / "docs"))
from run_page import run_pages  # noqa: E402


@unittest.skipIf(slurm_case.why_unable(), slurm_case.why_unable())
class Pages(slurm_case.SlurmCase):
    options = {"nodes": 2}

    def test_commands_print_what_the_pages_say(self):
        pages, differences = run_pages("slurm", slurm_case.TREE, {"SLURM_CONF": self.env["SLURM_CONF"]})
        self.assertEqual(differences, [], "\n".join(differences))
        self.assertTrue(pages)


if __name__ == "__main__":
    unittest.main()
