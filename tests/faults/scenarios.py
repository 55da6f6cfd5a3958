"""The commands that run under a fault, and what must be true if a command reports success."""

import json
import signal

from home import Broken

# Each replica writes its start and its end to its account, a file that Slipway does not know.
_REPLICA = """echo "start $0 $$" >>"$ACCOUNT"
echo "a line of $0"
{work}
echo "end $0 $$ {code}" >>"$ACCOUNT"
exit {code}"""


def role(name, code=0, work=":", **fields):
    """Returns a role that exits with `code`, a number or a shell expression. `fields` are its other fields."""
    # `$$` in an app file is a dollar sign. The last argument is `$0` of the script: app id and replica.
    script = _REPLICA.format(work=work, code=code).replace("$$", "$$$$")
    return {"name": name, "image": ".", "entrypoint": "/bin/sh",
            "args": ["-c", script, "${app_id} " + name + "/${replica_id}"], **fields}


class Scenario:
    """A scenario. `parts` are the processes that get faults (README.md); `usual` are the exit statuses that are right,
    with or without a fault."""
    name = ""
    parts = ("command",)
    usual = {0}
    app_must_exist = False  # the command must not say that there is no app
    unwatched = False  # the app has no helper for a while even without a fault

    def prepare(self, home):
        raise NotImplementedError

    def command(self, home):
        raise NotImplementedError

    def release(self, home):
        """Runs when the command has ended, before judge()."""

    def judge(self, home, outcome):
        """Returns the false claims of the command, as a list of sentences."""
        return []


# The parts that the command starts, directly or indirectly.
STARTED_PARTS = ("spawn", "starter", "warden", "supervisor", "child")


class Run(Scenario):
    """A foreground run whose app fails with 7."""
    name, parts, usual = "run", ("command", *STARTED_PARTS), {7}
    options = ()
    roles = (role("good"), role("bad", 7))

    def prepare(self, home):
        home.write_app("app", *self.roles)

    def command(self, home):
        return [home.slipway, "run", *self.options, "app.json"]

    def judge(self, home, outcome):
        return [] if outcome.status != 0 else [f"exit status 0, but the app cannot have succeeded: {outcome}"]


class RunWell(Run):
    """A foreground run whose app succeeds."""
    name, parts, usual = "run-well", STARTED_PARTS, {0}
    roles = (role("good", num_replicas=2),)

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        ended = sorted(key for word, _, key, _, code in home.recorded() if word == "end" and code == 0)
        return [] if ended == ["good/0", "good/1"] else [f"exit status 0, but the replicas that succeeded are {ended}"]


class RunDetached(Run):
    name, usual = "run-detached", {0}
    options = ("-d",)

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        handle = outcome.out.strip()
        if handle not in home.handles():
            return [f"exit status 0, but there is no app {handle!r}"]
        status, _, _ = home.run_command("wait", handle)
        return [] if status != 0 else ["wait: exit status 0, but the app cannot have succeeded"]


class Retries(Run):
    """A replica that fails twice and then succeeds."""
    # 3 also, since a child that is killed before its program runs uses up an attempt
    name, parts, usual = "retries", STARTED_PARTS, {0, 3}
    options = ("-c", "backoff=initial:0.01;jitter:0")
    # `n` is the number of the attempt: the account has a line for each start.
    roles = (role("again", "$((n < 3 ? 3 : 0))", 'n=$(grep -c "^start $0 " "$ACCOUNT")', max_retries=2,
                  retry_policy="REPLICA"),)

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        codes = [code for word, _, _, _, code in home.recorded() if word == "end"]
        return [] if codes and codes[-1] == 0 else [f"exit status 0, but the attempts ended with {codes}"]


class AppRetries(Retries):
    """As Retries, but each retry restarts the whole app."""
    name = "app-retries"
    roles = (role("beside"), role("again", "$((n < 3 ? 3 : 0))", 'n=$(grep -c "^start $0 " "$ACCOUNT")', max_retries=2,
                                  retry_policy="APPLICATION"))


