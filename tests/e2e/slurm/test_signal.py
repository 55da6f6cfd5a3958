"""`slipway signal` on a cluster: a signal reaches only the named replicas, and neither batch script nor wrappers."""

import json
import time
import unittest

from slurm_case import LIMIT, SMALL, SlurmCase, role, why_unable

unable = why_unable()
RUNNING = "RUNNING"


@unittest.skipIf(unable, unable)
class Signal(SlurmCase):
    options = dict(nodes=4)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Slurm checks every 30 s, and sends a signal up to 30 s early: with these values, 40 to 90 s after the start. A
        # shorter time limit would let it send them before the replica has set its trap.
        cls.checkpoints = {
            name: cls.submit_early(
                role("a", f"trap 'echo saved by {name}; exit 0' {name}; while :; do sleep 0.1; done", extra=SMALL),
                options=("-c", f"sbatch.signal={name}@{seconds},time={minutes}"))
            for name, seconds, minutes in (("USR1", 50, 2), ("USR2", 90, 3))
        }

    def counting_role(self, name, replicas=1, extra=""):
        """Returns a role that counts USR1 in a file, and starts a child that does the same in another one. Both create
        a file `up.*` once their traps are set."""
        def loop(file):
            return (f"trap 'echo got >>{self.root}/{file}' USR1; : >{self.root}/up.{file}; "
                    "while :; do sleep 0.1; done")

        return role(name, f"({loop(f'child.{name}.${{replica_id}}')}) & {loop(f'main.{name}.${{replica_id}}')}",
                    replicas, extra)

    def all_run(self, status):
        return bool(status["roles"]) and {each["state"] for each in self.replicas(status).values()} == {RUNNING}

    def submit_running(self, *roles, options=()):
        """Submits an app, and waits until all replicas have set their traps. Returns the handle."""
        self.app(*roles)
        handle = self.submit(*options)
        self.addCleanup(self.slipway, "cancel", "--now", handle, status=None)
        self.until(handle, self.traps_are_set, "all have set their traps")
        return handle

    def traps_are_set(self, status):
        """Returns whether all replicas run, and each of them and its child has created its `up` file."""
        return self.all_run(status) and len(list(self.root.glob("up.*"))) == 2 * len(self.replicas(status))

    def counts(self):
        """Returns the count of each process."""
        return {path.name: len(path.read_text(encoding="utf-8").split())
                for kind in ("main", "child") for path in self.root.glob(f"{kind}.*")}

    def assert_counts(self, expected):
        """Waits until each of these replicas and its child has this count, and checks that no other process counts."""
        wanted = {f"{kind}.{replica}": count for replica, count in expected.items() for kind in ("main", "child")}
        deadline = time.monotonic() + LIMIT
        while self.counts() != wanted and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.counts(), wanted)

    def until_ended(self, handle, replica):
        return self.until(handle, lambda status: self.replicas(status)[replica]["state"] not in ("PENDING", RUNNING),
                          f"{replica} ends")

    def test_signal_reaches_only_the_named_app_role_or_replicas(self):
        handle = self.submit_running(self.counting_role("a", 3), self.counting_role("b", 2))
        self.slipway("signal", handle, "USR1")
        self.assert_counts({"a.0": 1, "a.1": 1, "a.2": 1, "b.0": 1, "b.1": 1})
        self.slipway("signal", f"{handle}/b", "USR1")
        self.assert_counts({"a.0": 1, "a.1": 1, "a.2": 1, "b.0": 2, "b.1": 2})
        self.slipway("signal", f"{handle}/a/1", "USR1")
        self.assert_counts({"a.0": 1, "a.1": 2, "a.2": 1, "b.0": 2, "b.1": 2})
        document = json.loads(self.slipway("signal", "--json", f"{handle}/a/0,2", "USR1").stdout)
        self.assertEqual([(row["role"], row["replica"], row["sent"]) for row in document["replicas"]],
                         [("a", 0, True), ("a", 2, True)])
        self.assert_counts({"a.0": 2, "a.1": 2, "a.2": 2, "b.0": 2, "b.1": 2})
        self.assertEqual(self.status(handle)["state"], RUNNING)

    def test_kill_ends_one_replica_and_is_recorded(self):
        handle = self.submit_running(self.counting_role("a", 3))
        self.slipway("signal", f"{handle}/a/1", "KILL")
        status = self.until_ended(handle, ("a", 1))
        replica = self.replicas(status)[("a", 1)]
        self.assertEqual((replica["state"], replica["signal"], replica["reason"]), ("FAILED", 9, "signal"))
        self.assertEqual(status["state"], RUNNING)
        self.slipway("signal", handle, "USR1")
        self.assert_counts({"a.0": 1, "a.2": 1})
        # The signal reaches all running replicas, but the app is not cancelled.
        self.slipway("signal", handle, "KILL")
        status = self.until_state(handle, "FAILED")
        self.assertEqual({r["signal"] for r in self.replicas(status).values()}, {9})
        error = json.loads(self.slipway("signal", "--json", handle, "USR1", status=69).stdout)["error"]
        self.assertIn("FAILED", error["message"])

    def test_retries_apply_to_an_end_by_a_signal(self):
        handle = self.submit_running(self.counting_role("a", 2, "max_retries = 1"))
        for path in self.root.glob("up.*"):
            path.unlink()
        self.slipway("signal", handle, "TERM")
        status = self.until(handle, lambda seen: seen["num_restarts"] == 1 and self.traps_are_set(seen),
                            "the second attempt has set its traps")
        self.assertEqual(status["state"], RUNNING)
        self.slipway("signal", handle, "USR1")
        self.assert_counts({"a.0": 1, "a.1": 1})

    def test_each_task_of_an_array_can_be_signalled(self):
        handle = self.submit_running(self.counting_role("a", 3), options=("-c", "array=True"))
        self.slipway("signal", f"{handle}/a/1", "USR1")
        self.assert_counts({"a.1": 1})
        self.slipway("signal", handle, "USR1")
        self.assert_counts({"a.0": 1, "a.1": 2, "a.2": 1})
        self.slipway("signal", f"{handle}/a/0", "KILL")
        status = self.until_ended(handle, ("a", 0))
        self.assertEqual(self.replicas(status)[("a", 0)]["signal"], 9)
        self.assertEqual(self.replicas(status)[("a", 1)]["state"], RUNNING)

    def test_each_replica_of_a_job_in_torchx_s_shape_can_be_signalled(self):
        handle = self.submit_running(self.counting_role("a", 2), self.counting_role("b"),
                                     options=("-c", "het_per_replica=True"))
        self.slipway("signal", f"{handle}/a/1", "USR1")
        self.assert_counts({"a.1": 1})
        self.slipway("signal", handle, "USR1")
        self.assert_counts({"a.0": 1, "a.1": 2, "b.0": 1})

    def test_a_waiting_job_gets_no_signal_and_the_reason_is_reported(self):
        self.app(self.counting_role("a"))
        handle = self.submit("-c", "sbatch.hold=''")
        self.addCleanup(self.slipway, "cancel", "--now", handle)
        done = self.slipway("signal", handle, "USR1", status=69)
        self.assertRegex(done.stderr, r"no replica of .*\n  a/0: not started yet \(PENDING: held by its user")
        self.assertEqual(self.status(handle)["state"], "PENDING")

    def test_unknown_targets_and_signals_are_refused(self):
        handle = self.submit_running(self.counting_role("a", 2))
        for target in (f"{handle}/b", f"{handle}/a/2", "slurm://slipway/999999"):
            self.slipway("signal", target, "USR1", status=66)
        self.slipway("signal", handle, "NONE", status=64)
        self.assertEqual(self.counts(), {})

    def test_a_job_that_something_else_submitted_is_signalled_as_a_whole(self):
        script = self.root / "job.sh"
        handler = f"trap 'echo got >>{self.root}/main.x; exit 5' USR1; : >{self.root}/up; while :; do sleep 0.1; done"
        script.write_text(f'#!/bin/sh\nsrun sh -c "{handler}"\n', encoding="utf-8")
        job = self.cluster.run("sbatch", "--parsable", "-J", "w-0", "-o", "/dev/null", str(script)).stdout.strip()
        deadline = time.monotonic() + LIMIT
        while not (self.root / "up").exists():
            self.assertLess(time.monotonic(), deadline, "the job starts")
            time.sleep(0.1)
        self.slipway("signal", f"slurm://slipway/{job}/w/0", "USR1", status=69)
        self.slipway("signal", f"slurm://slipway/{job}", "USR1")
        while self.counts() != {"main.x": 1}:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_a_job_that_ends_well_after_slurms_checkpoint_signal_is_completed(self):
        for name, handle in self.checkpoints.items():
            self.slipway("wait", handle)
            self.assertEqual(self.status(handle)["state"], "SUCCEEDED")
            shown = self.cluster.run("scontrol", "-o", "show", "job", self.job(handle)).stdout
            self.assertIn(" JobState=COMPLETED ", shown)
            self.assertEqual(self.slipway("log", "--no-prefix", "--stream", "stdout", handle).stdout,
                             f"saved by {name}\n")


if __name__ == "__main__":
    unittest.main()
