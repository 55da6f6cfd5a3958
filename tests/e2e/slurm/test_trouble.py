"""The scheduler `slurm` on a cluster whose controller is slow, stopped or away, and from inside other jobs."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from slurm_case import LIMIT, SLIPWAY, SlurmCase, role, why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class Trouble(SlurmCase):
    options = dict(nodes=4)

    def jobs_named(self, name):
        """Returns the ids of all jobs of this name, including finished ones."""
        return self.cluster.run("squeue", "-h", "-t", "all", "-n", name, "-o", "%i").stdout.split()

    def start(self, *arguments, env=None):
        process = subprocess.Popen([SLIPWAY, *map(str, arguments)], cwd=self.root, env=env or self.env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)  # fmt: skip
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def stop_controller_when_sbatch_starts(self):
        """Installs an sbatch that stops the controller first, so that its request waits in the controller's backlog.
        Returns the directory of sbatch, and the environment with it."""
        directory = Path(tempfile.mkdtemp(dir=self.home))
        real = self.cluster.run("sh", "-c", "command -v sbatch").stdout.strip()
        (directory / "sbatch").write_text(f'#!/bin/sh\nkill -STOP {self.cluster.controller.pid}\n'
                                          f': >{directory}/stopped\nexec {real} "$@"\n', encoding="utf-8")  # fmt: skip
        (directory / "sbatch").chmod(0o755)
        return directory, dict(self.env, PATH=f"{directory}:{self.env['PATH']}")

    def resume_controller(self):
        os.kill(self.cluster.controller.pid, signal.SIGCONT)
        self.cluster.until_answers()

    def until_file(self, path):
        deadline = time.monotonic() + LIMIT
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, path)
            time.sleep(0.02)

    def test_a_slow_controller_gets_the_job_once(self):
        self.app(role("slow", "true"), name="slow")
        directory, env = self.stop_controller_when_sbatch_starts()
        self.addCleanup(self.resume_controller)
        run = self.start("run", "-d", "-s", "slurm", "app.toml", env=env)
        self.until_file(directory / "stopped")
        time.sleep(8)  # past MessageTimeout, sbatch gives up, but its request stays queued
        os.kill(self.cluster.controller.pid, signal.SIGCONT)
        out, err = run.communicate(timeout=LIMIT)
        self.cluster.until_answers()
        jobs = self.jobs_named("slow")
        self.assertEqual(len(jobs), 1, err)
        if run.returncode == 0:
            self.assertEqual(self.job(out.strip()), jobs[0])
        else:
            self.assertEqual(run.returncode, 75, err)
            self.assertIn("look before you submit again", err)

    def test_an_unanswered_submission_is_listed_and_found_later(self):
        self.app(role("unanswered", "true"), name="unanswered")
        # This sbatch loses the answer and keeps the script, so that the queue shows the job only later.
        directory = Path(tempfile.mkdtemp(dir=self.home))
        real = self.cluster.run("sh", "-c", "command -v sbatch").stdout.strip()
        (directory / "sbatch").write_text(
            f"#!/bin/sh\nfor script; do :; done\ncp \"$script\" {directory}/job.sh\n"
            "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\nexit 1\n",
            encoding="utf-8")  # fmt: skip
        (directory / "sbatch").chmod(0o755)
        run = self.start("run", "-d", "-s", "slurm", "app.toml",
                         env=dict(self.env, PATH=f"{directory}:{self.env['PATH']}"))
        _, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 75, err)
        handle = next(word for word in err.split() if word.startswith("slurm://")).rstrip(")")
        self.assertEqual(self.status(handle)["state"], "UNKNOWN")
        self.assertIn(handle, self.slipway("list", "-s", "slurm").stdout)
        # Now the controller gets the job.
        job = self.cluster.run(real, "--parsable", str(directory / "job.sh")).stdout.strip()
        self.slipway("wait", handle)
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")
        listed = self.slipway("list", "-s", "slurm", "--all").stdout
        self.assertIn(f"slurm://slipway/{job}", listed)
        self.assertNotIn(handle, listed)

    def test_an_interrupted_submission_leaves_no_job(self):
        self.app(role("interrupted", "sleep 300"), name="interrupted")
        directory = Path(tempfile.mkdtemp(dir=self.home))
        real = self.cluster.run("sh", "-c", "command -v sbatch").stdout.strip()
        (directory / "sbatch").write_text(f'#!/bin/sh\n: >{directory}/started\nsleep 1\nexec {real} "$@"\n',
                                          encoding="utf-8")
        (directory / "sbatch").chmod(0o755)
        run = self.start("run", "--wait", "-s", "slurm", "app.toml",
                         env=dict(self.env, PATH=f"{directory}:{self.env['PATH']}"))
        self.until_file(directory / "started")
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 130, err)
        deadline = time.monotonic() + LIMIT
        while self.cluster.run("squeue", "-h", "-n", "interrupted").stdout:
            self.assertLess(time.monotonic(), deadline, "the job still runs")
            time.sleep(0.2)

    def test_waiting_and_following_continue_through_an_outage(self):
        gate = self.root / "gate"
        self.app(role("w", f"echo one; while [ ! -e {gate} ]; do sleep 0.1; done; echo two"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        waiter = self.start("wait", handle)
        follower = self.start("log", "-f", "--no-prefix", handle)
        self.assertEqual(follower.stdout.readline(), "one\n")
        self.cluster.stop_controller()
        try:
            self.assertIn("does not answer", waiter.stderr.readline())
        finally:
            self.cluster.start_controller()
            self.cluster.until_answers()
        self.assertIn("answers again", waiter.stderr.readline())
        gate.touch()
        self.assertEqual(waiter.wait(LIMIT), 0)
        self.assertEqual(follower.stdout.read(), "two\n")
        self.assertEqual(follower.wait(LIMIT), 0)

    def test_a_controller_that_is_killed_loses_no_running_app(self):
        gate = self.root / "gate"
        self.app(role("w", f"until test -e {gate}; do sleep 0.1; done; echo done"))
        handle = self.submit()
        self.addCleanup(gate.touch)
        self.until_state(handle, "RUNNING")
        waiter = self.start("wait", handle)
        time.sleep(6)  # the controller saves its jobs within 5 s
        self.cluster.stop_controller(by=signal.SIGKILL)
        try:
            self.assertIn("does not answer", waiter.stderr.readline())
        finally:
            self.cluster.start_controller()
            self.cluster.until_answers()
        self.assertEqual(self.status(handle)["state"], "RUNNING")
        gate.touch()
        self.assertEqual(waiter.wait(LIMIT), 0)
        self.assertEqual(self.slipway("log", "--no-prefix", handle).stdout, "done\n")

    # Slurm signals the processes of a replica one after the other. If `sleep` ended first, the shell could end before its
    # own signal came.

    def test_catchable_signals_reach_the_replica_alone(self):
        self.app(role("w", "trap 'echo saved; exit 0' USR1; (trap '' USR1; exec sleep 300) & echo ready; wait"))
        handle = self.submit()
        with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", handle], env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:  # fmt: skip
            self.assertEqual(follower.stdout.readline(), "ready\n")
            self.cluster.run("scancel", "--signal=USR1", self.job(handle))
            self.assertEqual(follower.stdout.read(), "saved\n")
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", "--stream", "stderr", handle).stdout, "")

    def test_a_signal_for_the_batch_script_reaches_the_replicas(self):
        self.app(role("w", "trap 'exit 9' USR2; (trap '' USR2; exec sleep 300) & echo ready; wait"))
        handle = self.submit()
        with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", handle], env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:  # fmt: skip
            self.assertEqual(follower.stdout.readline(), "ready\n")
            self.cluster.run("scancel", "--batch", "--signal=USR2", self.job(handle))
        self.slipway("wait", handle, status=9)

    def test_an_elastic_role_gets_the_nodes_that_are_free(self):
        self.app(role("w", "echo ${replica_id}", 4, "min_replicas = 2\nresource = { cpu = 4, gpu = 0, memMB = 100 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(len(self.replicas(self.status(handle))), 4)

    def test_submitting_from_inside_a_job(self):
        self.app(role("outer", "true"), name="outer")
        env = dict(self.env, SLURM_JOB_ID="1", SLURM_MEM_PER_NODE="999999", SLURM_NTASKS="64", SLURM_EXPORT_ENV="NONE",
                   SBATCH_PARTITION="nowhere", SBATCH_EXPORT="NONE")  # fmt: skip
        self.app(role("w", "echo $SLURM_MEM_PER_NODE.$PATH"))
        run = self.start("run", "-d", "-s", "slurm", "-c", "partition=main", "app.toml", env=env)
        out, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 0, err)
        self.slipway("wait", out.strip())
        self.assertNotIn("999999", self.slipway("log", out.strip()).stdout)

    def test_an_app_runs_with_export_none(self):
        self.app(role("w", "echo \"[$MARKER]\""))
        env = dict(self.env, MARKER="submitter")
        run = self.start("run", "-d", "-s", "slurm", "-c", "sbatch.export=NONE", "app.toml", env=env)
        out, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 0, err)
        self.slipway("wait", out.strip())
        self.assertEqual(self.slipway("log", out.strip()).stdout, "[]\n")

    def test_cancel_now_is_immediate_and_a_grace_time_is_refused(self):
        self.app(role("w", "trap '' TERM; echo ready; while :; do sleep 0.1; done"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        done = self.slipway("cancel", "--grace", "5", handle, status=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("KillWait", done.stderr)
        self.slipway("cancel", "--now", handle)
        self.assertEqual(self.status(handle)["state"], "CANCELLED")

    def test_more_roles_than_nodes_are_refused_before_submission(self):
        self.app(*[role(f"r{i}", "true") for i in range(5)], name="many")
        done = self.slipway("run", "-n", "-s", "slurm", "app.toml", status=65)
        self.assertIn("5 roles", done.stderr)
        self.assertIn("4 nodes", done.stderr)

    def test_cpus_reach_the_replica(self):
        self.app(role("w", "echo $SLURM_CPUS_PER_TASK", 1, "resource = { cpu = 2, gpu = 0, memMB = 100 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", handle).stdout, "2\n")

    def test_options_of_srun_and_standard_input(self):
        (self.root / "in.txt").write_text("from a file\n", encoding="utf-8")
        self.app(role("w", "cat"))
        handle = self.submit("-c", f"srun.input={self.root}/in.txt")
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", handle).stdout, "from a file\n")

    def test_without_retries_a_job_is_not_requeued(self):
        self.app(role("w", "sleep 300"))
        handle = self.submit()
        self.assertIn("Requeue=0", self.cluster.run("scontrol", "show", "job", self.job(handle)).stdout)
        self.slipway("cancel", "--now", handle)

    def test_an_array_has_not_ended_between_its_attempts(self):
        self.app(role("w", "echo attempt $${SLURM_RESTART_COUNT:-0}; test -n \"$SLURM_RESTART_COUNT\"", 2,
                      "max_retries = 1"))
        handle = self.submit("-c", "array=True")
        follower = self.start("log", "-f", "--no-prefix", handle + "/w/0")
        done = self.slipway("wait", handle)
        self.assertIn("SUCCEEDED", done.stdout)
        out, _ = follower.communicate(timeout=LIMIT)
        self.assertEqual(out, "attempt 0\nattempt 1\n")
        self.assertTrue(self.status(handle)["finished_at"])

    def test_an_error_file_is_in_the_status(self):
        self.app(role("w", "echo '{\"message\": \"lost it\"}' >$TORCHELASTIC_ERROR_FILE; exit 4"))
        handle = self.submit()
        self.slipway("wait", handle, status=4)
        self.assertIn("lost it", json.dumps(self.status(handle)))

    def test_a_failure_that_only_the_job_output_explains_is_in_the_message(self):
        self.app(role("w", "true").replace('"sh"', '"/nonexistent/program"'))
        handle = self.submit()
        self.slipway("wait", handle, status=127)
        self.assertIn("/nonexistent/program is not found", self.status(handle)["msg"])


if __name__ == "__main__":
    unittest.main()
