"""Runs one scenario with one fault in it, and checks the result."""

import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import errors
from home import LIMIT_S, PATIENCE_S, Broken, Hang, Home

# The exit statuses that core/docs/cli.md lists. The scenarios add those of their apps.
DOCUMENTED = {64, 65, 66, 69, 70, 73, 75, 77, 78, 124, 126, 127, 130}
KILLED = 137  # as a shell reports the exit status of a killed command
TERMINAL = {"SUCCEEDED", "FAILED", "CANCELLED"}
# The C library ends a process that has no memory for a new thread's data with one of these messages.
NO_THREAD_DATA = ("cannot allocate memory for thread-local data", "failed to register TLS destructor")


@dataclass(frozen=True)
class Fault:
    """`part` is a part of Slipway (injector/process_part.hpp), and `instance` counts its processes from 0. `calls` is a
    call's name, or empty for all calls; `at` counts these calls of the process from 1. `act` is a kill (`before`,
    `after`, or `both`, of supervisor and warden), the name of an error, or that name with a `+`, which also fails later
    calls."""
    scenario: str
    part: str
    instance: int
    calls: str
    at: int
    act: str

    def __str__(self):
        return f"{self.scenario}:{self.part}:{self.instance}:{self.calls or '*'}:{self.at}:{self.act}"

    @staticmethod
    def parse(text):
        scenario, part, instance, calls, at, act = text.split(":")
        return Fault(scenario, part, int(instance), "" if calls == "*" else calls, int(at), act)

    @property
    def kills(self):
        return self.act in ("before", "after", "both")

    @property
    def lasts(self):
        return self.act.endswith("+")

    @property
    def is_shortage(self):
        return self.act.rstrip("+") in errors.SHORTAGE

    def options(self):
        out = ["--part", f"{self.part}:{self.instance}", "--at", str(self.at)]
        if self.calls:
            out += ["--calls", self.calls]
        if self.kills:
            out += ["--kill", "after" if self.act == "after" else "before"]
            return out + ["--also-warden"] if self.act == "both" else out
        out += ["--fail", str(errors.number(self.act.rstrip("+")))]
        return out + ["--from-then-on"] if self.lasts else out


class Outcome:
    """The result of the command under the fault. `status` is the exit status as in a shell, or None if the injector did
    not see the end. `hits` are (part, call) of each injected fault; `calls` are (part, instance, call, subject)."""

    def __init__(self, home, report):
        self.status, self.hits, self.calls = None, [], []
        for line in report:
            word, *rest = line.split()
            if word == "command":
                self.status = int(rest[0])
            elif word == "hit":
                self.hits.append((rest[0], rest[3]))
            elif word == "call":
                self.calls.append((rest[0], int(rest[1]), rest[2], rest[3]))
        self.out = (home.root / "command.out").read_text(errors="replace")
        self.err = (home.root / "command.err").read_text(errors="replace")

    def __str__(self):
        return f"exit status {self.status}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


class NotPermitted(Exception):
    pass


