"""`slipway lint`: lines with place and rule, JSON, exit statuses, findings of schedulers."""

import fcntl
import os
import re
import struct
import termios
import unittest
from pathlib import Path

from app_text import app_json, app_toml, role
from slipway_case import SlipwayCase

# Such as `app.toml:3:1: error: roles[0].image: expected a string [wrong-type]`.
LINE = re.compile(r"(?P<file>[^:]+)(:\d+:\d+)?: (error|warning): .* \[(?P<rule>[a-z-]+)\]")
ROW_KEYS = {"file", "line", "column", "severity", "rule", "key", "message", "hint"}
DOCUMENT = Path(__file__).parents[2] / "core" / "docs" / "lint.md"


class Lint(SlipwayCase):
    def lint(self, status, *arguments, **options):
        """Returns the findings of lint as JSON, and checks that its lines are the same."""
        rows = self.expect(status, "lint", "--json", *arguments, **options).json
        lines = self.expect(status, "lint", *arguments, **options).lines
        self.assertEqual(len(lines), len(rows))
        for line, row in zip(lines, rows):
            self.assertEqual(set(row), ROW_KEYS)
            self.assertRegex(line, LINE)
            place = f"{row['file']}:{row['line']}:{row['column']}" if row["line"] else row["file"]
            self.assertTrue(line.startswith(f"{place}: {row['severity']}: "), line)
            self.assertTrue(line.endswith(f" [{row['rule']}]"), line)
            self.assertIn(row["message"], line)
        return rows

    def rules(self, status, *arguments, **options):
        """Returns the rules of the findings."""
        return [row["rule"] for row in self.lint(status, *arguments, **options)]

    def test_prints_nothing_about_a_correct_file(self):
        self.assertEqual(self.rules(0, self.app("true")), [])
        self.assertEqual(self.ok("lint", self.app("true")).stdout, "")
        self.assertFalse(self.state.exists())

    def test_reports_all_findings_in_the_order_of_the_file(self):
        self.write("app.toml",
                   'name = "my app"\n\n[[roles]]\nname = "w"\nimage = "./none"\nentrypoint = "python3 x.py"\n'
                   'args = ["${replca_id}", 3]\nnum_replica = 2\nenv = { HF_TOKEN = "hush", P = "$PATH" }\n'
                   'retry_policy = "ROLE"\nresource = "gpu.smal"\n')
        rows = self.lint(65, "app.toml")
        self.assertEqual([(row["line"], row["rule"]) for row in rows],
                         [(1, "unportable-name"), (5, "missing-image"), (6, "entrypoint-is-a-line"),
                          (7, "unknown-macro"),
                          (7, "wrong-type"), (8, "unknown-key"), (9, "plain-secret"), (9, "unexpanded-variable"),
                          (10, "retries-without-effect"), (11, "unknown-resource")])
        self.assertEqual((rows[3]["column"], rows[3]["key"], rows[3]["hint"]),
                         (9, "roles[0].args[0]", "did you mean ${replica_id}?"))
        result = self.run_slipway("lint", "app.toml")
        self.assertNotIn("hush", result.stdout + result.stderr)

    def test_more_replicas_than_can_be_started_are_a_mistake_in_every_command(self):
        app = self.app(role("w", "true", num_replicas=2147483647))
        for command in (["lint"], ["lint", "-s", "local_cwd"], ["run", "-n"], ["run"]):
            with self.subTest(command=command):
                result = self.expect(65, *command, app)
                self.assertIn("expected at most 1000000, found 2147483647", result.stdout + result.stderr)
                self.assertRegex(result.stdout + result.stderr,
                                 r"app\.toml:\d+:\d+: (error: )?roles\[0\]\.num_replicas")
        roles = [role(f"r{n}", "true", num_replicas=600000) for n in range(2)]
        error = self.expect_failure(65, None, "run", "-n", self.app(*roles))
        self.assertIn("1200000 replicas", error["message"])
        self.assert_no_app()

    def test_warnings_alone_succeed_unless_strict(self):
        app = self.app(role("w", "true", retry_policy="ROLE"))
        self.assertEqual(self.rules(0, app), ["retries-without-effect"])
        self.assertEqual(self.rules(65, "--strict", app), ["retries-without-effect"])
        self.assertEqual(self.rules(0, "--strict", "--allow", "retries-without-effect", app), [])
        self.expect_failure(64, "usage", "lint", "--allow", "no-such-rule", app)
        self.expect_failure(64, "usage", "lint", "--allow", "unknown-key", app)  # a rule about errors

    def test_quiet_does_not_hide_errors(self):
        app = self.write("app.toml", "name = ")
        result = self.expect(65, "-q", "lint", app)
        self.assertIn("[syntax]", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_reads_all_files_of_the_command_line(self):
        good = self.app("true", file="good.toml")
        bad = self.write("bad.json", "[")
        rows = self.lint(65, bad, "none.toml", good)
        self.assertEqual([(Path(row["file"]).name, row["rule"]) for row in rows],
                         [("bad.json", "syntax"), ("none.toml", "unreadable-file")])

    def test_a_file_that_cannot_be_read_has_no_line(self):
        (self.cwd / "dir.toml").mkdir()
        (row,) = self.lint(66, "none.toml")
        self.assertEqual((row["file"], row["line"], row["rule"]), ("none.toml", 0, "unreadable-file"))
        self.assertEqual(self.rules(65, "dir.toml"), ["unreadable-file"])
        self.assertEqual(self.rules(65, self.write("app.yaml", "")), ["unreadable-file"])
        if os.geteuid() != 0:
            self.app("true").chmod(0)
            self.assertEqual(self.rules(77, "app.toml"), ["unreadable-file"])

    def test_reads_json_from_standard_input(self):
        (row,) = self.lint(0, "-", stdin=app_json("a", role("w", "true", retry_policy="ROLE")).encode())
        self.assertEqual(row["file"], "stdin")

    def test_waits_for_standard_input_that_is_a_non_blocking_pipe(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        os.set_blocking(reading, False)
        process = self.start("lint", "-", stdin=reading)
        text = app_json("a", role("w", "true")).encode()
        os.write(writing, text[:1])

        def has_read_and_sleeps():
            (unread,) = struct.unpack("i", fcntl.ioctl(reading, termios.FIONREAD, bytes(4)))
            state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
            return unread == 0 and state in "SZ"

        self.eventually(has_read_and_sleeps, "the command waits for the rest, or has ended")
        os.write(writing, text[1:])
        os.close(writing)
        result = self.finish(process)
        self.assertEqual(result.status, 0, result)

    def test_no_file_on_the_command_line_is_a_usage_error(self):
        self.expect_failure(64, "usage", "lint")

    def test_a_file_name_cannot_break_a_line(self):
        self.write("a\nb.toml", "")
        self.assertEqual(len(self.expect(65, "lint", "a\nb.toml").lines), 1)

    def test_ignored_fields_are_reported_at_their_place(self):
        app = self.write("app.toml",
                         app_toml("a", role("w", "true"), role("v", "true", deployment_preference="spread")))
        lines = app.read_text().splitlines()
        self.assertEqual(self.rules(0, app), [])
        (row,) = self.lint(0, "-s", "local_cwd", app)
        self.assertEqual((row["rule"], row["key"], row["severity"]),
                         ("ignored-by-scheduler", "roles[1].deployment_preference", "warning"))
        self.assertIn("deployment_preference", lines[row["line"] - 1])
        self.assertFalse(self.state.exists())

    def test_refused_apps_are_reported(self):
        app = self.app(role("w", "true", image="no-such-image"))
        self.assertEqual(self.rules(0, "-s", "local_cwd", app), ["ignored-by-scheduler"])
        rows = self.lint(65, "-s", "local_dir", app)
        self.assertEqual([row["rule"] for row in rows], ["refused-by-scheduler"])
        self.assertIn("local_dir", rows[0]["message"])
        self.assertIn("no-such-image", rows[0]["message"])

    def test_file_with_errors_is_not_checked_by_schedulers(self):
        app = self.write("app.toml", app_toml("a", role("w", "true", deployment_preference="spread", nothing=1)))
        self.assertEqual(self.rules(65, "-s", "local_cwd", app), ["unknown-key"])

    def test_unknown_schedulers_and_options_fail_before_files_are_read(self):
        self.expect_failure(66, "not_found", "lint", "-s", "nowhere", "none.toml")
        self.expect_failure(65, "invalid", "lint", "-s", "local_cwd", "-c", "cache_size=x", "none.toml")

    def test_the_app_of_a_component_is_checked_like_an_app(self):
        path = self.write("c.toml", """[component.train]
help = "Trains."
[component.train.params.script]
help = "what to run"
[component.train.params.replicas]
help = "how many"
type = "int"
[component.train.app]
name = "train"
[[component.train.app.roles]]
name = "w"
entrypoint = "{{script}}"
image = "/no/such/{{script}}"
resource = "gpu.smal"
args = ["${replca_id}", "--script={{script}}"]
env = { API_TOKEN = "abc" }
num_replicas = "{{replicas}}"
min_replicas = 2
imgae = "x"
""")
        # Whether image exists, and whether min_replicas is too large, depends on parameters: lint reports neither.
        rows = self.lint(65, path)
        self.assertEqual([(r["line"], r["rule"]) for r in rows],
                         [(14, "unknown-resource"), (15, "unknown-macro"), (16, "plain-secret"), (19, "unknown-key")])
        self.assertEqual(rows[0]["key"], "component.train.app.roles[0].resource")

    def test_checks_the_components_of_a_file(self):
        self.write("c.toml", '[component.one]\nparams.x = { help = "it" }\n'
                   'app = { name = "a", roles = [{ name = "r", entrypoint = "{{x}}", args = ["{{y}}"] }] }\n'
                   '[component.two]\nhelp = "runs"\nparams.x = { type = "int", default = 1 }\n'
                   'app = { name = "a", roles = [{ name = "r", entrypoint = "e" }] }\n')
        one, two = ["undocumented-component", "invalid-template"], ["undocumented-parameter", "unused-parameter"]
        self.assertEqual(self.rules(65, "c.toml"), one + two)
        self.assertEqual(self.rules(65, "c.toml:one"), one)
        self.assertEqual(self.rules(0, "-s", "local_cwd", "c.toml:two"), two)
        (row,) = self.lint(65, "c.toml:tow")
        self.assertEqual((row["rule"], row["hint"]), ("unknown-component", "did you mean two?"))
        self.assertEqual(self.rules(65, f"{self.app('true').name}:one"), ["unknown-component"])

    def test_the_documentation_has_the_names_and_severities_of_all_rules(self):
        rules = {rule["name"]: rule["severity"] for rule in self.ok("lint", "--rules", "--json").json}
        document = DOCUMENT.read_text()
        sections = re.findall(r"^## ([a-z-]+)\n\n(Error|Warning): ", document, re.MULTILINE)
        self.assertEqual(len(re.findall("^## ", document, re.MULTILINE)), len(sections))
        self.assertEqual({name: severity.lower() for name, severity in sections}, rules)
        table = self.ok("lint", "--rules").lines[1:]
        self.assertEqual([line.split()[0] for line in table], list(rules))

    def test_lints_a_thousand_roles(self):
        roles = [role(f"r{i}", "true", env={f"K{k}": "v" for k in range(20)}) for i in range(1000)]
        roles[-1].update(entrypoint="true", args=["${replca_id}"])
        self.assertEqual(self.rules(0, self.write("app.toml", app_toml("a", *roles))), ["unknown-macro"])


if __name__ == "__main__":
    unittest.main()
