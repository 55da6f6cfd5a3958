"""Plug-ins that crash, hang, end the process or print: commands survive them, and name each of them.

test_hanging_schedulers.py tests a chosen scheduler that hangs."""

import json
import signal
import socket
import unittest
from pathlib import Path

from app_text import app_toml, role
from slipway_case import TREE, SlipwayCase

LIBRARIES = TREE.parent / "tests" / "bad_plugins" / "plugins"
# Long enough for every good plug-in on a machine under load.
PATIENCE = ("--plugin-timeout", "20")
# For plug-ins that hang, which use all of the time.
HANG_S = 8
SHORT_PATIENCE = ("--plugin-timeout", str(HANG_S))
DOCTOR_PATIENCE = ("--plugin-timeout", "5")  # `doctor` gives each plug-in twice this time

# {library, named after the harm that it does: end of the report about it in `list`}
CRASHES = {
    "crash_in_list": "crashed (SIGSEGV) in list",
    "abort_in_list": "crashed (SIGABRT) in list",
    "overflow_in_list": "crashed (SIGSEGV) in list",
    "exit_in_list": "exit status 3 in list",
    "end_in_list": "exit status 3 in list",
    "crash_in_constructor": "crashed (SIGSEGV) in its constructors",
    "exit_in_constructor": "exit status 3 in its constructors",
    "crash_in_init": "crashed (SIGSEGV) in init",
    "crash_in_create": "crashed (SIGSEGV) in create",
    "exit_in_create": "exit status 3 in create",
}
HANGS = ("hang_in_constructor", "hang_in_init", "hang_in_create", "hang_in_list")
# `doctor` reports one problem of each.
HARMS = (*CRASHES, *HANGS, "crash_in_run_opts", "throw_in_list", "print_in_list")
# Libraries that the host does not load, or whose plug-in it does not use: the plug-ins of extra_export and
# empty_descriptor have another id than the manifest of install() says.
REFUSED = ("wrong_magic", "major_2", "newer_minor", "other_draft", "small_descriptor", "broken_providers",
           "failing_init", "silent_init", "undefined_symbol", "no_symbol", "exports_v2", "needs_library",
           "extra_export", "empty_descriptor", "small_provider", "program_pie", "program_no_pie", "object")


