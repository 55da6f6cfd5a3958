"""Selectors: `list`, `wait`, `cancel` and `delete` for many apps at once, and the labels that selectors match."""

import unittest

from slipway_case import SANITIZED, TREE, SlipwayCase

MANIFEST = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


class Selectors(SlipwayCase):
    def finished(self, name, *arguments, script="true"):
        """Runs an app to its end. Returns the handle."""
        handle = self.detach(self.app(script, name=name, file=f"{name}.toml"), "-q", *arguments)
        self.run_slipway("wait", handle)
        return handle

    def running(self, name, *arguments):
        """Starts an app that sleeps. Returns the handle."""
        return self.detach(self.app("sleep 1000", name=name, file=f"{name}.toml"), "-q", *arguments)

    def rows(self, *arguments):
        """Returns {handle: app} of the listed apps."""
        return {a["handle"]: a for a in self.ok("list", "--json", *arguments).json["apps"]}

    def test_selectors_of_list_select_together(self):
        a = self.finished("one-a", "--label", "lr=0.1", "--label", "team=ml")
        b = self.finished("one-b", "--label", "lr=0.2", script="exit 3")
        c = self.finished("two", "--session", "other")
        cases = ((("--name", "one-*"), {a, b}), (("--name", "one-a", "--name", "two"), {a, c}),
                 (("--label", "lr=0.1"), {a}), (("--label", "lr"), {a, b}),
                 (("--label", "lr", "--label", "team=ml"), {a}),
                 (("--label", "lr=7"), set()), (("--session", "other"), {c}), (("--session", "nosuch"), set()),
                 (("--since", "1h", "--name", "*b"), {b}), (("--before", "1h"), set()), (("--before", "0s"), {a, b, c}),
                 (("--name", "one-*", "--limit", "1"), {b}))
        for options, expected in cases:
            with self.subTest(options):
                self.assertEqual(set(self.rows("--all", *options)), expected)
        self.assertIn("no apps are selected", self.ok("list", "--all", "--name", "nosuch").stderr)

    def test_patterns_match_characters_outside_ascii(self):
        handle = self.finished("löss")
        for pattern in ("l?ss", "l[äö]ss", "l[!a]ss", "löss", "l*ss"):
            with self.subTest(pattern):
                self.assertEqual(set(self.rows("--all", "--name", pattern)), {handle})

    def test_an_app_that_is_named_with_the_alias_of_its_scheduler_and_without_is_one_app(self):
        handle = self.finished("one")
        alias = handle.replace("local_cwd://", "default://")
        self.assertEqual(self.ok("wait", alias, handle).lines, [f"{alias} SUCCEEDED"])
        self.assertEqual(self.ok("wait", handle, alias).lines, [f"{handle} SUCCEEDED"])

    def test_list_shows_duration_exit_and_labels(self):
        handle = self.finished("one", "--label", "lr=0.1", "--label", "a=b c", script="exit 3")
        row = self.rows("--all")[handle]
        self.assertEqual((row["exit_status"], row["labels"]), (3, {"lr": "0.1", "a": "b c"}))
        self.assertLessEqual(row["started_at"], row["finished_at"])
        header, line = self.ok("list", "--all").lines
        self.assertEqual(header.split(), ["HANDLE", "STATE", "SUBMITTED", "DURATION", "EXIT", "NAME", "LABELS"])
        self.assertRegex(line, r" FAILED +\S+ +[0-9.]+ s +3 +one +lr=0\.1 a=b c$")

    def test_metadata_of_slipway_itself_are_no_labels(self):
        text = self.app("true", name="one", file="one.toml").read_text()
        self.write("one.toml", text + '\n[options.local_cwd]\ngrace_s = 3\n[metadata]\nteam = "ml"\n')
        handle = self.ok("run", "--no-log", "one.toml").stdout.strip()
        self.assertEqual(self.rows("--all")[handle]["labels"], {"team": "ml"})
        self.assertRegex(self.ok("list", "--all").lines[1], r" team=ml$")
        self.assertNotIn("slipway.", self.ok("list", "--all", "--table").stdout)
        self.assertEqual(self.rows("--all", "--label", "slipway.options.local_cwd"), {})

    @unittest.skipIf(SANITIZED, "starting so many apps would take minutes")
    def test_details_of_more_than_100_apps_are_shown_on_demand(self):
        app = self.app("true")
        handles = [self.detach(app, "-q") for _ in range(101)]
        self.ok("wait", *handles)
        self.assertEqual({a["exit_status"] for a in self.rows("--all").values()}, {None})
        self.assertNotIn("LABELS", self.ok("list", "--all").lines[0])
        self.assertEqual([a["exit_status"] for a in self.rows("--all", "--full").values()], [0] * 101)

    def test_labels_are_metadata_and_go_with_a_rerun(self):
        first = self.finished("one", "--label", "lr=0.1", "--label", "lr=0.2")
        self.assertEqual(self.ok("describe", "--json", first).json["metadata"], {"lr": "0.2"})
        second = self.ok("rerun", "-q", "--no-log", first).stdout.strip()
        self.assertEqual(set(self.rows("--all", "--label", "lr=0.2")), {first, second})

    def test_wait_and_cancel_select_active_apps(self):
        a, b, other = self.running("one-a"), self.running("one-b"), self.running("two")
        done = self.finished("one-done")
        self.assert_state(other, "RUNNING")
        result = self.ok("cancel", "--now", "--name", "one-*")
        self.assertIn("selected 2 apps: ", result.stderr)
        self.assertEqual({h: r["state"] for h, r in self.rows("--all").items()},
                         {a: "CANCELLED", b: "CANCELLED", other: "RUNNING", done: "SUCCEEDED"})
        waiting = self.expect(124, "wait", "--all", "--timeout", "0.1", "-s", "local_cwd")
        self.assertEqual(waiting.stdout, f"{other} RUNNING\n")
        self.ok("cancel", "--now", "--all")
        self.assertEqual(self.rows(), {})

    def test_delete_selects_finished_apps(self):
        running, done, other = self.running("one-r"), self.finished("one-d"), self.finished("two")
        deleted = self.ok("delete", "--json", "--name", "one-*").json["deleted"]
        self.assertEqual(deleted, [done])
        deleted = self.ok("delete", "--json", "--all", running, "--force").json["deleted"]
        self.assertEqual(deleted, [running, other])
        self.assertEqual(self.rows("--all"), {})

    def test_handles_and_selectors_together_name_each_app_once(self):
        a, b = self.finished("one-a"), self.finished("two")
        self.assertEqual(self.ok("delete", "--json", b, a, "--name", "one-*").json["deleted"], [b, a])

    def test_the_scheduler_named_default_has_its_real_name_in_handles(self):
        handle = self.finished("one")
        default = ("-s", "default")
        self.assertEqual(list(self.rows("--all", *default)), [handle])
        self.assertEqual(self.rows("--all", *default)[handle]["scheduler"], "local_cwd")
        self.assertIn(handle, self.ok("list", "--all", *default).stdout)
        self.assertEqual(self.ok("prune", "--json", "--name", "*", *default).json["would_delete"], [handle])
        self.assertEqual(self.ok("delete", "--json", handle, *default).json["deleted"], [handle])

    @unittest.skipUnless(MANIFEST.is_file(), "the tree that is tested was not built here")
    def test_a_selected_app_that_is_deleted_meanwhile_is_skipped(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT="lists_a_deleted_app")
        running = self.running("one")
        self.expect(66, "cancel", running, "faulty://slipway/app-deleted")
        self.assert_state(running, "RUNNING")
        result = self.ok("cancel", "--now", "--json", "--all")
        self.assertIn("selected 2 apps", result.stderr)
        self.assertEqual([(app["handle"], app["state"]) for app in result.json], [(running, "CANCELLED")])
        self.assertEqual(self.ok("delete", "--force", "--json", "--all").json["deleted"], [running])

    def test_nothing_selected_is_a_warning(self):
        for command in ("cancel", "wait", "delete", "log", "prune"):
            words = "0 apps would be deleted" if command == "prune" else "no app is selected"
            with self.subTest(command):
                self.assertIn(f"slipway: warning: {words}", self.ok(command, "--name", "nosuch").stderr)

    def test_commands_for_several_apps_need_a_handle_or_a_selector(self):
        running = self.running("one")
        for command in ("cancel", "delete", "wait"):
            error = self.expect_failure(64, "usage", command)
            self.assertIn("--name", error["hint"])
        self.assert_state(running, "RUNNING")

    def test_malformed_selectors_and_labels_are_usage_errors(self):
        app = self.app("true")
        for words in (("list", "--label", "=x"), ("cancel", "--state", "nosuch"), ("wait", "--since", "soon"),
                      ("run", "--label", "x", app), ("run", "--label", "slipway.workspace=x", app)):
            with self.subTest(words):
                self.expect_failure(64, "usage", *words)

    def test_empty_values_are_usage_errors_and_select_nothing(self):
        handle = self.finished("one")
        everything = ("prune", "--yes", "--name", "*")
        for words in (*((*everything, option, "") for option in ("--state", "--before", "--since", "-s", "--larger")),
                      (*everything, "--state="), ("prune", "--yes", "--before=", "--name", "*"),
                      ("list", "--all", "--state", ""), ("list", ""), ("list", "--name="), ("list", "--profile", ""),
                      ("wait", "--for", "", handle), ("log", "--since", "", handle), ("runopts", "")):
            with self.subTest(words):
                self.expect_failure(64, "usage", *words)
        self.assertEqual(list(self.rows("--all")), [handle])

    def test_empty_values_of_run_are_usage_errors(self):
        app = self.app("true")
        for words in (("--accept-ignored", ""), ("--accept-ignored=",), ("-s", "")):
            with self.subTest(words):
                error = self.expect_failure(64, "usage", "run", *words, app)
                self.assertIn("has an empty value", error["message"])
                self.expect_failure(64, "usage", "run", app, *words)
        self.assert_no_app()
        self.ok("run", "-c", "", "--cfg=", app)
        # An empty APP is not replaced by the configured component.
        self.write("slipway.toml", '[cli.run]\ncomponent = "utils.echo"\n')
        for words in (("run", ""), ("run", "-n", ""), ("dryrun", ""), ("run", "--", "")):
            with self.subTest(words):
                error = self.expect_failure(64, "usage", *words)
                self.assertIn("the argument APP has an empty value", error["message"])
        # Words of a component are not options of `run`.
        self.assertIn("--msg", self.ok("run", "-n", "--", "echo", "--msg=", "x").stdout)


