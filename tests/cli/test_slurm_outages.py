"""The scheduler `slurm` while its controller does not answer, with a stand-in for it (slurm_stand_in.py). LISTED in
test_slurm_versions.py has the states of the recorded jobs."""

import unittest

from slipway_case import SlipwayCase
from slurm_stand_in_case import SlurmStandIn


class Outages(SlurmStandIn, SlipwayCase):
    def test_a_silent_controller_is_temporary_and_lists_the_records(self):
        handle = self.submit()
        (self.stand_in / "silent").touch()
        result = self.expect(75, "status", handle)
        self.assertIn("Unable to contact slurm controller", result.stderr)
        result = self.ok("list", "-s", "slurm", "--all", "--json")
        self.assertIn("Unable to contact slurm controller", result.stderr)
        apps = {app["app_id"]: app["state"] for app in result.json["apps"]}
        self.assertEqual((apps["42"], apps["140"]), ("UNKNOWN", "SUCCEEDED"))

    def test_a_wait_that_starts_while_the_controller_is_silent_continues(self):
        handle = self.submit()
        (self.stand_in / "silent").touch()
        waiter = self.start("wait", handle)
        self.assertIn(b"does not answer", waiter.stderr.readline())
        self.look_like("104")
        (self.stand_in / "silent").unlink()
        result = self.finish(waiter)
        self.assertEqual((result.status, result.stdout), (0, f"{handle} SUCCEEDED\n"), result)

    def test_a_wait_that_ends_in_an_outage_reports_what_is_known(self):
        handle = self.submit()
        (self.stand_in / "silent").touch()
        result = self.expect(124, "wait", "--timeout", "0.5", "--json", handle)
        self.assertEqual([(app["handle"], app["state"]) for app in result.json], [(handle, "UNKNOWN")])
        self.assertIn(f"{handle} is reported without its replicas", result.stderr)

    def test_a_wait_for_an_unknown_app_ends_when_the_controller_answers(self):
        (self.stand_in / "silent").touch()
        waiter = self.start("wait", "slurm://slipway/999")
        self.assertIn(b"does not answer", waiter.stderr.readline())
        (self.stand_in / "silent").unlink()
        result = self.finish(waiter)
        self.assertEqual(result.status, 66, result)
        self.assertIn("there is no app", result.stderr)
        self.assertNotIn("deleted", result.stderr)

    def test_a_long_outage_is_reported_once(self):
        handle = self.submit()
        for arguments in (("wait", handle), ("attach", handle), ("log", "-f", handle)):
            with self.subTest(arguments[0]):
                self.look_like("102")
                (self.stand_in / "calls").write_text("", encoding="utf-8")
                follower = self.start(*arguments)
                # Only a command that waits for a change asks for %i|%T.
                self.eventually(lambda: any("%T" in call for call in self.calls("squeue")), "it waits for a change")
                (self.stand_in / "silent").touch()
                self.assertIn(b"controller", follower.stderr.readline())
                (self.stand_in / "calls").write_text("", encoding="utf-8")
                self.eventually(lambda: len(self.calls("scontrol")) > 3, "it asked again in vain")
                self.look_like("104")
                (self.stand_in / "silent").unlink()
                result = self.finish(follower)
                self.assertEqual(result.status, 0, result)
                self.assertNotIn("controller", result.stderr)
                # `log` asks in two threads: one may see the end before the other, which warned, asks again.
                self.assertIn(result.stderr.count("answers again"), (0, 1) if arguments[0] == "log" else (1,), result)

    def test_following_commands_may_start_in_an_outage(self):
        handle = self.submit()
        for arguments in (("wait", handle), ("attach", handle), ("log", "-f", handle), ("events", "-f", handle)):
            with self.subTest(arguments[0]):
                self.look_like("102")
                (self.stand_in / "silent").touch()
                follower = self.start(*arguments)
                warning = follower.stderr.readline()
                self.assertIn(b"slurm does not answer", warning)
                self.assertIn(b"waiting until it does", warning)
                self.look_like("104")
                (self.stand_in / "silent").unlink()
                result = self.finish(follower)
                self.assertEqual(result.status, 0, result)
                self.assertEqual(result.stderr.count("answers again"), 1, result)
        (self.stand_in / "silent").touch()
        result = self.expect(124, "--timeout", "3", "log", "-f", handle)
        self.assertIn("the time limit (--timeout) is over: slurm does not answer", result.stderr)

    def test_following_commands_continue_through_an_outage_that_starts_when_the_app_has_ended(self):
        handle = self.submit()
        for arguments in (("events", "-f", handle), ("run", "-s", "slurm", "--wait", "app.toml")):
            with self.subTest(arguments[0]):
                self.look_like("102")
                (self.stand_in / "silent").unlink(missing_ok=True)
                (self.stand_in / "calls").write_text("", encoding="utf-8")
                (self.stand_in / "falls_silent").touch()
                follower = self.start(*arguments)
                # Only a command that waits for a change asks for %i|%T.
                self.eventually(lambda: any("%T" in call for call in self.calls("squeue")), "it waits for a change")
                self.look_like("105")
                # `run` may first report that the new job is held.
                warnings = iter(follower.stderr.readline, b"")
                self.assertTrue(any(b"slurm does not answer" in line for line in warnings))
                (self.stand_in / "silent").unlink()
                result = self.finish(follower)
                # No script has run that could have recorded the end of the replica.
                self.assertIn("FAILED: w/0 was lost", result.stdout + result.stderr)
                self.assertEqual(result.status, 0 if arguments[0] == "events" else 70, result)


if __name__ == "__main__":
    unittest.main()
