"""`slipway signal`: the signal reaches the named replicas that run, and no others."""

import os
import shutil
import signal
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase
from test_users import SecondUser

# Adds a line to its file `got.*` for each SIGUSR1. The signal also kills the child `sleep`; the loop starts another.
COUNTS = "trap 'echo got >>got.%s' USR1; touch up.%s; while :; do sleep 0.01; done"

# The same in one process. A shell that is stopped while it starts `sleep` waits for its child (state D), and is not in
# state T.
COUNTS_ALONE = """import signal
count = lambda *_: open('got.w.${replica_id}', 'a').write('got\\n')
signal.signal(signal.SIGUSR1, count)
open('up.w.${replica_id}', 'w').close()
while True: signal.pause()
"""


def counting(name="w", **fields):
    """Returns a role that runs COUNTS with files such as got.w.0."""
    return role(name, COUNTS.replace("%s", name + ".${replica_id}"), **fields)


class SignalCase(SlipwayCase):
    def await_started(self, *replicas):
        for replica in replicas:
            self.file_appears(f"up.{replica}")

    def count_of(self, replica):
        """Returns how many SIGUSR1 the replica, such as "w.0", has received."""
        path = self.cwd / f"got.{replica}"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def await_count(self, count, *replicas):
        for replica in replicas:
            self.eventually(lambda one=replica: self.count_of(one) == count, f"{replica} has received {count} signals")


