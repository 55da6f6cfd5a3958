"""A TestCase with an installed Slipway whose prefix was moved."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLIPWAY_BUILD", SOURCE / "build" / "release")).resolve()
TREE = Path(os.environ.get("SLIPWAY_TREE", BUILD / "tree"))
CMAKE = os.environ.get("SLIPWAY_CMAKE", "cmake")
EXAMPLES = SOURCE / "sdk" / "examples"
LIMIT_S = 240  # seconds, after which a command counts as hanging
if not (BUILD / "cmake_install.cmake").is_file():
    raise FileNotFoundError(f"{BUILD}: build first, or name a build directory in SLIPWAY_BUILD")


class MovedPrefixCase(unittest.TestCase):
    """`prefix` is shared by the tests of a class; `work` and the state of `slipway` belong to one test."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="slipway-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.installed_to = cls.root / "installed"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.installed_to], check=True,
                       stdout=subprocess.DEVNULL, timeout=LIMIT_S)
        cls.prefix = cls.root / "moved" / "here"
        cls.prefix.parent.mkdir()
        cls.installed_to.rename(cls.prefix)

    def setUp(self):
        self.work = Path(tempfile.mkdtemp(dir=self.root))
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith(("SLIPWAY_", "TORCHX_", "CMAKE_", "PKG_CONFIG")) and k != "DESTDIR"}
        # SLURM_CONF: no command asks a cluster of this machine.
        self.env.update(XDG_STATE_HOME=str(self.work / "state"), XDG_CONFIG_HOME=str(self.work / "config"),
                        HOME=str(self.work), LC_ALL="C.UTF-8", SLURM_CONF=os.devnull,
                        # A compiler cache makes the paths below this relative: the directory is new in each run.
                        CCACHE_BASEDIR=str(self.root))

    def run_tool(self, *command, **options):
        """Runs a command and returns both of its streams, for any exit status."""
        options = {"cwd": self.work, "env": self.env, "timeout": LIMIT_S, **options}
        return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)

    def ok(self, *command, **options):
        """Returns the standard output of a command that must succeed."""
        done = self.run_tool(*command, **options)
        self.assertEqual(done.returncode, 0, f"{done.args}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def slipway(self, *arguments, plugins=None):
        """Runs `slipway` of the moved prefix, which must succeed; `plugins` is its SLIPWAY_PLUGIN_PATH."""
        env = {**self.env, "SLIPWAY_PLUGIN_PATH": str(plugins)} if plugins else self.env
        return self.ok(self.prefix / "bin" / "slipway", *arguments, env=env)

    def listed_plugins(self, **options):
        """Returns the plug-ins of `slipway plugin list`, by id."""
        return {p["id"]: p for p in json.loads(self.slipway("plugin", "list", "--json", **options))["plugins"]}

    def assert_exports_one_symbol(self, library):
        symbols = [line.split()[-1] for line in self.ok("nm", "-D", "--defined-only", library).splitlines()]
        self.assertEqual(symbols, ["slipway_plugin_v1"], library)


def files_of(*directories):
    """Returns the files below some directories as {relative path: directory}."""
    return {str(p.relative_to(d)): d for d in directories for p in sorted(d.rglob("*")) if not p.is_dir()}
