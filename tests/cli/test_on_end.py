"""The run option on_end: a command that runs once when an app has ended, even if no `slipway` command follows it."""

import contextlib
import json
import os
import signal
import time
import unittest

import live_processes
from app_text import role
from slipway_case import SLIPWAY, SlipwayCase


class OnEnd(SlipwayCase):
    """In the names of the tests, "it" is the command of on_end."""

    def text_of(self, name):
        """Returns the text of a file that the command makes, once it ends with a newline."""
        path = self.cwd / name
        self.eventually(lambda: path.exists() and path.read_text().endswith("\n"), f"{name} is complete")
        return path.read_text()

    def test_it_gets_the_end_on_its_input_and_in_its_environment(self):
        app = self.app(role("w", "exit 3"))
        handle = self.detach(app, "-c", "on_end=cat >end.json; echo $SLIPWAY_HANDLE $SLIPWAY_APP_STATE >words")
        end = json.loads(self.text_of("end.json"))
        status = self.ok("status", "--json", handle).json
        for key in ("handle", "app_id", "name", "scheduler", "session", "state", "msg", "submitted_at", "started_at",
                    "finished_at"):
            self.assertEqual(end[key], status[key], key)
        self.assertEqual(end["state"], "FAILED")
        self.assertTrue(os.path.isdir(end["log_dir"]))
        self.assertEqual(self.text_of("words"), f"{handle} FAILED\n")

    def test_it_has_the_environment_of_the_command_that_started_the_app(self):
        settings = {"SLIPWAY_CONFIG": self.write("extra.toml", ""), "SLIPWAY_LOG_LEVEL": "debug", "SLIPWAY_MINE": "1"}
        # The command that starts the app may itself run in a replica, which has these variables.
        replica = {"SLIPWAY_ROLE": "w", "SLIPWAY_REPLICA_ID": "7", "SLIPWAY_ATTEMPT": "2", "SLIPWAY_PORT_HTTP": "80",
                   "SLIPWAY_ROLE_W_HOST": "h", "SLIPWAY_APP_ID": "outer", "SLIPWAY_LOCAL_APP": "outer",
                   "TORCHELASTIC_ERROR_FILE": "/outer/error.json", "TORCHX_JOB_ID": "outer", "PET_LOG_DIR": "/outer"}
        app = self.app("true")
        self.ok("run", "-q", "-c", "on_end=env >words", app, env=settings | replica)
        words = dict(line.split("=", 1) for line in self.text_of("words").splitlines() if "=" in line)
        self.assertLessEqual({key: str(value) for key, value in settings.items()}.items(), words.items())
        self.assertEqual(set(replica) & set(words), {"SLIPWAY_APP_ID"})
        self.assertNotEqual(words["SLIPWAY_APP_ID"], "outer")

    def test_it_sees_the_end_in_the_record(self):
        handle = self.detach(self.app("true"), "-c", f"on_end={SLIPWAY} status --json $SLIPWAY_HANDLE >seen.json")
        self.assertEqual(json.loads(self.text_of("seen.json"))["state"], "SUCCEEDED")
        self.ok("wait", handle)

    def test_an_interrupted_foreground_run_also_runs_it(self):
        app = self.app(role("w", "exec sleep 600"))
        process = self.start("run", "-c", "on_end=echo $SLIPWAY_APP_STATE >state", app)
        self.eventually(lambda: self.living_helpers(), "the app runs")
        process.send_signal(signal.SIGTERM)
        self.finish(process)
        self.assertEqual(self.text_of("state"), "CANCELLED\n")

    def test_it_runs_once_although_the_supervisor_was_killed(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate")), "-c", "on_end=echo once >>ends")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "the replica runs")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        self.open_gate(gate, 1)
        self.ok("wait", handle)
        self.assertEqual(self.text_of("ends"), "once\n")
        self.eventually(lambda: not self.living_helpers(), "the helpers have ended")
        self.assertEqual(self.text_of("ends"), "once\n")

    def test_it_runs_once_whenever_the_supervisor_is_killed(self):
        handles = []
        gate = self.gate()
        for i in range(15):
            handle = self.detach(self.app("read go < gate"), "-c", "on_end=echo $SLIPWAY_HANDLE >>ends")
            handles.append(handle)
            self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "the replica runs")
            _, supervisor = self.helpers(handle)
            self.open_gate(gate, 1)
            time.sleep(i * 0.002)  # another moment for each app
            with contextlib.suppress(ProcessLookupError):
                os.kill(supervisor, signal.SIGKILL)
            self.ok("wait", handle)
        self.eventually(lambda: not self.living_helpers(), "the helpers have ended")
        self.eventually(lambda: len(self.text_of("ends").split()) >= len(handles), "every command has run")
        self.assertEqual(sorted(self.text_of("ends").split()), sorted(handles))

    def test_it_runs_although_the_warden_was_killed(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate")), "-c", "on_end=echo once >>ends")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "the replica runs")
        warden, supervisor = self.helpers(handle)
        os.kill(warden, signal.SIGKILL)
        # The warden disappears from the processes that helpers() finds before the supervisor gets another parent.
        self.eventually(lambda: live_processes.parent(supervisor) != warden, "the warden is gone")
        self.open_gate(gate, 1)
        self.ok("wait", handle)
        self.assertEqual(self.text_of("ends"), "once\n")

    def test_its_failure_changes_nothing_and_its_output_is_in_the_record(self):
        handle = self.detach(self.app("true"), "-c", "on_end=echo told; no-such-program")
        self.ok("wait", handle)
        log = self.app_dir(handle) / "on_end.log"
        self.eventually(lambda: log.exists() and "no-such-program" in log.read_text(), "the output is there")
        self.assertTrue(log.read_text().startswith("told\n"))

    def test_nothing_waits_for_it(self):
        gate = self.gate()
        handle = self.detach(self.app("true"), "-c", "on_end=read go <gate; echo late >late")
        self.ok("wait", handle)
        self.eventually(lambda: not self.living_helpers(), "the helpers have ended")
        self.ok("delete", handle)
        self.open_gate(gate, 1)
        self.assertEqual(self.text_of("late"), "late\n")

    def test_the_app_file_can_have_it_and_the_dry_run_shows_it(self):
        app = self.write("app.toml", 'name = "a"\n[options.local_cwd]\non_end = "echo x >x"\n'
                                     '[[roles]]\nname = "w"\nentrypoint = "true"\n')
        self.assertIn("at its end: sh -c 'echo x >x'\n", self.ok("run", "-n", app).stdout)
        self.assertFalse((self.cwd / "x").exists())
        self.ok("run", app)
        self.assertEqual(self.text_of("x"), "x\n")


if __name__ == "__main__":
    unittest.main()