class DependsOn(Run):
    """A role that waits for another to succeed."""
    name, parts = "depends-on", STARTED_PARTS
    roles = (role("first"), role("second", 7, metadata={"local.depends_on": {"first": "succeeded"}}))

    def judge(self, home, outcome):
        order = [(word, key) for word, _, key, _, _ in home.recorded()]
        wrong = super().judge(home, outcome)
        started, needed = ("start", "second/0"), ("end", "first/0")
        if started in order and (needed not in order or order.index(needed) > order.index(started)):
            wrong.append(f"the second role did not wait for the first: {order}")
        return wrong


class Ports(Run):
    """A role that gets a free port, which is leased."""
    name = "ports"
    roles = (role("served", 7, 'test "$SLIPWAY_PORT_HTTP" -gt 0 || exit 99', port_map={"http": 0}, num_replicas=2),)


class OfFinished(Scenario):
    """A command about two apps that have ended, of which the first failed with 7."""
    app_must_exist = True

    def prepare(self, home):
        home.write_app("app", role("good"), role("bad", 7))
        status, _, err = home.run_command("run", "app.json")
        if status != 7:
            raise Broken(f"run: exit status {status}: {err}")
        home.handle = home.handles()[0]
        home.write_app("other", role("well"))
        home.run_successfully("run", "other.json")
        home.finished_handles = home.handles()


class Status(OfFinished):
    name = "status"

    def command(self, home):
        return [home.slipway, "status", "--json", home.handle]

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        document = json.loads(outcome.out)
        codes = [replica["exit_code"] for each in document["roles"] for replica in each["replicas"]]
        good = document["state"] == "FAILED" and codes == [0, 7]
        return [] if good else [f"exit status 0, but a wrong answer: {outcome}"]


def reports_gap(document):
    """Returns whether a list reports that apps of the local scheduler may be missing. An error without a scheduler is
    about a manifest."""
    return any(each["scheduler"] is None or each["scheduler"].startswith("local") for each in document["errors"])


class List(OfFinished):
    name = "list"

    def command(self, home):
        return [home.slipway, "list", "--all", "--json"]

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        document = json.loads(outcome.out)
        listed = sorted(app["handle"] for app in document["apps"])
        complete = listed == sorted(home.finished_handles) or reports_gap(document)
        return [] if complete else [f"exit status 0, but the list is not complete: {outcome}"]


class Wait(OfFinished):
    name, usual = "wait", {7}

    def command(self, home):
        return [home.slipway, "wait", home.handle]

    def judge(self, home, outcome):
        return [f"exit status 0, but the app has failed: {outcome}"] if outcome.status == 0 else []


class Log(OfFinished):
    name = "log"

    def command(self, home):
        return [home.slipway, "log", home.handle]

    def judge(self, home, outcome):
        lines = sorted(outcome.out.splitlines())
        app = home.handle.rpartition("/")[2]
        expected = [f"bad/0 a line of {app} bad/0", f"good/0 a line of {app} good/0"]
        return [f"exit status 0, but lines are missing: {outcome}"] if outcome.status == 0 and lines != expected else []


class Describe(OfFinished):
    name = "describe"

    def command(self, home):
        return [home.slipway, "describe", "--json", home.handle]

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        roles = [each["name"] for each in json.loads(outcome.out)["roles"]]
        return [] if roles == ["good", "bad"] else [f"exit status 0, but a wrong answer: {outcome}"]


class Delete(OfFinished):
    name, app_must_exist = "delete", False

    def command(self, home):
        return [home.slipway, "delete", home.handle]

    def judge(self, home, outcome):
        if outcome.status == 0 and home.handle in home.handles():
            return ["exit status 0, but the app is still there"]
        if home.handle not in home.handles():
            return []
        # The next command completes an interrupted deletion.
        status, _, err = home.run_command("delete", home.handle)
        return [] if status == 0 and home.handle not in home.handles() else [f"the next delete: {status}: {err}"]


