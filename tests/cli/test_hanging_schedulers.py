"""Schedulers that hang or fail while a command follows an app: ^C still ends the command, which reports why."""

import contextlib
import json
import signal
import subprocess
import threading
import unittest

from slipway_case import LIMIT_S, TREE, SlipwayCase

# Longer than the time after which another ^C ends a command whose scheduler hangs (core/cli/terminal/interrupts.cpp).
PATIENCE_S = 6
MANIFEST = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


@unittest.skipUnless(MANIFEST.is_file(), "the tree that is tested was not built here")
class HangingSchedulers(SlipwayCase):
    def run_faulty(self, fault, program, *options):
        """Starts a run of `echo` or `sleep`, in the foreground by default, on a scheduler that has this fault. Returns
        the process. If the fault is that a function hangs, the file FAULT in the working directory shows that it
        does."""
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT=fault,
                        SLIPWAY_FAULT_REACHED=str(self.cwd / fault))
        argument = {"echo": "hello", "sleep": "600"}[program]
        app = self.write(f"{fault}.toml", f'name = "app"\n[[roles]]\nname = "w"\nimage = "/"\n'
                                          f'entrypoint = "{program}"\nargs = ["{argument}"]\n')
        return self.start("run", "-s", "faulty", *options, app)

    def test_run_whose_logs_keep_failing_prints_their_error_once_and_ends_with_the_app(self):
        result = self.finish(self.run_faulty("log_fails_for_ever", "echo"))
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.stderr.count("the log server is away"), 1, result)

    def test_commands_continue_to_read_logs_after_a_temporary_error(self):
        result = self.finish(self.run_faulty("log_is_temporary_once", "echo"))
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.stderr.count("the log server restarts"), 1, result)
        self.assertIn("w/0 hello", result.stderr)
        log = self.ok("log", result.stdout.strip())
        self.assertEqual(log.stderr.count("the log server restarts"), 1, log)
        self.assertEqual(log.stdout, "hello\n")

    def test_no_event_is_lost_while_the_scheduler_cannot_describe_the_app(self):
        result = self.finish(self.run_faulty("definition_is_temporary_once", "echo", "--json", "--events"))
        self.assertEqual(result.status, 0, result)
        # The last document is the status, which has no event.
        events = [document.get("event") for document in map(json.loads, result.lines)]
        self.assertEqual(events, ["submitted", "started", "replica_ended", "ended", None])

    def test_logs_with_endless_temporary_errors_are_given_up(self):
        result = self.finish(self.run_faulty("log_is_temporary_for_ever", "echo"))
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.stderr.count("the log server is busy"), 1, result)
        self.assertIn("no more logs are shown here", result.stderr)
        log = self.expect(75, "log", result.stdout.strip())
        self.assertEqual(log.stderr.count("warning: the log server is busy"), 1, log)

    def test_invalid_names_never_reach_a_scheduler(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT="aborts_for_invalid_names")
        for handle in ("faulty://slipway/..", "faulty://slipway/.draft", "faulty://../a"):
            for command in ("status", "wait", "cancel", "delete", "log", "describe", "events"):
                with self.subTest(handle, command=command):
                    self.assertIn("there is no", self.expect(66, command, handle).stderr)

    def test_commands_continue_to_wait_after_a_temporary_error_of_events(self):
        for command in ("run", "wait"):
            with self.subTest(command):
                gate = self.gate(command)
                self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT="events_are_temporary_once")
                app = self.app(f"read go < {self.cwd / command}")
                if command == "run":
                    process = self.start("run", "-s", "faulty", app)
                else:
                    process = self.start("wait", self.detach(app, "-s", "faulty"))
                warning = b"faulty does not answer: the event server restarts; waiting until it does"
                # If the warning does not come, the timer ends the app, and so the command.
                limit = threading.Timer(LIMIT_S, self.open_gate, [gate])
                limit.start()
                self.addCleanup(limit.cancel)
                is_warned = any(warning in line for line in iter(process.stderr.readline, b""))
                self.open_gate(gate)
                result = self.finish(process)
                self.assertTrue(is_warned, result)
                self.assertEqual(result.status, 0, result)

    def test_interrupt_ends_a_run_whose_scheduler_has_an_outage_after_the_end_of_the_app(self):
        process = self.run_faulty("end_is_described_once", "echo")
        warning = b"faulty does not answer: the database restarts; waiting until it does"
        self.assertTrue(any(warning in line for line in iter(process.stderr.readline, b"")))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        self.assertIn("has ended", result.stderr)

    def test_command_whose_logs_fail_still_reacts_to_signals(self):
        process = self.run_faulty("log_fails_for_ever", "sleep")
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)

    def test_interrupts_end_commands_whose_scheduler_hangs(self):
        """Each command takes some seconds to end, so all of them run at the same time."""
        reading_logs = self.cancel_while_logs_hang()
        hanging = {fault: self.run_faulty(fault, "sleep") for fault in ("describe_hangs", "cancel_hangs")}
        for process in hanging.values():
            process.stdout.readline()
        hanging["schedule_hangs"] = self.run_faulty("schedule_hangs", "sleep", "-d")
        self.file_appears("schedule_hangs")
        rounds = 0
        while any(process.poll() is None for process in hanging.values()):
            rounds += 1
            self.assertLess(rounds, 10)
            for process in hanging.values():
                process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                for process in hanging.values():
                    process.wait(PATIENCE_S)
        for fault, process in hanging.items():
            with self.subTest(fault):
                result = self.finish(process)
                waiting = "org.example.faulty 1.0.0 has not returned from " + fault.partition("_")[0]
                self.assertEqual(result.status, 130, result)
                self.assertEqual(result.stderr.count(f"warning: {waiting} since the interrupt; another ^C"), 1, result)
                self.assertEqual(result.stderr.count(f"error: {waiting} since the interrupt, so this"), 1, result)

        rounds = 0
        while reading_logs.poll() is None:
            rounds += 1
            self.assertLess(rounds, 10)
            # The command may have learned of the app's end only after an earlier signal.
            reading_logs.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                reading_logs.wait(PATIENCE_S)
        result = self.finish(reading_logs)
        self.assertEqual(result.status, 130, result)
        self.assertIn("stopped reading logs; `slipway log` shows what is missing", result.stderr)
        self.assertIn("the scheduler does not stop reading logs, continuing without it", result.stderr)

    def sweep_of_naps(self, fault, *options):
        """Starts a sweep of two apps on a scheduler that has this fault. Returns the process."""
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT=fault)
        component = self.write("naps.toml", '[component.nap.params.s]\ntype = "int"\n'
                                            '[component.nap.app]\nname = "nap"\n'
                                            '[[component.nap.app.roles]]\nname = "w"\nimage = "/"\n'
                                            'entrypoint = "sleep"\nargs = ["{{s}}"]\n')
        return self.start("run", "-s", "faulty", "--sweep", *options, "-P", "s=600,601", component)

    def test_sweep_continues_without_apps_whose_events_fail(self):
        result = self.finish(self.sweep_of_naps("events_are_denied", "--json"))
        self.env["SLIPWAY_FAULT"] = "none"
        apps = result.json["apps"]
        for app in apps:
            self.ok("cancel", "--now", app["handle"])
        self.assertEqual(result.status, 77, result)
        self.assertEqual([(app["state"], app["exit_status"]) for app in apps], [(None, 77), (None, 77)])

    def test_interrupts_end_a_sweep_whose_scheduler_hangs(self):
        process = self.sweep_of_naps("describe_hangs")
        process.stdout.readline()
        for _ in range(10):
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
                break
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        self.assertEqual(result.stderr.count("error: org.example.faulty 1.0.0 has not returned from describe"), 1,
                         result)

    def test_an_interrupt_ends_commands_that_wait_for_an_answer(self):
        """Starts each command twice with a long time limit, interrupts one, and checks that it ends before the other.
        With the fault `describe_waits` the scheduler could end the call, with the others it cannot."""
        process = self.run_faulty("none", "sleep", "-d")
        handle = self.finish(process).stdout.strip()
        for fault, command in (("describe_waits", "status"), ("describe_waits", "wait"), ("describe_waits", "describe"),
                               ("describe_waits", "cancel"), ("describe_hangs", "status"), ("describe_hangs", "wait"),
                               ("describe_hangs", "describe"), ("describe_hangs", "cancel"), ("cancel_hangs", "cancel"),
                               ("list_hangs", "list"), ("log_hangs", "log")):
            with self.subTest(command, fault=fault):
                self.env["SLIPWAY_FAULT"] = fault
                subject = {"list": ["-s", "faulty"], "log": ["-f", handle]}.get(command, [handle])
                other = self.start("--timeout", "20", command, *subject)
                reached = self.cwd / f"{fault} in {command}"
                self.env["SLIPWAY_FAULT_REACHED"] = str(reached)
                process = self.start("--timeout", "20", command, *subject)
                self.file_appears(reached)
                process.send_signal(signal.SIGINT)
                self.assertEqual(self.finish(process).status, 130)
                self.assertIsNone(other.poll(), "the time limit, not the interrupt, may have ended the command")
                other.send_signal(signal.SIGINT)
                self.finish(other)
        self.env["SLIPWAY_FAULT"] = "none"
        self.ok("cancel", handle)

    def test_no_command_succeeds_with_an_app_that_runs_again(self):
        run = self.finish(self.run_faulty("runs_again", "echo"))
        self.assertEqual(run.status, 75, run)
        # Without --json, `wait` reports the end that it saw.
        self.expect(75, "wait", "--json", run.stdout.strip())
        running = self.finish(self.run_faulty("runs_again", "sleep", "-d")).stdout.strip()
        self.expect(75, "cancel", running)

    def cancel_while_logs_hang(self):
        """Starts a command whose scheduler never stops reading logs, and cancels its app. Returns its process once the
        app has ended."""
        process = self.run_faulty("log_hangs", "sleep")
        handle = process.stdout.readline().decode().strip()
        process.send_signal(signal.SIGTERM)
        self.assertIn(b"cancelling", process.stderr.readline())
        self.eventually(lambda: self.status_of(handle)["state"] == "CANCELLED", "the app has ended")
        return process


if __name__ == "__main__":
    unittest.main()
