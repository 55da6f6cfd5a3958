"""`slipway run` in the foreground: the command prints the app's logs and returns its exit status."""

import subprocess
import unittest

from app_text import role
from slipway_case import HANDLE, LIMIT_S, SLIPWAY, SlipwayCase


class RunForeground(SlipwayCase):
    def test_writes_the_handle_alone_on_stdout_and_the_logs_with_prefix_on_stderr(self):
        app = self.app(role("a", "echo out; echo err >&2", num_replicas=2), role("b", "echo b-out"))
        result = self.ok("run", app)
        self.assertEqual(len(result.lines), 1, result)
        self.assertRegex(result.lines[0], HANDLE)
        self.assertTrue(result.lines[0].startswith("local_cwd://slipway/app-"), result)
        logs = [line for line in result.stderr.splitlines() if not line.startswith("slipway: ")]
        self.assertEqual(sorted(logs), ["a/0 err", "a/0 out", "a/1 err", "a/1 out", "b/0 b-out"])

    def test_the_handle_comes_before_the_first_log_line(self):
        app = self.app(role("w", "echo line", num_replicas=8))
        done = subprocess.run([SLIPWAY, "run", app], cwd=self.cwd, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_S, check=True)
        lines = done.stdout.decode().splitlines()
        self.assertRegex(lines[0], HANDLE)
        self.assertEqual(sorted(lines[1:]), [f"w/{k} line" for k in range(8)])

    def test_returns_0_when_every_replica_succeeded(self):
        self.ok("run", self.app(role("w", "exit 0", num_replicas=5)))

    def test_a_thousand_replicas_run_and_succeed(self):
        handle = self.ok("run", self.app(role("w", entrypoint="true", num_replicas=1000))).stdout.strip()
        document = self.status_of(handle)
        self.assertEqual((document["state"], len(document["roles"][0]["replicas"])), ("SUCCEEDED", 1000))
        self.assertEqual({r["exit_code"] for r in document["roles"][0]["replicas"]}, {0})

    def test_returns_the_exit_code_of_the_replica_that_failed_first(self):
        gate = self.gate()
        app = self.app(role("late", "read go < gate; exit 4"), role("early", "exit 3"))
        process, handle = self.start_foreground(app)
        self.eventually(lambda: self.replicas_of(handle)["early/0"]["state"] == "FAILED",
                        "the first replica has failed")
        self.open_gate(gate)
        self.assertEqual(self.finish(process).status, 3)
        replicas = self.replicas_of(handle)
        self.assertEqual((replicas["early/0"]["exit_code"], replicas["late/0"]["exit_code"]), (3, 4))

    def test_returns_every_exit_code_unchanged(self):
        for code in (1, 2, 64, 127, 130, 255):
            with self.subTest(code=code):
                self.expect(code, "run", self.app(f"exit {code}"))

    def test_returns_128_and_the_signal_that_ended_a_replica(self):
        for signal, number in (("KILL", 9), ("TERM", 15), ("SEGV", 11), ("USR1", 10)):
            with self.subTest(signal=signal):
                result = self.expect(128 + number, "run", self.app(f"ulimit -c 0; kill -{signal} $$"))
                replica = self.replicas_of(result.stdout.strip())["w/0"]
                self.assertEqual((replica["state"], replica["exit_code"], replica["signal"], replica["reason"]),
                                 ("FAILED", None, number, "signal"))

    def test_returns_130_when_another_command_cancels_the_app(self):
        process, handle = self.start_foreground(self.app("sleep 1000"))
        self.ok("cancel", handle)
        self.assertEqual(self.finish(process).status, 130)
        self.assert_state(handle, "CANCELLED")

    def test_keeps_the_environment_and_the_working_directory_of_the_command(self):
        self.env["FROM_THE_SHELL"] = "yes"
        app = self.app(role("w", 'echo "$FROM_THE_SHELL $OWN"; pwd -P', env={"OWN": "too"}))
        result = self.ok("run", app)
        self.assertIn("w/0 yes too\n", result.stderr)
        self.assertIn(f"w/0 {self.cwd.resolve()}\n", result.stderr)

    def test_environment_entry_without_equals_sign_is_ignored(self):
        call = ("import ctypes, os, sys\n"
                "arguments = [os.fsencode(each) for each in sys.argv[1:]]\n"
                "entries = [b'no-variable', *(k + b'=' + v for k, v in os.environb.items())]\n"
                "array = lambda texts: (ctypes.c_char_p * (len(texts) + 1))(*texts, None)\n"
                "ctypes.CDLL(None).execve(arguments[0], array(arguments), array(entries))\n")
        app = self.app("tr '\\0' '\\n' < /proc/self/environ | grep -c no-variable; true")
        done = subprocess.run(["python3", "-c", call, SLIPWAY, "run", "-q", app], cwd=self.cwd, env=self.env,
                              capture_output=True, check=False, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("w/0 0", done.stderr.decode())

    def test_expands_macros_in_args_and_env(self):
        # Slipway leaves ${unknown} to the shell, where it is empty.
        app = self.app(role("w", 'echo "${replica_id} $MINE ${unknown}"', num_replicas=2,
                            env={"MINE": "${app_id}/${replica_id}"}))
        result = self.ok("run", app)
        app_id = result.stdout.strip().rpartition("/")[2]
        for k in range(2):
            self.assertIn(f"w/{k} {k} {app_id}/{k} \n", result.stderr)

    def test_option_no_log_hides_the_logs_but_they_are_written(self):
        result = self.ok("run", "--no-log", self.app("echo hidden; echo too >&2"))
        self.assertNotIn("hidden", result.stderr)
        self.assertNotIn("w/0", result.stderr)
        logs = self.ok("log", result.stdout.strip())
        self.assertEqual(sorted(logs.lines), ["hidden", "too"])

    def test_options_log_and_no_log_exclude_each_other(self):
        self.expect_failure(64, "usage", "run", "--log", "--no-log", self.app("true"))
        self.assert_no_app()

    def test_json_is_one_document_at_the_end_with_the_same_status(self):
        result = self.expect(7, "run", "--json", self.app("echo said; exit 7"))
        document = result.json
        self.assertLessEqual({"handle", "app_id", "scheduler", "session", "status"}, set(document))
        self.assert_status_document(document["status"])
        self.assertEqual(document["status"]["handle"], document["handle"])
        self.assertEqual(document["status"]["state"], "FAILED")
        self.assertIn("w/0 said\n", result.stderr)

    def test_reports_the_replica_that_failed(self):
        self.assertIn("w/0", self.expect(9, "run", "--no-log", self.app("exit 9")).stderr)

    def test_quiet_prints_only_logs_of_a_successful_app(self):
        result = self.ok("run", "--quiet", self.app("echo x"))
        self.assertEqual(result.stderr, "w/0 x\n")

    def test_shows_all_output_that_is_written_just_before_the_end(self):
        result = self.ok("run", self.app(role("w", "seq 1 20000", num_replicas=3)))
        for k in range(3):
            own = [line for line in result.stderr.splitlines() if line.startswith(f"w/{k} ")]
            self.assertEqual(own, [f"w/{k} {i}" for i in range(1, 20001)])

    def test_replicas_do_not_read_the_input_of_the_command(self):
        result = self.ok("run", self.app("if read x; then echo got $x; else echo none; fi"), stdin=b"typed\n")
        self.assertIn("w/0 none\n", result.stderr)

    def test_local_dir_runs_in_the_image_directory(self):
        (self.cwd / "image").mkdir()
        (self.cwd / "image" / "program").write_text("#!/bin/sh\necho from image\n")
        (self.cwd / "image" / "program").chmod(0o755)
        app = self.app({"name": "w", "image": str(self.cwd / "image"), "entrypoint": "program"})
        result = self.ok("run", "-s", "local_dir", app)
        self.assertTrue(result.stdout.startswith("local_dir://slipway/"), result)
        self.assertIn("w/0 from image\n", result.stderr)


class Identity(SlipwayCase):
    """The variables that identify a replica and its attempt."""

    NAMES = "$SLIPWAY_APP_ID $SLIPWAY_ROLE $SLIPWAY_REPLICA_ID $SLIPWAY_ATTEMPT $TORCHX_MAX_RETRIES"

    def printed(self, result):
        """Returns the values that the replicas of the role `w` printed."""
        return sorted(line.split(" ", 1)[1] for line in result.stderr.splitlines() if line.startswith("w/"))

    def test_each_attempt_gets_its_own_values(self):
        script = f'echo "{self.NAMES}"; [ "$SLIPWAY_ATTEMPT" = 2 ] || exit 1'
        result = self.ok("run", "-c", "backoff=initial:0.001", self.app(
            role("w", script, num_replicas=2, max_retries=3, retry_policy="REPLICA")))
        app_id = result.stdout.strip().rpartition("/")[2]
        self.assertEqual(self.printed(result), [f"{app_id} w {k} {attempt} 3" for k in (0, 1) for attempt in (1, 2)])

    def test_values_of_the_role_replace_the_variables_and_values_of_the_caller_do_not(self):
        app = self.app(role("w", f'echo "{self.NAMES}"', env={"SLIPWAY_ATTEMPT": "mine"}))
        result = self.ok("run", app, env={"SLIPWAY_ROLE": "outer", "SLIPWAY_ATTEMPT": "9", "SLIPWAY_REPLICA_ID": "8"})
        self.assertEqual(self.printed(result), [f"{result.stdout.strip().rpartition('/')[2]} w 0 mine 0"])


if __name__ == "__main__":
    unittest.main()
