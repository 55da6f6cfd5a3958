"""Services: roles with `service = true`, which the app does not wait for."""

import os
import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase

DONE = ("CANCELLED", "work_done")  # state and reason of a service that stopped when the work had ended
# Creates the file NAME.on, and ends with 0 on SIGTERM.
SERVE = "trap 'exit 0' TERM; touch {0}.on; while :; do sleep 0.05; done"


def service(name, script=None, **fields):
    """Returns a role that is a service, by default one that runs SERVE."""
    return role(name, script or SERVE.format(name), service=True, **fields)


def ordered(name, **fields):
    """Returns a service that takes a while to stop, and then adds its name to the file `order`."""
    return service(name, f"trap 'sleep 0.2; echo {name} >> order; exit 0' TERM; touch {name}.on; "
                         "while :; do sleep 0.05; done", **fields)


def after(**roles):
    """Returns the metadata of a role that waits for others, given as role="started" or role="succeeded"."""
    return {"local.depends_on": roles}


class Services(SlipwayCase):
    def outcomes(self, handle):
        """Returns (state, reason) of each replica."""
        return {k: (r["state"], r["reason"]) for k, r in self.replicas_of(handle).items()}

    def test_no_service_starts_if_the_only_program_of_the_work_is_missing(self):
        app = self.app(service("board"), role("w", entrypoint="/no/such/program"))
        handle = self.expect(127, "run", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["w/0"], ("FAILED", "spawn_failed"))
        self.assertIsNone(self.replicas_of(handle)["board/0"]["pid"])
        self.assertFalse((self.cwd / "board.on").exists())

    def test_a_take_over_while_services_stop_keeps_the_end_of_the_app(self):
        gate = self.gate()
        handle = self.detach(self.app(
            service("keep", "trap '' TERM; touch keep.on; while :; do sleep 0.05; done"),
            service("again", "exit 3", max_retries=9, retry_policy="ROLE"), role("w", "read go < gate")),
            "-c", "grace_s=1000,backoff.initial=1000,backoff.max=1000")
        self.file_appears("keep.on")
        self.eventually(lambda: self.replicas_of(handle)["again/0"].get("attempts"), "`again` has failed")
        self.open_gate(gate)
        self.eventually(lambda: self.outcomes(handle)["again/0"] == DONE, "the services are stopped")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.status_of(handle)["state"], "SUCCEEDED")
        self.assertEqual(self.outcomes(handle)["keep/0"], DONE)

    def test_app_ends_with_its_other_roles_and_has_their_state(self):
        for status in (0, 4):
            with self.subTest(status=status):
                app = self.app(service("board"), role("w", f"exit {status}"))
                handle = self.expect(status, "run", app).stdout.strip()
                self.assert_state(handle, "FAILED" if status else "SUCCEEDED")
                self.assertEqual(self.outcomes(handle)["board/0"], DONE)
                self.assert_nothing_lives()

    def test_status_names_the_services(self):
        handle = self.ok("run", self.app(service("board"), role("w", "true"))).stdout.strip()
        replicas = self.replicas_of(handle)
        self.assertEqual((replicas["board/0"].get("service"), replicas["w/0"].get("service")), (True, None))
        text = self.ok("status", handle).stdout
        self.assertIn("  board (1, service)\n    0     CANCELLED  stopped: the other roles have ended", text)
        self.assertIn("  w (1)\n", text)

    def test_services_stop_in_the_reverse_order_of_their_dependencies(self):
        app = self.app(ordered("db"), ordered("api", metadata=after(db="started"), num_replicas=2),
                       ordered("page", metadata=after(api="started")),
                       role("w", "while ! [ -e page.on ]; do sleep 0.02; done", metadata=after(db="started")))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual((self.cwd / "order").read_text().split(), ["page", "api", "api", "db"])
        self.assertEqual(set(self.outcomes(handle).values()), {DONE, ("SUCCEEDED", "exit")})

    def test_service_that_ignores_sigterm_is_killed_after_the_grace_time(self):
        app = self.app(service("board", "trap '' TERM; touch board.on; while :; do sleep 0.05; done"),
                       role("w", "while ! [ -e board.on ]; do sleep 0.02; done"))
        handle = self.ok("run", "-c", "grace_s=0.2", app).stdout.strip()
        replica = self.replicas_of(handle)["board/0"]
        self.assertEqual((replica["state"], replica["reason"], replica["signal"]), (*DONE, signal.SIGKILL))

    def test_failed_service_does_not_fail_the_app_unless_fail_fast_does(self):
        app = self.app(service("board", "exit 3"), role("w", "while ! [ -e go ]; do sleep 0.02; done"))
        self.expect(3, "run", "-c", "fail_fast=true", app)
        self.write("go", "")
        self.ok("run", app)

    def test_service_is_retried_while_the_work_runs(self):
        app = self.app(service("board", "echo . >> starts; [ $(wc -l < starts) -gt 1 ] || exit 3; touch second; "
                                        "exec sleep 1000", max_retries=3, retry_policy="REPLICA"),
                       role("w", "while ! [ -e second ]; do sleep 0.02; done"))
        handle = self.ok("run", "-c", "backoff=initial:0.01", app).stdout.strip()
        self.assertEqual((self.outcomes(handle)["board/0"], self.replicas_of(handle)["board/0"]["restarts"]), (DONE, 1))

    def test_service_in_its_back_off_does_not_start_when_the_work_is_done(self):
        app = self.app(service("board", "echo . >> starts; exit 3", max_retries=3, retry_policy="REPLICA"),
                       role("w", "while ! [ -s starts ]; do sleep 0.02; done; sleep 0.2"))
        handle = self.ok("run", "-c", "backoff=initial:1000", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["board/0"], DONE)
        self.assertEqual((self.cwd / "starts").read_text(), ".\n")

    def test_restart_of_the_app_restarts_its_services(self):
        app = self.app(service("board", "echo . >> starts; exec sleep 1000"),
                       role("w", "while [ $(wc -l < starts) -lt $SLIPWAY_ATTEMPT ]; do sleep 0.02; done; "
                                 "[ $SLIPWAY_ATTEMPT = 2 ]", max_retries=1))
        self.write("starts", "")
        handle = self.ok("run", "-c", "backoff=initial:0.01", app).stdout.strip()
        self.assertEqual(self.outcomes(handle), {"board/0": DONE, "w/0": ("SUCCEEDED", "exit")})
        self.assertEqual((self.cwd / "starts").read_text(), ".\n.\n")

    def test_work_with_min_replicas_ends_the_app(self):
        app = self.app(service("board"), role("w", "[ ${replica_id} = 0 ] || exit 5", num_replicas=2, min_replicas=1))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual(self.outcomes(handle)["w/1"], ("FAILED", "exit"))

    def test_max_parallel_does_not_count_services(self):
        app = self.app(role("w", "while ! [ -e board.on ]; do sleep 0.02; done", num_replicas=3), service("board"))
        self.ok("run", "-c", "max_parallel=1", app)

    def test_timeout_s_does_not_apply_to_services(self):
        # The replicas of `w` run one after the other, so the service runs longer than timeout_s.
        app = self.app(service("board"), role("w", "sleep 0.3", num_replicas=4))
        handle = self.ok("run", "-c", "timeout_s=0.8", "-c", "max_parallel=1", app).stdout.strip()
        self.assert_state(handle, "SUCCEEDED")
        self.assertEqual(self.outcomes(handle)["board/0"], DONE)

    def test_successor_waits_for_the_work_and_stops_the_services(self):
        gate = self.gate()
        handle = self.detach(self.app(ordered("db"), ordered("api", metadata=after(db="started")),
                                      role("w", "touch on; read go < gate")))
        for name in ("on", "db.on", "api.on"):
            self.file_appears(name)
        os.kill(self.helpers(handle)[1], signal.SIGKILL)
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.outcomes(handle), {"db/0": DONE, "api/0": DONE, "w/0": ("SUCCEEDED", "exit")})
        self.assertEqual((self.cwd / "order").read_text().split(), ["api", "db"])
        self.assert_nothing_lives()

    def test_services_end_after_the_death_of_both_helpers(self):
        gate = self.gate()
        handle = self.detach(self.app(service("board"), role("w", "touch on; read go < gate")))
        for name in ("on", "board.on"):
            self.file_appears(name)
        self.kill_helpers()
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.run_slipway("wait", handle)
        self.assertEqual(self.outcomes(handle)["board/0"], DONE)
        self.assert_nothing_lives()

    def test_cancel_after_the_work_is_done_ends_services_sooner_and_keeps_the_state(self):
        app = self.app(service("board", "trap 'touch stopping' TERM; touch board.on; while :; do sleep 0.05; done"),
                       role("w", "while ! [ -e board.on ]; do sleep 0.02; done"))
        handle = self.detach(app, "-c", "grace_s=1000")
        self.file_appears("stopping")
        self.ok("cancel", "--now", handle)
        self.ok("wait", handle)
        self.assertEqual(self.outcomes(handle), {"board/0": DONE, "w/0": ("SUCCEEDED", "exit")})

    def test_cancel_before_the_work_is_done_cancels_the_app(self):
        handle = self.detach(self.app(service("board"), role("w", "exec sleep 1000")))
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)
        self.assertEqual(set(self.outcomes(handle).values()), {("CANCELLED", "cancelled")})

    def test_rerun_and_the_written_app_file_keep_the_service(self):
        handle = self.ok("run", self.app(service("board"), role("w", "true"))).stdout.strip()
        again = self.ok("rerun", handle).stdout.strip()
        self.assertEqual(self.outcomes(again)["board/0"], DONE)
        self.write("copy.toml", self.ok("describe", "--show-secrets", handle).stdout)
        copy = self.ok("run", "copy.toml").stdout.strip()
        self.assertEqual(self.outcomes(copy)["board/0"], DONE)

    def test_a_key_in_the_metadata_makes_a_service(self):
        app = self.app(role("board", "exec sleep 1000", metadata={"slipway.service": True}), role("w", "true"))
        self.assertEqual(self.outcomes(self.ok("run", app).stdout.strip())["board/0"], DONE)

    def test_mistakes_have_a_place_and_a_hint(self):
        cases = (
            ([role("a", "true", service=True)], "app.toml:8:11: roles[0].service: every role of the app is a service"),
            ([role("a", "true", metadata={"slipway.service": True})], "app.toml:8:12: roles[0].metadata: every role"),
            ([role("a", "true", service="yes")], "app.toml:8:11: roles[0].service: expected true or false"),
            ([role("a", "true", metadata={"slipway.service": 1}), role("w", "true")],
             "app.toml:8:12: roles[0].metadata.'slipway.service': expected true or false, found the integer 1"),
            ([role("a", "true", service=True, metadata={"slipway.service": True}), role("w", "true")],
             "app.toml:8:1: roles[0].service: service and slipway.service in metadata say the same thing"),
            ([role("a", "true", servce=True), role("w", "true")], "unknown key, did you mean service?"),
        )
        for roles, message in cases:
            with self.subTest(message=message):
                self.assertIn(message, self.expect(65, "run", self.app(*roles)).stderr)
        self.assert_no_app()

    def test_a_role_that_waits_for_the_success_of_a_service_is_refused(self):
        app = self.app(service("board"), role("w", "true", metadata=after(board="succeeded")))
        error = self.expect_failure(65, "invalid", "run", app)
        self.assertIn("'board' is a service", error["message"])
        self.assertIn("healthy", error["hint"])


if __name__ == "__main__":
    unittest.main()
