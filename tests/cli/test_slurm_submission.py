"""Submissions to Slurm that are interrupted or get no answer of the controller, and cancellations of their jobs."""

import os
import signal
import unittest

from slipway_case import SANITIZED
from slurm_commands_case import SlurmCommandsCase

# A script of sbatch: the controller has not answered, and may have submitted the job.
TIMED_OUT = "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1"
INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


class SlurmSubmission(SlurmCommandsCase):
    def handle_in(self, result):
        """Returns the handle that the hint about a submission without an answer names."""
        return next(word for word in result.stderr.split() if word.startswith("slurm://")).rstrip(")")

    def await_interrupted_submission(self, run):
        """Waits until the command reports that it has seen the signal and still waits for sbatch."""
        self.assertTrue(any(b"sbatch has not answered yet" in line for line in iter(run.stderr.readline, b"")))

    def assert_listed(self, handle):
        """Checks that the app has a record, and that `list` shows it although the queue is empty."""
        self.install("squeue", ":")
        self.assertEqual(len(self.records()), 1)
        self.assertIn(handle, self.ok("list", "-s", "slurm").stdout)

    def test_a_submission_whose_answer_is_lost_is_found_by_its_comment(self):
        # The first call submits the job and loses the answer. A second call would submit another job.
        self.install_cluster("echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1")
        result = self.submit()
        self.assertEqual((result.status, result.stdout), (0, "slurm://slipway/42\n"), result)
        self.assertEqual((self.root / "calls").read_text(encoding="utf-8"), "x\n")

    def test_an_interrupt_during_sbatch_cancels_the_job_that_it_submits(self):
        for option in ("-d", "--wait"):
            for number in INTERRUPTS:
                with self.subTest(option, signal=number.name):
                    gate = self.root / f"gate{option}{number}"
                    os.mkfifo(gate)
                    self.install_cluster(f"touch {gate}.started; read -r go <{gate}; echo 42")
                    self.install("scancel", f"echo \"$*\" >>{gate}.cancelled")
                    run = self.start("run", option, "-s", "slurm", "app.toml")
                    self.file_appears(f"{gate}.started")
                    run.send_signal(number)
                    self.await_interrupted_submission(run)
                    gate.write_text("go\n", encoding="utf-8")
                    result = self.finish(run)
                    self.assertEqual((result.status, result.stdout), (130, ""), result)
                    self.assertIn("cancelled; job 42 was also cancelled", result.stderr)
                    with open(f"{gate}.cancelled", encoding="utf-8") as calls:
                        self.assertEqual(calls.readline(), "42\n")
                    self.assertEqual(self.records(), [])

    def test_an_interrupt_during_the_search_for_the_job_keeps_the_record(self):
        for option in ("-d", "--wait"):
            for number in INTERRUPTS:
                with self.subTest(option, signal=number.name):
                    searching = self.root / f"searching{option}{number}"
                    self.install("sbatch", TIMED_OUT)
                    self.install("squeue", f"touch {searching}; exec sleep 600")
                    run = self.start("run", option, "-s", "slurm", "app.toml")
                    self.file_appears(searching)
                    run.send_signal(number)
                    result = self.finish(run)
                    self.assertEqual(result.status, 75, result)
                    self.assertIn("the search for it was interrupted", result.stderr)
                    self.assert_listed(self.handle_in(result))
                    self.ok("delete", "--force", self.handle_in(result))

    def test_a_search_for_the_job_that_fails_keeps_the_record(self):
        self.install("sbatch", TIMED_OUT)
        self.install("squeue", "echo 'slurm_load_jobs error: Protocol authentication error' >&2; exit 1")
        result = self.submit()
        self.assertEqual(result.status, 75, result)
        self.assertIn("Protocol authentication error", result.stderr)
        self.assert_listed(self.handle_in(result))

    def test_the_time_limit_during_sbatch_keeps_the_record_and_names_the_app(self):
        self.install("sbatch", f"touch {self.root}/started; exec sleep 600")
        result = self.run_slipway("run", "-d", "-s", "slurm", "--timeout", "20" if SANITIZED else "8", "app.toml")
        self.assertTrue((self.root / "started").exists())
        self.assertEqual(result.status, 75, result)
        self.assertIn("sbatch did not answer in time", result.stderr)
        self.assert_listed(self.handle_in(result))

    def test_a_job_of_another_cluster_whose_answer_is_lost_is_found_later(self):
        self.install_cluster(TIMED_OUT)
        self.install("squeue", "echo 'slurm_load_jobs error: Access/permission denied' >&2; exit 1")
        handle = self.handle_in(self.run_slipway("run", "-d", "-s", "slurm", "-c", "sbatch=clusters:east", "app.toml"))
        # The answers of the cluster `east`; the cluster of this machine has no job.
        in_queue = "echo 'CLUSTER: east'; printf '42\\037RUNNING\\037\\037w\\037%s\\n' \"$mark\""
        in_detail = "echo \"JobId=42 JobName=w JobState=RUNNING Comment=$mark StdErr=/x\""
        for command, answer in (("squeue", in_queue), ("scontrol", in_detail)):
            self.install(command, f"mark=$(cat {self.root}/comment)\n"
                                  f"case \" $* \" in *' --clusters=east '*) {answer};; esac")
        status = self.ok("status", "--json", handle).json
        self.assertEqual(status["state"], "RUNNING")
        (script,) = self.records()
        self.assertIn('"app_id":"42;east"', (script.parent / "job.json").read_text(encoding="utf-8"))

    def test_an_sbatch_that_was_killed_may_have_submitted_the_job(self):
        self.install_cluster("kill -9 $$")
        result = self.submit()
        self.assertEqual((result.status, result.stdout), (0, "slurm://slipway/42\n"), result)

    def test_a_job_that_appears_after_the_cancellation_is_cancelled(self):
        for command in ("status", "list"):
            with self.subTest(command):
                self.install_cluster(TIMED_OUT)
                self.install("squeue", "echo 'slurm_load_jobs error: Access/permission denied' >&2; exit 1")
                handle = self.handle_in(self.submit())
                self.install("squeue", ":")
                cancelled = self.run_slipway("cancel", handle)
                self.assertEqual(cancelled.status, 0, cancelled)
                status = self.ok("status", "--json", handle).json
                self.assertEqual(status["state"], "CANCELLED")
                self.assertIn("its job ends if it appears", status["msg"])
                # Now the controller creates the job. If the first scancel fails, the next command calls it again.
                self.install_cluster("exit 1")
                self.install("scancel", "echo 'scancel: error: Socket timed out on send/recv operation' >&2; exit 1")
                self.run_slipway(command, *([handle] if command == "status" else ["-s", "slurm"]))
                self.install("scancel", f"echo \"$@\" >>{self.root}/{command}")
                self.ok(command, *([handle] if command == "status" else ["-s", "slurm"]))
                self.assertEqual((self.root / command).read_text(encoding="utf-8"), "42\n")

    def test_a_cancellation_is_noted_for_the_batch_script_before_slurm_knows_it(self):
        self.install_cluster("echo 42")
        handle = self.submit().stdout.strip()
        (script,) = self.records()
        self.install("scancel", f"echo {script.parent}/* >{self.root}/seen\n"
                                "echo 'scancel: error: Access denied' >&2; exit 1")
        self.run_slipway("cancel", handle)
        self.assertIn(f"{script.parent}/cancelling", (self.root / "seen").read_text(encoding="utf-8").split())
        self.assertFalse((script.parent / "cancelling").exists())  # nothing has been cancelled
        self.install("scancel", f"touch {self.root}/cancelled")
        self.start("cancel", handle)  # waits for the end of the job, which squeue shows as RUNNING
        self.file_appears(self.root / "cancelled")
        self.assertTrue((script.parent / "cancelling").exists())
        # The script may not have read the note yet, so a later call that fails leaves it.
        self.install("scancel", "echo 'scancel: error: Access denied' >&2; exit 1")
        self.assertNotEqual(self.run_slipway("cancel", handle).status, 0)
        self.assertTrue((script.parent / "cancelling").exists())

    def test_a_cancellation_by_the_first_handle_of_a_job_that_was_found_later_is_noted(self):
        self.install_cluster(TIMED_OUT)
        self.install("squeue", "echo 'slurm_load_jobs error: Access/permission denied' >&2; exit 1")
        handle = self.handle_in(self.submit())
        self.install_cluster("exit 1")  # now the queue shows the job, and `status` finds its id
        self.ok("status", handle)
        (script,) = self.records()
        self.install("scancel", f"echo {script.parent}/* >{self.root}/seen")
        self.start("cancel", handle)
        self.file_appears(self.root / "seen")
        # `cancelled` is the note for a job without a known id.
        self.assertTrue((script.parent / "cancelling").exists())
        self.assertFalse((script.parent / "cancelled").exists())

    def test_an_interrupted_job_that_cannot_be_cancelled_keeps_its_record(self):
        gate = self.root / "gate"
        os.mkfifo(gate)
        self.install_cluster(f"touch {gate}.started; read -r go <{gate}; echo 42")
        self.install("scancel", "echo 'scancel: error: Kill job error on job id 42: Access denied' >&2; exit 1")
        run = self.start("run", "-d", "-s", "slurm", "app.toml")
        self.file_appears(f"{gate}.started")
        run.send_signal(signal.SIGINT)
        self.await_interrupted_submission(run)
        gate.write_text("go\n", encoding="utf-8")
        result = self.finish(run)
        self.assertEqual(result.status, 75, result)
        self.assertIn("job 42 may still run", result.stderr)
        self.assertEqual(len(self.records()), 1)


if __name__ == "__main__":
    unittest.main()
