"""Retries of replicas and restarts of apps: policies, back-off, limits, and their reports."""

import os
import signal
import time
import unittest

import live_processes
from app_text import role
from slipway_case import SlipwayCase

# Sets $n to the number of earlier starts of the replica.
COUNT_STARTS = 'n=$(cat tries.${replica_id} 2>/dev/null || echo 0); echo $((n + 1)) > tries.${replica_id}; '
QUICK = ("-c", "backoff=initial:0.01")


def retrying(script, retries=1, policy="REPLICA", name="w", **fields):
    """Returns a role whose replicas are retried."""
    return role(name, script, max_retries=retries, retry_policy=policy, **fields)


class Retries(SlipwayCase):
    def outcomes(self, handle):
        """Returns (state, exit code, reason, restarts) of each replica."""
        return {k: (r["state"], r["exit_code"], r["reason"], r["restarts"])
                for k, r in self.replicas_of(handle).items()}

    def attempts(self, handle):
        """Returns (state, exit code, signal, reason) of each attempt of each replica."""
        return {k: [(a["state"], a["exit_code"], a["signal"], a["reason"]) for a in r.get("attempts", [])]
                for k, r in self.replicas_of(handle).items()}

    def events(self, handle):
        """Returns the lines of events.log without checksum, number and time."""
        return [line.split(" ", 3)[3] for line in (self.app_dir(handle) / "events.log").read_text().splitlines()[1:]]

    def test_policy_replica_retries_only_the_failed_replica(self):
        app = self.app(retrying(COUNT_STARTS + "[ $n -ge ${replica_id} ] && exit 0; exit 7", 2, num_replicas=3))
        handle = self.ok("run", *QUICK, app).stdout.strip()
        self.assertEqual(self.outcomes(handle), {f"w/{k}": ("SUCCEEDED", 0, "exit", k) for k in range(3)})
        self.assertEqual(self.status_of(handle)["num_restarts"], 0)
        self.assertEqual(self.attempts(handle)["w/2"],
                         [("FAILED", 7, None, "exit")] * 2 + [("SUCCEEDED", 0, None, "exit")])

    def test_a_replica_fails_after_its_last_retry(self):
        app = self.app(retrying("echo try; exit 3", 2))
        result = self.expect(3, "run", *QUICK, app)
        handle = result.stdout.strip()
        self.assertEqual(self.outcomes(handle), {"w/0": ("FAILED", 3, "exit", 2)})
        self.assertEqual(self.ok("log", handle).lines, ["try"] * 3)
        self.assertIn("restarts 2 (exit 3, exit 3)\n", self.ok("status", handle).stdout)

    def test_policy_application_ends_and_restarts_all_replicas(self):
        app = self.app(role("ok", "echo ok"),
                       role("long", "[ -e again ] && exit 0; echo x > long; exec sleep 1000"),
                       retrying("[ -e again ] && exit 0; while [ ! -s long ]; do sleep 0.01; done; touch again; exit 9",
                                1, "APPLICATION", "bad"))
        handle = self.ok("run", *QUICK, app).stdout.strip()
        self.assertEqual({k: r[3] for k, r in self.outcomes(handle).items()},
                         {"ok/0": 1, "long/0": 1, "bad/0": 1})
        self.assertEqual(self.status_of(handle)["num_restarts"], 1)
        self.assertEqual(self.attempts(handle)["bad/0"][0], ("FAILED", 9, None, "exit"))
        self.assertEqual(self.attempts(handle)["ok/0"][1], ("SUCCEEDED", 0, None, "exit"))
        self.assertEqual([a[3] for a in self.attempts(handle)["long/0"]], ["restarted", "exit"])
        text = self.ok("status", handle).stdout
        self.assertIn("restarts 1 (exit 9)\n", text)
        self.assertIn("restarts 1 (restarted)\n", text)

    def test_policy_application_leaves_no_process_of_earlier_attempts(self):
        app = self.app(retrying("[ -e again ] && exit 0; setsid sh -c 'touch again; exec sleep 1000' & "
                                "while [ ! -e again ]; do sleep 0.01; done; exit 1", 1, "APPLICATION"),
                       role("look", "exec sleep 1000"))
        handle = self.detach(app, *QUICK)
        self.eventually(lambda: self.status_of(handle)["num_restarts"] == 1
                        and self.replicas_of(handle)["look/0"]["state"] == "RUNNING", "the second attempts run")
        self.eventually(lambda: [line.split()[0] for line in self.processes().values() if "libexec" not in line]
                        == ["sleep"], "only one process is left")

    def test_policy_application_sends_each_running_replica_one_sigterm(self):
        # The sleeps let a second signal arrive. The kernel merges two signals if the replica does not run in between,
        # so a second one shows in only some of many replicas.
        app = self.app(role("long", "[ -e again ] && exit 0; trap 'echo TERM >> signals.${replica_id}' TERM; "
                                    "echo x > long.${replica_id}; sleep 1000; sleep 0.2; sleep 0.2", num_replicas=32),
                       retrying("[ -e again ] && exit 0; while [ $(ls | grep -c long) -lt 32 ]; do sleep 0.01; done; "
                                "touch again; exit 9", 1, "APPLICATION", "bad"))
        self.ok("run", "--no-log", *QUICK, app)
        self.assertEqual([(self.cwd / f"signals.{k}").read_text() for k in range(32)], ["TERM\n"] * 32)

    def test_policy_role_restarts_only_the_replicas_of_the_role(self):
        app = self.app(retrying(COUNT_STARTS + "[ $n -ge 1 ] && exit 0; [ ${replica_id} = 0 ] && exec sleep 1000; "
                                "while [ ! -s tries.0 ]; do sleep 0.01; done; exit 4",
                                1, "ROLE", "team", num_replicas=2),
                       role("other", "while [ ! -e done ]; do sleep 0.01; done"))
        handle = self.detach(app, *QUICK)
        self.eventually(lambda: {r["state"] for k, r in self.replicas_of(handle).items() if k[0] == "t"}
                        == {"SUCCEEDED"}, "the role has succeeded")
        self.write("done", "")
        self.ok("wait", handle)
        self.assertEqual({k: r[3] for k, r in self.outcomes(handle).items()},
                         {"team/0": 1, "team/1": 1, "other/0": 0})

    def test_a_replica_is_pending_during_its_back_off(self):
        handle = self.detach(self.app(retrying("exit 1", 1)), "-c", "backoff=initial:1000")
        waiting = self.eventually(lambda: [r for r in self.replicas_of(handle).values() if r.get("attempts", [])],
                                  "an attempt has ended")
        self.assertEqual((waiting[0]["state"], waiting[0]["exit_code"], waiting[0]["reason"], waiting[0]["restarts"]),
                         ("PENDING", None, None, 0))
        self.assertEqual(waiting[0].get("attempts")[0]["exit_code"], 1)
        self.assertIn("(exit 1)", self.ok("status", handle).stdout)
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)
        self.assertEqual(self.outcomes(handle), {"w/0": ("CANCELLED", None, "cancelled", 0)})
        self.assertEqual(self.attempts(handle)["w/0"], [("FAILED", 1, None, "exit")])

    def test_retry_on_selects_the_ends_that_are_retried(self):
        cases = {"exit 3": 1, "exit 4": 0, "kill -9 $$": 1, "kill -15 $$": 0, "exec sleep 1000": 1}
        app = self.app(*[retrying(script, 1, name=f"r{i}") for i, script in enumerate(cases)])
        handle = self.run_slipway("run", "-c", "backoff=initial:0.01,retry_on=3;SIGKILL;timeout,timeout_s=0.4",
                                  app).stdout.strip()
        self.assertEqual({k: r[3] for k, r in self.outcomes(handle).items()},
                         {f"r{i}/0": restarts for i, restarts in enumerate(cases.values())})
        self.assertEqual(self.outcomes(handle)["r4/0"][2], "timeout")

    def test_a_replica_that_ignores_its_time_limit_is_killed(self):
        app = self.app("trap '' TERM; while :; do sleep 1000; done", "exit 0")
        result = self.expect(124, "run", "-c", "timeout_s=0.1,grace_s=0.1", app)
        outcomes = self.outcomes(result.stdout.strip())
        self.assertEqual((outcomes["w/0"][2], outcomes["r1/0"][0]), ("timeout", "SUCCEEDED"))

    def test_app_that_exceeds_its_time_limit_fails(self):
        app = self.app(retrying("exit 1", 1000000), "exec sleep 1000")
        result = self.expect(124, "run", "-c", "app_timeout_s=0.3,backoff=initial:0.01;max:0.01", app)
        handle = result.stdout.strip()
        self.assertIn("app_timeout_s of 0.3", self.status_of(handle)["msg"])
        self.assertEqual(self.outcomes(handle)["r1/0"][2], "timeout")
        self.assert_state(handle, "FAILED")

    def test_each_replica_has_the_time_limit_that_it_exceeded(self):
        app = self.app(role("a", "exec sleep 1000", timeout_s=0.1), role("b", "exec sleep 1000"),
                       role("c", "exec sleep 1000", max_retries=1, retry_policy="REPLICA", timeout_s=0.1))
        # `c` waits for its second attempt when the app exceeds its limit.
        handle = self.expect(124, "run", "-c", "app_timeout_s=5,backoff=initial:1000", app).stdout.strip()
        limits = {"a/0": "timeout_s of 0.1 s", "b/0": "app_timeout_s of 5 s", "c/0": "app_timeout_s of 5 s"}
        self.assertEqual({k: r["limit"] for k, r in self.replicas_of(handle).items()}, limits)
        # The journal also distinguishes the limits.
        (self.app_dir(handle) / "state.bin").write_bytes(b"")
        rebuilt = self.replicas_of(handle)
        self.assertEqual([rebuilt[k]["limit"] for k in ("a/0", "b/0")], [limits["a/0"], limits["b/0"]])

    def test_failure_at_the_time_limit_of_the_app_that_would_be_retried_counts_as_time_limit(self):
        app = self.app(retrying("exec sleep 1000", 5), role("other", "exec sleep 1000"))
        handle = self.detach(app, "-c", "app_timeout_s=3")
        self.eventually(lambda: all(r["pid"] for r in self.replicas_of(handle).values()), "both replicas run")
        started = time.time()
        supervisor = self.helpers(handle)[1]
        os.kill(supervisor, signal.SIGSTOP)  # so that it notices the failure and the limit at once
        replica = self.replicas_of(handle)["w/0"]["pid"]
        os.kill(replica, signal.SIGKILL)
        self.eventually(lambda: not live_processes.alive(replica), "the replica has ended")
        self.eventually(lambda: time.time() > started + 3, "the time limit has passed")
        os.kill(supervisor, signal.SIGCONT)
        self.expect(124, "wait", handle)
        self.assertEqual(self.outcomes(handle)["w/0"][2], "timeout")
        self.assertEqual(self.attempts(handle)["w/0"][0], ("FAILED", None, 9, "signal"))
        self.assert_state(handle, "FAILED")

    def test_fail_fast_ends_the_other_replicas(self):
        app = self.app(role("long", "exec sleep 1000"), role("bad", "exit 5"))
        handle = self.expect(5, "run", "-c", "fail_fast=true", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["long/0"][0], "CANCELLED")
        self.assertIn("bad/0 failed (exit code 5)", self.status_of(handle)["msg"])
        self.assert_state(handle, "FAILED")

    def test_a_role_succeeds_with_min_replicas(self):
        script = "[ ${replica_id} -lt $(cat bad) ] && exit 2; while [ ! -e done ]; do sleep 0.01; done"
        app = self.app(role("w", script, num_replicas=4, min_replicas=2))
        self.write("bad", "3")
        handle = self.expect(2, "run", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["w/3"][0], "CANCELLED")
        self.assertIn("min_replicas of 2", self.status_of(handle)["msg"])
        self.write("bad", "2")
        self.write("done", "")
        handle = self.ok("run", app).stdout.strip()
        self.assert_state(handle, "SUCCEEDED")
        self.assertEqual([self.outcomes(handle)[f"w/{k}"][0] for k in range(4)], ["FAILED"] * 2 + ["SUCCEEDED"] * 2)

    def test_max_parallel_starts_in_order_as_others_end(self):
        gate = self.gate()
        app = self.app(role("w", "echo ${replica_id} >> order; read go < gate", num_replicas=5))
        handle = self.detach(app, "-c", "max_parallel=2")

        def states():
            return [r["state"] for r in self.replicas_of(handle).values()]
        self.eventually(lambda: states().count("RUNNING") == 2, "two run")
        self.assertEqual(states(), ["RUNNING"] * 2 + ["PENDING"] * 3)
        for left in (2, 1, 0):
            self.open_gate(gate)
            self.eventually(lambda left=left: states().count("PENDING") == left, f"{left} wait")
            self.assertLessEqual(states().count("RUNNING"), 2)
        self.open_gate(gate, 2)
        self.ok("wait", handle)
        started = [line.split()[1] for line in self.events(handle) if " RUNNING pid" in line]
        self.assertEqual(started, [f"w/{k}" for k in range(5)])

    def test_logs_of_all_attempts_are_in_one_file(self):
        app = self.app(retrying(COUNT_STARTS + "echo out $n; printf 'err %s' $n >&2; [ $n -ge 2 ]", 2))
        handle = self.ok("run", *QUICK, app).stdout.strip()
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).lines, [f"out {n}" for n in range(3)])
        files = self.app_dir(handle) / "logs" / "w" / "0"
        self.assertEqual((files / "stderr.log").read_text(), "err 0err 1err 2")
        self.assertEqual(sorted((files / "combined.log").read_bytes()),
                         sorted((files / "stdout.log").read_bytes() + (files / "stderr.log").read_bytes()))

    def test_the_error_of_an_attempt_is_not_reported_for_the_next(self):
        fails = "[ $n -ge 1 ] && exit 0; echo '{\"n\": 1}' > $TORCHELASTIC_ERROR_FILE; exit 1"
        app = self.app(retrying(COUNT_STARTS + fails))
        handle = self.ok("run", *QUICK, app).stdout.strip()
        self.assertIsNone(self.status_of(handle)["structured_error_msg"])
        files = self.app_dir(handle) / "logs" / "w" / "0"
        self.assertEqual((files / "error.json.1").read_text(), '{"n": 1}\n')

    def test_wrong_options_are_reported_by_name(self):
        app = self.app("true")
        for option, word in (("retry_on=SIGNOTHING", "SIGNOTHING"), ("retry_on=0", "'0'"), ("backoff=pause:1", "pause"),
                             ("backoff=factor:0.5", "factor"), ("timeout_s=-1", "timeout_s"),
                             ("max_parallel=-1", "max_parallel")):
            error = self.expect_failure(65, "invalid", "run", "-c", option, app)
            self.assertIn(word, error["message"])
        self.assert_no_app()


