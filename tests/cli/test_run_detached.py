"""`run -d`, `--wait`, and the app after the end of the command."""

import os
import signal
import unittest

from app_text import role
from slipway_case import HANDLE, SlipwayCase


class RunDetached(SlipwayCase):
    def test_hints_for_an_app_whose_id_begins_with_a_hyphen_are_not_options(self):
        result = self.ok("run", "-d", self.app("true", name="-x"))
        app_id = result.stdout.strip().rpartition("/")[2]
        self.assertIn(f"slipway status -- {app_id}; logs: slipway log -f -- {app_id}", result.stderr)
        self.ok("status", "--", app_id)

    def test_prints_the_handle_and_leaves_the_app_running(self):
        gate = self.gate()
        result = self.ok("run", "-d", self.app("read go < gate; exit 0"))
        handle = result.stdout.strip()
        self.assertRegex(handle, HANDLE)
        self.assertEqual(len(result.lines), 1)
        self.ok("wait", "--for", "RUNNING", handle)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assert_state(handle, "SUCCEEDED")
        self.assert_nothing_lives()

    def test_returns_0_even_if_the_app_fails(self):
        handle = self.detach(self.app("exit 3"))
        self.expect(3, "wait", handle)

    def test_shows_no_logs(self):
        result = self.ok("run", "-d", self.app("echo visible"))
        self.ok("wait", result.stdout.strip())
        self.assertNotIn("visible", result.stdout + result.stderr)

    def test_json_is_the_handle_in_parts(self):
        document = self.ok("run", "-d", "--json", self.app("true")).json
        self.assertLessEqual({"handle", "app_id", "scheduler", "session"}, set(document))
        self.assertEqual(document["handle"],
                         f"{document['scheduler']}://{document['session']}/{document['app_id']}")
        self.assertEqual((document["scheduler"], document["session"]), ("local_cwd", "slipway"))
        self.ok("wait", document["handle"])

    def test_holds_no_stream_of_the_command(self):
        """communicate() returns while the app runs, because no process inherited the pipes."""
        process = self.start("run", "-d", self.app("sleep 1000"))
        handle = self.finish(process).stdout.strip()
        self.assert_state(handle, "RUNNING")

    def test_the_app_survives_the_death_of_the_process_group_of_the_command(self):
        gate = self.gate()
        self.app("read go < gate; exit 5")
        process = self.start("run", "-d", "--wait", "app.toml", start_new_session=True)
        handle = process.stdout.readline().decode().strip()
        self.ok("wait", "--for", "RUNNING", handle)
        os.killpg(process.pid, signal.SIGKILL)
        self.finish(process)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.expect(5, "wait", handle)

    def test_option_wait_returns_the_exit_status_of_the_app(self):
        result = self.expect(6, "run", "-d", "--wait", self.app("echo quiet; exit 6"))
        self.assertRegex(result.lines[0], HANDLE)
        self.assertNotIn("quiet", result.stderr)

    def test_option_wait_with_json_prints_the_status(self):
        document = self.expect(6, "run", "-d", "--wait", "--json", self.app("exit 6")).json
        self.assertLessEqual({"handle", "app_id", "scheduler", "session", "status"}, set(document))
        self.assert_status_document(document["status"])
        self.assertEqual(document["status"]["state"], "FAILED")

    def test_option_log_shows_the_logs_of_a_detached_app(self):
        result = self.expect(2, "run", "-d", "--log", self.app("echo shown; exit 2"))
        self.assertIn("w/0 shown\n", result.stderr)

    def test_interrupting_the_wait_leaves_the_app_alone(self):
        self.app("sleep 1000")
        process = self.start("run", "-d", "--wait", "app.toml")
        handle = process.stdout.readline().decode().strip()
        self.ok("wait", "--for", "RUNNING", handle)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)
        self.assert_state(handle, "RUNNING")

    def test_many_apps_may_be_started_at_once(self):
        app = self.app(role("w", "exit 0", num_replicas=3))
        commands = [self.start("run", "-d", app) for _ in range(16)]
        handles = {self.finish(c).stdout.strip() for c in commands}
        self.assertEqual(len(handles), 16)
        self.ok("wait", *handles)
        self.assertEqual({a["handle"] for a in self.ok("list", "--all", "--json").json["apps"]}, handles)
        self.assert_nothing_lives()

    def test_other_commands_show_follow_and_end_the_app(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "echo first; read go < gate; echo last; sleep 1000", num_replicas=2)))
        follower = self.start("log", "-f", handle)
        waiter = self.start("wait", handle)
        first = sorted(follower.stdout.readline() for _ in range(2))
        self.assertEqual(first, [b"w/0 first\n", b"w/1 first\n"])
        self.open_gate(gate, replicas=2)
        last = sorted(follower.stdout.readline() for _ in range(2))
        self.assertEqual(last, [b"w/0 last\n", b"w/1 last\n"])
        self.assertIn(handle, self.ok("list").stdout)
        self.ok("cancel", handle)
        self.assertEqual(self.finish(waiter).status, 130)
        self.assertEqual(self.finish(follower).status, 0)
        self.assert_nothing_lives()


if __name__ == "__main__":
    unittest.main()
