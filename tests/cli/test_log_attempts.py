"""`slipway log --attempt`: what one attempt of a replica has written."""

import json
import os
import signal
import unittest

import live_processes
from app_text import role
from hostile_engine import HostileEngine, answer
from slipway_case import SlipwayCase

QUICK = ("-c", "backoff=initial:0.01")
# Writes to both streams, and ends without a newline. With QUICK, the next attempt follows at once.
TALK = "echo out $SLIPWAY_ATTEMPT; echo err $SLIPWAY_ATTEMPT >&2; printf 'end %s' $SLIPWAY_ATTEMPT; "


def retrying(script, retries=2, policy="REPLICA", name="w", **fields):
    """Returns a role whose replicas are retried."""
    return role(name, script, max_retries=retries, retry_policy=policy, **fields)


class LogAttempts(SlipwayCase):
    def ended(self, *roles, options=()):
        """Runs an app to its end. Returns the handle."""
        return self.run_slipway("run", "--no-log", *QUICK, *options, self.app(*roles)).stdout.strip()

    def attempt(self, number, handle, *options):
        """Returns the lines of this attempt."""
        return self.ok("log", "--attempt", number, *options, handle).lines

    def test_attempts_that_follow_at_once_are_shown_separately(self):
        for options in ((), ("-c", "log_times=false"), ("-c", "log_combined=false")):
            with self.subTest(options=options):
                handle = self.ended(retrying(TALK + "exit 3"), options=options)
                for n in (1, 2, 3):
                    lines = self.attempt(n, handle)
                    self.assertEqual(sorted(lines), [f"end {n}", f"err {n}", f"out {n}"])
                    self.assertEqual(self.attempt(n, handle, "--stream", "stdout"), [f"out {n}", f"end {n}"])
                    self.assertEqual(self.attempt(n, handle, "--stream", "stderr"), [f"err {n}"])

    def test_attempts_of_a_replica_that_writes_into_pipes_are_shown_separately(self):
        handle = self.ended(retrying(TALK + "exit 3"), options=("-c", "log_pipes=true"))
        for n in (1, 2, 3):
            self.assertEqual(sorted(self.attempt(n, handle)), [f"end {n}", f"err {n}", f"out {n}"])

    def test_option_attempt_combines_with_the_other_filters(self):
        handle = self.ended(retrying("seq 1 3; echo word $SLIPWAY_ATTEMPT; exit 3", num_replicas=2))
        self.assertEqual(self.attempt(2, handle, "--tail", "1"), ["w/0 word 2", "w/1 word 2"])
        self.assertEqual(self.attempt(2, handle, "--regex", "word"), ["w/0 word 2", "w/1 word 2"])
        self.assertEqual(sorted(self.attempt(2, handle, "--merge", "--tail", "2")),
                         ["w/0 3", "w/0 word 2", "w/1 3", "w/1 word 2"])
        self.assertEqual(self.attempt(2, handle + "/w/1", "--since", "1h"), ["1", "2", "3", "word 2"])
        self.assertEqual(self.attempt(2, handle, "--until", "1h"), [])
        rows = [json.loads(line) for line in self.attempt(2, handle + "/w/1", "--json")]
        self.assertEqual([row["line"] for row in rows], ["1", "2", "3", "word 2"])

    def test_bounds_of_time_between_attempts_are_exact(self):
        handle = self.ended(retrying("echo attempt $SLIPWAY_ATTEMPT; exit 3", retries=1))
        ends = [attempt["finished_at"] for attempt in self.replicas_of(handle)["w/0"]["attempts"]]
        # `status` rounds the end of the first attempt down to milliseconds. The bound still includes its output.
        self.assertEqual(self.ok("log", "--until", ends[0], handle).lines, ["attempt 1"])

    def test_replicas_that_never_had_the_attempt_are_left_out(self):
        handle = self.ended(retrying("echo $SLIPWAY_ATTEMPT; test ${replica_id} != 1 || test $SLIPWAY_ATTEMPT = 2",
                                     num_replicas=3), role("plain", "echo plain"))
        self.assertEqual(sorted(self.attempt(1, handle)), ["plain/0 plain", "w/0 1", "w/1 1", "w/2 1"])
        self.assertEqual(self.attempt(2, handle), ["w/1 2"])
        self.assertEqual(self.attempt(2, handle + "/w/1"), ["2"])

    def test_an_attempt_that_a_replica_never_had_is_not_found(self):
        handle = self.ended(retrying("test ${replica_id} = 0 || exit 3", retries=1, num_replicas=2))
        error = self.expect_failure(66, "not_found", "log", "--attempt", "2", handle + "/w/0,1")
        self.assertIn("w/0 of", error["message"])
        self.assertIn("it has had 1 attempt", error["message"])
        error = self.expect_failure(66, "not_found", "log", "--attempt", "3", handle)
        self.assertIn("has had 3 attempts; the most are 2", error["message"])
        self.expect_failure(66, "not_found", "log", "--attempt", "2", handle + "/nobody")
        self.expect_failure(66, "not_found", "log", "--attempt", "2", handle + "/w/7")

    def test_invalid_numbers_and_following_are_usage_errors(self):
        handle = self.ended("true")
        for bad in ("0", "-1", "one", "1.5"):
            self.expect_failure(64, "usage", "log", "--attempt", bad, handle)
        error = self.expect_failure(64, "usage", "log", "-f", "--attempt", "1", handle)
        self.assertIn("--attempt and -f", error["message"])

    def test_attempts_of_a_running_app_are_shown_separately(self):
        gate = self.gate()
        app = self.app(retrying("echo begin $SLIPWAY_ATTEMPT; read go < gate; echo late; exit 3"))
        handle = self.detach(app, *QUICK)
        self.eventually(lambda: self.attempt(1, handle) == ["begin 1"], "the first attempt has written")
        self.expect_failure(66, "not_found", "log", "--attempt", "2", handle)
        self.open_gate(gate)
        self.eventually(lambda: "begin 2" in self.ok("log", handle).lines, "the second attempt has written")
        self.assertEqual(self.attempt(1, handle), ["begin 1", "late"])
        self.assertEqual(self.attempt(2, handle), ["begin 2"])

    def test_a_waiting_replica_has_had_only_the_attempts_before(self):
        handle = self.detach(self.app(retrying("echo $SLIPWAY_ATTEMPT; exit 3")), "-c", "backoff=initial:1000,max:1000")
        self.eventually(lambda: self.replicas_of(handle)["w/0"].get("attempts"), "the first attempt has ended")
        self.assertEqual(self.attempt(1, handle), ["1"])
        error = self.expect_failure(66, "not_found", "log", "--attempt", "2", handle + "/w/0")
        self.assertIn("it has had 1 attempt", error["message"])

    def test_restarts_of_the_app_are_attempts_of_all_replicas(self):
        handle = self.ended(role("good", "echo good $SLIPWAY_ATTEMPT"),
                            retrying("echo bad $SLIPWAY_ATTEMPT; test $SLIPWAY_ATTEMPT = 2", policy="APPLICATION",
                                     name="bad", metadata={"local": {"depends_on": {"good": "succeeded"}}}))
        for n in (1, 2):
            self.assertEqual(sorted(self.attempt(n, handle)), [f"bad/0 bad {n}", f"good/0 good {n}"])

    def test_output_before_and_after_a_take_over_belongs_to_its_attempt(self):
        gate = self.gate()
        app = self.app(retrying("echo $SLIPWAY_ATTEMPT; read go < gate; echo end; exit 3", retries=1))
        handle = self.detach(app, *QUICK)
        # First the warden replaces the supervisor, then a command replaces both helpers.
        for n, kill in ((1, lambda: os.kill(self.helpers(handle)[1], signal.SIGKILL)), (2, self.kill_helpers)):
            self.eventually(lambda n=n: str(n) in self.ok("log", handle).lines, f"attempt {n} has written")
            kill()
            self.open_gate(gate)
        self.expect(3, "wait", handle)
        for n in (1, 2):
            self.assertEqual(self.attempt(n, handle), [str(n), "end"])

    def test_output_of_an_attempt_that_ended_while_no_helper_lived_belongs_to_it(self):
        gate = self.gate()
        app = self.app(retrying("[ $SLIPWAY_ATTEMPT = 1 ] || exec sleep 1000; read go < gate; echo up; exit 1",
                                retries=1, ready={"log": "up"}))
        handle = self.detach(app, *QUICK)
        self.assert_state(handle, "RUNNING")
        pid = self.replicas_of(handle)["w/0"]["pid"]
        self.kill_helpers()
        self.open_gate(gate)
        self.eventually(lambda: not live_processes.alive(pid), "the first attempt has ended")
        self.ok("status", handle)  # starts a successor
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["restarts"] == 1, "the second attempt runs")
        self.assertEqual((self.attempt(1, handle), self.attempt(2, handle)), (["up"], []))
        self.assertFalse(self.replicas_of(handle)["w/0"]["ready"])
        self.ok("cancel", "--now", handle)

    def test_output_that_a_later_attempt_truncated_belongs_to_its_attempt(self):
        truncates = "test $SLIPWAY_ATTEMPT = 1 || { : 2> /proc/self/fd/2; echo $SLIPWAY_ATTEMPT >&2; }"
        handle = self.ended(retrying(f"echo long line $SLIPWAY_ATTEMPT >&2; {truncates}; exit 3"),
                            options=("-c", "log_pipes=false"))
        self.assertEqual(self.attempt(1, handle), ["long line 1"])
        self.assertEqual(self.attempt(1, handle, "--stream", "stderr"), [])
        self.assertEqual(self.attempt(3, handle)[-1], "3")
        self.assertEqual(self.attempt(3, handle, "--stream", "stderr"), ["3"])


