"""Commands and configuration for plug-ins of a site: show, check, pin, configure, disable; locks."""

import hashlib
import os
import shutil
import subprocess
import unittest

from app_text import role
from slipway_case import LIMIT_S, TREE, SLIPWAY, Result, SlipwayCase

GENERIC = TREE / "lib" / "slipway" / "libslipway_generic.so"
FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


def manifest(extra="", library=GENERIC):
    """Returns a manifest of the plug-in org.slipway.generic with the lines `extra`."""
    return (f'[[plugin]]\nid = "org.slipway.generic"\nversion = "0.1.0"\nlibrary = "{library}"\n{extra}\n'
            f'[plugin.provides]\nnamed_resources = ["generic"]\n')


class PluginSite(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        self.site.mkdir(mode=0o755)
        self.file = self.site / "generic.toml"

    def configure(self, text):
        """Writes the user's configuration. Returns its path."""
        directory = self.config / "slipway"
        directory.mkdir(exist_ok=True)
        path = directory / "config.toml"
        path.write_text(text)
        return path

    def show(self, name, *arguments):
        """Returns the JSON document of `plugin show`."""
        return self.ok(*arguments, "plugin", "show", name, "--json").json

    # show, check, doctor -----------------------------------------------------------------------------------------

    def test_show_prints_the_manifest_and_the_configuration(self):
        self.file.write_text(manifest('license = "MIT"\nconfig = { size = 3 }'))
        shown = self.show("org.slipway.generic", "--plugin-path", self.site)
        self.assertEqual((shown["state"], shown["license"], shown["config"], shown["origin"]),
                         ("ok", "MIT", {"size": 3}, "flag"))
        self.assertEqual(shown["sha256"], hashlib.sha256(GENERIC.read_bytes()).hexdigest())
        self.assertEqual(len(shown["shadows"]), 1)
        self.assertIn("config", shown["shadows"][0]["difference"])
        text = self.ok("--plugin-path", self.site, "plugin", "show", "generic").stdout
        for part in ("org.slipway.generic", str(GENERIC), "MIT", "shadows", str(self.file)):
            self.assertIn(part, text)

    def test_show_of_an_unknown_plug_in_suggests_a_name(self):
        error = self.expect_failure(66, "not_found", "plugin", "show", "org.slipway.generik")
        self.assertEqual(error["hint"], "did you mean org.slipway.generic?")

    def test_an_unknown_name_hints_at_other_places_of_plug_ins(self):
        for command in (("plugin", "show", "nothing.like.it"), ("run", "-s", "nosuch", "--", "true"),
                        ("list", "-s", "nosuch"), ("status", "nosuch://slipway/app")):
            with self.subTest(command):
                error = self.expect_failure(66, "not_found", *command)
                self.assertIn("--plugin-path DIR|FILE or SLIPWAY_PLUGIN_PATH", error["hint"])

    def test_a_manifest_without_providers_is_reported_with_those_of_the_library(self):
        self.file.write_text(manifest().partition("[plugin.provides]")[0])
        (problem,) = self.ok("plugin", "check", self.file, "--json").json["problems"]
        message = "provides nothing, because the manifest lists no providers"
        hint = 'the library has these for [plugin.provides]: named_resources = ["generic"]'
        self.assertEqual(problem, {"file": str(self.file), "line": 1, "column": 1, "severity": "warning",
                                   "key": "org.slipway.generic", "message": message, "hint": hint})
        said = f"{self.file}:1:1: warning: org.slipway.generic: {message}"
        self.assertIn(f"{said}, {hint}\n", self.ok("plugin", "check", self.file).stdout)
        self.assertIn(f"{said}\n    {hint}\n", self.run_slipway("--plugin-path", self.site, "plugin", "doctor").stdout)

    def test_the_doctor_warns_once_of_an_unread_configuration_beside_a_directory_that_is_listed_twice(self):
        (self.site / "plugins.d").mkdir(mode=0o755)
        (self.site / "config.toml").write_text("")
        place = self.site / "plugins.d"
        result = self.ok("plugin", "doctor", env={"SLIPWAY_PLUGIN_PATH": f"{place}:{place}"})
        self.assertEqual(result.stdout.count("no command reads this file"), 1, result)
        self.assertIn("the only configuration file for all users is /etc/slipway/config.toml", result.stdout)

    def test_differences_of_the_library_are_reported_at_the_manifest(self):
        text = manifest().replace('"0.1.0"', '"9.9"').replace(
            '["generic"]', '[{ name = "generic", resources = ["cpu.small", "a100.full"] }]')
        self.file.write_text(text)
        found = self.ok("plugin", "check", self.file, "--json").json["problems"]
        self.assertEqual({each["file"] for each in found}, {str(self.file)})
        for each in found:
            self.assertNotIn("warning", each["message"])
            self.assertNotIn(str(self.file), each["message"])
            self.assertTrue(each["line"] and each["hint"], each)
        said = " ".join(each["message"] for each in found)
        self.assertIn("says 9.9, but the library", said)
        self.assertIn("does not have 'a100.full', which the manifest lists", said)
        self.assertIn("has 'cpu.medium', which `resources` in the manifest lacks", said)
        doctor = self.run_slipway("--plugin-path", self.site, "plugin", "doctor").stdout
        self.assertNotIn("correct it or remove it", doctor)
        self.assertRegex(doctor, rf"(?m)^{self.file}:\d+:\d+: warning: ")
        self.assertNotRegex(doctor, r"(?m)^warning: ")

    def test_a_resource_that_the_manifest_does_not_list_is_unknown_to_all_commands(self):
        self.file.write_text(manifest().replace('["generic"]', '[{ name = "generic", resources = ["cpu.small"] }]'))
        options = ("--plugin-path", self.site)
        names = self.ok(*options, "resource", "list", "--json").json
        self.assertEqual([name for name in names if name.startswith("cpu.")], ["cpu.small"])
        self.ok(*options, "resource", "show", "cpu.small")
        app = self.app(role("w", "true", resource="cpu.medium"))
        for command in (("resource", "show", "cpu.medium"), ("run", "-n", app)):
            with self.subTest(command=command):
                error = self.expect_failure(66, "not_found", *options, *command)
                self.assertIn("unknown resource 'cpu.medium'", error["message"])

    def test_output_of_a_plug_in_is_reported_at_its_manifest(self):
        env = {"SLIPWAY_FAULT": "resources_list_prints"}
        (problem,) = self.ok("plugin", "check", FAULTY, "--json", env=env).json["problems"]
        self.assertEqual((problem["file"], problem["severity"]), (str(FAULTY), "warning"))
        self.assertEqual(problem["message"], "prints to standard output or error: two resources")
        self.assertIn("author", problem["hint"])

    def test_check_prints_the_providers_of_a_library_and_the_problems_of_a_manifest(self):
        checked = self.ok("plugin", "check", GENERIC, "--json").json
        (library,) = checked["libraries"]
        self.assertEqual((library["id"], library["provides"]),
                         ("org.slipway.generic", ["slipway.named_resources/1 generic"]))
        self.file.write_text(manifest())
        self.assertEqual(self.ok("plugin", "check", self.file, "--json").json["problems"], [])
        self.file.write_text(manifest('abi = "9.0"\nlicence = "MIT"'))
        problems = self.expect(65, "plugin", "check", self.file, "--json").json["problems"]
        self.assertEqual([p["severity"] for p in problems], ["error", "warning"])
        self.expect(65, "plugin", "check", __file__)
        self.expect_failure(66, "not_found", "plugin", "check", self.site / "none.so")

    def test_library_that_ends_the_process_is_reported(self):
        source = self.site / "bad.c"
        source.write_text("#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { abort(); }\n")
        if shutil.which("cc") is None:
            self.skipTest("no C compiler")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.site / "bad.so", source], check=True, timeout=LIMIT_S)
        (problem,) = self.expect(65, "plugin", "check", self.site / "bad.so", "--json").json["problems"]
        self.assertIn("crashed (SIGABRT) in its constructors", problem["message"])
        self.file.write_text(manifest(library="bad.so").replace("org.slipway.generic", "org.example.bad"))
        result = self.expect(78, "--plugin-path", self.site, "plugin", "doctor")
        self.assertIn(f"{self.file}:1:1: org.example.bad: ", result.stdout)
        self.ok("--plugin-path", self.site, "resource", "show", "aws_t3.medium")

    # pins --------------------------------------------------------------------------------------------------------

    def test_a_library_that_matches_its_pin_is_used(self):
        digest = hashlib.sha256(GENERIC.read_bytes()).hexdigest()
        self.file.write_text(manifest(f'sha256 = "{digest.upper()}"'))
        self.assertEqual(self.show("generic", "--plugin-path", self.site)["state"], "ok")
        self.ok("--plugin-path", self.site, "resource", "show", "cpu.small")

    def test_a_library_that_differs_from_its_pin_is_refused(self):
        copy = self.site / "copy.so"
        shutil.copy(GENERIC, copy)
        digest = hashlib.sha256(GENERIC.read_bytes()).hexdigest()
        with open(copy, "ab") as library:
            library.write(b"more")
        self.file.write_text(manifest(f'sha256 = "{digest}"', "copy.so"))
        shown = self.show("generic", "--plugin-path", self.site)
        self.assertEqual(shown["state"], "error")
        self.assertIn(f"{self.file}:5:10", shown["error"])
        text = self.ok("--plugin-path", self.site, "plugin", "show", "generic").stdout
        self.assertIn(f"{shown['sha256']} (not the pinned one)", text)
        result = self.expect(66, "--plugin-path", self.site, "resource", "show", "cpu.small")
        self.assertIn(digest, result.stderr)
        self.assertIn("is not the one", self.expect(78, "--plugin-path", self.site, "plugin", "doctor").stdout)

    # configuration -----------------------------------------------------------------------------------------------

    def test_the_configuration_disables_a_plugin(self):
        path = self.configure('[plugins."org.slipway.local"]\nenabled = false\n')
        shown = self.show("org.slipway.local")
        self.assertEqual((shown["state"], shown["enabled"]), ("disabled", False))
        self.assertIn(f"{path}:2:1", shown["error"])
        error = self.expect_failure(66, "not_found", "run", self.app("true"))
        self.assertIn(f"disabled in {path}:2:1", error["message"])
        self.assertIn(f": disabled in {path}:2:1", self.ok("plugin", "list").stderr)
        self.write("slipway.toml", "[plugins.'org.slipway.local']\nenabled = true\n")
        self.ok("run", self.app("true"))

    def test_the_configuration_may_have_the_id_of_a_plugin_without_quotes(self):
        self.configure("[plugins.org.slipway.local]\nenabled = false\n")
        self.assertEqual(self.show("org.slipway.local")["state"], "disabled")

    def test_the_configuration_overrides_the_manifest(self):
        self.file.write_text(manifest("config = { size = 3, server = { host = 'a', port = 1 } }"))
        self.configure('[plugins."org.slipway.generic"]\nconfig.server.port = 2\nconfig.new = true\n')
        self.write("slipway.toml", '[plugins."org.slipway.generic".config]\nnew = false\n')
        shown = self.show("org.slipway.generic", "--plugin-path", self.site)
        self.assertEqual(shown["config"], {"size": 3, "server": {"host": "a", "port": 2}, "new": False})
        self.assertIn('[plugins."org.slipway.generic"]', self.ok("config", "show").stdout)

    def test_mistakes_in_the_configuration_of_plugins_are_reported(self):
        path = self.configure('[plugins."org.slipway.lokal"]\nenabled = false\n')
        self.assertIn("did you mean org.slipway.local?", self.ok("plugin", "doctor").stdout)
        for text, said in (("[plugins.'a.b']\nenabld = true\n", "did you mean enabled?"),
                           ("[plugins.'a.b']\nenabled = 'no'\n", "expected true or false"),
                           ("[plugins.'a.b']\nconfig = 7\n", "expected a table"),
                           ("[site.locked.cli.run]\nscheduler = 'x'\n", "only the site's configuration"),
                           ("plugins = 1\n", "expected a table")):
            with self.subTest(text=text):
                path.write_text(text)
                result = self.expect(78, "config", "show")
                self.assertRegex(result.stderr, rf"{path}:\d+:\d+: ")
                self.assertIn(said, result.stderr)


