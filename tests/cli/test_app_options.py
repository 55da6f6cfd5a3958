"""Run options in the app file: [options.SCHEDULER]."""

import tomllib
import unittest

from site_case import SiteCase
from slipway_case import SlipwayCase

APP = """name = "x"

[options.local_cwd]
grace_s = 3
retry_on = ["3", "oom"]

[options."*"]
fail_fast = true
grace_s = 9

[options.slurm]
partition = "main"

[[roles]]
name = "w"
entrypoint = "true"
"""


class AppOptions(SlipwayCase):
    def dry_run(self, *arguments, env=None):
        """Returns the JSON document of a dry run."""
        return self.ok("--json", "run", "-n", *arguments, env=env).json

    def test_options_apply_to_their_scheduler_and_are_shown_with_their_place(self):
        app = self.write("x.toml", APP).name
        made = self.dry_run(app)
        self.assertEqual([made["cfg"][name] for name in ("grace_s", "retry_on", "fail_fast")],
                         [3.0, ["3", "oom"], True])
        self.assertEqual(made["cfg_origins"], {"grace_s": "x.toml:4:1", "retry_on": "x.toml:5:1",
                                               "fail_fast": "x.toml:8:1"})
        self.assertRegex(self.ok("run", "-n", app).stderr, r"slipway: options: .*grace_s=3\.0 \(x\.toml:4:1\)")
        self.assertEqual(self.dry_run("-s", "local_dir", self.write("d.toml", APP.replace(
            'name = "w"', 'name = "w"\nimage = "."')))["cfg"]["grace_s"], 9.0)

    def test_only_settings_that_the_command_line_or_the_environment_names_override_the_app_file(self):
        app = self.write("x.toml", APP)
        self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 1\nbackoff = { initial = \"7\" }\n"
                                   "[profile.p.scheduler.local_cwd]\ngrace_s = 2\n")
        named = self.write("named.toml", "[scheduler.local_cwd]\ngrace_s = 5\n")
        made = self.dry_run(app)
        self.assertEqual((made["cfg"]["grace_s"], made["cfg"]["backoff"]), (3.0, {"initial": "7"}))
        for wanted, arguments, env in ((6.0, ["-c", "grace_s=6"], {}), (7.0, [], {"SLIPWAY_CFG": "grace_s=7"}),
                                       (5.0, ["--config", named], {}), (5.0, [], {"SLIPWAY_CONFIG": str(named)}),
                                       (2.0, ["--profile", "p"], {})):
            with self.subTest(arguments=arguments, env=env):
                self.assertEqual(self.dry_run(*arguments, app, env=env)["cfg"]["grace_s"], wanted)

    def test_an_option_for_one_entry_of_a_table_keeps_the_other_entries(self):
        app = self.write("x.toml", 'name = "x"\n[[roles]]\nname = "w"\nentrypoint = "true"\n')
        self.write("slipway.toml", '[scheduler.local_cwd]\nbackoff = { initial = "7", max = "9" }\n')
        for words, wanted in ((["backoff.max=8"], {"initial": "7", "max": "8"}),
                              (["backoff.max=8", "backoff.jitter=0"], {"initial": "7", "max": "8", "jitter": "0"}),
                              (["backoff=max:8", "backoff.jitter=0"], {"max": "8", "jitter": "0"}),
                              (["backoff.jitter=0", "backoff=max:8"], {"max": "8"})):
            with self.subTest(words=words):
                options = [word for each in words for word in ("-c", each)]
                self.assertEqual(self.dry_run(*options, app)["cfg"]["backoff"], wanted)
        made = self.dry_run(app, env={"SLIPWAY_CFG": "backoff.max=8"})
        self.assertEqual(made["cfg"]["backoff"], {"initial": "7", "max": "8"})

    def test_describe_prints_the_options_and_a_rerun_uses_them(self):
        handle = self.ok("run", self.write("x.toml", APP)).stdout.strip()
        described = tomllib.loads(self.ok("describe", handle).stdout)
        self.assertEqual(described["options"], tomllib.loads(APP)["options"])
        self.assertNotIn("metadata", described)
        self.assertEqual(self.ok("--json", "rerun", "-n", handle).json["cfg"]["grace_s"], 3.0)
        self.assertEqual(self.dry_run(self.write("again.json", self.ok("describe", "--json", handle).stdout))
                         ["cfg"]["grace_s"], 3.0)

    def test_mistakes_have_their_place_and_a_suggestion(self):
        for line, message in (("grace_s = \"3\"", "x.toml:4:1: options.local_cwd.grace_s: expected a number"),
                              ("grace = 3", "x.toml:4:1: options.local_cwd.grace: the scheduler has no such run"),
                              ("grce_s = 3", "did you mean grace_s?"),
                              # A setting of configuration files, but no run option.
                              ("state_dir = \"/tmp\"", "the scheduler has no such run option"),
                              ("log_dir = \"$NO_SUCH_VARIABLE/x\"",
                               "x.toml:4:1: options.local_cwd.log_dir: the environment has no variable "
                               "'NO_SUCH_VARIABLE'")):
            with self.subTest(line):
                app = self.write("x.toml", APP.replace("grace_s = 3", line))
                self.assertIn(message, self.expect(65, "run", app).stderr)
                self.assertIn(message.split(": ")[-1], self.expect(65, "lint", "-s", "local_cwd", app).stdout)
                depends_on_the_machine = "VARIABLE" in line
                for schedulers in ((), ("-s", "slurm")):
                    found = self.expect(0 if depends_on_the_machine else 65, "lint", *schedulers, app).stdout
                    self.assertEqual("options.local_cwd." in found, not depends_on_the_machine, found)
        misspelt = self.write("x.toml", APP.replace("options.local_cwd", "options.local_cdw"))
        self.assertIn("there is no scheduler 'local_cdw', did you mean local_cwd?", self.ok("run", misspelt).stderr)
        self.assertIn("x.toml:4:1: warning: options.local_cdw.grace_s: there is no scheduler 'local_cdw', did you mean "
                      "local_cwd? [ignored-by-scheduler]\n", self.ok("lint", misspelt).stdout)
        # A name that resembles no known name is probably a scheduler of another machine.
        self.assertEqual(self.ok("lint", self.write("x.toml", APP.replace("local_cwd", "elsewhere"))).stdout, "")
        self.assertIn("options.local_cwd: expected a table",
                      self.expect(65, "run", self.write("x.toml", "name = \"x\"\noptions = { local_cwd = 3 }\n"
                                                        "[[roles]]\nname = \"w\"\nentrypoint = \"true\"\n")).stderr)


