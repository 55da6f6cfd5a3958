"""The scheduler `slurm` on versions of Slurm after 22.05: recorded answers of their commands (slurm_stand_in.py)."""

import os
import subprocess
import unittest

from app_text import role
from slipway_case import LIMIT_S, SANITIZED, SlipwayCase
from slurm_stand_in_case import SlurmStandIn

# {job in the recorded answers: (name, state)}. The answers of all versions agree about these jobs.
LISTED = {
    "101": ("held", "PENDING"), "102": ("running", "RUNNING"), "103": ("completing", "RUNNING"),
    "104": ("done", "SUCCEEDED"), "105": ("failed", "FAILED"), "106": ("killed", "FAILED"),
    "107": ("limited", "FAILED"), "108": ("cancelled", "CANCELLED"), "109": ("greedy", "FAILED"),
    "110": ("again", "PENDING"), "120": ("array", "RUNNING"), "130": ("ps-0", "RUNNING"),
    "140": ("old", "SUCCEEDED"), "141": ("older", "FAILED"), "142": ("twice", "SUCCEEDED"),
    "143": ("away", "CANCELLED"), "150": ("trainer-0", "RUNNING"), "151": ("trainer-0", "FAILED"),
}
# {job in the recorded answers: (exit code, signal, reason) of its replica}
ENDS = {
    "104": (0, None, "exit"), "105": (3, None, "exit"), "106": (None, 9, "signal"), "107": (None, 15, "timeout"),
    "108": (None, None, "cancelled"), "109": (125, None, "oom"), "140": (0, None, "exit"), "141": (4, None, "exit"),
    "142": (0, None, "exit"), "143": (None, 15, "cancelled"), "151": (7, None, "exit"),
}


