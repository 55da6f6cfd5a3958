"""`status` and the commands that follow an app print what pending replicas wait for."""

import json
import re
import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase


class WaitsFor(SlipwayCase):
    def shown(self, handle):
        """Returns the texts after "waits for", by name of the replica."""
        return {k: one["waits_for"] for k, one in self.replicas_of(handle).items() if "waits_for" in one}

    def test_role_waits_for_others(self):
        gate = self.gate()
        self.gate("never")
        app = self.app(role("db", "touch on; read go < never", ready={"command": ["false"]}),
                       role("init", "read go < gate"),
                       role("web", "true", depends_on={"db": "healthy", "init": "succeeded"}),
                       role("last", "true", depends_on={"web": "started"}))
        handle = self.detach(app)
        self.file_appears("on")
        both = "db to be healthy and init to succeed"
        self.assertEqual(self.shown(handle), {"web/0": both, "last/0": "web to start"})
        lines = self.ok("status", handle).stdout
        self.assertIn(f"0     PENDING  waits for {both}\n", lines)
        self.assertIn("0     PENDING  waits for web to start\n", lines)
        self.open_gate(gate)
        self.eventually(lambda: self.shown(handle)["web/0"] == "db to be healthy", "only one is left")
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.shown(handle), {})

    def test_role_does_not_wait_for_many_replicas_that_have_started(self):
        app = self.app(role("db", "touch on.${replica_id}; sleep 1000", num_replicas=12),
                       role("init", "sleep 1000"),
                       role("web", "true", depends_on={"db": "started", "init": "succeeded"}))
        handle = self.detach(app)
        for replica in range(12):
            self.file_appears(f"on.{replica}")
        self.assertIn("0     PENDING  waits for init to succeed\n", self.ok("status", handle).stdout)
        self.ok("cancel", "--now", handle)

    def test_replica_waits_for_its_turn(self):
        app = self.app(role("w", "touch on.${replica_id}; sleep 1000", num_replicas=3))
        handle = self.detach(app, "-c", "max_parallel=2")
        self.file_appears("on.0")
        self.file_appears("on.1")
        self.assertEqual(self.shown(handle), {"w/2": "a free slot (max_parallel is 2)"})
        self.ok("cancel", "--now", handle)

    def test_replica_waits_for_its_next_attempt(self):
        for policy in ("REPLICA", "ROLE", "APPLICATION"):
            with self.subTest(policy=policy):
                app = self.app(role("w", "exit 3", max_retries=2, retry_policy=policy))
                handle = self.detach(app, "-c", "backoff=initial:1000;max:1000;jitter:0")
                self.eventually(lambda: self.shown(handle), "it waits")
                self.assertRegex(self.shown(handle)["w/0"], r"^the next attempt, in (9\d\d|1000) s$")
                self.assert_time(self.replicas_of(handle)["w/0"]["next_attempt_at"])
                self.assertIn("PENDING  waits for the next attempt, in ", self.ok("status", handle).stdout)
                self.ok("cancel", "--now", handle)