class Trial:
    def __init__(self, scenario, fault, tree, injector, base):
        self.scenario, self.fault, self.injector = scenario, fault, injector
        self.home = Home(tree, base)
        self.outcome = None

    def run(self):
        """Returns (the list of violations, whether the fault was injected)."""
        try:
            self.scenario.prepare(self.home)
            self.run_command()
            return self.judge(), bool(self.outcome.hits)
        except Broken as broken:
            return [str(broken)], True
        except Hang as hang:
            living = "\n".join(map(str, self.home.population.living().values()))
            return [f"{hang}; alive:\n{living}"], True

    def end(self, keep=False):
        self.home.end(keep)

    # the run under the fault -----------------------------------------------------------------------------------------

    def run_command(self):
        """Runs the command of the scenario under the injector, and sets `outcome`."""
        report = self.home.root / "report"
        options = self.fault.options() if self.fault else []
        argv = [self.injector, "--report", report, *options, "--", *self.scenario.command(self.home)]
        injector = self.home.start(argv, "command")
        try:
            self.await_command(injector, report)
            self.scenario.release(self.home)
            self.await_injector(injector)
        finally:
            injector.kill()
            injector.wait()
        self.outcome = Outcome(self.home, report.read_text().splitlines())
        if injector.returncode == 77:
            raise NotPermitted((self.home.root / "command.err").read_text())

    def await_command(self, injector, report):
        """Waits for the command. If a lasting error keeps the command waiting, cancels its app.

        If the error also hides the app's end from the command, interrupts the command."""
        # The steps follow after one, two and three times PATIENCE_S.
        # The report has the line `command STATUS` once the command has ended.
        begun, steps = time.monotonic(), [self.cancel_all, *[lambda: self.interrupt(injector)] * 2]
        while injector.poll() is None and "\ncommand " not in "\n" + self._text_of(report):
            waited = time.monotonic() - begun
            if self.fault and self.fault.lasts and steps and waited > PATIENCE_S * (4 - len(steps)):
                steps.pop(0)()
            if waited > LIMIT_S:
                raise Hang("the command under the fault hangs")
            time.sleep(0.002)

    def interrupt(self, injector):
        """Sends SIGINT to a command that has printed that it waits for its scheduler."""
        printed = self._text_of(self.home.root / "command.err")
        if not any(words in printed for words in ("; waiting until it does", "; `log` tries again every second")):
            return
        (command,) = Path(f"/proc/{injector.pid}/task/{injector.pid}/children").read_text().split()
        os.kill(int(command), signal.SIGINT)

    def await_injector(self, injector):
        """Waits until the injector has ended. Cancels an app that keeps it waiting."""
        begun, cancelled = time.monotonic(), False
        while injector.poll() is None:
            waited = time.monotonic() - begun
            if waited > PATIENCE_S and not cancelled:
                cancelled = True
                self.cancel_all()
            if waited > LIMIT_S:
                raise Hang("an app does not end, and cannot be cancelled")
            time.sleep(0.002)

    def cancel_all(self):
        for handle in self.home.handles():
            self.home.run_command("cancel", "--now", handle)

    @staticmethod
    def _text_of(path):
        return path.read_text() if path.exists() else ""

    # checks ----------------------------------------------------------------------------------------------------------

    def judge(self):
        wrong = self.command_violations()
        wrong += self.scenario.judge(self.home, self.outcome)
        for handle in self.home.handles():
            wrong += self.app_violations(handle)
        wrong += self.left_over()
        return wrong

    def command_violations(self):
        status, hit = self.outcome.status, self.outcome.hits
        if status is None:
            return ["the injector did not see the command end"]
        # The fault killed the command, or killed its replica before the replica executed its program.
        if status == KILLED and hit and self.fault.kills and self.fault.part in ("command", "child"):
            return []
        if status in self.scenario.usual or any(words in self.outcome.err for words in NO_THREAD_DATA):
            return []
        if status not in DOCUMENTED:
            return [f"the exit status {status} is not documented"]
        if status in (126, 127) and self.fault and self.fault.part != "command" and self.fault.is_shortage:
            return [f"a temporary shortage failed the app instead of delaying it: exit status {status}"]
        if self.scenario.app_must_exist and "there is no app" in self.outcome.err:
            return [f"the app exists, but the command printed: {self.outcome.err}"]
        # The fault may have hit the write of the message itself.
        silenced = any(call in ("write", "writev") for _, call in hit)
        return [] if self.outcome.err.strip() or silenced else [f"exit status {status} without a message"]

    def app_violations(self, handle):
        status, _, err = self.home.run_command("wait", "--timeout", str(PATIENCE_S), handle)
        if status == 124:
            self.home.run_command("cancel", "--now", handle)
            status, _, err = self.home.run_command("wait", "--timeout", str(LIMIT_S // 2), handle)
        if status == 124:
            return [f"{handle} does not end"]
        if status == 66 and handle not in self.home.handles():
            return []  # the app was removed since judge() listed it, because its launch failed
        code, out, err = self.home.run_command("status", "--json", handle)
        if code != 0:
            # After an error, a part that could not be written may be reported as damage.
            reported = code == 65 and "damaged" in err and not (self.fault and self.fault.kills)
            return [] if reported else [f"status: exit status {code}: {err}"]
        document = json.loads(out)
        wrong = [] if document["state"] in TERMINAL else [f"`wait` has returned, but the app is {document['state']}"]
        if (status == 0) != (document["state"] == "SUCCEEDED"):
            wrong.append(f"wait: exit status {status}, but the app is {document['state']}")
        # An error may hide the end of a replica from the supervisor; a kill of one helper must not.
        is_hidden = self.fault and (not self.fault.kills or self.fault.act == "both")
        may_be_lost = is_hidden or self.scenario.unwatched
        return wrong + replica_violations(document, self.home.recorded(), may_be_lost)

    def left_over(self):
        """Returns what is left after the end of the apps, also after the run of another one."""
        home, wrong = self.home, []
        try:
            home.eventually(lambda: not home.population.living(), "no process is left")
        except Hang:
            wrong += [f"still alive: {p}" for p in home.population.living().values()]
        before = home.handles()
        home.write_app("next", {"name": "n", "image": ".", "entrypoint": "/bin/true", "args": []})
        status, _, err = home.run_command("run", "next.json")
        if status != 0:
            wrong.append(f"the next run: exit status {status}: {err}")
        home.eventually(lambda: not home.population.living(), "the next run leaves no process")
        for handle in before:  # a query removes the remains of a helper that was killed just before its end
            home.run_command("status", handle)
        wrong += [f"a draft is left: {p.name}" for p in home.drafts()]
        wrong += [f"a socket is left: {p}" for d in home.app_dirs() for p in d.glob("ctl.sock*")]
        # An exiting process loses its environment before it closes its files, so living() may miss it.
        try:
            home.eventually(lambda: not home.locks(), "no lock is left")
        except Hang:
            wrong += [f"still locked: {path} by {pid}" for path, pid in home.locks()]
        wrong += [f"still mounted: {line}" for line in home.mounts()]
        status, out, err = home.run_command("list", "--all", "--json")
        listed = [app["handle"] for app in json.loads(out)["apps"]] if status == 0 else []
        missing = [handle for handle in before if handle not in listed]
        if status != 0 or missing:
            wrong.append(f"list: exit status {status}, without {missing}: {err}")
        return wrong


def replica_violations(document, recorded, may_be_lost):
    """Returns the contradictions between a status and what the replicas recorded."""
    wrong, known = [], set()
    mine = [entry for entry in recorded if entry[1] == document["app_id"]]
    ends = {pid: (key, code) for word, _, key, pid, code in mine if word == "end"}
    for role in document["roles"]:
        for replica in role["replicas"]:
            key = f"{role['role']}/{replica['id']}"
            for attempt in replica.get("attempts") or [replica]:
                known.add(attempt["pid"])
                wrong += [f"{key}: {fault}"
                          for fault in _attempt_violations(attempt, ends.get(attempt["pid"]), may_be_lost)]
    # The app's message names an attempt that could not be recorded.
    reported = "is missing in the record" in (document["msg"] or "")
    for word, _, key, pid, _ in mine:
        if word == "start" and pid not in known and not reported:
            wrong.append(f"{key}: started as {pid}, but not recorded")
    states = [replica["state"] for role in document["roles"] for replica in role["replicas"]]
    if document["state"] == "SUCCEEDED" and set(states) != {"SUCCEEDED"}:
        wrong.append(f"the app is SUCCEEDED, but its replicas are {states}")
    return wrong


def _attempt_violations(attempt, own, may_be_lost):
    """As replica_violations(), for one attempt. `own` is (replica, exit code) as the attempt itself recorded its end,
    or None if it did not."""
    state, reason, code = attempt["state"], attempt["reason"], attempt["exit_code"]
    what = f"{state} {reason} exit_code={code} signal={attempt['signal']} pid={attempt['pid']}, its own end: {own}"
    if state == "SUCCEEDED" and (own is None or own[1] != 0):
        return [f"differs from the replica's own end: {what}"]
    if reason == "exit" and (own is None or own[1] != code):
        return [f"differs from the replica's own end: {what}"]
    if reason == "lost" and not may_be_lost:
        return [f"lost, although one helper lived: {what}"]
    return []
