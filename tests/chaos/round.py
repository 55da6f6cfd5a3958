"""One round: a random app, random kills at random moments, then the reckoning."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from account import Account
from population import Population, watchers
from random_app import RandomApp
from record_check import journal_faults, record_faults

LEFT_AFTER_S = 20  # nothing of an app lives longer than this after its end
NO_SUCH_APP = 66
HANG_S = 20       # bounds against hanging for ever
VICTIMS = ("cli", "supervisor", "supervisor", "warden", "both", "both", "successor", "replica", "replica")


class RoundFailed(Exception):
    pass


class Round:
    def __init__(self, seed, tree, actor):
        self.seed, self.rng = seed, random.Random(seed)
        self.slipway = tree / "bin" / "slipway"
        # short: a socket's path may have 107 bytes
        self.root = Path(tempfile.mkdtemp(prefix="slw-chaos-"))
        for name in ("cwd", "record", "config"):
            (self.root / name).mkdir()
        self.population = Population(f"SLIPWAY_CHAOS={self.root}")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLIPWAY_", "TORCHX_", "XDG_"))}
        self.env = {**kept, "SLIPWAY_CHAOS": str(self.root), "XDG_STATE_HOME": str(self.root / "state"),
                    "XDG_CONFIG_HOME": str(self.root / "config"), "HOME": str(self.root), "LC_ALL": "C.UTF-8",
                    "SLURM_CONF": os.devnull}
        self.app = RandomApp(self.rng, actor, self.root / "record")
        self.account = Account(self.root / "record")
        self.commands = []
        self.handle = None
        self.watcher_kills = 0
        self.launches_cut = 0
        self.story = []  # what was done, for a failure's report
        self.born = time.monotonic()

    # doing -----------------------------------------------------------------------------------------------------------

    def tell(self, what):
        self.story.append(f"{(time.monotonic() - self.born) * 1000:8.1f} ms  {what}")

    def start(self, *arguments):
        # Streams into files: nobody is there to read, and nobody may block on that.
        number = len(self.commands)
        with open(self.root / f"out.{number}", "wb") as out, open(self.root / f"err.{number}", "wb") as err:
            process = subprocess.Popen([self.slipway, *arguments], cwd=self.root / "cwd", env=self.env,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self.commands.append(process)
        self.tell(f"slipway {' '.join(arguments)}  [{process.pid}]")
        return process

    def ask(self, *arguments, allowed=(0,)):
        """A command that must end, with one of these exit statuses."""
        try:
            done = subprocess.run([self.slipway, *arguments], cwd=self.root / "cwd", env=self.env, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=HANG_S, check=False)
        except subprocess.TimeoutExpired as hung:
            raise RoundFailed(f"slipway {' '.join(arguments)} hangs") from hung
        self.tell(f"slipway {' '.join(arguments)}: {done.returncode} "
                  f"{done.stderr.decode(errors='replace').strip()[:300]}")
        if allowed is not None and done.returncode not in allowed:
            raise RoundFailed(f"slipway {' '.join(arguments)}: exit status {done.returncode}: "
                              f"{done.stderr.decode(errors='replace')}")
        return done

    def must_end(self, process):
        try:
            process.wait(HANG_S)
        except subprocess.TimeoutExpired as hung:
            living = "\n".join(map(str, self.population.living().values()))
            raise RoundFailed(f"this command does not end: {process.args[1:]}; there live\n{living}") from hung

    def strike(self, victim):
        if victim == "successor":
            # Both die, somebody asks, and who takes over dies while it does.
            self.strike("both")
            if self.find_app():
                self.start("status", self.handle)
                time.sleep(self.rng.expovariate(100))
                self.strike(self.rng.choice(("supervisor", "warden", "both")))
            return
        living = self.population.living()
        warden, supervisor = watchers(living)
        if victim == "cli":
            process = self.rng.choice(self.commands)
            if process.poll() is None:
                process.kill()
                self.tell(f"killed a command  [{process.pid}]")
                # It may have left a record that nobody supervises yet.
                self.launches_cut += process is self.commands[0]
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
                self.tell(f"killed {what}  {process}")
                self.watcher_kills += victim != "replica"

    def pause(self):
        time.sleep(self.rng.choice((0, self.rng.expovariate(200), self.rng.expovariate(20), self.rng.random() * 0.4)))

    def molest(self):
        """Kills and questions, in any order."""
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 5))):
            self.pause()
            if self.rng.random() < 0.75:
                self.strike(self.rng.choice(VICTIMS))
            elif self.find_app():
                self.start(*self.rng.choice((["status", self.handle], ["wait", self.handle], ["log", "-f", self.handle],
                                             ["list", "--all"], ["log", self.handle], ["cancel", self.handle])))

    def find_app(self):
        if not self.handle:
            found = [p for p in (self.root / "state" / "slipway" / "local").glob("*/*") if not p.name.startswith(".")]
            self.handle = f"local_cwd://{found[0].parent.name}/{found[0].name}" if found else None
        return self.handle

    def play(self):
        file = self.root / "cwd" / "app.json"
        self.app.write(file)
        options = [part for option in self.app.options for part in ("-c", option)]
        self.start("run", *self.rng.choice((["-d"], ["-d"], ["--no-log"], ["--log"])), *options, str(file))
        self.molest()
        if self.rng.random() < 0.5 and self.find_app():
            self.start("cancel", *self.rng.choice(([], ["--now"])), self.handle)
            self.molest()

    def settle(self):
        """To the end of the app, by its own or by a cancel."""
        while not self.find_app():  # it is slow, or was killed before there was an app
            if self.commands[0].poll() is not None and not self.find_app():
                return
            time.sleep(0.005)
        if self.rng.random() < 0.5:
            time.sleep(self.rng.random())
        if self.ask("status", "--json", self.handle, allowed=(0, NO_SUCH_APP)).returncode == NO_SUCH_APP:
            return self.taken_back()
        if self.ask("wait", "--timeout", "1", self.handle, allowed=None).returncode == 124:
            self.ask("cancel", self.handle)
        if self.ask("wait", "--timeout", str(HANG_S - 10), self.handle, allowed=None).returncode == 124:
            raise RoundFailed("the app does not end")

    def taken_back(self):
        """Both watchers died before they had taken the app over: its command says so, and nothing of it was started."""
        self.must_end(self.commands[0])
        said = (self.root / "err.0").read_text(errors="replace")
        if self.commands[0].returncode == 0 or "died before it took over" not in said or self.account.started():
            raise RoundFailed(f"the app is gone, and its command said {said!r}")
        self.handle = None

    # the reckoning ---------------------------------------------------------------------------------------------------

    def check(self):
        faults = self.stray_faults()
        for process in self.commands:
            self.must_end(process)
        if self.find_app():
            faults += self.app_faults()
        faults += self.lock_faults() + self.mount_faults()
        if faults:
            raise RoundFailed("\n".join(faults))

    def stray_faults(self):
        end = time.monotonic() + LEFT_AFTER_S
        while True:
            commands = {p.pid for p in self.commands}
            strays = [p for pid, p in self.population.living().items() if pid not in commands]
            if not strays or time.monotonic() > end:
                return [f"still alive: {p}" for p in strays]
            time.sleep(0.02)

    def app_faults(self):
        first = self.ask("status", "--json", self.handle).stdout
        status = json.loads(first)
        self.tell(first.decode())
        faults = record_faults(status, self.account, self.watcher_kills > 1)
        if self.ask("status", "--json", self.handle).stdout != first:
            faults.append("a second status differs")
        listed = json.loads(self.ask("list", "--all", "--json").stdout)
        if [a["handle"] for a in listed["apps"]] != [self.handle] or listed["errors"]:
            faults.append(f"list says {listed}")
        json.loads(self.ask("describe", "--json", self.handle).stdout)
        self.ask("log", self.handle)
        _, _, session, app_id = self.handle.split("/")
        directory = self.root / "state" / "slipway" / "local" / session / app_id
        faults += journal_faults(directory / "events.log", self.watcher_kills + self.launches_cut)
        if list(directory.glob("ctl.sock*")):
            faults.append("the socket is still there")
        for role in self.app.roles:
            width = int(next(a for a in role["args"] if a.startswith("width=")).partition("=")[2])
            for k in range(role["num_replicas"]):
                key, log = f"{role['name']}.{k}", directory / "logs" / role["name"] / str(k)
                faults += [f"{key}: {fault}" for fault in self.account.log_faults(key, log, width)]
        return faults

    def lock_faults(self):
        """No lock is left on any file of the round: neither the app's nor a lease."""
        ours = {}
        for path in self.root.rglob("*"):
            info = path.lstat()
            ours[f"{os.major(info.st_dev):02x}:{os.minor(info.st_dev):02x}:{info.st_ino}"] = path
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [f"still locked: {ours[f[5]]} by {f[4]}" for f in held if len(f) > 5 and f[5] in ours]

    def mount_faults(self):
        return [f"still mounted: {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines()
                if str(self.root) in line]

    # the end ---------------------------------------------------------------------------------------------------------

    def run(self):
        """Raises RoundFailed; then the directory stays for a look at it. Processes never stay."""
        try:
            self.play()
            self.settle()
            self.check()
        except RoundFailed:
            self.end_all()
            raise
        except BaseException:
            self.end_all()
            shutil.rmtree(self.root, ignore_errors=True)
            raise
        self.end_all()
        shutil.rmtree(self.root)

    def end_all(self):
        while living := self.population.living():
            for pid in living:
                self.population.kill(pid)
            for process in self.commands:
                process.wait()
