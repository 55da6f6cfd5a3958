"""Rules of a site for its users: locks, limits, and commands when the site's file is broken."""

import json
import os
import unittest

from app_text import role
from site_case import SiteCase

ADA, BOB = 4711, 4712  # uids of two ordinary users


class BrokenConfiguration(SiteCase):
    """Users can see and end their apps while a configuration file has a mistake."""

    def setUp(self):
        super().setUp()
        self.gate()
        self.handle = self.detach(self.app("echo hello; read go < gate"))

    def assert_apps_can_be_shown_and_ended(self, said):
        for arguments in (["list"], ["status", self.handle], ["log", self.handle], ["describe", self.handle],
                          ["wait", "--timeout", "0", self.handle], ["plugin", "list"], ["resource", "list"]):
            with self.subTest(arguments=arguments):
                result = self.run_slipway(*arguments)
                self.assertEqual(result.status, 124 if arguments[0] == "wait" else 0, result)
                self.assertIn("slipway: warning: ", result.stderr)
                self.assertIn(said, result.stderr)
        self.assertEqual(self.ok("list", "--json").json["apps"][0]["handle"], self.handle)
        self.ok("cancel", "--now", self.handle)
        self.assert_state(self.handle, "CANCELLED")

    def assert_no_app_can_be_started(self, said, status=78):
        for arguments in (["run", self.app("true", file="other.toml")], ["rerun", self.handle], ["config", "show"]):
            with self.subTest(arguments=arguments):
                result = self.expect(status, *arguments)
                self.assertIn("slipway: error: ", result.stderr)
                self.assertIn(said, result.stderr)

    def test_an_unknown_key_in_the_sites_file_prevents_only_new_apps(self):
        self.site("[sheduler.local_cwd]\ngrace_s = 3\n[cli.run]\nwiat = true\n")
        self.assert_no_app_can_be_started("/etc/slipway/config.toml:1:2: sheduler: unknown key")
        self.assert_apps_can_be_shown_and_ended("/etc/slipway/config.toml:1:2: sheduler: unknown key")

    def test_a_syntax_error_in_the_sites_file_prevents_only_new_apps(self):
        self.site("[cli\n")
        self.assert_no_app_can_be_started("/etc/slipway/config.toml:1:5: ")
        self.assert_apps_can_be_shown_and_ended("/etc/slipway/config.toml:1:5: ")

    def test_a_lock_that_disagrees_with_a_users_file_prevents_only_new_apps(self):
        self.site("[site.locked.cli.run]\nscheduler = 'local_cwd'\n")
        self.write("slipway.toml", "[cli.run]\nscheduler = 'local_dir'\n")
        self.assert_no_app_can_be_started("the site allows only \"local_cwd\"")
        self.assert_apps_can_be_shown_and_ended("the site allows only \"local_cwd\"")

    def test_a_wrong_variable_prevents_only_new_apps(self):
        self.env["SLIPWAY_CONFIG"] = "/nope.toml"
        self.assert_no_app_can_be_started("SLIPWAY_CONFIG names it", 66)
        self.assert_apps_can_be_shown_and_ended("SLIPWAY_CONFIG names it")

    def test_a_sites_file_of_an_untrusted_user_prevents_only_new_apps(self):
        os.chown(self.site("[cli.run]\nwait = true\n"), ADA, ADA)
        self.assert_no_app_can_be_started("if you trust its content: chown root /etc/slipway/config.toml", 77)
        self.assert_apps_can_be_shown_and_ended("is owned by uid 4711, who is not trusted")

    def test_a_command_that_shows_apps_uses_the_locked_value(self):
        self.site("[site.locked.cli.list]\nall = true\n")
        self.write("slipway.toml", "[cli.list]\nall = false\n")
        self.ok("cancel", "--now", self.handle)
        self.expect(130, "wait", "--timeout", "60", self.handle)
        self.assertIn(self.handle, self.ok("list").stdout)

    def test_a_mistake_on_the_command_line_stays_an_error(self):
        self.site("[site.locked.cli]\nsession = 'slipway'\n")
        result = self.expect(78, "--session", "other", "list")
        self.assertIn("the site allows only \"slipway\"", result.stderr)
        self.site("")
        self.expect_failure(66, "not_found", "--config", "nope.toml", "list")
        self.expect_failure(66, "not_found", "--profile", "nope", "list")

    def tearDown(self):
        self.env.pop("SLIPWAY_CONFIG", None)
        self.site("")
        super().tearDown()


class UnreadableSite(SiteCase):
    def test_an_unreadable_file_of_the_site_does_not_lose_its_locks(self):
        path = self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 1\n")
        app = self.app("true")
        app.chmod(0o644)
        self.assertEqual(self.as_user(ADA, "run", "-n", "--json", app).json["cfg"]["grace_s"], 1)
        path.chmod(0o600)
        result = self.as_user(ADA, "run", "-n", app)
        self.assertEqual(result.status, 77, result)
        self.assertIn("slipway: error: /etc/slipway/config.toml: it cannot be read: Permission denied", result.stderr)
        result = self.as_user(ADA, "list")
        self.assertEqual(result.status, 0, result)
        self.assertIn("slipway: warning: /etc/slipway/config.toml: it cannot be read", result.stderr)
        path.chmod(0o644)
        path.parent.chmod(0o700)
        self.assertEqual(self.as_user(ADA, "run", "-n", app).status, 77)