class RetriesUnderFire(SlipwayCase):
    """The supervisor is killed while replicas wait, restart and fail."""

    def expect_one_of(self, statuses, *arguments):
        """Runs a command that must have one of these exit statuses. Returns the status."""
        result = self.run_slipway(*arguments)
        self.assertIn(result.status, statuses, result)
        return result.status

    def kill_the_supervisor(self):
        """Kills the supervisor, but not its warden, if both still live."""
        ours = {pid for pid, line in self.processes().items() if "/libexec/slipway/" in line.split(" ")[0]}
        parents = {pid: live_processes.parent(pid) for pid in ours}
        # Until it executes its program, a new replica looks like a supervisor, but its parent is one. A kill changes
        # parents, so this finds all of them first.
        for pid in [pid for pid in ours if parents[pid] in ours and parents[parents[pid]] not in ours]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def test_no_attempt_of_a_replica_is_lost_or_doubled(self):
        app = self.app(retrying(COUNT_STARTS + "[ $n -ge 6 ] && exit 0; exit $((n + 1))", 6, num_replicas=3))
        for moment in range(5):
            for k in range(3):
                (self.cwd / f"tries.{k}").unlink(missing_ok=True)
            handle = self.detach(app, "-c", "backoff=initial:0.01;factor:1")
            self.expect_one_of((0, 124), "wait", "--timeout", str(0.04 * moment), handle)
            self.kill_the_supervisor()
            self.ok("wait", handle)
            for k, replica in self.replicas_of(handle).items():
                self.assertEqual((self.cwd / f"tries.{k[-1]}").read_text(), "7\n")
                self.assertEqual(replica["restarts"], 6)
                self.assertEqual([a["exit_code"] for a in replica["attempts"]], [1, 2, 3, 4, 5, 6, 0])
        self.assert_nothing_lives()

    def test_no_restart_of_the_app_is_lost_or_doubled(self):
        script = ("echo x >> starts.${replica_id}; [ ${replica_id} = 0 ] && [ $(wc -l < starts.0) -lt 6 ] && exit 1; "
                  "while [ ! -e starts.0 ] || [ $(wc -l < starts.0) -lt 6 ]; do sleep 0.01; done")
        app = self.app(retrying(script, 9, "APPLICATION", num_replicas=3))
        for moment in range(4):
            for k in range(3):
                (self.cwd / f"starts.{k}").unlink(missing_ok=True)
            handle = self.detach(app, "-c", "backoff=initial:0.01;factor:1")
            self.expect_one_of((0, 124), "wait", "--timeout", str(0.04 * moment), handle)
            self.kill_the_supervisor()
            self.ok("wait", handle)
            self.assertEqual(self.status_of(handle)["num_restarts"], 5)
            for replica in self.replicas_of(handle).values():
                self.assertEqual((replica["restarts"], len(replica["attempts"])), (5, 6))
            self.assertEqual([a["exit_code"] for a in self.replicas_of(handle)["w/0"]["attempts"]], [1] * 5 + [0])
        self.assert_nothing_lives()

    def test_back_off_continues_under_a_successor(self):
        handle = self.detach(self.app(retrying(COUNT_STARTS + "[ $n -ge 1 ]", 1)), "-c", "backoff=initial:0.5;jitter:0")
        self.eventually(lambda: self.replicas_of(handle)["w/0"].get("attempts"), "it waits")
        self.kill_the_supervisor()
        self.ok("wait", handle)
        (replica,) = self.replicas_of(handle).values()
        self.assertEqual([a["exit_code"] for a in replica["attempts"]], [1, 0])


if __name__ == "__main__":
    unittest.main()