class SiteRules(SiteCase):
    """The rules of a site hold for run options in app files, and for the keys of roles with the same names."""

    def test_locks_and_limits_hold_for_app_files(self):
        self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 5\n"
                  "[site.maximum.scheduler.local_cwd]\ntimeout_s = 60\n[scheduler.local_cwd]\ntimeout_s = 30\n")
        head = "name = \"x\"\n"
        role = "[[roles]]\nname = \"w\"\nentrypoint = \"true\"\n"
        for text, status in ((head + role, 0),
                             (head + "[options.local_cwd]\ngrace_s = 5\ntimeout_s = 60\n" + role, 0),
                             (head + "[options.local_cwd]\ngrace_s = 6\n" + role, 78),
                             (head + "[options.local_cwd]\ntimeout_s = 61\n" + role, 78),
                             (head + role + "timeout_s = 60\ngrace_s = 5\n", 0),
                             (head + role + "timeout_s = 61\n", 78), (head + role + "grace_s = 6\n", 78)):
            with self.subTest(text):
                result = self.expect(status, "run", self.write("x.toml", text))
                if status:
                    self.assertIn("/etc/slipway/config.toml", result.stderr)

    def test_limits_hold_where_the_option_has_another_type_than_the_key_of_a_role(self):
        # The run option grace_s of Docker is an integer; the key of a role may have a fraction.
        self.site("[site.maximum.scheduler.local_docker]\ngrace_s = 60\n")
        for grace, status in (("60", 0), ("59.5", 0), ("60.5", 78), ("600", 78)):
            with self.subTest(grace):
                app = self.write("x.toml", "name = \"x\"\n[[roles]]\nname = \"w\"\nimage = \"i\"\n"
                                           f"entrypoint = \"true\"\ngrace_s = {grace}\n")
                result = self.expect(status, "run", "--dryrun", "-s", "local_docker", app)
                self.assertEqual("role w: " in result.stderr, status != 0, result)


if __name__ == "__main__":
    unittest.main()