class BrokenLinks(SiteCase):
    """A link whose target is missing, because a share is not mounted, must not switch off the site's files silently."""

    def setUp(self):
        super().setUp()
        self.slipway = self.etc / "slipway"
        self.hello = self.app("true")

    def assert_run_is_refused(self, said):
        # A rule of the missing file could forbid this option.
        result = self.expect(78, "run", "-n", "-c", "log_dir=/tmp/mine", self.hello)
        self.assertIn(f"slipway: error: /etc/slipway/config.toml: {said}", result.stderr)
        self.assertIn(said, self.expect(78, "plugin", "doctor").stdout)
        shown = self.ok("config", "path", "--json").json["files"][-1]
        self.assertEqual((shown["state"], said in shown["why"]), ("error", True), shown)
        self.assertIn(f"slipway: warning: /etc/slipway/config.toml: {said}", self.ok("list").stderr)

    def test_a_broken_link_to_the_sites_file_is_an_error(self):
        for target in ("/nfs/gone/config.toml", "/etc/passwd/x"):
            with self.subTest(target=target):
                (self.slipway / "config.toml").symlink_to(target)
                self.assert_run_is_refused(
                    f"the link /etc/slipway/config.toml leads to {target}, which does not exist")
                (self.slipway / "config.toml").unlink()

    def test_a_broken_link_to_the_sites_directory_is_an_error(self):
        self.slipway.rmdir()
        self.slipway.symlink_to("/nfs/slipway")
        self.assert_run_is_refused("the link /etc/slipway leads to /nfs/slipway, which does not exist")

    def test_a_file_in_place_of_the_sites_directory_is_an_error(self):
        self.slipway.rmdir()
        self.slipway.write_text("")
        self.assert_run_is_refused("/etc/slipway is not a directory")

    def test_a_broken_link_to_a_directory_of_manifests_is_reported(self):
        for name in ("resources.d", "plugins.d"):
            with self.subTest(name=name):
                (self.slipway / name).symlink_to("/nfs/gone")
                said = f"the link /etc/slipway/{name} leads to /nfs/gone, which does not exist"
                self.assertEqual(self.expect(78, "plugin", "doctor").stdout.count(said), 1)
                app = self.app(role("w", "true", resource="trainer"), file="trainer.toml")
                refused = self.expect(66, "run", app)
                self.assertIn(said, refused.stderr)
                (self.slipway / name).unlink()
        (self.slipway / "resources.d").write_text("")
        self.assertIn("/etc/slipway/resources.d is not a directory", self.expect(78, "plugin", "doctor").stdout)

    def test_a_broken_link_to_a_users_file_is_a_warning(self):
        path = self.config / "slipway" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to("/nfs/gone")
        said = f"{path}: this configuration is ignored: the link {path} leads to /nfs/gone, which does not exist"
        self.assertIn(said, self.ok("run", "-n", self.hello).stderr)
        refused = self.expect(66, "--config", path, "run", "-n", self.hello)
        self.assertIn(f"no such file, but --config names it: the link {path} leads to", refused.stderr)
        path.unlink()
        # A file in place of the home directory, in which .torchxconfig could be, is no mistake.
        self.assertNotIn("ignored", self.ok("run", "-n", self.hello, env={"HOME": "/dev/null"}).stderr)


class Locks(SiteCase):
    """Ways around a lock that are no settings of a file."""

    def test_a_locked_flag_is_refused_in_every_spelling(self):
        self.site("[site.locked.cli.run]\ndetach = false\n")
        for text in ("", "=1", "=yes", "=on", "=true"):
            with self.subTest(text):
                self.expect(78, "run", f"--detach{text}", self.app("true"))
        self.ok("run", "--detach=0", self.app("true"))

    def test_standard_input_cannot_replace_a_locked_workspace(self):
        self.site(f"[site.locked.cli.run]\nworkspace = '{self.cwd}'\n")
        request = {"scheduler": "local_cwd", "scheduler_args": {}, "component_name": "utils.echo",
                   "workspace": "/other"}
        result = self.expect(78, "run", "--stdin", stdin=json.dumps(request).encode())
        self.assertIn("cli.run.workspace: the site allows only", result.stderr)

    def test_rules_about_apps_do_not_hold_for_the_process_of_a_detached_sweep(self):
        """This process is an app of local_cwd with a grace time of a day."""
        self.site("[site.maximum.scheduler.local_cwd]\ngrace_s = 60\n")
        app = self.write("nap.toml", '[component.nap.params.s]\n[component.nap.app]\nname = "nap"\n'
                                     '[[component.nap.app.roles]]\nname = "w"\nentrypoint = "sleep"\n'
                                     'args = ["{{s}}"]\n')
        self.ok("wait", self.ok("run", "-d", "--sweep", "-P", "s=0.1,0.2", app).stdout.strip())


