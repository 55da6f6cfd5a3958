"""The everyday cases of PSI/J's executors, on a cluster that binds tasks to CPUs and limits their memory."""

import json
import os
import unittest
from typing import NamedTuple

from slurm_case import LIMIT, SMALL, SlurmCase, role, text, why_unable

CPUS = os.cpu_count()
# Characters that a shell or sbatch would treat specially.
ODD = "a b 'c' \"d\" $HOME `id` $(id) \\ ;&|<>*?#~=%[ü"
COUNT_CPUS = "import os; print(len(os.sched_getaffinity(0)))"
USE_MEMORY = "import time; held = bytearray(400 << 20); time.sleep(300)"  # 400 MiB; SMALL requests 100
unable = why_unable() or (None if CPUS >= 2 else "a replica cannot be bound to two of this machine's one CPU")


def program(name, *arguments, extra=SMALL):
    """Returns a role of one program, as TOML."""
    return f'[[roles]]\nname = "w"\nentrypoint = {text(name)}\nargs = [{", ".join(map(text, arguments))}]\n{extra}\n'


def shell(script, replicas=1, extra=SMALL):
    return role("w", script, replicas, extra)


class Row(NamedTuple):
    """An app, its run options, and the expected result: exit status of `wait`, and sorted lines of each stream."""

    app: str
    options: tuple = ()
    status: int = 0
    out: list = []
    err: list = []


TABLE = {
    "simple": Row(program("true")),
    "redirect_of_stdout": Row(shell("echo out"), out=["out"]),
    "redirect_of_stderr": Row(shell("echo err >&2"), err=["err"]),
    "redirect_of_stdin": Row(program("cat"), ("-c", "srun.input={home}/in.txt"), out=["from a file"]),
    "failing": Row(shell("exit 7"), status=7),
    "missing_executable": Row(program("no-such-program"), status=127),
    "environment": Row(
        shell("printf '%s\\n' \"$ODD\" \"$EMPTY.\"", extra=SMALL + f'\nenv = {{ ODD = {text(ODD)}, EMPTY = "" }}'),
        out=sorted([ODD, "."])),
    # In an app, `$$` is one `$`.
    "arguments": Row(program("printf", "%s\\n", ODD.replace("$", "$$"), "-x", "a,b"), out=sorted([ODD, "-x", "a,b"])),
    "mpi_ranks": Row(
        shell("echo rank $PMI_RANK of $PMI_SIZE is replica ${replica_id}", 3), ("-c", "srun.mpi=pmi2"),
        out=[f"rank {rank} of 3 is replica {rank}" for rank in range(3)]),
    "cpus": Row(program("python3", "-c", COUNT_CPUS, extra="resource = { cpu = 2, gpu = 0, memMB = 100 }"), out=["2"]),
    "one_cpu": Row(program("python3", "-c", COUNT_CPUS), out=["1"]),
}