class Signal(SignalCase):
    def test_only_the_named_replicas_get_the_signal(self):
        handle = self.detach(self.app(counting("a", num_replicas=3), counting("b", num_replicas=2)))
        every = ["a.0", "a.1", "a.2", "b.0", "b.1"]
        self.await_started(*every)
        expected = dict.fromkeys(every, 0)
        for target, reached in (("", every), ("/b", ["b.0", "b.1"]), ("/a/1", ["a.1"]), ("/a/0,2", ["a.0", "a.2"]),
                                ("/a,b/1", ["a.1", "b.1"])):
            with self.subTest(target=target):
                result = self.ok("signal", handle + target, "USR1")
                self.assertEqual(result.stdout, "")
                self.assertIn("SIGUSR1 was sent to", result.stderr)
                for replica in reached:
                    expected[replica] += 1
                for replica, count in expected.items():
                    self.await_count(count, replica)
        self.assert_state(handle, "RUNNING")

    def test_signals_are_written_as_names_or_numbers(self):
        handle = self.detach(self.app(counting()))
        self.await_started("w.0")
        for count, text in enumerate(("USR1", "SIGUSR1", "usr1", "sigusr1", str(int(signal.SIGUSR1))), 1):
            self.ok("signal", handle, text)
            self.await_count(count, "w.0")

    def test_realtime_signals_arrive(self):
        caught = ("import signal,time\nsignal.signal(signal.SIGRTMIN+3, lambda *_: open('caught','w'))\n"
                  "open('up','w')\nwhile True: time.sleep(0.01)")
        handle = self.detach(self.app(role("w", entrypoint="python3", args=["-c", caught])))
        self.file_appears("up")
        self.assertIn("SIGRTMIN+3", self.ok("signal", handle, "RTMIN+3").stderr)
        self.file_appears("caught")

    def test_the_whole_process_group_of_a_replica_gets_the_signal(self):
        child = COUNTS.replace("%s", "child")
        handle = self.detach(self.app(f"({child}) & {COUNTS.replace('%s', 'main')}"))
        self.await_started("child", "main")
        self.ok("signal", handle, "USR1")
        self.await_count(1, "child", "main")

    def test_foreground_app_gets_the_signal_and_continues(self):
        process, handle = self.start_foreground(
            self.app("trap 'echo got it; exit 7' USR1; touch up.w; while :; do sleep 0.01; done"))
        self.await_started("w")
        self.ok("signal", handle, "USR1")
        self.assertEqual(self.finish(process).status, 7)

    def test_stopped_replicas_continue_after_cont(self):
        handle = self.detach(self.app(role("w", entrypoint="python3", args=["-c", COUNTS_ALONE], num_replicas=2)))
        self.await_started("w.0", "w.1")
        pids = {name: each["pid"] for name, each in self.replicas_of(handle).items()}
        state = lambda name: Path(f"/proc/{pids[name]}/stat").read_text().rpartition(")")[2].split()[0]  # noqa: E731
        self.ok("signal", f"{handle}/w/0", "STOP")
        self.eventually(lambda: state("w/0") == "T", "the replica stops")
        self.assertNotEqual(state("w/1"), "T")
        self.assert_state(handle, "RUNNING")
        self.ok("signal", handle, "USR1")
        self.await_count(1, "w.1")
        self.assertEqual(self.count_of("w.0"), 0)
        self.ok("signal", f"{handle}/w/0", "CONT")
        self.await_count(1, "w.0")

    def test_an_end_by_a_signal_fails_the_replica_and_does_not_cancel_the_app(self):
        for name, number in (("KILL", 9), ("TERM", 15)):
            with self.subTest(signal=name):
                handle = self.detach(self.app(role("w", "sleep 1000", num_replicas=2)))
                self.assert_state(handle, "RUNNING")
                self.eventually(lambda: self.replicas_of(handle)["w/1"]["state"] == "RUNNING", "it runs")
                self.ok("signal", f"{handle}/w/1", name)
                self.eventually(lambda: self.replicas_of(handle)["w/1"]["state"] == "FAILED", "it ends")
                replicas = self.replicas_of(handle)
                self.assertEqual((replicas["w/1"]["signal"], replicas["w/1"]["reason"]), (number, "signal"))
                self.assertEqual(replicas["w/0"]["state"], "RUNNING")
                self.ok("signal", f"{handle}/w/0", name)
                self.expect(128 + number, "wait", handle)
                self.assert_state(handle, "FAILED")
        self.assert_nothing_lives()

    def test_retries_apply_to_an_end_by_a_signal(self):
        handle = self.detach(self.app(counting(max_retries=1, retry_policy="REPLICA")), "-c", "backoff=initial:0")
        self.await_started("w.0")
        (self.cwd / "up.w.0").unlink()
        self.ok("signal", handle, "KILL")
        self.await_started("w.0")
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["state"], replica["restarts"]), ("RUNNING", 1))
        self.ok("signal", handle, "USR1")
        self.await_count(1, "w.0")

    def test_replicas_that_do_not_run_are_reported_with_the_reason(self):
        handle = self.detach(self.app(counting(num_replicas=3)), "-c", "max_parallel=1")
        self.await_started("w.0")
        result = self.ok("signal", handle, "USR1")
        self.assertIn("SIGUSR1 was sent to w/0 of", result.stderr)
        self.assertRegex(result.stderr, r"warning: SIGUSR1 was not sent to w/1, w/2: .*PENDING")
        self.await_count(1, "w.0")
        error = self.expect_failure(69, "precondition", "signal", f"{handle}/w/1,2", "USR1")
        self.assertRegex(error["message"], r"no replica of .*\n  w/1, w/2: .*PENDING")
        self.ok("signal", f"{handle}/w/0", "KILL")
        self.await_started("w.1")
        result = self.ok("signal", handle, "USR1")
        self.assertRegex(result.stderr, r"warning: SIGUSR1 was not sent to w/0: ended \(FAILED\)")
        self.assertEqual(self.count_of("w.0"), 1)

    def test_a_replica_that_waits_for_its_retry_gets_no_signal(self):
        handle = self.detach(self.app(role("w", "exit 1", max_retries=1, retry_policy="REPLICA")),
                             "-c", "backoff=initial:1000;max:1000")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["reason"] or
                        self.replicas_of(handle)["w/0"].get("attempts"), "the replica has failed once")
        self.expect_failure(69, "precondition", "signal", handle, "USR1")

    def test_finished_app_is_refused(self):
        for script, state in (("exit 0", "SUCCEEDED"), ("exit 3", "FAILED")):
            handle = self.run_slipway("run", self.app(script)).stdout.strip()
            error = self.expect_failure(69, "precondition", "signal", handle, "USR1")
            self.assertIn(state, error["message"])
            self.assert_state(handle, state)

    def test_unknown_targets_are_not_found_and_nothing_is_sent(self):
        handle = self.detach(self.app(counting(num_replicas=2)))
        self.await_started("w.0", "w.1")
        self.expect_failure(66, "not_found", "signal", "local_cwd://slipway/none-1", "USR1")
        self.expect_failure(66, "not_found", "signal", "none-1", "USR1")
        self.assertIn("its roles are: w", self.expect_failure(66, "not_found", "signal", f"{handle}/v", "USR1")["hint"])
        self.expect_failure(66, "not_found", "signal", f"{handle}/w/0,2", "USR1")
        self.ok("signal", handle, "USR1")
        self.await_count(1, "w.0", "w.1")

    def test_an_unknown_signal_is_a_usage_error(self):
        handle = self.detach(self.app(counting()))
        self.await_started("w.0")
        for text in ("0", "65", "-1", "NONE", "", "RTMIN+99"):
            with self.subTest(text=text):
                self.expect_failure(64, "usage", "signal", "--", handle, text)
        self.assertIn("did you mean TERM?", self.expect_failure(64, "usage", "signal", handle, "SIGTREM")["hint"])
        self.expect_failure(64, "usage", "signal", handle)
        self.expect_failure(64, "usage", "signal", f"{handle}/w/x", "USR1")
        self.assertEqual(self.count_of("w.0"), 0)

    def test_json_has_a_row_for_each_replica_that_was_named(self):
        handle = self.detach(self.app(counting(num_replicas=2)), "-c", "max_parallel=1")
        self.await_started("w.0")
        self.assertEqual(self.ok("signal", "--json", handle, "USR1").json, {
            "handle": handle, "signal": "SIGUSR1", "number": int(signal.SIGUSR1),
            "replicas": [{"role": "w", "replica": 0, "sent": True, "why": None},
                         {"role": "w", "replica": 1, "sent": False, "why": "not started yet (PENDING)"}]})

    def test_a_command_may_name_more_replicas_than_fit_into_one_message(self):
        handle = self.detach(self.app(role("a", "sleep 1000", num_replicas=3),
                                      role("w", "sleep 1000", num_replicas=70)))
        runs = lambda: {r["state"] for r in self.replicas_of(handle).values()}  # noqa: E731
        self.eventually(lambda: runs() == {"RUNNING"}, "all run")
        self.ok("signal", f"{handle}/w/0,60,61,69", "KILL")
        self.eventually(lambda: {n for n, r in self.replicas_of(handle).items() if r["state"] == "FAILED"} ==
                        {"w/0", "w/60", "w/61", "w/69"}, "only the four named replicas end")
        document = self.ok("signal", "--json", handle, "KILL").json
        self.assertEqual(len(document["replicas"]), 73)
        self.assertEqual([r["replica"] for r in document["replicas"] if not r["sent"]], [0, 60, 61, 69])
        self.expect(137, "wait", handle)

    def test_help_shows_examples_and_shells_complete(self):
        self.assertIn("slipway signal @last USR1", self.ok("signal", "--help").stdout)
        handle = self.detach(self.app(counting()))
        self.await_started("w.0")
        offered = [line.split("\t")[0] for line in self.ok("__complete", "words", "signal", "").lines]
        self.assertIn(handle.rsplit("/", 1)[1], offered)
        offered = [line.split("\t")[0] for line in self.ok("__complete", "words", "signal", handle, "").lines]
        self.assertLessEqual({"USR1", "TERM", "RTMIN"}, set(offered))