class SchedulersWithoutAnswer(SlipwayCase):
    """Schedulers whose state directory is not a directory, so that they cannot list their apps."""

    def test_commands_do_not_succeed_if_no_app_is_known(self):
        self.env["XDG_STATE_HOME"] = "/dev/null"
        for command in ("cancel", "wait", "log"):
            with self.subTest(command):
                error = self.expect_failure(69, "unavailable", command, "--all")
                self.assertIn("could not be queried: cannot list the apps", error["message"])
                self.assertNotIn("no app is selected", self.expect(69, command, "--all").stderr)

    def test_the_newest_app_is_not_missing_but_unknown(self):
        self.env["XDG_STATE_HOME"] = "/dev/null"
        error = self.expect_failure(69, "unavailable", "status", "@last")
        self.assertTrue(error["message"].startswith("the newest app is not known"), error)

    def test_delete_and_prune_report_them_among_the_errors(self):
        self.env["XDG_STATE_HOME"] = "/dev/null"
        for status, key, *command in ((69, "deleted", "delete", "--all"),
                                      (75, "would_delete", "prune", "--before", "1s")):
            with self.subTest(command):
                document = self.expect(status, "--json", *command).json
                self.assertEqual(document[key], [])
                self.assertLessEqual({"local", "local_cwd", "local_dir"},
                                     {error["scheduler"] for error in document["errors"]})

    def test_apps_of_the_other_schedulers_are_selected(self):
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text('[scheduler.local_dir]\nstate_dir = "/dev/null"\n')
        running = self.detach(self.app("sleep 1000"))
        result = self.expect(69, "cancel", "--json", "--all")
        self.assertEqual([(app["handle"], app["state"]) for app in result.json], [(running, "CANCELLED")])
        self.assertIn("error: local_dir could not be queried: ", result.stderr)
        self.assertEqual(self.expect(69, "delete", "--json", "--all").json["deleted"], [running])


if __name__ == "__main__":
    unittest.main()