@unittest.skipUnless(LIBRARIES.is_dir(), "the tree that is tested was not built here")
class BadPlugins(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.config / "slipway" / "plugins.d"
        self.site.mkdir(parents=True)

    def install(self, *names, provides=None):
        """Writes a manifest for each library. `provides` is the text of the manifest's table [plugin.provides]; if it
        is None, the table has a scheduler and named resources with the name of the library."""
        for name in names:
            table = provides or f'schedulers = ["{name}"]\nnamed_resources = ["{name}"]'
            (self.site / f"{name}.toml").write_text(
                f'[[plugin]]\nid = "org.bad.{name}"\nversion = "1.2.0"\nlibrary = "{LIBRARIES}/{name}.so"\n'
                f"[plugin.provides]\n{table}\n")

    def sized(self, resource):
        """Writes an app file whose role has this named resource. Returns its path."""
        return self.write("app.toml", app_toml("app", role("w", "true")) + f'resource = "{resource}"\n')

    def warnings_of(self, result, name):
        """Returns the lines about the plug-in of one library."""
        return [line for line in result.stderr.splitlines() if f"org.bad.{name} " in line]

    def assert_one_warning_each(self, result, reports):
        """Checks that the command printed one warning about each plug-in, which ends with its report
        and the consequence."""
        for name, report in reports.items():
            (warning,) = self.warnings_of(result, name)
            self.assertIn("warning: ", warning)
            self.assertTrue(warning.endswith(report + ", continuing without it"), warning)

    # commands that ask every plug-in ---------------------------------------------------------------------------------

    def test_list_skips_schedulers_that_crash_or_end_the_process(self):
        handle = self.detach(self.app("true"))
        self.install(*CRASHES)
        result = self.ok(*PATIENCE, "list", "--all", "--json")
        self.assertEqual([app["handle"] for app in result.json["apps"]], [handle])
        self.assertEqual({error["scheduler"] for error in result.json["errors"]}, set(CRASHES))
        self.assert_one_warning_each(result, CRASHES)
        self.assertIn("org.bad.crash_in_list 1.2.0 crashed", result.stderr)

    def test_newest_app_is_found_without_bad_plug_ins(self):
        handle = self.detach(self.app("true"))
        self.install(*CRASHES)
        self.assertEqual(self.ok(*PATIENCE, "status", "@last", "--json").json["handle"], handle)

    def test_run_options_and_settings_of_good_plug_ins_are_shown(self):
        self.install("crash_in_run_opts", "crash_in_create")
        for command in (["runopts", "--json"], ["config", "show", "--all"]):
            result = self.ok(*PATIENCE, *command)
            self.assertIn("log_dir", result.stdout)
            self.assert_one_warning_each(result, {"crash_in_run_opts": "crashed (SIGSEGV) in run_opts",
                                                  "crash_in_create": "crashed (SIGSEGV) in create"})

    def test_an_option_that_a_silent_scheduler_may_have_is_not_called_unknown(self):
        file = self.write("candidate.toml", '[scheduler."*"]\njob_dir = "/x"\n')  # two letters from log_dir
        self.write(self.config / "slipway" / "config.toml", '[plugins."org.slipway.slurm"]\nenabled = false\n')
        check = (*PATIENCE, "config", "check", "--json", file)
        [problem] = self.ok(*check).json["problems"]
        self.assertIn("no scheduler of this machine has this run option", problem["message"])
        self.install("crash_in_run_opts")
        [problem] = self.ok(*check).json["problems"]
        self.assertEqual(problem["message"], "no scheduler that answers has this run option")
        self.assertIn("did you mean log_dir?", problem["hint"])

    def test_exception_is_reported_as_a_failure_of_its_plug_in(self):
        self.install("throw_in_list")
        result = self.ok(*PATIENCE, "list", "--json")
        self.assertIn("org.bad.throw_in_list 1.2.0 threw an exception out of list", result.stderr)

    def test_newest_app_and_prefixes_come_with_a_warning_if_a_scheduler_failed(self):
        handle = self.detach(self.app("true"))
        self.ok("wait", handle)
        self.install("throw_in_list")
        for text in ("@last", handle.rpartition("/")[2][:-1]):
            with self.subTest(text):
                result = self.ok(*PATIENCE, "status", text)
                self.assertIn("throw_in_list could not be queried: ", result.stderr)
                self.assertIn(handle, result.stdout)

    def test_commands_skip_plug_ins_that_hang(self):
        handle = self.detach(self.app("true"))
        self.ok("wait", handle)
        self.install(*HANGS)
        self.install("print_in_list")
        sized = self.sized("print_in_list.small")
        # All of them wait for the plug-ins that hang, so they run at the same time.
        running = {command: self.start(*SHORT_PATIENCE, *command) for command in
                  (("status", "@last"), ("run", "-n", sized), ("resource", "list"),
                   ("resource", "show", "print_in_list.small"))}
        for command, process in running.items():
            with self.subTest(command=command):
                result = self.finish(process)
                self.assertEqual(result.status, 0, result)
                for name in HANGS:
                    self.assertIn(f"org.bad.{name} did not answer within {HANG_S} s", result.stderr)
        # A command with a handle asks only the plug-in of its scheduler.
        self.assertNotIn("org.bad", self.ok("status", handle).stderr)

    # named resources -------------------------------------------------------------------------------------------------

    def test_a_name_that_a_manifest_lists_loads_no_other_provider(self):
        self.install(*HARMS)
        for name in ("cpu.small", "aws_t3.medium", "host.half"):
            result = self.ok("run", "-n", "--json", self.sized(name))
            self.assertNotIn("org.bad", result.stderr)
        self.install("print_in_list", provides='named_resources = [{ name = "print_in_list", '
                                               'resources = ["print_in_list.*"] }]')
        result = self.ok("run", "-n", "--json", self.sized("print_in_list.small"))
        self.assertEqual(result.json["app"]["roles"][0]["resource"]["memMB"], 1024)
        self.assertNotIn("continuing without it", result.stderr)

    def test_a_name_that_no_manifest_lists_is_found_without_bad_plug_ins(self):
        self.install(*CRASHES, "print_in_list")
        result = self.ok(*PATIENCE, "run", "-n", "--json", self.sized("print_in_list.small"))
        self.assertEqual(result.json["app"]["roles"][0]["resource"]["cpu"], 1)
        self.assert_one_warning_each(result, CRASHES)
        result = self.ok(*PATIENCE, "resource", "list", "--json")
        self.assertIn("cpu.small", result.json)
        self.assertIn("print_in_list.small", result.json)
        self.assert_one_warning_each(result, CRASHES)

    def test_names_are_completed_without_bad_plug_ins(self):
        self.install(*CRASHES)
        result = self.ok("__complete", "words", "resource", "show", "cpu.s")
        self.assertEqual(result.lines, ["cpu.small"])
        self.assertEqual(result.stderr, "")

    # the chosen scheduler ------------------------------------------------------------------------------------------

    def test_a_crash_of_the_chosen_scheduler_is_one_error(self):
        self.install(*CRASHES)
        for name, report in CRASHES.items():
            with self.subTest(name):
                result = self.expect(70, "list", "-s", name)
                self.assertEqual(result.stdout, "")
                error, hint = result.stderr.splitlines()
                self.assertTrue(error.startswith(f"slipway: error: org.bad.{name} 1.2.0 "), error)
                self.assertTrue(error.endswith(report), error)
                self.assertIn("--no-plugins", hint)
                document = self.json_error(self.expect(70, "list", "-s", name, "--json"))
                self.assertEqual(document["code"], "internal")
                self.assertIn(report, document["message"])

    def test_a_crash_of_the_chosen_scheduler_is_one_error_of_every_command(self):
        names = [name for name in CRASHES if not name.endswith("_in_list")]
        self.install(*names)
        app = self.app("true")
        for name in names:
            handle = f"{name}://slipway/app-1"
            for command in (("run", "-s", name, app), ("run", "-n", "-s", name, app), ("status", handle),
                            ("wait", handle), ("cancel", handle), ("describe", handle), ("log", handle)):
                with self.subTest(name=name, command=command[0]):
                    result = self.expect(70, *PATIENCE, *command)
                    self.assertEqual(result.stdout, "")
                    error, hint = result.stderr.splitlines()
                    self.assertTrue(error.startswith(f"slipway: error: org.bad.{name} 1.2.0 "), error)
                    self.assertTrue(error.endswith(CRASHES[name]), error)
                    self.assertIn("--no-plugins", hint)

    def test_a_scheduler_that_hangs_when_it_starts_ends_the_command_with_its_name(self):
        self.install(*HANGS)
        app = self.app("true")
        started = {}
        for name, call in (("hang_in_constructor", "its constructors"), ("hang_in_init", "init"),
                           ("hang_in_create", "create")):
            handle = f"{name}://slipway/app"
            for command in (("status", handle), ("cancel", handle), ("run", "-d", "-s", name, app)):
                process = self.start("--json", "--plugin-timeout", "0.3", *command)
                # The one plug-in that a command needs has six times as long to start; the message rounds.
                started[process] = f"org.bad.{name} 1.2.0 has not returned from {call} for 2 s"
        for process, report in started.items():
            with self.subTest(report):
                result = self.finish(process)
                self.assertEqual(result.status, 75, result)
                self.assertIn(f"slipway: error: {report}", result.stderr)
                error = self.json_error(result)
                self.assertEqual((error["code"], error["message"].startswith(report)), ("timeout", True), error)
                self.assertIn("--no-plugins", error["hint"])

    def test_an_interrupt_ends_a_command_whose_scheduler_hangs_when_it_starts(self):
        self.install("hang_in_init")
        process = self.start("status", "hang_in_init://slipway/app")
        maps = Path(f"/proc/{process.pid}/maps")
        self.eventually(lambda: "/hang_in_init.so" in maps.read_text(encoding="utf-8"), "the plug-in is loaded")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)

    def test_completion_waits_for_plug_ins_less_long_than_a_command(self):
        self.install("hang_in_list")
        listing = self.start("list")
        self.assertEqual(self.ok("__complete", "words", "resource", "show", "cpu.s").lines, ["cpu.small"])
        self.assertIsNone(listing.poll())
        self.assertEqual(self.finish(listing).status, 0)

    def test_an_exception_out_of_the_chosen_scheduler_is_one_error(self):
        self.install("throw_in_list")
        error = self.expect_failure(70, "internal", "list", "-s", "throw_in_list")
        self.assertIn("org.bad.throw_in_list 1.2.0 threw an exception out of list", error["message"])

    def test_an_exception_out_of_a_destructor_is_a_crash_of_the_plug_in(self):
        for place in ("destroy", "deinit"):
            with self.subTest(place):
                self.install(f"throw_in_{place}")
                result = self.run_slipway("list", "-s", f"throw_in_{place}")
                self.assertEqual(result.status, 70, result)
                self.assertIn(f"error: org.bad.throw_in_{place} 1.2.0 crashed (SIGABRT) in {place}\n", result.stderr)
                # The command had printed its document before it destroyed the plug-in.
                self.assertEqual(self.expect(70, "--json", "list", "-s", f"throw_in_{place}").json,
                                 {"apps": [], "errors": []})

    def test_a_scheduler_that_needs_a_later_host_is_not_used(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(LIBRARIES / "faulty_plugin.toml"), SLIPWAY_FAULT="needs_a_later_host")
        error = self.expect_failure(69, "unimplemented", "list", "-s", "faulty")
        self.assertEqual(error["where"], "org.example.faulty")
        self.assertIn("needs a later version of Slipway", error["message"])
        self.assertEqual(error["hint"], "upgrade Slipway")

    def run_in_faulty_image(self, status, fault):
        """Runs `pwd` with an image provider that has this fault, and checks the exit status. Returns the Result."""
        self.env.update(SLIPWAY_PLUGIN_PATH=str(LIBRARIES / "faulty_plugin.toml"), SLIPWAY_FAULT=fault)
        (self.cwd / "sub").mkdir()
        app = self.write("app.toml", app_toml("app", role("w", "pwd > here", image="/", cwd="sub")))
        return self.expect(status, "run", "-s", "local", "-c", "image_provider=faulty", app)

    def test_an_empty_working_directory_of_an_image_means_the_callers(self):
        self.run_in_faulty_image(0, "cwd_is_empty")
        self.assertEqual((self.cwd / "sub" / "here").read_text().strip(), str(self.cwd / "sub"))

    def test_an_image_provider_that_makes_no_command_is_refused(self):
        result = self.run_in_faulty_image(69, "command_is_empty")
        self.assertIn("the image provider's get_replica_param succeeded without a command", result.stderr)

    # standard output -------------------------------------------------------------------------------------------------

    def test_output_of_a_plug_in_stays_out_of_standard_output(self):
        self.install("print_in_list")
        for arguments in (["list", "-s", "print_in_list"], ["resource", "list"]):
            result = self.ok(*PATIENCE, *arguments, "--json")
            json.loads(result.stdout)
            self.assertEqual(len([line for line in result.stderr.splitlines() if "warning: org.bad" in line]), 1,
                             result)
            self.assertEqual(result.stderr.count("hello from a plug-in"), 1, result)

    def test_what_a_plug_in_writes_to_standard_error_stays_there(self):
        self.install("warn_in_list")
        for arguments in (["list", "-s", "warn_in_list"], ["list"], ["resource", "list"]):
            result = self.ok(*PATIENCE, *arguments, "--json")
            json.loads(result.stdout)
            self.assertEqual(result.stderr.count("a plug-in writes to descriptor 2"), 1, result)

    # doctor and check ------------------------------------------------------------------------------------------------

    def test_doctor_prints_problems_as_they_come(self):
        self.install("hang_in_init")
        (self.site / "broken.toml").write_text("[[plugin]]\nid = 1\n")
        doctor = self.start("--plugin-timeout", "300", "plugin", "doctor")
        self.assertIn(b"broken.toml", doctor.stdout.readline())
        self.assertIsNone(doctor.poll())
        doctor.send_signal(signal.SIGTERM)
        self.finish(doctor)

    def test_list_skips_plug_ins_that_hang_and_doctor_reports_every_bad_library(self):
        handle = self.detach(self.app("true"))
        self.install(*HARMS, *REFUSED)
        # All three wait for the plug-ins that hang, so they run at the same time.
        listing = self.start(*SHORT_PATIENCE, "list", "--all", "--json")
        as_json = self.start(*DOCTOR_PATIENCE, "plugin", "doctor", "--json")
        result = self.expect(78, *DOCTOR_PATIENCE, "plugin", "doctor")
        found = [line for line in result.lines if not line.startswith(" ")]
        for name in (*HARMS, *REFUSED):
            about_it = [line for line in found if f"org.bad.{name}:" in line or f"org.bad.{name} " in line
                        or f"/{name}.toml:" in line]
            self.assertEqual(len(about_it), 1, (name, about_it))
        self.assertEqual(len(found), len(HARMS) + len(REFUSED), result)
        self.assertNotIn("correct it or remove it", result.stdout, "the user cannot correct the code of a plug-in")
        document = self.finish(as_json)
        self.assertEqual(document.status, 78, document)
        self.assertEqual(len(document.json["problems"]), len(found))

        listed = self.finish(listing)
        self.assertEqual(listed.status, 0, listed)
        self.assertEqual([app["handle"] for app in listed.json["apps"]], [handle])
        for name in HANGS:
            self.assertEqual(self.warnings_of(listed, name), [
                f"slipway: warning: org.bad.{name} did not answer within {HANG_S} s, continuing without it"])

    def test_check_warns_of_symbols_that_may_clash_with_another_plug_in(self):
        check = ("plugin", "check", "--json")
        (problem,) = self.ok(*check, LIBRARIES / "extra_export.so").json["problems"]
        self.assertEqual(problem["severity"], "warning")
        self.assertIn("some_function_that_others_could_bind_to", problem["message"])
        self.assertEqual(self.ok(*check, LIBRARIES / "good.so").json["problems"], [])

    def test_plugin_list_and_plugin_show_warn_of_symbols_that_may_clash_and_other_commands_do_not(self):
        self.install("extra_export", "good", provides='schedulers = ["good"]')
        name = "some_function_that_others_could_bind_to"
        rows = {row["id"]: row for row in self.ok("plugin", "list", "--json").json["plugins"]}
        self.assertEqual(rows["org.bad.extra_export"]["state"], "ok")
        self.assertIn(name, rows["org.bad.extra_export"]["warning"])
        self.assertTrue(all(row["warning"] is None for each, row in rows.items() if each != "org.bad.extra_export"))
        self.assertEqual(self.ok("plugin", "list").stderr.count(f"clash with another plug-in: {name}"), 1)
        self.assertIn(name, self.ok("plugin", "show", "org.bad.extra_export").stdout)
        # The command `list` loads extra_export.so, whose manifest precedes that of good.so, for its scheduler `good`,
        # and refuses it because its id is not the manifest's.
        listing = self.run_slipway("list", "-s", "good")
        self.assertIn("extra_export.so", listing.stderr)
        self.assertNotIn(name, listing.stderr)

    def test_check_waits_for_a_plug_in_whose_engine_does_not_answer(self):
        path = self.root / "silent.sock"
        with socket.socket(socket.AF_UNIX) as engine:
            engine.bind(str(path))
            engine.listen()
            check = ("--plugin-timeout", "2", "plugin", "check", "--json")
            manifest = TREE / "share" / "slipway" / "plugins.d" / "slipway_docker.toml"
            by_variable = self.ok(*check, manifest, env={"DOCKER_HOST": f"unix://{path}"}).json["problems"]
            (self.config / "slipway").mkdir(exist_ok=True)
            (self.config / "slipway" / "config.toml").write_text(
                f'[plugins."org.slipway.docker"]\nconfig.socket = "unix://{path}"\n', encoding="utf-8")
            by_configuration = self.ok(*check, manifest).json["problems"]
        for problems in (by_variable, by_configuration):
            self.assertEqual([problem["severity"] for problem in problems], ["warning", "warning"], problems)
            for problem in problems:
                self.assertIn("the Docker engine did not answer", problem["message"])

    def test_check_survives_libraries_that_crash_or_print(self):
        for name, report in CRASHES.items():
            (problem,) = self.expect(65, *PATIENCE, "plugin", "check", LIBRARIES / f"{name}.so",
                                     "--json").json["problems"]
            self.assertIn(report, problem["message"])
        (problem,) = self.ok(*PATIENCE, "plugin", "check", LIBRARIES / "print_in_list.so", "--json").json["problems"]
        self.assertEqual(problem["severity"], "warning")
        self.assertIn("hello from a plug-in", problem["message"])


if __name__ == "__main__":
    unittest.main()
