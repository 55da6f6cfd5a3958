"""`slipway run -- PROGRAM ARG…`: runs a program without an app file."""

import json
import unittest

from slipway_case import SlipwayCase


class RunProgram(SlipwayCase):
    def roles_of(self, *arguments):
        """Returns the roles that a dry run shows."""
        return self.ok("run", "-n", "--json", *arguments).json["app"]["roles"]

    def test_runs_the_program_and_returns_its_exit_status(self):
        result = self.expect(5, "run", "--", "sh", "-c", "echo hello; exit 5")
        self.assertIn("sh/0 hello\n", result.stderr)
        self.assertRegex(result.stdout, "^local_cwd://slipway/sh-[a-z0-9]+\n$")

    def test_words_reach_the_program_unchanged(self):
        words = ["a b", "", "$HOME", "${app_id}", "$$", "--json", "-n", "--", "'", "\n", "é"]
        script = "import sys, json; print(json.dumps(sys.argv[1:]))"
        result = self.ok("run", "--", "python3", "-c", script, *words)
        (line,) = [line for line in result.stderr.splitlines() if line.startswith("python3/0 ")]
        self.assertEqual(json.loads(line.removeprefix("python3/0 ")), words)

    def test_texts_that_are_not_utf_8_are_refused(self):
        """The app's record is JSON, which cannot contain such texts."""
        for words, key in (((b"--", b"/bin/echo", b"x\xffy"), "roles[0].args[0]"),
                           ((b"--", b"./\xff"), "roles[0].entrypoint"),
                           ((b"--env", b"A=\xff", b"--", b"true"), "roles[0].env.A"),
                           ((b"--label", b"a=\xff", b"--", b"true"), "metadata"),
                           ((b"utils.echo", b"--msg", b"\xff"), "roles[0].args[0]")):
            with self.subTest(words=words):
                result = self.expect(65, "run", *words)
                self.assertIn("\\xff", result.stderr)
                self.assertIn("is not UTF-8", result.stderr)
                self.assertIn(key, result.stderr)
        self.assert_no_app()

    def test_starts_as_many_replicas_as_asked(self):
        result = self.ok("run", "--replicas", "3", "--", "sh", "-c", "echo $SLIPWAY_REPLICA_ID")
        self.assertEqual(sorted(result.stderr.splitlines()), ["sh/0 0", "sh/1 1", "sh/2 2"])

    def test_role_has_the_program_s_name_where_that_can_be_one(self):
        for program, name in (("./train.sh", "train.sh"), ("/opt/my tool", "my-tool"), (".hidden", "command.hidden"),
                              ("python3.11", "python3.11")):
            with self.subTest(program=program):
                (role,) = self.roles_of("--", program, "x")
                self.assertEqual((role["name"], role["entrypoint"], role["args"]), (name, program, ["x"]))

    def test_a_component_wins_over_a_program_of_the_same_name(self):
        (role,) = self.roles_of("--", "utils.echo", "--msg", "hi")
        self.assertEqual(role["entrypoint"], "echo")

    def test_an_app_file_may_follow_the_separator(self):
        self.app("true")
        (role,) = self.roles_of("--", "app.toml")
        self.assertEqual(role["name"], "w")

    def test_a_missing_program_is_named(self):
        result = self.expect(127, "run", "--", "nosuchprogram", "x")
        self.assertIn("nosuchprogram", result.stderr)

    def test_a_command_line_in_quotes_is_no_program(self):
        result = self.expect(127, "run", "--", "echo hi")
        self.assertIn("or write `slipway run -- echo hi`", result.stderr)
        self.assertNotIn("slipway run --", self.expect(127, "run", "--", "no such", "x").stderr)

    def test_without_the_separator_a_word_is_a_component(self):
        result = self.expect(66, "run", "sh", "-c", "true")
        self.assertIn("there is no component 'sh'", result.stderr)
        self.assertIn("slipway run -- PROGRAM", result.stderr)

    def test_option_replicas_needs_a_program_and_a_positive_number(self):
        self.expect(64, "run", "--replicas", "2", self.app("true"))
        for number in ("0", "-1", "x", "1.5"):
            with self.subTest(number=number):
                self.expect(64, "run", "--replicas", number, "--", "true")


if __name__ == "__main__":
    unittest.main()
