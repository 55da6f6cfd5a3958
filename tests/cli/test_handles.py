"""The texts that name an app: handles, ids, prefixes of ids, @last. They work in every directory."""

import unittest

from slipway_case import SlipwayCase


class Handles(SlipwayCase):
    def run_app(self, name="app", *arguments):
        """Runs an app to its end. Returns the handle."""
        return self.ok("run", "--no-log", *arguments, self.app("true", name=name)).stdout.strip()

    def test_the_error_about_a_missing_handle_explains_how_to_find_one(self):
        for command in ("status", "attach", "describe"):
            error = self.expect_failure(64, "usage", command)
            self.assertEqual(error["message"], "HANDLE is required")
            self.assertIn("@last is the newest app, and `slipway list` shows those that run", error["hint"])

    def test_handle_id_prefix_and_last_name_the_same_app(self):
        handle = self.run_app()
        app_id = handle.rpartition("/")[2]
        for text in (handle, app_id, app_id[:-3], "app", "a", "@last"):
            with self.subTest(text=text):
                self.assertEqual(self.status_of(text)["handle"], handle)

    def test_commands_take_handles_prefixes_and_last(self):
        handle = self.run_app("taken")
        for command in (["status"], ["wait"], ["log"], ["cancel"], ["describe"]):
            for text in (handle, "taken", "@last"):
                with self.subTest(command=command, text=text):
                    self.ok(*command, text)

    def test_last_is_the_newest_of_all_sessions_and_schedulers(self):
        self.run_app("first")
        second = self.run_app("second", "--session", "other", "-s", "local_dir")
        self.assertEqual(self.status_of("@last")["handle"], second)
        third = self.run_app("third")
        self.assertEqual(self.status_of("@last")["handle"], third)

    def test_an_ambiguous_prefix_is_a_usage_error_that_names_the_apps(self):
        handles = [self.run_app("same"), self.run_app("same")]
        error = self.expect_failure(64, "usage", "status", "same")
        for handle in handles:
            self.assertIn(handle, error["message"])

    def test_whole_id_wins_over_a_prefix_of_another_id(self):
        handle = self.run_app()
        app_id = handle.rpartition("/")[2]
        longer = self.run_app(app_id)
        self.assertEqual(self.status_of(app_id)["handle"], handle)
        self.assertEqual(self.status_of(app_id + "-")["handle"], longer)

    def test_a_handle_without_a_session_uses_the_session_of_the_call(self):
        handle = self.run_app("mine", "--session", "night")
        short = handle.replace("night", "")
        self.assertIn(":///", short)
        self.assertEqual(self.ok("--session", "night", "status", "--json", short).json["handle"], handle)
        self.ok("--session", "night", "log", short + "/w/0")
        self.expect_failure(66, "not_found", "status", short)

    def test_malformed_handles_are_usage_errors(self):
        for text in ("local_cwd://", "://slipway/app", "local_cwd://slipway", "local_cwd://slipway/", "/", "a/b", ""):
            for command in ("status", "wait", "cancel", "describe"):
                with self.subTest(text=text, command=command):
                    self.expect_failure(64, "usage", command, text)

    def test_a_role_where_a_whole_app_is_expected_is_explained(self):
        handle = self.run_app()
        for text in ("@last/w", "app/w/0", handle + "/w", handle + "/w/0"):
            for command in ("status", "wait", "cancel", "describe", "attach", "events", "rerun", "delete"):
                with self.subTest(text=text, command=command):
                    error = self.expect_failure(64, "usage", command, text)
                    whole = handle if "://" in text else text.partition("/")[0]
                    self.assertEqual(error["message"], f"'{text}' names a role, but this command takes a whole app: "
                                                       f"{whole}")
                    self.assertIn("status --roles ROLE", error["hint"])
        # A handle without its scheduler is no role of an app.
        self.assertIn("is not an app handle", self.expect_failure(64, "usage", "status", "slipway/app-1")["message"])

    def test_apps_that_never_existed_are_not_found(self):
        for text in ("local_cwd://slipway/none-1", "none-1", "@last", "nowhere://slipway/none-1",
                     "local_cwd://nosession/none-1", "local_cwd:///none-1"):
            for command in ("status", "wait", "log", "cancel", "describe"):
                with self.subTest(text=text, command=command):
                    self.expect_failure(66, "not_found", command, text)
        self.assertFalse(self.state.exists())

    def test_an_unknown_app_is_named_where_the_default_scheduler_is_disabled(self):
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text('[plugins."org.slipway.local"]\nenabled = false\n')
        error = self.expect_failure(66, "not_found", "status", "none-1")
        self.assertTrue(error["message"].startswith("there is no app 'none-1'"), error)

    def test_an_app_of_another_scheduler_is_not_found_under_this_one(self):
        handle = self.run_app()
        self.expect_failure(66, "not_found", "status", handle.replace("local_cwd", "local_dir"))

    def test_handles_cannot_lead_out_of_the_state_directory(self):
        handle = self.run_app()
        app_id = handle.rpartition("/")[2]
        for text in ("local_cwd://slipway/..", "local_cwd://../slipway", "local_cwd://./slipway",
                     f"local_cwd://slipway/../slipway/{app_id}", f"local_cwd://slipway/{app_id}/..",
                     "local_cwd://slipway/" + "x" * 5000, "x" * 5000, "local_cwd://slipway/.new-x", "\x1b[31m"):
            for command in ("status", "cancel", "wait", "describe"):
                with self.subTest(text=text[:60], command=command):
                    self.assertIn(self.run_slipway(command, text).status, (64, 66))
        self.ok("status", handle)


class OtherDirectories(SlipwayCase):
    def test_several_apps_of_a_session_are_found_from_any_directory(self):
        gate = self.gate()
        names = ("one", "two", "three")
        handles = {name: self.detach(self.app("read go < gate", name=name, file=f"{name}.toml"))
                   for name in names}
        elsewhere = self.root / "elsewhere"
        elsewhere.mkdir()
        listed = {app["name"]: app for app in self.ok("list", "--json", cwd=elsewhere).json["apps"]}
        self.assertEqual({name: listed[name]["handle"] for name in names}, handles)
        described = self.ok("describe", "--json", handles["two"], cwd=elsewhere).json
        self.assertEqual(described["name"], "two")
        self.ok("cancel", "--now", handles["two"], cwd=elsewhere)
        attached = self.start("attach", handles["one"], cwd=elsewhere)
        self.open_gate(gate, replicas=2)
        self.assertEqual(self.finish(attached).status, 0)
        self.ok("wait", handles["three"])
        states = {name: self.status_of(handle)["state"] for name, handle in handles.items()}
        self.assertEqual(states, {"one": "SUCCEEDED", "two": "CANCELLED", "three": "SUCCEEDED"})
        self.open_gate(gate)
        again = self.ok("rerun", "-q", "--no-log", handles["three"], cwd=elsewhere).stdout.strip()
        self.assertNotIn(again, handles.values())
        self.ok("delete", handles["two"], cwd=elsewhere)
        self.expect_failure(66, "not_found", "status", handles["two"])


if __name__ == "__main__":
    unittest.main()
