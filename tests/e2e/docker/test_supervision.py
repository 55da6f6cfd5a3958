"""Apps with a supervisor: retries by policy, time limits, services and the order of roles, also after kills."""

import os
import signal
import subprocess
import threading
import time
import unittest
from datetime import datetime

from docker_case import LIMIT, TREE, DockerCase, role, why_unable

unable = why_unable()
ENDLESS = "while :; do sleep 0.1; done"
# Run options for a short back-off.
QUICK = ("-c", "backoff=initial:0.1;max:0.1")


@unittest.skipIf(unable, unable)
class Supervision(DockerCase):
    # With this option, the containers of an engine that crashed continue.
    options = ("--live-restore",)

    def attempts(self, replica):
        return [(one["state"], one["exit_code"], one["reason"]) for one in replica["attempts"]]

    # ---- retries

    def test_only_failures_in_retry_on_are_retried(self):
        handle = self.submit(role("w", "echo attempt $SLIPWAY_ATTEMPT; exit $((SLIPWAY_ATTEMPT + 2))",
                                  extra="max_retries = 5\nretry_on = [3]\nbackoff = { initial = 0.1 }\n"))
        self.wait(handle, 4)
        replica = self.only_replica(handle)
        self.assertEqual(self.attempts(replica), [("FAILED", 3, "exit"), ("FAILED", 4, "exit")])
        self.assertEqual((replica["restarts"], replica["exit_code"]), (1, 4))
        self.assertEqual(self.log(handle).splitlines(), ["attempt 1", "attempt 2"])
        self.assertEqual(self.log(handle, "--attempt", "1").splitlines(), ["attempt 1"])
        self.eventually(lambda: not self.helpers(handle), "the helper ends with the app")
        self.slipway("delete", handle)
        self.assert_nothing_is_left()

    def test_restart_of_the_app_repeats_all_replicas(self):
        fails_once = "echo $SLIPWAY_ATTEMPT; test $SLIPWAY_ATTEMPT = 2 || exit 3"
        handle = self.submit(role("done", "echo $SLIPWAY_ATTEMPT", extra="max_retries = 1\n"),
                             role("w", fails_once, extra="max_retries = 1\n"),
                             role("long", f"echo $SLIPWAY_ATTEMPT; test $SLIPWAY_ATTEMPT = 2 || {{ {ENDLESS}; }}",
                                  extra="max_retries = 1\n"), options=QUICK)
        self.wait(handle)
        status = self.status(handle)
        self.assertEqual((status["state"], status["num_restarts"]), ("SUCCEEDED", 1))
        replicas = self.replicas(status)
        self.assertEqual(self.attempts(replicas[("w", 0)])[0], ("FAILED", 3, "exit"))
        self.assertEqual(self.attempts(replicas[("done", 0)])[0], ("SUCCEEDED", 0, "exit"))
        self.assertEqual(self.attempts(replicas[("long", 0)])[0][::2], ("CANCELLED", "restarted"))
        # The failure of `w` may end the first attempt of `long` before it has printed its line.
        self.assertIn(self.log(handle + "/long").splitlines(), (["1", "2"], ["2"]))

    def test_restart_of_a_role_leaves_other_roles_alone(self):
        # Replica 1 fails in attempt 1; replica 0 runs until the restart.
        script = "test $SLIPWAY_ATTEMPT$SLIPWAY_REPLICA_ID != 11 || exit 3; test $SLIPWAY_ATTEMPT = 2 || " + ENDLESS
        handle = self.submit(role("w", script, 2, 'max_retries = 1\nretry_policy = "ROLE"\n'),
                             role("other", "sleep 1"), options=QUICK)
        self.wait(handle)
        replicas = self.replicas(self.status(handle))
        self.assertEqual([replicas[key]["restarts"] for key in (("w", 0), ("w", 1), ("other", 0))], [1, 1, 0])
        self.assertEqual(self.status(handle)["num_restarts"], 0)

    def test_host_name_of_a_replica_leads_to_its_next_attempt(self):
        serve = "test $SLIPWAY_ATTEMPT = 2 || exit 3; echo served | nc -l -p 80"
        ask = "until test -n \"$a\"; do a=$(nc $TORCHX_RANK0_HOST 80 </dev/null 2>/dev/null); sleep 0.1; done; echo $a"
        retried = "max_retries = 1\nretry_policy = \"REPLICA\"\nbackoff = { initial = 0.1 }\n"
        handle = self.submit(role("ps", serve, extra=retried), role("w", ask))
        self.wait(handle)
        self.assertEqual(self.log(handle + "/w").splitlines(), ["served"])

    def test_followed_log_has_all_attempts(self):
        handle = self.submit(role("w", "echo $SLIPWAY_ATTEMPT; exit 3",
                                  extra="max_retries = 2\nbackoff = { initial = 0.5 }\n"))
        self.assertEqual(self.slipway("log", "-f", handle).stdout.splitlines(), ["1", "2", "3"])

    def test_cancellation_in_a_pause_is_the_end(self):
        handle = self.submit(role("w", "exit 3", extra="max_retries = 9\nbackoff = { initial = 600, max = 600 }\n"))
        status = self.until(handle, lambda status: self.replicas(status)[("w", 0)].get("waits_for"), "the pause begins")
        self.assertIn("the next attempt, in ", self.replicas(status)[("w", 0)]["waits_for"])
        self.slipway("cancel", handle)
        self.wait(handle, 130)
        self.assertEqual(self.only_replica(handle)["state"], "CANCELLED")

    # ---- kills

    def test_successor_continues_after_the_supervisor_was_killed(self):
        handle = self.submit(role("w", "sleep 1; test $SLIPWAY_ATTEMPT = 3",
                                  extra="max_retries = 9\nbackoff = { initial = 0.1 }\n"))
        self.kill_helper(handle)
        self.wait(handle)
        self.assertEqual(self.only_replica(handle)["restarts"], 2)

    def test_waiting_command_starts_the_successor(self):
        handle = self.submit(role("w", "test $SLIPWAY_ATTEMPT = 2",
                                  extra="max_retries = 9\nbackoff = { initial = 5, jitter = 0 }\n"))
        waiter = self.start("wait", handle)
        self.until_subscribed(waiter)
        self.kill_helper(handle)
        self.assertEqual(waiter.wait(LIMIT), 0)

    def test_supervisor_outlasts_an_engine_that_is_killed(self):
        handle = self.submit(role("w", "sleep 2; test $SLIPWAY_ATTEMPT = 2",
                                  extra="max_retries = 9\nbackoff = { initial = 0.1 }\n"))
        self.one_helper(handle)
        self.engine.kill()
        self.engine.start()
        self.wait(handle)
        self.assertEqual(self.only_replica(handle)["restarts"], 1)

    def crash_while_it_ends(self, handle):
        """Kills the engine, starts it again, and lets the app's only container end while the engine starts. At that
        moment, the engine does not remove the end of the container in its network: it keeps the name."""
        (container,) = self.engine.containers()
        pid = self.engine.request("GET", f"/containers/{container['Id']}/json")[1]["State"]["Pid"]
        log = self.engine.directory / "log"
        self.engine.kill()
        before = log.stat().st_size

        def end_container():
            deadline = time.monotonic() + LIMIT
            while b"Loading containers: start" not in log.read_bytes()[before:] and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            os.kill(pid, signal.SIGKILL)

        ending = threading.Thread(target=end_container)
        ending.start()
        self.engine.start()
        ending.join()

    def test_attempt_that_ends_while_the_engine_starts_is_retried(self):
        handle = self.submit(role("w", f"test $SLIPWAY_ATTEMPT = 2 || {{ {ENDLESS}; }}",
                                  extra="max_retries = 9\nbackoff = { initial = 0.1 }\n"))
        self.until(handle, lambda status: status["state"] == "RUNNING", "it runs")
        self.crash_while_it_ends(handle)
        self.wait(handle)
        self.assertEqual(self.only_replica(handle)["restarts"], 1)
        (name,) = (one["Names"][0] for one in self.engine.containers() if one["Names"][0].endswith("-w-0"))
        self.assertEqual(name, "/" + handle.rpartition("/")[2] + "-w-0")

    def test_network_of_an_app_that_ended_while_the_engine_started_is_deleted(self):
        handle = self.submit(role("w", ENDLESS))
        self.until(handle, lambda status: status["state"] == "RUNNING", "it runs")
        self.crash_while_it_ends(handle)
        self.wait(handle, 137)
        self.slipway("delete", handle)
        self.assert_nothing_is_left()

    def test_list_starts_the_successor(self):
        handle = self.submit(role("w", "test $SLIPWAY_ATTEMPT = 2",
                                  extra="max_retries = 9\nbackoff = { initial = 2, jitter = 0 }\n"))
        self.kill_helper(handle)
        self.slipway("list", "-s", "local_docker")
        self.one_helper(handle)
        self.eventually(lambda: "SUCCEEDED" in self.slipway("list", "--all", "-s", "local_docker").stdout,
                        "it continues to its end")

    def test_two_supervisors_create_each_attempt_once(self):
        handle = self.submit(role("w", "sleep 0.5; test $SLIPWAY_ATTEMPT = 3", 8,
                                  "max_retries = 9\nretry_policy = \"REPLICA\"\nbackoff = { initial = 0.1 }\n"))
        # A supervisor claims its app by the name of a socket, which another network namespace does not see.
        second = subprocess.Popen(["unshare", "--net", TREE / "libexec" / "slipway" / "slipway-docker-supervisor",
                                   "recover", self.engine.socket, self.home / "none",  # no files of a submitter
                                   handle.rpartition("/")[2]])
        self.eventually(lambda: len(self.helpers(handle)) == 2, "there are two")
        self.wait(handle)
        self.assertEqual({one["restarts"] for one in self.replicas(self.status(handle)).values()}, {2})
        second.wait(LIMIT)

    def test_replica_that_ends_with_a_killed_owner_is_not_retried(self):
        self.app(role("w", ENDLESS, extra="max_retries = 9\nretry_on = [3]\n"))
        process = self.start("run", "-s", "local_docker", "app.toml")
        handle = process.stdout.readline().strip()
        process.kill()
        status = self.until(handle, lambda status: status["state"] == "CANCELLED", "it is cancelled")
        self.assertEqual(self.replicas(status)[("w", 0)]["restarts"], 0)

    # ---- limits

    def test_attempt_that_takes_too_long_has_failed(self):
        handle = self.submit(role("w", "test $SLIPWAY_ATTEMPT = 2 || " + ENDLESS,
                                  extra="timeout_s = 1\ngrace_s = 1\nmax_retries = 1\nretry_on = [\"timeout\"]\n"
                                  "backoff = { initial = 0.1 }\n"))
        self.wait(handle)
        self.assertEqual(self.attempts(self.only_replica(handle))[0][::2], ("FAILED", "timeout"))

    def test_app_that_takes_too_long_has_failed(self):
        handle = self.submit(role("w", ENDLESS), role("later", "true", extra='depends_on = { w = "succeeded" }\n'),
                             options=("-c", "app_timeout_s=1", "-c", "grace_s=1"))
        self.wait(handle, 124)
        status = self.status(handle)
        self.assertIn("longer than its app_timeout_s of 1", status["msg"])
        running, waiting = (self.replicas(status)[(name, 0)] for name in ("w", "later"))
        self.assertEqual((running["state"], running["reason"], running["limit"]),
                         ("FAILED", "timeout", "app_timeout_s of 1 s"))
        self.assertEqual((waiting["state"], waiting["reason"]), ("CANCELLED", "timeout"))

    def test_fail_fast_stops_the_others(self):
        handle = self.submit(role("w", "exit 3"), role("long", ENDLESS), options=("-c", "fail_fast=true"))
        self.wait(handle, 3)
        status = self.status(handle)
        self.assertEqual(self.replicas(status)[("long", 0)]["state"], "CANCELLED")
        self.assertIn("w/0 failed, and the rest of the app was stopped", status["msg"])

    def test_max_parallel_1_runs_replicas_one_after_the_other(self):
        handle = self.submit(role("w", "echo start; sleep 0.5; echo end", 4), options=("-c", "max_parallel=1"))
        self.wait(handle)
        replicas = list(self.replicas(self.status(handle)).values())
        for before, after in zip(replicas, replicas[1:]):
            self.assertLessEqual(before["finished_at"], after["started_at"])

    # ---- roles

    def test_services_end_with_the_work(self):
        handle = self.submit(role("db", ENDLESS, extra="service = true\ngrace_s = 1\n"),
                             role("proxy", ENDLESS, extra="service = true\ngrace_s = 1\n"
                                  "depends_on = { db = \"started\" }\n"),
                             role("w", "sleep 1"))
        self.wait(handle)
        replicas = self.replicas(self.status(handle))
        for name in ("db", "proxy"):
            one = replicas[(name, 0)]
            self.assertEqual((one["state"], one["reason"], one["service"]), ("CANCELLED", "work_done", True))
        self.assertLess(replicas[("proxy", 0)]["finished_at"], replicas[("db", 0)]["finished_at"])

    def test_role_starts_after_another_has_succeeded(self):
        handle = self.submit(role("train", "true", extra="depends_on = { prepare = \"succeeded\" }\n"),
                             role("prepare", "sleep 1; test $SLIPWAY_ATTEMPT = 2",
                                  extra="max_retries = 1\nretry_policy = \"REPLICA\"\n"), options=QUICK)
        status = self.status(handle)
        self.assertEqual(self.replicas(status)[("train", 0)]["waits_for"], "prepare to succeed")
        self.assertEqual(status["state"], "RUNNING")
        self.wait(handle)
        replicas = self.replicas(self.status(handle))
        self.assertLessEqual(replicas[("prepare", 0)]["finished_at"], replicas[("train", 0)]["started_at"])

    def check_start_after_probe(self, ready, script):
        """Asserts that a role starts after the probe `ready` of another has passed. `script` is that of the other, and
        prints `now ready` before the probe can pass."""
        handle = self.submit(role("db", script, extra=f"service = true\ngrace_s = 1\nready = {ready}\n"
                                  "port_map = { db = 80 }\n"),
                             role("w", "true", extra="depends_on = { db = \"healthy\" }\n"))
        self.assertEqual(self.replicas(self.status(handle))[("w", 0)]["waits_for"], "db to be healthy")
        self.wait(handle)
        started = self.replicas(self.status(handle))[("w", 0)]["started_at"]
        line = next(one for one in self.log(handle + "/db", "--timestamps").splitlines() if "now ready" in one)
        self.assertLessEqual(datetime.fromisoformat(line.split()[0]), datetime.fromisoformat(started))

    def test_role_starts_when_another_accepts_connections(self):
        self.check_start_after_probe('{ tcp = "db" }', "sleep 1; echo now ready; while :; do nc -l -p 80; done")

    def test_role_starts_when_a_command_in_another_succeeds(self):
        self.check_start_after_probe('{ command = "test -e /tmp/${replica_id}" }',
                                     "sleep 1; echo now ready; echo > /tmp/0; " + ENDLESS)

    def test_role_starts_when_another_has_printed_a_line(self):
        self.check_start_after_probe('{ log = "^now rea.y$" }',
                                     "echo not ready; sleep 1; echo now ready >&2; " + ENDLESS)

    def test_status_shows_which_replicas_are_ready(self):
        probe = '{ command = "test -e /tmp/ready" }'
        handle = self.submit(role("db", "test $SLIPWAY_REPLICA_ID = 1 || echo > /tmp/ready; " + ENDLESS, 2,
                                  f"service = true\ngrace_s = 1\nready = {probe}\n"),
                             role("w", "true", extra=f"depends_on = {{ db = \"healthy\" }}\nready = {probe}\n"))
        status = self.until(handle, lambda status: self.replicas(status)[("db", 0)]["ready"], "the replica is ready")
        ready = {key: replica["ready"] for key, replica in self.replicas(status).items()}
        self.assertEqual(ready, {("db", 0): True, ("db", 1): False, ("w", 0): False})
        self.assertRegex(self.slipway("status", handle).stdout, r"0 +RUNNING.* ready(.|\n)*1 +RUNNING.* not ready")
        # Without an answer of the supervisor, `status` does not know which replicas are ready.
        (helper,) = self.helpers(handle)
        os.kill(helper, signal.SIGSTOP)
        self.addCleanup(os.kill, helper, signal.SIGCONT)
        self.assertIsNone(self.replicas(self.status(handle))[("db", 0)]["ready"])

    def test_commands_of_probes_have_the_ports_and_hosts_of_roles(self):
        probe = """{ command = "test -n \\"$(nc ${role.db.host} ${role.db.port.main} </dev/null)\\"" }"""
        handle = self.submit(role("db", "while :; do echo served | nc -l -p 81; done",
                                  extra="service = true\ngrace_s = 1\nport_map = { main = 81 }\n"),
                             role("proxy", ENDLESS, extra=f"service = true\ngrace_s = 1\nready = {probe}\n"),
                             role("w", "true", extra="depends_on = { proxy = \"healthy\" }\n"))
        self.wait(handle)

    def test_replica_that_is_not_ready_in_time_has_failed(self):
        handle = self.submit(role("db", ENDLESS, extra="grace_s = 1\nready = { tcp = 80, within_s = 1 }\n"),
                             role("w", "true", extra="depends_on = { db = \"healthy\" }\n"))
        self.wait(handle, None)
        status = self.status(handle)
        replicas = self.replicas(status)
        self.assertEqual((replicas[("db", 0)]["reason"], replicas[("w", 0)]["reason"]), ("not_ready", "dependency"))
        self.assertEqual((status["state"], status["msg"]), ("FAILED", "db/0 was not ready within 1 s"))

    def test_role_whose_condition_cannot_come_true_fails(self):
        handle = self.submit(role("prepare", "exit 3"),
                             role("train", "true", extra="depends_on = { prepare = \"succeeded\" }\n"))
        self.wait(handle, 3)
        replica = self.replicas(self.status(handle))[("train", 0)]
        self.assertEqual((replica["state"], replica["reason"]), ("FAILED", "dependency"))

    def test_working_directory_of_a_role_is_that_of_every_attempt(self):
        below = role("below", "pwd; test $SLIPWAY_ATTEMPT = 2",
                     extra="cwd = \"../data/new\"\nmax_retries = 1\nretry_policy = \"ROLE\"\n")
        handle = self.submit(role("w", "pwd", extra="cwd = \"/data\""), below, options=QUICK)
        self.wait(handle)
        self.assertEqual(self.log(handle + "/w").splitlines(), ["/data"])
        self.assertEqual(self.log(handle + "/below").splitlines(), ["/data/new"] * 2)

    def test_program_that_cannot_be_started_after_the_submission_fails_with_127(self):
        late = role("late", "true", extra="depends_on = { w = \"succeeded\" }\n").replace('"sh"', '"nosuch"', 1)
        # Without an init in the container, the engine itself starts the program.
        handle = self.submit(role("w", "true"), late, options=("-c", "init=false"))
        self.wait(handle, 127)
        self.assertEqual(self.replicas(self.status(handle))[("late", 0)]["reason"], "spawn_failed")


if __name__ == "__main__":
    unittest.main()
