"""Submitting on a cluster: a controller that is slow, interrupts, and submissions from inside other jobs."""

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
class Submission(SlurmCase):
    options = dict(nodes=4, kill_wait=120)

    def jobs_named(self, name):
        """Returns the ids of all jobs of this name, including finished ones."""
        return self.cluster.run("squeue", "-h", "-t", "all", "-n", name, "-o", "%i").stdout.split()

    def stop_controller_when_sbatch_starts(self):
        """Installs an sbatch that stops the controller first, so that its request waits in the controller's backlog.
        Returns the directory of sbatch, and the environment with it."""
        directory = Path(tempfile.mkdtemp(dir=self.home))
        real = self.cluster.run("sh", "-c", "command -v sbatch").stdout.strip()
        (directory / "sbatch").write_text(f'#!/bin/sh\nkill -STOP {self.cluster.controller.pid}\n'
                                          f': >{directory}/stopped\nexec {real} "$@"\n', encoding="utf-8")
        (directory / "sbatch").chmod(0o755)
        return directory, dict(self.env, PATH=f"{directory}:{self.env['PATH']}")

    def resume_controller(self):
        os.kill(self.cluster.controller.pid, signal.SIGCONT)
        self.cluster.until_answers()

    def test_a_slow_controller_gets_the_job_once(self):
        directory, env = self.stop_controller_when_sbatch_starts()
        self.addCleanup(self.resume_controller)
        # MessageTimeout is 5 s. After 3 s, no command has given up. After 6 s, sbatch has, but its request stays in the
        # controller's backlog. After 14 s, a query of Slipway's search for the job has also given up.
        for seconds in (3, 6, 14):
            with self.subTest(seconds=seconds):
                name = f"slow{seconds}"
                self.app(role(name, "true"))
                (directory / "stopped").unlink(missing_ok=True)
                run = self.start("run", "-d", "-s", "slurm", "app.toml", env=env)
                self.until_file(directory / "stopped")
                time.sleep(seconds)
                os.kill(self.cluster.controller.pid, signal.SIGCONT)
                out, err = run.communicate(timeout=LIMIT)
                self.cluster.until_answers()
                jobs = self.jobs_named(name)
                self.assertEqual(len(jobs), 1, err)
                if run.returncode == 0:
                    self.assertEqual(self.job(out.strip()), jobs[0])
                else:
                    self.assertEqual(run.returncode, 75, err)
                    self.assertIn("look before you submit again", err)

    def test_an_interrupt_while_the_controller_is_slow_loses_no_job(self):
        self.app(role("searched", "true"))
        directory, env = self.stop_controller_when_sbatch_starts()
        self.addCleanup(self.resume_controller)
        searching = directory / "searching"
        real = self.cluster.run("sh", "-c", "command -v squeue").stdout.strip()
        (directory / "squeue").write_text(f'#!/bin/sh\n: >{searching}\nexec {real} "$@"\n', encoding="utf-8")
        (directory / "squeue").chmod(0o755)
        run = self.start("run", "-d", "-s", "slurm", "app.toml", env=env)
        self.until_file(searching)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 75, err)
        self.resume_controller()
        # The controller has the request of sbatch in its backlog.
        self.until_state(self.handle_in(err), "SUCCEEDED")
        self.assertEqual(len(self.jobs_named("searched")), 1)

    def test_an_unanswered_submission_is_listed_and_found_later(self):
        self.app(role("unanswered", "true"), name="unanswered")
        handle = self.submit_unanswered()
        self.assertEqual(self.status(handle)["state"], "UNKNOWN")
        self.assertIn(handle, self.slipway("list", "-s", "slurm").stdout)
        job = self.submit_lost()
        self.slipway("wait", handle)
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")
        listed = self.slipway("list", "-s", "slurm", "--all").stdout
        self.assertIn(f"slurm://slipway/{job}", listed)
        self.assertNotIn(handle, listed)

    def test_an_unanswered_app_that_was_cancelled_never_runs(self):
        proof = self.root / "ran"
        self.app(role("w", f"touch {proof}"))
        # The first job is held until a command looks for it; the second one starts before any command does.
        for hold in (["--hold"], []):
            with self.subTest(hold=hold):
                handle = self.submit_unanswered()
                self.slipway("cancel", handle)
                self.assertEqual(self.status(handle)["state"], "CANCELLED")
                job = self.submit_lost(*hold)
                if hold:
                    self.assertEqual(self.status(handle)["state"], "CANCELLED")
                self.until_state(f"slurm://slipway/{job}", "CANCELLED")
                self.assertFalse(proof.exists())

    def test_an_interrupted_submission_leaves_no_job(self):
        directory = Path(tempfile.mkdtemp(dir=self.home))
        real = self.cluster.run("sh", "-c", "command -v sbatch").stdout.strip()
        (directory / "sbatch").write_text(f'#!/bin/sh\n: >{directory}/started\nread go <{directory}/gate\n'
                                          f'exec {real} "$@"\n', encoding="utf-8")
        (directory / "sbatch").chmod(0o755)
        os.mkfifo(directory / "gate")
        env = dict(self.env, PATH=f"{directory}:{self.env['PATH']}")
        for stay, number in (("--wait", signal.SIGINT), ("-d", signal.SIGINT), ("-d", signal.SIGTERM)):
            with self.subTest(stay, signal=number.name):
                self.app(role("interrupted", "sleep 300"))
                (directory / "started").unlink(missing_ok=True)
                run = self.start("run", stay, "-s", "slurm", "app.toml", env=env)
                self.until_file(directory / "started")
                run.send_signal(number)
                (directory / "gate").write_text("go\n", encoding="utf-8")
                _, err = run.communicate(timeout=LIMIT)
                self.assertEqual(run.returncode, 130, err)
                self.assertIn("cancelled; job ", err)
                deadline = time.monotonic() + LIMIT
                while self.cluster.run("squeue", "-h", "-n", "interrupted").stdout:
                    self.assertLess(time.monotonic(), deadline, "the job still runs")
                    time.sleep(0.2)

    def test_cancel_now_does_not_wait_for_killwait(self):
        stubborn = "trap '' TERM; echo ready; while :; do sleep 0.1; done"
        shapes = {
            "one role": ([role("w", stubborn)], []),
            "two roles with retries": ([role("w", stubborn, 2, "max_retries = 1"), role("v", stubborn, 1,
                                                                                       "max_retries = 1")], []),
            "an array": ([role("w", stubborn, 2)], ["-c", "array=True"]),
        }
        for name, (roles, options) in shapes.items():
            with self.subTest(name):
                self.app(*roles)
                handle = self.submit(*options)
                self.until(handle, lambda status: all(one["state"] == "RUNNING" for one in
                                                      self.replicas(status).values()), "all run")
                with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", handle], env=self.env, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:
                    self.assertEqual(follower.stdout.readline(), "ready\n")
                    begin = time.monotonic()
                    self.slipway("cancel", "--now", handle)
                    self.assertLess(time.monotonic() - begin, self.options["kill_wait"])
                states = {one["state"] for one in self.replicas(self.status(handle)).values()}
                self.assertEqual(states, {"CANCELLED"})

    def test_a_submission_from_inside_a_job_does_not_inherit_the_options_of_the_job(self):
        env = dict(self.env, SLURM_JOB_ID="1", SLURM_MEM_PER_NODE="999999", SLURM_NTASKS="64", SLURM_EXPORT_ENV="NONE",
                   SBATCH_PARTITION="nowhere", SBATCH_EXPORT="NONE")
        self.app(role("w", "echo $SLURM_MEM_PER_NODE.$PATH"))
        run = self.start("run", "-d", "-s", "slurm", "-c", "partition=main", "app.toml", env=env)
        out, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 0, err)
        self.slipway("wait", out.strip())
        self.assertNotIn("999999", self.slipway("log", out.strip()).stdout)

    def test_variables_of_sbatch_set_what_the_run_does_not_set(self):
        self.app(role("w", "true"))
        # SBATCH_QOS: an empty variable sets nothing.
        env = dict(self.env, SBATCH_PARTITION="main", SBATCH_TIMELIMIT="7", SBATCH_QOS="")
        for options, limit in (([], "7"), (["-c", "time=9"], "9")):
            run = self.start("run", "-d", "-s", "slurm", *options, "app.toml", env=env)
            out, err = run.communicate(timeout=LIMIT)
            self.assertEqual(run.returncode, 0, err)
            job = self.cluster.run("scontrol", "show", "job", self.job(out.strip())).stdout
            self.assertIn(f"TimeLimit=00:0{limit}:00", job)
            dry, _ = self.start("run", "-n", "-s", "slurm", *options, "app.toml", env=env).communicate(timeout=LIMIT)
            self.assertIn(f"--partition=main --time={limit}", dry)

    def test_an_app_that_a_replica_submits_has_its_own_attempts_and_errors(self):
        said = self.root / "inner"
        error = 'printf \'{"message": "attempt %s"}\' $SLIPWAY_ATTEMPT >$TORCHELASTIC_ERROR_FILE; exit 4'
        self.app(role("inner", error), name="inner")
        (self.root / "app.toml").rename(self.root / "inner.toml")
        self.app(role("outer", f"{SLIPWAY} run -d -s slurm {self.root}/inner.toml >{said}; exit 3"), name="outer")
        outer = self.submit()
        self.slipway("wait", outer, status=3)
        inner = said.read_text(encoding="utf-8").strip()
        self.slipway("wait", inner, status=4)
        errors = [self.replicas(self.status(handle))[name, 0]["structured_error_msg"]
                  for handle, name in ((inner, "inner"), (outer, "outer"))]
        self.assertEqual(json.loads(errors[0]), {"message": "attempt 1"})
        self.assertIsNone(errors[1])

    def test_a_submission_from_an_allocation_does_not_inherit_its_memory(self):
        self.app(role("w", "echo $SLURM_MEM_PER_NODE.$SLURM_NTASKS", 1,
                      "resource = { cpu = 1, gpu = 0, memMB = 100 }"))
        done = subprocess.run(["salloc", "--quiet", "--mem=777", "--ntasks=3", SLIPWAY, "run", "-d", "-s", "slurm",
                               "app.toml"], cwd=self.root, env=self.env, capture_output=True, text=True, timeout=LIMIT,
                              check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        handle = done.stdout.strip()
        self.slipway("wait", handle)
        # Slipway requests memory per CPU, so only the allocation could set SLURM_MEM_PER_NODE.
        self.assertEqual(self.slipway("log", handle).stdout, ".1\n")

    def test_an_app_runs_with_export_none(self):
        self.app(role("w", "echo \"[$MARKER]\""))
        env = dict(self.env, MARKER="submitter")
        run = self.start("run", "-d", "-s", "slurm", "-c", "sbatch.export=NONE", "app.toml", env=env)
        out, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 0, err)
        self.slipway("wait", out.strip())
        self.assertEqual(self.slipway("log", out.strip()).stdout, "[]\n")

    def test_more_roles_than_nodes_are_refused_before_submission(self):
        self.app(*[role(f"r{i}", "true") for i in range(5)], name="many")
        done = self.slipway("run", "-n", "-s", "slurm", "app.toml", status=65)
        self.assertIn("needs at least 5 nodes, and the partition that is the default has 4", done.stderr)


if __name__ == "__main__":
    unittest.main()
