"""Commands apply settings: schedulers, run options, and options that are not on the command line."""

import unittest

from slipway_case import SlipwayCase


class ConfigInUse(SlipwayCase):
    def dryrun(self, *arguments, **options):
        """Returns the JSON document of a dry run."""
        return self.ok("run", "-n", "--json", *arguments, self.app("true"), **options).json

    def test_run_uses_the_configured_scheduler(self):
        self.write("slipway.toml", "[cli.run]\nscheduler = 'local_dir'\n")
        app = self.write("app.json", '{"name":"a","roles":[{"name":"w","image":"/","entrypoint":"true"}]}')
        def scheduler(command, *arguments, **options):
            return self.ok(*command, "--json", *arguments, app, **options).json["scheduler"]
        for command in (["run", "-n"], ["dryrun"]):
            self.assertEqual(scheduler(command), "local_dir")
            self.assertEqual(scheduler(command, env={"SLIPWAY_SCHEDULER": "local_cwd"}), "local_cwd")
            self.assertEqual(scheduler(command, "-s", "local_dir", env={"SLIPWAY_SCHEDULER": "local_cwd"}), "local_dir")

    def test_run_options_come_from_all_layers(self):
        self.write(".torchxconfig", "[local_cwd]\nlog_dir = /torchx\nprepend_cwd = True\n")
        self.write("slipway.toml",
                   "[scheduler.local_cwd]\nlog_dir = '/project'\ngrace_s = 2\nextra_paths = ['/a', '/b']\n")
        cfg = self.dryrun()["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["prepend_cwd"], cfg["grace_s"], cfg["extra_paths"]),
                         ("/project", True, 2, ["/a", "/b"]))
        env = {"SLIPWAY_CFG": "log_dir=/env,grace_s=3"}
        cfg = self.dryrun("-c", "log_dir=/flag", env=env)["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["grace_s"]), ("/flag", 3))

    def test_a_path_with_an_unset_variable_is_no_error_if_another_layer_replaces_it(self):
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text("[scheduler.local_cwd]\nlog_dir = '$NOPE/user'\n")
        app = self.app("true")
        given = str(self.root / "given")
        run = ("run", "-n", "--json")
        self.expect_failure(78, "config", "run", app)
        self.expect_failure(78, "config", "run", "-c", "grace_s=1", app)
        self.assertEqual(self.ok(*run, "-c", f"log_dir={given}", app).json["cfg"]["log_dir"], given)
        self.assertEqual(self.ok(*run, app, env={"SLIPWAY_CFG": f"log_dir={given}"}).json["cfg"]["log_dir"], given)
        self.write("slipway.toml", f"[scheduler.local_cwd]\nlog_dir = '{given}'\n")
        self.assertEqual(self.ok(*run, app).json["cfg"]["log_dir"], given)
        # No higher layer replaces the value of the project, so it is an error, also of `config check`.
        self.write("slipway.toml", "[scheduler.local_cwd]\nlog_dir = '$NOPE/project'\n")
        self.assertIn("slipway.toml:2:1", self.expect(78, *run, app).stderr)
        self.expect(78, "config", "check", "slipway.toml")

    def test_run_options_of_other_schedulers_have_no_effect(self):
        self.write("slipway.toml",
                   "[scheduler.local_dir]\ngrace_s = 'not looked at'\n[scheduler.slurm]\npartition = 'p'\n")
        self.assertEqual(self.dryrun()["cfg"]["grace_s"], 10)

    def test_wrong_run_options_are_reported_with_their_places_and_nothing_starts(self):
        path = self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 'x'\ncache_size = 1.5\n")
        result = self.expect(78, "run", self.app("true"))
        self.assertIn(f"{path}:2:1: scheduler.local_cwd.grace_s: ", result.stderr)
        self.assertIn(f"{path}:3:1: scheduler.local_cwd.cache_size: ", result.stderr)
        # Empty variables change nothing.
        self.expect_failure(78, "config", "run", self.app("true"), env={"SLIPWAY_CONFIG": "", "SLIPWAY_CFG": ""})
        self.assert_no_app()

    def test_wrong_variable_is_reported_by_its_name(self):
        for name, value in (("SLIPWAY_CFG", "grace_s=x"), ("SLIPWAY_LOG_LEVEL", "loud")):
            self.assertIn(name, self.expect(78, "run", self.app("true"), env={name: value}).stderr)

    def test_a_wrong_session_in_the_configuration_is_reported_with_its_place(self):
        app = self.app("true")
        self.expect_failure(64, "usage", "--session", "a/b", "list")
        for place, text, env in (("SLIPWAY_SESSION: ", "", {"SLIPWAY_SESSION": "a/b"}),
                                 ("slipway.toml:2:1: ", "[cli]\nsession = 'a/b'\n", None)):
            with self.subTest(place):
                self.write("slipway.toml", text)
                self.assertIn(place, self.expect(78, "run", app, env=env).stderr)
                self.assertIn("warning: ", self.ok("list", env=env).stderr)
                self.assertIn(place, self.ok("list", env=env).stderr)
        self.assert_no_app()

    def test_unknown_run_options_and_misspelt_schedulers_are_warnings(self):
        self.write("slipway.toml", "[scheduler.local_cwd]\nlog_dri = 'x'\n[scheduler.local_cdw]\ngrace_s = 1\n")
        result = self.ok("run", "-n", self.app("true"))
        self.assertIn("slipway.toml:2:1", result.stderr)
        self.assertIn("did you mean log_dir?", result.stderr)
        self.assertIn("did you mean local_cwd?", result.stderr)

    def args_of(self, *arguments):
        """Returns the arguments of the first role that a dry run shows."""
        return self.ok("run", "-n", "--json", *arguments).json["app"]["roles"][0]["args"]

    def test_components_get_configured_arguments(self):
        self.write(".torchxconfig", "[component:utils.echo]\nmsg = from TorchX\nnum_replicas = 2\n")
        self.assertEqual(self.args_of("utils.echo"), ["from TorchX"])
        self.write("slipway.toml", "[component.\"utils.echo\"]\nmsg = 'from Slipway'\n")
        self.assertEqual(self.args_of("utils.echo"), ["from Slipway"])
        self.assertEqual(self.args_of("utils.echo", "--msg", "mine"), ["mine"])
        roles = self.ok("run", "-n", "--json", "utils.echo").json["app"]["roles"]
        self.assertEqual(roles[0]["num_replicas"], 2)

    def test_a_run_without_an_app_uses_the_configured_component(self):
        self.expect_failure(64, "usage", "run")
        self.write("slipway.toml", "[cli.run]\ncomponent = 'utils.echo'\n")
        self.assertEqual(self.args_of(), ["hello world"])
        self.assertEqual(self.args_of("--", "--msg", "hi"), ["hi"])
        self.assertEqual(self.args_of("utils.sh", "ls")[-1], "ls")

    def test_the_scheduler_named_default_is_the_configured_one(self):
        self.write("slipway.toml", "[cli.run]\nscheduler = 'local'\n")
        for arguments in ([], ["-s", "default"]):
            self.assertEqual(self.ok("run", "-n", "--json", *arguments, self.app("true")).json["scheduler"], "local")

    def test_the_command_line_overrides_configured_flags(self):
        self.write("slipway.toml", "[cli.run]\ndetach = true\n")
        handle = self.ok("run", self.app("sleep 60")).stdout.strip()
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", "--now", handle)
        self.expect(3, "run", "--detach=false", self.app("exit 3"))

    def test_option_of_the_command_line_wins_over_a_setting_that_it_excludes(self):
        self.write("slipway.toml", "[cli.cancel]\nnow = true\n[cli.run]\nno-log = true\n")
        handle = self.ok("run", "-d", self.app("sleep 60")).stdout.strip()
        self.ok("cancel", "--grace", "5", handle)
        self.assertNotIn("hello", self.ok("run", self.app("echo hello")).stderr)
        self.assertIn("hello", self.ok("run", "--log", self.app("echo hello")).stderr)

    def test_a_file_cannot_add_apps_to_those_that_the_command_line_names(self):
        handles = [self.ok("run", "-q", self.app("true")).stdout.strip() for _ in range(2)]
        for command in ("wait", "cancel", "delete", "log"):
            self.write("slipway.toml", f"[cli.{command}]\nscheduler = 'local_cwd'\n")
            with self.subTest(command):
                self.assertIn(f"cli.{command}.scheduler", self.expect(78, "config", "check", "slipway.toml").stdout)
        self.run_slipway("delete", handles[0])
        self.ok("status", handles[1])

    def test_quiet_and_verbose_win_over_a_log_level_of_a_lower_layer(self):
        app = self.app("true")
        self.assertEqual(self.ok("-q", "run", "-d", app, env={"SLIPWAY_LOG_LEVEL": "info"}).stderr, "")
        self.write("slipway.toml", "[cli]\nlog-level = 'error'\nquiet = true\n")
        self.assertEqual(self.ok("run", "-d", app).stderr, "")
        self.assertIn("status: slipway status", self.ok("-v", "run", "-d", app).stderr)
        self.assertEqual(self.ok("-v", "--log-level", "error", "run", "-d", app).stderr, "")

    def test_of_two_exclusive_settings_the_higher_layer_wins(self):
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text("[cli.run]\nno-log = true\n")
        self.write("slipway.toml", "[cli.run]\nlog = true\n")
        self.assertIn("hello", self.ok("run", self.app("echo hello")).stderr)

    def test_a_higher_false_hides_a_lower_true(self):
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text("[cli.run]\nno-log = true\n")
        self.write("slipway.toml", "[cli.run]\nno-log = false\n")
        self.assertIn("hello", self.ok("run", self.app("echo hello")).stderr)

    def test_global_and_per_command_options_are_applied(self):
        self.write("slipway.toml", "[cli]\nsession = 'night'\n[cli.list]\nall = true\n[cli.wait]\ntimeout = 0.1\n")
        handle = self.ok("run", self.app("true")).stdout.strip()
        self.assertIn("://night/", handle)
        self.assertIn(handle, self.ok("list").stdout)
        gate = self.gate()
        running = self.ok("run", "-d", self.app("read go < gate")).stdout.strip()
        self.expect(124, "wait", running)
        self.open_gate(gate)
        self.ok("wait", "--timeout", "60", running)

    def test_settings_of_the_chosen_profile_override_those_outside_profiles(self):
        self.write("slipway.toml",
                   "[scheduler.local_cwd]\ngrace_s = 1\n[profile.slow.scheduler.local_cwd]\ngrace_s = 99\n")
        self.assertEqual(self.dryrun()["cfg"]["grace_s"], 1)
        self.assertEqual(self.dryrun("--profile", "slow")["cfg"]["grace_s"], 99)
        self.assertEqual(self.dryrun(env={"SLIPWAY_PROFILE": "slow"})["cfg"]["grace_s"], 99)
        self.assertEqual(self.dryrun("--profile", "slow", "-c", "grace_s=7")["cfg"]["grace_s"], 7)

    def test_named_file_is_a_higher_layer_than_the_projects_file(self):
        self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 1\ncache_size = 1\nlog_dir = '/p'\n")
        env = {"SLIPWAY_CONFIG": str(self.write("env.toml", "[scheduler.local_cwd]\ngrace_s = 2\ncache_size = 2\n"))}
        flag = self.write("flag.toml", "[scheduler.local_cwd]\ngrace_s = 3\n")
        cfg = self.dryrun("--config", flag, env=env)["cfg"]
        self.assertEqual((cfg["grace_s"], cfg["cache_size"], cfg["log_dir"]), (3, 2, "/p"))

    def test_the_nearest_project_file_upwards_is_used(self):
        self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 1\n")
        (self.cwd / "a" / "b").mkdir(parents=True)
        app = self.app("true")
        below = self.ok("run", "-n", "--json", app, cwd=self.cwd / "a" / "b").json
        self.assertEqual(below["cfg"]["grace_s"], 1)
        (self.cwd / "a" / "slipway.toml").write_text("[scheduler.local_cwd]\ncache_size = 4\n")
        below = self.ok("run", "-n", "--json", app, cwd=self.cwd / "a" / "b").json
        self.assertEqual((below["cfg"]["grace_s"], below["cfg"]["cache_size"]), (10, 4))

    def test_torchxconfig_of_several_directories_merges_option_by_option(self):
        (self.root / ".torchxconfig").write_text(
            "[local_cwd]\nlog_dir = /home\ngrace_s = None\n[component:utils.echo]\nmsg = home\n")
        self.write(".torchxconfig", "[local_cwd]\nlog_dir = /cwd\ngrace_s = 3\ncache_size = 7\n"
                                    "[component:utils.echo]\nmsg = cwd\nnum_replicas = 2\n")
        cfg = self.dryrun()["cfg"]
        # `None` in the home directory hides the value of the working directory, and selects the default.
        self.assertEqual((cfg["log_dir"], cfg["grace_s"], cfg["cache_size"]), ("/home", 10, 7))
        (role,) = self.ok("run", "-n", "--json", "utils.echo").json["app"]["roles"]
        self.assertEqual((role["args"], role["num_replicas"]), (["home"], 2))

    def test_torchxconfig_of_the_home_wins_and_the_variable_replaces_both(self):
        (self.root / ".torchxconfig").write_text("[local_cwd]\nlog_dir = /home\n")
        self.write(".torchxconfig", "[local_cwd]\nlog_dir = /cwd\nprepend_cwd = true\n")
        cfg = self.dryrun()["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["prepend_cwd"]), ("/home", True))
        named = self.write("named", "[local_cwd]\nlog_dir = /named\n")
        cfg = self.dryrun(env={"TORCHXCONFIG": str(named)})["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["prepend_cwd"]), ("/named", False))


if __name__ == "__main__":
    unittest.main()
