"""The scheduler `slurm` on a real cluster. The cases share a cluster and run one after the other."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import cluster

TREE = Path(os.environ.get("SLIPWAY_TREE", Path(__file__).parents[3] / "build" / "release" / "tree")).resolve()
SLIPWAY = TREE / "bin" / "slipway"
EXAMPLES = Path(__file__).parents[3] / "plugins" / "local" / "examples"
LIMIT = 120  # seconds; against hanging for ever
ARRAY_SIZE = 200
MAX_ARRAY_SIZE = 300

missing = cluster.missing_programs()
unable = (
    f"Slurm is not installed here: {', '.join(missing)} (Debian: slurm-wlm, munge)" if missing
    else "the cluster's daemons need root" if os.geteuid() != 0 else None
)  # fmt: skip
if unable and "CI" in os.environ:
    raise RuntimeError(unable)


def text(value):
    """A TOML string."""
    return json.dumps(value)


def role(name, script, replicas=1, extra=""):
    return (
        f"[[roles]]\nname = {text(name)}\nentrypoint = \"sh\"\nargs = [\"-c\", {text(script)}]\n"
        f"num_replicas = {replicas}\n{extra}\n"
    )


@unittest.skipIf(unable, unable)
class Slurm(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(max_array_size=MAX_ARRAY_SIZE)
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="slipway-e2e-"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.env = {k: v for k, v in self.cluster.env.items() if not k.startswith(("SLIPWAY_", "TORCHX_"))}
        self.env.update(XDG_STATE_HOME=str(self.root / "state"), XDG_CONFIG_HOME=str(self.root / "config"),
                        LC_ALL="C.UTF-8")  # fmt: skip

    # ---- running

    def slipway(self, *arguments, status=0):
        done = subprocess.run([SLIPWAY, *map(str, arguments)], cwd=self.root, env=self.env, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)  # fmt: skip
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def app(self, *roles, name="app"):
        (self.root / "app.toml").write_text(f"name = {text(name)}\n\n" + "\n".join(roles), encoding="utf-8")

    def submit(self, *options):
        """The handle of the app in app.toml."""
        return self.slipway("run", "-d", "-s", "slurm", *options, "app.toml").stdout.strip()

    def status(self, handle):
        return json.loads(self.slipway("status", "--json", handle).stdout)

    def replicas(self, status):
        return {(one["role"], replica["id"]): replica for one in status["roles"] for replica in one["replicas"]}

    def until(self, handle, holds, what):
        deadline = time.monotonic() + LIMIT
        while not holds(status := self.status(handle)):
            self.assertLess(time.monotonic(), deadline, f"{what}: {json.dumps(status)}\n{self.cluster.logs()}")
            time.sleep(0.2)
        return status

    def until_state(self, handle, state):
        return self.until(handle, lambda status: status["state"] == state, f"never {state}")

    def job(self, handle):
        return handle.rsplit("/", 1)[1]

    # ---- cases

    def test_success_and_every_log_byte(self):
        self.app(role("w", "echo out ${replica_id}; echo err ${replica_id} >&2", 3))
        handle = self.submit()
        self.assertRegex(handle, r"^slurm://slipway/\d+$")
        self.slipway("wait", handle)
        status = self.status(handle)
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual({one["exit_code"] for one in self.replicas(status).values()}, {0})
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         sorted(f"w/{i} {stream} {i}" for i in range(3) for stream in ("out", "err")))  # fmt: skip
        self.assertEqual(self.slipway("log", "--stream", "stderr", handle + "/w/1").stdout, "err 1\n")

    def test_failure_with_exit_code(self):
        self.app(role("w", "exit 3"))
        handle = self.submit()
        self.slipway("wait", handle, status=3)
        self.assertEqual(self.replicas(self.status(handle))["w", 0]["exit_code"], 3)

    def test_a_signal_is_told(self):
        self.app(role("w", "kill -SEGV $$$$"))
        handle = self.submit()
        self.slipway("wait", handle, status=128 + signal.SIGSEGV)
        self.assertEqual(self.replicas(self.status(handle))["w", 0]["signal"], signal.SIGSEGV)

    def test_a_missing_program_is_127(self):
        self.app('[[roles]]\nname = "w"\nentrypoint = "no-such-program"\n')
        self.slipway("wait", self.submit(), status=127)

    def test_two_roles_count_their_ranks_from_zero(self):
        self.app(role("a", "echo ${replica_id} $$${rank0_env}", 2), role("b", "echo ${replica_id}", 3))
        handle = self.submit()
        self.slipway("wait", handle)
        lines = sorted(self.slipway("log", handle).stdout.splitlines())
        self.assertEqual([line for line in lines if line.startswith("b")], ["b/0 0", "b/1 1", "b/2 2"])
        nodes = {line.split()[-1] for line in lines if line.startswith("a")}
        self.assertEqual(len(nodes), 1)
        self.assertRegex(nodes.pop(), r"^n[1-8]$")

    def test_a_role_that_fails_ends_the_others(self):
        self.app(role("bad", "sleep 1; exit 5"), role("good", "sleep 300", 2))
        handle = self.submit()
        self.slipway("wait", handle, status=5)
        replicas = self.replicas(self.status(handle))
        self.assertEqual({replicas["good", i]["signal"] for i in range(2)}, {signal.SIGTERM})

    def test_torchx_s_shape(self):
        self.app(role("w", "echo ${replica_id} of ${app_id}", 3))
        handle = self.submit("-c", "het_per_replica=True")
        self.slipway("wait", handle)
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         [f"w/{i} {i} of {self.job(handle)}" for i in range(3)])  # fmt: skip
        names = self.cluster.run("squeue", "-h", "-t", "all", "-j", self.job(handle), "-o", "%j").stdout.split()
        self.assertEqual(sorted(names), ["w-0", "w-1", "w-2"])

    def test_env_torture(self):
        torture = "a,b 'c' \"d\" $HOME `id` $(id) \\ \n!x;&|<>*?#~=%[ü"
        self.app(role("w", "printf %s \"$A\" >\"$B\"", extra=f"env = {{ A = {text(torture)}, B = {text(str(self.root / 'out'))} }}"))
        self.slipway("wait", self.submit())
        self.assertEqual((self.root / "out").read_text(encoding="utf-8"), torture)

    def test_cancel_while_running(self):
        self.app(role("w", "echo started; sleep 300", 2))
        handle = self.submit()
        self.until(handle, lambda s: {r["state"] for r in self.replicas(s).values()} == {"RUNNING"}, "not running")
        self.slipway("cancel", handle)
        status = self.until_state(handle, "CANCELLED")
        self.assertEqual({r["state"] for r in self.replicas(status).values()}, {"CANCELLED"})
        self.slipway("cancel", handle)

    def test_a_cancelled_job_is_not_retried(self):
        self.app(role("w", "sleep 300", extra="max_retries = 3"))
        handle = self.submit()
        self.until_state(handle, "RUNNING")
        self.slipway("cancel", handle)
        self.assertEqual(self.until_state(handle, "CANCELLED")["num_restarts"], 0)

    def test_cancel_while_pending_with_the_reason_in_plain_words(self):
        self.app(role("w", "true"))
        handle = self.submit("-c", "sbatch=hold:")
        status = self.until(handle, lambda s: s["msg"], "no reason")
        self.assertEqual(status["state"], "PENDING")
        self.assertIn("held by its user", status["msg"])
        self.slipway("cancel", handle)
        self.until_state(handle, "CANCELLED")

    def test_retry_by_requeue(self):
        self.app(role("w", "test -n \"$SLURM_RESTART_COUNT\" || exit 9; echo again", extra="max_retries = 1"))
        handle = self.submit()
        self.until(handle, lambda s: s["num_restarts"] == 1, "not requeued")
        # Slurm lets two minutes pass before it starts a requeued job.
        self.cluster.run("scontrol", "update", "JobId=" + self.job(handle), "StartTime=now")
        status = self.until_state(handle, "SUCCEEDED")
        self.assertEqual((status["num_restarts"], self.replicas(status)["w", 0]["restarts"]), (1, 1))
        self.assertEqual(self.slipway("log", handle).stdout, "again\n")

    def test_time_limit(self):
        # Slurm counts whole minutes and looks every 30 s: the limit is lowered behind the job's start instead.
        self.app(role("w", "sleep 300"))
        handle = self.submit("-c", "time=1")
        self.until_state(handle, "RUNNING")
        status = self.until(handle, lambda s: s["state"] not in ("RUNNING", "PENDING"), "no time limit")
        self.assertEqual(status["state"], "FAILED")
        self.assertIn("time limit", status["msg"])
        self.assertEqual(self.replicas(status)["w", 0]["reason"], "timeout")

    def test_drained_nodes_keep_a_job_waiting(self):
        self.cluster.run("scontrol", "update", "NodeName=n[1-8]", "State=DRAIN", "Reason=test")
        try:
            self.app(role("w", "echo ok"))
            handle = self.submit()
            status = self.until(handle, lambda s: s["msg"], "no reason")
            self.assertEqual(status["state"], "PENDING")
        finally:
            self.cluster.run("scontrol", "update", "NodeName=n[1-8]", "State=RESUME")
        self.slipway("wait", handle)

    def test_an_array_of_200_replicas(self):
        self.app(role("w", "echo ${replica_id}; test ${replica_id} != 7", ARRAY_SIZE))
        handle = self.submit("-c", "array=True,sbatch=mem:10")
        self.slipway("wait", handle, status=1)
        status = self.status(handle)
        states = {key[1]: replica["state"] for key, replica in self.replicas(status).items()}
        self.assertEqual(status["state"], "FAILED")
        self.assertEqual([i for i, state in states.items() if state != "SUCCEEDED"], [7])
        self.assertEqual(len(states), ARRAY_SIZE)
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         sorted(f"w/{i} {i}" for i in range(ARRAY_SIZE)))  # fmt: skip

    def test_an_array_beyond_the_cluster_s_size_is_refused(self):
        self.app(role("w", "true", MAX_ARRAY_SIZE + 1))
        done = self.slipway("run", "-d", "-s", "slurm", "-c", "array=True", "app.toml", status=65)
        self.assertIn("MaxArraySize", done.stderr)

    def test_logs_are_followed_while_they_are_written(self):
        gate = self.root / "gate"
        self.app(role("w", f"echo one; until test -e {gate}; do sleep 0.1; done; echo two"))
        handle = self.submit()
        self.addCleanup(gate.touch)
        with subprocess.Popen([SLIPWAY, "log", "-f", handle], cwd=self.root, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as follower:  # fmt: skip
            self.assertEqual(follower.stdout.readline(), "one\n")
            self.assertIn(self.status(handle)["state"], ("RUNNING", "PENDING"))
            gate.touch()
            self.assertEqual(follower.stdout.readlines(), ["two\n"])
            self.assertEqual(follower.wait(LIMIT), 0)

    def test_job_dir_is_where_it_runs_and_where_logs_are(self):
        jobs = self.root / "jobs"
        self.app(role("w", "pwd"))
        done = self.slipway("run", "-d", "-s", "slurm", "-c", f"job_dir={jobs}", "app.toml", status=66)
        self.assertIn("job_dir", done.stderr)
        jobs.mkdir()
        handle = self.submit("-c", f"job_dir={jobs}")
        self.slipway("wait", handle)
        self.assertEqual((jobs / f"slurm-{self.job(handle)}-w-0.out").read_text(encoding="utf-8"), f"{jobs}\n")
        self.assertEqual(self.slipway("log", handle).stdout, f"{jobs}\n")

    def test_refusals_are_in_the_engine_s_words(self):
        self.app(role("w", "true"))
        done = self.slipway("run", "-d", "-s", "slurm", "-c", "partition=nope", "app.toml", status=65)
        self.assertIn("invalid partition specified: nope", done.stderr)
        self.assertEqual(self.cluster.run("squeue", "-h", "-t", "pending,running", "-n", "w").stdout, "")
        self.assertEqual([path for path in (self.root / "state").rglob("job.sh")], [])

    def test_unknown_jobs_are_not_found(self):
        for job in ("999999", "no-id", "999999;elsewhere"):
            self.slipway("status", f"slurm://slipway/{job}", status=None if ";" in job else 66)

    def test_list_has_name_and_session(self):
        self.app(role("w", "true"), name="findme")
        handle = self.submit()
        self.slipway("wait", handle)
        apps = json.loads(self.slipway("list", "-s", "slurm", "--all", "--json").stdout)
        found = [app for app in (apps["apps"] if isinstance(apps, dict) else apps) if app["app_id"] == self.job(handle)]
        self.assertEqual([(app["name"], app["state"]) for app in found], [("findme", "SUCCEEDED")])

    def test_dist_ddp_s_command_line_reaches_rank_0(self):
        self.app(role("w", "echo $${${rank0_env}:=localhost}:29500 ${replica_id}", 2))
        handle = self.submit()
        self.slipway("wait", handle)
        places = {line.split()[1] for line in self.slipway("log", handle).stdout.splitlines()}
        self.assertEqual(len(places), 1)
        self.assertRegex(places.pop(), r"^n\d:29500$")

    def test_a_controller_that_is_down_is_temporary_and_loses_nothing(self):
        self.app(role("w", "echo done"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.cluster.stop_controller()
        try:
            done = self.slipway("status", handle, status=75)
            self.assertRegex(done.stderr, r"(?i)unable to contact slurm controller|did not answer within|failed while looking for jobs")
            self.slipway("run", "-d", "-s", "slurm", "app.toml", status=75)
        finally:
            self.cluster.start_controller()
            self.cluster.until_idle()
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
