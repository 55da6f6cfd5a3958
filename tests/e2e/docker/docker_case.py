"""The TestCase of tests on a real Docker engine: calls `slipway`, writes app files, waits for states."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import engine

TREE = Path(os.environ.get("SLIPWAY_TREE", Path(__file__).parents[3] / "build" / "release" / "tree")).resolve()
SLIPWAY = TREE / "bin" / "slipway"
LIMIT = 400  # seconds, after which a wait fails; 100 containers take a slow machine more than one minute
SMALL = "resource = { cpu = 1, gpu = 0, memMB = 64 }"


def why_unable():
    """Returns why no engine can start here, or None. With CI in the environment, raises instead."""
    missing = engine.missing_programs()
    why = (
        f"not installed here: {', '.join(missing)} (Debian: docker.io, busybox-static)" if missing
        else "dockerd needs root" if os.geteuid() != 0 else None
    )
    if why and "CI" in os.environ:
        raise RuntimeError(why)
    return why


def text(value):
    """Returns a TOML string."""
    return json.dumps(value)


def role(name, script, replicas=1, extra=SMALL):
    """Returns a role that runs a shell script in the test's image, as TOML. `extra`: further lines of the role."""
    return (
        f"[[roles]]\nname = {text(name)}\nimage = {text(engine.IMAGE)}\nentrypoint = \"sh\"\n"
        f"args = [\"-c\", {text(script)}]\nnum_replicas = {replicas}\n{extra}\n"
    )


class DockerCase(unittest.TestCase):
    """The cases of a class share an engine with its `options`, and run one after the other."""

    maxDiff = None
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.engine = engine.Engine(*cls.options)
        cls.addClassCleanup(cls.engine.stop)
        cls.home = Path(tempfile.mkdtemp(prefix="slipway-e2e-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX", "DOCKER_"))}
        # SLURM_CONF: no command asks a cluster of this machine.
        cls.env.update(XDG_STATE_HOME=str(cls.home / "state"), XDG_CONFIG_HOME=str(cls.home / "config"),
                       HOME=str(cls.home), DOCKER_HOST=f"unix://{cls.engine.socket}", LC_ALL="C.UTF-8",
                       SLURM_CONF=os.devnull)

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(dir=self.home))
        self.networks_before = self.engine.own_networks()

    def assert_nothing_is_left(self):
        """Asserts that the engine has no containers, and no networks but those that it had before this case."""
        new = [one for one in self.engine.own_networks() if one not in self.networks_before]
        self.assertEqual((self.engine.containers(), new), ([], []))

    def tearDown(self):
        self.engine.remove_everything()

    def slipway(self, *arguments, status=0, env=None):
        """Runs a command to its end. Asserts its exit status, unless `status` is None."""
        done = subprocess.run([SLIPWAY, *map(str, arguments)], cwd=self.root, env={**self.env, **(env or {})},
                              capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                              check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}\n{self.engine.log()}")
        return done

    def start(self, *arguments):
        """Starts a command in the background, with pipes as streams."""
        process = subprocess.Popen([SLIPWAY, *map(str, arguments)], cwd=self.root, env=self.env, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def app(self, *roles, name="app"):
        """Writes app.toml."""
        (self.root / "app.toml").write_text(f"name = {text(name)}\n\n" + "\n".join(roles), encoding="utf-8")

    def kill_helper(self, handle):
        (helper,) = self.helpers(handle)
        os.kill(helper, signal.SIGKILL)
        self.eventually(lambda: helper not in self.helpers(handle), "the helper is dead")

    def submit(self, *roles, options=()):
        """Submits an app, and returns its handle."""
        self.app(*roles)
        return self.slipway("run", "-d", "-s", "local_docker", *options, "app.toml").stdout.strip()

    def wait(self, handle, status=0):
        """Waits for the end of the app. Asserts the exit status of `wait`, unless `status` is None."""
        return self.slipway("wait", handle, status=status)

    def status(self, handle):
        return json.loads(self.slipway("status", "--json", handle).stdout)

    def replicas(self, status):
        return {(one["role"], replica["id"]): replica for one in status["roles"] for replica in one["replicas"]}

    def only_replica(self, handle):
        return next(iter(self.replicas(self.status(handle)).values()))

    def until(self, handle, holds, what):
        """Waits until `holds(status)`, and returns the status. `what` says the condition in words."""
        deadline = time.monotonic() + LIMIT
        while not holds(status := self.status(handle)):
            self.assertLess(time.monotonic(), deadline,
                            f"this did not happen: {what}: {json.dumps(status)}\n{self.engine.log()}")
            time.sleep(0.1)
        return status

    def log(self, handle, *options):
        return self.slipway("log", *options, handle).stdout

    def until_log(self, handle, line):
        deadline = time.monotonic() + LIMIT
        while line not in (log := self.log(handle)):
            self.assertLess(time.monotonic(), deadline, log)
            time.sleep(0.1)

    def helpers(self, handle):
        """Returns the pids of the app's helpers, usually one. Their command lines have the app's id."""
        word = handle.rpartition("/")[2].encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"slipway-docker-supervisor") and word in words:
                found.append(int(entry.name))
        return found

    def one_helper(self, handle):
        """Waits until the app has one helper. Two may start at the same time; then the second one ends at once."""
        self.eventually(lambda: len(self.helpers(handle)) == 1, "there is one helper")

    def eventually(self, holds, what):
        deadline = time.monotonic() + LIMIT
        while not holds():
            self.assertLess(time.monotonic(), deadline, f"this did not happen: {what}")
            time.sleep(0.1)

    def until_subscribed(self, process):
        """Waits until the command has found the app and subscribed to its events, by an epoll descriptor."""
        deadline = time.monotonic() + LIMIT
        while not any(self.is_epoll(fd) for fd in Path(f"/proc/{process.pid}/fd").iterdir()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def is_epoll(self, fd):
        with contextlib.suppress(OSError):
            return "eventpoll" in os.readlink(fd)
        return False
