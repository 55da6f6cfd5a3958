"""A TestCase that runs the real `slipway` with its own state, configuration and working directory, and checks that no
process survives."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import live_processes
from app_text import app_toml, role

TREE = Path(os.environ.get("SLIPWAY_TREE", Path(__file__).parents[2] / "build" / "dev" / "tree")).resolve()
SLIPWAY = TREE / "bin" / "slipway"
if not SLIPWAY.is_file():
    raise FileNotFoundError(f"{SLIPWAY}: build first, or name a built tree in SLIPWAY_TREE")

# A test fails after a wait of this time, which is shorter than ctest's limit, so that it reports the cause. No
# test's result depends on a shorter wait.
LIMIT_S = 180
SANITIZED = "SLIPWAY_TEST_SANITIZED" in os.environ  # a sanitizer makes each command several times slower
STATUS_KEYS = {"handle", "app_id", "name", "scheduler", "session", "state", "num_restarts", "msg",
               "structured_error_msg", "ui_url", "submitted_at", "started_at", "finished_at", "roles"}
REPLICA_KEYS = {"id", "state", "hostname", "pid", "exit_code", "signal", "reason", "restarts", "started_at",
                "finished_at", "structured_error_msg"}
TERMINAL = {"SUCCEEDED", "FAILED", "CANCELLED"}
# A time in JSON, such as 2026-01-02T03:04:05.678Z.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)")
HANDLE = re.compile(r"(?P<scheduler>[a-z_]+)://(?P<session>[^/\s]+)/(?P<app_id>[^/\s]+)")


class Result:
    """The result of a command: `status` as in a shell (128 + n for signal n), streams as bytes and as text."""

    def __init__(self, arguments, returncode, out, err):
        self.arguments = arguments
        self.status = returncode if returncode >= 0 else 128 - returncode
        self.out, self.err = out, err

    @property
    def stdout(self):
        return self.out.decode("utf-8", "replace")

    @property
    def stderr(self):
        return self.err.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return self.stdout.splitlines()

    def __str__(self):
        return (f"slipway {' '.join(map(str, self.arguments))}\nstatus: {self.status}\n"
                f"stdout: {self.stdout[:4000]}\nstderr: {self.stderr[:4000]}")


class SlipwayCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="slipway-cli-"))
        self.cwd = self.root / "cwd"
        self.state = self.root / "state"
        self.config = self.root / "config"
        self.cwd.mkdir()
        self.config.mkdir()
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith(("SLIPWAY_", "TORCHX", "PYTHON")) and k not in ("NO_COLOR", "XDG_RUNTIME_DIR")}
        self.env.update(XDG_STATE_HOME=str(self.state), XDG_CONFIG_HOME=str(self.config), HOME=str(self.root),
                        XDG_CACHE_HOME=str(self.root / "cache"),
                        LC_ALL="C.UTF-8", TERM="dumb",
                        # So that no command asks a cluster or an engine of this machine, whose apps it could delete:
                        SLURM_CONF=os.devnull, DOCKER_HOST=f"unix://{self.root}/no-engine.sock")
        self.started = []
        self.gates = []
        self.mounts = []
        self.wrapper = []  # the words before `slipway` in every command: a program that sets limits, mounts or the user
        self.addCleanup(self._clean_up)

    # running ---------------------------------------------------------------------------------------------------------

    def run_slipway(self, *arguments, stdin=b"", env=None, timeout=LIMIT_S, cwd=None):
        """Runs a command to its end. `env` adds to the test's environment. Returns its Result."""
        words = [word if isinstance(word, bytes) else str(word) for word in arguments]
        done = subprocess.run([*self.wrapper, SLIPWAY, *words], cwd=cwd or self.cwd,
                              env={**self.env, **(env or {})},
                              input=stdin, capture_output=True, timeout=timeout, check=False)
        return Result(arguments, done.returncode, done.stdout, done.stderr)

    def ok(self, *arguments, **options):
        """Runs a command that must succeed."""
        return self.expect(0, *arguments, **options)

    def expect(self, status, *arguments, **options):
        """Runs a command and checks its exit status."""
        result = self.run_slipway(*arguments, **options)
        self.assertEqual(result.status, status, result)
        return result

    def expect_failure(self, status, code, *arguments, **options):
        """Checks a failure of Slipway itself: only stderr has a message. With --json the status is the same, and
        stdout has an error document, whose content is returned. A `code` of None allows any code."""
        plain = self.expect(status, *arguments, **options)
        self.assertEqual(plain.stdout, "", plain)
        self.assertNotEqual(plain.stderr, "", plain)
        result = self.expect(status, "--json", *arguments, **options)
        error = self.json_error(result)
        if code is not None:
            self.assertEqual(error["code"], code, result)
        return error

    def json_error(self, result):
        """Checks that stdout is an error document. Returns its content."""
        document = result.json
        self.assertEqual(set(document), {"error"}, result)
        error = document["error"]
        self.assertLessEqual({"code", "message", "hint", "where"}, set(error), result)
        self.assertNotEqual(error["message"], "", result)
        return error

    def start(self, *arguments, **options):
        """Starts a command in the background, without input and with pipes for its output. `options` of Popen replace
        these defaults."""
        # Unbuffered, so that finish() gets the output that readline() left.
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   "cwd": self.cwd, "env": self.env, "bufsize": 0, **options}
        process = subprocess.Popen([*self.wrapper, SLIPWAY, *map(str, arguments)], **options)
        self.started.append(process)
        return process

    def finish(self, process, timeout=LIMIT_S):
        """Waits for the end of a process. Returns its Result, with the output that no call has read before."""
        out, err = process.communicate(timeout=timeout)
        return Result(process.args[1:], process.returncode, out or b"", err or b"")

    def start_foreground(self, *arguments, **options):
        """Starts `run` without `-d`, and does not wait for its end. Returns the process and the handle that it
        printed."""
        process = self.start("run", *arguments, **options)
        return process, process.stdout.readline().decode().strip()

    def detach(self, app, *arguments):
        """Runs `run -d`. Returns the handle."""
        return self.ok("run", "-d", *arguments, app).stdout.strip()

    # apps ------------------------------------------------------------------------------------------------------------

    def write(self, name, text):
        """Writes a file in the working directory. Returns its path."""
        path = self.cwd / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def app(self, *roles, name="app", file="app.toml"):
        """Writes an app file. A role is a result of app_text.role(), or a shell script: the first role is then `w`, the
        next ones are `r1`, `r2`. Returns the path."""
        made = [role(f"r{i}" if i else "w", r) if isinstance(r, str) else r for i, r in enumerate(roles)]
        return self.write(file, app_toml(name, *made))

    def mount(self, *arguments):
        """Calls mount(8), whose last argument is a new directory, or skips the test. The end of the test unmounts it.
        Returns the directory."""
        place = Path(arguments[-1])
        place.mkdir()
        if subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting is forbidden here")
        self.mounts.append(place)
        return place

    def gate(self, name="gate"):
        """Makes a FIFO in the working directory: `read go < gate` in a replica waits for open_gate(). Returns the
        descriptor for open_gate()."""
        path = self.cwd / name
        os.mkfifo(path)
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.gates.append(fd)
        return fd

    def open_gate(self, fd, replicas=1):
        """Lets this number of `read go < gate` continue, those that wait now or begin later."""
        os.write(fd, b"go\n" * replicas)

    # state -----------------------------------------------------------------------------------------------------------

    def status_of(self, handle):
        return self.ok("status", "--json", handle).json

    def replicas_of(self, handle):
        """Returns the replicas by `role/k`."""
        return {f"{r['role']}/{k['id']}": k for r in self.status_of(handle)["roles"] for k in r["replicas"]}

    def eventually(self, condition, what):
        """Waits until condition() is true, and returns its value. `what` describes the condition in the failure."""
        end = time.monotonic() + LIMIT_S
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                self.fail(f"this did not happen: {what}")
            time.sleep(0.01)

    def file_appears(self, name):
        """Waits until a file in the working directory, or at an absolute path, exists. Returns its path."""
        path = self.cwd / name
        self.eventually(path.exists, f"{name} appears")
        return path

    def app_dir(self, handle):
        """Returns the directory of the app's record."""
        found = HANDLE.fullmatch(handle)
        return self.state / "slipway" / "local" / found["session"] / found["app_id"]

    def processes(self):
        """Returns {pid: command line} of the live processes that inherited this test's state directory in their
        environment."""
        return live_processes.with_environment(b"XDG_STATE_HOME=" + os.fsencode(self.state))

    def helpers(self, handle):
        """Returns the pids of the warden and the supervisor of an app, as soon as it has no other helper.

        Until it executes its program, a new replica looks like its supervisor."""
        app_id = HANDLE.fullmatch(handle)["app_id"]

        def both():
            found = self.living_helpers(app_id)
            return found if len(found) == 2 else None

        pids = self.eventually(both, "a warden and a supervisor")
        (supervisor,) = [pid for pid in pids if live_processes.parent(pid) in pids]
        return live_processes.parent(supervisor), supervisor

    def await_both_helpers(self):
        """Waits until this test's apps have one warden and one supervisor, and earlier ones have ended."""
        self.eventually(lambda: len(self.living_helpers()) == 2, "a warden and a supervisor")

    def living_helpers(self, part=""):
        """Returns the pids of supervisors and wardens of this test's apps whose command line contains `part`."""
        return live_processes.helpers(self.state, part)

    def kill_helpers(self, part=""):
        """Kills living_helpers(), and waits until they are dead."""
        helpers = self.living_helpers(part)
        for pid in helpers:
            os.kill(pid, signal.SIGKILL)
        self.eventually(lambda: not any(map(live_processes.alive, helpers)), "the helpers are dead")

    def assert_nothing_lives(self):
        self.eventually(lambda: not self.processes(), f"no process is left of {self.processes()}")

    def assert_state(self, handle, state):
        """Checks the state of an app. Waits for the state RUNNING, but for no other."""
        if state == "RUNNING":  # an app that was just submitted may not run yet
            self.run_slipway("wait", "--for", "RUNNING", handle)
        self.assertEqual(self.status_of(handle)["state"], state)

    def assert_no_app(self):
        """Checks that no record and no draft exists."""
        self.assertEqual(self.ok("list", "--all", "--json").json, {"apps": [], "errors": []})
        base = self.state / "slipway" / "local"
        left = base.glob("*/*") if base.exists() else []
        # `.pruned` is the session's list of deleted apps.
        self.assertEqual([str(path) for path in left if path.name != ".pruned"], [])
        self.assert_nothing_lives()

    def assert_status_document(self, document):
        self.assertLessEqual(STATUS_KEYS, set(document))
        found = HANDLE.fullmatch(document["handle"])
        self.assertEqual((found["scheduler"], found["session"], found["app_id"]),
                         (document["scheduler"], document["session"], document["app_id"]))
        for key in ("submitted_at", "started_at", "finished_at"):
            self.assert_time(document[key])
        for each in document["roles"]:
            self.assertLessEqual({"role", "replicas"}, set(each))
            for replica in each["replicas"]:
                self.assertLessEqual(REPLICA_KEYS, set(replica))
                self.assert_time(replica["started_at"])
                self.assert_time(replica["finished_at"])

    def assert_time(self, text):
        self.assertTrue(text is None or TIME.fullmatch(text), text)

    # clean-up --------------------------------------------------------------------------------------------------------

    def _clean_up(self):
        try:
            for process in self.started:
                if process.poll() is None:
                    process.kill()
                process.communicate(timeout=LIMIT_S)
            for directory in (self.state / "slipway" / "local").glob("*/*"):
                if directory.name.startswith("."):
                    continue
                # One of the local schedulers has the app; for the others it does not exist.
                for scheduler in ("local_cwd", "local_dir", "local"):
                    handle = f"{scheduler}://{directory.parent.name}/{directory.name}"
                    if self.run_slipway("cancel", "--now", handle).status == 0:
                        break
            try:
                self.assert_nothing_lives()
            finally:
                for pid in self.processes():
                    os.kill(pid, signal.SIGKILL)
        finally:
            for fd in self.gates:
                os.close(fd)
            for place in reversed(self.mounts):
                subprocess.run(["umount", "-l", place], check=False)
            shutil.rmtree(self.root)