@unittest.skipIf(unable, unable)
class Everyday(SlurmCase):
    options = dict(nodes=4, binds_cpus=True, limits_memory=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.home / "in.txt").write_text("from a file\n", encoding="utf-8")
        # The apps that take longest start first; the table begins with the quickest.
        cls.walltime = cls.submit_early(shell("sleep 300"), options=("-c", "time=1"))
        cls.greedy = cls.submit_early(program("python3", "-c", USE_MEMORY))
        cls.handles = {
            name: cls.submit_early(row.app, options=[option.format(home=cls.home) for option in row.options])
            for name, row in reversed(TABLE.items())
        }

    def lines(self, handle, stream="stdout"):
        return sorted(self.slipway("log", "--no-prefix", "--stream", stream, handle).stdout.splitlines())

    def test_each_app_of_the_table_has_its_exit_status_and_output(self):
        for name, row in TABLE.items():
            with self.subTest(name):
                handle = self.handles[name]
                self.slipway("wait", handle, status=row.status)
                for stream, wanted in (("stdout", row.out), ("stderr", row.err)):
                    self.assertEqual(self.lines(handle, stream), wanted)

    def test_attach_follows_the_app_to_its_end(self):
        gate = self.root / "gate"
        self.app(shell(f"echo one; until test -e {gate}; do sleep 0.1; done; echo two; exit 4"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        attached = self.start("attach", handle)
        self.assertIsNone(attached.poll())
        gate.touch()
        out, err = attached.communicate(timeout=LIMIT)
        self.assertEqual(attached.returncode, 4, out + err)
        self.assertIn("two", out + err)

    def test_cancel_ends_a_running_app(self):
        self.app(shell("sleep 300"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        self.slipway("cancel", handle)
        replica = self.replicas(self.until_state(handle, "CANCELLED"))["w", 0]
        self.assertEqual((replica["state"], replica["reason"]), ("CANCELLED", "cancelled"))

    def test_an_app_whose_job_got_another_comment_is_still_an_app(self):
        self.app(shell(f"trap 'exit 3' USR1; touch {self.root}/up; while :; do sleep 0.1; done"))
        handle = self.submit()
        self.until_file(self.root / "up")
        self.cluster.run("scontrol", "update", f"JobId={self.job(handle)}", "Comment=mine")
        self.until_state(handle, "RUNNING")
        self.slipway("signal", handle + "/w/0", "USR1")
        self.slipway("wait", handle, status=3)

    def test_parallel_apps_run_at_the_same_time(self):
        handles = []
        for mine, other in (("a", "b"), ("b", "a")):
            script = f"touch {self.root}/{mine}; until test -e {self.root}/{other}; do sleep 0.1; done"
            self.app(shell(script), name=mine)
            handles.append(self.submit())
        for handle in handles:
            self.slipway("wait", handle)

    def test_list_has_all_apps_and_the_state_of_an_ended_one(self):
        self.slipway("wait", self.handles["simple"])
        apps = json.loads(self.slipway("list", "-s", "slurm", "--all", "--json").stdout)["apps"]
        states = {app["handle"]: app["state"] for app in apps}
        self.assertLessEqual(set(self.handles.values()), set(states))
        self.assertEqual(states[self.handles["simple"]], "SUCCEEDED")

    def test_replicas_that_need_a_whole_node_get_different_nodes(self):
        self.app(shell("echo $SLURMD_NODENAME", 2, f"resource = {{ cpu = {CPUS}, gpu = 0, memMB = 100 }}"))
        handle = self.submit()
        self.slipway("wait", handle)
        nodes = self.lines(handle)
        self.assertEqual(len(set(nodes)), 2, nodes)
        hosts = {replica["hostname"] for replica in self.replicas(self.status(handle)).values()}
        self.assertEqual(hosts, set(nodes))

    def test_replicas_get_nodes_with_the_memory_that_they_request(self):
        # Two replicas of 1,500 MB do not fit on a node of 2,000.
        self.app(shell("echo $SLURMD_NODENAME", 2, "resource = { cpu = 1, gpu = 0, memMB = 1500 }"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.assertEqual(len(set(self.lines(handle))), 2)
        # The job requests the sum.
        self.assertIn("mem=3000M", self.cluster.run("scontrol", "show", "job", self.job(handle)).stdout)

    def test_a_replica_beyond_its_memory_is_killed_and_has_the_reason_oom(self):
        # Slurm kills the task and its wrappers, so only the job's output has the reason.
        self.slipway("wait", self.greedy, status=137)
        status = self.status(self.greedy)
        self.assertEqual((status["state"], self.replicas(status)["w", 0]["reason"]), ("FAILED", "oom"))
        # The message quotes the last lines of the output, in which slurmstepd repeats itself in other words.
        self.assertRegex(status["msg"], "exceeded memory limit|Exceeded job memory limit")

    def test_memory_that_no_node_has_is_refused(self):
        self.app(shell("true", extra="resource = { cpu = 1, gpu = 0, memMB = 9000 }"))
        done = self.slipway("run", "-d", "-s", "slurm", "app.toml", status=65)
        self.assertIn("memory", done.stderr.lower())

    def test_a_refused_submission_has_the_words_of_slurm(self):
        self.app(program("true"))
        done = self.slipway("run", "-d", "-s", "slurm", "-c", "partition=nope", "app.toml", status=65)
        self.assertIn("invalid partition specified: nope", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_the_time_limit_of_the_app_ends_it(self):
        status = self.until(self.walltime, lambda s: s["state"] not in ("PENDING", "RUNNING"), "the limit ends it")
        self.assertEqual((status["state"], self.replicas(status)["w", 0]["reason"]), ("FAILED", "timeout"))


if __name__ == "__main__":
    unittest.main()
