"""The scheduler `slurm`: signals, nodes and CPUs that apps get, attempts of arrays, and messages of failures."""

import json
import subprocess
import unittest

from slurm_case import LIMIT, SLIPWAY, SMALL, SlurmCase, role, why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class Trouble(SlurmCase):
    options = dict(nodes=4)  # of 4 CPUs each, so that a replica with `cpu = 4` fills a node

    # The processes `sleep` of the next tests ignore the signal. Slurm signals the processes of a replica one after the
    # other: if `sleep` ended first, the shell could end before its own signal came.

    def test_a_signal_of_scancel_reaches_the_replica_and_not_its_wrappers(self):
        self.app(role("w", "trap 'echo saved; exit 0' USR1; (trap '' USR1; echo ready; exec sleep 300) & wait"))
        handle = self.submit()
        with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", handle], env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:
            self.assertEqual(follower.stdout.readline(), "ready\n")
            self.cluster.run("scancel", "--signal=USR1", self.job(handle))
            self.assertEqual(follower.stdout.read(), "saved\n")
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", "--stream", "stderr", handle).stdout, "")

    def test_a_signal_for_the_batch_script_reaches_the_replicas(self):
        for name in ("USR2", "TERM", "INT"):
            with self.subTest(name):
                self.app(role("w", f"trap 'exit 9' {name}; (trap '' {name}; echo ready; exec sleep 300) & wait"))
                handle = self.submit()
                with subprocess.Popen([SLIPWAY, "log", "-f", "--no-prefix", handle], env=self.env, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:
                    self.assertEqual(follower.stdout.readline(), "ready\n")
                    self.cluster.run("scancel", "--batch", f"--signal={name}", self.job(handle))
                self.slipway("wait", handle, status=9)

    # cpu = 4 is a whole node, so that each replica of an elastic role takes one.

    def test_an_elastic_role_gets_the_nodes_that_are_free(self):
        self.app(role("w", "echo ${replica_id}", 4, "min_replicas = 2\nresource = { cpu = 4, gpu = 0, memMB = 100 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(len(self.replicas(self.status(handle))), 4)

    def test_a_training_of_torchx_gets_the_nodes_that_are_free(self):
        directory = self.root / "bin"
        directory.mkdir()
        (directory / "torchrun").write_text("#!/bin/sh\necho torchrun\n", encoding="utf-8")
        (directory / "torchrun").chmod(0o755)
        env = dict(self.env, PATH=f"{directory}:{self.env['PATH']}")
        run = self.start("run", "-d", "-s", "slurm", "dist.ddp", "-j", "1:4x2", "--cpu", "4", "--memMB", "100",
                         "--script", "train.py", env=env)
        out, err = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 0, err)
        self.slipway("wait", out.strip())
        self.assertIn("NumNodes=4 ", self.cluster.run("scontrol", "show", "job", self.job(out.strip())).stdout)

    def test_an_elastic_role_starts_with_fewer_nodes_than_it_may_have(self):
        self.app(role("w", "sleep 300", 2, "resource = { cpu = 4, gpu = 0, memMB = 100 }"))
        other = self.submit()
        self.addCleanup(self.slipway, "cancel", "--now", other)
        self.until_state(other, "RUNNING")
        self.app(role("w", "echo ${replica_id}", 4, "min_replicas = 2\nresource = { cpu = 4, gpu = 0, memMB = 100 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(len(self.replicas(self.status(handle))), 2)

    def test_cancel_now_ends_an_app_that_ignores_sigterm_and_a_grace_time_is_refused(self):
        self.app(role("w", "trap '' TERM; echo ready; while :; do sleep 0.1; done"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        done = self.slipway("cancel", "--grace", "5", handle, status=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("KillWait", done.stderr)
        self.slipway("cancel", "--now", handle)
        self.assertEqual(self.status(handle)["state"], "CANCELLED")

    def test_cpus_reach_the_replica(self):
        self.app(role("w", "echo $SLURM_CPUS_PER_TASK", 1, "resource = { cpu = 2, gpu = 0, memMB = 100 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", handle).stdout, "2\n")

    def test_option_input_of_srun_is_the_standard_input(self):
        (self.root / "in.txt").write_text("from a file\n", encoding="utf-8")
        self.app(role("w", "cat"))
        handle = self.submit("-c", f"srun.input={self.root}/in.txt")
        self.slipway("wait", handle)
        self.assertEqual(self.slipway("log", handle).stdout, "from a file\n")

    def test_slurm_may_requeue_a_job_without_retries_only_with_the_option_requeue(self):
        self.app(role("w", "sleep 300"))
        handle = self.submit()
        self.assertIn("Requeue=0", self.cluster.run("scontrol", "show", "job", self.job(handle)).stdout)
        self.slipway("cancel", "--now", handle)
        handle = self.submit("-c", "requeue=True")
        self.assertIn("Requeue=1", self.cluster.run("scontrol", "show", "job", self.job(handle)).stdout)
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
        status = self.status(handle)
        self.assertLessEqual(status["submitted_at"], status["started_at"])
        for replica in self.replicas(status).values():
            self.assertLessEqual(status["started_at"], replica["started_at"])
            self.assertLessEqual(replica["finished_at"], status["finished_at"])

    def test_tasks_that_end_while_slurm_stops_them_are_over(self):
        """Slurm shows such a task as STOPPED until it forgets the job, if the node confirms SIGSTOP too late."""
        count, gate = 8, self.root / "gate"
        script = f": >{self.root}/up.${{replica_id}}; until test -e {gate}; do sleep 0.01; done; exit 3"
        self.app(role("a", script, count, SMALL))
        handle = self.submit("-c", "array=True")
        self.until(handle, lambda _: len(list(self.root.glob("up.*"))) == count, "all replicas run")
        gate.touch()
        for task in range(count):
            self.cluster.run("scancel", "--batch", "--signal=STOP", f"{self.job(handle)}_{task}", check=False)
        self.cluster.run("scancel", self.job(handle), check=False)  # the tasks that SIGSTOP did stop
        self.assertIn(self.slipway("wait", handle, status=None).returncode, (3, 130))
        ends = {replica["state"] for replica in self.replicas(self.status(handle)).values()}
        self.assertLessEqual(ends, {"FAILED", "CANCELLED"})

    def test_an_array_whose_tasks_fail_at_different_times_ends_once(self):
        # Each task requeues itself between two states of Slurm that look like an end.
        self.app(role("w", "sleep 0.${replica_id}; test -n \"$SLURM_RESTART_COUNT\"", 8, "max_retries = 1"))
        handles = [self.submit("-c", "array=True") for _ in range(4)]
        waiters = [self.start("wait", handle) for handle in handles]
        for handle, waiter in zip(handles, waiters):
            out, err = waiter.communicate(timeout=LIMIT)
            self.assertEqual((waiter.returncode, out), (0, f"{handle} SUCCEEDED\n"), err)

    def test_roles_may_have_the_letters_of_slurms_patterns(self):
        name = "a%b\\c%j"
        self.app(role(name, "echo out; echo err >&2", 2))
        for options in ([], ["-c", "array=True"], ["-c", "het_per_replica=True"]):
            with self.subTest(options):
                handle = self.submit(*options)
                self.slipway("wait", handle)
                for stream in ("out", "err"):
                    lines = self.slipway("log", "--no-prefix", "--stream", f"std{stream}", handle).stdout
                    self.assertEqual(lines, f"{stream}\n" * 2)

    def test_an_app_with_a_replica_that_never_ran_has_not_succeeded(self):
        self.app(role("w", "true", 2))
        handle = self.submit("-c", "sbatch.ntasks=1")
        done = self.slipway("wait", handle, status=None)
        self.assertIn("FAILED", done.stdout)
        self.assertNotEqual(done.returncode, 0)
        status = self.status(handle)
        self.assertIn("w/1 never ran", status["msg"])
        self.assertEqual([(one["state"], one["reason"]) for one in self.replicas(status).values()],
                         [("SUCCEEDED", "exit"), ("FAILED", "lost")])

    def test_an_error_file_is_in_the_status(self):
        self.app(role("w", "echo '{\"message\": \"lost it\"}' >$TORCHELASTIC_ERROR_FILE; exit 4"))
        handle = self.submit()
        self.slipway("wait", handle, status=4)
        replica = self.replicas(self.status(handle))["w", 0]
        self.assertEqual(json.loads(replica["structured_error_msg"]), {"message": "lost it"})

    def test_a_failure_that_only_the_job_output_explains_is_in_the_message(self):
        self.app(role("w", "true").replace('"sh"', '"/nonexistent/program"'))
        for options in ([], ["-c", "array=True"]):
            handle = self.submit(*options)
            self.slipway("wait", handle, status=127)
            self.assertIn("/nonexistent/program is not found", self.status(handle)["msg"])


if __name__ == "__main__":
    unittest.main()
