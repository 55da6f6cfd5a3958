"""The conformance kit runs an app on a real engine."""

import json
import os
import subprocess
import unittest
from pathlib import Path

from docker_case import LIMIT, TREE, DockerCase, role, why_unable

unable = why_unable()
KIT = Path(os.environ.get("SLIPWAY_PLUGIN_CHECK", TREE / "bin" / "slipway-plugin-check"))


@unittest.skipIf(unable, unable)
class Kit(DockerCase):
    def test_kit_finds_no_mistake(self):
        self.app(role("w", "echo hello"))
        done = subprocess.run(
            [KIT, "--json", "--app", "app.toml", "--provider", "local_docker",
             TREE / "share" / "slipway" / "plugins.d" / "slipway_docker.toml"],
            cwd=self.root, env=self.env, capture_output=True, text=True, timeout=4 * LIMIT, check=False)
        result = json.loads(done.stdout)
        self.assertEqual([one for one in result["checks"] if one["verdict"] == "failed"], [], done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertIn("app.", "".join(one["check"] for one in result["checks"] if one["verdict"] == "passed"))


if __name__ == "__main__":
    unittest.main()
