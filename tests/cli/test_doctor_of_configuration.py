"""`slipway plugin doctor` reports mistakes in configuration files, each with its place and a hint."""

import unittest

from slipway_case import SlipwayCase


class DoctorOfConfiguration(SlipwayCase):
    def problems(self, text, status=78, **options):
        """Returns the problems that the doctor reports in the project's configuration `text`."""
        self.file = self.write("slipway.toml", text)
        document = self.expect(status, "plugin", "doctor", "--json", **options).json
        for problem in document["problems"]:
            self.assertNotEqual(problem["hint"], "", problem)
        return [p for p in document["problems"] if p["file"] == str(self.file)]

    def assert_reported(self, text, line, column, severity, said, hint=""):
        """Checks that the doctor reports one problem: at this place, with the words `said` and `hint`."""
        with self.subTest(text=text):
            problems = self.problems(text, 78 if severity == "error" else 0)
            self.assertEqual([(p["line"], p["column"], p["severity"]) for p in problems], [(line, column, severity)])
            self.assertIn(said, f"{problems[0]['key']}: {problems[0]['message']}")
            self.assertIn(hint, problems[0]["hint"])

    def test_mistakes_of_syntax_keys_and_profiles_are_errors(self):
        self.assert_reported("[cli\n", 1, 5, "error", "")
        self.assert_reported("[sheduler.x]\n", 1, 2, "error", "sheduler: unknown key", "scheduler")
        self.assert_reported("[cli.run]\nschedulr = 'x'\n", 2, 1, "error", "cli.run.schedulr",
                             "did you mean scheduler?")
        self.assert_reported("[cli.rum]\nwait = true\n", 2, 1, "error", "there is no command 'rum'", "run")
        self.assert_reported("[cli.dryrun]\nscheduler = 'local'\n", 2, 1, "error",
                             "the command 'dryrun' has no section of its own", "[cli.run] also applies to it")
        self.assert_reported("[cli]\nprofile = 'nightly'\n", 2, 1, "error", "unknown profile 'nightly'",
                             "[profile.NAME]")
        self.assert_reported("[site.locked]\n", 1, 7, "error", "only the site's configuration",
                             "/etc/slipway/config.toml")

    def test_wrong_values_are_errors(self):
        self.assert_reported("[scheduler.local_dir]\ngrace_s = 'x'\n", 2, 1, "error", "scheduler.local_dir.grace_s")
        self.assert_reported("[cli.log]\ntail = 'many'\n", 2, 1, "error", "'many' is not a count")
        self.assert_reported("[cli.run]\nwait = 'yes'\n", 2, 1, "error", "expected true or false")
        self.assert_reported("[component.utils.echo]\nnum_replicas = 'x'\n", 2, 1, "error",
                             "expected an int, found 'x'")
        self.assert_reported("[component.utils.echo]\nmsg = ['a']\n", 2, 1, "error", "expected a str, found a list")

    def test_wrong_names_of_sessions_streams_and_states_are_errors(self):
        for text, key, said in (("[cli]\nsession = 'a/b'\n", "cli.session", "it contains a slash"),
                                ("[cli]\nsession = ''\n", "cli.session", "it is empty"),
                                ("[cli.log]\nstream = 'q'\n", "cli.log.stream", "'q' is not a stream"),
                                ("[cli.wait]\nfor = 'x'\n", "cli.wait.for", "'x' is not a state"),
                                ("[cli.list]\nstate = 'x'\n", "cli.list.state", "'x' is not a state"),
                                ("[profile.p.cli]\nsession = '.a'\n", "profile.p.cli.session", "'.a' cannot be")):
            self.assert_reported(text, 2, 1, "error", said)
            for as_site in ([], ["--as-site"]) if "profile" not in key else ([],):
                checked = self.expect(78, "config", "check", *as_site, self.file)
                self.assertIn(f"{self.file}:2:1: {key}: ", checked.stdout)
        self.file.unlink()
        reported = self.expect(78, "plugin", "doctor", env={"SLIPWAY_SESSION": "a/b"}).stdout
        self.assertIn("SLIPWAY_SESSION: cli.session: 'a/b' cannot be a session's name", reported)

    def test_unused_settings_are_warnings(self):
        self.assert_reported("[scheduler.local_cdw]\ngrace_s = 1\n", 2, 1, "warning", "'local_cdw'",
                             "did you mean local_cwd?")
        # A table has one warning, however many settings it has.
        self.assert_reported("[scheduler.elsewhere]\nx = 1\ny = 1\n", 2, 1, "warning", "'elsewhere'", "slipway runopts")
        self.assert_reported("[scheduler.local_cwd]\nlog_dri = 'x'\n", 2, 1, "warning", "scheduler.local_cwd.log_dri",
                             "log_dir")

        self.assert_reported("[component.utils.ecko]\nmsg = 'x'\n", 2, 1, "warning", "'utils.ecko'",
                             "did you mean utils.echo?")
        self.assert_reported("[component.utils.echo]\nmgs = 'x'\n", 2, 1, "warning", "no such parameter",
                             "did you mean msg?")

    def test_an_unknown_default_component_is_a_warning(self):
        self.assert_reported("[cli.run]\ncomponent = 'utils.ecko'\n", 2, 1, "warning",
                             "there is no component 'utils.ecko', a run without APP fails", "did you mean utils.echo?")
        for component in ("utils.echo", "gone.toml", "gone.toml:a", "dir/gone.py:train", "gone.py"):
            self.assertEqual(self.problems(f"[cli.run]\ncomponent = '{component}'\n", 0), [])

    def test_a_component_that_cannot_be_looked_up_is_not_reported_as_missing(self):
        (problem,) = self.problems("[component.my.module.train]\nx = 1\n", 0, env={"SLIPWAY_PYTHON": "/no/such/python"})
        self.assertEqual((problem["line"], problem["severity"]), (2, "warning"))
        self.assertIn("the component 'my.module.train' is not checked: ", problem["message"])
        self.assertIn("/no/such/python", problem["message"])

    def test_inactive_profiles_are_checked(self):
        self.assert_reported("[profile.a.scheduler.local_cwd]\ngrace_s = 1\n"
                             "[profile.b.scheduler.local_cwd]\ngrace_s = []\n",
                             4, 1, "error", "scheduler.local_cwd.grace_s")

    def test_problems_of_configuration_and_plugins_are_reported_together(self):
        broken = self.config / "slipway" / "plugins.d" / "broken.toml"
        broken.parent.mkdir(parents=True)
        broken.write_text("[[plugin]\n")
        self.write("slipway.toml",
                   "[cli.run]\nwait = 3\n[scheduler.local_cwd]\ngrace_s = 'x'\n[scheduler.non]\na = 1\n")
        result = self.expect(78, "plugin", "doctor")
        for place in (f"{broken}:1:", f"{self.cwd}/slipway.toml:2:1:", f"{self.cwd}/slipway.toml:4:1:",
                      f"{self.cwd}/slipway.toml:6:1: warning:"):
            self.assertIn(place, result.stdout)
        self.assertIn("errors: 3, warnings: 1", result.stderr)

    def test_an_untrusted_file_is_a_warning_whose_hint_is_a_chmod(self):
        path = self.write("slipway.toml", "")
        path.chmod(0o666)
        (problem,) = [p for p in self.ok("plugin", "doctor", "--json").json["problems"] if p["file"] == str(path)]
        self.assertEqual(problem["severity"], "warning")
        self.assertIn("chmod", problem["hint"])

    def test_nothing_is_reported_about_correct_files(self):
        # A .torchxconfig may have sections of schedulers that only TorchX has.
        self.write(".torchxconfig", "[kubernetes]\nqueue = default\n[local_cwd]\nlog_dir = /x\n")
        self.assertEqual(self.problems("[scheduler.local_cwd]\ngrace_s = 1\n[cli.run]\nwait = true\n", 0), [])
        result = self.ok("plugin", "doctor")
        self.assertEqual((result.stdout, "errors: 0" in result.stderr), ("", True), result)


if __name__ == "__main__":
    unittest.main()
