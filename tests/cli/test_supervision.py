"""Death of supervisors and wardens: no exit status is lost while one of them lives, and no process stays."""

import json
import os
import signal
import unittest

import live_processes
from app_text import role
from slipway_case import SLIPWAY, SlipwayCase


class Supervision(SlipwayCase):
    def kill_supervisor_if_any(self):
        """Kills the supervisor if it lives. The warden is the helper whose parent is not a process of this test."""
        ours = self.processes()
        wardens = [p for p in ours if "/libexec/slipway/" in ours[p] and live_processes.parent(p) not in ours]
        for warden in wardens:
            # The supervisor is the first child, because it precedes all replicas.
            children = sorted(p for p in ours if live_processes.parent(p) == warden)
            for pid in children[:1]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def kill(self, *pids):
        """Kills processes, and waits until they are dead."""
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.eventually(lambda: not any(map(live_processes.alive, pids)), "the killed processes are dead")

    def running(self, script, replicas=3, arguments=()):
        """Starts an app, and waits until all replicas run. Returns the handle."""
        handle = self.detach(self.app(role("w", script, num_replicas=replicas)), *arguments)
        self.await_all_running(handle)
        return handle

    def await_all_running(self, handle):
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "all run")

    def pids(self, handle):
        """Returns the pid of each replica."""
        return {k: r["pid"] for k, r in self.replicas_of(handle).items()}

    def test_a_dead_supervisor_is_replaced_and_exit_codes_are_intact(self):
        gate = self.gate()
        handle = self.running("echo up; read go < gate; echo r${replica_id}; exit $((5 + ${replica_id}))")
        before = self.pids(handle)
        waiter = self.start("wait", handle)
        follower = self.start("log", "-f", handle)
        self.assertEqual(sorted(follower.stdout.readline() for _ in range(3)), [b"w/%d up\n" % k for k in range(3)])
        self.kill(self.helpers(handle)[1])
        self.assertEqual(self.pids(handle), before)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate, replicas=3)
        self.assertIn(self.finish(waiter).status, (5, 6, 7))
        self.assertEqual(sorted(self.finish(follower).lines), ["w/0 r0", "w/1 r1", "w/2 r2"])
        replicas = self.replicas_of(handle)
        self.assertEqual([replicas[f"w/{k}"]["exit_code"] for k in range(3)], [5, 6, 7])
        self.assertEqual({r["restarts"] for r in replicas.values()}, {0})
        self.assert_nothing_lives()

    def test_a_supervisor_that_dies_while_it_launches_loses_no_replica_and_starts_none_twice(self):
        app = self.app(role("w", "echo started", num_replicas=100))
        for _ in range(8):  # the kill comes at another moment each time
            handle = self.detach(app)
            self.kill_supervisor_if_any()
            status = self.run_slipway("wait", handle).status
            started = self.ok("log", "--stream", "stdout", handle).lines
            self.assertEqual(status, 0)
            self.assertEqual(sorted(started), sorted(f"w/{k} started" for k in range(100)))
            self.assertEqual({r["state"] for r in self.replicas_of(handle).values()}, {"SUCCEEDED"})

    def test_exit_codes_of_replicas_that_ended_without_a_supervisor_are_intact(self):
        gate = self.gate()
        handle = self.running("read go < gate; exit 6", replicas=5)
        supervisor = self.helpers(handle)[1]
        os.kill(supervisor, signal.SIGSTOP)
        replicas = self.pids(handle).values()
        self.open_gate(gate, replicas=5)
        self.eventually(lambda: not any(map(live_processes.alive, replicas)), "the replicas have ended")
        self.kill(supervisor)
        self.expect(6, "wait", handle)
        self.assertEqual({r["exit_code"] for r in self.replicas_of(handle).values()}, {6})

    def test_an_app_whose_supervisor_died_can_be_cancelled(self):
        handle = self.running("trap '' TERM; setsid sleep 1000 & while :; do sleep 1000; done",
                              arguments=("-c", "grace_s=0.1"))
        self.kill(self.helpers(handle)[1])
        self.ok("cancel", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_foreground_run_continues_when_the_supervisor_dies(self):
        gate = self.gate()
        process, handle = self.start_foreground(self.app(role("w", "echo up; read go < gate; echo done; exit 4",
                                                              num_replicas=2)))
        self.assertEqual(sorted(process.stderr.readline() for _ in range(2)), [b"w/0 up\n", b"w/1 up\n"])
        self.kill(self.helpers(handle)[1])
        self.open_gate(gate, replicas=2)
        result = self.finish(process)
        self.assertEqual(result.status, 4, result)
        self.assertEqual(sorted(line for line in result.stderr.splitlines() if line.startswith("w/")),
                         ["w/0 done", "w/1 done"])

    def test_the_foreground_still_owns_the_app_when_the_supervisor_has_died(self):
        process, handle = self.start_foreground(self.app(role("w", "sleep 1000", num_replicas=2)))
        self.await_all_running(handle)
        self.kill(self.helpers(handle)[1])
        process.kill()
        self.finish(process)
        self.expect(130, "wait", handle)
        self.assert_nothing_lives()

    def test_quiet_foreground_run_says_why_its_app_ended_when_both_helpers_are_dead(self):
        process, handle = self.start_foreground("-q", self.app(role("w", "sleep 1000", num_replicas=2)))
        self.await_all_running(handle)
        self.kill(*self.helpers(handle))
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        cause = ("cancelled because its supervisor and its warden died, and their successor cannot watch the command "
                 "that started it")
        self.assertEqual(result.stderr.splitlines(), [f"slipway: error: {handle.rsplit('/', 1)[1]} was {cause}"])
        self.assertEqual((self.status_of(handle)["state"], self.status_of(handle)["msg"]), ("CANCELLED", cause))
        self.assert_nothing_lives()

    def test_quiet_foreground_run_names_the_command_that_cancelled_its_app(self):
        process, handle = self.start_foreground("-q", self.app(role("w", "sleep 1000")))
        self.await_all_running(handle)
        self.ok("cancel", handle)
        result = self.finish(process)
        self.assertEqual(result.status, 130, result)
        self.assertRegex(result.stderr, r"^slipway: error: app-\w+ was cancelled by `slipway cancel`, pid \d+\n$")

    def test_quiet_foreground_run_prints_nothing_after_its_own_interrupt(self):
        process, handle = self.start_foreground("-q", self.app(role("w", "sleep 1000")))
        self.await_all_running(handle)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual((result.status, result.stderr), (130, ""))

    def test_the_next_command_takes_over_when_both_helpers_are_dead(self):
        gate = self.gate()
        handle = self.running("read go < gate; exit 9")
        before = self.pids(handle)
        self.kill(*self.helpers(handle))
        self.assertEqual(self.status_of(handle)["state"], "RUNNING")
        self.assertEqual(self.pids(handle), before)
        self.open_gate(gate, replicas=3)
        # The successor is not the parent of the replicas. Before Linux 6.15 it may miss their exit codes.
        self.assertIn(self.run_slipway("wait", handle).status, (9, 70))
        for replica in self.replicas_of(handle).values():
            self.assertIn((replica["state"], replica["exit_code"], replica["reason"]),
                          (("FAILED", 9, "exit"), ("FAILED", None, "lost")))
        self.assert_nothing_lives()

    def test_each_command_takes_over_when_both_helpers_are_dead(self):
        for command in (["status"], ["wait", "--timeout", "0"], ["list"], ["log"], ["describe"]):
            with self.subTest(command=command):
                handle = self.running("sleep 1000", replicas=2)
                self.kill(*self.helpers(handle))
                self.run_slipway(*command, *([] if command == ["list"] else [handle]))
                self.helpers(handle)  # waits for the successor and its warden
                self.ok("cancel", handle)
                self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_a_waiter_does_not_hang_when_both_helpers_die(self):
        handle = self.running("sleep 1000", replicas=2)
        waiter = self.start("wait", handle)
        follower = self.start("log", "-f", handle)
        self.kill(*self.helpers(handle))
        self.ok("cancel", handle)
        self.assertEqual(self.finish(waiter).status, 130)
        self.assertEqual(self.finish(follower).status, 0)

    def test_replica_with_an_unknown_end_is_lost_and_reported(self):
        handle = self.running("sleep 1000", replicas=2)
        pids = list(self.pids(handle).values())
        self.kill(*self.helpers(handle))
        self.kill(*pids)
        self.eventually(lambda: not any(live_processes.parent(p) for p in pids), "no process knows their exit status")
        self.assertEqual(self.status_of(handle)["state"], "FAILED")
        self.expect(70, "wait", handle)
        for replica in self.replicas_of(handle).values():
            self.assertEqual((replica["state"], replica["exit_code"], replica["reason"]), ("FAILED", None, "lost"))
        self.assert_nothing_lives()

    def daemons(self):
        """Returns the processes that the scripts of the replicas left behind."""
        return [pid for pid, line in self.processes().items() if line.startswith("sleep 2000")]

    def test_a_daemon_in_its_own_process_session_does_not_outlive_an_orphaned_app(self):
        script = "setsid sh -c 'trap \"\" TERM; sleep 2000 &'; "
        gate = self.gate()
        for last_command, replicas_end_first in (("exec sleep 1000", False), ("read go < gate", True)):
            with self.subTest(last_command=last_command):
                handle = self.running(script + last_command, replicas=2, arguments=("-c", "grace_s=0.1"))
                self.eventually(lambda: len(self.daemons()) == 2, "two daemons")
                self.kill(*self.helpers(handle))
                if replicas_end_first:  # before the next command of Slipway
                    pids = self.shells()
                    self.open_gate(gate, 2)
                    self.eventually(lambda: not any(map(live_processes.alive, pids)), "the replicas have ended")
                    self.run_slipway("wait", handle)
                    # FAILED if the successor did not learn how the replicas ended.
                    self.assertIn(self.status_of(handle)["state"], ("FAILED", "SUCCEEDED"))
                else:
                    self.ok("cancel", handle)
                    self.assert_state(handle, "CANCELLED")
                self.assertEqual(self.daemons(), [])
                self.assert_nothing_lives()

    def shells(self):
        """Returns the shells that run the scripts of the replicas."""
        return [pid for pid, line in self.processes().items() if line.startswith("/bin/sh")]

    def test_an_app_started_by_a_replica_does_not_outlive_that_replicas_app(self):
        inner = self.app(role("in", "exec sleep 1000"), file="inner.toml")
        handle = self.running(f"{SLIPWAY} run -d {inner} > inner.handle; exec sleep 1000", replicas=1,
                              arguments=("-c", "grace_s=0.1"))
        self.file_appears("inner.handle")
        self.eventually(lambda: (self.cwd / "inner.handle").read_text().strip(), "the inner app runs")
        self.kill(*self.helpers(handle))
        self.ok("cancel", handle)
        self.assert_state(handle, "CANCELLED")
        self.run_slipway("wait", (self.cwd / "inner.handle").read_text().strip())
        self.assert_nothing_lives()

    def test_a_replica_may_ask_about_its_own_app_when_both_helpers_are_dead(self):
        gate = self.gate()
        handle = self.running(f"read go < gate; {SLIPWAY} status --json local_cwd://slipway/${{app_id}} > seen; exit 0",
                              replicas=1)
        self.kill(*self.helpers(handle))
        self.open_gate(gate)
        self.file_appears("seen")
        self.eventually(lambda: (self.cwd / "seen").read_text().endswith("\n"), "the replica has printed the answer")
        self.run_slipway("wait", handle)
        # FAILED if the successor did not learn how the replica ended.
        self.assertIn(self.status_of(handle)["state"], ("SUCCEEDED", "FAILED"))
        self.assertEqual(json.loads((self.cwd / "seen").read_text())["state"], "RUNNING")
        self.assert_nothing_lives()

    def test_a_replica_that_leaves_a_daemon_succeeds_and_the_daemon_is_ended(self):
        app = self.app(role("w", "setsid sh -c 'trap \"\" TERM; touch up.${replica_id}; sleep 1000' & "
                            "while [ ! -e up.${replica_id} ]; do sleep 0.01; done", num_replicas=2))
        handle = self.ok("run", app).stdout.strip()
        self.assert_state(handle, "SUCCEEDED")
        self.assert_nothing_lives()


if __name__ == "__main__":
    unittest.main()