class WithoutSupervisor(SignalCase):
    def running(self, *replicas, **fields):
        """Starts an app with these replicas, such as "w.0", and waits until they run. Returns the handle."""
        handle = self.detach(self.app(counting(num_replicas=len(replicas), **fields)))
        self.await_started(*replicas)
        return handle

    def kill(self, *pids):
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    def test_a_signal_arrives_once_right_after_the_supervisor_was_killed(self):
        for _ in range(3):
            handle = self.running("w.0", "w.1")
            self.kill(self.helpers(handle)[1])
            self.ok("signal", handle, "USR1")
            self.await_count(1, "w.0", "w.1")
            self.ok("signal", handle, "USR1")
            self.await_count(2, "w.0", "w.1")
            self.ok("cancel", "--now", handle)
            for path in self.cwd.glob("*.w.*"):
                path.unlink()

    def test_a_signal_arrives_once_after_both_helpers_were_killed(self):
        handle = self.running("w.0", "w.1")
        self.kill(*self.helpers(handle))
        self.ok("signal", f"{handle}/w/1", "USR1")
        self.await_count(1, "w.1")
        self.ok("signal", handle, "USR1")
        self.await_count(1, "w.0")
        self.await_count(2, "w.1")
        self.ok("signal", handle, "KILL")
        self.run_slipway("wait", handle)
        self.assert_state(handle, "FAILED")

    def test_a_supervisor_that_does_not_answer_is_a_temporary_failure(self):
        handle = self.running("w.0")
        supervisor = self.helpers(handle)[1]
        os.kill(supervisor, signal.SIGSTOP)
        try:
            result = self.expect(75, "signal", handle, "USR1")
        finally:
            os.kill(supervisor, signal.SIGCONT)
        self.assertIn(str(supervisor), result.stderr)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become another user")
class OtherUsers(SecondUser, SignalCase):
    def test_apps_of_another_user_get_no_signal(self):
        handle = self.detach(self.app(counting()))
        self.file_appears("up.w.0")
        self.assertEqual(self.as_nobody("signal", handle, "USR1").status, 66)
        self.assertEqual(self.as_nobody("signal", handle, "USR1", state=self.state).status, 77)
        self.ok("signal", handle, "USR1")
        self.await_count(1, "w.0")

    def test_root_sends_no_signal_to_an_app_of_another_user(self):
        app = self.app(counting())
        app.chmod(0o644)
        theirs = self.as_nobody("run", "-d", str(app))
        self.assertEqual(theirs.status, 0, theirs)
        handle = theirs.stdout.strip()
        self.file_appears("up.w.0")
        try:
            result = self.run_slipway("signal", handle, "USR1", env={"XDG_STATE_HOME": str(self.theirs)})
            self.assertEqual(result.status, 77, result)
            self.assertFalse((self.cwd / "got.w.0").exists())
        finally:
            self.assertEqual(self.as_nobody("cancel", "--now", handle).status, 0)


if __name__ == "__main__":
    unittest.main()
