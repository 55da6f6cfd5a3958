"""`--timeout`: a command gives up when its time is over, also with schedulers that do not answer."""

import json
import unittest

from slipway_case import TREE, SlipwayCase

MANIFEST = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


class LocalApps(SlipwayCase):
    def test_following_a_log_ends_at_the_limit(self):
        handle = self.detach(self.app("echo begin; sleep 1000"))
        self.eventually(lambda: "begin" in self.ok("log", handle).stdout, "the app has written")
        result = self.expect(124, "log", "-f", "--timeout", "0.5", handle)
        self.assertIn("begin", result.stdout)
        self.assertIn("error: the time limit (--timeout) is over", result.stderr)
        self.assert_state(handle, "RUNNING")

    def test_following_events_ends_at_the_limit(self):
        handle = self.detach(self.app("sleep 1000"))
        result = self.expect(124, "events", "-f", "--json", "--timeout", "0.5", handle)
        self.assertEqual(json.loads(result.lines[0])["event"], "submitted")
        self.assertEqual(json.loads(result.lines[-1])["error"]["code"], "timeout")
        self.assertIn("error: the time limit (--timeout) is over: ", result.stderr)
        self.assert_state(handle, "RUNNING")

    def test_cancel_ends_at_the_limit_and_the_app_is_still_cancelled(self):
        gate = self.gate()
        script = "trap 'touch asked; read go < gate; exit 0' TERM; touch ready; while :; do sleep 0.01; done"
        handle = self.detach(self.app(script), "-c", "grace_s=1000")
        self.file_appears("ready")
        error = self.json_error(self.expect(124, "--timeout", "1", "--json", "cancel", handle))
        self.assertEqual(error["code"], "timeout")
        self.assertIn("has not ended; its cancellation stays requested", error["message"])
        self.file_appears("asked")
        self.open_gate(gate)
        self.expect(130, "wait", handle)

    def test_wait_uses_a_timeout_before_the_command_as_its_own(self):
        handle = self.detach(self.app("sleep 1000"))
        self.assert_state(handle, "RUNNING")
        result = self.expect(124, "--timeout", "0.1", "wait", handle)
        self.assertEqual(result.stdout, f"{handle} RUNNING\n")
        self.assertIn("the timeout ended the wait", result.stderr)

    def test_run_and_attach_wait_for_an_app_beyond_the_limit(self):
        gate = self.gate()
        # `sleep 1` makes the app last longer than both limits.
        waiting = self.start("run", "--timeout", "0.5", self.app("echo begin; sleep 1; read go < gate; exit 3"))
        handle = waiting.stdout.readline().decode().strip()
        attached = self.start("attach", "--timeout", "0.5", handle)
        attached.stderr.readline()
        self.open_gate(gate)
        self.assertEqual(self.finish(waiting).status, 3)
        self.assertEqual(self.finish(attached).status, 3)

    def test_a_command_that_asks_several_plug_ins_ends_at_the_limit(self):
        for command in (("list",), ("status", "@last"), ("status", "a/b"), ("cancel", "--all"), ("delete", "--all"),
                        ("log", "--all"), ("prune", "--before", "1s"), ("prune", "--images"), ("component", "list"),
                        ("resource", "list"), ("runopts",), ("plugin", "doctor")):
            with self.subTest(command):
                result = self.expect(124, "--timeout", "0", "--json", *command)
                self.assertEqual(self.json_error(result)["code"], "timeout")
                self.assertIn("error: the time limit (--timeout) is over: ", result.stderr)
                self.assertNotIn("warning", result.stderr)

    def test_a_limit_is_a_number_of_seconds(self):
        for text in ("x", "-1", "1e10", ""):
            with self.subTest(text):
                self.expect(64, "--timeout", text, "list")