class Limits(SiteCase):
    """Sets of values, minimum and maximum, and rules for every scheduler."""

    def dryrun(self, *arguments, **options):
        """Returns the run options of a dry run."""
        return self.ok("run", "-n", "--json", *arguments, self.app("true"), **options).json["cfg"]

    def assert_refused(self, said, *arguments, **options):
        """Checks that a dry run is refused with the words `said` and the name of the site's file."""
        result = self.expect(78, "run", "-n", *arguments, self.app("true"), **options)
        self.assertIn(said, result.stderr)
        self.assertIn("/etc/slipway/config.toml:", result.stderr)

    def test_only_values_of_a_set_are_allowed(self):
        self.site("[site.allowed.scheduler.local_cwd]\ngrace_s = [10, 20]\nextra_paths = ['/a', '/b']\n"
                  "[scheduler.local_cwd]\nextra_paths = ['/a']\n")
        self.assertEqual(self.dryrun()["grace_s"], 10)
        self.assertEqual(self.dryrun("-c", "grace_s=20,extra_paths=/b;/a")["grace_s"], 20)
        self.assert_refused("the site allows one of [10, 20]", "-c", "grace_s=15")
        self.assert_refused("the site allows one of [\"/a\", \"/b\"]", "-c", "extra_paths=/a;/c")
        self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 15\n")
        self.assert_refused("not 15.0")

    def test_minimum_and_maximum_are_enforced(self):
        self.site("[site.minimum.scheduler.local_cwd]\ngrace_s = 5\n[site.maximum.scheduler.local_cwd]\ngrace_s = 20\n"
                  "cache_size = 50\n[scheduler.local_cwd]\ncache_size = 50\n")
        self.assertEqual(self.dryrun("-c", "grace_s=5,cache_size=0")["grace_s"], 5)
        self.assert_refused("the site allows at least 5", "-c", "grace_s=4.5")
        self.assert_refused("the site allows at most 20", "-c", "grace_s=21")
        self.assert_refused("the site allows at most 50", "-c", "cache_size=51")

    def test_times_and_sizes_are_compared_by_value(self):
        self.site("[scheduler.slurm]\ntime = '90'\n[site.minimum.scheduler.slurm]\ntime = '30:00'\n"
                  "[site.maximum.scheduler.slurm]\ntime = '1-02:00:00'\nsbatch.mem = '64G'\n")
        for time in ("30", "30:00", "90", "26:00:00", "1-2", "1-01:30", "1-02:00:00", "24h", "1d1h30m"):
            with self.subTest(time=time):
                self.assertEqual(self.dryrun("-s", "slurm", "-c", f"time={time}")["time"], time)
        # 1561 minutes are 26:01:00; `UNLIMITED`, `infinite` and 0 mean no limit.
        for time in ("1561", "26:00:01", "1-03", "2-00:00:00", "27h", "UNLIMITED", "infinite", "0"):
            with self.subTest(time=time):
                self.assert_refused(f"config.toml:6:1 says, not \"{time}\"", "-s", "slurm", "-c", f"time={time}")
                self.assert_refused("scheduler.slurm.time: the site allows at most \"1-02:00:00\", as "
                                    "/etc/slipway/config.toml:6:1 says", "-s", "slurm", "-c", f"time={time}")
        self.assert_refused("at least \"30:00\"", "-s", "slurm", "-c", "time=29:59")
        self.assert_refused("not \"soon\", which cannot be compared with it", "-s", "slurm", "-c", "time=soon")
        self.dryrun("-s", "slurm", "-c", "sbatch=exclude:n7")
        for size in ("64G", "65536", "1024m", "67108864K", "64GiB"):
            with self.subTest(size=size):
                self.dryrun("-s", "slurm", "-c", f"sbatch=mem:{size}")
        for size in ("65G", "65537", "1T", "0", "much"):  # 0 means all memory of a node
            with self.subTest(size=size):
                self.assert_refused("scheduler.slurm.sbatch.mem: the site allows at most \"64G\"",
                                    "-s", "slurm", "-c", f"sbatch=mem:{size}")

    def test_a_table_is_limited_by_key(self):
        self.site("[site.maximum.scheduler.local_cwd.backoff]\nmax = 60\n"
                  "[site.allowed.scheduler.slurm.sbatch]\nqos = ['low', 'high']\n")
        self.dryrun()
        self.dryrun("-c", "backoff=max:60")
        self.assert_refused("backoff.max: the site allows at most 60", "-c", "backoff=max:60.5")
        self.dryrun("-s", "slurm", "-c", "sbatch=qos:low")
        self.assert_refused("one of [\"low\", \"high\"]", "-s", "slurm", "-c", "sbatch=qos:mine")

    def test_an_abbreviated_option_of_sbatch_does_not_bypass_a_limit(self):
        self.site("[site.allowed.scheduler.slurm]\npartition = ['main']\nsbatch.partition = ['main']\n"
                  "[scheduler.slurm]\npartition = 'main'\n")
        for name, whole in (("partition", None), ("parti", "partition"), ("outp", "output"), ("e", "epilog"),
                            ("distrib", "distribution")):  # of several names, the message has the first one
            for command in ("sbatch", "srun") if whole else ("sbatch",):
                with self.subTest(name, command=command):
                    result = self.expect(65 if whole else 78, "run", "-n", "-s", "slurm",
                                         "-c", f"{command}.{name}=x", self.app("true"))
                    self.assertIn(f"{command}: '{name}' abbreviates {whole}" if whole else "the site allows one of",
                                  result.stderr)
        self.dryrun("-s", "slurm", "-c", "sbatch=mem:1G;option-of-a-later-version:1")

    def test_an_unset_option_does_not_bypass_a_maximum(self):
        self.site("[site.maximum.scheduler.local_cwd]\napp_timeout_s = 3600\n")
        self.assert_refused("the site allows at most 3600")
        self.assertEqual(self.dryrun("-c", "app_timeout_s=60")["app_timeout_s"], 60)

    def test_a_rule_may_apply_to_every_scheduler(self):
        self.site("[site.locked.scheduler.'*']\nlog_dir = '/scratch/logs'\n[site.maximum.scheduler.'*']\ngrace_s = "
                  "20\n")
        for scheduler in ("local_cwd", "local_dir", "local"):
            with self.subTest(scheduler=scheduler):
                self.assertEqual(self.dryrun("-s", scheduler)["log_dir"], "/scratch/logs")
                self.assert_refused("the site allows only \"/scratch/logs\"", "-s", scheduler, "-c", "log_dir=/mine")
                self.assert_refused("at most 20", "-s", scheduler, "-c", "grace_s=21")
                self.write("slipway.toml", f"[scheduler.{scheduler}]\nlog_dir = '/mine'\n")
                self.assert_refused("the site allows only \"/scratch/logs\"", "-s", scheduler)
                self.write("slipway.toml", "")
        # A scheduler without this option is not affected.
        self.assertNotIn("log_dir", self.ok("runopts", "--json", "slurm").stdout)
        self.assertNotIn("warning", self.ok("run", "-n", "-s", "slurm", self.app("true")).stderr)

    def test_a_setting_for_one_scheduler_overrides_one_for_every_scheduler(self):
        self.write("slipway.toml", "[scheduler.local_dir]\ngrace_s = 3\n[scheduler.'*']\ngrace_s = 2\n")
        self.assertEqual(self.dryrun()["grace_s"], 2)
        self.assertEqual(self.dryrun("-s", "local_dir")["grace_s"], 3)

    def test_every_way_to_name_a_scheduler_obeys_a_lock(self):
        app = self.app("true")
        self.site("")
        handle = self.ok("run", "-s", "local_dir", "--no-log", "-q", app).stdout.strip()
        for rule in ("[site.locked.cli.run]\nscheduler = 'local_cwd'\n",
                     "[site.allowed.cli.run]\nscheduler = ['local_cwd', 'slurm']\n"):
            with self.subTest(rule=rule):
                self.site(rule)
                self.dryrun()
                request = json.dumps({"component_name": "utils.echo", "scheduler": "local_dir", "scheduler_args": {}})
                for arguments, stdin in ((["run", "-s", "local_dir", app], b""),
                                         (["dryrun", "-s", "local_dir", app], b""),
                                         (["rerun", handle], b""), (["rerun", "-s", "local", handle], b""),
                                         (["run", "--stdin"], request.encode())):
                    result = self.run_slipway(*arguments, stdin=stdin)
                    self.assertEqual(result.status, 78, result)
                    self.assertIn("/etc/slipway/config.toml:2:1", result.stderr)
                self.ok("rerun", "-n", "-s", "local_cwd", handle)

    def test_rerun_obeys_locked_run_options(self):
        handle = self.ok("run", "--no-log", "-q", self.app("true")).stdout.strip()
        self.site("[site.locked.scheduler.local_dir]\ngrace_s = 1\n")
        result = self.expect(78, "rerun", "-n", "-s", "local_dir", "-c", "grace_s=2", handle)
        self.assertIn("the site allows only 1", result.stderr)

    def test_the_alias_default_does_not_bypass_a_lock(self):
        self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 1\n")
        self.assertEqual(self.dryrun("-s", "default")["grace_s"], 1)
        self.assert_refused("the site allows only 1", "-s", "default", "-c", "grace_s=2")


