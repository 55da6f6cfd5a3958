"""What a person at a terminal can do while a command follows an app: cancel the app, detach from it, or continue."""

import os
import signal
import termios
import unittest
from pathlib import Path

from slipway_case import LIMIT_S, TREE
from terminal_case import TerminalCase

FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


class Terminal(TerminalCase):
    # The key \x03 is Ctrl-C, which interrupts; \x1c is Ctrl-\, which quits.

    @unittest.skipUnless(FAULTY.is_file(), "the tree that is tested was not built here")
    def test_sigquit_during_a_submission_loses_no_app_of_a_sweep(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(FAULTY), SLIPWAY_FAULT="schedule_waits_once")
        self.write("c.toml", '[component.c.params.x]\n[component.c.app]\nname = "c"\n[[component.c.app.roles]]\n'
                             'name = "w"\nimage = "/"\nentrypoint = "true"\nargs = ["{{x}}"]\n')
        process = self.start_on_terminal("run", "-s", "faulty", "c.toml", "--sweep", "-P", "x=1,2")
        self.type(b"", shows="the cluster takes the app")
        self.type(b"\x1c", shows="2 apps: 2 SUCCEEDED")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_first_interrupt_of_attach_asks_and_the_second_cancels(self):
        handle = self.detach_sleeper()
        process = self.start_on_terminal("attach", handle)
        self.type(b"\x03", shows="^C again cancels")
        self.assert_state(handle, "RUNNING")
        self.type(b"\x03", shows="was cancelled by `slipway attach`")
        self.assertEqual(process.wait(timeout=LIMIT_S), 130)
        self.assert_state(handle, "CANCELLED")
        self.assertIn(f"cancelled by `slipway attach`, pid {process.pid}", self.status_of(handle)["msg"])

    def test_key_d_detaches_attach_and_the_terminal_gets_its_modes_back(self):
        handle = self.detach_sleeper()
        before = termios.tcgetattr(self.slave)
        process = self.start_on_terminal("attach", handle)
        self.type(b"\x03", shows="d detaches")
        self.assertNotEqual(termios.tcgetattr(self.slave), before)
        self.type(b"d", shows="detached")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assertEqual(termios.tcgetattr(self.slave), before)
        self.assert_state(handle, "RUNNING")

    def test_another_key_continues_and_the_next_interrupt_asks_again(self):
        handle = self.detach_sleeper()
        process = self.start_on_terminal("attach", handle)
        self.type(b"\x03", shows="any other key continues")
        self.type(b"x", shows="asks again")
        self.type(b"\x03", shows="any other key continues")
        self.type(b"d", shows="detached")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_keys_typed_before_the_question_do_not_answer_it(self):
        handle = self.detach_sleeper()
        process = self.start_on_terminal("attach", handle)
        self.type(b"d", shows="d")  # the terminal's echo
        self.type(b"\x03", shows="any other key continues")
        self.assertIsNone(process.poll())
        self.type(b"d", shows="detached")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)

    def test_question_of_a_quiet_attach_is_shown(self):
        handle = self.detach_sleeper()
        process = self.start_on_terminal("attach", "-q", handle)
        self.type(b"\x03", shows="^C again cancels")
        self.type(b"d", shows="")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assert_state(handle, "RUNNING")

    def test_question_is_on_the_terminal_when_the_reader_of_the_messages_died_from_the_same_interrupt(self):
        for answer, status, state in ((b"d", 0, "RUNNING"), (b"\x03", 130, "CANCELLED")):
            with self.subTest(answer=answer):
                (self.cwd / "ready").unlink(missing_ok=True)
                handle = self.detach_sleeper()
                before = termios.tcgetattr(self.slave)
                process = self.start_with_dead_reader("attach", handle)
                self.type(b"\x03", shows="^C again cancels")
                self.assert_state(handle, "RUNNING")
                self.type(answer, shows="" if status == 0 else "cancelling")
                self.assertEqual(process.wait(timeout=LIMIT_S), status)
                self.assert_state(handle, state)
                self.assertEqual(termios.tcgetattr(self.slave), before)

    def test_interrupt_after_the_cancellation_kills_although_the_reader_of_the_messages_died(self):
        handle = self.detach(self.app("trap 'echo stopping; touch stopping' TERM; touch ready; "
                                      "while :; do sleep 1; done"), "-c", "grace_s=1000")
        self.file_appears("ready")
        process = self.start_with_dead_reader("attach", handle)
        self.type(b"\x03", shows="^C again cancels")
        self.type(b"\x03", shows="^C again kills")
        self.file_appears("stopping")
        os.write(self.master, b"\x03")
        self.assertEqual(process.wait(timeout=LIMIT_S), 130)
        self.assert_state(handle, "CANCELLED")

    def test_quit_detaches_although_the_reader_of_the_messages_died_from_the_same_key(self):
        handle = self.detach_sleeper()
        process = self.start_with_dead_reader("attach", handle)
        os.write(self.master, b"\x1c")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assert_state(handle, "RUNNING")

    def test_quit_detaches_a_foreground_run_whose_messages_go_to_a_file(self):
        with open(self.cwd / "err.txt", "wb") as messages:
            process = self.start_on_terminal("run", self.app("touch ready; exec sleep 1000"), stderr=messages)
        self.file_appears("ready")
        os.write(self.master, b"\x1c")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assertIn("detached", (self.cwd / "err.txt").read_text())
        self.assert_state(self.status_of("@last")["handle"], "RUNNING")

    def test_quit_detaches_a_foreground_run_whose_app_continues(self):
        gate = self.gate()
        process = self.start_on_terminal("run", self.app("touch ready; read go < gate; echo after"))
        self.file_appears("ready")
        self.type(b"\x1c", shows="detached")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        handle = self.status_of("@last")["handle"]
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertIn("app RELEASED", self.journal(handle))

    def test_a_detached_app_also_outlives_its_helpers(self):
        for both_die in (False, True):
            with self.subTest(both_die=both_die):
                (self.cwd / "ready").unlink(missing_ok=True)
                process = self.start_on_terminal("run", self.app("touch ready; exec sleep 1000"))
                self.file_appears("ready")
                self.type(b"\x1c", shows="detached")
                self.assertEqual(process.wait(timeout=LIMIT_S), 0)
                handle = self.status_of("@last")["handle"]
                warden, supervisor = self.helpers(handle)
                os.kill(supervisor, signal.SIGSTOP)  # so that it does not act when the warden dies
                if both_die:
                    os.kill(warden, signal.SIGKILL)
                os.kill(supervisor, signal.SIGKILL)
                self.eventually(lambda: self.run_slipway("status", handle).status == 0 and "ADOPTED" in
                                self.journal(handle), "a successor takes the replica over")
                self.assert_state(handle, "RUNNING")
                self.ok("cancel", "--now", handle)

    def test_quit_detaches_attach(self):
        handle = self.detach_sleeper()
        process = self.start_on_terminal("attach", handle)
        app_id = handle.rpartition("/")[2]
        self.type(b"\x1c", shows=f"slipway attach {app_id} returns to it, slipway cancel {app_id} ends it")
        self.assertEqual(process.wait(timeout=LIMIT_S), 0)
        self.assert_state(handle, "RUNNING")

    def test_an_interrupt_of_attach_in_the_background_of_the_terminal_leaves_the_app_alone(self):
        handle = self.detach_sleeper()
        self.wrapper = ["sh", "-c", "set -m; \"$@\" & wait $!", "sh"]
        shell = self.start("attach", handle, stdin=self.slave, stdout=self.slave, stderr=self.slave,
                           preexec_fn=lambda: (os.setsid(), self.take_terminal()))
        self.wrapper = []
        children = Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
        pid = self.eventually(lambda: int(children.read_text() or 0), "the shell starts the command")
        self.eventually(lambda: self.blocks(pid, signal.SIGINT), "the command waits")
        os.kill(pid, signal.SIGINT)
        self.assertEqual(shell.wait(timeout=LIMIT_S), 130)
        self.assert_state(handle, "RUNNING")

    def test_status_names_the_command_that_cancelled_the_app(self):
        handle = self.detach_sleeper()
        self.ok("cancel", handle)
        self.assertRegex(self.status_of(handle)["msg"], r"^cancelled by `slipway cancel`, pid \d+$")

    # support ---------------------------------------------------------------------------------------------------------

    def detach_sleeper(self):
        """Starts a detached app, and waits until it runs. Returns the handle."""
        handle = self.detach(self.app("touch ready; exec sleep 1000"))
        self.file_appears("ready")
        return handle

    def start_with_dead_reader(self, *arguments):
        """Starts a command whose messages nothing reads, as in `2>&1 | tee log` after tee has died."""
        reader, writer = os.pipe()
        process = self.start_on_terminal(*arguments, stderr=writer)
        os.close(writer)
        os.close(reader)
        return process

    def journal(self, handle):
        return (self.app_dir(handle) / "events.log").read_text()


if __name__ == "__main__":
    unittest.main()
