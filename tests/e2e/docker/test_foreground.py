"""Apps whose owner is a foreground command: when the command has ended in any way but a detach, no container runs."""

import os
import pty
import select
import signal
import time
import unittest

from docker_case import LIMIT, SLIPWAY, DockerCase, role, why_unable

unable = why_unable()
ENDLESS = "echo ready; while :; do sleep 0.1; done"


@unittest.skipIf(unable, unable)
class Foreground(DockerCase):
    # With this option, the containers of an engine that crashed continue.
    options = ("--live-restore",)

    def run_in_foreground(self, *roles):
        """Starts a command, and returns its process and the app's handle once the command has printed the handle."""
        self.app(*roles)
        process = self.start("run", "-s", "local_docker", "app.toml")
        handle = process.stdout.readline().strip()
        self.assertTrue(handle, handle or process.communicate())
        return process, handle

    def test_run_shows_the_logs_and_has_the_exit_status_of_the_app(self):
        self.app(role("w", "echo hello; exit 5"))
        done = self.slipway("run", "-s", "local_docker", "app.toml", status=5)
        self.assertIn("hello", done.stderr)
        self.eventually(lambda: not self.helpers(done.stdout.strip()), "the helper ends with the app")

    def test_app_of_a_command_that_is_killed_is_cancelled(self):
        # A replica that has already succeeded does not prevent that.
        process, handle = self.run_in_foreground(role("w", ENDLESS, 2), role("done", "true"))
        process.kill()
        status = self.until(handle, lambda status: status["state"] == "CANCELLED", "it is cancelled")
        self.assertEqual(self.replicas(status)[("w", 1)]["reason"], "cancelled")
        self.eventually(lambda: not self.helpers(handle), "the helper ends with the app")

    def test_signal_to_the_command_cancels_the_app(self):
        process, handle = self.run_in_foreground(role("w", ENDLESS))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.status(handle)["state"], "CANCELLED")

    def test_command_that_is_killed_during_its_submission_leaves_nothing_that_runs(self):
        self.app(role("w", ENDLESS, 30, ""))
        process = self.start("run", "-s", "local_docker", "app.toml")
        self.eventually(lambda: len(self.engine.containers()) > 3, "the submission has begun")
        process.kill()
        self.eventually(lambda: not [one for one in self.engine.containers() if one["State"] != "exited"],
                        "no container runs")

    def test_command_replaces_the_killed_helper_of_its_app(self):
        process, handle = self.run_in_foreground(role("w", ENDLESS))
        self.kill_helper(handle)
        self.eventually(lambda: self.helpers(handle), "there is a successor")
        process.kill()
        self.until(handle, lambda status: status["state"] == "CANCELLED", "it is cancelled")

    def test_next_command_ends_an_app_whose_helper_and_command_were_killed(self):
        # Without retries, the app has a helper only because of its owner. `retry_on` needs a helper as well.
        for extra in ("", "max_retries = 9\nretry_on = [3]\n"):
            with self.subTest(extra):
                process, handle = self.run_in_foreground(role("w", ENDLESS, extra=extra))
                process.send_signal(signal.SIGSTOP)
                self.kill_helper(handle)
                # While the owner lives, another command neither ends nor supervises the app.
                self.assertEqual(self.status(handle)["state"], "RUNNING")
                self.assertEqual(self.helpers(handle), [])
                process.kill()
                process.wait()
                self.slipway("list", "-s", "local_docker")
                self.eventually(lambda: not [one for one in self.engine.containers() if one["State"] == "running"],
                                "no container runs")
                self.assertEqual(self.status(handle)["state"], "CANCELLED")
                self.eventually(lambda: not self.helpers(handle), "the helper ends with the app")
                # The file about the app's owner is removed.
                self.assertEqual(list((self.home / "state" / "slipway" / "docker").iterdir()), [])

    def test_app_is_cancelled_after_an_outage_in_which_the_command_was_killed(self):
        process, handle = self.run_in_foreground(role("w", ENDLESS))
        self.engine.kill()
        process.kill()
        self.engine.start()
        self.until(handle, lambda status: status["state"] == "CANCELLED", "it is cancelled")

    def read_until(self, terminal, text):
        """Returns the output of a terminal up to this text."""
        deadline, output = time.monotonic() + LIMIT, b""
        while text not in output:
            readable, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
            self.assertTrue(readable, output)
            output += os.read(terminal, 4096)
        return output

    def test_app_whose_command_detached_continues(self):
        self.app(role("w", ENDLESS))
        pid, terminal = pty.fork()
        if pid == 0:
            try:
                os.chdir(self.root)
                os.execve(SLIPWAY, [SLIPWAY, "run", "-s", "local_docker", "app.toml"], self.env)
            finally:
                os._exit(127)  # only after a failure; the test goes on in the other process
        output = self.read_until(terminal, b"ready")
        handle = next(word for word in output.decode().split() if word.startswith("local_docker://"))
        os.write(terminal, b"\x1c")  # ^\
        self.read_until(terminal, b"detached")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        os.close(terminal)
        self.eventually(lambda: not self.helpers(handle), "the helper ends, because it has nothing left to do")
        self.assertEqual(self.status(handle)["state"], "RUNNING")
        self.assertEqual(self.helpers(handle), [])


if __name__ == "__main__":
    unittest.main()
