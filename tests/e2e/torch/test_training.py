"""Real trainings with PyTorch: the documentation page, and nodes that meet on one machine."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
TREE = Path(os.environ.get("SLIPWAY_TREE", REPOSITORY / "build" / "release" / "tree")).resolve()
PAGE = "core/docs/pytorch.md"
PYTHON = "/usr/bin/python3"  # the interpreter of Debian's packages
LIMIT = 300  # seconds, after which a training or the page counts as hanging

sys.path.insert(0, str(REPOSITORY / "tests" / "docs"))
from run_page import blocks_of  # noqa: E402


def why_unable():
    """Returns why PyTorch cannot run here, or None. With CI in the environment, raises instead."""
    if subprocess.run([PYTHON, "-c", "import torch.distributed.run"], capture_output=True).returncode == 0:
        return None
    why = f"{PYTHON} has no PyTorch (Debian: python3-torch)"
    if "CI" in os.environ:
        raise RuntimeError(why)
    return why


@unittest.skipIf(why_unable(), why_unable())
class Training(unittest.TestCase):
    def setUp(self):
        self.home = Path(tempfile.mkdtemp(prefix="slipway-torch-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX_", "PYTHON"))}
        # SLURM_CONF: no command asks a cluster of this machine. PATH: the trainings run with PYTHON.
        self.env.update(SLIPWAY_TREE=str(TREE), SLURM_CONF=os.devnull, LC_ALL="C.UTF-8", HOME=str(self.home),
                        XDG_STATE_HOME=str(self.home / "state"), XDG_CONFIG_HOME=str(self.home / "config"),
                        PATH=f"/usr/bin:{os.environ['PATH']}", OMP_NUM_THREADS="1")

    def work_dir(self, name):
        """Returns a directory with the files of the page."""
        out = self.home / name
        out.mkdir()
        for block in blocks_of((REPOSITORY / PAGE).read_text()):
            if file := block.mark("file"):
                (out / file).write_text("\n".join(block.lines).rstrip("\n") + "\n")
        return out

    def start(self, directory, *words):
        process = subprocess.Popen([TREE / "bin" / "slipway", *words], cwd=directory, env=self.env, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def assert_trains_once(self, process, name):
        """Checks that every step was made once, although an attempt failed in the middle."""
        text, _ = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0, text)
        steps = [line.rpartition(":")[2] for line in text.splitlines() if "]:step " in line]
        self.assertEqual(steps, [f"step {n}" for n in range(1, 7)], f"{name}: {text}")
        self.assertIn("retry 1 of 3 restarts the app", text)

    def test_commands_of_the_page_print_what_it_says(self):
        done = subprocess.run([PYTHON, "-B", REPOSITORY / "tests" / "docs" / "run_page.py", PAGE], cwd=REPOSITORY,
                              env=self.env, text=True, timeout=LIMIT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_two_trainings_of_two_nodes_each_run_at_the_same_time(self):
        words = ("run", "jobs.py:trainer", "--script", "train.py", "--j", "2x1")
        both = {name: self.start(self.work_dir(name), *words) for name in ("one", "other")}
        for name, process in both.items():
            self.assert_trains_once(process, name)


if __name__ == "__main__":
    unittest.main()