class Rerun(OfFinished):
    name, parts, usual = "rerun", ("command", "spawn"), {7}

    def command(self, home):
        return [home.slipway, "rerun", home.handle]

    def judge(self, home, outcome):
        return [f"exit status 0, but the app cannot have succeeded: {outcome}"] if outcome.status == 0 else []


class OfRunning(Scenario):
    """A command about an app that runs until its gate is opened, and then fails with 7."""
    app_must_exist = True
    work = "read go <gate"

    def prepare(self, home):
        home.gate()
        home.write_app("app", role("held", 7, self.work))
        home.run_successfully("run", "-d", "app.json")
        home.handle = home.handles()[0]
        home.eventually(lambda: any(word == "start" for word, *_ in home.recorded()), "the replica has started")

    def release(self, home):
        home.open_gate()

    def violations_of_undisturbed_app(self, home):
        """Returns violations unless the app ends with 7 and its replica has started once."""
        status, _, err = home.run_command("wait", home.handle)
        starts = [entry for entry in home.recorded() if entry[0] == "start"]
        if status != 7 or len(starts) != 1:
            return [f"the command disturbed the app: wait: exit status {status}, {starts}, {err}"]
        return []


class StatusOfRunning(OfRunning):
    name = "status-of-running"

    def command(self, home):
        return [home.slipway, "status", "--json", home.handle]

    def judge(self, home, outcome):
        wrong = self.violations_of_undisturbed_app(home)
        if outcome.status == 0 and json.loads(outcome.out)["state"] != "RUNNING":
            wrong.append(f"exit status 0, but a wrong answer: {outcome}")
        return wrong


class ListOfRunning(OfRunning):
    name = "list-of-running"

    def command(self, home):
        return [home.slipway, "list", "--json"]

    def judge(self, home, outcome):
        wrong = self.violations_of_undisturbed_app(home)
        if outcome.status == 0:
            document = json.loads(outcome.out)
            apps = [(app["handle"], app["state"]) for app in document["apps"]]
            if apps != [(home.handle, "RUNNING")] and not reports_gap(document):
                wrong.append(f"exit status 0, but a wrong answer: {outcome}")
        return wrong


class WaitOfRunning(OfRunning):
    name, usual = "wait-of-running", {124}

    def command(self, home):
        return [home.slipway, "wait", "--timeout", "0.05", home.handle]

    def judge(self, home, outcome):
        wrong = self.violations_of_undisturbed_app(home)
        return wrong + [f"exit status 0, but the app ran: {outcome}"] if outcome.status == 0 else wrong


class Follow(Scenario):
    """A reader of the logs of an app that runs on for a moment."""
    name = "follow"
    app_must_exist = True

    def prepare(self, home):
        home.write_app("app", role("slow", 7, "sleep 0.4; echo the last line"))
        home.run_successfully("run", "-d", "app.json")
        home.handle = home.handles()[0]

    def command(self, home):
        return [home.slipway, "log", "-f", home.handle]

    def judge(self, home, outcome):
        lines = outcome.out.splitlines()
        expected = [f"a line of {home.handle.rpartition('/')[2]} slow/0", "the last line"]
        return [f"exit status 0, but lines are missing: {outcome}"] if outcome.status == 0 and lines != expected else []


class Cancel(OfRunning):
    """The cancelled replica ends some time after SIGTERM, to notice a command that does not wait for its end."""
    name, usual = "cancel", {0}
    work = "trap 'sleep 0.2; exit 7' TERM; read go <gate"

    def command(self, home):
        return [home.slipway, "cancel", home.handle]

    def release(self, home):
        """Keeps the gate shut, so that an app that was not cancelled still runs."""

    def judge(self, home, outcome):
        _, out, _ = home.run_command("status", "--json", home.handle)
        state = json.loads(out)["state"]
        if outcome.status == 0 and state == "RUNNING":
            return ["exit status 0, but the app is RUNNING"]
        if state == "RUNNING":
            home.run_successfully("cancel", home.handle)
        return []