class Locks(SlipwayCase):
    """The path of the site's file is fixed, so each command runs with the test's own directory mounted at /etc."""

    SITE = """[scheduler.local_cwd]
grace_s = 7

[site.locked.scheduler.local_cwd]
log_dir = "/scratch/logs"

[site.locked.cli.run]
scheduler = "local_cwd"

[site.locked.plugins."org.slipway.generic"]
enabled = true
"""

    def setUp(self):
        super().setUp()
        self.etc = self.root / "etc"
        (self.etc / "slipway").mkdir(parents=True)
        self.etc.chmod(0o755)
        (self.etc / "slipway" / "config.toml").write_text(self.SITE)
        if self.enclosed("true").status != 0:
            self.skipTest("mount namespaces are forbidden here")

    def enclosed(self, *command):
        """Runs a command that has the test's directory as /etc. Returns its Result."""
        script = 'mount --bind "$0" /etc && exec "$@"'
        done = subprocess.run(["unshare", "--mount", "--propagation", "private", *([] if os.geteuid() == 0 else
                              ["--map-root-user"]), "sh", "-c", script, self.etc, *map(str, command)],
                              cwd=self.cwd, env=self.env, capture_output=True, timeout=LIMIT_S, check=False)
        return Result(command, done.returncode, done.stdout, done.stderr)

    def dryrun(self, status, *arguments):
        """Checks the exit status of a dry run. Returns its Result."""
        result = self.enclosed(SLIPWAY, "run", "-n", "--json", *arguments, self.app("true"))
        self.assertEqual(result.status, status, result)
        return result

    def test_options_replace_values_of_the_site_that_are_not_locked(self):
        cfg = self.dryrun(0).json["cfg"]
        self.assertEqual((cfg["log_dir"], cfg["grace_s"]), ("/scratch/logs", 7))
        self.assertEqual(self.dryrun(0, "-c", "grace_s=3").json["cfg"]["grace_s"], 3)

    def test_an_option_may_repeat_the_locked_value(self):
        self.write("slipway.toml", "[scheduler.local_cwd]\nlog_dir = '/scratch/logs'\n")
        self.dryrun(0, "-c", "log_dir=/scratch/logs", "-s", "local_cwd")

    def test_another_value_is_an_error_that_names_the_file(self):
        for arguments in (["-c", "log_dir=/mine"], ["-s", "local_dir"]):
            with self.subTest(arguments=arguments):
                error = self.json_error(self.dryrun(78, *arguments))
                self.assertEqual(error["code"], "config")
                self.assertIn("/etc/slipway/config.toml", error["message"] + (error["where"] or ""))
        for text in ("[scheduler.local_cwd]\nlog_dir = '/mine'\n", "[cli.run]\nscheduler = 'local_dir'\n",
                     "[plugins.'org.slipway.generic']\nenabled = false\n"):
            with self.subTest(text=text):
                path = self.write("slipway.toml", text)
                error = self.json_error(self.dryrun(78))
                self.assertIn(f"{path}:2:1", error["message"])
                self.assertIn("/etc/slipway/config.toml:", error["message"])
        self.write("slipway.toml", "")
        self.env["SLIPWAY_CFG"] = "log_dir=/mine"
        error = self.json_error(self.dryrun(78))
        self.assertIn("the site allows only", error["message"])
        self.assertIn("SLIPWAY_CFG", error["message"] + (error["where"] or ""))

    def test_a_profile_cannot_change_a_locked_value(self):
        path = self.write("slipway.toml", "[cli]\nprofile = 'p'\n[profile.p.scheduler.local_cwd]\nlog_dir = '/mine'\n")
        error = self.json_error(self.dryrun(78))
        self.assertIn(f"{path}:4:1: scheduler.local_cwd.log_dir: the site allows only", error["message"])

    def test_config_show_marks_locked_values(self):
        result = self.enclosed(SLIPWAY, "config", "show")
        self.assertRegex(result.stdout, r'log_dir = "/scratch/logs"  # site, locked: /etc/slipway/config.toml:5:1')
        result = self.enclosed(SLIPWAY, "config", "explain", "scheduler.local_cwd.log_dir")
        self.assertRegex(result.stdout, r'\n  site, locked  "/scratch/logs"  /etc/slipway/config.toml:5:1')

    def test_the_configuration_of_a_plugin_is_merged_key_by_key(self):
        site = ('[plugins."org.slipway.slurm"]\nconfig.a = 1\nconfig.b = 2\n'
                '[site.locked.plugins."org.slipway.slurm"]\nconfig.c = 3\n')
        (self.etc / "slipway" / "config.toml").write_text(site)
        self.write("slipway.toml", '[plugins."org.slipway.slurm"]\nconfig.b = 9\nconfig.d.e = 4\n')
        project, etc = self.cwd / "slipway.toml", "/etc/slipway/config.toml"
        shown = self.enclosed(SLIPWAY, "config", "show").stdout
        self.assertEqual(shown, f'''[plugins."org.slipway.slurm"]
config.a = 1  # site: {etc}:2:8
config.b = 9  # project: {project}:2:8
config.c = 3  # site, locked: {etc}:5:8
config.d.e = 4  # project: {project}:3:10
''')
        whole = {"a": 1, "b": 9, "c": 3, "d": {"e": 4}}
        self.assertEqual(self.enclosed(SLIPWAY, "plugin", "show", "slurm", "--json").json["config"], whole)
        key = "plugins.org.slipway.slurm.config"
        explained = self.enclosed(SLIPWAY, "config", "explain", key, "--json").json
        self.assertEqual((explained["key"], explained["value"], explained["origin"]), (key, whole, "project"))
        self.assertEqual([(each["origin"], each["locked"], each["value"]) for each in explained["layers"]],
                         [("project", False, {"b": 9, "d": {"e": 4}}), ("site", True, {"c": 3}),
                          ("site", False, {"a": 1, "b": 2})])
        explained = self.enclosed(SLIPWAY, "config", "explain", key + ".b", "--json").json
        self.assertEqual([(each["origin"], each["value"]) for each in explained["layers"]],
                         [("project", 9), ("site", 2)])
        self.write("slipway.toml", '[plugins."org.slipway.slurm"]\nconfig.c = 5\n')
        result = self.enclosed(SLIPWAY, "config", "show")
        self.assertEqual(result.status, 78, result)
        self.assertIn(f"{project}:2:8: {key}.c: the site allows only 3, as {etc}:5:8 says", result.stderr)


if __name__ == "__main__":
    unittest.main()
