"""The scheduler `slurm` with accounting: sacct describes jobs that left the queue."""

import contextlib
import json
import signal
import subprocess
import unittest

from slurm_case import LIMIT, SLIPWAY, SlurmCase, role, why_unable

unable = why_unable(with_accounting=True)


def hold(mebibytes):
    """Returns a script that uses CPU time, and holds memory until Slurm, which looks every second, has seen it."""
    return (f"exec python3 -c 'import sys, time; held = bytearray(b\"x\") * (int(sys.argv[1]) << 20)\n"
            f"while time.process_time() < 0.3: pass\ntime.sleep(5)' {mebibytes}")


@contextlib.contextmanager
def hung_accounting(cluster):
    """Stops slurmdbd, so that it hangs: connections to it succeed, but it answers none."""
    (daemon,) = [one for one in cluster.daemons if one.args[0] == "slurmdbd"]
    daemon.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        daemon.send_signal(signal.SIGCONT)
        cluster.until(lambda: cluster.run("sacct", check=False).returncode == 0, "slurmdbd")


@unittest.skipIf(unable, unable)
class Accounting(SlurmCase):
    # The controller forgets a job two seconds after its end.
    options = dict(nodes=4, min_job_age=2, with_accounting=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.limited = cls.submit_early(role("w", "sleep 300"), options=("-c", "time=1"))
        cls.retried = cls.submit_early(role("w", "test -n \"$SLURM_RESTART_COUNT\" || exit 9", extra="max_retries = 1"))
        cls.well = cls.submit_early(role("a", "echo out"), role("b", "true", 2))
        cls.failed = cls.submit_early(role("w", "exit 3"))
        cls.signalled = cls.submit_early(role("w", "kill -SEGV $$$$"))  # `$$` in an app is one `$`
        cls.cancelled = cls.submit_early(role("w", "sleep 300"))
        cls.cancelled_early = cls.submit_early(role("w", "true"), options=("-c", "sbatch=hold:"))
        # A held job never runs, so after scancel its record has no result.
        cls.never_started = cls.submit_early(role("w", "true"), options=("-c", "sbatch=hold:"))
        cls.cluster.run("scancel", cls.never_started.rsplit("/", 1)[1])
        # TorchX also submits one component of a heterogeneous job for each replica.
        cls.torchx_shaped = cls.submit_early(role("w", "exit 6"), options=("-c", "het_per_replica=True"))
        cls.array = cls.submit_early(role("w", "test ${replica_id} != 2", 4), options=("-c", "array=True"))
        # The replicas of `big` hold 100 and 110 MiB.
        cls.measured = cls.submit_early(role("small", hold(40)), role("big", hold("1${replica_id}0"), 2))

    def test_accounting_has_the_success_of_a_forgotten_job(self):
        self.until_forgotten(self.well)
        status = self.status(self.well)
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual({key: replica["exit_code"] for key, replica in self.replicas(status).items()},
                         {("a", 0): 0, ("b", 0): 0, ("b", 1): 0})
        self.assertTrue(status["started_at"] and status["finished_at"])
        self.assertEqual(self.slipway("log", "-f", self.well + "/a/0").stdout, "out\n")

    def test_accounting_has_the_exit_status_of_a_forgotten_job(self):
        self.until_forgotten(self.failed)
        self.slipway("wait", self.failed, status=3)

    def test_accounting_has_the_signal_that_ended_a_replica(self):
        self.until_forgotten(self.signalled)
        self.slipway("wait", self.signalled, status=128 + signal.SIGSEGV)
        self.assertEqual(self.replicas(self.status(self.signalled))["w", 0]["signal"], signal.SIGSEGV)

    def test_cancelled_jobs_stay_cancelled(self):
        self.until(self.cancelled, lambda s: s["state"] == "RUNNING", "it runs")
        for handle in (self.cancelled, self.cancelled_early):
            self.slipway("cancel", handle)
        for handle in (self.cancelled, self.cancelled_early):
            self.until_forgotten(handle)
            status = self.status(handle)
            self.assertEqual(status["state"], "CANCELLED")
            self.assertEqual(self.replicas(status)["w", 0]["state"], "CANCELLED")

    def test_accounting_has_the_end_of_each_task_of_an_array(self):
        self.until_forgotten(self.array)
        status = self.status(self.array)
        self.assertEqual(status["state"], "FAILED")
        self.assertEqual([replica["state"] for _, replica in sorted(self.replicas(status).items())],
                         ["SUCCEEDED", "SUCCEEDED", "FAILED", "SUCCEEDED"])

    def test_accounting_has_what_replicas_used(self):
        self.slipway("wait", self.measured)
        self.until_forgotten(self.measured)
        status = self.status(self.measured)
        used = self.replicas(status)
        for replica in used.values():
            self.assertGreaterEqual(replica["cpu_seconds"], 0.3)
            self.assertLess(replica["cpu_seconds"], 3)
        self.assertGreaterEqual(status["cpu_seconds"], 0.9)
        # Accounting knows the largest task of a step alone.
        memory = {key: replica["max_rss_bytes"] for key, replica in used.items()}
        self.assertIsNone(memory["big", 0])
        self.assertGreaterEqual(memory["big", 1], 110 << 20)
        self.assertTrue(40 << 20 <= memory["small", 0] < 110 << 20, memory)
        self.assertEqual(status["max_rss_bytes"], memory["big", 1])

    def test_requeues_are_counted(self):
        self.until(self.retried, lambda s: s["state"] == "SUCCEEDED", "it is run again and succeeds")
        self.until_forgotten(self.retried)
        status = self.status(self.retried)
        self.assertEqual((status["state"], status["num_restarts"]), ("SUCCEEDED", 1))
        self.assertEqual(self.replicas(status)["w", 0]["restarts"], 1)

    def test_accounting_has_the_time_limit_as_the_reason(self):
        self.until(self.limited, lambda s: s["state"] not in ("PENDING", "RUNNING"), "it ends at the time limit")
        self.until_forgotten(self.limited)
        status = self.status(self.limited)
        self.assertEqual(status["state"], "FAILED")
        self.assertEqual(self.replicas(status)["w", 0]["reason"], "timeout")

    def test_without_the_record_accounting_describes_the_app(self):
        self.until_forgotten(self.torchx_shaped)
        done = self.cluster.run("env", "XDG_STATE_HOME=/nonexistent", SLIPWAY, "status", "--json", self.torchx_shaped,
                                check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        status = json.loads(done.stdout)
        self.assertEqual((status["state"], self.replicas(status)["w", 0]["exit_code"]), ("FAILED", 6))

    def test_list_has_name_and_state_of_forgotten_jobs(self):
        self.until_forgotten(self.failed)
        apps = json.loads(self.slipway("list", "-s", "slurm", "--all", "--json").stdout)["apps"]
        found = {app["handle"]: (app["name"], app["state"]) for app in apps}
        self.assertEqual(found[self.failed], ("app", "FAILED"))
        self.assertEqual(found[self.well], ("app", "SUCCEEDED"))

    def test_apps_are_listed_from_their_submission_on(self):
        self.app(role("w", "sleep 300"))
        first = self.submit()
        self.addCleanup(self.slipway, "cancel", "--now", first)
        self.app(role("w", "true"), name="early")
        for option in ("sbatch=hold:", "sbatch=begin:now+1hour", f"sbatch.dependency=afterok:{self.job(first)}"):
            handle = self.submit("-c", option)
            apps = json.loads(self.slipway("list", "-s", "slurm", "--json").stdout)["apps"]
            found = [(app["name"], app["state"]) for app in apps if app["handle"] == handle]
            self.assertEqual(found, [("early", "PENDING")])
            self.assertEqual(json.loads(self.slipway("status", "--json", "@last").stdout)["handle"], handle)
            self.assertEqual(json.loads(self.slipway("status", "--json", self.job(handle)).stdout)["handle"], handle)
            self.slipway("cancel", "@last")
            self.assertEqual(self.status(handle)["state"], "CANCELLED")

    def test_a_requeued_app_that_has_ended_is_listed_as_ended(self):
        self.until(self.retried, lambda s: s["state"] == "SUCCEEDED", "it is run again and succeeds")
        self.until_forgotten(self.retried)
        apps = json.loads(self.slipway("list", "-s", "slurm", "--all", "--json").stdout)["apps"]
        self.assertEqual([app["state"] for app in apps if app["handle"] == self.retried], ["SUCCEEDED"])

    def test_with_hung_accounting_the_records_describe_jobs_that_left_the_queue(self):
        for handle in (self.well, self.failed):
            self.until_forgotten(handle)
        with hung_accounting(self.cluster):
            listed = self.slipway("list", "-s", "slurm", "--all", "--json")
            self.assertIn("sacct", listed.stderr)
            states = {app["handle"]: app["state"] for app in json.loads(listed.stdout)["apps"]}
            self.assertEqual([states[one] for one in (self.well, self.failed)], ["SUCCEEDED", "FAILED"])
            # Records describe jobs that the queue has forgotten, and a warning says so.
            done = self.slipway("status", "--json", self.failed)
            self.assertEqual(json.loads(done.stdout)["state"], "FAILED")
            self.assertIn("sacct", done.stderr)
            self.slipway("wait", self.failed, status=3)
            self.assertEqual(self.slipway("log", "-f", self.well + "/a/0").stdout, "out\n")

    def test_with_hung_accounting_the_end_of_a_job_without_a_result_is_unavailable_and_wait_continues(self):
        handle = self.never_started
        self.until_forgotten(handle)
        with hung_accounting(self.cluster):
            for command in ("status", "cancel"):
                self.assertIn("sacct", self.slipway(command, handle, status=75).stderr)
            waiter = subprocess.Popen([SLIPWAY, "wait", handle], env=self.env, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertIn("sacct", waiter.stderr.readline())
        out, err = waiter.communicate(timeout=LIMIT)
        self.assertIn("CANCELLED", out + err, waiter.returncode)

    def test_an_account_that_the_user_may_not_use_is_refused(self):
        self.app(role("w", "true"), name="wrong")
        done = self.slipway("run", "-d", "-s", "slurm", "-c", "account=wrong", "app.toml", status=77)
        self.assertIn("Invalid account", done.stderr)
        self.assertEqual(list((self.home / "state").rglob("wrong*")), [])
        self.slipway("wait", self.submit("-c", "account=physics"))

    def test_a_handle_may_name_the_cluster_of_its_job(self):
        self.app(role("w", "exit 4"))
        handle = self.submit("-c", "sbatch=clusters:slipway")
        self.assertRegex(handle, r"/\d+;slipway$")
        self.slipway("wait", handle, status=4)
        done = self.slipway("status", f"slurm://slipway/{self.job(handle).split(';')[0]};elsewhere", status=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("elsewhere", done.stderr)


@unittest.skipIf(unable, unable)
class JobsInTheQueue(SlurmCase):
    """The controller remembers ended jobs for the whole case, so that it can answer questions about them."""

    options = dict(nodes=1, with_accounting=True)

    def test_jobs_in_the_queue_need_no_accounting(self):
        self.app(role("w", "echo started; sleep 300"))
        with hung_accounting(self.cluster):
            running = self.submit()
            self.until_state(running, "RUNNING")
            self.assertEqual(self.slipway("status", running).stderr, "")
            apps = json.loads(self.slipway("list", "-s", "slurm", "--json").stdout)["apps"]
            self.assertEqual([(app["handle"], app["state"]) for app in apps], [(running, "RUNNING")])
            with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", running], env=self.env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:
                self.assertEqual(follower.stdout.readline(), "started\n")
                self.slipway("cancel", running)
            self.slipway("wait", running, status=None)
            self.assertEqual(self.status(running)["state"], "CANCELLED")
            self.assertEqual(self.slipway("log", "--no-prefix", "--stream", "stdout", running).stdout,
                             "started\n")


if __name__ == "__main__":
    unittest.main()