class Followers(SlipwayCase):
    """`run`, `attach` and `log -f` print a line for each role and cause; `events -f`, and `--events` with `--json`,
    print the wait of each replica."""

    def waiting_app(self):
        """Returns an app with 20 replicas that wait until the role `db` succeeds, which waits for open_gate()."""
        return self.app(role("db", "read go < gate"),
                        role("web", "true", num_replicas=20, depends_on={"db": "succeeded"}))

    def line(self, process):
        """Returns the next line on standard error; fails at its end."""
        line = process.stderr.readline().decode()
        self.assertNotEqual(line, "", "standard error has ended")
        return line

    def test_replicas_of_a_role_share_a_line_about_another_role(self):
        gate = self.gate()
        process, handle = self.start_foreground(self.waiting_app())
        line = "slipway: web/0,1,2,3,4,5,6,7 and 12 other replicas wait for db to succeed\n"
        self.assertEqual(self.line(process), line)
        self.assertEqual(self.replicas_of(handle)["web/0"]["waits_for"], "db to succeed")
        self.open_gate(gate)
        result = self.finish(process)
        self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_attach_and_log_print_waits_unless_options_or_another_role_exclude_them(self):
        gate = self.gate()
        silent, handle = self.start_foreground("--no-events", self.waiting_app())
        quiet = [self.start("log", "-f", "--no-events", handle), self.start("log", "-f", f"{handle}/db"),
                 self.start("attach", "-q", handle)]
        one = self.start("log", "-f", f"{handle}/web/3")
        self.assertEqual(self.line(one), "slipway: web/3 waits for db to succeed\n")
        # These commands start later than the silent ones, which have thus had the time to print the wait.
        for command in (["attach", handle], ["log", "-f", handle]):
            with self.subTest(command=command):
                self.assertIn("and 12 other replicas wait for db to succeed", self.line(self.start(*command)))
        self.open_gate(gate)
        for process in (silent, *quiet, one):
            result = self.finish(process)
            self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_a_free_slot_is_named_once_while_slots_change(self):
        gate = self.gate()
        app = self.app(role("w", "touch on.${replica_id}; read go < gate", num_replicas=4))
        process, _ = self.start_foreground("-c", "max_parallel=1", app)
        self.assertEqual(self.line(process), "slipway: w/1,2,3 wait for a free slot (max_parallel is 1)\n")
        for replica in range(4):
            self.file_appears(f"on.{replica}")
            if replica == 2:
                # While this command starts, the run has the time to print a line, which it must not do.
                self.assertIn("w/3 waits for a free slot", self.line(self.start("attach", "--no-log", "@last")))
            self.open_gate(gate)
        result = self.finish(process)
        self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_the_pause_before_a_retry_is_named_after_the_failure(self):
        for command in ("run", "log"):
            with self.subTest(command=command):
                app = self.app(role("w", "exit 3", max_retries=2, retry_policy="REPLICA", num_replicas=2))
                options = ["-c", "backoff=initial:1000;max:1000;jitter:0"]
                if command == "run":
                    process, handle = self.start_foreground(*options, app)
                else:
                    handle = self.detach(app, *options)
                    process = self.start("log", "-f", handle)
                lines = [self.line(process)]
                while "wait" not in lines[-1]:
                    lines.append(self.line(process))
                # Both replicas may share a line, or each has its own.
                failed = re.findall(r"warning: w/([\d,]+) exited with 3; retry 1 of 2\n", "".join(lines[:-1]))
                self.assertEqual(len(failed), len(lines) - 1, lines)
                self.assertEqual(sorted(",".join(failed).split(",")), ["0", "1"], lines)
                self.assertRegex(lines[-1], r"^slipway: w/0,1 wait for the next attempt, in (9\d\d|1000) s\n$")
                self.ok("cancel", "--now", handle)
                self.finish(process)

    def test_log_of_the_newest_lines_leaves_earlier_failures_out(self):
        gate = self.gate()
        app = self.app(role("w", "[ -e tried ] || { touch tried; exit 7; }; read go < gate; exit 5",
                            max_retries=1, retry_policy="REPLICA"))
        handle = self.detach(app, "-c", "backoff=initial:0.001")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["restarts"] == 1, "it was retried")
        self.run_slipway("wait", "--for", "RUNNING", handle)
        whole, newest = self.start("log", "-f", handle), self.start("log", "-f", "--tail", "5", handle)
        self.assertEqual(self.line(whole), "slipway: warning: w/0 exited with 7; retry 1 of 1\n")
        self.eventually(lambda: self.is_following(newest), "it follows")
        self.open_gate(gate)
        for process in (whole, newest):
            result = self.finish(process)
            self.assertEqual((result.status, result.stderr), (0, "slipway: warning: w/0 exited with 5\n"), result)

    @staticmethod
    def is_following(process):
        """Returns whether the command has the second thread, which reports failures."""
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            return "\nThreads:\t2\n" in status.read()

    def documents(self, process, number):
        """Returns the next documents on standard output that are about waits."""
        out = []
        while len(out) < number:
            document = json.loads(process.stdout.readline())
            if document["event"] in ("waiting", "wait_ended"):
                out.append(document)
        return out

    def test_json_has_a_document_for_each_replica_that_waits(self):
        gate = self.gate()
        run = self.start("run", "--json", "--events", self.waiting_app())
        first = json.loads(run.stdout.readline())
        handle = first["handle"]
        followers = [run, self.start("attach", "--json", "--events", handle),
                     self.start("events", "-f", "--json", handle)]
        for process in followers:
            with self.subTest(command=process.args):
                seen = self.documents(process, 20)
                keys = ("event", "role", "replica", "attempt", "state")
                self.assertEqual([tuple(one[key] for key in keys) for one in seen],
                                 [("waiting", "web", k, 1, "PENDING") for k in range(20)])
                self.assertEqual({(one["text"], one["handle"]) for one in seen},
                                 {("waits for db to succeed", handle)})
                self.assertEqual(set(seen[0]), set(first))
                self.assert_time(seen[0]["time"])
        self.open_gate(gate)
        for process in followers:
            result = self.finish(process)
            self.assertEqual(result.status, 0, result)
            self.assertNotIn("waiting", result.stdout)

    def test_json_has_the_wait_for_a_slot_once_for_each_replica_while_slots_change(self):
        # The first replicas keep their slots until the command has printed that the others wait.
        app = self.app(role("w", "until [ -e followed ]; do sleep 0.1; done; sleep 0.05", num_replicas=60))
        run = self.start("run", "--json", "--events", "-c", "max_parallel=8", app)
        waited = []
        while not set(range(8, 60)) <= set(waited):  # the first ones can be seen before they have their slots
            document = json.loads(run.stdout.readline())
            if document.get("event") == "waiting":
                waited.append(document["replica"])
        (self.cwd / "followed").touch()
        result = self.finish(run)
        self.assertEqual(result.status, 0, result)
        documents = map(json.loads, result.stdout.splitlines())
        waited += [one["replica"] for one in documents if one.get("event") == "waiting"]
        self.assertEqual(len(waited), len(set(waited)), waited)

    def test_events_prints_waits_as_lines(self):
        gate = self.gate()
        handle = self.detach(self.app(role("db", "read go < gate"),
                                      role("web", "true", depends_on={"db": "succeeded"})))
        process = self.start("events", "-f", handle)
        line = ""
        while "waits" not in line:
            line = process.stdout.readline().decode()
            self.assertNotEqual(line, "", "standard output has ended")
        self.assertEqual(line.split("  ", 1)[1], "web/0 waits for db to succeed\n")
        self.open_gate(gate)
        self.assertEqual(self.finish(process).status, 0)
        self.assertNotIn("waits", self.ok("events", handle).stdout)

    def test_json_names_the_time_of_the_next_attempt_of_each_replica(self):
        app = self.app(role("w", "exit 3", max_retries=2, retry_policy="REPLICA", num_replicas=2))
        process = self.start("run", "--json", "--events", "-c", "backoff=initial:1000;max:1000;jitter:0", app)
        seen = self.documents(process, 2)
        self.assertEqual({(one["replica"], one["attempt"]) for one in seen}, {(0, 2), (1, 2)})
        for one in seen:
            self.assert_time(one["next_attempt_at"])
            self.assertRegex(one["text"], r"^waits for the next attempt, in (9\d\d|1000) s$")
        self.ok("cancel", "--now", seen[0]["handle"])
        self.finish(process)

    def test_interrupt_cancels_an_app_that_waits(self):
        self.gate()
        process, handle = self.start_foreground(self.waiting_app())
        self.assertIn("wait for db to succeed", self.line(process))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)
        self.assert_state(handle, "CANCELLED")


if __name__ == "__main__":
    unittest.main()
