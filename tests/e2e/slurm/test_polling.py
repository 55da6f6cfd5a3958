"""The queries of `slipway` to a real controller while it waits for jobs: their number, and that they miss no end."""

import fcntl
import signal
import subprocess
import time
import unittest

from slurm_case import LIMIT, SLIPWAY, SMALL, SlurmCase, role, why_unable

unable = why_unable()
JOBS = 6  # all of them run at the same time


@unittest.skipIf(unable, unable)
class Polling(SlurmCase):
    options = dict(nodes=2)

    def setUp(self):
        super().setUp()
        # Waiting commands of one state directory share their queries. Each case has its own, so it counts no queries of
        # another case.
        self.env = dict(self.env, XDG_STATE_HOME=str(self.root / "state"))

    def call(self, directory, *arguments):
        """Runs a command in the environment of the case, in place of that of the class."""
        return subprocess.run([SLIPWAY, *map(str, arguments)], cwd=directory, env=self.env, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)

    def start_wait(self, handle, env, *options):
        """Starts `slipway wait`, and returns its process."""
        return self.start("wait", *options, handle, env=env)

    def gated(self, number):
        """Submits an app that runs until a file exists. Returns the handle and the path of the file."""
        gate = self.root / f"gate{number}"
        self.app(role("w", f"while [ ! -e {gate} ]; do sleep 0.1; done", 1, SMALL), name=f"gated{number}")
        return self.submit(), gate

    def test_several_waits_query_about_as_often_as_one(self):
        span_s = 15
        apps = [self.gated(number) for number in range(JOBS)]
        for handle, _ in apps:
            self.until_state(handle, "RUNNING")
        alone, alone_env = self.counting_commands("squeue", "scontrol")
        first = self.start_wait(apps[0][0], alone_env)
        time.sleep(span_s)
        queries_alone = self.calls(alone, "squeue")
        self.assertGreater(queries_alone, 1)
        apps[0][1].touch()
        self.assertEqual(first.wait(LIMIT), 0)
        together, together_env = self.counting_commands("squeue", "scontrol")
        waits = [self.start_wait(handle, together_env) for handle, _ in apps[1:]]
        time.sleep(span_s)
        self.assertLessEqual(self.calls(together, "squeue"), 2 * queries_alone)
        # Each wait describes its own app twice when it starts, and again only after a change or a call without an
        # answer.
        self.assertLessEqual(self.calls(together, "scontrol"), 3 * len(waits))
        for _, gate in apps[1:]:
            gate.touch()
        self.assertEqual([wait.wait(LIMIT) for wait in waits], [0] * len(waits))

    def test_pauses_between_queries_grow(self):
        handle, gate = self.gated(0)
        self.until_state(handle, "RUNNING")
        counts, env = self.counting_commands("squeue")
        wait = self.start_wait(handle, env)
        self.until_calls(counts, "squeue", 2)
        time.sleep(10)
        first = self.calls(counts, "squeue")
        time.sleep(10)
        second = self.calls(counts, "squeue") - first
        # With pauses of one second, each half would have 10.
        self.assertLess(second, first)
        self.assertLess(second, 6)
        gate.touch()
        self.assertEqual(wait.wait(LIMIT), 0)

    def test_no_wait_misses_an_end(self):
        handles = []
        for number in range(JOBS):
            self.app(role("w", f"sleep {number % 3}; exit 3", 1, SMALL))
            handles.append(self.submit())
        waits = [self.start_wait(handle, self.env) for handle in handles]
        self.assertEqual([wait.wait(LIMIT) for wait in waits], [3] * JOBS)

    def test_one_wait_for_many_apps_sees_all_ends(self):
        apps = [self.gated(number) for number in range(JOBS)]
        counts, env = self.counting_commands("squeue")
        process = subprocess.Popen([SLIPWAY, "wait", *(handle for handle, _ in apps)], cwd=self.root, env=env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        for _, gate in apps:
            gate.touch()
            time.sleep(0.5)  # so that the apps do not all end between two queries
        out, _ = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, out.count("SUCCEEDED")), (0, JOBS))
        self.assertGreater(self.calls(counts, "squeue"), 0)

    def test_wait_for_running_sees_the_start(self):
        blocker, gate = self.gated(0)
        self.app(role("w", "sleep 600", 1, SMALL), name="later")
        handle = self.submit("-c", f"sbatch.dependency=afterok:{self.job(blocker)}")
        counts, env = self.counting_commands("squeue")
        wait = self.start_wait(handle, env, "--for", "RUNNING")
        self.until_calls(counts, "squeue", 2)
        self.assertIsNone(wait.poll())
        gate.touch()
        self.assertEqual(wait.wait(LIMIT), 0)
        self.slipway("cancel", "--now", handle)

    def test_a_wait_ends_although_another_process_hangs_in_its_query(self):
        handle, gate = self.gated(0)
        wait = self.start_wait(handle, self.env)
        locks = []
        deadline = time.monotonic() + LIMIT
        while not locks:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
            locks = list((self.root / "state").rglob("queue/*/lock"))  # a command holds it during its query
        with open(locks[0], "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            gate.touch()
            self.assertEqual(wait.wait(LIMIT), 0)  # after 25 s it asks alone (plugins/slurm/docs/commands.md)

    def test_a_cancelled_app_ends_its_wait(self):
        self.app(role("w", "sleep 600"))
        handle = self.submit()
        wait = self.start_wait(handle, self.env)
        self.until_state(handle, "RUNNING")
        self.slipway("cancel", handle)
        self.assertEqual(wait.wait(LIMIT), 130)
        self.assertIn("CANCELLED", wait.stdout.read())

    def test_an_interrupt_ends_a_wait(self):
        handle, gate = self.gated(0)
        self.until_state(handle, "RUNNING")
        counts, env = self.counting_commands("squeue")
        wait = self.start_wait(handle, env)
        self.until_calls(counts, "squeue", 1)
        wait.send_signal(signal.SIGINT)
        self.assertEqual(wait.wait(LIMIT), -signal.SIGINT)
        gate.touch()
        self.slipway("wait", handle)


if __name__ == "__main__":
    unittest.main()
