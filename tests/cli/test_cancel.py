"""`slipway cancel`: returns when the app has ended, even if the app ignores signals."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

# Ignores SIGTERM.
STUBBORN = "trap '' TERM; touch ready.${replica_id}; while :; do sleep 1000; done"


class Cancel(SlipwayCase):
    def test_ends_the_app_before_it_returns(self):
        handle = self.detach(self.app(role("w", "sleep 1000", num_replicas=3)))
        result = self.ok("cancel", handle)
        self.assertEqual(result.stdout, "")
        self.assert_state(handle, "CANCELLED")
        for replica in self.replicas_of(handle).values():
            self.assertEqual((replica["state"], replica["reason"]), ("CANCELLED", "cancelled"))
        self.assert_nothing_lives()

    def test_is_idempotent(self):
        handle = self.detach(self.app("sleep 1000"))
        for _ in range(3):
            self.ok("cancel", handle)
            self.assert_state(handle, "CANCELLED")

    def test_does_not_change_a_finished_app(self):
        for script, state in (("exit 0", "SUCCEEDED"), ("exit 3", "FAILED")):
            handle = self.run_slipway("run", self.app(script)).stdout.strip()
            self.ok("cancel", handle)
            self.ok("cancel", "--now", handle)
            self.assert_state(handle, state)

    def test_json_has_the_handle_and_the_state(self):
        handle = self.detach(self.app("sleep 1000"))
        (app,) = self.ok("cancel", "--json", handle).json
        self.assertEqual((app["handle"], app["state"]), (handle, "CANCELLED"))

    def test_app_gets_sigterm_and_may_finish_its_output(self):
        handle = self.detach(self.app("trap 'echo goodbye; exit 0' TERM; touch ready; while :; do sleep 0.01; done"))
        self.file_appears("ready")
        self.ok("cancel", handle)
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).stdout, "goodbye\n")
        self.assert_state(handle, "CANCELLED")

    def test_process_outside_the_group_may_finish_its_output_after_its_replica(self):
        daemon = "setsid sh -c 'trap \"sleep 0.3; echo goodbye; exit\" TERM; touch far; while :; do sleep 0.01; done'"
        handle = self.detach(self.app(f"{daemon} & sleep 1000"))
        self.file_appears("far")
        self.ok("cancel", handle)
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).stdout, "goodbye\n")
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_kills_after_the_grace_of_the_command_line(self):
        handle = self.detach(self.app(role("w", STUBBORN, num_replicas=2)), "-c", "grace_s=1000")
        for k in range(2):
            self.file_appears(f"ready.{k}")
        self.ok("cancel", "--grace", "0.1", handle)
        for replica in self.replicas_of(handle).values():
            self.assertEqual((replica["state"], replica["signal"]), ("CANCELLED", 9))
        self.assert_nothing_lives()

    def test_kills_after_the_grace_of_the_run_option(self):
        handle = self.detach(self.app(STUBBORN), "-c", "grace_s=0.1")
        self.file_appears("ready.0")
        self.ok("cancel", handle)
        self.assertEqual(self.replicas_of(handle)["w/0"]["signal"], 9)

    def test_now_sends_no_sigterm(self):
        handle = self.detach(self.app("trap 'touch asked' TERM; touch ready; while :; do sleep 0.01; done"),
                             "-c", "grace_s=1000")
        self.file_appears("ready")
        self.ok("cancel", "--now", handle)
        self.assertFalse((self.cwd / "asked").exists())
        self.assertEqual(self.replicas_of(handle)["w/0"]["signal"], 9)

    def test_now_overtakes_a_cancel_that_waits_for_the_grace_time(self):
        script = "trap 'touch asked' TERM; touch ready; while :; do sleep 0.01; done"
        handle = self.detach(self.app(script), "-c", "grace_s=1000")
        self.file_appears("ready")
        waiting = self.start("cancel", handle)
        self.file_appears("asked")
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.finish(waiting).status, 0)
        self.assert_nothing_lives()

    def test_ends_replicas_that_sigstop_has_suspended(self):
        handle = self.detach(self.app("touch ready; kill -STOP $$; sleep 1000"), "-c", "grace_s=1000")
        self.file_appears("ready")
        self.ok("cancel", handle)
        self.assert_nothing_lives()

    def test_ends_children_in_process_sessions_of_their_own(self):
        script = ("setsid sh -c 'trap \"\" TERM; touch far.${replica_id}; sleep 1000' & "
                  "(setsid sh -c 'trap \"\" TERM; touch apart.${replica_id}; sleep 1000' &); sleep 1000")
        handle = self.detach(self.app(role("w", script, num_replicas=2)), "-c", "grace_s=0.1")
        for k in range(2):
            self.file_appears(f"far.{k}")
            self.file_appears(f"apart.{k}")
        self.ok("cancel", handle)
        self.assert_nothing_lives()

    def test_cancels_several_apps_at_once(self):
        handles = [self.detach(self.app("sleep 1000")) for _ in range(3)]
        self.ok("cancel", *handles)
        for handle in handles:
            self.assert_state(handle, "CANCELLED")

    def test_other_apps_are_cancelled_although_one_engine_is_away(self):
        self.env["DOCKER_HOST"] = f"unix://{self.root}/nosuch.sock"
        away = "local_docker://slipway/app-x"
        running = [self.detach(self.app("sleep 1000")) for _ in range(2)]
        result = self.expect(69, "cancel", "--json", running[0], away, running[1])
        self.assertEqual([(app["handle"], app["state"]) for app in result.json],
                         [(running[0], "CANCELLED"), (away, "UNKNOWN"), (running[1], "CANCELLED")])
        self.assertIn("there is no such socket", result.json[1]["msg"])
        self.assertIn(f"{away}: cannot connect to the Docker engine", result.stderr)
        self.expect_failure(69, "unavailable", "cancel", away)

    def test_cancels_from_many_processes_at_once_all_succeed(self):
        handle = self.detach(self.app(role("w", "sleep 1000", num_replicas=10)))
        commands = [self.start("cancel", handle) for _ in range(8)]
        self.assertEqual([self.finish(c).status for c in commands], [0] * 8)

    def test_an_app_may_be_cancelled_before_it_has_started(self):
        for _ in range(5):
            handle = self.detach(self.app(role("w", "sleep 1000", num_replicas=50)))
            self.ok("cancel", "--now", handle)
            self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_an_unknown_app_is_not_found(self):
        self.expect_failure(66, "not_found", "cancel", "local_cwd://slipway/none-1")
        self.expect_failure(66, "not_found", "cancel", "none-1")

    def test_bad_options_are_usage_errors(self):
        handle = self.detach(self.app("sleep 1000"))
        for options in (["--now", "--grace", "1"], ["--grace", "soon"], ["--grace", "-1"]):
            with self.subTest(options=options):
                self.expect_failure(64, "usage", "cancel", *options, handle)
        self.assert_state(handle, "RUNNING")


if __name__ == "__main__":
    unittest.main()
