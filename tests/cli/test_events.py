"""Failures and retries are printed when they happen, and `slipway events` prints what happened to an app."""

import json
import re
import time
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase

# The text about the first of two retries.
RETRY = "w/0 exited with 7; retry 1 of 2"
# Exits with 7 in the first two attempts, and succeeds in the third.
FAILS_TWICE = 'n=$(ls | grep -c "^try\\."); touch "try.$n"; [ "$n" -ge 2 ] || exit 7'


class ForegroundRun(SlipwayCase):
    def retried_app(self, script=FAILS_TWICE, **fields):
        return self.app(role("w", script, max_retries=2, retry_policy="REPLICA", **fields))

    def test_prints_a_retry_while_the_app_runs(self):
        gate = self.gate()
        process, _ = self.start_foreground(
            self.retried_app('[ -e tried ] && read go < gate && exit 0; touch tried; exit 7'),
            "-c", "backoff=initial:0.01")
        line = process.stderr.readline().decode()
        self.assertEqual(line, f"slipway: warning: {RETRY}\n")
        self.open_gate(gate)
        result = self.finish(process)
        self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_prints_the_retries_of_an_app_that_ends_at_once(self):
        result = self.ok("run", "-c", "backoff=initial:0.001", self.retried_app())
        lines = [line for line in result.stderr.splitlines() if "retry" in line]
        self.assertEqual(lines, [f"slipway: warning: {RETRY}", "slipway: warning: w/0 exited with 7; retry 2 of 2"])

    def test_names_the_first_failure_once(self):
        result = self.expect(3, "run", self.app(role("w", "exit 3")))
        self.assertEqual(len(re.findall("w/0 exited with 3", result.stderr)), 1, result.stderr)

    def test_replicas_that_fail_alike_share_a_line(self):
        script = 'echo >>up; while [ "$(wc -l <up)" -lt 12 ]; do sleep 0.01; done; exit 4'
        result = self.expect(4, "run", "-c", "fail_fast=false", self.app(role("w", script, num_replicas=12)))
        shared = [line for line in result.stderr.splitlines() if "exited with 4" in line and "FAILED" not in line]
        named = sum(len(line.split("w/")[1].split(" ")[0].split(",")) for line in shared)
        others = sum(int(number) for line in shared for number in re.findall(r"and (\d+) other", line))
        # The last message names the replica that failed first. That one has a line of its own only if the command saw
        # its failure before the end of the app.
        self.assertIn(named + others, (11, 12), result.stderr)
        self.assertLess(len(shared), named + others, result.stderr)

    def test_sleeps_while_nothing_happens(self):
        gate = self.gate()
        process, handle = self.start_foreground(self.app("read go < gate"))
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "it runs")
        time.sleep(0.5)  # the start of the replica still wakes the command
        before = self.waits_of(process.pid)
        time.sleep(1)
        self.assertLess(self.waits_of(process.pid) - before, 5)  # a poll every 0.2 s would fail this
        self.open_gate(gate)
        self.assertEqual(self.finish(process).status, 0)

    def waits_of(self, pid):
        """Returns how often the threads of a process have gone to sleep."""
        statuses = [path.read_text(encoding="utf-8") for path in Path(f"/proc/{pid}/task").glob("*/status")]
        return sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status)[1]) for status in statuses)

    def test_no_events_and_quiet_print_no_retry(self):
        for option in ("--no-events", "-q"):
            with self.subTest(option=option):
                result = self.ok("run", option, "-c", "backoff=initial:0.001", self.retried_app())
                self.assertNotIn("retry", result.stderr)
                for path in self.cwd.glob("try.*"):
                    path.unlink()

    def test_json_with_events_prints_a_document_for_each(self):
        gate = self.gate()
        app = self.retried_app('[ -e tried ] && read go < gate && exit 0; touch tried; exit 7')
        process = self.start("run", "--json", "--events", "-c", "backoff=initial:0.001", app)
        seen = [json.loads(process.stdout.readline()) for _ in range(5)]
        self.assertEqual([one["event"] for one in seen],
                         ["submitted", "started", "replica_started", "attempt_ended", "replica_started"])
        handle = seen[0]["handle"]
        self.assertEqual({one["handle"] for one in seen}, {handle})
        self.open_gate(gate)
        result = self.finish(process)
        rest = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([one.get("event") for one in rest], ["replica_ended", "ended", None])
        self.assertEqual((rest[-1]["handle"], rest[-1]["status"]["state"]), (handle, "SUCCEEDED"))
        attached = [json.loads(line) for line in
                    self.ok("attach", "--json", "--events", handle).stdout.splitlines()]
        self.assertEqual(attached[:-1], seen + rest[:-1])

    def test_events_needs_json_and_a_command_that_waits(self):
        app = self.app(role("w", "touch ran"))
        for arguments, word in ((["--events"], "needs --json"),
                                (["--json", "--events", "-d"], "while the command waits")):
            with self.subTest(arguments=arguments):
                result = self.expect(64, "run", *arguments, app)
                self.assertIn(word, result.stderr + result.stdout)
        self.expect(64, "run", "--json", "--events", "--no-events", app)
        self.assertFalse((self.cwd / "ran").exists())

    def test_a_time_limit_is_named(self):
        result = self.run_slipway("run", "-c", "timeout_s=0.2", self.app(role("w", "sleep 1000")))
        self.assertIn("FAILED: w/0 exceeded timeout_s of 0.2 s", result.stderr)


