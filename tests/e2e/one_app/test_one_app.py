"""One app file on `local_cwd`, on Docker and on Slurm: the results are the same, except for what
core/docs/portability.md lists."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
sys.path += [str(HERE.parent / "docker"), str(HERE.parent / "slurm")]

import cluster
import docker_case
import engine
import slurm_case

SLIPWAY = docker_case.SLIPWAY
LIMIT = 400  # seconds, after which a command fails
SCHEDULERS = ("local_cwd", "local_docker", "slurm")
unable = docker_case.why_unable() or slurm_case.why_unable()


def table(heading):
    """Returns the rows of the table below a heading of portability.md, as dicts with a key for each scheduler."""
    page = (ROOT / "core" / "docs" / "portability.md").read_text(encoding="utf-8")
    lines = page.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [dict(zip(("what", *SCHEDULERS), row)) for row in rows[2:]]


def own_keys(scheduler):
    """Returns two sets of the keys of replicas in `status --json` that the page lists: the scheduler's, and all."""
    rows = {re.match(r"`replica\.(\w+)`", row["what"])[1]: row for row in table("Keys of `status --json`")}
    return {key for key, row in rows.items() if row[scheduler].startswith("yes")}, set(rows)


@unittest.skipIf(unable, unable)
class OneApp(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.engine = engine.Engine()
        cls.addClassCleanup(cls.engine.stop)
        cls.cluster = cluster.Cluster(nodes=4)
        cls.addClassCleanup(cls.cluster.stop)
        cls.home = Path(tempfile.mkdtemp(prefix="slipway-e2e-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.env = {k: v for k, v in cls.cluster.env.items() if not k.startswith(("SLIPWAY_", "TORCHX_", "DOCKER_"))}
        cls.env.update(XDG_STATE_HOME=str(cls.home / "state"), XDG_CONFIG_HOME=str(cls.home / "config"),
                       XDG_CACHE_HOME=str(cls.home / "cache"),
                       DOCKER_HOST=f"unix://{cls.engine.socket}", LC_ALL="C.UTF-8")

    def slipway(self, *arguments):
        return subprocess.run([SLIPWAY, *map(str, arguments)], cwd=self.home, env=self.env, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)

    def run_everywhere(self, *options):
        """Runs the file on every scheduler. Returns (exit status of wait, status document, logs) by scheduler."""
        handles = {}
        for scheduler in SCHEDULERS:
            done = self.slipway("run", "-q", "-d", "-s", scheduler, *options, HERE / "one.toml")
            self.assertEqual(done.returncode, 0, f"{scheduler}: {done.stderr}")
            handles[scheduler] = done.stdout.strip()
        out = {}
        for scheduler, handle in handles.items():
            ended = self.slipway("wait", handle)
            status = json.loads(self.slipway("status", "--json", handle).stdout)
            logs = {
                (role, stream): sorted(self.slipway("log", "--stream", stream, f"{handle}/{role}").stdout
                                       .replace(f"by {status['app_id']}\n", "by APP\n").splitlines())
                for role in ("board", "prepare", "train") for stream in ("stdout", "stderr")
            }
            out[scheduler] = (ended.returncode, status, logs)
        return out

    def facts(self, status):
        """Returns the parts of a status that must be the same everywhere."""
        return {
            "state": status["state"],
            "replicas": {
                (role["role"], one["id"]): (one["state"], one["exit_code"], one["signal"], one["reason"])
                for role in status["roles"] for one in role["replicas"]
            },
        }

    def assert_same(self, runs):
        code, status, logs = runs["local_cwd"]
        for scheduler in SCHEDULERS[1:]:
            with self.subTest(scheduler):
                self.assertEqual(runs[scheduler][0], code)
                self.assertEqual(self.facts(runs[scheduler][1]), self.facts(status))
                self.assertEqual(runs[scheduler][2], logs)

    def test_success_is_the_same_everywhere(self):
        runs = self.run_everywhere()
        code, status, logs = runs["local_cwd"]
        self.assertEqual((code, status["state"]), (0, "SUCCEEDED"))
        self.assertEqual(self.facts(status)["replicas"][("train", 1)], ("SUCCEEDED", 0, None, "exit"))
        self.assertEqual(self.facts(status)["replicas"][("board", 0)][::3], ("CANCELLED", "work_done"))
        self.assertEqual(logs[("prepare", "stdout")], ["prepared for 18181 by APP"])
        self.assert_same(runs)
        self.assert_keys(runs)

    def assert_keys(self, runs):
        """Asserts that the documents have the same keys, except those that the page lists."""
        found = {}
        for scheduler, (_, status, _) in runs.items():
            roles = status["roles"]
            keys = {key for role in roles for one in role["replicas"] for key in one}
            own, listed = own_keys(scheduler)
            self.assertEqual(keys & listed, own, scheduler)
            found[scheduler] = (sorted(status), sorted(roles[0]), sorted(keys - listed))
        for scheduler in SCHEDULERS[1:]:
            self.assertEqual(found[scheduler], found["local_cwd"], scheduler)

    def test_failure_is_the_same_everywhere(self):
        runs = self.run_everywhere("--set", "roles.prepare.env.CODE=7", "--set", "roles.board.max_retries=0",
                                   "--set", "roles.prepare.max_retries=0", "--set", "roles.train.max_retries=0")
        code, status, _ = runs["local_cwd"]
        self.assertEqual((code, status["state"]), (7, "FAILED"))
        self.assertEqual(self.facts(status)["replicas"][("train", 0)][0], "SUCCEEDED")
        self.assert_same(runs)

    def test_retry_is_the_same_everywhere(self):
        runs = self.run_everywhere("--set", "roles.train.env.FIRST_SUCCESS=2")
        code, status, _ = runs["local_cwd"]
        self.assertEqual((code, status["state"], status["num_restarts"]), (0, "SUCCEEDED", 1))
        self.assert_same(runs)
        rows = {row["what"]: row for row in table("Attempts after a restart of the app")}
        for scheduler, (_, status, _) in runs.items():
            with self.subTest(scheduler):
                train = next(role for role in status["roles"] if role["role"] == "train")["replicas"][0]
                self.assertEqual(str(train["restarts"]), rows["`restarts` of a replica"][scheduler])
                self.assertEqual(str(len(train.get("attempts", []))), rows["listed `attempts`"][scheduler])
                self.assertEqual(str(status["num_restarts"]), rows["`num_restarts`"][scheduler])


if __name__ == "__main__":
    unittest.main()
