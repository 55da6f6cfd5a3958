"""`config show|explain|path|init`, and messages about mistakes in the configuration."""

import os
import platform
import re
import sys
import tomllib
import unittest
from pathlib import Path

from refused_calls import MACHINES
from slipway_case import SlipwayCase


class Config(SlipwayCase):
    def project(self, text):
        """Writes the project's configuration. Returns its path."""
        return self.write("slipway.toml", text)

    def user(self, text):
        """Writes the user's configuration. Returns its path."""
        path = self.config / "slipway" / "config.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def explain(self, key, *arguments, **options):
        """Returns the JSON document of `config explain`."""
        return self.ok(*arguments, "config", "explain", key, "--json", **options).json

    # show ------------------------------------------------------------------------------------------------------------

    def test_show_is_toml_with_origins_as_comments(self):
        self.user("[cli]\nsession = 'mine'\n[scheduler.local_cwd]\ngrace_s = 3\nlog_dir = '/u'\n")
        path = self.project("[cli.run]\nwait = true\n[scheduler.local_cwd]\ngrace_s = 4.5\n[component.utils.echo]\n"
                            "msg = 'x'\n")
        result = self.ok("config", "show")
        self.assertEqual(tomllib.loads(result.stdout),
                         {"cli": {"session": "mine", "run": {"wait": True}},
                          "scheduler": {"local_cwd": {"grace_s": 4.5, "log_dir": "/u"}},
                          "component": {"utils.echo": {"msg": "x"}}})
        self.assertIn(f"grace_s = 4.5  # project: {path}:4:1\n", result.stdout)

    def test_show_json_has_key_value_origin_and_place(self):
        path = self.project("[cli.run]\nwait = true\n")
        document = self.ok("--json", "config", "show").json
        self.assertEqual(document["profile"], None)
        self.assertEqual(document["settings"],
                         [{"key": "cli.run.wait", "value": True, "origin": "project", "where": f"{path}:2:1",
                           "file": str(path), "line": 2, "column": 1, "profile": None, "locked": False}])

    def test_show_all_adds_the_built_in_defaults(self):
        shown = tomllib.loads(self.ok("config", "show", "--all").stdout)
        self.assertEqual(shown["cli"]["run"]["scheduler"], "local_cwd")
        self.assertEqual(shown["cli"]["session"], "slipway")
        self.assertEqual(shown["cli"]["plugin-timeout"], 5)
        self.assertEqual(shown["scheduler"]["local_cwd"]["keep_days"], 30)
        self.assertEqual(self.ok("config", "show").stdout, "")

    def test_values_with_secret_names_are_redacted(self):
        self.project("[component.c]\napi_token = 's3cret'\n")
        for arguments in (["show"], ["show", "--json"], ["explain", "component.c.api_token"]):
            self.assertNotIn("s3cret", self.ok("config", *arguments).stdout)
            self.assertIn("s3cret", self.ok("--show-secrets", "config", *arguments).stdout)

    def test_secrets_in_the_configuration_of_plugins_are_redacted(self):
        self.user('[plugins."org.slipway.slurm".config]\ntoken = "s3cret"\nauth.password = "s3cret"\n'
                  'url = "https://ada:s3cret@host"\nhosts = [{ name = "h", api_key = "s3cret" }]\n')
        key = "plugins.org.slipway.slurm.config"
        for arguments in (["config", "show"], ["config", "explain", key], ["config", "explain", f"{key}.token"],
                          ["config", "explain", f"{key}.auth.password"], ["plugin", "show", "slurm"]):
            for form in ([], ["--json"]):
                with self.subTest(arguments=arguments, form=form):
                    shown = self.ok(*arguments, *form).stdout
                    self.assertNotIn("s3cret", shown)
                    self.assertIn("<redacted>", shown)
                    self.assertIn("s3cret", self.ok("--show-secrets", *arguments, *form).stdout)
        self.assertIn('hosts = [{ name = "h", api_key = "<redacted>" }]', self.ok("config", "show").stdout)

    def test_secrets_among_run_options_of_a_variable_are_redacted(self):
        for text in ("grace_s=1,api_token=s3cret", "grace_s=1;api_token=s3cret"):
            env = {"SLIPWAY_CFG": text}
            for arguments in (["show"], ["show", "--json"], ["explain", "cfg"]):
                self.assertNotIn("s3cret", self.ok("config", *arguments, env=env).stdout)
                self.assertIn("s3cret", self.ok("--show-secrets", "config", *arguments, env=env).stdout)
        self.assertIn("grace_s=1", self.ok("config", "show", env={"SLIPWAY_CFG": "grace_s=1"}).stdout)

    def test_secrets_in_tables_are_redacted(self):
        self.project("[component.c]\nm = { x = { api_token = 's3cret' }, y = 1 }\n")
        shown = self.ok("config", "show").stdout
        self.assertIn("api_token = \"<redacted>\"", shown)
        self.assertNotIn("s3cret", shown)

    # explain ---------------------------------------------------------------------------------------------------------

    def test_explain_shows_the_effective_value_and_every_layer(self):
        user = self.user("[scheduler.local_cwd]\ngrace_s = 3\n[profile.gpu.scheduler.local_cwd]\ngrace_s = 9\n")
        project = self.project("[scheduler.local_cwd]\ngrace_s = 4\n")
        env = {"SLIPWAY_CFG": "grace_s=1"}
        document = self.explain("scheduler.local_cwd.grace_s", "--profile", "gpu", env=env)
        self.assertEqual((document["key"], document["value"], document["origin"]),
                         ("scheduler.local_cwd.grace_s", 1, "env"))
        self.assertEqual([(each["origin"], each["value"], each["where"], each["profile"])
                          for each in document["layers"]],
                         [("env", 1, "SLIPWAY_CFG", None), ("user", 9, f"{user}:4:1", "gpu"),
                          ("project", 4, f"{project}:2:1", None), ("user", 3, f"{user}:2:1", None),
                          ("default", 10, None, None)])

    def test_explain_counts_flags_and_variables_as_layers(self):
        document = self.explain("cli.session", "--session", "a", env={"SLIPWAY_SESSION": "b"})
        self.assertEqual([(each["origin"], each["value"]) for each in document["layers"]],
                         [("flag", "a"), ("env", "b"), ("default", "slipway")])
        self.assertEqual(self.explain("session", env={"SLIPWAY_SESSION": "b"})["key"], "cli.session")

    def test_explain_gives_values_of_torchxconfig_their_type(self):
        self.write(".torchxconfig", "[local_cwd]\nprepend_cwd = yes\n[cli:run]\nscheduler = local_dir\n")
        document = self.explain("scheduler.local_cwd.prepend_cwd")
        self.assertEqual((document["value"], document["origin"], document["line"]), (True, "torchx", 2))
        self.assertEqual(self.explain("cli.run.scheduler")["value"], "local_dir")

    def test_unknown_key_is_not_found_and_gets_a_suggestion(self):
        for key, near in (("scheduler.local_cwd.grac_s", "scheduler.local_cwd.grace_s"),
                          ("cli.run.schduler", "cli.run.scheduler"), ("sesion", "cli.session")):
            with self.subTest(key=key):
                self.assertIn(near, self.expect_failure(66, "not_found", "config", "explain", key)["hint"])
        for key in ("", ".", "scheduler.", "scheduler.x", "component.a.b", "scheduler.nosuch.x"):
            self.expect_failure(66, "not_found", "config", "explain", key)

    def test_a_setting_that_is_not_set_has_its_default_or_none(self):
        for key, value in (("cfg", None), ("component.utils.echo.msg", "hello world"),
                           ("plugins.org.slipway.local.enabled", True), ("plugins.org.slipway.local.config", None),
                           ("plugins.org.slipway.local.config.x", None), ("scheduler.local_cwd.backoff.max", None),
                           ("scheduler.local_cwd.state_dir", None)):
            with self.subTest(key=key):
                document = self.explain(key)
                self.assertEqual((document["key"], document["value"], document["origin"]), (key, value, "default"))
                self.assertEqual([each["value"] for each in document["layers"]], [value])
        self.assertEqual(self.ok("config", "explain", "cfg").lines[0], "cfg = none")
        for key in ("component.utils.echo.nope", "component.utils.nope.msg", "plugins.nope.enabled",
                    "plugins.org.slipway.local.x", "scheduler.local_cwd.grace_s.x", "scheduler.local_cwd."):
            self.expect_failure(66, "not_found", "config", "explain", key)

    def test_explain_shows_one_entry_of_a_table_and_a_state_dir(self):
        self.user("[scheduler.local_cwd]\nbackoff = { initial = '1', max = '60' }\n")
        records = str(self.root / "records")
        project = self.project(f"[scheduler.local_cwd]\nstate_dir = '{records}'\n")
        key = "scheduler.local_cwd.backoff.max"
        self.assertEqual(self.explain(key)["value"], "60")
        document = self.explain(key, env={"SLIPWAY_CFG": "backoff.max=5"})
        self.assertEqual([(each["origin"], each["value"]) for each in document["layers"]],
                         [("env", "5"), ("user", "60"), ("default", None)])
        document = self.explain("scheduler.local_cwd.state_dir")
        self.assertEqual((document["value"], document["where"]), (records, f"{project}:2:1"))
        # A setting for every scheduler in a higher layer wins.
        other = self.write("other.toml", f"[scheduler.'*']\nstate_dir = '{records}2'\n")
        document = self.explain("scheduler.local_cwd.state_dir", "--config", other)
        self.assertEqual([each["value"] for each in document["layers"]], [records + "2", records, None])

    def test_the_configuration_of_a_plugin_does_not_come_from_the_section_of_a_scheduler(self):
        self.project("[scheduler.slurm]\npartition = 'gpu'\n[cli.run]\nscheduler = 'local_cwd'\n")
        for key in ("plugins.slurm.config", "plugins.run.config"):
            self.expect_failure(66, "not_found", "config", "explain", key)

    # path ------------------------------------------------------------------------------------------------------------

    def test_path_lists_the_files_highest_first(self):
        project = self.project("")
        self.write(".torchxconfig", "")
        (self.root / ".torchxconfig").write_text("")
        extra = self.write("extra.toml", "")
        files = self.ok("--json", "--config", extra, "config", "path", env={"SLIPWAY_CONFIG": str(extra)}).json["files"]
        self.assertEqual([(each["origin"], each["path"], each["state"]) for each in files][:6],
                         [("flag_file", str(extra), "found"), ("env_file", str(extra), "found"),
                          ("project", str(project), "found"), ("torchx", str(self.root / ".torchxconfig"), "found"),
                          ("torchx", str(self.cwd / ".torchxconfig"), "found"),
                          ("user", str(self.config / "slipway" / "config.toml"), "does not exist")])
        self.assertEqual((files[6]["origin"], files[6]["path"]), ("site", "/etc/slipway/config.toml"))

    def test_path_works_when_a_file_is_broken(self):
        self.project("a = [")
        project = self.ok("--json", "config", "path").json["files"][0]
        self.assertEqual(project["state"], "error")
        self.assertIn("slipway.toml:1:", project["why"])

    def test_path_reports_a_mistake_as_other_commands_do(self):
        user = self.user("[nope]\nx = 1\n")
        said = self.ok("config", "path").stderr
        self.assertIn(f"slipway: warning: {user}:1:2: nope: unknown key", said)
        self.assertEqual(said.count(str(user)), 1, said)
        self.assertIn(said.strip(), self.ok("list").stderr)

    def test_path_reports_a_mistake_in_a_directory_with_a_tab(self):
        directory = self.cwd / "a\tb"
        directory.mkdir()
        (directory / "slipway.toml").write_text("[nope]\nx = 1\n")
        said = self.ok("config", "path", cwd=directory).stderr
        self.assertIn("slipway.toml:1:2: nope: unknown key", said)
        self.assertNotIn("is not used", said)

    def test_path_says_why_a_missing_file_matters(self):
        result = self.ok("--json", "--config", "/nonexistent.toml", "config", "path")
        self.assertEqual(result.json["files"][0]["state"], "does not exist")
        self.assertEqual(result.json["files"][0]["why"], "no such file, but --config names it")
        self.assertIn("warning: /nonexistent.toml is not used: no such file, but --config names it", result.stderr)

    # init ------------------------------------------------------------------------------------------------------------

    def uncommented(self, template):
        """Returns a template after removing `# ` from every line with a value, such as `# grace_s = 10.0`."""
        lines = [line.removeprefix("# ") if re.match(r"# [\w-]+ = ", line) else line for line in template.splitlines()]
        return "\n".join(lines) + "\n"

    def test_init_writes_a_valid_file_that_sets_nothing(self):
        self.assertEqual(self.ok("config", "init").stdout, "")
        read = tomllib.loads((self.cwd / "slipway.toml").read_text())
        self.assertEqual(read["scheduler"], {name: {} for name in ("local", "local_cwd", "local_dir", "local_docker",
                                                                   "docker", "slurm")})
        self.assertLessEqual({"run", "log", "list"}, set(read["cli"]))
        self.assertEqual([value for value in read["cli"].values() if value != {}], [])
        self.assertEqual(self.ok("config", "show").stdout, "")
        self.assertEqual([p.name for p in self.cwd.iterdir()], ["slipway.toml"])

    def test_init_has_every_run_option_with_its_default(self):
        text = self.ok("config", "init", "-s", "local_cwd", "--print").stdout
        shown = tomllib.loads(self.uncommented(text))["scheduler"]
        declared = self.ok("--json", "runopts", "local_cwd").json["local_cwd"]
        self.assertEqual(list(shown), ["local_cwd"])
        self.assertEqual(shown["local_cwd"],
                         {option["name"]: option["default"] for option in declared if option["default"] is not None})
        for option in declared:
            self.assertIn(option["help"], text)
            if option["default"] is None:
                self.assertIn(f"\n# ({option['type']}, no default)\n# {option['name']} =\n", text)
        self.assertFalse((self.cwd / "slipway.toml").exists())

    def test_init_has_every_option_of_the_commands_with_its_default(self):
        text = self.ok("config", "init", "--print").stdout
        shown = {}
        for table, settings in tomllib.loads(self.uncommented(text))["cli"].items():
            inner = settings.items() if isinstance(settings, dict) else [(None, settings)]
            shown.update({f"cli.{table}" + (f".{key}" if key else ""): value for key, value in inner})
        all_settings = self.ok("--json", "config", "show", "--all").json["settings"]
        options = {each["key"]: each["value"] for each in all_settings if each["key"].startswith("cli.")}
        self.assertEqual({key: str(value) for key, value in shown.items()},
                         {key: str(value) for key, value in options.items() if value is not None})
        self.assertEqual((shown["cli.run.scheduler"], shown["cli.session"], shown["cli.log-level"],
                          shown["cli.plugin-timeout"], shown["cli.log.stream"]),
                         ("local_cwd", "slipway", "info", 5, "combined"))
        for key, value in options.items():
            if value is None:
                self.assertIn(f"\n# {key.rpartition('.')[2]} =\n", text)

    def test_uncommented_defaults_of_init_change_nothing(self):
        app = self.app("true")
        before = self.ok("--json", "run", "-n", app).json["cfg"]
        text = self.ok("config", "init", "--print").stdout
        self.project(self.uncommented(text))
        self.assertIn("errors: 0, warnings: 0", self.ok("config", "check", "slipway.toml").stderr)
        self.assertEqual(self.ok("--json", "run", "-n", app).json["cfg"], before)
        self.ok("run", app)

    def test_init_overwrites_a_file_only_with_force(self):
        self.project("a = [")
        self.expect_failure(73, "exists", "config", "init")
        self.assertEqual((self.cwd / "slipway.toml").read_text(), "a = [")
        self.assertEqual(self.ok("--json", "config", "init", "--force").json, {"file": str(self.cwd / "slipway.toml")})
        self.assertNotEqual((self.cwd / "slipway.toml").read_text(), "a = [")
        self.assertEqual([p.name for p in self.cwd.iterdir()], ["slipway.toml"])

    @unittest.skipUnless(platform.machine() in MACHINES, "the numbers of system calls are not known here")
    def test_init_works_where_the_file_system_has_no_hard_links(self):
        self.refuse("EPERM", "link")
        self.ok("config", "init")
        self.expect_failure(73, "exists", "config", "init")
        self.assertEqual([p.name for p in self.cwd.iterdir()], ["slipway.toml"])

    @unittest.skipUnless(platform.machine() in MACHINES, "the numbers of system calls are not known here")
    def test_init_reports_an_error_that_comes_after_the_last_write(self):
        self.refuse("EIO", "fsync")
        self.assertIn("cannot be written", self.expect_failure(73, "cant_create", "config", "init")["message"])
        self.assertEqual(list(self.cwd.iterdir()), [])

    def refuse(self, error, *calls):
        """Makes the kernel refuse these system calls of later commands with this error."""
        script = Path(__file__).parent / "refused_calls.py"
        self.wrapper = [sys.executable, str(script), error, ",".join(calls), "--"]

    def test_init_of_an_unknown_scheduler_is_not_found(self):
        self.expect_failure(66, "not_found", "config", "init", "-s", "nosuch")
        self.assertEqual(list(self.cwd.iterdir()), [])

    # mistakes --------------------------------------------------------------------------------------------------------

    def problems(self, text):
        """Returns (line, key, hint) of each mistake that commands report in the project's configuration `text`."""
        self.project(text)
        result = self.expect(78, "--json", "config", "show")
        self.assertEqual(result.json["error"]["code"], "config")
        return [(p["line"], p["key"], p["hint"] or "") for p in result.json["error"]["problems"]]

    def test_all_mistakes_are_reported_at_once_in_order_with_suggestions(self):
        found = self.problems("[cli.rnu]\na = 1\n[cli.run]\nschedlr = 'x'\ncfg = 'a=b'\nsession = 'x'\n"
                              "[sheduler.x]\na = 1\n[cli]\njson = true\nplugin-path = 'x'\nlog-level = 'loud'\n")
        self.assertEqual([(line, key) for line, key, _ in found],
                         [(2, "cli.rnu.a"), (4, "cli.run.schedlr"), (5, "cli.run.cfg"), (6, "cli.run.session"),
                          (7, "sheduler"), (10, "cli.json"), (11, "cli.plugin-path"), (12, "cli.log-level")])
        for index, near in ((0, "run"), (1, "scheduler"), (2, "[scheduler.NAME]"), (3, "[cli]"), (4, "scheduler")):
            self.assertIn(near, found[index][2])

    def test_options_for_one_call_of_lint_work_only_on_the_command_line(self):
        found = self.problems("[cli.lint]\ncfg = 'grace_s=1'\nrules = true\nstrict = true\n")
        self.assertEqual([(line, key) for line, key, _ in found], [(2, "cli.lint.cfg"), (3, "cli.lint.rules")])

    def test_syntax_error_names_its_place(self):
        path = self.project("[cli.run\n")
        self.assertIn(f"slipway: error: {path}:1:", self.expect(78, "run", self.app("true")).stderr)
        self.assertIn(f"slipway: warning: {path}:1:", self.ok("list").stderr)
        error = self.expect_failure(78, "config", "config", "show")
        self.assertTrue(error["where"].startswith(f"{path}:1:"), error)

    def test_a_file_that_the_user_names_must_exist(self):
        self.expect_failure(66, "not_found", "--config", "nope.toml", "list")
        for name in ("SLIPWAY_CONFIG", "TORCHXCONFIG"):
            self.assertIn(name, self.expect(66, "config", "show", env={name: "/nope"}).stderr)
            # Commands that neither act on settings nor show them only warn about files that variables name.
            self.assertIn(name, self.ok("list", env={name: "/nope"}).stderr)
        self.expect_failure(66, "not_found", "--profile", "nope", "list")

    def test_a_file_that_others_may_write_is_ignored_with_a_warning(self):
        path = self.project("[cli]\nsession = 'theirs'\n")
        path.chmod(0o666)
        result = self.ok("config", "explain", "cli.session", "--json")
        self.assertEqual(result.json["value"], "slipway")
        self.assertIn("world-writable", result.stderr)
        self.expect_failure(77, "denied", "--config", path, "list")

    def test_a_fifo_in_place_of_the_configuration_blocks_no_command(self):
        os.mkfifo(self.cwd / "slipway.toml")
        self.assertIn("this configuration is ignored", self.ok("list").stderr)
        self.expect_failure(78, "config", "--config", self.cwd / "slipway.toml", "list")

    def test_help_and_version_read_no_file(self):
        self.project("a = [")
        self.user("a = [")
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["config", "--help"]):
            self.assertEqual(self.ok(*arguments, env={"SLIPWAY_CONFIG": "/nope"}).stderr, "")


if __name__ == "__main__":
    unittest.main()