class PlacesOfRefusedValues(SiteCase):
    """A refusal names the place of the value, not only that of the rule."""

    RULE = "[site.maximum.scheduler.local_cwd]\ngrace_s = 60\nbackoff.max = 60\n"
    SAID = "scheduler.local_cwd.grace_s: the site allows at most 60, as /etc/slipway/config.toml:2:1 says, not 77.0"

    def refusal(self, *arguments, **options):
        """Returns the messages of a dry run that a rule refuses."""
        return self.expect(78, "run", "-n", *arguments, **options).stderr

    def test_a_limit_names_the_place_of_the_value(self):
        self.site(self.RULE)
        hello = self.app("true")
        bad = "[scheduler.local_cwd]\ngrace_s = 77\n"
        path = self.write("slipway.toml", bad)
        self.assertIn(f"{path}:2:1: {self.SAID}", self.refusal(hello))
        path = self.write("slipway.toml", "[profile.slow.scheduler.local_cwd]\ngrace_s = 77\n")
        self.assertIn(f"{path}:2:1: {self.SAID}", self.refusal("--profile", "slow", hello))
        path.unlink()
        self.assertIn(f"SLIPWAY_CFG: {self.SAID}", self.refusal(hello, env={"SLIPWAY_CFG": "grace_s=77"}))
        self.assertIn(f"-c: {self.SAID}", self.refusal("-c", "grace_s=77", hello))
        app = self.write("options.toml", hello.read_text() + "[options.local_cwd]\ngrace_s = 77\n")
        line = app.read_text().count("\n")
        self.assertIn(f"options.toml:{line}:1: {self.SAID}", self.refusal("options.toml"))
        request = {"component_name": "utils.echo", "scheduler": "local_cwd", "scheduler_args": {"grace_s": 77}}
        said = self.SAID.removesuffix(".0")
        self.assertIn(f"stdin: {said}", self.refusal("--stdin", stdin=json.dumps(request).encode()))

    def test_a_lock_names_the_place_of_the_value(self):
        self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 5\n")
        said = "scheduler.local_cwd.grace_s: the site allows only 5, as /etc/slipway/config.toml:2:1 says"
        hello = self.app("true")
        self.assertIn(f"-c: {said}", self.refusal("-c", "grace_s=77", hello))
        self.assertIn(f"SLIPWAY_CFG: {said}", self.refusal(hello, env={"SLIPWAY_CFG": "grace_s=77"}))
        app = self.write("options.toml", hello.read_text() + "[options.local_cwd]\ngrace_s = 77\n")
        self.assertIn(f"options.toml:{len(app.read_text().splitlines())}:1: {said}", self.refusal("options.toml"))

    def test_an_entry_of_a_table_keeps_the_place_that_set_it(self):
        self.site(self.RULE)
        hello = self.app("true")
        path = self.write("slipway.toml", "[scheduler.local_cwd]\nbackoff = { max = '90' }\n")
        said = "scheduler.local_cwd.backoff.max: the site allows at most 60"
        self.assertIn(f"{path}:2:1: {said}", self.refusal("-c", "backoff.initial=1", hello))
        self.assertIn(f"-c: {said}", self.refusal("-c", "backoff.max=91", hello))

    def test_a_default_that_is_not_allowed_says_how_to_set_the_option(self):
        self.site("[site.maximum.scheduler.local_cwd]\ngrace_s = 5\n")
        said = self.refusal(self.app("true"))
        self.assertIn("not 10.0, its default, set it with -c grace_s=VALUE, or in [scheduler.local_cwd] of a "
                      "configuration file", said)
        self.site("[site.maximum.scheduler.local_cwd]\napp_timeout_s = 5\n")
        self.assertIn("config.toml:2:1 says, but it has no value, set it with -c app_timeout_s=VALUE",
                      self.refusal(self.app("true")))

    def test_keys_of_all_roles_are_reported_with_the_options(self):
        self.site("[site.maximum.scheduler.local_cwd]\ngrace_s = 60\ntimeout_s = 100\n"
                  "[scheduler.local_cwd]\ntimeout_s = 9\n")
        app = self.app(role("w", "true", grace_s=99), role("v", "true", timeout_s=101, grace_s=3))
        text = app.read_text().splitlines()
        lines = [next(i for i, line in enumerate(text, 1) if line.startswith(key)) for key in
                 ("grace_s = 99", "timeout_s = 101")]
        said = self.refusal("-c", "grace_s=77", "app.toml")
        self.assertIn(f"-c: {self.SAID}", said)
        self.assertIn(f"app.toml:{lines[0]}:11: scheduler.local_cwd.grace_s: role w: the site allows at most 60", said)
        self.assertIn(f"app.toml:{lines[1]}:13: scheduler.local_cwd.timeout_s: role v: the site allows", said)
        self.assertEqual(said.count("the site allows"), 3, said)
        self.assertIn("--set: scheduler.local_cwd.grace_s: role v: the site allows",
                      self.refusal("--set", "roles.v.grace_s=98", "app.toml"))

    def test_a_scheduler_that_is_not_allowed_has_the_place_of_its_choice(self):
        self.site("[site.allowed.cli.run]\nscheduler = ['local']\n")
        path = self.write("slipway.toml", "[cli.run]\nscheduler = 'local_dir'\n")
        self.assertIn(f"{path}:2:1: cli.run.scheduler: the site allows one of", self.refusal(self.app("true")))
        self.assertIn("--scheduler: cli.run.scheduler: the site allows",
                      self.refusal("-s", "local_cwd", self.app("true")))


