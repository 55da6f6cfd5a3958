"""The command slipway-plugin-check: its arguments, output and exit status."""

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import kit

GOOD = kit.BAD_PLUGINS / "faulty_plugin.toml"  # has a fault only if SLIPWAY_FAULT names one


class Command(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = Path(directory.name)

    def assert_refused(self, complaint, *arguments):
        """Asserts exit status 64 and a message that matches `complaint`."""
        done = kit.run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (64, ""), done.stderr)
        self.assertRegex(done.stderr, complaint)

    def test_refuses_invalid_arguments(self):
        self.assert_refused("no plug-in given")
        self.assert_refused("unknown option --no-such", "--no-such", GOOD)
        self.assert_refused("no check \"load.no_such\"", "--only", "load.no_such", GOOD)
        self.assert_refused("--app needs a value", GOOD, "--app")
        self.assert_refused("KEY=VALUE", "--cfg", "queue", GOOD)
        for flag in ("--help", "--version", "--json", "--list", "--no-fork"):
            self.assert_refused(f"{flag} takes no value", f"{flag}=x", GOOD)
        self.assert_refused("seconds from 1", "--limit", "soon", GOOD)
        self.assert_refused("one plug-in at a time", GOOD, GOOD)
        self.assert_refused("does not exist", self.work / "none.so")
        self.assert_refused("not a regular file", self.work)

    def test_refuses_a_run_option_that_no_scheduler_declares(self):
        self.assert_refused("--cfg nope=1: no scheduler .* has this run option; the options are account, queue",
                            "--cfg", "nope=1", GOOD)
        done = kit.run("--only", "scheduler.dryrun", "--cfg", "queue=long", GOOD)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Where the options cannot be listed, the checks say why.
        done = kit.run("--only", "scheduler.run_opts", "--cfg", "nope=1", GOOD, fault="default_of_another_type")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_refuses_a_provider_that_no_plug_in_has(self):
        self.assert_refused("--provider nope: no plug-in to check has this provider; the providers are .*faulty",
                            "--provider", "nope", GOOD)
        # Where the library cannot be loaded, the checks say why.
        done = kit.run("--provider", "nope", "--only", "load", GOOD, fault="throws_at_load")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_reports_the_place_of_a_mistake_in_an_app_file(self):
        app = self.work / "app.toml"
        app.write_text('name = "a"\n[[roles]]\nname = "r"\nnum_replica = 2\n')
        self.assert_refused(r"app\.toml:4:1: .*num_replica: .*did you mean num_replicas", "--app", app, GOOD)
        app.write_text("name = \n")
        self.assert_refused(r"app\.toml:1:\d+: ", "--app", app, GOOD)
        app.write_text('name = "a"\n')
        self.assert_refused("at least one role", "--app", app, GOOD)
        app.write_text('name = "a"\n[[roles]]\nname = "r"\nentrypoint = "true"\nresource = "gpu.smal"\n')
        self.assert_refused(r"app\.toml:5:12: .*'gpu\.smal', did you mean gpu\.small", "--app", app, GOOD)

    def test_accepts_every_app_file_that_run_accepts(self):
        accepted = sorted((kit.SOURCE / "tests" / "cli" / "schema" / "accepted").iterdir())
        self.assertGreater(len(accepted), 3)
        for app in accepted:
            with self.subTest(app.name):
                done = kit.run("--json", "--only", "load.symbols", "--app", app, GOOD)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_lists_the_checks_without_a_plug_in(self):
        names = [line.split()[0] for line in kit.run("--list").stdout.splitlines()]
        self.assertIn("load.quiet", names)
        listed = json.loads(kit.run("--list", "--json").stdout)["checks"]
        self.assertEqual([c["check"] for c in listed], names)

    def test_runs_only_the_selected_checks(self):
        self.assertEqual(list(kit.verdicts(kit.run("--json", "--only", "load.quiet", GOOD))), ["load.quiet"])
        groups = kit.verdicts(kit.run("--json", "--only", "images", "--only", "load", GOOD))
        self.assertEqual({name.split(".")[0] for name in groups}, {"images", "load"})

    def test_skips_the_app_checks_without_an_app(self):
        results = kit.verdicts(kit.run("--json", "--only", "app", GOOD))
        self.assertIn("app.runs", results)
        self.assertEqual({r["verdict"] for rs in results.values() for r in rs}, {"skipped"})

    def test_prints_rule_observation_and_remedy(self):
        done = kit.run("--only", "scheduler.guarded", GOOD, fault="expects_nul")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"FAILED scheduler\.guarded \(faulty\)\n +rule: .*without a NUL.*\n"
                                      r" +seen: .*Segmentation fault in submit_dryrun.*\n +do: .*copy with the length")

    def test_remedies_fit_what_was_seen(self):
        for fault, check, remedy in (
                ("crashes_in_describe", "scheduler.describe_unknown",
                 "gdb --args slipway-plugin-check --no-fork --only scheduler.describe_unknown"),
                ("describe_hangs", "scheduler.describe_unknown", "find what the call waits for"),
                ("throws_on_empty_app", "scheduler.empty_app", "catch every exception"),
                ("traps_on_unknown", "scheduler.unknown_orders", "refuse kinds of mounts"),
                ("default_of_another_type", "scheduler.run_opts", "give default_value the type of the option"),
                ("two_workspace_options", "scheduler.run_opts", "give the meaning to one option"),
                ("never_reports_the_id", "app.runs", "call it once"),
                ("id_has_a_slash", "app.runs", "give an id of that form"),
                ("list_items_without_size", "app.list", "SLIPWAY_INIT(slipway_list_item)"),
                ("delivers_empty_chunks", "app.logs", "call back only if there are bytes"),
                ("cuts_lines", "app.logs", "end a chunk at the end of a line"),
                ("sends_any_number", "app.signal", "return SLIPWAY_E_INVALID")):
            with self.subTest(fault):
                done = kit.run("--json", "--limit", "2", "--app", kit.APP, "--only", check, GOOD, fault=fault)
                self.assertIn(remedy, kit.verdicts(done)[check][0]["do"])

    def test_names_the_function_that_threw_whatever_the_check(self):
        done = kit.run("--json", "--only", "provider", "--only", "images.names", GOOD, fault="resolve_throws")
        failures = [r for rs in kit.verdicts(done).values() for r in rs if r["verdict"] == "failed"]
        self.assertIn("provider.two_threads", [r["check"] for r in failures])
        for failure in failures:
            with self.subTest(failure["check"]):
                self.assertEqual(failure["seen"], "an exception crossed the boundary in resolve: no such tag")
                self.assertIn("catch every exception", failure["do"])

    def test_names_a_component_that_fails_when_it_is_built_again(self):
        done = kit.run("--json", "--only", "components.build", GOOD, fault="builds_every_second_time")
        self.assertIn("fails when it is called again with the same arguments: the arguments are used up",
                      kit.verdicts(done)["components.build"][0]["seen"])

    def test_waits_half_of_an_odd_time_limit_for_the_end_of_an_app(self):
        done = kit.run("--json", "--limit", "5", "--app", kit.APP, "--only", "app.owner", GOOD, fault="ignores_owner")
        self.assertIn("the app did not end when its owner did within 2500 ms",
                      kit.verdicts(done)["app.owner"][0]["seen"])

    def test_prints_the_last_output_of_a_plugin_that_crashes(self):
        done = kit.run("--json", "--only", "scheduler.empty_app", GOOD, fault="throws_on_empty_app")
        self.assertIn("no roles", kit.verdicts(done)["scheduler.empty_app"][0]["seen"])

    def test_compares_library_and_manifest(self):
        manifest = self.work / "other.toml"
        library = kit.BAD_PLUGINS / "libfaulty_plugin.so"
        for text, complaint in (('id = "org.example.other"', "org.example.other"),
                                ('id = "org.example.faulty"\nversion = "2.0"', "2.0"),
                                ('id = "org.example.faulty"\n[plugin.provides]\nschedulers = ["none"]', "none"),
                                ('id = "org.example.faulty"\n[plugin.provides]\nschedulers = ["faulty"]',
                                 "does not say so")):
            manifest.write_text(f'manifest_version = 1\n[[plugin]]\nlibrary = "{library}"\n{text}\n')
            done = kit.run("--json", "--only", "load.manifest", manifest)
            result = kit.verdicts(done)["load.manifest"][0]
            self.assertEqual((done.returncode, result["verdict"]), (1, "failed"), done.stdout)
            self.assertIn(complaint, result["seen"])

    def test_ignores_a_provider_of_a_kind_that_it_does_not_know(self):
        manifest = self.work / "board.toml"
        library = kit.BAD_PLUGINS / "unknown_kind.so"
        manifest.write_text(f'manifest_version = 1\n[[plugin]]\nid = "org.example.board"\nlibrary = "{library}"\n')
        done = kit.run("--json", manifest)
        results = kit.verdicts(done)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(results["load.manifest"][0]["verdict"], "passed")
        skipped = [r for rs in results.values() for r in rs if r["verdict"] == "skipped"]
        self.assertEqual([(r["provider"], r["seen"]) for r in skipped],
                         [("board", "hosts of this version ignore its kind, com.acme.dashboard/1")])

    def test_names_the_known_kinds_for_a_misspelt_one(self):
        result = kit.verdicts(kit.run("--json", kit.BAD_PLUGINS / "misspelt_kind.so"))["load.descriptor"][0]
        self.assertIn('the kind "slipway.schedular/1", which version 1.0 does not have', result["seen"])
        self.assertIn("slipway.scheduler/1", result["do"])

    def test_says_that_hosts_refuse_a_library_that_others_can_write(self):
        library = Path(shutil.copy(kit.BAD_PLUGINS / "unknown_kind.so", self.work))
        self.assertEqual(kit.verdicts(kit.run("--json", library))["load.file"][0]["verdict"], "passed")
        library.chmod(0o666)
        done = kit.run("--json", library)
        result = kit.verdicts(done)["load.file"][0]
        self.assertEqual((done.returncode, result["verdict"]), (0, "skipped"), done.stdout)
        self.assertRegex(result["seen"], "hosts of this user refuse the file where it is: .*unknown_kind.so.*chmod")

    def test_checks_every_enabled_plug_in_of_a_manifest(self):
        manifest = self.work / "two.toml"
        library = kit.BAD_PLUGINS / "libfaulty_plugin.so"
        manifest.write_text("manifest_version = 1\n" + "".join(
            f'[[plugin]]\nid = "org.example.{name}"\nlibrary = "{library}"\n{more}\n'
            for name, more in (("faulty", ""), ("other", ""), ("off", "enabled = false"))))
        done = kit.run("--json", "--only", "load.descriptor", "--only", "load.symbols", manifest)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["passed"], report["failed"]), (0, 4, 0), done.stdout)
        self.assertEqual(report["manifest"], str(manifest))
        self.assertEqual([p["library"] for p in report["plugins"]], [str(library)] * 2)
        text = kit.run("--only", "load.symbols", manifest).stdout
        self.assertEqual(text.count("1 passed, 0 failed, 0 skipped"), 2, text)

    def test_json_for_two_plug_ins_keeps_its_form_if_the_checks_apply_to_one(self):
        manifest = self.work / "two.toml"
        manifest.write_text("manifest_version = 1\n" + "".join(
            f'[[plugin]]\nid = "org.example.{name}"\nlibrary = "{kit.BAD_PLUGINS}/{file}"\n'
            for name, file in (("faulty", "libfaulty_plugin.so"), ("good", "good.so"))))
        report = json.loads(kit.run("--json", "--only", "resources", manifest).stdout)
        self.assertEqual(report["manifest"], str(manifest))
        # good.so has no named resources, so no selected check applies to it, and the report leaves it out.
        self.assertEqual([Path(p["library"]).name for p in report["plugins"]], ["libfaulty_plugin.so"])

    def test_exits_with_75_if_it_cannot_make_a_directory_in_tmpdir(self):
        with mock.patch.dict(os.environ, TMPDIR="/proc"):
            done = kit.run("--only", "load", GOOD)
        self.assertEqual((done.returncode, done.stdout), (75, ""), done.stderr)
        self.assertIn("cannot make /proc/slipway-check-", done.stderr)

    def test_exits_with_73_if_standard_output_cannot_be_written(self):
        for arguments in (("--list",), ("--list", "--json"), ("--help",), ("--version",),
                          ("--only", "load.symbols", GOOD), ("--json", "--only", "load.symbols", GOOD)):
            with self.subTest(arguments), open("/dev/full", "w", encoding="utf-8") as full:
                done = kit.run(*arguments, stdout=full)
                self.assertEqual((done.returncode, done.stderr),
                                 (73, "slipway-plugin-check: error: cannot write to standard output: "
                                      "No space left on device\n"))

    def test_finds_a_crash_at_once_where_the_kernel_lacks_pidfd_open(self):
        refusing = (sys.executable, kit.SOURCE / "tests/cli/refused_calls.py", "ENOSYS", "pidfd_open", "--")
        done = kit.run("--json", "--limit", "5", "--only", "load.entry", GOOD, fault="exits_at_load",
                       launcher=refusing)
        self.assertIn("exited with status 3", kit.verdicts(done)["load.entry"][0]["seen"])

    def test_messages_may_have_any_bytes(self):
        done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", GOOD, fault="refuses_with_control_bytes")
        # The whole message of the fault (tests/bad_plugins/faulty/requests.cpp).
        self.assertIn("\x04" * 8192, kit.verdicts(done)["app.runs"][0]["seen"])

    def test_refuses_a_manifest_that_the_host_refuses(self):
        manifest = self.work / "wrong.toml"
        for text, complaint in (("", "the manifest is empty"),
                                ("[[plugin]]\nid = 'org.example.a'\n", r"wrong\.toml:\d+:\d+: .*library.* missing"),
                                ("[[plugin]]\nid = 'org.example.a'\nlibrary = { linux_mips = 'a.so' }\n", "linux_"),
                                ("manifest_version = 7\n[[plugin]]\n", "7 is newer than this host"),
                                ("manifest_version = 1\n", "no enabled")):
            manifest.write_text(text)
            with self.subTest(text):
                self.assert_refused(complaint, manifest)

    def test_accepts_a_manifest_with_a_configuration(self):
        manifest = self.work / "configured.toml"
        manifest.write_text('manifest_version = 1\n[[plugin]]\nid = "org.example.faulty"\n'
                            f'library = "{kit.BAD_PLUGINS / "libfaulty_plugin.so"}"\n[plugin.config]\nrow = 3\n')
        done = kit.run("--json", "--only", "scheduler.run_opts", manifest)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
