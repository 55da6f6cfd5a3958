"""How slipway-plugin-check runs its checks: their order, output, processes and end."""

import json
import os
import signal
import subprocess
import tarfile
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import kit

FAULTY = kit.BAD_PLUGINS / "faulty_plugin.toml"
ARCHIVE = kit.TREE / "share" / "slipway" / "plugins.d" / "slipway_archive_image.toml"
LOCAL = kit.TREE / "share" / "slipway" / "plugins.d" / "slipway_local.toml"
# The program of the kit's own apps that must not end by themselves: `sleep 600`, as /proc/PID/cmdline has it.
ENDLESS_PROGRAM = "sleep\x00600"


def eventually(condition):
    """Waits until `condition` returns a true value, and returns it; after a minute, returns its last value."""
    deadline = time.monotonic() + kit.LIMIT_S / 4
    while not (answer := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return answer


class RunCase(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.temporary = Path(directory.name)

    def start(self, *arguments, fault=None, **options):
        """Starts the kit, whose processes have TMPDIR=`temporary` in their environment."""
        env = {k: v for k, v in os.environ.items() if k != "SLIPWAY_FAULT"}
        env.update(TMPDIR=str(self.temporary), XDG_CACHE_HOME=str(self.temporary / "cache"))
        if fault:
            env["SLIPWAY_FAULT"] = fault
        process = subprocess.Popen([str(a) for a in (kit.KIT, *arguments)], env=env, text=True,
                                   **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def processes(self, program=""):
        """Returns the ids of the running processes of this test whose command line contains `program`."""
        mark, out = f"TMPDIR={self.temporary}".encode(), []
        for directory in Path("/proc").glob("[0-9]*"):
            try:
                if (mark in (directory / "environ").read_bytes()
                        and program.encode() in (directory / "cmdline").read_bytes()):
                    out.append(int(directory.name))
            except OSError:
                pass  # It has ended, or belongs to another user.
        return out

    def await_child(self):
        """Waits until the kit has a child. The first one lists the providers of the library, and soon ends."""
        self.assertTrue(eventually(lambda: len(self.processes()) > 1))

    def start_hanging_check(self, *arguments, **options):
        """Starts the kit with two checks, and waits until it has started the process of the second, which hangs."""
        process = self.start(*arguments, "--only", "load.file", "--only", "scheduler.describe_unknown", FAULTY,
                             fault="describe_hangs", **options)
        process.stdout.readline()  # the path of the library
        self.assertRegex(process.stdout.readline(), "ok +load.file")  # the processes before the second check have ended
        self.await_child()
        return process

    def assert_nothing_is_left(self):
        self.assertEqual(self.processes(), [])
        self.assertEqual(list(self.temporary.iterdir()), [])


class Output(RunCase):
    def test_prints_the_line_of_a_check_when_the_check_ends(self):
        process = self.start("--limit", "600", "--only", "load.file", "--only", "scheduler.describe_unknown",
                             FAULTY, fault="describe_hangs")
        process.stdout.readline()  # the path of the library
        self.assertRegex(process.stdout.readline(), "ok +load.file")
        self.assertIsNone(process.poll())
        process.terminate()

    def test_ends_when_its_reader_ends(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        process = self.start("--only", "load", FAULTY, stdout=write_end)
        os.close(write_end)
        self.assertEqual(process.wait(kit.LIMIT_S), 128 + signal.SIGPIPE)
        self.assert_nothing_is_left()


class Dependencies(unittest.TestCase):
    def assert_one_failure(self, cause, fault, limit_s="60", undecided=()):
        """Asserts that only `cause` fails, and that every skipped check names it, except those in `undecided`.

        Returns the skipped checks.
        """
        done = kit.run("--json", "--limit", limit_s, "--app", kit.APP, FAULTY, fault=fault)
        by_verdict = {}
        for results in kit.verdicts(done).values():
            for result in results:
                by_verdict.setdefault(result["verdict"], []).append(result)
        self.assertEqual([r["check"] for r in by_verdict["failed"]], [cause], done.stdout)
        self.assertTrue(by_verdict["skipped"])
        for result in by_verdict["skipped"]:
            if result["check"] in undecided:
                continue
            self.assertEqual(result["seen"], f"it depends on {cause}, which failed")
        return [r["check"] for r in by_verdict["skipped"]]

    def test_a_defect_of_cancel_is_one_failure(self):
        skipped = self.assert_one_failure("app.cancel", "cancels_once")
        self.assertLessEqual({"app.delete", "app.events", "app.log_cancel"}, set(skipped))

    def test_a_crash_in_create_is_one_failure(self):
        skipped = self.assert_one_failure("load.create", "crashes_in_create")
        self.assertLessEqual({"load.quiet", "load.process_state", "provider.functions", "app.runs"}, set(skipped))

    def test_a_create_that_changes_the_process_is_one_failure(self):
        self.assertEqual(self.assert_one_failure("load.process_state", "changes_umask"), ["app.process"])

    def test_a_dry_run_that_fails_by_a_defect_is_one_failure(self):
        skipped = self.assert_one_failure("scheduler.dryrun", "dryrun_fails_internally",
                                          undecided={"scheduler.guarded"})  # looks for crashes; an error skips it
        self.assertLessEqual({"scheduler.request_print", "app.runs", "app.cancel"}, set(skipped))

    def test_an_app_that_cannot_be_submitted_is_one_failure(self):
        skipped = self.assert_one_failure("app.runs", "schedule_unavailable")
        self.assertLessEqual({"app.stays", "app.cancel", "app.process"}, set(skipped))

    def test_a_failed_schedule_is_reported_with_its_own_message(self):
        for check, verdict in (("app.runs", "failed"), ("app.stays", "skipped")):
            done = kit.run("--json", "--app", kit.APP, "--only", check, FAULTY, fault="schedule_unavailable")
            result = kit.verdicts(done)[check][0]
            self.assertEqual(result["verdict"], verdict, done.stdout)
            self.assertIn("the cluster is down", result["seen"])

    def test_checks_are_skipped_while_logs_cannot_be_read(self):
        for check in ("app.streams", "app.log_times", "app.unknown_stream"):
            with self.subTest(check):
                done = kit.run("--json", "--app", kit.APP, "--only", check, FAULTY, fault="cannot_select_lines_now")
                result = kit.verdicts(done)[check][0]
                self.assertEqual(result["verdict"], "skipped", done.stdout)
                self.assertIn("the log server is down", result["seen"])

    def test_names_what_a_schedule_that_always_fails_leaves(self):
        done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", FAULTY, fault="schedule_fails_late")
        self.assertRegex(kit.verdicts(done)["app.runs"][0]["seen"],
                         r"schedule failed: the cluster went down; and every failure leaves the file .*/state/faulty/")

    def test_an_app_that_the_scheduler_refuses_is_named(self):
        done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", FAULTY, fault="refuses_every_app")
        self.assertIn(f"the scheduler refuses the app of {kit.APP}: no app suits it",
                      kit.verdicts(done)["app.runs"][0]["seen"])

    def test_checks_that_depend_on_a_skipped_check_name_the_one_that_failed(self):
        skipped = self.assert_one_failure("scheduler.cancel_unknown", "cancel_hangs", limit_s="20")
        self.assertIn("app.delete", skipped)

    def test_a_failure_of_one_kind_skips_no_check_of_a_namesake_of_another_kind(self):
        # The plug-in has a provider "faulty" of each kind; the scheduler alone has the fault.
        done = kit.run("--json", "--only", "provider", "--only", "images", FAULTY, fault="lacks_a_function")
        results = kit.verdicts(done)
        kinds = len(results["provider.functions"])
        self.assertEqual([r["verdict"] for r in results["provider.functions"]].count("failed"), 1)
        for check in ("provider.config", "provider.extension"):
            verdicts = [r["verdict"] for r in results[check]]
            self.assertEqual((verdicts.count("skipped"), verdicts.count("passed")), (1, kinds - 1), check)
        self.assertIn("images.names", results)
        for check in (c for c in results if c.startswith("images.")):
            self.assertEqual([r["verdict"] for r in results[check]], ["passed"], results[check])

    def test_a_library_without_its_symbol_is_one_failure(self):
        with tempfile.TemporaryDirectory() as directory:
            manifest = Path(directory) / "no_symbol.toml"
            manifest.write_text('manifest_version = 1\n[[plugin]]\nid = "org.example.none"\n'
                                f'library = "{kit.BAD_PLUGINS / "no_symbol.so"}"\n')
            results = kit.verdicts(kit.run("--json", manifest))
        self.assertEqual([check for check, (result,) in results.items() if result["verdict"] == "failed"],
                         ["load.entry"])
        for check in ("load.symbols", "load.descriptor", "load.manifest"):
            self.assertEqual(results[check][0]["seen"], "it depends on load.entry, which failed")

    def test_a_check_alone_runs_without_those_before_it(self):
        done = kit.run("--json", "--app", kit.APP, "--only", "app.delete", FAULTY, fault="cancels_once")
        self.assertEqual(kit.verdicts(done)["app.delete"][0]["verdict"], "passed", done.stdout)

    def test_every_check_comes_after_those_that_it_depends_on(self):
        before = set()
        for check in json.loads(kit.run("--list", "--json").stdout)["checks"]:
            self.assertLessEqual(set(check["after"]), before, check)
            before.add(check["check"])
        self.assertIn("app.runs", before)


class Signals(RunCase):
    def test_cleans_up_and_exits_with_the_signals_status(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                process = self.start("--only", "app", "--provider", "local_cwd", "--app", kit.APP, LOCAL)
                self.assertTrue(eventually(lambda: self.processes(ENDLESS_PROGRAM)))
                process.send_signal(number)
                output, errors = process.communicate(timeout=kit.LIMIT_S)
                self.assertEqual(process.returncode, 128 + number, output + errors)
                self.assertIn("what the plug-in started was ended", errors)
                self.assertIn("app.runs", output)
                self.assert_nothing_is_left()

    def test_json_has_the_checks_before_the_signal(self):
        process = self.start("--json", "--limit", "600", "--app", kit.APP, "--only", "app.runs", "--only",
                             "app.log_timeout", FAULTY, fault="log_hangs")
        self.assertTrue(eventually(lambda: self.processes(ENDLESS_PROGRAM)))
        process.terminate()
        output, _ = process.communicate(timeout=kit.LIMIT_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertEqual([c["check"] for c in json.loads(output)["checks"]], ["app.runs"])
        self.assert_nothing_is_left()

    def test_json_is_complete_if_the_signal_comes_before_the_first_result(self):
        process = self.start("--json", "--limit", "600", "--only", "scheduler.describe_unknown", FAULTY,
                             fault="describe_hangs")
        self.await_child()
        process.terminate()
        output, _ = process.communicate(timeout=kit.LIMIT_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        report = json.loads(output)
        self.assertEqual((report["library"], report["passed"], report["checks"]),
                         (str(kit.BAD_PLUGINS / "libfaulty_plugin.so"), 0, []))

    def test_an_ignored_signal_stays_ignored(self):
        process = self.start_hanging_check("--limit", "3",
                                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(kit.LIMIT_S), 1)

    def test_a_killed_kit_leaves_no_process_of_a_check(self):
        process = self.start_hanging_check("--limit", "600")
        process.kill()
        process.wait(kit.LIMIT_S)
        self.assertTrue(eventually(lambda: not self.processes()))

    def test_a_kit_that_is_killed_as_a_check_starts_leaves_no_process(self):
        for i in range(40):
            process = self.start("--limit", "600", "--only", "load.file", "--only", "scheduler.describe_unknown",
                                 FAULTY, fault="describe_hangs")
            process.stdout.readline()  # the path of the library
            process.stdout.readline()  # load.file has ended: the next check starts now
            time.sleep(i * 0.0001)  # the kill comes at another moment each time
            process.kill()
            process.wait(kit.LIMIT_S)
        self.assertTrue(eventually(lambda: not self.processes()))


class Remains(RunCase):
    def test_a_complete_run_leaves_no_file_and_no_process(self):
        with tempfile.TemporaryDirectory() as work:
            process = self.start("--app", kit.APP, FAULTY, cwd=work)
            self.assertTrue(eventually(lambda: list(self.temporary.glob("slipway-check-*"))))
            output, errors = process.communicate(timeout=kit.LIMIT_S)
            self.assertEqual(process.returncode, 0, output + errors)
            self.assertEqual(os.listdir(work), [])
        self.assert_nothing_is_left()

    def test_the_kit_ends_processes_that_the_plug_in_left(self):
        process = self.start("--only", "app.runs", "--app", kit.APP, FAULTY, fault="stays_after_the_app")
        self.assertEqual(process.wait(kit.LIMIT_S), 0)
        self.assert_nothing_is_left()


    def test_the_kit_cancels_the_app_of_a_schedule_that_crashed(self):
        cancelled = self.temporary / "cancelled"  # the plug-in makes it when `cancel` is called
        with mock.patch.dict(os.environ, SLIPWAY_FAULT_REACHED=str(cancelled)):
            done = kit.run("--json", "--app", kit.APP, "--only", "app.runs", FAULTY, fault="crashes_after_submission")
        self.assertIn("in schedule", kit.verdicts(done)["app.runs"][0]["seen"])
        self.assertTrue(cancelled.exists())


class OneProcess(RunCase):
    def test_without_fork_the_checks_run_in_the_kits_process(self):
        process = self.start("--no-fork", "--only", "scheduler.guarded", FAULTY, fault="expects_nul")
        self.assertEqual(process.wait(kit.LIMIT_S), -signal.SIGSEGV)

    def test_without_fork_a_plug_in_passes_the_same_checks(self):
        done = kit.run("--json", "--no-fork", "--app", kit.APP, FAULTY)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        skipped = {r["check"]: r["seen"] for rs in kit.verdicts(done).values() for r in rs if r["verdict"] == "skipped"}
        self.assertEqual(set(skipped), {"load.quiet", "load.no_threads", "provider.quiet"})
        self.assertEqual(set(skipped.values()), {"it needs a process of its own; leave out --no-fork"})


class OwnApp(RunCase):
    def test_image_providers_get_the_image(self):
        archive = self.temporary / "image.tar"
        with tarfile.open(archive, "w") as out:
            out.add(kit.APP, "app.toml")
        done = self.start("--json", "--only", "images", "--image", archive, ARCHIVE)
        report = json.loads(done.communicate()[0])
        self.assertGreater(report["passed"], 5)
        self.assertEqual((report["failed"], report["skipped"]), (0, 0))

    def test_image_is_given_to_the_kits_own_app(self):
        check = ("--json", "--only", "scheduler.guarded", FAULTY)
        refused = kit.verdicts(kit.run(*check, fault="wants_image_names"))["scheduler.guarded"][0]
        self.assertEqual(refused["verdict"], "skipped")
        self.assertIn("--image", refused["seen"])
        accepted = kit.verdicts(kit.run("--image", "busybox:1", *check, fault="wants_image_names"))
        self.assertEqual(accepted["scheduler.guarded"][0]["verdict"], "passed")

    def test_image_with_an_app_file_is_refused(self):
        done = kit.run("--image", "busybox:1", "--app", kit.APP, FAULTY)
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        self.assertIn("write the image into", done.stderr)


if __name__ == "__main__":
    unittest.main()