class Signal(OfRunning):
    """The replica ends by the signal, as it has no handler."""
    name, usual = "signal", {0}

    def command(self, home):
        return [home.slipway, "signal", home.handle, "USR1"]

    def release(self, home):
        """Keeps the gate shut, so that a replica that did not get the signal still runs."""

    def judge(self, home, outcome):
        if outcome.status == 0:
            status, _, err = home.run_command("wait", "--timeout", "30", home.handle)
            if status != 128 + signal.SIGUSR1:
                return [f"exit status 0, but the replica did not end by the signal: wait: {status}: {err}"]
        home.run_successfully("cancel", home.handle)
        return []


class CancelInRun(Scenario):
    """An app that is cancelled right after its start. The faults are in its helpers."""
    name, parts = "cancel-in-run", ("supervisor", "warden")

    def prepare(self, home):
        home.gate()
        home.write_app("app", role("held", 7, "read go <gate", num_replicas=2))

    def command(self, home):
        return ["/bin/sh", "-c", '"$1" run -d app.json && "$1" cancel @last', "sh", home.slipway]

    def judge(self, home, outcome):
        if outcome.status != 0:
            return []
        _, out, _ = home.run_command("status", "--json", home.handles()[0])
        state = json.loads(out)["state"]
        # An app that failed because its replicas could not be started is not cancelled.
        return [] if state in ("CANCELLED", "FAILED") else [f"exit status 0, but the app is {state}"]


class Recover(OfRunning):
    """Both helpers are dead. A command starts a successor, which takes over the running replicas."""
    name, parts, unwatched = "recover", ("command", "spawn", "starter", "warden", "supervisor"), True

    def prepare(self, home):
        super().prepare(home)
        home.kill_helpers()

    def command(self, home):
        return [home.slipway, "status", "--json", home.handle]

    def judge(self, home, outcome):
        # A replica that ends while no helper lives may be lost, but it never counts as a success.
        status, _, err = home.run_command("wait", home.handle)
        starts = [entry for entry in home.recorded() if entry[0] == "start"]
        wrong = []
        if status == 0 or len(starts) != 1:
            wrong.append(f"the app was not only taken over: wait: exit status {status}, {starts}, {err}")
        if outcome.status == 0 and json.loads(outcome.out)["state"] == "SUCCEEDED":
            wrong.append(f"a wrong answer: {outcome}")
        return wrong


class RecoverRetries(OfRunning):
    """Both helpers died while a replica waited for its next attempt."""
    name, parts, unwatched = "recover-retries", ("command", "warden", "supervisor", "child"), True

    def prepare(self, home):
        home.write_app("app", role("again", "$((n < 2 ? 3 : 7))", 'n=$(grep -c "^start $0 " "$ACCOUNT")', max_retries=1,
                                   retry_policy="REPLICA"))
        home.run_successfully("run", "-d", "-c", "backoff=initial:1000;max:1000;jitter:0", "app.json")
        home.handle = home.handles()[0]
        home.eventually(lambda: any(word == "end" for word, *_ in home.recorded()), "the first attempt has ended")
        home.kill_helpers()

    def command(self, home):
        return [home.slipway, "status", "--json", home.handle]

    def judge(self, home, outcome):
        status, _, err = home.run_command("cancel", "--now", home.handle)
        if status != 0:
            return [f"cancel --now: exit status {status}: {err}"]
        status, _, err = home.run_command("wait", home.handle)
        return [f"wait: exit status 0, but no attempt succeeded: {err}"] if status == 0 else []


SCENARIOS = {each.name: each() for each in (
    Run, RunWell, RunDetached, Retries, AppRetries, DependsOn, Ports, Status, List, Wait, Log, Describe, Delete, Rerun,
    StatusOfRunning, ListOfRunning, WaitOfRunning, Follow, Cancel, Signal, CancelInRun, Recover, RecoverRetries)}
