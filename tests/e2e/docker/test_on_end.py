"""The run option on_end: a command that runs once on this machine when an app has ended, also if no command is
attached."""

import json
import os
import subprocess
import unittest
from pathlib import Path

from docker_case import LIMIT, SLIPWAY, TREE, DockerCase, role, why_unable

unable = why_unable()
GATED = "until test -e /gate/open; do sleep 0.1; done"


@unittest.skipIf(unable, unable)
class OnEnd(DockerCase):
    def gated(self, script=""):
        """Returns a role that ends when a test calls open_gate()."""
        mount = f'mounts = ["type=bind,src={self.root},dst=/gate,readonly"]\n'
        return role("w", f"{GATED}; {script}", extra=mount)

    def open_gate(self):
        (self.root / "open").touch()

    def text_of(self, name):
        """Returns the text of a file that the command makes, once it ends with a newline."""
        path = self.root / name
        self.eventually(lambda: path.exists() and path.read_text().endswith("\n"), f"{name} is complete")
        return path.read_text()

    def files(self, handle):
        """Returns the directory of the app's own files."""
        return self.home / "state" / "slipway" / "docker" / handle.rpartition("/")[2]

    def kept(self):
        """Returns the ids of the apps that have files other than the output of their on_end commands."""
        all_apps = self.files("x").parent
        # Unlike glob(), walk() passes over directories that a helper removes at this moment.
        return {Path(folder).name for folder, folders, files in os.walk(all_apps)
                if Path(folder).parent == all_apps and {*folders, *files} - {"on_end.log"}}

    def test_command_gets_the_end_on_its_input_and_in_its_environment(self):
        self.env["MINE"] = "kept"
        self.addCleanup(self.env.pop, "MINE")
        command = "cat >end.json; echo $SLIPWAY_HANDLE $SLIPWAY_APP_STATE $MINE >words; echo said"
        handle = self.submit(role("w", "exit 3"), options=("-c", f"on_end={command}"))
        end = json.loads(self.text_of("end.json"))
        status = self.status(handle)
        for key in ("handle", "app_id", "name", "scheduler", "session", "state", "msg", "submitted_at", "started_at",
                    "finished_at"):
            self.assertEqual(end[key], status[key], key)
        self.assertEqual((end["state"], end["log_dir"]), ("FAILED", None))
        self.assertEqual(self.text_of("words"), f"{handle} FAILED kept\n")
        log = self.files(handle) / "on_end.log"
        self.eventually(lambda: log.read_text() == "said\n", "its output is kept")
        # The helper removes the other files before it starts the command, so that the command runs at most once.
        self.assertEqual([path.name for path in self.files(handle).iterdir()], ["on_end.log"])
        self.slipway("delete", handle)
        self.assertFalse(self.files(handle).exists())

    def test_command_runs_after_a_foreground_run_was_killed(self):
        self.app(role("w", "while :; do sleep 0.1; done"))
        process = self.start("run", "-s", "local_docker", "-c", "on_end=echo $SLIPWAY_APP_STATE >state", "app.toml")
        self.assertTrue(process.stdout.readline())
        process.kill()
        self.assertEqual(self.text_of("state"), "CANCELLED\n")

    def test_command_runs_once_although_the_helper_was_killed(self):
        handle = self.submit(self.gated(), options=("-c", "on_end=echo once $MINE >>ends"))
        self.kill_helper(handle)
        # The command gets the environment of the submission, not of the command that starts the successor.
        self.slipway("status", handle, env={"MINE": "another"})
        self.one_helper(handle)
        self.open_gate()
        self.wait(handle)
        self.assertEqual(self.text_of("ends"), "once\n")
        self.eventually(lambda: not self.helpers(handle), "the helper has ended")
        self.slipway("status", handle)
        self.assertEqual((self.helpers(handle), self.text_of("ends")), ([], "once\n"))

    def test_next_slipway_command_runs_on_end_if_the_app_ended_without_a_helper(self):
        handle = self.submit(self.gated(), options=("-c", "on_end=echo $SLIPWAY_APP_STATE >>ends"))
        self.kill_helper(handle)
        self.open_gate()
        self.eventually(lambda: self.engine.containers()[0]["State"] == "exited", "it has ended")
        self.assertFalse((self.root / "ends").exists())
        self.slipway("list", "-s", "local_docker")
        self.assertEqual(self.text_of("ends"), "SUCCEEDED\n")

    def test_two_helpers_run_the_command_once(self):
        handle = self.submit(self.gated(), options=("-c", "on_end=echo once >>ends"))
        # A helper claims its app by the name of a socket, which another network namespace does not see.
        second = subprocess.Popen(["unshare", "--net", TREE / "libexec" / "slipway" / "slipway-docker-supervisor",
                                   "recover", self.engine.socket, self.home / "state" / "slipway" / "docker",
                                   handle.rpartition("/")[2]])
        self.eventually(lambda: len(self.helpers(handle)) == 2, "there are two")
        self.open_gate()
        second.wait(LIMIT)
        self.eventually(lambda: not self.helpers(handle), "both have ended")
        self.assertEqual(self.text_of("ends"), "once\n")

    def test_helper_of_another_user_does_not_run_the_command(self):
        handle = self.submit(self.gated(), options=("-c", "on_end=echo mine >>ends"))
        # All users of the engine can read the labels of its containers.
        self.assertNotIn("mine", json.dumps(self.engine.containers()))
        # A helper with another state directory, like that of another user, has no file of the app and so no command.
        self.kill_helper(handle)
        other = {"XDG_STATE_HOME": str(self.root / "other")}
        self.slipway("list", "-s", "local_docker", env=other)
        self.one_helper(handle)
        self.open_gate()
        self.eventually(lambda: not self.helpers(handle), "it has ended")
        self.assertFalse((self.root / "ends").exists())
        self.slipway("status", handle)
        self.assertEqual(self.text_of("ends"), "mine\n")

    def test_failed_submission_leaves_nothing(self):
        # Without an init process, the engine itself must find the program, and refuses to start the container.
        self.app(role("w", "true").replace('"sh"', '"nosuch"', 1))
        self.slipway("run", "-d", "-s", "local_docker", "-c", "init=false", "-c", "on_end=echo x >>ends", "app.toml",
                     status=65)
        self.eventually(lambda: not self.kept(), "no file is left")
        self.assertFalse((self.root / "ends").exists())

    def test_log_of_the_command_says_why_it_did_not_start(self):
        place = self.root / "place"
        place.mkdir()
        self.app(self.gated())
        done = subprocess.run([SLIPWAY, "run", "-d", "-s", "local_docker", "-c", "on_end=true",
                               self.root / "app.toml"], cwd=place, env=self.env, capture_output=True, text=True,
                              timeout=LIMIT, check=True)
        place.rmdir()
        self.open_gate()
        handle = done.stdout.strip()
        self.wait(handle)
        log = self.files(handle) / "on_end.log"
        self.eventually(lambda: log.exists() and "cannot enter" in log.read_text(), "the log says why")

    def test_dry_run_shows_the_command(self):
        self.app(role("w", "true"))
        done = self.slipway("run", "-n", "-s", "local_docker", "-c", "on_end=echo x", "app.toml")
        self.assertIn("at its end: sh -c 'echo x'\n", done.stdout)
        done = self.slipway("run", "-n", "--json", "-s", "local_docker", "-c", "on_end=echo x", "app.toml")
        self.assertEqual(json.loads(done.stdout)["request"]["on_end"], "echo x")


if __name__ == "__main__":
    unittest.main()
