"""Paths with `..` after a symbolic link lead to the directory above the target of the link, as for the kernel."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase

PYTHON = Path(__file__).parents[2] / "plugins" / "python_components" / "python"
COMPONENT = """from torchx import specs

def say() -> specs.AppDef:
    return specs.AppDef("{}", [specs.Role("w", image="", entrypoint="true")])
"""


class Links(SlipwayCase):
    """`l/..` is the directory `real`. Its files differ from those beside the link."""

    def setUp(self):
        super().setUp()
        self.real = self.cwd / "real"
        (self.real / "sub").mkdir(parents=True)
        (self.cwd / "l").symlink_to("real/sub")

    def write_both(self, name, right, wrong):
        """Writes a file where `l/../NAME` leads, and one where the path without `l/..` would lead."""
        (self.real / name).write_text(right)
        self.write(name, wrong)

    def test_checked_files_are_found(self):
        self.write_both("r.toml", "[named_resources.x]\ncpu = 'many'\n", "[named_resources.x]\ncpu = 1\n")
        self.assertIn(f"{self.real}/r.toml:2:7: ", self.expect(65, "resource", "check", "l/../r.toml").stdout)
        self.write_both("c.toml", "[cli.rum]\nwait = true\n", "")
        self.assertIn(f"{self.real}/c.toml:2:", self.run_slipway("config", "check", "l/../c.toml").stdout)
        self.write_both("p.toml", "manifest_version = 'x'\n", "")
        self.assertIn(f"{self.real}/p.toml:1:", self.expect(65, "plugin", "check", "l/../p.toml").stdout)

    def test_configuration_and_manifests_are_found(self):
        self.write_both("c.toml", "[cli.run]\nscheduler = 'local_dir'\n", "[cli.run]\nscheduler = 'local'\n")
        shown = self.ok("--config", "l/../c.toml", "config", "show").stdout
        self.assertIn(f"{self.real}/c.toml:2:", shown)
        self.write_both("r.toml", "[named_resources.right]\ncpu = 1\n", "[named_resources.wrong]\ncpu = 1\n")
        self.ok("--plugin-path", "l/../r.toml", "resource", "show", "right")

    def test_workspace_is_found(self):
        self.write_both("f", "right\n", "wrong\n")
        for source in ("l/..", f"dir://{self.cwd}/l/.."):
            with self.subTest(source):
                result = self.ok("run", "-s", "local", "--workspace", source, self.app("cat f"))
                self.assertIn("w/0 right\n", result.stderr)
        self.assertIn(f" of {self.real} are copied", self.ok("run", "-s", "local", "--workspace", "l/..",
                                                             self.app("true")).stderr)

    def test_directories_of_a_local_app_are_found(self):
        app = self.app(role("w", "pwd", metadata={"slipway.cwd": "l/.."}))
        result = self.ok("run", "-c", "log_dir=l/../logs", app)
        self.assertIn(f"w/0 {self.real}\n", result.stderr)
        self.assertTrue((self.real / "logs").is_dir())
        self.assertFalse((self.cwd / "logs").exists())

    def test_python_component_is_found(self):
        self.write_both("c.py", COMPONENT.format("right"), COMPONENT.format("wrong"))
        self.assertEqual(self.ok("run", "-n", "--json", "l/../c.py:say").json["app"]["name"], "right")
        done = subprocess.run([sys.executable, "-B", "-m", "slipway.appdef", "l/../c.py:say"], cwd=self.cwd,
                              env={**self.env, "PYTHONPATH": os.fspath(PYTHON)}, capture_output=True, check=True)
        self.assertEqual(json.loads(done.stdout)["name"], "right")


if __name__ == "__main__":
    unittest.main()
