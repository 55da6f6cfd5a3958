"""`slipway wait`: several apps, states, time limits."""

import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase


class Wait(SlipwayCase):
    def test_returns_the_exit_status_of_the_app(self):
        for script, status in (("exit 0", 0), ("exit 9", 9), ("kill -15 $$", 143)):
            with self.subTest(script=script):
                self.expect(status, "wait", self.detach(self.app(script)))

    def test_returns_130_for_a_cancelled_app(self):
        handle = self.detach(self.app("sleep 1000"))
        waiter = self.start("wait", handle)
        self.ok("cancel", handle)
        self.assertEqual(self.finish(waiter).status, 130)

    def test_json_is_an_array_of_status_documents(self):
        first = self.detach(self.app("exit 0"))
        second = self.detach(self.app("exit 2"))
        result = self.expect(2, "wait", "--json", first, second)
        for document in result.json:
            self.assert_status_document(document)
        self.assertEqual([(d["handle"], d["state"]) for d in result.json],
                         [(first, "SUCCEEDED"), (second, "FAILED")])

    def test_waits_for_all_of_several(self):
        gate = self.gate()
        quick = self.detach(self.app("exit 0"))
        slow = self.detach(self.app("read go < gate; exit 4"))
        waiter = self.start("wait", quick, slow)
        self.ok("wait", quick)
        self.assertIsNone(waiter.poll())
        self.open_gate(gate)
        self.assertEqual(self.finish(waiter).status, 4)

    def test_option_any_ends_with_the_first_app_that_ends(self):
        gate = self.gate()
        slow = self.detach(self.app("sleep 1000"))
        quick = self.detach(self.app("read go < gate; exit 6"))
        waiter = self.start("wait", "--any", slow, quick)
        self.open_gate(gate)
        self.assertEqual(self.finish(waiter).status, 6)
        self.assert_state(slow, "RUNNING")

    def test_timeout_is_124_and_leaves_the_app_alone(self):
        handle = self.detach(self.app("sleep 1000"))
        for timeout in ("0", "0.05"):
            with self.subTest(timeout=timeout):
                self.expect(124, "wait", "--timeout", timeout, handle)
                (app,) = self.expect(124, "wait", "--json", "--timeout", timeout, handle).json
                self.assertEqual(app["handle"], handle)
        self.assert_state(handle, "RUNNING")

    def test_a_timeout_has_no_effect_on_an_app_that_has_ended(self):
        handle = self.expect(3, "run", self.app("exit 3")).stdout.strip()
        self.expect(3, "wait", "--timeout", "0", handle)

    def test_option_for_running_returns_while_the_app_runs(self):
        handle = self.detach(self.app("sleep 1000"))
        self.ok("wait", "--for", "RUNNING", handle)
        self.ok("wait", "--for", "running", "--timeout", "60", handle)

    def test_option_for_running_returns_when_the_app_has_failed(self):
        handle = self.expect(3, "run", self.app("exit 3")).stdout.strip()
        self.expect(3, "wait", "--for", "RUNNING", handle)

    def test_option_for_with_an_unknown_state_is_a_usage_error(self):
        handle = self.ok("run", self.app("true")).stdout.strip()
        self.expect_failure(64, "usage", "wait", "--for", "DANCING", handle)

    def test_bad_timeouts_are_usage_errors(self):
        handle = self.ok("run", self.app("true")).stdout.strip()
        for timeout in ("soon", "-1", "nan"):
            with self.subTest(timeout=timeout):
                self.expect_failure(64, "usage", "wait", "--timeout", timeout, handle)

    def test_an_unknown_app_among_several_is_not_found(self):
        handle = self.detach(self.app("sleep 1000"))
        self.expect_failure(66, "not_found", "wait", handle, "local_cwd://slipway/none-1")

    def test_a_missing_handle_is_a_usage_error(self):
        self.expect_failure(64, "usage", "wait")

    def test_an_interrupted_wait_or_followed_log_is_130_and_leaves_the_app_alone(self):
        handle = self.detach(self.app("sleep 1000"))
        waiters = [self.start(*command, handle) for command in (["wait"], ["log", "-f"])]
        self.ok("wait", "--for", "RUNNING", handle)
        for waiter in waiters:
            waiter.send_signal(signal.SIGINT)
            self.assertEqual(self.finish(waiter).status, 130)
        self.assert_state(handle, "RUNNING")

    def test_each_of_many_waits_sees_the_end(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate; exit 8", num_replicas=3)))
        waiters = [self.start("wait", handle) for _ in range(12)]
        self.open_gate(gate, replicas=3)
        self.assertEqual([self.finish(w).status for w in waiters], [8] * 12)


if __name__ == "__main__":
    unittest.main()
