"""Whose apps are whose: two users on one machine, and where state lies when little is set."""

import os
import pwd
import shutil
import unittest

from slipway_case import SlipwayCase

NOBODY = 65534


class Environment(SlipwayCase):
    def without(self, *names, **more):
        """Runs commands without these variables."""
        for name in names:
            del self.env[name]
        self.env.update(more)

    def test_without_home_and_xdg_state_home_the_account_s_home_counts(self):
        # dryrun: nothing may be left in the home of who runs the tests
        self.without("HOME", "XDG_STATE_HOME")
        directory = pwd.getpwuid(os.getuid()).pw_dir
        self.assertIn(f"{directory}/.local/state/slipway/local/", self.ok("dryrun", "--json", self.app("true")).stdout)

    def test_xdg_state_home_counts_without_a_home(self):
        self.without("HOME")
        handle = self.ok("run", "--no-log", "-q", self.app("true")).stdout.strip()
        self.assertTrue(self.app_dir(handle).is_dir())

    def test_an_empty_or_relative_xdg_state_home_counts_as_unset(self):
        for value in ("", "relative/path"):
            with self.subTest(value=value):
                home = self.root / f"home{len(value)}"
                home.mkdir()
                self.env.update(XDG_STATE_HOME=value, HOME=str(home))
                self.ok("run", "--no-log", "-q", self.app("true"))
                self.assertEqual(len(list((home / ".local/state/slipway/local/slipway").iterdir())), 1)
                self.assertFalse((self.cwd / "relative").exists())

    def test_state_that_cannot_be_made_is_told_with_a_way_out(self):
        file = self.write("file", "")
        self.env["XDG_STATE_HOME"] = str(file)
        error = self.expect_failure(73, "cant_create", "run", self.app("true"))
        self.assertIn(str(file), error["message"])
        self.assertIn("XDG_STATE_HOME", error["hint"])
        self.env["XDG_STATE_HOME"] = "/proc/none"
        error = self.expect_failure(73, "cant_create", "run", self.app("true"))
        self.assertIn("/proc/none", error["message"])


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "becoming another user takes root")
class TwoUsers(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.root.chmod(0o755)
        self.theirs = self.root / "theirs"
        self.theirs.mkdir()
        os.chown(self.theirs, NOBODY, NOBODY)
        self.cwd.chmod(0o777)

    def as_nobody(self, *arguments, state=None):
        """A command of the other user: the result."""
        env = {**self.env, "HOME": str(self.theirs), "XDG_STATE_HOME": str(state or self.theirs),
               "XDG_CONFIG_HOME": str(self.theirs)}
        process = self.start(*arguments, env=env, user=NOBODY, group=NOBODY, extra_groups=[])
        return self.finish(process)

    def test_nobody_sees_or_touches_the_apps_of_somebody_else(self):
        gate = self.gate()
        handle = self.detach(self.app("echo secret; read go < gate"))
        self.assertEqual(self.as_nobody("list", "--all", "--json").json["apps"], [])
        for command in ("status", "log", "describe", "cancel", "delete", "rerun", "attach", "wait"):
            with self.subTest(command=command, state="their own"):
                self.assertEqual(self.as_nobody(command, handle).status, 66)
        # pointed at the other's state on purpose
        for command in ("status", "log", "describe", "cancel", "delete", "rerun", "attach", "wait"):
            with self.subTest(command=command, state="ours"):
                result = self.as_nobody(command, handle, state=self.state)
                self.assertEqual(result.status, 77, result)
                self.assertNotIn("secret", result.stdout + result.stderr)
        result = self.as_nobody("list", "--all", state=self.state)
        self.assertEqual(result.stdout, "", result)
        self.assertIn("Permission denied", result.stderr)
        self.assertEqual(self.as_nobody("run", str(self.cwd / "app.toml"), state=self.state).status, 73)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.status_of(handle)["state"], "SUCCEEDED")

    def test_the_same_names_are_different_apps(self):
        app = self.app("echo mine")
        app.chmod(0o644)
        ours = self.ok("run", "-q", "--no-log", app).stdout.strip()
        theirs = self.as_nobody("run", "-q", "--no-log", str(app))
        self.assertEqual(theirs.status, 0, theirs)
        self.assertEqual([a["handle"] for a in self.as_nobody("list", "--all", "--json").json["apps"]],
                         [theirs.stdout.strip()])
        self.assertEqual([a["handle"] for a in self.ok("list", "--all", "--json").json["apps"]], [ours])
        self.expect_failure(66, "not_found", "status", theirs.stdout.strip())

    def test_a_state_directory_that_may_not_be_written_is_told(self):
        locked = self.root / "locked"
        locked.mkdir(mode=0o755)
        app = self.app("true")
        result = self.as_nobody("run", str(app), state=locked)
        self.assertEqual((result.status, result.stdout), (73, ""), result)
        self.assertIn("Permission denied", result.stderr)
        self.assertIn("XDG_STATE_HOME", result.stderr)
        self.assertEqual(list(locked.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
