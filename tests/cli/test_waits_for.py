"""What `status` says that a pending replica waits for."""

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
                       role("last", "true", depends_on={"web": "started"}))  # fmt: skip
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
                self.assertRegex(self.shown(handle)["w/0"], r"^its next attempt, in (9\d\d|1000) s$")
                self.assertIn("PENDING  waits for its next attempt, in ", self.ok("status", handle).stdout)
                self.ok("cancel", "--now", handle)


if __name__ == "__main__":
    unittest.main()
