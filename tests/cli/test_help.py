"""`slipway help`: commands, and topics whose text is that of the documentation."""

import re
import unittest
from pathlib import Path

from slipway_case import SlipwayCase

CORE = Path(__file__).parents[2] / "core"
PAGES = CORE / "docs"


def topics():
    """Returns the fields of each topic: name, summary, page, headings."""
    lines = (CORE / "cli" / "help" / "topics.txt").read_text().splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


class Help(SlipwayCase):
    def test_lists_commands_and_topics(self):
        text = self.ok("help").stdout
        self.assertEqual(self.ok("--help").stdout, text)
        for name, summary, *_ in topics():
            self.assertRegex(text, rf"\n  {name} +{summary}\n")
        for name in ("app-file", "handles", "exit-status", "run-options", "logs", "configuration", "environment",
                     "retries", "macros"):
            self.assertIn(f"\n  {name} ", text)
        self.assertIn("\n  help ", text)

    def test_each_topic_prints_a_text_that_fits_a_terminal(self):
        for name, _, page, *headings in topics():
            with self.subTest(name):
                lines = self.ok("help", name).lines
                self.assertIn(len(lines), range(10, 65), name)
                self.assertEqual(lines[0], headings[0])
                self.assertEqual(lines[-1], f"From core/docs/{page}; `slipway help` lists all topics.")
                self.assertLessEqual(set(headings), set(lines))
                prose = [line for line in lines if not line.startswith("    ")]
                self.assertEqual([line for line in prose if len(line) > 80 or line.endswith(" ")], [])
                for markup in ("](", "<!--", "|--", "**"):
                    self.assertNotIn(markup, "\n".join(prose))

    def test_exit_statuses_are_those_of_the_page(self):
        section = (PAGES / "cli.md").read_text().split("\n## Exit statuses\n")[1].split("\n## ")[0]
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in section.splitlines() if line.startswith("| ")]
        self.assertGreater(len(rows), 14)
        shown = self.ok("help", "exit-status").stdout
        self.assertIn("code IN JSON", shown)
        for cells in rows[1:]:
            status = cells[0].strip().split(" ")[0]
            self.assertIn(f"\n{status} ", shown)
            for cell in cells:
                words = cell.replace("`", "").split()
                self.assertLessEqual(set(words), set(shown.replace("`", "").split()), cells)

    def test_unknown_names_suggest_near_ones(self):
        for name, hint in (("handels", "did you mean handles?"), ("exit-statuses", "did you mean exit-status?"),
                           ("stats", "did you mean status?"), ("retires", "did you mean retries?"),
                           ("retry", "did you mean retries?"), ("selector", "did you mean selectors?"),
                           ("env", "did you mean environment?"), ("exit", "did you mean exit-status?"),
                           ("quite-different", "`slipway help` lists them")):
            with self.subTest(name):
                error = self.expect_failure(64, "usage", "help", name)
                self.assertEqual((error["message"], error["hint"]), (f"there is no command or topic '{name}'", hint))
        error = self.expect_failure(64, "usage", "macros")
        self.assertEqual(error["hint"], "`slipway help macros` explains it")

    def test_help_of_a_command_equals_its_help_option(self):
        for words in (["log"], ["plugin", "list"], ["run", "utils.echo"], ["config"]):
            with self.subTest(words):
                self.assertEqual(self.ok("help", *words).stdout, self.ok(*words, "--help").stdout)
        for words in (["log"], ["plugin", "list"], ["run", "utils.echo"]):
            expected = self.ok(*words, "--help").stdout
            self.assertEqual(self.ok("-q", "help", *words).stdout, expected)
            self.assertEqual(self.ok("help", "-q", *words).stdout, expected)
            self.assertEqual(self.ok("--log_level", "debug", "help", *words).stdout, expected)

    def test_json_has_name_and_text(self):
        text = self.ok("help", "handles").stdout
        self.assertEqual(self.ok("--json", "help", "handles").json, {"name": "handles", "text": text})
        self.assertEqual(self.ok("help", "handles", "--json").json["name"], "handles")
        self.assertEqual(self.ok("--json", "help").json, {"name": None, "text": self.ok("help").stdout})
        text = self.ok("help", "log").stdout
        for words in (("--json", "help", "log"), ("help", "--json", "log"), ("help", "log", "--json")):
            self.assertEqual(self.ok(*words).json, {"name": "log", "text": text})
        text = self.ok("help", "plugin", "list").stdout
        self.assertEqual(self.ok("--json", "help", "plugin", "list").json, {"name": "plugin list", "text": text})

    def test_help_runs_no_program(self):
        for words in (("help", "run", "--", "touch", "made"), ("--json", "help", "run", "--", "touch", "made")):
            self.assertIn("Run an app", self.ok(*words).stdout)
        self.assert_no_app()

    def test_json_explains_components(self):
        text = self.ok("help", "run", "utils.echo").stdout
        self.assertIn("usage: slipway run utils.echo ", text)
        for words in (("--json", "help", "run", "utils.echo"), ("help", "run", "utils.echo", "--json"),
                      ("help", "-q", "--json", "dryrun", "utils.echo")):
            self.assertEqual(self.ok(*words).json, {"name": "run utils.echo", "text": text})
        self.expect_failure(66, "not_found", "help", "run", "utils.ecko")

    def test_broken_configuration_does_not_matter(self):
        self.write("slipway.toml", "a = [")
        self.assertIn("Handles\n", self.ok("help", "handles").stdout)
        self.assertEqual(self.ok("help", "handles").stderr, "")

    def test_completion_offers_commands_and_topics(self):
        def offered(*words):
            return [line.split("\t")[0] for line in self.ok("__complete", "words", *words).lines]
        self.assertEqual(offered("help", "re"), ["readiness", "replica", "rerun", "resource", "resources", "retries"])
        self.assertEqual(offered("help", "plugin", "do"), ["doctor"])
        self.assertEqual(offered("help", "handles", "s"), [])
        self.assertEqual(offered("hel"), ["help"])


if __name__ == "__main__":
    unittest.main()
