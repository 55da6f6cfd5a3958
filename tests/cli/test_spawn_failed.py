"""Programs that cannot be started: exit status 127 or 126, no replica continues, and `status` shows the reason. A
missing image is found before the submission."""

import json
import unittest

from app_text import role
from slipway_case import SlipwayCase


class SpawnFailed(SlipwayCase):
    def assert_fails_to_start(self, status, path, *roles):
        """Checks that the app fails because `path` cannot be started, and that status names the path. Returns the
        handle, and the replicas that could not be started."""
        result = self.expect(status, "run", self.app(*roles))
        handle = result.stdout.strip()
        self.assertIn(path, result.stderr)
        self.assertEqual(self.ok("run", "-d", self.app(*roles)).status, 0)
        self.assertEqual(self.expect(status, "wait", "@last", "--json").json[0]["state"], "FAILED")
        document = self.status_of(handle)
        self.assertEqual(document["state"], "FAILED")
        self.assertIn(path, document["msg"])
        self.assertIn(path, self.ok("status", handle).stdout)
        failed = [k for k, r in self.replicas_of(handle).items() if r["reason"] == "spawn_failed"]
        self.assertNotEqual(failed, [], document)
        self.assert_nothing_lives()
        return handle, failed

    def test_a_missing_program_is_exit_status_127(self):
        for path in ("/no/such/program", "no-such-program", "./no-such-program"):
            with self.subTest(path=path):
                self.assert_fails_to_start(127, path, role("w", entrypoint=path))

    def test_a_name_that_is_only_in_the_root_directory_is_not_found_in_path(self):
        self.assertIn("cannot start proc: not found in PATH", self.expect(127, "run", "--", "proc").stderr)

    def test_a_file_that_cannot_be_executed_is_exit_status_126(self):
        self.write("plain", "#!/bin/sh\n").chmod(0o644)
        self.write("garbage", b"\x7fELF\xff\xff").chmod(0o755)
        (self.cwd / "directory").mkdir()
        for name in ("plain", "garbage", "directory"):
            with self.subTest(name=name):
                self.assert_fails_to_start(126, name, role("w", entrypoint=f"./{name}"))

    def test_a_missing_interpreter_is_exit_status_127(self):
        self.write("script", "#!/no/such/interpreter\n").chmod(0o755)
        self.assert_fails_to_start(127, "script", role("w", entrypoint="./script"))

    def test_the_reason_names_what_is_wrong_with_the_file(self):
        for name, content, reason in (
                ("script", b"#!/no/such/interpreter\n", "the interpreter in its first line does not"),
                ("text", b"echo no first line\n", "neither a program nor a script with an interpreter"),
                ("broken", b"\x7fELF\xff\xff", "for another kind of machine, or damaged")):
            self.write(name, content).chmod(0o755)
            with self.subTest(name=name):
                self.assertIn(reason, self.run_slipway("run", self.app(role("w", entrypoint=f"./{name}"))).stderr)

    def test_status_shows_the_attempts_before_one_that_could_not_start(self):
        self.write("prog", "#!/bin/sh\nrm prog\nsleep 0.1\nexit 4\n").chmod(0o755)
        self.run_slipway("run", "-q", self.app(role("w", entrypoint="./prog", max_retries=1, retry_policy="REPLICA")))
        self.assertIn("could not be started (exit 4)", self.ok("status", "@last").stdout)

    def test_an_app_ends_if_more_replicas_cannot_start_than_start_at_once(self):
        self.write("script", "#!/no/such/interpreter\n").chmod(0o755)
        for last in ("./script", "./good"):
            self.write("good", "#!/bin/sh\ntouch ran\n").chmod(0o755)
            with self.subTest(last):
                handle, failed = self.assert_fails_to_start(
                    127, "script", role("w", entrypoint="./script", num_replicas=16),
                    role("last", entrypoint=last, num_replicas=3))
                self.assertEqual(len(failed), 1)
                others = [r for k, r in self.replicas_of(handle).items() if k not in failed]
                self.assertEqual({(r["state"], r["pid"]) for r in others}, {("CANCELLED", None)})
                self.assertFalse((self.cwd / "ran").exists())

    def test_no_replica_starts_if_the_last_of_a_hundred_cannot(self):
        handle, failed = self.assert_fails_to_start(127, "/no/such/program",
                                                    role("w", "touch ran.${replica_id}", num_replicas=99),
                                                    role("last", entrypoint="/no/such/program"))
        self.assertEqual(failed, ["last/0"])
        self.assertEqual(list(self.cwd.glob("ran.*")), [])
        others = [r for k, r in self.replicas_of(handle).items() if k != "last/0"]
        self.assertEqual(len(others), 99)
        self.assertEqual({r["state"] for r in others}, {"CANCELLED"})
        self.assertEqual({r["pid"] for r in others}, {None})

    def test_failure_at_the_start_of_a_replica_stops_the_started_ones(self):
        """Only the start of a script reveals that its interpreter is missing. 99 others may already run by then."""
        self.write("script", b"#!/no/such/interpreter\n").chmod(0o755)
        app = self.app(role("w", "sleep 1000", num_replicas=99), role("last", entrypoint="./script"))
        handle = self.expect(127, "run", "--no-log", app).stdout.strip()
        states = {k: r["state"] for k, r in self.replicas_of(handle).items()}
        self.assertEqual(states.pop("last/0"), "FAILED")
        self.assertEqual(set(states.values()), {"CANCELLED"})
        self.assert_nothing_lives()

    def test_a_missing_image_directory_is_reported(self):
        app = self.app(role("w", entrypoint="program", image="/no/such/image"))
        result = self.expect(65, "run", "-s", "local_dir", app)
        self.assertIn("/no/such/image", result.stderr)
        self.assert_no_app()

    def test_replicas_that_cannot_start_are_reported_in_json(self):
        result = self.expect(127, "run", "--json", self.app(role("w", entrypoint="/no/such/program")))
        self.assert_status_document(json.loads(result.out)["status"])


if __name__ == "__main__":
    unittest.main()
