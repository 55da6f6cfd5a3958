"""Global options, help, and messages about unknown commands and options."""

import os
import subprocess
import unittest

from app_text import role
from slipway_case import LIMIT_S, SLIPWAY, SlipwayCase

COMMANDS = ("run", "status", "wait", "cancel", "signal", "describe", "attach", "rerun", "delete", "prune", "log",
            "events", "list", "runopts", "completion", "plugin", "component", "resource", "lint", "config", "dryrun",
            "help")


class GlobalOptions(SlipwayCase):
    def test_numbers_of_any_size_switch_flags_on(self):
        number = "9" * 20
        self.ok("list", f"--all={number}")
        self.ok(f"--no-plugins={number}", "list")
        self.assertEqual(self.ok(f"--json={number}", "list").json, {"apps": [], "errors": []})
        self.write(".torchxconfig", f"[cli:run]\ndetach = {number}\n")
        self.ok("plugin", "doctor")
        handle = self.ok("run", self.app("true")).stdout.strip()
        self.ok("wait", handle)
        error = self.expect_failure(64, "usage", f"--verbose={number}", "list")
        self.assertIn(f"'{number}' is not true, false or a count", error["message"])

    def test_help_and_version_go_to_stdout(self):
        for arguments in (["--help"], ["-h"], ["--version"], ["-V"], ["run", "--help"], ["run", "-h"]):
            with self.subTest(arguments=arguments):
                result = self.ok(*arguments)
                self.assertNotEqual(result.stdout, "")
                self.assertEqual(result.stderr, "")
        self.assertRegex(self.ok("--version").stdout, r"^slipway \d+\.\d+\.\d+")

    def test_help_lists_every_command_and_every_command_has_help(self):
        text = self.ok("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"  {command} ", text)
            own = self.ok(command, "--help").stdout
            self.assertIn(f"slipway {command}", own)
            self.assertNotRegex(own, r"(TEXT|FLOAT):|INT|UINT|POSITIVE")  # CLI11's words for types

    def test_help_and_version_need_and_create_no_file(self):
        for arguments in (["--help"], ["--version"]):
            done = subprocess.run([SLIPWAY, *arguments], env={}, cwd="/", capture_output=True, check=True)
            self.assertNotEqual(done.stdout, b"")
            self.ok(*arguments)
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["config", "cwd"])

    def test_a_missing_command_is_a_usage_error(self):
        self.expect_failure(64, "usage")
        self.assertIn("slipway run app.toml", self.expect(64).stderr)

    def test_mistyped_commands_and_options_get_a_suggestion(self):
        for arguments, meant in ((["stauts", "x"], "status"), (["cancle", "x"], "cancel"), (["lsit"], "list"),
                                (["list", "--al"], "--all"), (["run", "--dryrn", "x"], "--dryrun"),
                                (["--jsno", "list"], "--json"), (["plugin", "lsit"], "list")):
            with self.subTest(arguments=arguments):
                error = self.expect_failure(64, "usage", *arguments)
                self.assertIn(meant, str(error["hint"]))
                self.assertIn(meant, self.run_slipway(*arguments).stderr)

    def test_a_negated_flag_gets_its_other_form_and_not_the_opposite(self):
        for arguments, meant in ((["run", "--no-detach", "app.toml"], "write --detach=false"),
                                 (["list", "--no-quiet"], "write --quiet=false"),
                                 (["run", "--no-logs", "app.toml"], "did you mean --no-log?")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.expect_failure(64, "usage", *arguments)["hint"], meant)
        self.ok("run", "--dryrun", "--detach=false", self.app("true"))

    def test_errors_are_json_with_every_spelling_of_the_flag(self):
        for value in ("true", "yes", "on", "1"):
            self.assertEqual(self.json_error(self.expect(66, f"--json={value}", "status", "x"))["code"], "not_found")
            self.assertEqual(self.json_error(self.expect(64, "list", f"--json={value}", "--al"))["code"], "usage")
        for value in ("false", "no", "0"):
            self.assertEqual(self.expect(66, "status", f"--json={value}", "x").stdout, "")

    def test_wrong_arguments_are_usage_errors(self):
        for arguments in (["run"], ["status"], ["status", "a", "b"], ["list", "a", "b"], ["run", "-s"],
                          ["--session"], ["cancel"], ["log"], ["describe"]):
            with self.subTest(arguments=arguments):
                self.expect_failure(64, "usage", *arguments)

    def test_numbers_below_one_are_refused_where_they_mean_nothing(self):
        for words in (("log", "--attempt", "0", "x"), ("list", "--limit", "-1"),
                      ("run", "--sweep", "--max-parallel", "0", "x.toml"), ("run", "--replicas", "0", "--", "true")):
            with self.subTest(words):
                self.assertIn("is not a number above 0", self.expect_failure(64, "usage", *words)["message"])

    def test_json_applies_to_usage_errors_at_any_position(self):
        for arguments in (["--json", "stauts"], ["stauts", "--json"], ["--json"], ["run", "--json"],
                          ["--json", "list", "--bad"]):
            with self.subTest(arguments=arguments):
                self.json_error(self.expect(64, *arguments))

    def test_global_options_may_precede_and_follow_the_command(self):
        handle = self.ok("--session", "one", "run", self.app("true")).stdout.strip()
        self.assertIn("://one/", handle)
        self.assertIn("://two/", self.ok("run", "--session", "two", self.app("true")).stdout)
        self.assertEqual(self.ok("--json", "status", handle).json, self.ok("status", handle, "--json").json)
        self.ok("plugin", "list", "--json", "--no-plugins", "-q")
        self.ok("--json", "plugin", "--no-plugins", "list")

    def test_quiet_keeps_errors_and_data(self):
        result = self.ok("-q", "run", "-d", self.app("true"))
        self.assertEqual((len(result.lines), result.stderr), (1, ""))
        self.assertNotEqual(self.expect(66, "status", "-q", "nobody").stderr, "")
        self.ok("wait", result.stdout.strip())

    def test_known_log_levels_are_accepted_and_others_are_usage_errors(self):
        for level in ("trace", "debug", "info", "warning", "error"):
            self.ok("--log-level", level, "list")
        self.expect_failure(64, "usage", "--log-level", "loud", "list")
        self.ok("-v", "list")
        self.ok("list", "-v", "-v")

    def on_terminal(self, *arguments, **env):
        """Returns the output of a command on a terminal."""
        master, slave = os.openpty()
        process = self.start(*arguments, env={**self.env, "TERM": "xterm", **env}, stdout=slave, stderr=slave)
        os.close(slave)
        out = b""
        try:
            while data := os.read(master, 65536):
                out += data
        except OSError:  # EIO: the command has closed the other end
            pass
        finally:
            os.close(master)
        process.wait(timeout=LIMIT_S)
        return out

    def test_colours_appear_only_on_terminals_and_can_be_switched_off(self):
        app = self.app(role("w", "echo x", num_replicas=2))
        self.assertIn(b"\x1b[", self.on_terminal("run", app))
        self.assertNotIn(b"\x1b[", self.on_terminal("run", "--no-color", app))
        self.assertNotIn(b"\x1b[", self.on_terminal("run", app, NO_COLOR="1"))
        self.assertNotIn(b"\x1b[", self.on_terminal("run", app, TERM="dumb"))
        result = self.ok("run", app, env={"TERM": "xterm"})
        self.assertNotIn(b"\x1b[", result.out + result.err)


if __name__ == "__main__":
    unittest.main()