class Versions(SlurmStandIn):
    """Cases for each version; `version` names its folder of answers."""

    def start_job(self, requeues=0):
        """Starts the script that sbatch got, as Slurm would. Returns the process."""
        (script,) = self.state.rglob("job.sh")
        env = {**self.env, "SLURM_JOB_ID": "42", "SLURM_JOB_NODELIST": "n1", "SLURMD_NODENAME": "n1"}
        if requeues > 0:
            env["SLURM_RESTART_COUNT"] = str(requeues)
        job = subprocess.Popen(["bash", script], env=env, cwd=self.cwd, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.started.append(job)
        return job

    def run_job(self, requeues=0):
        """Runs the script that sbatch got. Returns the exit status."""
        return self.start_job(requeues).wait(LIMIT_S)

    def used(self, handle):
        """Returns the CPU seconds and the memory of the app, which are those of its only replica."""
        app = self.ok("status", "--json", handle).json
        (replica,) = app["roles"][0]["replicas"]
        self.assertEqual((app["cpu_seconds"], app["max_rss_bytes"]), (replica["cpu_seconds"], replica["max_rss_bytes"]))
        return app["cpu_seconds"], app["max_rss_bytes"]

    def recorded(self, job):
        """Returns the status of a job in the recorded answers. Slipway has no record of it."""
        return self.ok("status", "--json", f"slurm://slipway/{job}").json

    # ---- cases

    def test_an_app_is_followed_from_submission_to_end(self):
        handle = self.submit("echo out; echo err >&2; exit 3")
        status = self.status_of(handle)
        self.assertEqual((status["state"], status["submitted_at"] is None), ("PENDING", False))
        self.assertIn("held by its user", status["msg"])
        self.look_like("102")
        self.assertEqual(self.status_of(handle)["state"], "RUNNING")
        self.assertEqual(self.run_job(), 3)
        self.look_like("103")
        self.assertEqual(self.status_of(handle)["state"], "RUNNING")
        self.look_like("105")
        self.expect(3, "wait", handle)
        self.assertEqual(self.replicas_of(handle)["w/0"]["exit_code"], 3)
        self.assertEqual(sorted(self.ok("log", "--no-prefix", handle).lines), ["err", "out"])

    def test_wait_and_a_followed_log_end_with_the_job(self):
        handle = self.submit("echo out")
        self.look_like("102")
        waiter, follower = self.start("wait", handle), self.start("log", "-f", "--no-prefix", handle)
        self.assertEqual(self.run_job(), 0)
        self.assertEqual((waiter.poll(), follower.poll()), (None, None))
        self.look_like("104")
        self.assertEqual(self.finish(waiter).status, 0)
        followed = self.finish(follower)
        self.assertEqual((followed.status, followed.stdout), (0, "out\n"), followed)

    def test_a_job_that_slurm_has_forgotten_is_known_by_its_record(self):
        handle = self.submit("exit 5")
        self.assertEqual(self.run_job(), 5)
        self.look_like("")
        self.expect(5, "wait", handle)
        listed = self.ok("list", "-s", "slurm", "--all", "--json").json["apps"]
        self.assertEqual([app["state"] for app in listed if app["handle"] == handle], ["FAILED"])
        self.ok("delete", handle)
        self.expect_failure(66, None, "status", handle)

    def test_a_failed_replica_of_a_forgotten_job_without_a_result_is_named(self):
        handle = self.submit("exit 3")
        self.assertEqual(self.run_job(), 3)
        (result,) = self.state.glob("slipway/slurm/slipway/*/result")
        result.unlink()
        self.look_like("")
        followed = self.run_slipway("attach", handle)
        self.assertIn("its result is not known", followed.stderr)
        self.assertIn("w/0 exited with 3", followed.stderr)

    def test_a_job_whose_end_accounting_never_got_has_the_state_of_its_record(self):
        handle = self.submit("exit 5")
        self.look_like("140")
        (self.stand_in / "unended").touch()
        self.assertEqual(self.status_of(handle)["state"], "RUNNING")  # the job may have left the queue just now
        self.assertEqual(self.run_job(), 5)
        self.expect(5, "wait", handle)
        status = self.status_of(handle)
        self.assertEqual((status["state"], status["roles"][0]["replicas"][0]["exit_code"]), ("FAILED", 5))

    def test_gpus_are_requested_with_the_option_of_the_version(self):
        resource = {"cpu": 1, "gpu": 2, "memMB": 100}
        self.app(role("w", "true", resource=resource))
        shown = self.ok("run", "-n", "-s", "slurm", "app.toml").stdout
        per_node = self.version == "24.11"  # from this version on, GPUs per task also bind tasks to CPUs
        self.assertEqual(("gpus-per-node=2" in shown, "gpus-per-task=2" in shown), (per_node, not per_node), shown)

    def test_cancel_ends_the_job(self):
        handle = self.submit("sleep 600")
        self.look_like("102")
        self.ok("cancel", handle)
        self.assertIn("scancel 42", self.calls("scancel"))
        status = self.status_of(handle)
        self.assertEqual((status["state"], status["roles"][0]["replicas"][0]["reason"]), ("CANCELLED", "cancelled"))

    def test_a_failed_app_requeues_itself_and_is_followed_to_its_last_attempt(self):
        handle = self.submit("echo attempt $SLIPWAY_ATTEMPT; exit $((9 * (2 - SLIPWAY_ATTEMPT)))", max_retries=1)
        self.look_like("102")
        waiter, follower = self.start("wait", handle), self.start("log", "-f", "--no-prefix", handle)
        self.assertEqual(self.run_job(), 9)
        self.assertEqual(self.calls("scontrol").count("scontrol requeue 42"), 1)
        status = self.status_of(handle)
        # The stand-in's `scontrol requeue` has made the job look like 110.
        self.assertEqual((status["state"], status["num_restarts"]), ("PENDING", 1))
        self.assertIn("it was requeued a moment ago", status["msg"])
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["state"], replica["restarts"], replica["exit_code"]), ("PENDING", 1, None))
        self.assertEqual((waiter.poll(), follower.poll()), (None, None))
        self.look_like("102")
        self.assertEqual(self.run_job(requeues=1), 0)
        self.assertEqual(self.calls("scontrol").count("scontrol requeue 42"), 1)
        self.look_like("104")
        result = self.finish(waiter)
        self.assertEqual((result.status, result.stdout), (0, f"{handle} SUCCEEDED\n"), result)
        self.assertEqual(self.finish(follower).stdout, "attempt 1\nattempt 2\n")
        self.assertEqual(self.replicas_of(handle)["w/0"]["restarts"], 1)

    def test_a_signal_for_a_job_without_a_record_goes_to_its_steps(self):
        for job, steps in (("102", "102.0"), ("120", "120_1.0"), ("130", "130.0 131.0")):
            (self.stand_in / "calls").write_text("", encoding="utf-8")
            self.ok("signal", f"slurm://slipway/{job}", "USR2")
            self.assertEqual(self.calls("scancel"), [f"scancel --signal=12 {steps}"])
        refused = self.expect(69, "signal", "slurm://slipway/101", "USR2")
        self.assertIn("no step of the job runs", refused.stderr)

    def test_list_has_every_job_once_and_in_its_state(self):
        apps = self.ok("list", "-s", "slurm", "--all", "--json").json["apps"]
        self.assertEqual({app["app_id"]: (app["name"], app["state"]) for app in apps}, LISTED)
        self.assertEqual(len(apps), len(LISTED))
        self.assertEqual({app["submitted_at"] for app in apps}, {"2026-11-21T20:24:00.000Z"})

    def test_status_agrees_with_list(self):
        for job, (name, state) in LISTED.items():
            with self.subTest(job):
                status = self.recorded(job)
                self.assertEqual((status["name"], status["state"]), (name, state))
                if job in ENDS:
                    replica = status["roles"][0]["replicas"][0]
                    self.assertEqual((replica["exit_code"], replica["signal"], replica["reason"]), ENDS[job])
                    self.assertTrue(replica["finished_at"])

    def test_times_are_those_of_the_job(self):
        done, held = self.recorded("104"), self.recorded("101")
        self.assertEqual((done["started_at"], done["finished_at"]),
                         ("2026-11-21T20:24:01.000Z", "2026-11-21T20:24:09.000Z"))
        self.assertEqual((held["started_at"], held["finished_at"]), (None, None))
        self.assertIsNone(self.recorded("102")["finished_at"])
        self.assertEqual(self.recorded("110")["num_restarts"], 1)

    def test_an_array_has_one_replica_per_task(self):
        (found,) = self.recorded("120")["roles"]
        self.assertEqual([(replica["id"], replica["state"]) for replica in found["replicas"]],
                         [(0, "SUCCEEDED"), (1, "RUNNING"), (2, "PENDING"), (3, "PENDING")])

    def test_jobs_of_torchx_have_their_host_names_and_resources(self):
        ps, trainer = self.recorded("130")["roles"]
        self.assertEqual([(one["role"], one["replicas"][0]["hostname"]) for one in (ps, trainer)],
                         [("ps", "n1"), ("trainer", "n2")])
        resources = [one["resource"] for one in self.ok("describe", "--json", "slurm://slipway/130").json["roles"]]
        self.assertEqual([(one["cpu"], one["memMB"]) for one in resources], [(2, 512), (4, 2000)])
        (elastic,) = self.recorded("150")["roles"]
        self.assertEqual([(one["id"], one["hostname"]) for one in elastic["replicas"]],
                         [(0, "n1"), (1, "n2"), (2, "n3")])
        (found,) = self.ok("describe", "--json", "slurm://slipway/150").json["roles"]
        self.assertEqual((found["num_replicas"], found["resource"]["cpu"]), (3, 4))

    def test_an_ended_replica_has_its_cpu_time_and_in_accounting_its_memory(self):
        handle = self.submit("exec python3 -c 'import time\nwhile time.process_time() < 0.2: pass'")
        self.look_like("102")
        self.assertEqual(self.used(handle), (None, None))
        self.assertEqual(self.run_job(), 0)
        self.look_like("104")
        cpu_seconds, memory = self.used(handle)
        # The kernel counts user and system time in whole ticks of 10 ms.
        self.assertEqual((cpu_seconds > 0.15, memory), (True, None))
        self.look_like("140")
        self.assertEqual(self.used(handle), (cpu_seconds, 129280 << 10))
        self.look_like("")
        self.assertEqual(self.used(handle), (cpu_seconds, None))

    def test_accounting_reports_what_an_app_without_a_record_used(self):
        self.assertEqual(self.used("slurm://slipway/140"), (4.309, 129280 << 10))
        replicas = self.recorded("141")["roles"][0]["replicas"]  # a step of three tasks
        self.assertEqual([(r["id"], r["cpu_seconds"], r["max_rss_bytes"]) for r in replicas],
                         [(k, None, None) for k in range(3)])
        self.assertEqual(self.used("slurm://slipway/142"), (None, None))  # no steps

    def test_status_asks_accounting_once_and_only_about_a_job_that_left_the_queue(self):
        for job, asked in (("104", 0), ("140", 1)):
            (self.stand_in / "calls").write_text("", encoding="utf-8")
            self.recorded(job)
            self.assertEqual(len(self.calls("sacct")), asked, job)

    def test_unknown_jobs_are_not_found(self):
        self.expect_failure(66, None, "status", "slurm://slipway/999")

    def test_active_apps_are_listed_without_accounting(self):
        self.submit()
        for options, asked in (((), 0), (("--state", "running"), 0), (("--all",), 1), (("--state", "FAILED"), 1)):
            (self.stand_in / "calls").write_text("", encoding="utf-8")
            self.ok("list", "-s", "slurm", *options)
            self.assertEqual(len(self.calls("sacct")), asked, options)
        listed = {app["app_id"]: app["state"] for app in self.ok("list", "-s", "slurm", "--json").json["apps"]}
        self.assertEqual(listed, {"42": "PENDING", **{job: state for job, (_, state) in LISTED.items()
                                                     if state in ("PENDING", "RUNNING")}})

    def test_an_app_with_a_record_whose_job_left_the_queue_is_not_active(self):
        handle = self.submit()
        (link,) = self.state.rglob("ids/42")
        # The age of the link is that of the app. The job of a new app may appear in the queue after the query.
        long_ago = 1_700_000_000
        os.utime(link, (long_ago, long_ago), follow_symlinks=False)
        self.look_like("")
        for options, found in (((), []), (("--all",), ["UNKNOWN"])):
            apps = self.ok("list", "-s", "slurm", "--json", *options).json["apps"]
            self.assertEqual([app["state"] for app in apps if app["handle"] == handle], found, options)

    def test_a_query_in_json_is_repeated_although_squeue_ends_with_0(self):
        (self.stand_in / "silent").touch()
        result = self.expect(75, "status", "slurm://slipway/150")  # a job without a record is queried in JSON
        self.assertIn("Unable to contact slurm controller", result.stderr)
        self.assertEqual(len([call for call in self.calls("squeue") if "--json" in call]), 3)