class ShownLimits(SiteCase):
    """`config show` and `config explain` print the site's limits."""

    RULES = ("[site.maximum.scheduler.'*']\ngrace_s = 60\n[site.minimum.scheduler.local_cwd]\ngrace_s = 5\n"
             "backoff.max = 1\n[site.allowed.cli.run]\nscheduler = ['local_cwd']\n")

    def test_explain_prints_the_limits_of_a_key(self):
        self.site(self.RULES)
        shown = self.ok("config", "explain", "scheduler.local_cwd.grace_s")
        self.assertIn("  limit    at most 60  /etc/slipway/config.toml:2:1\n"
                      "  limit    at least 5  /etc/slipway/config.toml:4:1\n", shown.stdout)
        self.assertIn("limit    max: at least 1", self.ok("config", "explain", "scheduler.local_cwd.backoff").stdout)
        self.assertIn("one of [\"local_cwd\"]", self.ok("config", "explain", "cli.run.scheduler").stdout)
        self.assertNotIn("limit ", self.ok("config", "explain", "scheduler.local_cwd.log_dir").stdout)
        self.assertEqual(self.ok("config", "explain", "scheduler.local.grace_s", "--json").json["limits"],
                         [{"key": "scheduler.*.grace_s", "entry": None, "kind": "maximum", "value": 60,
                           "where": "/etc/slipway/config.toml:2:1", "file": "/etc/slipway/config.toml", "line": 2,
                           "column": 1}])

    def test_show_prints_all_limits(self):
        self.site(self.RULES)
        self.assertEqual(self.ok("config", "show").stdout,
                         "# Limits of the site:\n"
                         "# scheduler.*.grace_s: at most 60  # /etc/slipway/config.toml:2:1\n"
                         "# scheduler.local_cwd.grace_s: at least 5  # /etc/slipway/config.toml:4:1\n"
                         "# scheduler.local_cwd.backoff: max: at least 1  # /etc/slipway/config.toml:5:9\n"
                         "# cli.run.scheduler: one of [\"local_cwd\"]  # /etc/slipway/config.toml:7:1\n")
        self.assertEqual([each["kind"] for each in self.ok("config", "show", "--json").json["limits"]],
                         ["maximum", "minimum", "minimum", "allowed"])


