"""One round: launches a random app, kills at random moments, and then checks the result."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
import traceback
from pathlib import Path

from account import Account
from population import Population, find_helpers
from random_app import RandomApp
from record_check import TERMINAL, journal_violations, record_violations

LEFT_AFTER_S = 20  # no process of an app lives longer than this after its end
NO_SUCH_APP, TIMED_OUT = 66, 124  # exit statuses
HANG_S = 20  # the time in which a command must end
# What a kill hits: `cli` is a command, `both` are warden and supervisor. A repeated name is more probable.
VICTIMS = ("cli", "supervisor", "supervisor", "warden", "both", "both", "successor", "replica", "replica")


class RoundFailed(Exception):
    pass


class Round:
    def __init__(self, seed, tree, actor):
        self.seed, self.rng = seed, random.Random(seed)
        self.slipway = tree / "bin" / "slipway"
        # A short name, because the path of a socket has at most 107 bytes.
        self.root = Path(tempfile.mkdtemp(prefix="slw-chaos-"))
        for name in ("cwd", "account", "config"):
            (self.root / name).mkdir()
        self.population = Population(f"SLIPWAY_CHAOS={self.root}")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX", "XDG_"))}
        self.env = {**kept, "SLIPWAY_CHAOS": str(self.root), "XDG_STATE_HOME": str(self.root / "state"),
                    "XDG_CONFIG_HOME": str(self.root / "config"), "HOME": str(self.root), "LC_ALL": "C.UTF-8",
                    "SLURM_CONF": os.devnull,  # so that no command asks a cluster of this machine
                    # By this name, lease_violations() recognises the leases of the round.
                    "SLIPWAY_LOCAL_LEASE_POOL": self.root.name}
        self.app = RandomApp(self.rng, actor, self.root / "account")
        self.account = Account(self.root / "account")
        self.commands = []
        self.handle = None
        self.helper_kills = 0
        self.killed_launches = 0
        self.events = []  # what the round did, for the report of a failure
        self.started_at = time.monotonic()

    # actions ---------------------------------------------------------------------------------------------------------

    def report(self, what):
        self.events.append(f"{(time.monotonic() - self.started_at) * 1000:8.1f} ms  {what}")

    def start(self, *arguments):
        # The streams are files, because no process reads pipes here, and a full pipe would block the command.
        number = len(self.commands)
        with open(self.root / f"out.{number}", "wb") as out, open(self.root / f"err.{number}", "wb") as err:
            process = subprocess.Popen([self.slipway, *arguments], cwd=self.root / "cwd", env=self.env,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self.commands.append(process)
        self.report(f"slipway {' '.join(arguments)}  [{process.pid}]")
        return process

    def run_command(self, *arguments, allowed=(0,)):
        """Runs a command that must end with one of these exit statuses; None allows all. Returns the result."""
        try:
            done = subprocess.run([self.slipway, *arguments], cwd=self.root / "cwd", env=self.env, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=HANG_S, check=False)
        except subprocess.TimeoutExpired as hung:
            raise RoundFailed(f"slipway {' '.join(arguments)} hangs") from hung
        self.report(f"slipway {' '.join(arguments)}: {done.returncode} "
                  f"{done.stderr.decode(errors='replace').strip()[:300]}")
        if allowed is not None and done.returncode not in allowed:
            raise RoundFailed(f"slipway {' '.join(arguments)}: exit status {done.returncode}: "
                              f"{done.stderr.decode(errors='replace')}")
        return done

    def must_end(self, process):
        """Waits for the end of a command. Fails the round if it takes longer than HANG_S."""
        try:
            process.wait(HANG_S)
        except subprocess.TimeoutExpired as hung:
            living = "\n".join(map(str, self.population.living().values()))
            raise RoundFailed(f"this command does not end: {process.args[1:]}; alive:\n{living}") from hung

    def kill(self, victim):
        """Kills what `victim`, one of VICTIMS, names, unless it has ended."""
        if victim == "successor":
            # Both helpers die, a command starts a successor, and the successor dies during the take-over.
            self.kill("both")
            if self.find_app():
                self.start("status", self.handle)
                time.sleep(self.rng.expovariate(100))  # 10 ms on average
                self.kill(self.rng.choice(("supervisor", "warden", "both")))
            return
        living = self.population.living()
        warden, supervisor = find_helpers(living)
        if victim == "cli":
            process = self.rng.choice(self.commands)
            if process.poll() is None:
                process.kill()
                self.report(f"killed a command  [{process.pid}]")
                # The launch may leave a record without a supervisor. The one that the next command starts for it
                # writes `supervisor replaced` to the journal.
                self.killed_launches += process is self.commands[0]
            return
        if victim == "replica":
            actors = sorted(pid for pid, p in living.items() if p.command[0].endswith("actor"))
            targets = [("a replica's process", living[self.rng.choice(actors)])] if actors else []
        else:
            pair = {"both": [("the warden", warden), ("the supervisor", supervisor)],
                    "warden": [("the warden", warden)],
                    "supervisor": [("the supervisor", supervisor)]}[victim]
            targets = [(what, process) for what, process in pair if process]
            self.rng.shuffle(targets)
        for what, process in targets:
            if self.population.kill(process.pid):
                self.report(f"killed {what}  {process}")
                self.helper_kills += victim != "replica"

    def pause(self):
        time.sleep(self.rng.choice((0, self.rng.expovariate(200), self.rng.expovariate(20), self.rng.random() * 0.4)))

    def disturb(self):
        """Kills processes and starts commands, in random order."""
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 5))):
            self.pause()
            if self.rng.random() < 0.75:
                self.kill(self.rng.choice(VICTIMS))
            elif self.find_app():
                self.start(*self.rng.choice((["status", self.handle], ["wait", self.handle], ["log", "-f", self.handle],
                                             ["list", "--all"], ["log", self.handle], ["cancel", self.handle])))

    def find_app(self):
        """Returns the handle of the app, or None as long as it has no record."""
        if not self.handle:
            found = [p for p in (self.root / "state" / "slipway" / "local").glob("*/*") if not p.name.startswith(".")]
            self.handle = f"local_cwd://{found[0].parent.name}/{found[0].name}" if found else None
        return self.handle

    def launch_and_disturb(self):
        file = self.root / "cwd" / "app.json"
        self.app.write(file)
        options = [part for option in self.app.options for part in ("-c", option)]
        self.start("run", *self.rng.choice((["-d"], ["-d"], ["--no-log"], ["--log"])), *options, str(file))
        self.disturb()
        if self.rng.random() < 0.5 and self.find_app():
            self.start("cancel", *self.rng.choice(([], ["--now"])), self.handle)
            self.disturb()

    def await_end(self):
        """Waits until the app has ended, and cancels it if it takes long."""
        end = time.monotonic() + HANG_S
        while not self.find_app():  # the command is slow, or a kill ended it before the app existed
            if self.commands[0].poll() is not None and not self.find_app():
                return
            if time.monotonic() > end:
                raise RoundFailed("the launch makes no record and does not end")
            time.sleep(0.005)
        if self.rng.random() < 0.5:
            time.sleep(self.rng.random())
        if self.run_command("status", "--json", self.handle, allowed=(0, NO_SUCH_APP)).returncode == NO_SUCH_APP:
            return self.expect_rolled_back_launch()
        waited = self.run_command("wait", "--timeout", "1", self.handle, allowed=None).returncode
        if waited == NO_SUCH_APP:  # the launch had not failed yet at the first look
            return self.expect_rolled_back_launch()
        if waited == TIMED_OUT:
            self.run_command("cancel", self.handle)
        # The command ends before run_command() reports that it hangs.
        done = self.run_command("wait", "--timeout", str(HANG_S - 10), self.handle, allowed=None)
        last = done.stdout.decode().split()
        if not last or last[-1] not in TERMINAL:
            raise RoundFailed("the app does not end")

    def expect_rolled_back_launch(self):
        """Checks a launch whose helpers both died before they confirmed it. Its command must report that, and no
        replica may have started."""
        self.must_end(self.commands[0])
        said = (self.root / "err.0").read_text(errors="replace")
        reported = self.commands[0].returncode != 0 and "died before it was ready" in said
        if not reported or self.account.any_replica_started():
            raise RoundFailed(f"the record of the app is gone, but its command printed {said!r}")
        self.handle = None

    # checks ----------------------------------------------------------------------------------------------------------

    def check(self):
        violations = self.stray_violations()
        for process in self.commands:
            self.must_end(process)
        if self.find_app():
            violations += self.app_violations()
        violations += self.lock_violations() + self.mount_violations() + self.lease_violations()
        if violations:
            raise RoundFailed("\n".join(violations))

    def stray_violations(self):
        """Returns the processes that still live LEFT_AFTER_S after the end of the app."""
        end = time.monotonic() + LEFT_AFTER_S
        while True:
            commands = {p.pid for p in self.commands}
            strays = [p for pid, p in self.population.living().items() if pid not in commands]
            if not strays or time.monotonic() > end:
                return [f"still alive: {p}" for p in strays]
            time.sleep(0.02)

    def app_violations(self):
        """Returns what is wrong in the status, the list, the journal and the logs of the app."""
        first = self.run_command("status", "--json", self.handle).stdout
        status = json.loads(first)
        self.report(first.decode())
        # After one kill, the other helper supervises the app.
        violations = record_violations(status, self.account, self.helper_kills > 1)
        if self.run_command("status", "--json", self.handle).stdout != first:
            violations.append("two calls of status differ")
        listed = json.loads(self.run_command("list", "--all", "--json").stdout)
        if [a["handle"] for a in listed["apps"]] != [self.handle] or listed["errors"]:
            violations.append(f"list printed {listed}")
        json.loads(self.run_command("describe", "--json", self.handle).stdout)
        self.run_command("log", self.handle)
        _, _, session, app_id = self.handle.split("/")
        directory = self.root / "state" / "slipway" / "local" / session / app_id
        violations += journal_violations(directory / "events.log", self.helper_kills + self.killed_launches)
        if list(directory.glob("ctl.sock*")):
            violations.append("the control socket still exists")
        for role in self.app.roles:
            width = int(next(a for a in role["args"] if a.startswith("width=")).partition("=")[2])
            for k in range(role["num_replicas"]):
                key, log = f"{role['name']}.{k}", directory / "logs" / role["name"] / str(k)
                violations += [f"{key}: {violation}" for violation in self.account.log_violations(key, log, width)]
        return violations

    def lock_violations(self):
        """Returns the locks on files of the round; none may be left."""
        ours = {}
        for path in self.root.rglob("*"):
            info = path.lstat()
            ours[f"{os.major(info.st_dev):02x}:{os.minor(info.st_dev):02x}:{info.st_ino}"] = path
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [f"still locked: {ours[f[5]]} by {f[4]}" for f in held if len(f) > 5 and f[5] in ours]

    def mount_violations(self):
        return [f"still mounted: {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines()
                if str(self.root) in line]

    def lease_violations(self):
        """Returns the leases on ports of the round; the ports of an app that has ended are free."""
        return [f"still leased: {line}" for line in Path("/proc/net/unix").read_text(errors="replace").splitlines()
                if f"@slipway/{self.root.name}/" in line]

    # the end ---------------------------------------------------------------------------------------------------------

    def run(self):
        """Runs the round, and ends all of its processes. Raises RoundFailed, and then keeps the directory."""
        try:
            self.launch_and_disturb()
            self.await_end()
            self.check()
        except RoundFailed:
            self.end_all()
            raise
        except Exception as error:  # the checks could not read what a command printed
            self.end_all()
            raise RoundFailed(traceback.format_exc()) from error
        except BaseException:  # ^C
            self.end_all()
            shutil.rmtree(self.root, ignore_errors=True)
            raise
        self.end_all()
        shutil.rmtree(self.root)

    def end_all(self):
        deadline = time.monotonic() + HANG_S
        while living := self.population.living():
            if time.monotonic() > deadline:
                self.report(f"alive after SIGKILL: {list(living.values())}")
                return
            for pid in living:
                self.population.kill(pid)
            time.sleep(0.005)
        for process in self.commands:
            process.wait()
