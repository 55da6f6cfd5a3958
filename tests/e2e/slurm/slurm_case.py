"""The TestCase of tests on real clusters: calls `slipway`, writes app files, waits for states."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import cluster

TREE = Path(os.environ.get("SLIPWAY_TREE", Path(__file__).parents[3] / "build" / "release" / "tree")).resolve()
SLIPWAY = TREE / "bin" / "slipway"
LIMIT = 180  # seconds, after which a wait fails
SMALL = "resource = { cpu = 1, gpu = 0, memMB = 100 }"  # lets many replicas share a node


def why_unable(with_accounting=False):
    """Returns why no cluster can start here, or None. With CI in the environment, raises instead."""
    missing = cluster.missing_programs(with_accounting)
    why = (
        f"not installed here: {', '.join(missing)} (Debian: slurm-wlm, munge"
        + (", slurmdbd, mariadb-server-core, mariadb-client-core)" if with_accounting else ")") if missing
        else "the cluster's daemons need root" if os.geteuid() != 0 else None
    )
    if why and "CI" in os.environ:
        raise RuntimeError(why)
    return why


def text(value):
    """Returns a TOML string."""
    return json.dumps(value)


def role(name, script, replicas=1, extra=""):
    """Returns a role that runs a shell script, as TOML."""
    return (
        f"[[roles]]\nname = {text(name)}\nentrypoint = \"sh\"\nargs = [\"-c\", {text(script)}]\n"
        f"num_replicas = {replicas}\n{extra}\n"
    )


class SlurmCase(unittest.TestCase):
    """The cases of a class share a cluster with its `options`, and run one after the other."""

    maxDiff = None
    options = {}

    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(**cls.options)
        cls.addClassCleanup(cls.cluster.stop)
        cls.home = Path(tempfile.mkdtemp(prefix="slipway-e2e-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.env = {k: v for k, v in cls.cluster.env.items() if not k.startswith(("SLIPWAY_", "TORCHX"))}
        cls.env.update(XDG_STATE_HOME=str(cls.home / "state"), XDG_CONFIG_HOME=str(cls.home / "config"),
                       XDG_CACHE_HOME=str(cls.home / "cache"),
                       LC_ALL="C.UTF-8")

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(dir=self.home))

    # ---- running

    @classmethod
    def call(cls, directory, *arguments):
        return subprocess.run([SLIPWAY, *map(str, arguments)], cwd=directory, env=cls.env, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)

    @classmethod
    def submit_early(cls, *roles, options=()):
        """Submits an app for a later case, because its end, or its removal from the queue, takes Slurm minutes. Returns
        the handle."""
        directory = Path(tempfile.mkdtemp(dir=cls.home))
        (directory / "app.toml").write_text('name = "app"\n\n' + "\n".join(roles), encoding="utf-8")
        done = cls.call(directory, "run", "-d", "-s", "slurm", *options, "app.toml")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def slipway(self, *arguments, status=0):
        """Runs a command to its end. Asserts its exit status, unless `status` is None."""
        try:
            done = self.call(self.root, *arguments)
        except subprocess.TimeoutExpired as end:
            jobs = self.cluster.run("scontrol", "show", "job", check=False).stdout
            raise AssertionError(f"{arguments} does not end\n{end.stderr}\n{jobs}\n{self.cluster.logs()}") from end
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def start(self, *arguments, env=None):
        process = subprocess.Popen([SLIPWAY, *map(str, arguments)], cwd=self.root, env=env or self.env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def app(self, *roles, name="app"):
        """Writes app.toml."""
        (self.root / "app.toml").write_text(f"name = {text(name)}\n\n" + "\n".join(roles), encoding="utf-8")

    def submit(self, *options):
        """Submits the app in app.toml, and returns its handle."""
        return self.slipway("run", "-d", "-s", "slurm", *options, "app.toml").stdout.strip()

    def status(self, handle):
        return json.loads(self.slipway("status", "--json", handle).stdout)

    def replicas(self, status):
        return {(one["role"], replica["id"]): replica for one in status["roles"] for replica in one["replicas"]}

    def until(self, handle, holds, what):
        """Waits until `holds(status)`, and returns the status. `what` says the condition in words."""
        deadline = time.monotonic() + LIMIT
        while not holds(status := self.status(handle)):
            self.assertLess(time.monotonic(), deadline,
                            f"this did not happen: {what}: {json.dumps(status)}\n{self.cluster.logs()}")
            time.sleep(0.2)
        return status

    def until_state(self, handle, state):
        return self.until(handle, lambda status: status["state"] == state, f"it is {state}")

    def until_forgotten(self, handle):
        """Waits until the job has left the queue."""
        deadline = time.monotonic() + LIMIT
        while self.cluster.run("squeue", "-h", "-t", "all", "-j", self.job(handle), check=False).stdout:
            self.assertLess(time.monotonic(), deadline, self.cluster.logs())
            time.sleep(0.5)

    def job(self, handle):
        """Returns the job's id, such as `17`, or `17;cluster` for a job of a named cluster."""
        return handle.rsplit("/", 1)[1]

    def until_file(self, path):
        deadline = time.monotonic() + LIMIT
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, path)
            time.sleep(0.02)

    def counting_commands(self, *names):
        """Returns a directory with wrappers of Slurm's commands, which record each call there, and an environment with
        them in its PATH."""
        directory = Path(tempfile.mkdtemp(dir=self.root))
        for name in names:
            real = self.cluster.run("sh", "-c", f"command -v {name}").stdout.strip()
            script = f'#!/bin/sh\necho x >>{directory}/{name}.calls\nexec {real} "$@"\n'
            (directory / name).write_text(script, encoding="utf-8")
            (directory / name).chmod(0o755)
        return directory, dict(self.env, PATH=f"{directory}:{self.env['PATH']}")

    def calls(self, directory, name):
        """Returns the number of calls that a wrapper of counting_commands() has recorded."""
        path = directory / f"{name}.calls"
        return len(path.read_text(encoding="utf-8").split()) if path.exists() else 0

    def until_calls(self, directory, name, number):
        """Waits until a wrapper of counting_commands() has recorded this number of calls."""
        deadline = time.monotonic() + LIMIT
        while self.calls(directory, name) < number:
            self.assertLess(time.monotonic(), deadline, f"{name} is not called {number} times")
            time.sleep(0.1)

    def lose_answers(self):
        """Installs an sbatch whose answer is lost. It keeps the script, its last argument, so that the test
        can submit the job later with submit_lost(). Returns the environment with it."""
        self.lost = Path(tempfile.mkdtemp(dir=self.home))
        (self.lost / "sbatch").write_text(
            f"#!/bin/sh\nfor script; do :; done\ncp \"$script\" {self.lost}/job.sh\n"
            "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\nexit 1\n",
            encoding="utf-8")
        (self.lost / "sbatch").chmod(0o755)
        return dict(self.env, PATH=f"{self.lost}:{self.env['PATH']}")

    def submit_unanswered(self):
        """Submits the app in app.toml by an sbatch whose answer is lost. Returns the handle that the message names."""
        run = self.start("run", "-d", "-s", "slurm", "app.toml", env=self.lose_answers())
        _, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 75, err)
        return self.handle_in(err)

    def handle_in(self, err):
        """Returns the handle that the message of an unanswered submission names."""
        return next(word for word in err.split() if word.startswith("slurm://")).rstrip(")")

    def submit_lost(self, *options):
        """Lets the controller get the job of submit_unanswered(). Returns its id."""
        return self.cluster.run("sbatch", "--parsable", *options, str(self.lost / "job.sh")).stdout.strip()
