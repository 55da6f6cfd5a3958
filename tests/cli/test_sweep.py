"""run --sweep: an app for each combination of parameters, as one group."""

import os
import shutil
import signal
import unittest

from slipway_case import TREE, SlipwayCase
from slurm_stand_in_case import SlurmStandIn

FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"

COMPONENT = """
[component.train]
help = "Trains."
[component.train.params.lr]
type = "float"
[component.train.params.seed]
type = "int"
default = 1
[component.train.params.text]
default = "-"
[component.train.app]
name = "train"
metadata = { kind = "test" }
[[component.train.app.roles]]
name = "w"
entrypoint = "sh"
args = ["-c", '''SCRIPT''']
"""
# The start of each script: notes the parameters in the file `started`.
NOTE_START = "echo {{lr}} {{seed}} {{text}} >> started; "
GRID = ("-P", "lr=0.5,0.25", "-P", "seed=1..3")
# The lines of `started` after a sweep over GRID.
ALL = [f"{lr} {seed} -" for lr in (0.5, 0.25) for seed in (1, 2, 3)]


class Sweep(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.component("true")

    def component(self, script):
        """Writes sweep.toml, whose component runs this script."""
        self.write("sweep.toml", COMPONENT.replace("SCRIPT", NOTE_START + script))

    def started_apps(self):
        """Returns the lines that the scripts wrote when they started."""
        path = self.cwd / "started"
        return path.read_text().splitlines() if path.exists() else []

    def sweep_of(self, result):
        """Returns the id of the sweep, which the last message names."""
        return result.stderr.splitlines()[-1].rpartition(" ")[2]

    def listed(self, sweep):
        """Returns the apps of the sweep, as `list` shows them."""
        return self.ok("list", "--json", "--table", sweep).json["apps"]

    # in the foreground -----------------------------------------------------------------------------------------------

    def test_each_combination_is_an_app_with_its_labels(self):
        result = self.ok("run", "sweep.toml", "--sweep", *GRID)
        sweep = self.sweep_of(result)
        self.assertEqual(sorted(self.started_apps()), sorted(ALL))
        apps = self.listed(sweep)
        self.assertEqual([app["handle"] for app in apps], result.lines)
        self.assertEqual([(app["labels"]["lr"], app["labels"]["seed"]) for app in apps],
                         [(lr, seed) for lr in ("0.5", "0.25") for seed in "123"])
        self.assertEqual({app["labels"]["kind"] for app in apps}, {"test"})
        self.assertEqual({app["state"] for app in apps}, {"SUCCEEDED"})
        self.assertIn("6 apps: 6 SUCCEEDED", result.stderr)

    def test_table_shows_parameters_beside_states_exits_and_use(self):
        self.component("exit {{seed}}")
        result = self.run_slipway("run", "sweep.toml", "--sweep", "-P", "lr=0.5", "-P", "seed=0..1")
        table = self.ok("list", "--table", self.sweep_of(result)).lines
        self.assertEqual(table[0].split(),
                         ["HANDLE", "STATE", "DURATION", "EXIT", "CPU", "MEMORY", "kind", "lr", "seed"])
        cells = [line.split() for line in table[1:]]
        self.assertEqual([(row[1], row[4]) for row in cells], [("SUCCEEDED", "0"), ("FAILED", "1")])
        self.assertEqual([row[-3:] for row in cells], [["test", "0.5", "0"], ["test", "0.5", "1"]])
        self.assertGreater(self.listed(self.sweep_of(result))[0]["max_rss_bytes"], 0)

    def test_a_long_list_without_details_is_in_the_order_of_the_grid(self):
        result = self.ok("run", "-q", "sweep.toml", "--sweep", "--max-parallel", "8",
                         "-P", "lr=0.5", "-P", "seed=1..101")
        sweep = self.ok("list", "--json", "--all", "--limit", "1", "--full").json["apps"][0]["labels"]["sweep"]
        apps = self.ok("list", "--json", sweep).json["apps"]
        self.assertEqual([app["handle"] for app in apps], result.lines)
        self.assertEqual({app["labels"] for app in apps}, {None})  # no details were queried

    def test_a_sweep_that_does_not_exist_is_not_found(self):
        self.ok("run", "--no-log", self.app("true"))
        handle = "local_cwd://slipway/sweep-nosuch"
        for words in (("list", "sweep-nosuch"), ("list", "--table", "nosuch"), ("list", handle)):
            error = self.expect_failure(66, "not_found", *words)
            self.assertIn(f"there is no sweep '{words[-1]}'", error["message"])

    def test_exit_status_is_that_of_the_first_failure(self):
        self.component("exit {{seed}}")
        result = self.expect(7, "run", "sweep.toml", "--sweep", "--max-parallel", "1", "-P", "lr=0.5",
                             "-P", "seed=0,7,8")
        self.assertRegex(result.stderr, r"warning: lr=0.5 seed=7 FAILED: train-\w+: w/0 exited with 7")
        self.assertIn("3 apps: 2 FAILED, 1 SUCCEEDED", result.stderr)

    def test_json_is_one_document(self):
        self.component("exit {{seed}}")
        document = self.expect(1, "--json", "run", "sweep.toml", "--sweep", "-P", "lr=0.5", "-P", "seed=0..1").json
        self.assertEqual([(app["params"], app["state"], app["exit_status"]) for app in document["apps"]],
                         [({"lr": "0.5", "seed": "0"}, "SUCCEEDED", 0), ({"lr": "0.5", "seed": "1"}, "FAILED", 1)])
        self.assertEqual([app["handle"] for app in self.listed(document["sweep"])],
                         [app["handle"] for app in document["apps"]])

    def test_json_is_one_document_if_an_app_cannot_be_started(self):
        self.write("image.toml", '[component.c.params.x]\n[component.c.app]\nname = "c"\n'
                                 '[[component.c.app.roles]]\nname = "w"\nimage = "{{x}}"\nentrypoint = "true"\n')
        result = self.run_slipway("--json", "run", "-s", "local_dir", "image.toml", "--sweep",
                                  "-P", f"x={self.cwd},/no/such")
        document = result.json
        self.assertEqual((result.status, document["error"]["code"]), (65, "invalid"), result)
        self.assertIn("the app with x=/no/such: ", document["error"]["message"])
        self.assertEqual([app["state"] for app in document["apps"]], ["SUCCEEDED", None])
        self.assertEqual(result.stderr.count("the app with x=/no/such: "), 1, result)

    def test_an_invalid_app_has_its_problems_in_the_document(self):
        words = ("--json", "run", "sweep.toml", "-P", "lr=0.5", "--set", "roles.w.num_replicas=x")
        one = self.expect(65, *words).json["error"]
        result = self.expect(65, *words, "--sweep")
        error = result.json["error"]
        self.assertEqual((error["problems"], error["where"]), (one["problems"], one["where"]))
        self.assertEqual(error["problems"][0]["key"], "roles[0].num_replicas")
        self.assertIn("error: the app with lr=0.5:\n", result.stderr)

    def test_the_reason_of_a_failed_start_is_printed_while_other_apps_run(self):
        gate = self.gate()
        self.write("image.toml", '[component.c.params.x]\n[component.c.app]\nname = "c"\n'
                                 '[[component.c.app.roles]]\nname = "w"\nimage = "{{x}}"\nentrypoint = "sh"\n'
                                 f'args = ["-c", "read go < {self.cwd}/gate"]\n')
        with open(self.cwd / "messages", "wb") as messages:
            process = self.start("run", "-s", "local_dir", "image.toml", "--sweep", "-P", f"x={self.cwd},/no/such",
                                 stderr=messages)
        self.eventually(lambda: "no more apps are started" in (self.cwd / "messages").read_text(), "it is a failure")
        self.assertIn("the app with x=/no/such: ", (self.cwd / "messages").read_text())
        self.assertEqual(len(self.ok("list", "--json").json["apps"]), 1)  # the other app runs
        self.open_gate(gate)
        self.assertEqual(self.finish(process).status, 65)
        self.assertEqual((self.cwd / "messages").read_text().count("/no/such: "), 1)

    def test_no_more_apps_run_at_once_than_asked_for(self):
        gate = self.gate()
        self.component("read go < gate")
        process = self.start("run", "sweep.toml", "--sweep", "--max-parallel", "2", *GRID)
        for done in range(5):
            self.eventually(lambda k=done: len(self.started_apps()) == k + 2, f"{done + 2} apps have started")
            self.assertEqual(len(self.ok("list", "--json").json["apps"]), 2)
            self.open_gate(gate)
        self.open_gate(gate)
        self.assertEqual(self.finish(process).status, 0)
        self.assertEqual(sorted(self.started_apps()), sorted(ALL))

    def test_an_interrupt_cancels_all_apps_and_starts_no_more(self):
        self.component("exec sleep 1000")
        process = self.start("run", "sweep.toml", "--sweep", "--max-parallel", "2", *GRID)
        self.eventually(lambda: len(self.started_apps()) == 2, "two apps have started")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        self.assertIn("6 apps: 2 CANCELLED, 4 not started", result.stderr)
        self.assertEqual(len(self.started_apps()), 2)
        self.assert_nothing_lives()

    def test_apps_end_with_a_command_that_is_killed(self):
        self.component("exec sleep 1000")
        process = self.start("run", "sweep.toml", "--sweep", *GRID)
        self.eventually(lambda: len(self.started_apps()) == 6, "all apps have started")
        process.kill()
        self.assert_nothing_lives()

    def test_an_app_whose_record_is_deleted_leaves_the_others_alone(self):
        gate = self.gate()
        self.component("read go < gate")
        process = self.start("--json", "run", "sweep.toml", "--sweep", "--max-parallel", "2", "-P", "lr=0.5",
                             "-P", "seed=1..3")
        self.eventually(lambda: len(self.started_apps()) == 2, "two apps have started")
        [deleted] = [app["handle"] for app in self.ok("list", "--json", "--label", "seed=1").json["apps"]]
        process.send_signal(signal.SIGSTOP)  # so that it finds neither the end nor the record of the app
        self.ok("delete", "--force", deleted)
        process.send_signal(signal.SIGCONT)
        self.eventually(lambda: len(self.started_apps()) == 3, "the third app has started")
        self.open_gate(gate, 2)
        result = self.finish(process)
        self.assertEqual([(app["state"], app["exit_status"]) for app in result.json["apps"]],
                         [(None, 66), ("SUCCEEDED", 0), ("SUCCEEDED", 0)], result)
        self.assertEqual(result.status, 66, result)
        app_id = deleted.rpartition("/")[2]
        self.assertRegex(result.stderr, f"warning: the app with lr=0.5 seed=1: the app {app_id} .*was deleted")
        self.assertIn("3 apps: 2 SUCCEEDED, 1 lost", result.stderr)

    @unittest.skipUnless(FAULTY.is_file(), "the tree that is tested was not built here")
    def test_a_submission_that_the_scheduler_cancels_is_an_error_of_that_app(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(FAULTY), SLIPWAY_FAULT="schedule_cancels_itself")
        self.write("c.toml", '[component.c.params.x]\n[component.c.app]\nname = "c"\n[[component.c.app.roles]]\n'
                             'name = "w"\nimage = "/"\nentrypoint = "true"\nargs = ["{{x}}"]\n')
        result = self.expect(130, "run", "-s", "faulty", "c.toml", "--sweep", "-P", "x=1,2")
        self.assertIn("the app with x=1: the cluster cancelled the submission", result.stderr)
        self.assertNotIn("^C", result.stderr)

    def test_a_warning_that_all_apps_have_is_printed_once(self):
        result = self.ok("run", "sweep.toml", "--sweep", "--set", "roles.w.resource.memMB=10", *GRID)
        self.assertEqual(result.stderr.count("ignores resource.memMB"), 1, result)

    # in the background -----------------------------------------------------------------------------------------------

    def test_a_detached_sweep_is_an_app_itself(self):
        self.component("exit {{seed}}")
        sweep = self.ok("run", "-d", "sweep.toml", "--sweep", "--max-parallel", "2", "-P", "lr=0.5", "-P",
                        "seed=0,4").stdout.strip()
        self.expect(4, "wait", sweep)
        apps = self.listed(sweep)
        self.assertEqual([app["exit_status"] for app in apps], [0, 4])
        self.assertIn("2 apps: 1 FAILED, 1 SUCCEEDED", self.ok("log", sweep).stdout)

    def test_run_options_of_the_configuration_do_not_end_a_detached_sweep(self):
        self.component("sleep 0.3")
        self.write("slipway.toml", "[scheduler.local_cwd]\ntimeout_s = 1\napp_timeout_s = 1\n")
        sweep = self.ok("run", "-d", "sweep.toml", "--sweep", "--max-parallel", "1", *GRID).stdout.strip()
        self.ok("wait", sweep)
        self.assertEqual(self.started_apps(), ALL)

    def test_cancelling_a_detached_sweep_cancels_its_apps(self):
        self.component("exec sleep 1000")
        sweep = self.ok("run", "-d", "sweep.toml", "--sweep", "--max-parallel", "2", *GRID).stdout.strip()
        self.eventually(lambda: len(self.started_apps()) == 2, "two apps have started")
        self.ok("cancel", sweep)
        self.assertEqual([app["state"] for app in self.listed(sweep)], ["CANCELLED"] * 2)
        self.assertEqual(len(self.started_apps()), 2)
        self.assert_nothing_lives()

    def test_a_sweep_continues_after_its_process_was_killed(self):
        gate = self.gate()
        self.component("read go < gate")
        sweep = self.ok("run", "-d", "sweep.toml", "--sweep", "--max-parallel", "2", *GRID).stdout.strip()
        self.eventually(lambda: len(self.started_apps()) == 2, "two apps have started")
        self.eventually(lambda: self.replicas_of(sweep)["sweep/0"]["state"] == "RUNNING", "the sweep runs")
        os.kill(self.replicas_of(sweep)["sweep/0"]["pid"], signal.SIGKILL)
        self.eventually(lambda: self.replicas_of(sweep)["sweep/0"]["restarts"] == 1, "the sweep is started again")
        self.open_gate(gate, 6)
        self.ok("wait", sweep)
        self.assertEqual(sorted(self.started_apps()), sorted(ALL))
        self.assertEqual({app["state"] for app in self.listed(sweep)}, {"SUCCEEDED"})

    # before the start ------------------------------------------------------------------------------------------------

    def test_dry_run_prints_the_grid(self):
        result = self.ok("run", "-n", "sweep.toml", "--sweep", *GRID)
        self.assertEqual(result.lines, [f"lr={lr} seed={seed}" for lr in (0.5, 0.25) for seed in (1, 2, 3)])
        document = self.ok("--json", "run", "-n", "sweep.toml", "--sweep", *GRID).json
        self.assertEqual(document["apps"][5]["params"], {"lr": "0.25", "seed": "3"})
        self.assert_no_app()

    def test_nothing_starts_if_one_app_is_wrong(self):
        error = self.expect_failure(64, "usage", "run", "sweep.toml", "--sweep", "-P", "lr=0.5,much")
        self.assertIn("lr", error["message"])
        self.assertIn("the app with lr=much", error["message"])
        self.assert_no_app()

    def test_parameter_with_the_name_of_the_label_of_a_sweep_is_refused(self):
        self.write("label.toml", COMPONENT.replace("params.text", "params.sweep").replace("SCRIPT", "true"))
        error = self.expect_failure(64, "usage", "run", "label.toml", "--sweep", "-P", "lr=1", "-P", "sweep=a,b")
        self.assertIn("label 'sweep' of its own", error["message"])
        self.assert_no_app()

    def test_invalid_words_of_a_sweep_are_usage_errors(self):
        for words, what in (
            (("--sweep", "-P", "lr"), "expected NAME=VALUES"),
            (("--sweep", "-P", "lr=0.5,"), "a value is empty"),
            (("--sweep", "-P", "lr=0.5,0.5"), "'0.5' is given twice"),
            (("--sweep", "-P", "text='a"), "not closed"),
            (("--sweep", "-P", "seed=1..20000"), "more than 10000 values"),
            (("--sweep", "-P", "seed=1..200", "-P", "lr=1..200"), "more than 10000 apps"),
            (("--max-parallel", "2"), "--max-parallel requires --sweep"),
        ):
            with self.subTest(what):
                error = self.expect_failure(64, "usage", "run", *words, "sweep.toml")
                self.assertIn(what, error["message"])
        error = self.expect_failure(64, "usage", "run", "--sweep", "--", "echo", "x")
        self.assertIn("--sweep is for the parameters of a component", error["message"])
        error = self.expect_failure(64, "usage", "run", "--sweep", "-P", "lr=1,2", self.app("true"))
        self.assertIn("has no parameters", error["message"])
        self.assert_no_app()

    # the sweep of the file -------------------------------------------------------------------------------------------

    def add_sweep_table(self, text='lr = [0.5, 0.25]\nseed = "1..3"\n'):
        with open(self.cwd / "sweep.toml", "a", encoding="utf-8") as file:
            file.write("[component.train.sweep]\n" + text)

    def grid(self, *words):
        """Returns the lines of a dry run: one with the parameters of each app."""
        return self.ok("run", "-n", "--sweep", *words).lines

    def test_file_has_the_values_of_its_sweep(self):
        self.add_sweep_table()
        self.assertEqual(self.grid("sweep.toml"), [f"lr={lr} seed={seed}" for lr in (0.5, 0.25) for seed in (1, 2, 3)])
        self.ok("run", "--sweep", "sweep.toml")
        self.assertEqual(sorted(self.started_apps()), sorted(ALL))

    def test_command_line_replaces_values_of_the_file_and_adds_others(self):
        self.add_sweep_table()
        self.assertEqual(self.grid("sweep.toml", "-P", "text=a,b", "-P", "lr=1"),
                         [f"lr=1 seed={seed} text={text}" for seed in (1, 2, 3) for text in "ab"])
        self.assertEqual(self.grid("sweep.toml:train", "--seed", "7"), ["lr=0.5", "lr=0.25"])
        one = self.ok("run", "-n", "--sweep", "sweep.toml", "-P", "lr=1", "-P", "seed=2")
        self.assertIn("slipway: 1 app\n", one.stderr)

    def test_without_sweep_the_values_of_the_file_do_nothing(self):
        self.add_sweep_table()
        self.ok("run", "sweep.toml", "-P", "lr=0.125")
        self.assertEqual(self.started_apps(), ["0.125 1 -"])

    def test_mistakes_of_the_file_have_a_place(self):
        self.add_sweep_table('lrr = [0.5]\nseed = [1.5]\n')
        error = self.expect_failure(65, "invalid", "run", "--sweep", "sweep.toml")
        self.assertEqual([(one["line"], one["column"], one["key"]) for one in error["problems"]],
                         [(19, 1, "component.train.sweep.lrr"), (20, 9, "component.train.sweep.seed[0]")])
        self.assertIn("did you mean lr?", self.expect(65, "lint", "sweep.toml").stdout)
        self.write("app.toml", 'name = "a"\n[sweep]\nlr = [1]\n[[roles]]\nname = "w"\nentrypoint = "true"\n')
        self.assertIn("app.toml:2:2: error: sweep: unknown key, a sweep belongs to a component: [component.NAME.sweep]",
                      self.expect(65, "lint", "app.toml").stdout)

    def test_component_show_and_help_print_the_sweep(self):
        self.add_sweep_table('seed = "1..10"\nlr = [0.5]\n')
        for words in (("component", "show", "sweep.toml"), ("run", "sweep.toml:train", "--help"),
                      ("run", "--sweep", "sweep.toml:train", "--help")):
            with self.subTest(words):
                self.assertIn("with --sweep:\n  seed=1,2,3,4,5,6,7,8,… (10 values) lr=0.5\n", self.ok(*words).stdout)
        shown = self.ok("component", "show", "--json", "sweep.toml").json["sweep.toml:train"]["sweep"]
        self.assertEqual(shown, {"seed": [str(seed) for seed in range(1, 11)], "lr": ["0.5"]})

    def test_a_sweep_prints_no_events_and_no_logs_of_its_apps(self):
        error = self.expect_failure(64, "usage", "run", "--events", "--sweep", "sweep.toml", "-P", "lr=1")
        self.assertIn("--sweep prints no events", error["message"])
        self.assert_no_app()
        result = self.ok("run", "--log", "--sweep", "sweep.toml", "-P", "lr=1")
        sweep = self.sweep_of(result)
        self.assertIn(f"warning: a sweep shows no logs: slipway log -f --label sweep={sweep}\n", result.stderr)

    def test_values_after_a_component_belong_to_the_component(self):
        result = self.expect(64, "run", "--sweep", "utils.echo", "-P", "msg=a,b")
        self.assertIn("write -P lr=0.1,0.01 before a component", result.stderr)

    def test_a_sweep_without_values_is_refused(self):
        for words in (("sweep.toml",), (self.app("true"),), ("-",)):
            with self.subTest(words):
                error = self.expect_failure(64, "usage", "run", "--sweep", *words)
                self.assertIn("--sweep needs values of parameters", error["message"])
        self.assert_no_app()

    def test_values_in_quotes_stay_as_they_are(self):
        self.ok("run", "sweep.toml", "--sweep", "-P", "lr=0.5", "-P", "text='a,b',\"1..2\",''")
        self.assertEqual(sorted(self.started_apps()), ["0.5 1", "0.5 1 1..2", "0.5 1 a,b"])


class SweepOnSlurm(SlurmStandIn, SlipwayCase):
    """A sweep on a cluster. Its process starts again after a kill, with the id of the sweep in SLIPWAY_SWEEP, as the
    process of a detached sweep does."""

    def setUp(self):
        super().setUp()
        self.write("sweep.toml", COMPONENT.replace("SCRIPT", "true"))
        self.words = ("--json", "run", "-s", "slurm", "sweep.toml", "--sweep", "-P", "lr=0.5")

    def fail_in(self, *commands):
        """Replaces commands of Slurm by ones that fail. Their calls are in `calls`, without their arguments."""
        for command in commands:
            (self.bin / command).unlink()
            self.write(self.bin / command, '#!/bin/sh\necho "${0##*/}" >> "$STAND_IN/calls"\n'
                                           "echo Unable to contact slurm controller >&2\nexit 1\n").chmod(0o755)

    def test_an_app_without_a_run_record_is_found_after_a_kill(self):
        sweep = self.ok(*self.words).json["sweep"]
        shutil.rmtree(self.state / "slipway" / "runs")  # a kill during the submission leaves no run record
        self.look_like("104")
        self.fail_in("sbatch")
        result = self.ok(*self.words, env={"SLIPWAY_SWEEP": sweep})
        self.assertEqual([app["state"] for app in result.json["apps"]], ["SUCCEEDED"], result)
        self.assertEqual(len(self.calls("sbatch")), 1)

    def test_no_app_starts_if_the_scheduler_cannot_list_those_of_the_sweep(self):
        self.fail_in("squeue", "sacct", "sbatch")
        result = self.run_slipway(*self.words, env={"SLIPWAY_SWEEP": "sweep-x"})
        self.assertEqual(result.status, 75, result)
        self.assertEqual(self.calls("sbatch"), [])
        error = self.json_error(result)
        self.assertIn("cannot find the apps that this sweep has started: ", error["message"])
        self.assertIn("slipway list sweep-x", error["hint"])


if __name__ == "__main__":
    unittest.main()
