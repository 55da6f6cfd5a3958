"""The scheduler `slurm` where Slurm's commands are missing or misbehave: the tests put stand-ins on PATH."""

import os
import signal
import unittest

from slurm_commands_case import SlurmCommandsCase


class SlurmTrouble(SlurmCommandsCase):
    def test_one_query_for_any_number_of_jobs(self):
        jobs = ",".join('{"job_id": %d, "job_state": "RUNNING", "name": "w"}' % number for number in range(1, 301))
        parts = ",".join('{"job_id": %d, "het_job_id": 900, "het_job_offset": %d, "name": "w-%d", "job_state": '
                         '"RUNNING"}'
                         % (900 + number, number, number) for number in range(100))
        (self.root / "answer").write_text('{"jobs": [%s,%s]}' % (jobs, parts), encoding="utf-8")
        self.install("squeue", f"[ $1 = --version ] && exit; echo x >>{self.root}/calls; cat {self.root}/answer")
        for command in (("list", "-s", "slurm", "--all"), ("status", "slurm://slipway/900")):
            (self.root / "calls").write_text("", encoding="utf-8")
            result = self.run_slipway(*command)
            self.assertEqual(result.status, 0, result)
            self.assertEqual((self.root / "calls").read_text(encoding="utf-8"), "x\n", command)

    def test_a_refusal_has_details_for_programs(self):
        self.install_cluster("echo 'sbatch: error: invalid partition specified: nope' >&2; exit 1")
        error = self.json_error(self.run_slipway("run", "--json", "-d", "-s", "slurm", "app.toml"))
        self.assertEqual((error["details"]["command"][0], error["details"]["exit_status"]), ("sbatch", 1))
        self.assertEqual(error["details"]["stderr"], "sbatch: error: invalid partition specified: nope\n")

    def test_a_query_that_hangs_is_killed_and_reported(self):
        self.install("squeue", f"echo $$ >{self.root}/pid; exec sleep 600")
        result = self.run_slipway("status", "slurm://slipway/42")
        self.assertEqual(result.status, 75, result)
        self.assertIn("squeue did not answer within", result.stderr)
        pid = int((self.root / "pid").read_text(encoding="utf-8"))
        self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_a_squeue_that_takes_long_to_start_is_awaited(self):
        job = '{"jobs": [{"job_id": 42, "job_state": "RUNNING", "name": "w-0"}]}'
        self.install("squeue", f"[ $1 = --version ] && sleep 6 && exit; echo '{job}'")
        self.assertEqual(self.ok("status", "--json", "slurm://slipway/42").json["state"], "RUNNING")

    def test_a_failure_is_reported_although_the_parent_ignores_the_ends_of_children(self):
        for command in ("squeue", "scancel", "scontrol", "sacct"):
            self.install(command, "echo 'Unable to contact slurm controller' >&2; exit 1")
        for command in ("cancel", "status"):
            process = self.start(command, "slurm://slipway/104",
                                 preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            self.assertEqual(self.finish(process).status, 75, command)

    def test_missing_tools_are_named(self):
        for command in ("status", "log", "cancel"):
            result = self.run_slipway(command, "slurm://slipway/42")
            self.assertEqual(result.status, 69, result)
            self.assertIn("squeue is not installed", result.stderr)
        result = self.submit()
        self.assertEqual(result.status, 69, result)
        self.assertIn("sbatch is not installed", result.stderr)
        self.assertEqual(self.records(), [])

    def test_an_unknown_id_on_a_machine_without_a_cluster_is_not_found(self):
        self.install("squeue", "echo 'squeue: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host' >&2\n"
                               "echo 'squeue: fatal: Could not establish a configuration source' >&2; "
                               "exit 1")
        result = self.run_slipway("status", "nosuch")
        self.assertEqual(result.status, 66, result)
        self.assertNotIn("squeue", result.stderr)
        self.assertNotIn("resolve", result.stderr)

    def test_a_refused_account_leaves_nothing(self):
        self.install("sbatch", "echo 'sbatch: error: Batch job submission failed: Invalid account or account/partition "
                               "combination specified' >&2; exit 1")
        result = self.submit()
        self.assertEqual(result.status, 77, result)
        self.assertIn("Invalid account", result.stderr)
        self.assertEqual(self.records(), [])

    def test_a_record_that_cannot_be_written_leaves_nothing_and_no_job(self):
        self.install_cluster("echo 42")
        ids = self.state / "slipway" / "slurm" / "ids"
        for directory in (self.state, self.state / "slipway", ids.parent):
            directory.mkdir(mode=0o700)
        ids.write_text("not a directory", encoding="utf-8")
        result = self.submit()
        self.assertEqual(result.status, 73, result)
        self.assertEqual(self.records(), [])
        self.assertFalse((self.root / "calls").exists())  # sbatch was not called

    def test_an_incomplete_or_malformed_answer_is_an_error(self):
        for answer in ('{"jobs": [{"job_id": 42, "job_', "Welcome to the cluster!", ""):
            self.install("squeue", f"echo '{answer}'")
            result = self.run_slipway("status", "--json", "slurm://slipway/42")
            self.assertEqual(result.status, 65, result)
            self.assertIn("squeue --json", result.stderr)

    def test_a_job_directory_that_vanished_is_reported(self):
        jobs = self.root / "jobs"
        jobs.mkdir()
        self.install_cluster("echo 42")
        self.assertEqual(self.run_slipway("run", "-d", "-s", "slurm", "-c", f"job_dir={jobs}", "app.toml").status, 0)
        self.assertEqual(self.run_slipway("log", "slurm://slipway/42").status, 0)
        jobs.rmdir()
        result = self.run_slipway("log", "slurm://slipway/42")
        self.assertEqual(result.status, 66, result)
        self.assertIn(str(jobs), result.stderr)


if __name__ == "__main__":
    unittest.main()
