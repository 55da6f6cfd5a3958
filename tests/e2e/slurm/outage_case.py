"""Outages of the controller and failures of nodes, for the tests of them, and the messages of commands that wait."""

import contextlib
import json
import signal
import time
from pathlib import Path

from slurm_case import LIMIT, SMALL, SlurmCase, role


def is_warning(line):
    return "does not answer" in line or "continues when it answers" in line


def is_recovery(line):
    return "answers again" in line


class OutageCase(SlurmCase):
    options = dict(nodes=2)

    # ---- outages

    @contextlib.contextmanager
    def controller_away(self, by=signal.SIGTERM):
        """Ends the controller, and starts another one at the end."""
        self.cluster.stop_controller(by)
        try:
            yield
        finally:
            self.cluster.start_controller()
            self.cluster.until_answers()

    @contextlib.contextmanager
    def controller_hung(self):
        """Stops the controller, so that connections to it succeed, but it answers none."""
        self.cluster.controller.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.cluster.controller.send_signal(signal.SIGCONT)
            self.cluster.until_answers()

    @contextlib.contextmanager
    def failed_node(self, node):
        """Makes the controller give up a node, whose processes continue: slurmd there gets no message."""
        (daemon,) = [one for one in self.cluster.daemons if one.args[-2:] == ("-N", node)]
        daemon.send_signal(signal.SIGSTOP)
        try:
            self.cluster.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=test")
            yield
        finally:
            daemon.send_signal(signal.SIGCONT)
            self.cluster.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)
            self.cluster.until_idle()
            # slurmd ends the steps that lived on. Each of them has a socket.
            spool = Path(self.cluster.path(f"spool-{node}"))
            self.cluster.until(lambda: not list(spool.glob(f"{node}_*")), "steps on the failed node")

    # ---- apps and messages

    def gated(self, name, words="two"):
        """Returns a role that prints "one", waits for a file, prints `words` and ends; and the path of the file."""
        gate = self.root / f"gate-{name}"
        self.addCleanup(gate.touch)
        return role("w", f"echo one; until test -e {gate}; do sleep 0.1; done; echo {words}", extra=SMALL), gate

    def until_line(self, stream, holds):
        """Reads lines up to the first one for which `holds(line)`. Returns all of them."""
        lines = []
        for line in iter(stream.readline, ""):
            lines.append(line)
            if holds(line):
                return lines
        self.fail(f"the stream ended: {lines}")

    def until_started(self, handle):
        """Waits until the script of the job runs: a job is RUNNING before that, and an outage in between loses it."""
        with self.start("log", "-f", "--no-prefix", handle) as follower:
            self.assertEqual(follower.stdout.readline(), "one\n")
            follower.terminate()

    def until_text(self, path, text):
        """Waits until the file exists and contains the text."""
        deadline = time.monotonic() + LIMIT
        while not (path.exists() and text in path.read_text(encoding="utf-8")):
            self.assertLess(time.monotonic(), deadline, path)
            time.sleep(0.1)

    def check_an_outage(self, outage):
        """Asserts that commands that wait warn once during the outage, report its end once, and miss nothing."""
        self.app(role("w", "exit 3", extra=SMALL), name="ended")
        ended = self.submit()
        self.slipway("wait", ended, status=3)
        one, gate = self.gated(outage.__name__)
        self.app(one)
        handle = self.submit()
        self.until_started(handle)
        waiting = {
            "wait": self.start("wait", handle), "log": self.start("log", "-f", "--no-prefix", handle),
            "attach": self.start("attach", handle), "run": self.start("run", "--wait", "-s", "slurm", "app.toml"),
        }
        self.assertEqual(waiting["log"].stdout.readline(), "one\n")
        self.until_line(waiting["attach"].stderr, lambda line: "one" in line)
        self.until_started(waiting["run"].stdout.readline().strip())
        said = {}
        with outage():
            waiting["late wait"] = self.start("wait", handle)
            waiting["late log"] = self.start("log", "-f", "--no-prefix", handle)
            waiting["late attach"] = self.start("attach", handle)
            waiting["late events"] = self.start("events", "-f", handle)
            self.check_commands_that_do_not_wait(handle, ended)
            for name, command in waiting.items():
                said[name] = self.until_line(command.stderr, is_warning)
            # The commands that warned first ask the controller again in the meantime, and must not warn twice.
        for name, command in waiting.items():
            said[name] += self.until_line(command.stderr, is_recovery)
        gate.touch()
        self.assertEqual(waiting["log"].stdout.read(), "two\n")
        self.assertEqual(waiting["late log"].stdout.read(), "one\ntwo\n")
        for name, command in waiting.items():
            said[name] += command.stderr.read().splitlines()
            self.assertEqual(command.wait(LIMIT), 0, (name, said[name]))
            for holds in (is_warning, is_recovery):
                self.assertEqual(list(map(holds, said[name])).count(True), 1, (name, said[name]))
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")

    def check_commands_that_do_not_wait(self, handle, ended):
        """Asserts that commands about an app fail with 75, and that `list` prints the records. The commands run side by
        side, because each of them asks the controller for a while before it gives up."""
        counts, env = self.counting_commands("scontrol", "squeue")
        commands = {
            "status": self.start("status", handle, env=env), "cancel": self.start("cancel", handle),
            "signal": self.start("signal", handle, "TERM"), "log": self.start("log", "--no-prefix", handle),
            "list": self.start("list"), "all": self.start("list", "-s", "slurm", "--all", "--json"),
        }
        results = {name: command.communicate(timeout=LIMIT) for name, command in commands.items()}
        for name in ("status", "cancel", "signal", "log"):
            self.assertEqual((commands[name].returncode, results[name][0]), (75, ""), (name, results[name]))
            self.assertIn("scontrol", results[name][1])
        # `status` asks three times, and then gives up.
        self.assertEqual((self.calls(counts, "scontrol"), self.calls(counts, "squeue")), (3, 0))
        for name in ("list", "all"):
            self.assertEqual(commands[name].returncode, 0, results[name])
            self.assertEqual(results[name][1].count("apps are listed by their records"), 1, results[name])
        self.assertIn(handle, results["list"][0])
        self.assertNotIn(ended, results["list"][0])
        states = {app["handle"]: app["state"] for app in json.loads(results["all"][0])["apps"]}
        self.assertEqual((states[handle], states[ended]), ("UNKNOWN", "FAILED"))
