"""The scheduler `slurm` without accounting and with a queue that soon forgets jobs: records alone describe apps."""

import shutil
import unittest

from slurm_case import SlurmCase, role, why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class Forgotten(SlurmCase):
    options = dict(nodes=2, min_job_age=2)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.well = cls.submit_early(role("a", "echo out"), role("b", "true", 2))
        cls.failed = cls.submit_early(role("w", "exit 3"))
        cls.array = cls.submit_early(role("w", "test ${replica_id} != 2", 4), options=("-c", "array=True"))
        # A held job never runs, so after scancel its record has no result.
        cls.cancelled = cls.submit_early(role("w", "true"), options=("-c", "sbatch=hold:"))
        cls.vanished = cls.submit_early(role("w", "true"))
        cls.deleted = cls.submit_early(role("w", "true"), options=("-c", "sbatch=hold:"))
        for handle in (cls.cancelled, cls.deleted):
            cls.cluster.run("scancel", handle.rsplit("/", 1)[1])

    def test_a_result_in_the_record_is_shown(self):
        for handle, state in ((self.well, "SUCCEEDED"), (self.failed, "FAILED"), (self.array, "FAILED")):
            self.until_forgotten(handle)
            status = self.status(handle)
            self.assertEqual(status["state"], state)
            for replica in self.replicas(status).values():
                self.assertLessEqual(status["started_at"], replica["started_at"])
                self.assertLessEqual(replica["finished_at"], status["finished_at"])
        self.slipway("wait", self.failed, status=3)
        self.assertEqual(self.slipway("log", "-f", self.well + "/a/0").stdout, "out\n")

    def test_a_job_without_a_result_is_unknown_and_never_succeeded(self):
        self.until_forgotten(self.cancelled)
        status = self.status(self.cancelled)
        self.assertEqual(status["state"], "UNKNOWN")
        self.assertIn("forgotten", status["msg"])
        self.assertEqual(self.slipway("log", "-f", self.cancelled).stdout, "")
        for command in ("wait", "attach", "cancel"):
            done = self.slipway(command, self.cancelled, status=70)
            self.assertIn("has ended, but its result is not known", done.stderr)

    def test_an_unanswered_app_whose_job_ended_unseen_keeps_its_logs(self):
        self.app(role("w", "echo out"))
        handle = self.submit_unanswered()
        # The controller gets the job only now. No command asks about it before it is forgotten.
        job = self.submit_lost()
        self.until_forgotten(f"slurm://slipway/{job}")
        self.assertEqual(self.slipway("log", handle).stdout, "out\n")
        status = self.status(handle)
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertIn("forgotten", status["msg"])

    def test_an_app_without_a_result_can_be_deleted(self):
        self.until_forgotten(self.deleted)
        self.slipway("delete", self.deleted)
        self.slipway("status", self.deleted, status=66)

    def test_a_forgotten_job_without_a_record_is_not_found(self):
        self.until_forgotten(self.vanished)
        for link in (self.home / "state").rglob(f"ids/{self.job(self.vanished)}"):
            shutil.rmtree(link.resolve())
        self.slipway("status", self.vanished, status=66)
        done = self.slipway("log", self.vanished, status=66)
        self.assertIn(self.job(self.vanished), done.stderr)


if __name__ == "__main__":
    unittest.main()