class SharedLogDirectory(SiteCase):
    """A log directory that the site locks for all users."""

    def setUp(self):
        super().setUp()
        self.logs = self.root / "logs"
        self.logs.mkdir()
        self.logs.chmod(0o1777)
        self.site(f"[site.locked.scheduler.'*']\nlog_dir = '{self.logs}'\n")
        self.hello = self.app("echo out")
        self.hello.chmod(0o644)

    def test_each_user_gets_a_directory_below_a_sticky_log_directory(self):
        for user in (ADA, BOB, ADA, 0):
            with self.subTest(user=user):
                ran = self.as_user(user, "run", "-q", "--no-log", self.hello)
                self.assertEqual(ran.status, 0, ran)
                handle = ran.stdout.strip()
                name = "root" if user == 0 else str(user)
                log = self.logs / name / "slipway" / handle.rpartition("/")[2] / "w/0/stdout.log"
                self.assertEqual(log.read_text(), "out\n")
                self.assertEqual(log.stat().st_uid, user)
                self.assertIn("out", self.as_user(user, "log", handle).stdout)
                self.assertIn(str(log.parents[2]), self.as_user(user, "status", handle).stdout)
        self.assertEqual(sorted(each.name for each in self.logs.iterdir()), [str(ADA), str(BOB), "root"])

    def test_a_directory_of_the_user_that_another_user_created_is_refused(self):
        for made in ("directory", "link"):
            with self.subTest(made=made):
                level = self.logs / str(BOB)
                if made == "link":
                    level.symlink_to(self.home_of(BOB))
                else:
                    level.mkdir()
                os.chown(level, ADA, ADA, follow_symlinks=False)
                refused = self.as_user(BOB, "run", self.hello)
                self.assertEqual(refused.status, 73, refused)
                self.assertIn(str(level), refused.stderr)
                level.rmdir() if made == "directory" else level.unlink()

    def test_a_private_log_dir_has_no_directory_per_user(self):
        self.logs.chmod(0o755)
        handle = self.ok("run", "-q", "--no-log", self.hello).stdout.strip()
        self.assertTrue((self.logs / "slipway" / handle.rpartition("/")[2]).is_dir())


