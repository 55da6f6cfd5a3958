"""`slipway rerun` starts a recorded app again; `slipway delete` removes its record."""

import os
import signal
import unittest

from app_text import role
from slipway_case import SlipwayCase


class Rerun(SlipwayCase):
    def test_runs_the_recorded_app(self):
        first = self.expect(4, "run", self.app(role("w", 'echo "$WHO"; exit 4', env={"WHO": "me"}))).stdout.strip()
        (self.cwd / "app.toml").unlink()
        result = self.expect(4, "rerun", first)
        second = result.stdout.strip()
        self.assertNotEqual(first, second)
        self.assertIn("w/0 me", result.stderr.splitlines())
        self.assertEqual(self.ok("describe", first).stdout, self.ok("describe", second).stdout)

    def test_rerun_accepts_the_options_of_run(self):
        first = self.ok("run", self.app("true")).stdout.strip()
        before = self.ok("list", "--all", "--json").json
        dryrun = self.ok("rerun", "-n", "--json", first).json
        self.assertEqual((dryrun["scheduler"], dryrun["app"]["roles"][0]["name"]), ("local_cwd", "w"))
        self.assertEqual(self.ok("list", "--all", "--json").json, before)
        detached = self.ok("rerun", "-d", "-c", f"log_dir={self.root}/logs", first).stdout.strip()
        self.ok("wait", detached)
        self.assertEqual(len(list((self.root / "logs").rglob("stdout.log"))), 1)
        self.ok("rerun", "-s", "default", "--no-log", first)  # another name of local_cwd

    def test_an_unknown_app_is_not_found(self):
        self.expect_failure(66, "not_found", "rerun", "local_cwd://slipway/none-1")


class Delete(SlipwayCase):
    def test_delete_removes_finished_apps(self):
        handles = [self.ok("run", "--no-log", self.app("echo x")).stdout.strip() for _ in range(2)]
        deleted = self.ok("delete", "--json", *handles, handles[0]).json
        self.assertEqual(deleted, {"deleted": handles, "errors": []})
        self.assert_no_app()

    def test_an_engine_that_does_not_answer_protects_only_its_own_app(self):
        self.env["DOCKER_HOST"] = f"unix://{self.root}/nosuch.sock"
        away = "local_docker://slipway/app-x"
        done = [self.ok("run", "--no-log", self.app("true")).stdout.strip() for _ in range(2)]
        result = self.expect(69, "delete", "--json", done[0], away, done[1])
        self.assertEqual(result.json["deleted"], done)
        (error,) = result.json["errors"]
        self.assertEqual(error["handle"], away)
        self.assertIn("there is no such socket", error["message"])
        self.assertIn(f"{away}: cannot connect to the Docker engine", result.stderr)
        self.assert_no_app()
        self.expect_failure(69, "unavailable", "delete", away)

    def test_delete_refuses_running_apps_and_deletes_nothing(self):
        done = self.ok("run", "--no-log", self.app("true")).stdout.strip()
        running = self.detach(self.app("sleep 1000"))
        error = self.expect_failure(69, "precondition", "delete", done, running)
        self.assertIn(running.rsplit("/", 1)[1], error["message"])
        self.assertIn("--force", error["hint"])
        self.assertEqual(len(self.ok("list", "--all", "--json").json["apps"]), 2)
        self.ok("delete", "--force", done, running)
        self.assert_no_app()

    def test_delete_does_not_wait_for_ever_for_a_stopped_warden(self):
        gate = self.gate()
        handle = self.detach(self.app("read go < gate"))
        warden, _ = self.helpers(handle)
        os.kill(warden, signal.SIGSTOP)
        try:
            self.open_gate(gate)
            self.ok("wait", handle)
            for status, options in ((124, ("--timeout", "0.5")), (75, ())):
                result = self.expect(status, "delete", *options, handle)
                self.assertIn("has ended, but its supervisor does not exit", result.stderr)
                self.assertIn(f"process {warden} may be stopped", result.stderr)
            self.assert_state(handle, "SUCCEEDED")
        finally:
            os.kill(warden, signal.SIGCONT)
        self.ok("delete", handle)
        self.assert_no_app()

    def test_misspelt_handle_deletes_nothing(self):
        done = self.ok("run", "--no-log", self.app("true")).stdout.strip()
        self.expect_failure(66, "not_found", "delete", done, "local_cwd://slipway/none-1")
        self.assertEqual(len(self.ok("list", "--all", "--json").json["apps"]), 1)


if __name__ == "__main__":
    unittest.main()
