"""Paths in configuration files: home directory, variables, shared log directories, other state directories."""

import json
import os
import subprocess
import unittest

from site_case import SiteCase

ADA, BOB = 4711, 4712  # uids of two ordinary users


class PathsOfFiles(SiteCase):
    def cfg(self, text, *arguments):
        """Returns the run options of a dry run with the project's configuration `text`."""
        self.write("slipway.toml", text)
        return self.ok("run", "-n", "--json", *arguments, self.app("true")).json["cfg"]

    def test_home_and_variables_are_expanded(self):
        self.env.update(USER="ada", SCRATCH="/scratch")
        for written, meant in (("~/logs", f"{self.root}/logs"), ("~", f"{self.root}"),
                               ("$HOME/logs", f"{self.root}/logs"),
                               ("/data/$USER/logs", "/data/ada/logs"), ("${SCRATCH}/${USER}s", "/scratch/adas"),
                               ("/a$$b", "/a$b"), ("relative/~", "relative/~")):
            with self.subTest(written=written):
                self.assertEqual(self.cfg(f"[scheduler.local_cwd]\nlog_dir = '{written}'\n")["log_dir"], meant)
        self.assertEqual(self.cfg("[scheduler.local_cwd]\nextra_paths = ['~/bin', '$SCRATCH/bin']\n")["extra_paths"],
                         [f"{self.root}/bin", "/scratch/bin"])
        self.write(".torchxconfig", "[local_cwd]\nextra_paths = ~/a;$SCRATCH/b\n")
        self.assertEqual(self.cfg("")["extra_paths"], [f"{self.root}/a", "/scratch/b"])

    def test_a_workspace_is_expanded(self):
        (self.root / "project").mkdir()
        self.write("slipway.toml", "[cli.run]\nworkspace = '~/project'\n")
        shown = self.ok("run", "-n", "--json", "-s", "local", self.app("true")).json
        self.assertEqual(shown["workspace"]["source"], f"{self.root}/project")

    def test_the_account_replaces_missing_variables(self):
        for name in ("HOME", "USER"):
            self.env.pop(name, None)
        shown = self.cfg("[scheduler.local_cwd]\nlog_dir = '~/$USER'\n")
        account = subprocess.run(["getent", "passwd", "0"], capture_output=True, check=True,
                                 text=True).stdout.split(":")
        self.assertEqual(shown["log_dir"], f"{account[5]}/{account[0]}")

    def test_path_that_cannot_be_expanded_is_an_error_with_its_place(self):
        for written, message in (("/x/$NO_SUCH_VARIABLE", "the environment has no variable 'NO_SUCH_VARIABLE'"),
                              ("~bob/logs", "only ~ and ~/ are expanded"), ("/x/${open", "a variable is written"),
                              ("/x/$", "a variable is written")):
            with self.subTest(written=written):
                path = self.write("slipway.toml", f"[scheduler.local_cwd]\nlog_dir = '{written}'\n")
                result = self.expect(78, "run", self.app("true"))
                self.assertIn(f"{path}:2:1: scheduler.local_cwd.log_dir: {message}", result.stderr)
        self.ok("list")
        self.assert_no_app()

    def test_tildes_and_dollars_in_defaults_of_components_are_kept(self):
        self.write("slipway.toml", "[component.'utils.echo']\nmsg = '~ $HOME'\n")
        shown = self.ok("run", "-n", "--json", "utils.echo").json
        self.assertIn("~ $HOME", shown["app"]["roles"][0]["args"])

    def test_a_literal_tilde_in_a_path_is_refused(self):
        app = self.app("true")
        for option, path in (("log_dir=~/logs", "~/logs"), ("extra_paths=/a;~/b", "~/b")):
            with self.subTest(option=option):
                message = self.expect_failure(65, "invalid", "run", "-c", option, app)["message"]
                self.assertIn(f": '{path}' starts with '~'", message)
        self.assertIn("starts with '~'", self.expect(65, "run", app, env={"SLIPWAY_CFG": "log_dir=~/logs"}).stderr)
        request = {"component_name": "utils.echo", "scheduler": "local_cwd", "scheduler_args": {"log_dir": "~/logs"}}
        self.assertIn("starts with '~'", self.expect(65, "run", "--stdin", stdin=json.dumps(request).encode()).stderr)
        self.assertFalse((self.cwd / "~").exists())
        self.assert_no_app()