class ConfigCheck(SiteCase):
    """`config check FILE` reports mistakes before the file is installed."""

    def check(self, text, status, *arguments):
        """Returns (line, severity, message) of each problem that `config check` reports in a file with this text."""
        path = self.write("candidate.toml", text)
        result = self.expect(status, "config", "check", path, *arguments, "--json")
        document = result.json
        self.assertEqual(document["file"], str(path))
        return [(p["line"], p["severity"], p["message"]) for p in document["problems"]]

    def test_correct_file_has_no_problems(self):
        self.assertEqual(self.check("[scheduler.local_cwd]\ngrace_s = 1\n", 0), [])

    def test_mistakes_of_every_kind_are_reported_with_their_lines(self):
        found = self.check("[sheduler.x]\n[cli.run]\nwiat = true\nwait = 3\n[scheduler.local_cwd]\ngrace_s = 'x'\n", 78)
        self.assertEqual([(line, severity) for line, severity, _ in sorted(found)],
                         [(1, "error"), (3, "error"), (4, "error"), (6, "error")])
        text = self.run_slipway("config", "check", "candidate.toml")
        self.assertEqual(text.stdout.count("candidate.toml:"), 4, text)
        self.assertIn("errors: 4, warnings: 0", text.stderr)

    def test_keys_that_only_the_site_may_set_are_accepted_with_as_site(self):
        rules = ("[site]\ntrusted_owners = ['root', 0]\n[site.allowed.cli.run]\nscheduler = ['slurm']\n"
                 "[site.maximum.scheduler.'*']\ngrace_s = 60\n")
        self.assertIn("only the site's configuration", str(self.check(rules, 78)))
        self.assertEqual(self.check(rules, 0, "--as-site"), [])

    def test_contradictory_rules_are_reported(self):
        found = str(self.check("[site]\ntrusted_owners = ['no-such-user']\n"
                               "[site.allowed.scheduler.local_cwd]\ngrace_s = ['x']\nbackoff = [1]\n"
                               "[site.maximum.scheduler.local_cwd]\nlog_dir = 3\nno_such = 4\napp_timeout_s = 5\n"
                               "timeout_s = '1h'\nextra_paths = 1\nmax_parallel = 3\ngrace_s.x = 4\nimage = 'big'\n"
                               "[site.minimum.scheduler.local_cwd]\nmax_parallel = 4\n"
                               "[site.maximum.scheduler.slurm]\ntime = 90\nqos = 'low'\nsbatch = 'x'\n",
                               78, "--as-site"))
        for said in ("this machine has no user 'no-such-user'", "\"x\" is not a value of this option",
                     "the option is a table: name the key that is bounded, as in backoff.KEY",
                     "a time or a size in quotes such as \"1-02:00:00\", \"1h30m\" or \"64GiB\", not 3",
                     "not 90", "not \"low\"",
                     "the option is a number, and the bound \"1h\" is a string",
                     "the option is a list, which has no order", "the option is not a table and has no keys",
                     "no value is at least 4 and at most 3, as ", "name the key that is bounded, as in sbatch.KEY",
                     "the scheduler does not know this run option", "every run must set this option"):
            self.assertIn(said, found)
        self.check("[site.minimum.scheduler.local_cwd]\ngrace_s = 'x'\n", 78, "--as-site")
        self.check("[site.allowed.scheduler.local_cwd]\ngrace_s = []\n", 78, "--as-site")

    def test_of_the_cli_settings_only_the_scheduler_of_run_may_have_allowed_values(self):
        for section, key in (("cli.run", "parent"), ("cli.log", "scheduler"), ("cli", "profile")):
            with self.subTest(section):
                found = self.check(f"[site.allowed.{section}]\n{key} = ['x']\n", 78, "--as-site")
                self.assertIn("can limit only `scheduler`", str(found))

    def test_file_is_checked_against_the_sites_locks(self):
        self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 1\n")
        self.assertIn("the site allows only 1", str(self.check("[scheduler.local_cwd]\ngrace_s = 2\n", 78)))

    def test_the_broken_file_of_the_site_itself_can_be_checked(self):
        self.site("[sheduler.x]\n")
        for arguments in ([], ["--as-site"]):
            self.assertEqual(len(self.expect(78, "config", "check", "/etc/slipway/config.toml", *arguments,
                                             "--json").json["problems"]), 1)

    def test_the_sites_file_is_always_checked_as_such(self):
        self.site("[site.maximum.scheduler.local_cwd]\ngrace_s = 60\n")
        self.ok("config", "check", "/etc/slipway/config.toml")
        found = self.expect(78, "config", "check", self.write("new.toml", "[site.locked.cli]\nquiet = true\n"))
        self.assertIn("`slipway config check --as-site FILE` checks a file before it is installed there", found.stdout)

    def test_values_that_a_limit_forbids_are_reported(self):
        self.site("[site.maximum.scheduler.local_cwd]\ngrace_s = 20\nbackoff.max = 60\n"
                  "[site.allowed.cli.run]\nscheduler = ['local_cwd', 'slurm']\n")
        text = ("[scheduler.local_cwd]\ngrace_s = 50\nbackoff = { max = '61' }\n[cli.run]\nscheduler = 'local_dir'\n"
                "[profile.p.scheduler.'*']\ngrace_s = 40\n")
        said = [(2, "scheduler.local_cwd.grace_s", "the site allows at most 20, as /etc/slipway/config.toml:2:1 says"),
                (3, "scheduler.local_cwd.backoff", "max: the site allows at most 60"),
                (5, "cli.run.scheduler", "the site allows one of [\"local_cwd\", \"slurm\"]"),
                (7, "profile.p.scheduler.*.grace_s", "the site allows at most 20")]
        path = self.write("slipway.toml", text)
        for command in (["config", "check", path], ["plugin", "doctor"]):
            with self.subTest(command=command):
                problems = [p for p in self.expect(78, *command, "--json").json["problems"] if p["file"] == str(path)]
                self.assertEqual([(p["line"], p["key"]) for p in sorted(problems, key=lambda p: p["line"])],
                                 [(line, key) for line, key, _ in said], problems)
                for (_, _, message), problem in zip(said, sorted(problems, key=lambda p: p["line"])):
                    self.assertIn(message, problem["message"])
                    self.assertEqual(problem["severity"], "error")

    def test_a_section_of_a_scheduler_hides_that_of_every_scheduler(self):
        self.assertEqual(self.check("[site.maximum.scheduler.local_cwd]\ngrace_s = 30\n[scheduler.'*']\ngrace_s = 60\n"
                                    "[scheduler.local_cwd]\ngrace_s = 20\n", 0, "--as-site"), [])

    def test_rules_that_let_no_run_succeed_are_errors(self):
        for text, line, said in (
                ("[site.locked.scheduler.local_cwd]\ngrace_s = 60\n[site.maximum.scheduler.local_cwd]\ngrace_s = 30\n",
                 2, "not 60.0, so no run can succeed"),
                ("[scheduler.local_cwd]\ngrace_s = 60\n[site.maximum.scheduler.local_cwd]\ngrace_s = 30\n",
                 2, "the site allows at most 30"),
                ("[site.allowed.scheduler.local_cwd]\ngrace_s = [1, 50]\n[site.minimum.scheduler.'*']\ngrace_s = 10\n"
                 "[site.maximum.scheduler.local_cwd]\ngrace_s = 20\n",
                 2, "another limit excludes each of these values: the site allows at least 10, as "),
                ("[site.locked.cli.run]\nscheduler = 'slurm'\n[site.allowed.cli.run]\nscheduler = ['local_cwd']\n",
                 2, "so no run can succeed"),
                ("[site.allowed.cli.run]\nscheduler = ['local_cdw', 'slurn']\n",
                 2, "there is no scheduler 'local_cdw', and the site allows no other one, so no run can succeed"),
                ("[cli.run]\nscheduler = 'local_cdw'\n", 2, "there is no scheduler 'local_cdw'")):
            with self.subTest(text=text):
                found = self.check(text, 78, "--as-site")
                self.assertEqual(found[0][:2], (line, "error"), found)
                self.assertIn(said, found[0][2])
                self.assertNotIn("every run must set", str(found))

    def test_rules_without_effect_are_warnings(self):
        for text, line, said in (
                ("[site.locked.scheduler.'*']\nlog_dirr = '/x'\n", 2, "no scheduler of this machine has this"),
                ("[scheduler.'*']\ngrase_s = 3\n", 2, "no scheduler of this machine has this"),
                ("[site.maximum.scheduler.'*']\ngrase_s = 3\n", 2, "no scheduler of this machine has this"),
                ("[site.maximum.scheduler.local_cdw]\ngrace_s = 3\n", 2, "no plug-in provides a scheduler 'local_cdw'"),
                ("[site.allowed.cli.run]\nscheduler = ['local_cdw', 'slurm']\n", 2, "no scheduler 'local_cdw'"),
                ("[profile.p.cli.run]\nscheduler = 'elsewhere'\n", 2, "there is no scheduler 'elsewhere'"),
                ("[cli.list]\nscheduler = 'local_cdw'\n", 2, "there is no scheduler 'local_cdw'")):
            with self.subTest(text=text):
                found = self.check(text, 0, "--as-site")
                self.assertEqual([each[:2] for each in found], [(line, "warning")], found)
                self.assertIn(said, found[0][2])
        self.assertEqual(self.check("[scheduler.'*']\ngrace_s = 3\nstate_dir = '/x'\n", 0, "--as-site"), [])

    def test_a_missing_file_is_reported(self):
        self.expect_failure(66, "not_found", "config", "check", "nope.toml")
        self.expect_failure(66, "not_found", "config", "check", "n" * 300)
        self.assertIn("File name too long", self.run_slipway("config", "check", "n" * 300).stderr)


if __name__ == "__main__":
    unittest.main()
