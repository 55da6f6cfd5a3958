"""Standard streams that are closed or full, or whose reader has closed the pipe."""

import os
import signal
import subprocess
import unittest

from app_text import role
from slipway_case import LIMIT_S, SLIPWAY, SlipwayCase


class ClosedOutput(SlipwayCase):
    def shell(self, script):
        """Runs a bash script in which $S is the command. Returns (exit status, stdout, stderr)."""
        process = subprocess.Popen(["/bin/bash", "-c", script], cwd=self.cwd, env={**self.env, "S": str(SLIPWAY)},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.started.append(process)
        try:
            out, err = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.fail(f"hangs: {script}")
        return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")

    def test_a_reader_that_closes_the_pipe_early_gets_its_lines(self):
        handle = self.ok("run", "--no-log", self.app("seq 1 200000")).stdout.strip()
        status, out, err = self.shell(f"$S log {handle} | head -1; echo ${{PIPESTATUS[0]}}")
        first, code = out.split()
        self.assertEqual((status, first, err), (0, "1", ""))
        # `log` has written everything before the pipe closed, was ended by SIGPIPE, or reports the failed write.
        self.assertIn(code, ("0", "141", "73"))

    def test_a_following_log_ends_with_its_reader(self):
        handle = self.detach(self.app("while :; do echo line; sleep 0.01; done"))
        status, out, _ = self.shell(f"$S log -f {handle} | head -2")
        self.assertEqual((status, out), (0, "line\nline\n"))
        self.assert_state(handle, "RUNNING")

    def test_the_app_ends_when_the_reader_of_its_logs_closes_the_pipe(self):
        self.app(role("w", "seq 1 50000; sleep 0.1", num_replicas=2))
        status, out, _ = self.shell("$S run app.toml 2>&1 | head -3")
        self.assertEqual((status, len(out.splitlines())), (0, 3))
        # The app succeeds if its replicas end before the command notices the closed pipe.
        self.assertIn(self.run_slipway("wait", "@last").status, (0, 130))
        self.assert_nothing_lives()

    def test_output_that_cannot_be_written_is_exit_status_73(self):
        self.ok("run", self.app("echo x"))
        for where in (">/dev/full", ">&-"):
            for command in ("runopts", "list --all", "list --all --json", "status @last", "log @last", "describe @last",
                            "plugin list", "--help", "--version", "run -n app.toml", "run -n --json app.toml",
                            "wait @last"):
                with self.subTest(command=command, where=where):
                    self.assertEqual(self.shell(f"$S {command} {where}")[0], 73)

    def test_foreground_app_whose_handle_cannot_be_printed_is_cancelled(self):
        self.app("sleep 1000")
        for where in (">/dev/full", ">&-"):
            with self.subTest(where=where):
                self.assertEqual(self.shell(f"$S run app.toml {where}")[0], 73)
                self.assertEqual(self.run_slipway("wait", "@last").status, 130)
                self.assert_nothing_lives()

    def test_detached_app_whose_handle_cannot_be_printed_is_named_by_the_error(self):
        self.app("sleep 1000")
        for options in ("", "--json"):
            with self.subTest(options=options):
                status, _, err = self.shell(f"$S run -d {options} app.toml >/dev/full")
                handle = self.status_of("@last")["handle"]
                app_id = handle.rpartition("/")[2]
                self.assertEqual(status, 73)
                self.assertIn(f"the app {handle} is submitted\n  `slipway cancel {app_id}` ends it", err)
                self.assert_state(handle, "RUNNING")

    def test_a_detached_run_with_closed_streams_writes_only_the_output_of_replicas_into_logs(self):
        self.app(role("w", "echo out; echo err >&2", num_replicas=2))
        for closed in ("<&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                self.shell(f"$S run -d app.toml {closed}")
                self.run_slipway("wait", "@last")
                handle = self.status_of("@last")["handle"]
                self.ok("describe", handle)
                self.assertEqual(self.status_of(handle)["state"], "SUCCEEDED")
                for k in range(2):
                    base = self.app_dir(handle) / "logs" / "w" / str(k)
                    self.assertEqual((base / "stdout.log").read_text(), "out\n")
                    self.assertEqual((base / "stderr.log").read_text(), "err\n")

    def test_a_foreground_run_with_closed_streams_returns_the_exit_status_of_the_app(self):
        self.app(role("w", "echo out; echo err >&2; exit 3", num_replicas=2))
        for closed in ("<&-", "2>&-", "<&- 2>&-"):
            with self.subTest(closed=closed):
                self.assertEqual(self.shell(f"$S run app.toml {closed}")[0], 3)
                self.assert_state("@last", "FAILED")


if __name__ == "__main__":
    unittest.main()
