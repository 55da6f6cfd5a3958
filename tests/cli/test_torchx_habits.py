"""What users of TorchX type by habit: its names of options and commands, its trackers and variables."""

import unittest

from app_text import role
from slipway_case import SlipwayCase


class TorchxHabits(SlipwayCase):
    def test_options_in_the_spelling_of_torchx_are_accepted(self):
        app = self.app(role("w", "echo hello"))
        for words in (["-cfg", "grace_s=3"], ["--scheduler_args", "grace_s=3"], ["--scheduler_args=grace_s=3"],
                      ["-s", "local_cwd", "-cfg", "grace_s=3", "--parent_run_id", "p"]):
            with self.subTest(words=words):
                self.assertEqual(self.ok("--json", "run", "--dryrun", *words, app).json["cfg"]["grace_s"], 3.0)
                # The options may also follow the file.
                self.assertEqual(self.ok("--json", "run", "--dryrun", app, *words).json["cfg"]["grace_s"], 3.0)
        self.assertIn("w/0 hello", self.ok("run", "-d", "--tee_logs", app).stderr)
        self.assertEqual(self.ok("log", "--streams", "stdout", "--no_prefix", "@last").lines, ["hello"])

    def test_words_of_components_and_programs_are_not_translated(self):
        self.assertIn("--scheduler_args --tee_logs", self.ok(
            "run", "utils.sh", "echo", "--", "--scheduler_args", "--tee_logs").stderr)
        self.assertIn("-cfg --a_b", self.ok("run", "--", "echo", "-cfg", "--a_b").stderr)

    def test_an_unknown_option_keeps_its_spelling_in_the_message(self):
        self.assertIn("--no_such", self.expect(64, "run", "--no_such", "x.toml").stderr)

    def test_other_names_of_commands_are_answered_with_the_right_one(self):
        for word, command in (("builtins", "slipway component list"), ("configure", "slipway config init"),
                              ("ps", "slipway list"), ("logs", "slipway log"), ("stop", "slipway cancel"),
                              ("submit", "slipway run -d"), ("tracker", "trackers"), ("top", "slipway list"),
                              ("watch", "slipway events -f")):
            self.assertIn(command, self.expect(64, word).stderr)

    def test_tail_of_a_log_is_answered_with_follow(self):
        for words in (("-t", "@last"), ("--tail", "@last"), ("-n", "5", "@last"), ("--lines=5", "@last")):
            with self.subTest(words):
                self.assertIn("-f follows an app, and --tail N starts with", self.expect(64, "log", *words).stderr)
        self.assertIn("write --regex", self.expect(64, "log", "--grep", "x", "@last").stderr)

    def test_a_component_runs_on_local_without_an_image(self):
        self.assertIn("echo", self.ok("run", "-n", "-s", "local", "utils.echo").stdout)
        made = self.ok("--json", "run", "-n", "-s", "local", "dist.ddp", "--script", "train.py").json
        self.assertEqual([role["image"] for role in made["app"]["roles"]], [""])
        handle = self.ok("run", "-s", "local", "utils.echo", "--msg", "hi").stdout.strip()
        self.ok("rerun", handle)
        self.assertIn("no-such-image", self.expect(65, "run", "-s", "local", "utils.echo", "--image",
                                                   "no-such-image").stderr)
        # Other schedulers may need the image.
        self.assertNotEqual(self.ok("--json", "run", "-n", "utils.echo").json["app"]["roles"][0]["image"], "")

    def test_replicas_get_the_context_and_the_trackers_of_torchxconfig(self):
        self.write(".torchxconfig", "[torchx:tracker]\nfsspec =\nmy_tracker = module:fn\n\n"
                                    "[tracker:fsspec]\nconfig = /data/100%%\n[tracker:unused]\nconfig = x\n")
        variables = ("CONTEXT_NAME", "TRACKERS", "TRACKER_FSSPEC_CONFIG", "TRACKER_MY_TRACKER_CONFIG",
                     "TRACKER_UNUSED_CONFIG")
        app = self.app(role("w", "; ".join(f"echo {name}=${{TORCHX_{name}-none}}" for name in variables)))
        self.assertEqual(self.ok("run", app).stderr.replace("w/0 ", "").split(),
                         ["CONTEXT_NAME=cli_run", "TRACKERS=fsspec,my_tracker", "TRACKER_FSSPEC_CONFIG=/data/100%",
                          "TRACKER_MY_TRACKER_CONFIG=none", "TRACKER_UNUSED_CONFIG=none"])
        env = {"TORCHX_TRACKERS": "fsspec", "TORCHX_CONTEXT_NAME": "mine"}
        self.assertEqual(self.ok("run", app, env=env).stderr.replace("w/0 ", "").split()[:3],
                         ["CONTEXT_NAME=mine", "TRACKERS=fsspec", "TRACKER_FSSPEC_CONFIG=/data/100%"])

    def test_trackers_in_toml_reach_the_replicas(self):
        self.write("slipway.toml", "[tracker.fsspec]\nconfig = \"/runs\"\n")
        app = self.app(role("w", "echo $TORCHX_TRACKERS $TORCHX_TRACKER_FSSPEC_CONFIG"))
        self.assertIn("w/0 fsspec /runs", self.ok("run", app).stderr)
        self.assertIn("[tracker.fsspec]\nconfig = \"/runs\"", self.ok("config", "show").stdout)
        self.write("slipway.toml", "[tracker.fsspec]\nconfg = \"/runs\"\n")
        self.assertIn("did you mean config?", self.expect(78, "run", app).stderr)


if __name__ == "__main__":
    unittest.main()
