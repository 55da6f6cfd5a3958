"""`slipway status`: the state of an app, its roles and its replicas."""

import unittest

from app_text import role
from slipway_case import SlipwayCase


class Status(SlipwayCase):
    def test_json_of_a_finished_app_has_the_end_of_each_replica(self):
        app = self.app(role("a", "exit ${replica_id}", num_replicas=2), role("b", "exit 0"))
        handle = self.expect(1, "run", app).stdout.strip()
        document = self.status_of(handle)
        self.assert_status_document(document)
        self.assertEqual((document["handle"], document["name"], document["state"], document["num_restarts"]),
                         (handle, "app", "FAILED", 0))
        self.assertEqual([r["role"] for r in document["roles"]], ["a", "b"])
        self.assertEqual([r["id"] for r in document["roles"][0]["replicas"]], [0, 1])
        outcomes = {k: (r["state"], r["exit_code"], r["signal"], r["reason"], r["restarts"])
                    for k, r in self.replicas_of(handle).items()}
        self.assertEqual(outcomes, {"a/0": ("SUCCEEDED", 0, None, "exit", 0), "a/1": ("FAILED", 1, None, "exit", 0),
                                    "b/0": ("SUCCEEDED", 0, None, "exit", 0)})
        self.assertLessEqual(document["submitted_at"], document["started_at"])
        self.assertLessEqual(document["started_at"], document["finished_at"])

    def test_json_of_a_running_app_has_pids_and_no_ends(self):
        handle = self.detach(self.app("sleep 1000"))
        self.ok("wait", "--for", "RUNNING", handle)
        replica = self.eventually(lambda: self.running_replica(handle), "the replica runs")
        document = self.status_of(handle)
        self.assert_status_document(document)
        self.assertEqual((document["state"], document["finished_at"]), ("RUNNING", None))
        self.assertIn(replica["pid"], self.processes())
        self.assertEqual((replica["exit_code"], replica["signal"], replica["reason"], replica["finished_at"]),
                         (None, None, None, None))
        self.assertNotEqual(replica["hostname"], "")

    def running_replica(self, handle):
        """Returns the replica if it runs, or None."""
        replica = self.replicas_of(handle)["w/0"]
        return replica if replica["state"] == "RUNNING" else None

    def test_the_app_runs_until_its_last_replica_has_ended(self):
        gate = self.gate()
        handle = self.detach(self.app(role("long", "read go < gate"), role("short", "exit 3")))
        self.eventually(lambda: self.replicas_of(handle)["short/0"]["state"] == "FAILED", "the short replica has ended")
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.expect(3, "wait", handle)
        self.assert_state(handle, "FAILED")

    def test_text_names_handle_state_roles_and_the_failed_replica(self):
        handle = self.expect(5, "run", self.app(role("trainer", "exit 5"))).stdout.strip()
        result = self.ok("status", handle)
        for text in (handle, "FAILED", "trainer", "exit 5"):
            self.assertIn(text, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_returns_0_however_the_app_ended(self):
        for script in ("exit 0", "exit 3", "kill -9 $$"):
            handle = self.run_slipway("run", self.app(script)).stdout.strip()
            self.ok("status", handle)

    def test_option_roles_limits_the_output(self):
        handle = self.ok("run", self.app(role("a", "true"), role("b", "true"), role("c", "true"))).stdout.strip()
        document = self.ok("status", "--json", "--roles", "c,a", handle).json
        self.assertEqual(sorted(r["role"] for r in document["roles"]), ["a", "c"])
        self.assert_status_document(document)
        self.assertNotIn("  b (", self.ok("status", "--roles", "a", handle).stdout)
        self.expect_failure(66, "not_found", "status", "--roles", "a,nobody", handle)

    def test_status_creates_no_directory(self):
        self.expect_failure(66, "not_found", "status", "local_cwd://slipway/none-123")
        self.ok("list")
        self.assertFalse(self.state.exists())

    def test_a_hundred_replicas_come_in_order(self):
        handle = self.ok("run", self.app(role("w", "true", num_replicas=100))).stdout.strip()
        replicas = self.status_of(handle)["roles"][0]["replicas"]
        self.assertEqual([r["id"] for r in replicas], list(range(100)))
        self.assertEqual({r["state"] for r in replicas}, {"SUCCEEDED"})


if __name__ == "__main__":
    unittest.main()
