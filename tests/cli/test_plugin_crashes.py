"""Schedulers that crash in a call of a command that submits or follows an app: one line names the plug-in and the call,
the exit status is 70, and the terminal and detached apps stay as they are. A crash in a thread of the plug-in names no
call, and ends the command by its signal.

test_bad_plugins.py tests crashes while a plug-in is loaded or lists apps."""

import os
import signal
import termios
import unittest

from app_text import app_toml, role
from slipway_case import LIMIT_S, SANITIZED, TREE
from terminal_case import TerminalCase

MANIFEST = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


@unittest.skipUnless(MANIFEST.is_file(), "the tree that is tested was not built here")
class PluginCrashes(TerminalCase):
    def setUp(self):
        super().setUp()
        self.env["SLIPWAY_PLUGIN_PATH"] = str(MANIFEST)

    def faulty(self, fault):
        """Returns an environment in which the plug-in has this fault."""
        return {**self.env, "SLIPWAY_FAULT": fault}

    def detach_sleeper(self):
        return self.detach(self.app("exec sleep 1000"), "-s", "faulty")

    def assert_names(self, result, what):
        """Checks that the command ended with the only error that the faulty plug-in did `what`."""
        self.assertEqual(result.status, 70, result)
        (error,) = [line for line in result.stderr.splitlines() if "error: " in line]
        self.assertEqual(error, f"slipway: error: org.example.faulty 1.0.0 {what}")

    def test_crash_in_schedule_leaves_no_app(self):
        result = self.expect(70, "run", "-d", "-s", "faulty", self.app("true"), env=self.faulty("crashes_in_schedule"))
        self.assert_names(result, "crashed (SIGSEGV) in schedule")
        self.assertEqual(self.ok("list", "--all", "--json", "-s", "faulty").json["apps"], [])

    def test_detached_app_continues_after_a_crash_of_commands_about_it(self):
        handle = self.detach_sleeper()
        for fault, command in (("crashes_in_describe", "status"), ("crashes_in_describe", "wait"),
                               ("crashes_in_log_next", "log"), ("overflows_in_log_next", "log")):
            with self.subTest(command, fault=fault):
                call = fault.partition("_in_")[2]
                result = self.run_slipway(command, handle, env=self.faulty(fault))
                self.assert_names(result, f"crashed (SIGSEGV) in {call}")
                self.assertEqual(self.json_error(self.run_slipway("--json", command, handle, env=self.faulty(fault)))
                                 ["code"], "internal")
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)

    def test_crash_in_the_thread_that_reads_logs_ends_a_foreground_run(self):
        """To report a stack overflow, the signal handler needs its own stack in this thread. The app ends with its
        owner."""
        for fault in ("crashes_in_log_next", "overflows_in_log_next"):
            with self.subTest(fault):
                process = self.start("run", "-s", "faulty", self.app("exec sleep 1000"), env=self.faulty(fault))
                self.assert_names(self.finish(process), "crashed (SIGSEGV) in log_next")
                self.assertEqual(self.run_slipway("wait", "@last").status, 130)

    def test_fault_of_an_image_provider_names_its_plug_in_and_not_that_of_the_scheduler(self):
        app = self.write("app.toml", app_toml("app", role("w", "true", image="faulty:///srv/x")))
        for fault, what in (("crashes_in_resolve", "crashed (SIGSEGV) in resolve"),
                            ("exits_in_resolve", "ended the process with exit status 4 in resolve")):
            for arguments in (("run", "-n"), ("run",)):
                with self.subTest(fault, arguments=arguments):
                    result = self.run_slipway(*arguments, "-s", "local", app, env=self.faulty(fault))
                    self.assert_names(result, what)
                    self.assertIn('[plugins."org.example.faulty"]', result.stderr)

    def test_exception_of_an_image_provider_names_its_plug_in(self):
        app = self.write("app.toml", app_toml("app", role("w", "true", image="faulty:///srv/x")))
        result = self.run_slipway("run", "-n", "-s", "local", app, env=self.faulty("resolve_throws"))
        self.assertIn("org.example.faulty 1.0.0 threw an exception out of resolve: no such tag", result.stderr)
        self.assertIn('[plugins."org.example.faulty"]', result.stderr)

    def test_image_provider_that_hangs_is_named_at_the_time_limit(self):
        app = self.write("app.toml", app_toml("app", role("w", "true", image="faulty:///srv/x")))
        result = self.expect(124, "run", "-n", "-s", "local", "--timeout", "1", app,
                             env=self.faulty("hangs_in_resolve"))
        self.assertIn("org.example.faulty 1.0.0 does not return from resolve", result.stderr)

    def crash_while_attach_asks(self, fault, *, shows, status):
        """Checks that attach, with this fault of the plug-in, shows the text and ends with the status, and that
        terminal and app stay as they are."""
        handle = self.detach_sleeper()
        trigger = self.cwd / "trigger"  # the plug-in crashes once this file exists
        self.env.update(SLIPWAY_FAULT=fault, SLIPWAY_FAULT_FILE=str(trigger))
        before = termios.tcgetattr(self.slave)
        process = self.start_on_terminal("attach", handle)
        self.type(b"\x03", shows="d detaches")
        self.assertNotEqual(termios.tcgetattr(self.slave), before)
        trigger.touch()
        self.type(b"", shows=shows)
        self.assertEqual(process.wait(timeout=LIMIT_S), status)
        self.assertEqual(termios.tcgetattr(self.slave), before)
        self.env["SLIPWAY_FAULT"] = "none"
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)

    def test_crash_while_attach_asks_leaves_terminal_and_app_intact(self):
        self.crash_while_attach_asks("crashes_in_describe", status=70,
                                     shows="org.example.faulty 1.0.0 crashed (SIGSEGV) in describe")

    @unittest.skipIf(SANITIZED, "the sanitizer handles the signal")
    def test_crash_in_a_thread_while_attach_asks_leaves_terminal_and_app_intact(self):
        self.crash_while_attach_asks("crashes_in_a_thread", status=-signal.SIGSEGV,
                                     shows="crashed (SIGSEGV): a defect in Slipway, or in a thread of a plug-in")

    @unittest.skipIf(SANITIZED, "the sanitizer handles the signal")
    def test_crash_in_a_thread_of_a_plug_in_ends_the_command_by_its_signal(self):
        handle = self.detach_sleeper()
        result = self.run_slipway("status", handle, env=self.faulty("crashes_in_a_thread"))
        self.assertEqual(result.status, 128 + signal.SIGSEGV, result)
        self.assertIn("crashed (SIGSEGV): a defect in Slipway, or in a thread of a plug-in", result.stderr)
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", handle)


if __name__ == "__main__":
    unittest.main()