@unittest.skipIf(SANITIZED, "the newest version is enough to find memory errors")
class Slurm2302(Versions, SlipwayCase):
    version = "23.02"


@unittest.skipIf(SANITIZED, "the newest version is enough to find memory errors")
class Slurm2311(Versions, SlipwayCase):
    version = "23.11"


@unittest.skipIf(SANITIZED, "the newest version is enough to find memory errors")
class Slurm2405(Versions, SlipwayCase):
    version = "24.05"


class Slurm2411(Versions, SlipwayCase):
    version = "24.11"

    # The script of a job and its programs are the same with all versions, so these cases run with one.

    def test_attach_shows_the_log_and_ends_with_the_job(self):
        handle = self.submit("echo out; exit 2")
        self.look_like("102")
        attached = self.start("attach", handle)
        self.assertEqual(self.run_job(), 2)
        self.look_like("105")
        result = self.finish(attached)
        self.assertEqual(result.status, 2, result)
        self.assertIn("out", result.stdout + result.stderr)

    def test_a_signal_reaches_the_replica_and_leaves_its_shells_alone(self):
        handle = self.submit("trap 'exit 5' USR1; echo ready; while :; do sleep 0.05; done")
        refused = self.expect(69, "signal", handle, "USR1")
        self.assertIn("w/0: not started yet (PENDING: held by its user", refused.stderr)
        self.look_like("102")
        # The shells around the program survive USR1, which scancel sends to the whole step. KILL would end them, so a
        # command that srun starts beside them sends it to the program alone.
        for name, call, status in (("USR1", "scancel --signal=10 42.0", 5), ("KILL", "srun --jobid=42 --overlap", 137)):
            with self.subTest(name):
                job = self.start_job()
                self.eventually(lambda: "ready" in self.ok("log", handle).lines, "the replica has set its trap")
                self.assertIn(f"SIG{name} was sent to w/0", self.ok("signal", handle, name).stderr)
                self.assertEqual(job.wait(LIMIT_S), status)
                command = call.split()[0]
                # The job itself calls srun for its programs, which are the functions slipway_part_N of its script.
                self.assertEqual([line[:len(call)] for line in self.calls(command) if "-c slipway_part" not in line],
                                 [call])
                replica = self.replicas_of(handle)["w/0"]
                self.assertEqual((replica["exit_code"], replica["signal"]), (5, None) if status == 5 else (None, 9))
                for file in self.state.rglob("slurm-42-w-0.out"):
                    file.unlink()  # so that the next "ready" is that of the next job


if __name__ == "__main__":
    unittest.main()
