"""A thousand jobs in the queue of a cluster with accounting: the queries and the duration of `list` and `status`."""

import json
import statistics
import subprocess
import time
import unittest

from slurm_case import LIMIT, SLIPWAY, SlurmCase, why_unable

unable = why_unable(with_accounting=True)
JOBS = 1000
PAIRS = 11  # calls of squeue and of slipway in a round, whose median ratio counts
ROUNDS = 4  # the fastest round counts, because other processes only add time


@unittest.skipIf(unable, unable)
class ManyJobs(SlurmCase):
    options = dict(nodes=2, with_accounting=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        script = cls.home / "job.sh"
        script.write_text("#!/bin/sh\n", encoding="utf-8")
        # The comment is the mark of a job of Slipway.
        submit = f"sbatch -Q --hold -J app{{}} -o /dev/null --comment='[slipway slipway/app{{}}-aaaa]' {script}"
        subprocess.run(["sh", "-c", f'seq {JOBS} | xargs -P 8 -I{{}} sh -c "{submit}"'], env=cls.env, check=True,
                       timeout=2 * LIMIT, stdin=subprocess.DEVNULL)

    def duration_s(self, *command):
        """Runs a command, and returns its duration in seconds."""
        begun = time.monotonic()
        subprocess.run(command, env=self.env, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
        return time.monotonic() - begun

    def output_and_calls(self, name, command):
        """Returns the output of a command, and the arguments of each of its calls of the Slurm command `name`."""
        calls = self.root / "calls"
        real = self.cluster.run("sh", "-c", f"command -v {name}").stdout.strip()
        (self.root / name).write_text(f'#!/bin/sh\necho "$*" >>{calls}\nexec {real} "$@"\n', encoding="utf-8")
        (self.root / name).chmod(0o755)
        calls.touch()
        env = dict(self.env, PATH=f"{self.root}:{self.env['PATH']}")
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT, check=True)
        return done.stdout, calls.read_text(encoding="utf-8").splitlines()

    def test_list_takes_at_most_twice_as_long_as_squeue(self):
        best = float("inf")
        for _ in range(ROUNDS):
            pairs = [(self.duration_s("squeue"), self.duration_s(SLIPWAY, "list", "-s", "slurm")) for _ in range(PAIRS)]
            best = min(best, statistics.median(ours / squeue for squeue, ours in pairs))
            if best <= 2:
                break
        print(f"list takes {best:.2f} times as long as squeue", flush=True)
        self.assertLessEqual(best, 2)

    def test_list_asks_accounting_only_for_apps_that_have_ended(self):
        for options, calls in (((), 0), (("--state", "PENDING"), 0), (("--all",), 1)):
            out, asked = self.output_and_calls("sacct", [SLIPWAY, "list", "-s", "slurm", "--json", *options])
            states = [app["state"] for app in json.loads(out)["apps"]]
            self.assertEqual((states.count("PENDING"), len(asked)), (JOBS, calls), options)
            (self.root / "calls").unlink()

    def test_status_of_a_job_without_a_record_does_not_read_the_whole_queue(self):
        # As TorchX submits an elastic role of two replicas: as one job, with a replica on each node. The third
        # task takes a CPU that the two nodes cannot share equally.
        job = self.cluster.run("sbatch", "--parsable", "-J", "trainer-0", "-N2", "-n3", "-o", "/dev/null", "--wrap",
                               "sleep 600").stdout.strip()
        handle = f"slurm://slipway/{job}"
        self.until_state(handle, "RUNNING")
        out, asked = self.output_and_calls("squeue", [SLIPWAY, "status", "--json", handle])
        whole_queue = [call for call in asked if "--json" in call and f"-j {job}" not in call]
        version = self.cluster.run("squeue", "--version").stdout.split()[1]
        if tuple(map(int, version.split(".")[:2])) < (23, 2):
            # Before 23.02, `squeue --json` always prints the whole queue, so Slipway asks scontrol.
            self.assertEqual(asked, ["--version"])
        self.assertEqual(whole_queue, [])
        (role,) = json.loads(out)["roles"]
        self.assertEqual([(one["id"], one["hostname"]) for one in role["replicas"]], [(0, "n1"), (1, "n2")])
        (described,) = json.loads(self.slipway("describe", "--json", handle).stdout)["roles"]
        self.assertEqual((described["num_replicas"], described["resource"]["cpu"]), (2, 1))
        self.cluster.run("scancel", job)


if __name__ == "__main__":
    unittest.main()