class Events(SlipwayCase):
    def finished(self):
        """Runs an app that is retried twice to its end. Returns the handle."""
        handle = self.detach(self.app(role("w", FAILS_TWICE, max_retries=2, retry_policy="REPLICA")), "-c",
                             "backoff=initial:0.001")
        self.ok("wait", handle)
        return handle

    def test_prints_what_happened_in_the_order_of_time(self):
        handle = self.finished()
        lines = self.ok("events", handle).stdout.splitlines()
        times, texts = zip(*(line.split("  ", 1) for line in lines))
        app_id = handle.rpartition("/")[2]
        self.assertEqual(list(texts), [
            f"{app_id} was submitted", f"{app_id} runs", "w/0 started", "w/0 exited with 7; retry 1 of 2",
            "w/0 started, attempt 2", "w/0 exited with 7; retry 2 of 2", "w/0 started, attempt 3", "w/0 succeeded",
            f"{app_id} is SUCCEEDED"])
        self.assertEqual(list(times), sorted(times))

    def test_json_has_an_object_for_each_event(self):
        events = [json.loads(line) for line in self.ok("events", "--json", self.finished()).stdout.splitlines()]
        self.assertEqual([each["event"] for each in events], [
            "submitted", "started", "replica_started", "attempt_ended", "replica_started", "attempt_ended",
            "replica_started", "replica_ended", "ended"])
        retry = events[3]
        self.assertEqual({key: retry[key] for key in ("role", "replica", "attempt", "state", "exit_code", "reason")},
                         {"role": "w", "replica": 0, "attempt": 1, "state": "FAILED", "exit_code": 7, "reason": "exit"})
        self.assertEqual((events[0]["state"], events[-1]["state"]), ("SUBMITTED", "SUCCEEDED"))

    def test_follows_a_running_app_to_its_end(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate; exit 5")))
        process = self.start("events", "-f", handle)
        self.assertIn(b"was submitted", process.stdout.readline())
        self.open_gate(gate)
        result = self.finish(process)
        self.assertEqual(result.status, 0, result)
        self.assertTrue(result.stdout.endswith("is FAILED: w/0 exited with 5\n"), result.stdout)

    def test_the_newest_app_needs_no_handle(self):
        self.finished()
        newest = self.ok("run", "-q", self.app("true")).stdout.strip()
        self.assertEqual(self.ok("events").stdout, self.ok("events", newest).stdout)

    def test_a_damaged_definition_costs_no_event_but_the_limits_of_retries(self):
        handle = self.finished()
        before = self.ok("events", handle).stdout
        (self.app_dir(handle) / "spec.json").write_text("garbage")
        after = self.ok("events", handle).stdout
        self.assertIn("; starts again\n", after)
        self.assertEqual(after, re.sub(r"retry \d of 2\n", "starts again\n", before))

    def test_an_unknown_app_is_not_found(self):
        self.expect(66, "events", "nosuch")
        self.assertEqual(self.expect(66, "events", "--json", "nosuch").json["error"]["code"], "not_found")


class EventsAmongLines(SlipwayCase):
    """`log -f --json` prints failures and waits as documents between those of the lines."""

    def documents(self, process, count):
        """Returns the next documents on the standard output of a process."""
        return [json.loads(process.stdout.readline()) for _ in range(count)]

    def test_a_failure_is_a_document_with_the_keys_of_a_line_as_well(self):
        first, second = self.gate("first"), self.gate("second")
        script = "[ -e tried ] || { touch tried; read go < first; echo one; exit 7; }; read go < second; echo two"
        handle = self.detach(self.app(role("w", script, max_retries=2, retry_policy="REPLICA")),
                             "-c", "backoff=initial:0.001")
        followers = [self.start("log", "-f", "--json", *options, handle) for options in ([], ["--no-events"])]
        self.open_gate(first)
        # The command may print the line and the event in either order.
        line, event = sorted(self.documents(followers[0], 2), key=lambda one: "event" in one)
        silent = self.documents(followers[1], 1)
        self.open_gate(second)
        results = [self.finish(process) for process in followers]
        self.assertEqual([result.stderr for result in results], ["", ""])
        self.assertEqual((line["line"], event["event"], event["text"]),
                         ("one", "attempt_ended", "exited with 7; retry 1 of 2"))
        self.assertEqual(event | {"time": None, "text": None}, {
            "time": None, "event": "attempt_ended", "role": "w", "replica": 0, "attempt": 1, "state": "FAILED",
            "exit_code": 7, "signal": None, "reason": "exit", "text": None, "handle": handle, "stream": None,
            "line": None})
        self.assertLessEqual(set(line), set(event))
        self.assertEqual([json.loads(one)["line"] for one in results[0].lines], ["two"])
        self.assertEqual([one["line"] for one in silent + list(map(json.loads, results[1].lines))], ["one", "two"])

    def test_lines_and_events_of_many_replicas_stay_whole(self):
        gate = self.gate()
        script = "echo ready; read go < gate; seq -f 'line %g of a replica that writes much' 300; exit 3"
        handle = self.detach(self.app(role("w", script, num_replicas=16, max_retries=1, retry_policy="REPLICA")),
                             "-c", "backoff=initial:0.001", "-c", "fail_fast=false")
        process = self.start("log", "-f", "--json", handle)
        self.assertEqual(self.documents(process, 1)[0]["line"], "ready")  # it follows the running app
        self.open_gate(gate, 32)
        documents = [json.loads(line) for line in self.finish(process).lines]
        events = [one for one in documents if "event" in one]
        self.assertEqual(sorted(one["event"] for one in events), ["attempt_ended"] * 16 + ["replica_ended"] * 16)
        # Each of 32 attempts writes `ready` and 300 lines; the first `ready` was read above.
        self.assertEqual(sum(one["line"] is not None for one in documents), 32 * 301 - 1)

    def test_a_wait_is_a_document(self):
        gate = self.gate()
        handle = self.detach(self.app(role("db", "read go < gate"),
                                      role("web", "true", num_replicas=2, depends_on={"db": "succeeded"})))
        both, one = self.start("log", "-f", "--json", handle), self.start("log", "-f", "--json", f"{handle}/web/1")
        waits = [(wait["event"], wait["role"], wait["replica"], wait["text"]) for wait in self.documents(both, 2)]
        expected = [("waiting", "web", replica, "waits for db to succeed") for replica in range(2)]
        self.assertEqual(waits, expected)
        (wait,) = self.documents(one, 1)
        self.assertEqual((wait["replica"], wait["line"]), (1, None))
        self.open_gate(gate)
        for process in (both, one):
            result = self.finish(process)
            self.assertEqual((result.status, result.stdout, result.stderr), (0, "", ""), result)

    def test_the_newest_lines_come_before_new_failures(self):
        gate = self.gate()
        script = "[ -e tried ] || { touch tried; exit 7; }; echo old; echo newest; read go < gate; exit 5"
        handle = self.detach(self.app(role("w", script, max_retries=1, retry_policy="REPLICA")),
                             "-c", "backoff=initial:0.001")
        self.eventually(lambda: "newest" in self.ok("log", handle).stdout, "the line is in the log")
        process = self.start("log", "-f", "--json", "--tail", "1", handle)
        self.assertEqual(self.documents(process, 1)[0]["line"], "newest")
        self.open_gate(gate)
        (event,) = map(json.loads, self.finish(process).lines)
        self.assertEqual((event["event"], event["text"]), ("replica_ended", "exited with 5"))


if __name__ == "__main__":
    unittest.main()
