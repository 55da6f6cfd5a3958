"""The scheduler `slurm` after the failure of a node on which the replicas continue."""

import unittest

from outage_case import OutageCase
from slurm_case import LIMIT, SMALL, role, why_unable

unable = why_unable()


@unittest.skipIf(unable, unable)
class FailedNodes(OutageCase):
    def test_an_attempt_that_lives_on_after_a_failure_of_its_node_does_not_end_the_next_one(self):
        # Attempt 1 exits with 9 once `end1` exists, attempt 2 with 0 once `end2` exists.
        script = (f"echo $SLIPWAY_ATTEMPT $SLURMD_NODENAME; until test -e {self.root}/end$SLIPWAY_ATTEMPT; "
                  "do sleep 0.1; done; exit $((9 * (2 - SLIPWAY_ATTEMPT)))")
        self.app(role("w", script, extra="max_retries = 1\n" + SMALL))
        handle = self.submit()
        follower = self.start("log", "-f", "--no-prefix", handle)
        attempt, node = follower.stdout.readline().split()
        self.assertEqual(attempt, "1")
        self.app(role("w", "echo one; sleep 300", extra=SMALL))
        lost = self.submit("-c", f"sbatch.nodelist={node}")
        self.until_started(lost)
        with self.failed_node(node):
            self.slipway("wait", lost, status=70)
            self.assertEqual(self.replicas(self.status(lost))["w", 0]["reason"], "lost")
            attempt, other = follower.stdout.readline().split()
            self.assertEqual(attempt, "2")
            self.assertNotEqual(other, node)
            waiter = self.start("wait", handle)
            (self.root / "end1").touch()
            (record,) = [link.resolve() for link in (self.home / "state").rglob(f"ids/{self.job(handle)}")]
            self.until_text(record / "replicas" / "w-0", "code=9 ")
            status = self.status(handle)
            replica = self.replicas(status)["w", 0]
            self.assertEqual((status["state"], status["num_restarts"]), ("RUNNING", 1))
            self.assertEqual((replica["state"], replica["hostname"], replica["exit_code"], replica["restarts"]),
                             ("RUNNING", other, None, 1))
            self.assertFalse((record / "result").exists())
            self.assertIsNone(waiter.poll())
            (self.root / "end2").touch()
            self.assertEqual(waiter.wait(LIMIT), 0, waiter.stderr.read())
        status = self.status(handle)
        replica = self.replicas(status)["w", 0]
        self.assertEqual((status["state"], status["num_restarts"], replica["exit_code"]), ("SUCCEEDED", 1, 0))
        # The results are in the records, which remain when Slurm has forgotten the jobs. srun ends with 0 after a
        # failure of its node, but the script of `lost` records 1, because its replica has recorded no end.
        self.assertIn("code=0 ", (record / "result").read_text(encoding="utf-8"))
        (record,) = [link.resolve() for link in (self.home / "state").rglob(f"ids/{self.job(lost)}")]
        self.until_text(record / "result", "code=1 ")


if __name__ == "__main__":
    unittest.main()