class DockerAttempts(SlipwayCase):
    """If Docker's engine restarts a container by itself, it knows only the times of the last attempt."""

    HANDLE = "local_docker://slipway/app-x"

    def setUp(self):
        super().setUp()
        labels = {"torchx.pytorch.org/app-id": "app-x", "torchx.pytorch.org/role-name": "w",
                  "torchx.pytorch.org/replica-id": "0", "org.slipway.session": "slipway", "org.slipway.name": "app"}
        self.container = {"Id": "c0", "Names": ["/app-x-w-0"], "Status": "Exited (0) 1 minute ago",
                    "Created": 1, "Labels": labels}
        self.restarts = 2
        self.status = "exited"
        path = self.root / "engine.sock"
        self.engine = HostileEngine(path, self.behave)
        self.addCleanup(self.engine.close)
        self.env["DOCKER_HOST"] = f"unix://{path}"

    def behave(self, _method, target, _connection):
        """Answers a request as the Docker engine would."""
        if "/containers/json" in target:
            return answer(200, [{**self.container, "State": self.status}])
        if "/logs" in target:
            text = b"2026-01-02T03:04:05.600000000Z hello\n"
            return answer(200, b"\x01\0\0\0" + len(text).to_bytes(4, "big") + text)
        return answer(200, {"Id": "c0", "RestartCount": self.restarts,
                            "State": {"Status": self.status, "ExitCode": 0, "Pid": 0,
                                      "StartedAt": "2026-01-02T03:04:05.5Z", "FinishedAt": "2026-01-02T03:04:06Z"}})

    def test_the_last_attempt_begins_a_little_before_its_recorded_start(self):
        self.assertEqual(self.ok("log", "--attempt", "3", self.HANDLE).lines, ["hello"])
        (target,) = [target for _, target, _ in self.engine.requests if "/logs" in target]
        self.assertIn("since=1767323045.4", target)  # 03:04:05.4, 0.1 s before StartedAt

    def test_earlier_attempts_are_refused_with_the_reason(self):
        error = self.expect_failure(69, "unimplemented", "log", "--attempt", "1", self.HANDLE)
        self.assertIn("does not record when attempt 2 of w/0 began", error["message"])
        self.expect_failure(66, "not_found", "log", "--attempt", "4", self.HANDLE)

    def test_an_attempt_that_the_engine_waits_for_has_not_begun(self):
        self.status, self.restarts = "restarting", 1  # the engine counts a restart before its pause
        self.assertEqual(self.replicas_of(self.HANDLE)["w/0"]["restarts"], 0)
        self.assertEqual(self.ok("log", "--attempt", "1", self.HANDLE).lines, ["hello"])
        error = self.expect_failure(66, "not_found", "log", "--attempt", "2", self.HANDLE + "/w/0")
        self.assertIn("it has had 1 attempt", error["message"])

    def test_the_only_attempt_is_the_whole_log(self):
        self.restarts = 0
        self.assertEqual(self.ok("log", "--attempt", "1", self.HANDLE).lines, ["hello"])
        (target,) = [target for _, target, _ in self.engine.requests if "/logs" in target]
        self.assertNotIn("since", target)


if __name__ == "__main__":
    unittest.main()