class SharedLogs(SiteCase):
    def test_a_locked_log_dir_below_a_sticky_directory_serves_every_user(self):
        scratch = self.root / "scratch"
        scratch.mkdir()
        scratch.chmod(0o1777)
        self.site(f"[site.locked.scheduler.'*']\nlog_dir = '{scratch}/$USER'\n")
        app = self.app("echo hello from $USER")
        app.chmod(0o644)
        for user, name in ((ADA, "ada"), (BOB, "bob"), (ADA, "ada")):
            with self.subTest(name=name):
                result = self.as_user(user, "run", app, name=name)
                self.assertEqual(result.status, 0, result)
                self.assertIn(f"hello from {name}", result.stderr)
        self.assertEqual(sorted(each.name for each in scratch.iterdir()), ["ada", "bob"])
        self.assertEqual(len(list((scratch / "ada" / "slipway").iterdir())), 2)


    def test_user_is_the_account_in_the_sites_file(self):
        with open(self.etc / "passwd", "a", encoding="utf-8") as passwd:
            passwd.write(f"adaslogin:x:{ADA}:{ADA}::/nonexistent:/bin/false\n")
        self.site("[site.locked.scheduler.local_cwd]\nlog_dir = '/scratch/$USER'\n"
                  "[scheduler.local_dir]\nlog_dir = '/scratch/${USER}s'\n")
        app = self.app("true")
        app.chmod(0o644)
        for name in ("bob", "../../tmp/ada", ""):
            for scheduler, meant in (("local_cwd", "/scratch/adaslogin"), ("local_dir", "/scratch/adaslogins")):
                with self.subTest(name=name, scheduler=scheduler):
                    shown = self.as_user(ADA, "run", "-n", "--json", "-s", scheduler, app, name=name)
                    self.assertEqual(shown.json["cfg"]["log_dir"], meant, shown)
        # In other files it is the variable.
        self.site("")
        self.write("slipway.toml", "[scheduler.local_cwd]\nlog_dir = '/data/$USER'\n").chmod(0o644)
        own = self.as_user(ADA, "run", "-n", "--json", "-c", "grace_s=1", app, name="bob")
        self.assertEqual(own.json["cfg"]["log_dir"], "/data/bob", own)


class StateDirectories(SiteCase):
    def test_a_scheduler_keeps_its_records_in_the_configured_directory(self):
        kept = self.root / "kept"
        self.env["NAME"] = "ada"
        self.site(f"[scheduler.local_cwd]\nstate_dir = '{kept}/$NAME'\n")
        self.gate()
        handle = self.ok("run", "-d", self.app("echo hello; read go < gate")).stdout.strip()
        app_id = handle.rsplit("/", 1)[1]
        self.assertTrue((kept / "ada" / "local" / "slipway" / app_id).is_dir())
        self.assertFalse(self.state.exists() and any(self.state.glob("slipway/local/*/*")))
        other = self.ok("run", "-s", "local_dir", "--no-log", "-q", self.app("true", file="other.toml")).stdout.strip()
        self.assertTrue(self.app_dir(other).is_dir())
        known = {each["handle"] for each in self.ok("list", "--all", "--json").json["apps"]}
        self.assertLessEqual({handle, other}, known)
        for arguments in (["status", handle], ["status", app_id], ["describe", handle], ["cancel", "--now", handle],
                          ["wait", "--timeout", "60", "--for", "CANCELLED", handle], ["log", handle]):
            self.ok(*arguments)
        self.ok("delete", handle)
        self.assertFalse((kept / "ada" / "local" / "slipway" / app_id).exists())

    def test_a_setting_for_all_schedulers_applies_to_each(self):
        self.site(f"[scheduler.'*']\nstate_dir = '{self.root}/kept'\n")
        for scheduler in ("local_cwd", "local_dir"):
            self.ok("run", "-s", scheduler, "--no-log", "-q", self.app("true"))
        self.assertEqual(len(list((self.root / "kept" / "local" / "slipway").glob("app-*"))), 2)

    def test_a_setting_for_all_schedulers_in_a_higher_layer_wins(self):
        self.site(f"[scheduler.local_cwd]\nstate_dir = '{self.root}/low'\n")
        high = self.write("high.toml", f"[scheduler.'*']\nstate_dir = '{self.root}/high'\n")
        self.ok("run", "--config", high, "--no-log", "-q", self.app("true"))
        self.assertEqual(len(list((self.root / "high" / "local" / "slipway").glob("app-*"))), 1)
        self.assertFalse((self.root / "low").exists())

    def test_a_relative_directory_is_refused(self):
        path = self.write("slipway.toml", "[scheduler.local_cwd]\nstate_dir = 'here'\n")
        result = self.expect(78, "run", self.app("true"))
        self.assertIn(f"{path}:2:1: scheduler.local_cwd.state_dir: expected an absolute path", result.stderr)
        self.assertIn("slipway: warning: ", self.ok("list").stderr)
        self.expect(78, "config", "check", path)

    def test_state_dir_is_a_known_setting(self):
        path = self.write("candidate.toml", f"[scheduler.local_cwd]\nstate_dir = '{self.root}/kept'\n")
        self.assertEqual(self.ok("config", "check", path, "--json").json["problems"], [])

    def test_the_doctor_warns_of_records_on_a_network_file_system(self):
        def problems():
            return [p for p in self.run_slipway("plugin", "doctor", "--json").json["problems"]
                    if "network file system" in p["message"]]
        self.assertEqual(problems(), [])
        device = os.stat(self.root).st_dev
        mounts = self.root / "mountinfo"
        mounts.write_text(f"30 1 {os.major(device)}:{os.minor(device)} / / rw shared:1 - nfs4 server:/home rw\n")
        script = 'mount --bind "$0" /proc/$$/mountinfo && exec "$@"'
        self.wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, str(mounts)]
        (found,) = problems()
        self.assertEqual((found["severity"], found["file"]), ("warning", str(self.state / "slipway")))
        self.assertIn("(nfs4)", found["message"])
        for name in ("local", "local_cwd", "local_dir"):
            self.assertIn(f"[scheduler.{name}]", found["hint"])


if __name__ == "__main__":
    unittest.main()
