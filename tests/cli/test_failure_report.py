"""The end of a failed run: what its last message names, and one exit status for each cause."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

ERROR_FILE = ('echo \'{"message": {"message": "disk is full", "extraInfo": {"timestamp": 0}}}\' '
              '> "$TORCHELASTIC_ERROR_FILE"; ')


class FailureReport(SlipwayCase):
    def report_of(self, *arguments, status):
        """Checks the exit status of a run. Returns the lines of its last message, and the app's id."""
        result = self.run_slipway("run", *arguments)
        self.assertEqual(result.status, status, result)
        lines = result.stderr.splitlines()
        first = next(i for i, line in enumerate(lines) if " FAILED: " in line)
        return lines[first:], result.stdout.strip().rsplit("/", 1)[1]

    def test_names_the_failure_its_error_its_stderr_and_the_next_commands(self):
        script = (ERROR_FILE + "for i in 1 2 3 4 5 6 7; do echo step $i >&2; done; echo; echo out; exit 3")
        # Of an app with several replicas, stderr is quoted although the run has just shown it.
        app = self.app(role("w", script, env={"TORCHELASTIC_ERROR_FILE": "error.json"}), role("other", "true"))
        lines, app_id = self.report_of(app, status=3)
        self.assertEqual(lines[0], f"slipway: error: {app_id} FAILED: w/0 exited with 3")
        self.assertIn("disk is full", lines[1])
        self.assertEqual(lines[2:], ["  the end of its stderr:", *(f"    step {i}" for i in range(3, 8)),
                                     f"  more: slipway log {app_id}/w/0; slipway status {app_id}"])

    def test_output_that_was_just_shown_is_not_repeated(self):
        app = self.app("echo why >&2; exit 3")
        lines, app_id = self.report_of(app, status=3)
        self.assertEqual(lines[1:], [f"  more: slipway log {app_id}/w/0; slipway status {app_id}"])
        lines, _ = self.report_of("--no-log", app, status=3)
        self.assertEqual(lines[1:3], ["  the end of its stderr:", "    why"])

    def test_commands_with_blanks_in_names_can_be_pasted(self):
        lines, app_id = self.report_of(self.app(role("rö le", "exit 3"), name="my app"), status=3)
        self.assertTrue(app_id.startswith("my app-"), app_id)
        self.assertEqual(lines[1:], [f"  more: slipway log '{app_id}/rö le/0'; slipway status '{app_id}'"])
        self.ok("log", f"{app_id}/rö le/0")
        said = self.ok("run", "-d", self.app("exit 3", name="my app")).stderr
        self.assertRegex(said, "slipway status 'my app-[^ ]+'; logs: slipway log -f 'my app-[^ ]+'\n")

    def test_only_the_stderr_of_the_last_attempt_is_quoted(self):
        script = "test -e again || { touch again; echo old >&2; exit 1; }; {}exit 2"
        for last, quoted in (("", []), ("echo new >&2; ", ["  the end of its stderr:", "    new"])):
            app = self.app(role("w", script.replace("{}", last), max_retries=1, retry_policy="REPLICA"),
                           role("other", "true"))
            lines, _ = self.report_of(app, status=2)
            self.assertEqual(lines[1:-1], quoted)
            (self.cwd / "again").unlink()

    def test_a_signal_is_named(self):
        lines, _ = self.report_of(self.app("kill -SEGV $$"), status=139)
        self.assertTrue(lines[0].endswith("w/0 was killed by SIGSEGV"), lines)

    def test_the_status_of_a_time_limit_does_not_depend_on_the_program(self):
        for script in ("exec sleep 1000", "trap 'exit 0' TERM; sleep 1000 & wait",
                       "trap 'exit 9' TERM; sleep 1000 & wait"):
            for option in ("timeout_s", "app_timeout_s"):
                text = f"w/0 exceeded {option} of 0.2 s"
                with self.subTest(script=script, option=option):
                    lines, app_id = self.report_of("-c", f"{option}=0.2", self.app(script), status=124)
                    self.assertIn(text, lines[0])
                    replica = self.replicas_of(app_id)["w/0"]
                    self.assertEqual((replica["reason"], replica["limit"]), ("timeout", f"{option} of 0.2 s"))
                    self.expect(124, "wait", app_id)


if __name__ == "__main__":
    unittest.main()
