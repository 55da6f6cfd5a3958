"""The private directory of one trial (state, configuration, working directory), and the processes of the trial."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "chaos"))
from population import Population, find_helpers  # noqa: E402  (after the change of sys.path)

# The time after which a wait counts as hanging. A few waits that follow others have a shorter limit, at least 10 s.
LIMIT_S = 60
# The time after which a trial cancels an app that still runs. If the command then still waits, the trial interrupts it
# after two and three times as long. Only an app that waits for an impossible event takes this long.
PATIENCE_S = 4


def scratch_base():
    """Returns TMPDIR, or else a directory in memory if there is one, because disks create files slowly after many were
    deleted."""
    memory = Path("/dev/shm")
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK | os.X_OK):
        return memory
    return Path(tempfile.gettempdir())


class Hang(Exception):
    """A wait took longer than LIMIT_S."""


class Broken(Exception):
    """A command that ran without a fault failed."""


class Home:
    def __init__(self, tree, base):
        self.slipway = tree / "bin" / "slipway"
        # A short name: the path of a socket has at most 107 bytes.
        self.root = Path(tempfile.mkdtemp(prefix="slw-faults-", dir=base))
        self.cwd = self.root / "cwd"
        self.state = self.root / "state"
        for directory in (self.cwd, self.root / "config"):
            directory.mkdir()
        self.account = self.root / "account"  # what the replicas write about themselves
        self.account.touch()
        self.population = Population(f"SLIPWAY_FAULTS={self.root}")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX_", "XDG_"))}
        self.env = {**kept, "SLIPWAY_FAULTS": str(self.root), "ACCOUNT": str(self.account),
                    "XDG_STATE_HOME": str(self.state), "XDG_CONFIG_HOME": str(self.root / "config"),
                    "HOME": str(self.root), "LC_ALL": "C.UTF-8", "TERM": "dumb",
                    "SLURM_CONF": os.devnull}  # so that no command asks a cluster of this machine
        self.gate_fd = None

    # commands --------------------------------------------------------------------------------------------------------

    def start(self, argv, name):
        """Starts a program with files as its streams, so that it never waits for a reader."""
        with open(self.root / f"{name}.out", "wb") as out, open(self.root / f"{name}.err", "wb") as err:
            return subprocess.Popen([str(each) for each in argv], cwd=self.cwd, env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=err)

    def run_command(self, *arguments):
        """Runs a command without a fault to its end; returns (exit status, stdout, stderr)."""
        try:
            done = subprocess.run([self.slipway, *arguments], cwd=self.cwd, env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired as hung:
            raise Hang(f"slipway {' '.join(arguments)} hangs") from hung
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def run_successfully(self, *arguments):
        status, out, err = self.run_command(*arguments)
        if status != 0:
            raise Broken(f"slipway {' '.join(arguments)}: exit status {status}: {err}")
        return out

    def write_app(self, name, *roles, file=None):
        path = self.cwd / (file or f"{name}.json")
        path.write_text(json.dumps({"name": name, "roles": list(roles)}))
        return path

    # the gate --------------------------------------------------------------------------------------------------------

    def gate(self):
        """Makes a FIFO that replicas read from until open_gate()."""
        os.mkfifo(self.cwd / "gate")
        # O_RDWR: opening does not wait for a reader, and replicas see no end of the file.
        self.gate_fd = os.open(self.cwd / "gate", os.O_RDWR | os.O_NONBLOCK)

    def open_gate(self):
        if self.gate_fd is not None:
            os.write(self.gate_fd, b"go\n" * 16)  # each replica reads one line, and no scenario has 16 replicas

    # state -----------------------------------------------------------------------------------------------------------

    def app_dirs(self):
        return sorted(p for p in (self.state / "slipway" / "local").glob("*/*") if not p.name.startswith("."))

    def handles(self):
        return [f"local_cwd://{p.parent.name}/{p.name}" for p in self.app_dirs()]

    def drafts(self):
        return sorted((self.state / "slipway" / "local").glob("*/.new-*"))

    def recorded(self):
        """Returns what the replicas wrote about themselves: [("start" or "end", app id, role/k, pid, exit code)]. The
        code of a start is None."""
        lines = []
        for line in self.account.read_text().splitlines():
            word, app, key, pid, *code = line.split()
            lines.append((word, app, key, int(pid), int(code[0]) if code else None))
        return lines

    def eventually(self, condition, what):
        """Waits until `condition` returns a true value, and returns it. `what` says it in words."""
        end = time.monotonic() + LIMIT_S
        while not (value := condition()):
            if time.monotonic() > end:
                raise Hang(f"never: {what}")
            time.sleep(0.005)
        return value

    def kill_helpers(self):
        for process in find_helpers(self.population.living()):
            if process:
                self.population.kill(process.pid)
        self.eventually(lambda: find_helpers(self.population.living()) == (None, None), "the helpers are dead")

    def mounts(self):
        return [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(self.root) in line]

    def locks(self):
        """Returns the locks on files of this directory: [(path, pid)]."""
        ours = {}
        for path in self.root.rglob("*"):
            info = path.lstat()
            ours[f"{os.major(info.st_dev):02x}:{os.minor(info.st_dev):02x}:{info.st_ino}"] = path
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [(ours[f[5]], f[4]) for f in held if len(f) > 5 and f[5] in ours]

    # the end ---------------------------------------------------------------------------------------------------------

    def end(self, keep=False):
        """Kills all processes of the trial. Deletes its directory unless `keep`."""
        deadline = time.monotonic() + LIMIT_S
        while living := self.population.living():
            if time.monotonic() > deadline:
                print(f"alive after SIGKILL: {list(living.values())}", file=sys.stderr)
                break
            for pid in living:
                self.population.kill(pid)
            time.sleep(0.005)
        if self.gate_fd is not None:
            os.close(self.gate_fd)
        if not keep:
            shutil.rmtree(self.root, ignore_errors=True)
