"""`local.depends_on`: roles that start after others have started or succeeded. test_readiness.py tests the condition
`healthy`."""

import os
import signal
import unittest

import live_processes
from app_text import role
from slipway_case import SlipwayCase


def after(**roles):
    """Returns the metadata of a role that waits for others, given as role="started" or role="succeeded"."""
    return {"local.depends_on": roles}


class DependsOn(SlipwayCase):
    def outcomes(self, handle):
        """Returns {ROLE/K: (state, reason)} of all replicas."""
        return {k: (r["state"], r["reason"]) for k, r in self.replicas_of(handle).items()}

    def test_succeeded_waits_for_every_replica(self):
        app = self.app(role("b", "ls done.* | wc -l", metadata=after(a="succeeded"), num_replicas=2),
                       role("a", "touch done.${replica_id}", num_replicas=3))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual(sorted(self.ok("log", handle + "/b").lines), ["b/0 3", "b/1 3"])

    def test_waiting_role_is_pending_and_starts_when_its_dependency_is_met(self):
        gate = self.gate()
        app = self.app(role("a", "touch on; read go < gate"), role("b", "touch b.ran", metadata=after(a="succeeded")))
        handle = self.detach(app)
        self.file_appears("on")
        self.assertEqual(self.replicas_of(handle)["b/0"]["state"], "PENDING")
        self.assertFalse((self.cwd / "b.ran").exists())
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertTrue((self.cwd / "b.ran").exists())

    def test_started_waits_for_the_start_and_not_for_the_end(self):
        self.gate()
        # The metadata is a nested table here. `b` opens the gate that `a` waits for.
        app = self.app(role("b", "echo go > gate", metadata={"local": {"depends_on": {"a": "started"}}}),
                       role("a", "read go < gate"))
        handle = self.ok("run", app).stdout.strip()
        events = (self.app_dir(handle) / "events.log").read_text()
        self.assertLess(events.index("replica a/0 RUNNING"), events.index("replica b/0 RUNNING"))

    def test_a_chain_runs_in_order_also_with_max_parallel_1(self):
        roles = [role(f"r{k}", f"echo {k} >> order", metadata=after(**{f"r{k + 1}": "succeeded"}) if k < 4 else {})
                 for k in range(5)]
        for options in ([], ["-c", "max_parallel=1"]):
            with self.subTest(options=options):
                (self.cwd / "order").write_text("")
                self.ok("run", *options, self.app(*roles))
                self.assertEqual((self.cwd / "order").read_text().split(), ["4", "3", "2", "1", "0"])

    def test_dependency_that_cannot_be_met_fails_the_role_with_the_reason(self):
        app = self.app(role("c", "touch c.ran", metadata=after(b="started")),
                       role("b", "touch b.ran", metadata=after(a="succeeded"), num_replicas=2),
                       role("a", "exit 5"), role("other", "true"))
        result = self.expect(5, "run", app)
        self.assertEqual(self.outcomes(result.stdout.strip()),
                         {"c/0": ("FAILED", "dependency"), "b/0": ("FAILED", "dependency"),
                          "b/1": ("FAILED", "dependency"), "a/0": ("FAILED", "exit"), "other/0": ("SUCCEEDED", "exit")})
        self.assertEqual(list(self.cwd.glob("*.ran")), [])
        for name in ("b/0,1", "c/0"):
            self.assertIn(f"{name} did not run, because a role that it waits for failed", result.stderr)
        self.assertRegex(self.ok("status", "@last").stdout, r"(?m)^    0     FAILED  did not run: a role that it waits "
                                                            r"for failed or was never ready$")

    def test_role_also_waits_for_retries_of_its_dependency(self):
        app = self.app(role("a", "[ -e again ] && exit 0; touch again; exit 1", max_retries=1, retry_policy="REPLICA"),
                       role("b", "true", metadata=after(a="succeeded")))
        handle = self.ok("run", "-c", "backoff=initial:0.01", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["b/0"], ("SUCCEEDED", "exit"))

    def test_a_restart_of_the_app_goes_in_order_again(self):
        app = self.app(role("a", "sleep 0.2; echo a >> order", max_retries=1),
                       role("b", "echo b >> order; [ $(wc -l < order) -gt 2 ]", max_retries=1,
                            metadata=after(a="succeeded")))
        handle = self.ok("run", "-c", "backoff=initial:0.01", app).stdout.strip()
        self.assertEqual((self.cwd / "order").read_text().split(), ["a", "b", "a", "b"])
        self.assertEqual(self.status_of(handle)["num_restarts"], 1)

    def test_a_role_that_has_started_continues_after_a_take_over(self):
        first, second, third = (self.gate(name) for name in ("first", "second", "third"))
        app = self.app(role("r", "[ -e again ] || { read go < first; touch again; exit 1; }; read go < third",
                            max_retries=1, retry_policy="REPLICA", backoff={"initial": 0.5}),
                       role("a", "read go < second; exit 1", max_retries=1, retry_policy="REPLICA",
                            backoff={"initial": 1000}, ready={"command": "exit 0"}),
                       role("b", "sleep 1000", depends_on={"a": "healthy"}, num_replicas=3))
        handle = self.detach(app, "-c", "max_parallel=3")
        def reach(*states):
            self.eventually(lambda: [r["state"] for r in self.replicas_of(handle).values()] == list(states), states)
        reach("RUNNING", "RUNNING", "RUNNING", "PENDING", "PENDING")
        self.open_gate(first)  # a replica of b gets the place of r
        reach("PENDING", "RUNNING", "RUNNING", "RUNNING", "PENDING")
        self.eventually(lambda: "slot" in self.replicas_of(handle)["r/0"]["waits_for"], "r/0 waits only for a slot")
        self.open_gate(second)  # r gets the place of a, which waits for its next attempt
        reach("RUNNING", "PENDING", "RUNNING", "RUNNING", "PENDING")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        self.eventually(lambda: not live_processes.alive(supervisor), "the supervisor is dead")
        self.open_gate(third)
        reach("SUCCEEDED", "PENDING", "RUNNING", "RUNNING", "RUNNING")
        self.ok("cancel", "--now", handle)

    def test_a_role_in_its_own_restart_does_not_wait_again_after_a_take_over(self):
        gates = {name: self.gate(name) for name in ("db", "w")}
        app = self.app(role("db", "read go < db; exit 1", ready={"command": "exit 0"}),
                       role("w", "read go < w; exit 1", max_retries=1, retry_policy="ROLE",
                            backoff={"initial": 1000, "max": 1000}, depends_on={"db": "healthy"}))
        handle = self.detach(app)
        def reach(*states):
            self.eventually(lambda: [r["state"] for r in self.replicas_of(handle).values()] == list(states), states)
        reach("RUNNING", "RUNNING")
        self.open_gate(gates["db"])
        reach("FAILED", "RUNNING")
        self.open_gate(gates["w"])
        reach("FAILED", "PENDING")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        self.eventually(lambda: not live_processes.alive(supervisor), "the supervisor is dead")
        journal = self.app_dir(handle) / "events.log"
        self.eventually(lambda: "supervisor replaced" in journal.read_text(), "the warden takes over")
        reach("FAILED", "PENDING")
        self.assertIn("next attempt", self.replicas_of(handle)["w/0"]["waits_for"])
        self.ok("cancel", "--now", handle)

    def test_waiting_role_can_be_cancelled(self):
        app = self.app(role("a", "sleep 1000"), role("b", "true", metadata=after(a="succeeded")))
        handle = self.detach(app)
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)
        self.assertEqual(self.outcomes(handle)["b/0"], ("CANCELLED", "cancelled"))

    def test_mistakes_are_refused_by_run_and_its_dry_run(self):
        for metadata, word in ((after(nobody="started"), "nobody"), (after(w="started"), "itself"),
                               (after(a="healthy"), "healthy"), (after(a="ready"), "ready"),
                               ({"local.depends_on": ["a"]}, "table"),
                               (after(b="started"), "w -> b -> w")):
            app = self.app(role("w", "true", metadata=metadata), role("a", "true"),
                           role("b", "true", metadata=after(w="succeeded")))
            for arguments in (["run", "-n"], ["run"]):
                with self.subTest(metadata=metadata, arguments=arguments):
                    self.assertIn(word, self.expect_failure(65, "invalid", *arguments, app)["message"])
        self.assert_no_app()

    def test_a_misspelt_key_is_an_error(self):
        app = self.app(role("w", "touch ran", metadata={"local.depend_on": {"x": "started"}, "local.raedy.tcp": 1,
                                                      "k8s.priority": 3}))
        error = self.expect_failure(65, "invalid", "run", app)
        self.assertEqual(error["message"],
                         "role w: the metadata has unknown keys: local.depend_on, local.raedy.tcp")
        self.assertIn("local.depends_on", error["hint"])
        self.assertFalse((self.cwd / "ran").exists())


if __name__ == "__main__":
    unittest.main()
