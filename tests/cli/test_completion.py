"""`slipway completion`: the script in a real bash, and the hidden command behind it."""

import os
import shutil
import signal
import subprocess
import unittest

from opened_files import OpenedFiles
from slipway_case import LIMIT_S, SLIPWAY, TREE, SlipwayCase
from typed_bash import TypedBash

FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"
# The usual value of bash's COMP_WORDBREAKS: the characters at which readline divides words.
BREAKS = " \t\n\"'@><=;|&(:"
RESOURCES = "[named_resources.'site.big']\ncpu = 4\n[named_resources.'site.bigger']\ncpu = 8\n"
COMPONENTS = """[component.train]
help = "Trains"
[component.train.params]
script = { help = "what to run" }
epochs = { type = "int", default = 1 }
[[component.train.app.roles]]
name = "w"
entrypoint = "{{script}}"
args = ["{{epochs}}"]
[component.evaluate]
[[component.evaluate.app.roles]]
name = "w"
entrypoint = "true"
"""


class CompletionCase(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.env["PATH"] = f"{SLIPWAY.parent}:{self.env['PATH']}"

    def candidates(self, *words, **options):
        """Returns the candidates for the last word. `words` lacks the command's name."""
        result = self.ok("__complete", "words", *words, **options)
        self.assertEqual(result.stderr, "", result)
        return [line.split("\t")[0] for line in result.lines]


class Bash(CompletionCase):
    def setUp(self):
        super().setUp()
        self.bash = TypedBash("source <(slipway completion bash)", self.root, self.cwd, self.env, LIMIT_S)
        self.addCleanup(self.bash.close)

    def becomes(self, typed, line):
        """Checks that Tab after the text `typed` changes the line to `line`."""
        self.assertEqual(self.bash.line_after(typed + "\t"), line)

    def offered(self, typed):
        """Returns the words of the line after bash has inserted all candidates in place of the last word."""
        return self.bash.line_after(typed + "\x18a").split()  # typed_bash.py binds ^X a to insert-completions

    def test_commands_flags_and_fixed_words_are_completed(self):
        self.becomes("slipway stat", "slipway status ")
        self.becomes("slipway plugin doc", "slipway plugin doctor ")
        self.becomes("slipway run --dry", "slipway run --dryrun ")
        self.becomes("slipway --log-level=tr", "slipway --log-level=trace ")
        self.becomes("slipway log --stream stdo", "slipway log --stream stdout ")
        self.becomes("slipway -v list --state SUC", "slipway -v list --state SUCCEEDED ")
        self.becomes("slipway completion f", "slipway completion fish ")
        self.becomes("slipway nonsense x", "slipway nonsense x")
        self.assertEqual(self.offered("slipway con"), ["slipway", "config"])

    def test_schedulers_and_their_run_options_are_completed(self):
        self.becomes("slipway run -s local_di", "slipway run -s local_dir ")
        self.becomes("slipway run --scheduler=local_di", "slipway run --scheduler=local_dir ")
        self.becomes("slipway run -slocal_di", "slipway run -slocal_dir ")
        self.becomes("slipway run -s=local_di", "slipway run -s=local_di")  # run would refuse `=local_dir`
        self.becomes("slipway run -s local_dir -c log_d", "slipway run -s local_dir -c log_dir=")
        self.becomes("slipway run -c grace_s=1,fail", "slipway run -c grace_s=1,fail_fast=")
        self.becomes("slipway run -c grace_s=1,fail_fast=t", "slipway run -c grace_s=1,fail_fast=true ")
        self.becomes("slipway run --cfg=log_d", "slipway run --cfg=log_dir=")
        self.becomes("slipway run -s default -c log_d", "slipway run -s default -c log_dir=")
        self.becomes("slipway run -s no_such -c log", "slipway run -s no_such -c log")
        self.becomes("slipway runopts slu", "slipway runopts slurm ")
        self.becomes("slipway run -s slurm -c part", "slipway run -s slurm -c partition=")

    def test_handles_and_ids_of_known_apps_are_completed(self):
        handle = self.detach(self.app("sleep 600", name="alive"))
        done = self.detach(self.app("true", name="done"))
        self.ok("wait", handle, "--for", "RUNNING")
        self.ok("wait", done)
        alive_id, done_id = handle.rsplit("/", 1)[1], done.rsplit("/", 1)[1]
        self.becomes("slipway status al", f"slipway status {alive_id} ")
        self.becomes("slipway log @l", "slipway log @last ")
        self.becomes("slipway status local_c", "slipway status local_cwd://slipway/")
        self.becomes("slipway log local_cwd://slipway/do", f"slipway log {done} ")
        self.becomes("slipway log 'local_cwd://slipway/do", f"slipway log '{done}' ")
        # After `cancel`, only running apps are completed; after `delete`, only those that have ended.
        self.becomes("slipway cancel do", "slipway cancel do")
        self.becomes("slipway delete al", "slipway delete al")
        self.becomes("slipway delete do", f"slipway delete {done_id} ")
        self.ok("cancel", "--now", handle)

    def test_resources_plugins_profiles_and_keys_are_completed(self):
        directory = self.config / "slipway" / "resources.d"
        directory.mkdir(parents=True)
        (directory / "site.toml").write_text(RESOURCES)
        self.write("slipway.toml", "[profile.nightly.scheduler.local_cwd]\ngrace_s = 1\n")
        self.becomes("slipway resource show site.b", "slipway resource show site.big")
        self.assertEqual(self.offered("slipway resource show site.b")[3:], ["site.big", "site.bigger"])
        self.becomes("slipway resource show gpu.sm", "slipway resource show gpu.small ")
        self.becomes("slipway plugin show org.slipway.gen", "slipway plugin show org.slipway.generic ")
        self.becomes("slipway run --profile n", "slipway run --profile nightly ")
        self.becomes("slipway config explain cli.run.sch", "slipway config explain cli.run.scheduler ")
        self.becomes("slipway config explain scheduler.local_di", "slipway config explain scheduler.local_dir.")
        self.becomes("slipway config explain scheduler.local_dir.fail",
                     "slipway config explain scheduler.local_dir.fail_fast ")

    def test_the_profile_on_the_line_is_used(self):
        self.write("slipway.toml", "[profile.cluster.cli.run]\nscheduler = 'slurm'\n")
        self.assertNotIn("partition=", self.candidates("run", "-c", "part"))
        self.assertIn("partition=", self.candidates("run", "--profile", "cluster", "-c", "part"))

    def test_components_and_their_parameters_are_completed(self):
        self.write("train.toml", COMPONENTS)
        self.becomes("slipway run utils.ec", "slipway run utils.echo ")
        self.becomes("slipway run utils.echo --m", "slipway run utils.echo --msg ")
        # TorchX's spellings of --cfg
        for option in ("-cfg", "--scheduler_args"):
            self.becomes(f"slipway run -s local_cwd {option} grace_s=1 utils.ec",
                         f"slipway run -s local_cwd {option} grace_s=1 utils.echo ")
        self.assertEqual(self.candidates("run", "--", "--m"), [])
        self.write("slipway.toml", "[cli.run]\ncomponent = \"utils.echo\"\n")
        self.assertEqual(self.candidates("run", "--", "--m"), ["--msg"])
        self.assertEqual(self.candidates("run", "--", "--msg", "hi", "--im"), ["--image"])
        (self.cwd / "slipway.toml").unlink()
        self.becomes("slipway component show dist.d", "slipway component show dist.ddp ")
        self.becomes("slipway run train.toml:t", "slipway run train.toml:train ")
        self.becomes("slipway run train.toml:train --ep", "slipway run train.toml:train --epochs ")
        self.becomes("slipway run train.toml:train --s", "slipway run train.toml:train --script ")

    def test_file_names_are_completed_with_quotes(self):
        self.app("true", file="my app.toml")
        (self.cwd / "deep" / "er").mkdir(parents=True)
        self.write("deep/er/x$y.json", "{}")
        self.write("deep/er/notes.txt", "")
        self.becomes("slipway run my", r"slipway run my\ app.toml ")
        self.becomes("slipway run 'my", "slipway run 'my app.toml' ")
        self.becomes("slipway run de", "slipway run deep/")
        self.becomes("slipway run deep/er/", r"slipway run deep/er/x\$y.json ")
        self.becomes("slipway --config deep/er/n", "slipway --config deep/er/notes.txt ")

    def test_only_the_part_before_the_cursor_is_completed(self):
        back_to_the_end_of_stat = "\x1bb\x1bb\x1bf"
        self.becomes("slipway stat @last" + back_to_the_end_of_stat, "slipway status @last")

    def test_a_command_after_other_words_of_the_shell_is_completed(self):
        self.becomes("true && slipway stat", "true && slipway status ")
        self.becomes("A=1 slipway stat", "A=1 slipway status ")


class HiddenCommand(CompletionCase):
    def test_help_does_not_show_the_hidden_command(self):
        self.assertNotIn("__complete", self.ok("--help").stdout)
        self.assertIn("completion", self.ok("--help").stdout)

    def test_candidates_have_descriptions(self):
        self.assertIn("status\tShow the state of an app and its replicas", self.ok("__complete", "words", "st").lines)
        self.assertIn("status", self.candidates(""))
        self.write("train.toml", COMPONENTS)
        self.assertIn("train.toml", self.candidates("run", ""))

    def test_P_offers_the_parameters_of_the_only_component_of_the_file_before_it(self):
        self.write("one.toml", COMPONENTS.split("[component.evaluate]")[0])
        self.assertEqual(self.candidates("run", "-P", ""), [])
        self.assertEqual(self.candidates("run", "one.toml", "-P", ""), ["epochs=", "script="])

    def test_completion_never_fails_and_prints_no_message(self):
        for arguments in ((), ("bash",), ("bash", "slipway run '", BREAKS), ("bash", "", ""), ("words",), ("fish", "x"),
                          ("bash", "slipway run -s", BREAKS), ("words", "run", "-c", "x", "\xff"),
                          ("words", "--plugin-path", "/nonexistent", "run", "-s", "")):
            with self.subTest(arguments=arguments):
                result = self.ok("__complete", *arguments)
                self.assertEqual(result.stderr, "", result)

    def test_broken_files_cost_only_their_own_candidates(self):
        (self.config / "slipway" / "plugins.d").mkdir(parents=True)
        (self.config / "slipway" / "plugins.d" / "broken.toml").write_text("[[plugin]\n")
        (self.config / "slipway" / "config.toml").write_text("not toml\n")
        self.write("slipway.toml", "[profile.mine.cli]\nquiet = 3\n[cli]\nprofile = 'none'\n")
        self.write("app.toml", "][")
        self.assertIn("local_cwd", self.candidates("run", "-s", ""))
        self.assertEqual(self.candidates("run", "--profile", ""), ["mine"])
        self.assertEqual(self.candidates("run", "app.toml:"), [])

    def test_plug_ins_that_options_of_the_line_name_are_found(self):
        # The built-in plug-ins are always used.
        self.assertIn("local_cwd", self.candidates("--no-plugins", "run", "-s", ""))
        file = self.write("r.toml", RESOURCES)
        for flag, found in (("--no-plugins=false", ["site.big", "site.bigger"]), ("--no-plugins", [])):
            self.assertEqual(self.candidates(flag, "--plugin-path", file, "resource", "show", "site."), found)

    def test_an_unknown_shell_is_refused(self):
        error = self.expect_failure(64, "usage", "completion", "tcsh")
        self.assertIn("bash, zsh and fish", error["hint"])
        self.expect(64, "completion")

    def test_scripts_are_well_formed(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.ok("completion", shell).out
            if shutil.which(shell) is None:
                continue
            done = subprocess.run([shell, "-n"], input=script, capture_output=True, timeout=LIMIT_S, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""), shell)

    def test_only_needed_files_are_opened(self):
        directory = self.config / "slipway" / "plugins.d"
        libraries = self.root / "lib"
        directory.mkdir(parents=True)
        libraries.mkdir()
        shutil.copy(TREE / "lib" / "slipway" / "libslipway_generic.so", libraries / "mine.so")
        (directory / "mine.toml").write_text(f"[[plugin]]\nid = 'org.example.mine'\nlibrary = '{libraries}/mine.so'\n"
                                             "provides = { schedulers = ['mine'], named_resources = [{ name = 'own', "
                                             "entry = 'generic' }] }\n")
        with OpenedFiles(directory) as manifests, OpenedFiles(libraries) as loaded:
            for arguments in (("--help",), ("run", "--help"), ("completion", "bash"), ("__complete", "words", "st"),
                              ("__complete", "words", "run", "--dr"), ("__complete", "words", "list", "--state", "")):
                self.ok(*arguments)
                self.assertEqual(manifests.names(), set(), arguments)
            self.assertIn("mine", self.candidates("run", "-s", ""))
            self.assertIn("org.example.mine", self.candidates("plugin", "show", ""))
            self.assertIn("mine.toml", manifests.names())
            self.assertEqual(loaded.names(), set())
            self.candidates("resource", "show", "")
            self.assertEqual(loaded.names(), {"mine.so"})

    def test_clusters_are_not_queried(self):
        programs = self.root / "bin"
        programs.mkdir()
        for name in ("squeue", "sacct", "sinfo", "scontrol", "sbatch", "scancel"):
            (programs / name).write_text(f"#!/bin/sh\ntouch {self.root}/asked\n")
            (programs / name).chmod(0o755)
        env = {"PATH": f"{programs}:{self.env['PATH']}"}
        for words in (("status", ""), ("status", "slurm://"), ("cancel", "x"), ("run", "-s", "slurm", "-c", ""),
                      ("config", "explain", "scheduler.slurm.")):
            self.candidates(*words, env=env)
            self.assertFalse((self.root / "asked").exists(), words)

    def test_a_fifo_in_place_of_a_file_is_not_read(self):
        os.mkfifo(self.cwd / "app.toml")
        self.assertEqual(self.candidates("run", "app.toml:"), [])

    @unittest.skipUnless(FAULTY.is_file(), "the tree that is tested was not built here")
    def test_the_limit_of_a_completion_holds_after_the_start_of_a_plug_in(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(FAULTY), SLIPWAY_FAULT="components_list_hangs")
        completion = self.start("__complete", "words", "run", "faulty.run", "--")
        self.eventually(lambda: self.catches_alarms(completion.pid), "the start of the plug-in is limited")
        # The signal of the alarm() that limits a completion ends the command without a message, despite the handler.
        completion.send_signal(signal.SIGALRM)
        result = self.finish(completion)
        self.assertEqual((result.status, result.stdout, result.stderr), (128 + signal.SIGALRM, "", ""))

    def catches_alarms(self, pid):
        """Returns whether a process has a handler of SIGALRM."""
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            caught = next(line.split()[1] for line in file if line.startswith("SigCgt:"))
        return int(caught, 16) >> (signal.SIGALRM - 1) & 1 == 1


if __name__ == "__main__":
    unittest.main()