@unittest.skipUnless(MANIFEST.is_file(), "the tree that is tested was not built here")
class SlowSchedulers(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT="none")
        app = self.write("app.toml", 'name = "app"\n[[roles]]\nname = "w"\nimage = "/"\nentrypoint = "sleep"\n'
                                     'args = ["600"]\n')
        self.handle = self.ok("run", "-d", "-s", "faulty", app).stdout.strip()
        self.addCleanup(self.cancel_app)

    def cancel_app(self):
        self.env["SLIPWAY_FAULT"] = "none"
        self.ok("cancel", "--now", self.handle)

    def commands(self):
        return (("status", self.handle), ("describe", self.handle), ("cancel", self.handle), ("delete", self.handle),
                ("attach", self.handle))

    def test_a_call_is_stopped_at_the_limit(self):
        self.env["SLIPWAY_FAULT"] = "describe_waits"
        for command in self.commands():
            with self.subTest(command):
                result = self.expect(124, "--timeout", "0.2", "--json", *command)
                self.assertEqual(result.json["error"]["code"], "timeout")
                self.assertEqual(result.json["error"]["message"],
                                 "the time limit (--timeout) is over: the engine has not answered")
                self.assertIn("the engine has not answered", result.stderr)

    def test_a_call_that_does_not_stop_ends_the_command_with_an_error_that_names_it(self):
        self.env["SLIPWAY_FAULT"] = "describe_hangs"
        for command in (*self.commands(), ("wait", self.handle)):
            with self.subTest(command):
                result = self.expect(124, "--timeout", "0.2", "--plugin-timeout", "0.2", "--json", *command)
                self.assertEqual(result.json["error"]["code"], "timeout")
                self.assertRegex(result.stderr, r"error: \S+ \S+ does not return from describe, "
                                                r"although the time limit \(--timeout\) is over\n")

    def test_logs_that_hang_end_at_the_limit(self):
        self.env["SLIPWAY_FAULT"] = "log_hangs"
        result = self.expect(124, "--timeout", "0.2", "log", "-f", self.handle)
        self.assertIn("does not return from log_next", result.stderr)

    def test_followed_log_ends_although_the_events_hang(self):
        reached = self.root / "reached"
        self.env.update(SLIPWAY_FAULT="describe_hangs_in_threads", SLIPWAY_FAULT_REACHED=str(reached))
        following = self.start("log", "-f", self.handle)
        self.eventually(reached.exists, "the thread that reads events hangs")
        self.cancel_app()
        result = self.finish(following)
        self.assertEqual(result.status, 0, result)
        self.assertIn("faulty does not answer, so later failures are not reported here", result.stderr)

    def test_logs_of_several_apps_that_hang_end_at_the_limit(self):
        other = self.detach(self.write("other.toml", 'name = "other"\n[[roles]]\nname = "w"\nentrypoint = "true"\n'))
        self.env["SLIPWAY_FAULT"] = "log_hangs"
        # The message depends on whether the limit ends before or after the calls have begun. The command needs some
        # of the time to find both apps.
        result = self.expect(124, "--timeout", "3", "log", "-f", self.handle, other)
        self.assertRegex(result.stderr, "a scheduler does not (return from|stop) reading logs")

    def test_list_waits_for_no_scheduler_longer_than_the_limit(self):
        self.env["SLIPWAY_FAULT"] = "list_hangs"
        result = self.expect(124, "--timeout", "0.3", "--plugin-timeout", "1000", "list")
        self.assertEqual(result.stdout, "")
        self.assertIn("error: the time limit (--timeout) is over: ", result.stderr)
        self.assertRegex(result.stderr, r"(did not answer within 0\.[0-3]\d* s|was not asked)")

    def test_list_ends_at_the_limit_if_it_cannot_get_the_details_of_an_app(self):
        self.env["SLIPWAY_FAULT"] = "describe_waits"
        result = self.expect(124, "--timeout", "1", "list", "--full")
        self.assertEqual(result.stdout, "")
        self.assertIn("the time limit (--timeout) is over: ", result.stderr)


if __name__ == "__main__":
    unittest.main()
