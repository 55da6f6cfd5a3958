"""Tests the injector: its report, and the place of a fault."""

import errno
import os
import unittest
from pathlib import Path

from home import Home, scratch_base, find_helpers
from scenarios import role
from trial import Outcome

TREE = Path(os.environ.get("SLIPWAY_TREE", Path(__file__).parents[2] / "build" / "release" / "tree")).resolve()
INJECTOR = Path(os.environ.get("SLIPWAY_FAULT_INJECTOR", TREE.parent / "tests" / "faults" / "slipway-fault-injector"))
NOT_PERMITTED = 77


class Injector(unittest.TestCase):
    def setUp(self):
        self.home = Home(TREE, scratch_base())
        self.addCleanup(self.home.end)

    def inject(self, *options, command=("--version",)):
        report = self.home.root / "report"
        report.unlink(missing_ok=True)
        process = self.home.start([INJECTOR, "--report", report, *options, "--", self.home.slipway, *command],
                                  "command")
        if process.wait() == NOT_PERMITTED and "CI" not in os.environ:
            self.skipTest("NOT CHECKED: ptrace is not permitted here")
        self.assertEqual(process.returncode, 0)
        return Outcome(self.home, report.read_text().splitlines())

    def run_app(self, *options):
        self.home.write_app("app", role("good"))
        return self.inject(*options, command=("run", "app.json"))

    def test_every_part_of_a_run_is_reported_with_its_calls(self):
        outcome = self.run_app()
        self.assertEqual(outcome.status, 0, outcome)
        parts = {part for part, *_ in outcome.calls}
        self.assertEqual(parts, {"command", "spawn", "starter", "warden", "supervisor", "child"})
        of_child = [call for part, _, call, _ in outcome.calls if part == "child"]
        self.assertEqual(of_child[-1], "execve")

    def test_a_kill_before_a_call_prevents_it_and_one_after_it_does_not(self):
        for when, written in (("before", ""), ("after", self.inject().out)):
            outcome = self.inject("--part", "command:0", "--calls", "write", "--at", "1", "--kill", when)
            self.assertEqual((outcome.status, outcome.out), (137, written))
            self.assertEqual(outcome.hits, [("command", "write")])

    def test_a_call_fails_with_the_error_that_was_chosen(self):
        outcome = self.inject("--part", "command:0", "--calls", "write", "--at", "1", "--fail", str(errno.ENOSPC))
        self.assertNotEqual(outcome.status, 0)
        self.assertIn(os.strerror(errno.ENOSPC), outcome.err)

    def test_a_lasting_error_makes_every_later_call_fail(self):
        # The dynamic loader makes the first two calls.
        options = ("--part", "command:0", "--calls", "openat", "--at", "3", "--fail", str(errno.EMFILE))
        once = self.inject(*options, command=("list",))
        lasting = self.inject(*options, "--from-then-on", command=("list",))
        self.assertEqual(len(once.hits), 1)
        self.assertGreater(len(lasting.hits), 1)

    def test_option_also_warden_kills_both_helpers(self):
        self.home.gate()
        self.home.write_app("app", role("held", work="read go <gate"))
        # Before its third wait, the supervisor has started the replica, and the app would keep a helper alive.
        outcome = self.inject("--part", "supervisor:0", "--calls", "epoll_wait", "--at", "3", "--kill", "before",
                              "--also-warden", command=("run", "-d", "app.json"))
        self.assertEqual([part for part, _ in outcome.hits], ["supervisor"])
        # A living warden would take over, and stay as long as the app.
        self.home.eventually(lambda: find_helpers(self.home.population.living()) == (None, None), "both are dead")

    def test_a_fault_that_is_not_reached_changes_nothing(self):
        outcome = self.inject("--part", "command:0", "--at", "1000000", "--kill", "before")
        self.assertEqual((outcome.status, outcome.hits), (0, []))


if __name__ == "__main__":
    unittest.main()
