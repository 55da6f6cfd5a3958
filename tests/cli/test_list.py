"""`slipway list`: the apps of all schedulers."""

import shutil
import subprocess
import unittest

from slipway_case import HANDLE, SLIPWAY, SlipwayCase

KEYS = {"handle", "app_id", "name", "scheduler", "state", "submitted_at"}


class List(SlipwayCase):
    def handles(self, *arguments):
        """Checks the keys of each listed app. Returns the handles."""
        document = self.ok("list", "--json", *arguments).json
        self.assertLessEqual({"apps", "errors"}, set(document))
        self.assertEqual(document["errors"], [])
        for each in document["apps"]:
            self.assertLessEqual(KEYS, set(each))
            self.assertRegex(each["handle"], HANDLE)
            self.assert_time(each["submitted_at"])
        return {each["handle"] for each in document["apps"]}

    def test_shows_active_apps_and_with_all_the_finished_ones(self):
        done = self.ok("run", self.app("true")).stdout.strip()
        failed = self.expect(1, "run", self.app("false")).stdout.strip()
        active = self.detach(self.app("sleep 1000"))
        self.assertEqual(self.handles(), {active})
        self.assertEqual(self.handles("--all"), {done, failed, active})
        text = self.ok("list").stdout
        self.assertIn(active, text)
        self.assertNotIn(done, text)
        self.assertIn(done, self.ok("list", "--all").stdout)

    def test_option_state_selects_apps(self):
        done = self.ok("run", self.app("true")).stdout.strip()
        failed = self.expect(1, "run", self.app("false")).stdout.strip()
        self.assertEqual(self.handles("--state", "FAILED"), {failed})
        self.assertEqual(self.handles("--state", "succeeded"), {done})
        self.assertEqual(self.handles("--state", "RUNNING"), set())
        self.assertIn("no apps in state RUNNING", self.ok("list", "--state", "RUNNING").stderr)
        self.expect_failure(64, "usage", "list", "--state", "SLEEPY")

    def test_option_scheduler_selects_apps(self):
        cwd = self.ok("run", self.app("true")).stdout.strip()
        directory = self.ok("run", "-s", "local_dir", self.app("true")).stdout.strip()
        self.assertEqual(self.handles("--all", "-s", "local_cwd"), {cwd})
        self.assertEqual(self.handles("--all", "-s", "local_dir"), {directory})
        self.assertEqual(self.handles("--all"), {cwd, directory})
        error = self.expect_failure(66, "not_found", "list", "-s", "nowhere")
        self.assertIn("nowhere", error["message"])

    def test_options_since_and_limit_select_the_newest_apps(self):
        first, second = (self.ok("run", self.app("true")).stdout.strip() for _ in range(2))
        self.assertEqual(self.handles("--all", "--limit", "1"), {second})
        self.assertEqual(self.handles("--all", "--limit", "9"), {first, second})
        when = next(a["submitted_at"] for a in self.ok("list", "--all", "--json").json["apps"] if a["handle"] == second)
        self.assertEqual(self.handles("--all", "--since", when), {second})
        self.assertEqual(self.handles("--all", "--since", "1h"), {first, second})
        self.assertIn("no apps are selected", self.ok("list", "--all", "--since", "0s").stderr)
        self.expect_failure(64, "usage", "list", "--limit", "0")
        self.expect_failure(64, "usage", "list", "--since", "yesterday")

    def test_a_list_without_apps_is_an_empty_document(self):
        self.assertEqual(self.handles("--all"), set())
        self.assertEqual(self.ok("list").stdout, "")

    def test_apps_of_other_sessions_are_listed(self):
        handle = self.ok("run", "--session", "other", self.app("true")).stdout.strip()
        self.assertIn(handle, self.handles("--all"))
        self.ok("status", handle)

    def test_unreadable_records_are_listed_but_other_files_are_not(self):
        handle = self.ok("run", self.app("true")).stdout.strip()
        base = self.app_dir(handle).parent
        (base / "empty").mkdir()
        (base / "file").write_text("x")
        (base / "broken").mkdir()
        (base / "broken" / "state.bin").write_bytes(b"\0" * 5)
        (base / "garbage").mkdir()
        (base / "garbage" / "state.bin").write_bytes(b"\xff" * 8192)
        result = self.ok("list", "--all", "--json")
        states = {each["handle"]: each["state"] for each in result.json["apps"]}
        unreadable = {f"local_cwd://slipway/{name}": "UNKNOWN" for name in ("broken", "garbage")}
        self.assertEqual(states, {handle: "SUCCEEDED", **unreadable})
        for name in ("broken", "garbage"):
            self.assertIn(name, result.stderr)

    def test_a_manifest_that_cannot_be_read_is_reported_with_the_list(self):
        plugins = self.config / "slipway" / "plugins.d"
        plugins.mkdir(parents=True)
        (plugins / "loop.toml").symlink_to("loop.toml")
        result = self.ok("list", "--json")
        self.assertIn("loop.toml", result.stderr)
        self.assertEqual([error["scheduler"] for error in result.json["errors"]], [None], result)
        self.assertIn("cannot be read", result.json["errors"][0]["message"])

    def test_the_error_about_the_directory_of_records_names_both_settings_of_it(self):
        (self.state / "slipway").mkdir(parents=True)
        (self.state / "slipway" / "local").touch()
        error = self.expect_failure(69, "unavailable", "list", "-s", "local_cwd")
        self.assertIn("cannot list the apps in", error["message"])
        self.assertIn("XDG_STATE_HOME, or state_dir of the scheduler", error["hint"])

    def test_a_list_without_any_scheduler_fails(self):
        lonely = self.root / "lonely" / "bin"
        lonely.mkdir(parents=True)
        shutil.copy(SLIPWAY, lonely)  # without the plug-ins of the tree
        for command in ("list", "runopts"):
            done = subprocess.run([lonely / "slipway", command], cwd=self.cwd, env=self.env, capture_output=True,
                                  check=False)
            self.assertEqual(done.returncode, 69, done)
            self.assertIn(b"no plug-in provides a scheduler", done.stderr)


if __name__ == "__main__":
    unittest.main()
