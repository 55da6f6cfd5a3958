"""`list` of the scheduler `slurm`: which job of the queue or of accounting is that of which record."""

import datetime
import os
import unittest

from slurm_commands_case import SlurmCommandsCase

SEPARATOR = "\\037"


class SlurmList(SlurmCommandsCase):
    def setUp(self):
        super().setUp()
        self.env["TZ"] = "UTC"

    def queue_has(self, *cells):
        """Makes squeue print one job: id, state, time of submission, name, comment and command."""
        self.install("squeue", f"printf '{SEPARATOR.join(cells)}\\n'")

    def listed(self, *options):
        """Returns the only app of the list."""
        (app,) = self.ok("list", "-s", "slurm", "--json", *options).json["apps"]
        return app

    def test_an_app_that_was_found_later_keeps_its_time_of_submission(self):
        self.install_cluster("echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1")
        found = (self.bin / "squeue").read_text(encoding="utf-8")
        self.install("squeue", "echo 'slurm_load_jobs error: Access/permission denied' >&2; exit 1")
        self.submit()
        (link,) = self.state.rglob("ids/*")
        # The time of the link is that of the submission.
        long_ago = 1_700_000_000  # 2023-11-14T22:13:20Z
        os.utime(link, (long_ago, long_ago), follow_symlinks=False)
        self.install("squeue", found.partition("\n")[2])
        for listing in ("the list that finds the job", "a later one"):
            with self.subTest(listing):
                app = self.listed()
                self.assertEqual((app["app_id"], app["submitted_at"]), ("42", "2023-11-14T22:13:20.000Z"))

    def test_a_job_with_the_number_of_an_older_app_is_not_that_app(self):
        self.install_cluster("echo 42")
        self.submit()
        mine = self.listed()
        (script,) = self.records()
        self.queue_has("42", "RUNNING", "2026-11-21T20:24:00", "other", "", "/home/ada/job.sh")
        app = self.listed("--all")
        self.assertEqual((app["name"], app["submitted_at"]), ("other", "2026-11-21T20:24:00.000Z"))
        self.queue_has("42", "RUNNING", "2026-11-21T20:24:00", "other", "[slipway lab/theirs-x1]", str(script))
        app = self.listed("--all")
        self.assertEqual((app["handle"], app["name"], app["submitted_at"]),
                         ("slurm://lab/42", "theirs", "2026-11-21T20:24:00.000Z"))
        # A user or the site may have replaced the comment; then the script decides.
        self.queue_has("42", "RUNNING", "2026-11-21T20:24:00", "other", "mine", str(script))
        self.assertEqual(self.listed("--all"), mine)

    def test_a_job_that_was_submitted_after_the_query_of_the_queue_has_the_state_of_accounting(self):
        self.install("squeue", ":")
        now = datetime.datetime.now(datetime.timezone.utc)
        for days, state in ((1, "PENDING"), (-1, "UNKNOWN")):
            submitted = (now + datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S")
            with self.subTest(submitted=submitted):
                rows = (("JobIDRaw", "JobID", "State", "Submit", "JobName", "Comment"),
                        ("42", "42", "PENDING", submitted, "w", ""))
                self.install("sacct", "printf '" + "".join(SEPARATOR.join(row) + "\\n" for row in rows) + "'")
                self.assertEqual(self.listed("--all")["state"], state)


if __name__ == "__main__":
    unittest.main()
