"""The ends of a foreground run: ^C, signals, and any kind of death. No process of the app may survive. A
killed `run -d` leaves a complete app or none."""

import fcntl
import os
import random
import signal
import termios
import time
import unittest

from app_text import role
from slipway_case import LIMIT_S, TREE, SlipwayCase

FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"

# Notes each SIGTERM in the file `termed`, and ignores it.
STUBBORN = "trap 'echo x >> termed' TERM; touch ready; while :; do sleep 1000 & wait; done"
# Starts a child and a grandchild, each in its own process session; the grandchild's parent ends at once. All of them
# ignore SIGTERM.
FAMILY = ("trap '' TERM; setsid sh -c 'trap \"\" TERM; touch child.${replica_id}; sleep 1000' & "
          "(setsid sh -c 'trap \"\" TERM; touch grandchild.${replica_id}; sleep 1000' &) ; "
          "touch ready.${replica_id}; sleep 1000; wait")


class Interrupts(SlipwayCase):
    def assert_cancelled(self, process, handle):
        """Checks that the command ended with the status of a cancelled app, and that no process is left.
        Returns its Result."""
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()
        return result

    def test_first_interrupt_cancels_the_app_and_waits_for_its_end(self):
        app = self.app(role("w", "trap 'echo bye; sleep 0.1; echo gone; exit 0' TERM; touch ready.${replica_id}; "
                            "while :; do sleep 0.01; done", num_replicas=2))
        process, handle = self.start_foreground(app)
        for k in range(2):
            self.file_appears(f"ready.{k}")
        process.send_signal(signal.SIGINT)
        result = self.assert_cancelled(process, handle)
        for line in ("w/0 bye", "w/0 gone", "w/1 bye", "w/1 gone"):
            self.assertIn(line, result.stderr.splitlines())

    def test_second_interrupt_kills_an_app_that_ignores_sigterm(self):
        process, handle = self.start_foreground("-c", "grace_s=1000", self.app(STUBBORN))
        self.file_appears("ready")
        process.send_signal(signal.SIGINT)
        self.file_appears("termed")
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assert_cancelled(process, handle)
        self.assertEqual(self.replicas_of(handle)["w/0"]["signal"], 9)

    def test_grace_time_ends_an_app_that_ignores_sigterm(self):
        process, handle = self.start_foreground("-c", "grace_s=0.2", self.app(STUBBORN))
        self.file_appears("ready")
        process.send_signal(signal.SIGINT)
        self.assert_cancelled(process, handle)
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["state"], replica["signal"], replica["reason"]), ("CANCELLED", 9, "cancelled"))

    def test_an_interrupt_right_after_the_handle_cancels_the_app(self):
        for _ in range(10):
            process, handle = self.start_foreground(self.app("sleep 1000"))
            process.send_signal(signal.SIGINT)
            self.assert_cancelled(process, handle)

    def test_an_interrupted_run_with_json_still_writes_its_document(self):
        process = self.start("run", "--json", self.app("touch ready; sleep 1000"))
        self.file_appears("ready")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, 130)
        self.assertEqual(result.json["status"]["state"], "CANCELLED")
        self.assert_nothing_lives()

    def test_a_signal_that_the_caller_ignores_does_not_cancel(self):
        app = self.app("touch ready; read go < gate; grep SigIgn /proc/self/status > ignored")
        gate = self.gate()
        for wrapper, ignored, other in ((["nohup"], signal.SIGHUP, signal.SIGINT),
                                        (["sh", "-c", "trap '' INT TERM; exec \"$@\"", "sh"], signal.SIGINT,
                                         signal.SIGHUP)):
            with self.subTest(ignored=ignored.name):
                (self.cwd / "ready").unlink(missing_ok=True)
                self.wrapper = wrapper
                process, handle = self.start_foreground(app)
                self.wrapper = []
                self.file_appears("ready")
                process.send_signal(ignored)
                self.open_gate(gate)
                result = self.finish(process)
                self.assertEqual(result.status, 0, result)
                self.assertNotIn("cancel", result.stderr)
                self.assert_state(handle, "SUCCEEDED")
                # A replica has the default dispositions, even of signals that the command ignores.
                self.assertEqual((self.cwd / "ignored").read_text().split(), ["SigIgn:", "0" * 16])
                # Other signals still cancel.
                (self.cwd / "ready").unlink()
                self.wrapper = wrapper
                process, handle = self.start_foreground(app)
                self.wrapper = []
                self.file_appears("ready")
                process.send_signal(other)
                self.assert_cancelled(process, handle)

    def test_control_c_on_a_terminal_reaches_the_command_alone(self):
        app = self.app("trap 'touch interrupted' INT; trap 'touch termed; exit 1' TERM; touch ready; "
                       "while :; do sleep 0.01; done")
        process, master = self.start_on_terminal("run", app)
        self.file_appears("ready")
        os.write(master, b"\x03")
        self.assertEqual(process.wait(timeout=LIMIT_S), 130)
        self.assertTrue((self.cwd / "termed").exists())
        self.assertFalse((self.cwd / "interrupted").exists())
        self.assert_nothing_lives()

    def test_a_closed_terminal_ends_the_app(self):
        process, master = self.start_on_terminal("run", self.app("touch ready; sleep 1000"))
        self.file_appears("ready")
        # Wait for the handle before closing: a command that cannot write it ends at once, and the supervisor then
        # cancels the app with another message.
        shown = b""
        while b"://" not in shown:
            shown += os.read(master, 4096)
        os.close(master)
        self.masters.remove(master)
        process.wait(timeout=LIMIT_S)
        self.assertNotEqual(process.returncode, 0)
        self.assert_nothing_lives()
        self.assertEqual(self.status_of("@last")["msg"],
                         f"cancelled by `slipway run`, pid {process.pid}, whose terminal was closed")

    def test_the_message_names_the_command_after_global_options(self):
        app = self.app("touch ready; sleep 1000")
        for options in (("-q",), ("--session", "mine"), ("--session=mine", "-v")):
            with self.subTest(options):
                process = self.start(*options, "run", app)
                self.file_appears("ready")
                process.send_signal(signal.SIGINT)
                handle = self.finish(process).stdout.strip()
                self.assertEqual(self.status_of(handle)["msg"], f"cancelled by `slipway run`, pid {process.pid}")
                (self.cwd / "ready").unlink()

    def test_a_second_sighup_does_not_shorten_the_grace_time(self):
        # If a terminal closes, the shell and the kernel both send SIGHUP to its command.
        process, handle = self.start_foreground("-c", "grace_s=1000", self.app(
            "trap 'touch termed; sleep 0.5; touch saved; exit 0' TERM; touch ready; while :; do sleep 0.1; done"))
        self.file_appears("ready")
        process.send_signal(signal.SIGHUP)
        self.file_appears("termed")
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process).status, 130)
        self.assertTrue((self.cwd / "saved").exists())
        self.assert_ends_cancelled(handle)

    @unittest.skipUnless(FAULTY.is_file(), "the tree that is tested was not built here")
    def test_an_interrupt_that_also_ends_the_reader_of_messages_cancels_the_app(self):
        # As ^C in `2>&1 | tee log`, on a scheduler whose apps do not end with the command.
        self.env["SLIPWAY_PLUGIN_PATH"] = str(FAULTY)
        app = self.write("far.toml", 'name = "far"\n[[roles]]\nname = "w"\nimage = "/"\nentrypoint = "sleep"\n'
                                     'args = ["600"]\n')
        process = self.start("run", "-s", "faulty", "--wait", app)
        handle = process.stdout.readline().decode().strip()
        process.stderr.close()
        process.stdout.close()
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT_S)
        self.ok("wait", handle, "--for", "CANCELLED")
        self.assertEqual(self.status_of(handle)["state"], "CANCELLED")

    def test_sigterm_and_sighup_end_the_app(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                process, handle = self.start_foreground(self.app("sleep 1000"))
                self.ok("wait", "--for", "RUNNING", handle)
                process.send_signal(number)
                self.assertEqual(self.finish(process).status, 130)
                self.assert_ends_cancelled(handle)
                self.assert_nothing_lives()

    def test_sigkill_leaves_nothing_of_a_running_app(self):
        app = self.app(role("w", FAMILY, num_replicas=3))
        process, handle = self.start_foreground("-c", "grace_s=0.2", app)
        for k in range(3):
            for name in ("ready", "child", "grandchild"):
                self.file_appears(f"{name}.{k}")
        self.assertGreaterEqual(len(self.processes()), 9)  # of each replica, the shell, child and grandchild
        process.kill()
        process.wait()
        self.assert_ends_cancelled(handle)
        self.assert_nothing_lives()

    def test_sigkill_right_after_the_handle_leaves_nothing(self):
        for _ in range(10):
            process, handle = self.start_foreground("-c", "grace_s=0.2", self.app(role("w", FAMILY, num_replicas=3)))
            process.kill()
            self.finish(process)
            self.assert_ends_cancelled(handle)
        self.assert_nothing_lives()

    def test_sigkill_at_a_random_moment_leaves_no_process_and_no_draft(self):
        app = self.app(role("w", FAMILY, num_replicas=3))
        self.kill_at_random_moments(40, random.Random(7), "run", "-c", "grace_s=0.1", app)
        self.assert_all_apps_end()

    def test_sigkill_at_a_random_moment_of_a_detached_run_leaves_a_complete_app_or_none(self):
        app = self.app(role("w", "sleep 1000", num_replicas=3))
        printed = self.kill_at_random_moments(30, random.Random(11), "run", "-d", app)
        listed = [each["handle"] for each in self.ok("list", "--json").json["apps"]]
        self.assertLessEqual(set(printed), set(listed))
        for handle in listed:
            self.assert_state(handle, "RUNNING")
            self.ok("cancel", "--now", handle)
        self.assert_all_apps_end()

    # support ---------------------------------------------------------------------------------------------------------

    def setUp(self):
        super().setUp()
        self.masters = []  # the ends of terminals that the tests hold
        self.addCleanup(lambda: [os.close(fd) for fd in self.masters])

    def kill_at_random_moments(self, times, rng, *arguments):
        """Starts and kills a command at least `times` times, until at least one kill came before it printed a handle
        and one after that. The moments adapt to the speed of the machine, so that about half of them come after the
        handle. Returns the printed handles."""
        longest_s, printed, kills = 0.03, [], 0
        while kills < times or len(printed) in (0, kills):
            process = self.start(*arguments)
            time.sleep(rng.uniform(0, longest_s))
            process.kill()
            lines = self.finish(process).lines
            longest_s *= 0.8 if lines else 1.25
            printed += lines
            kills += 1
        return printed

    def start_on_terminal(self, *arguments):
        """Starts a command as the foreground job of a new terminal. Returns the process and the descriptor that types
        keys."""
        master, slave = os.openpty()
        self.masters.append(master)
        process = self.start(*arguments, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                             preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        return process, master

    def assert_ends_cancelled(self, handle):
        self.assertEqual(self.run_slipway("wait", handle).status, 130)
        self.assert_state(handle, "CANCELLED")

    def assert_all_apps_end(self):
        """Checks that every app has ended CANCELLED, that no process lives, and that the next launch removes drafts."""
        self.assert_nothing_lives()
        for each in self.ok("list", "--all", "--json").json["apps"]:
            self.assert_ends_cancelled(each["handle"])
        self.assertEqual(self.ok("list", "--json").json["apps"], [])
        self.assert_nothing_lives()
        self.ok("run", self.app("true", file="last.toml"))
        left = [p.name for p in (self.state / "slipway" / "local").glob("*/.new-*")]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
