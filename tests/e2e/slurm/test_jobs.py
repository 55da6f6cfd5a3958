"""The scheduler `slurm` on a real cluster. The cases share a cluster and run one after the other."""

import json
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from slurm_case import LIMIT, SLIPWAY, TREE, SlurmCase, role, text, why_unable

EXAMPLES = Path(__file__).parents[3] / "plugins" / "local" / "examples"
KIT_APP = Path(__file__).parents[2] / "conformance" / "app.toml"
ARRAY_SIZE = 200
MAX_ARRAY_SIZE = 300
unable = why_unable()


@unittest.skipIf(unable, unable)
class Slurm(SlurmCase):
    options = dict(max_array_size=MAX_ARRAY_SIZE)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Slurm counts whole minutes, and checks time limits every 30 s.
        cls.limited = cls.submit_early(role("w", "sleep 300"), options=("-c", "time=1"))
        cls.retried = cls.submit_early(role("w", "test -n \"$SLURM_RESTART_COUNT\" || exit 9; echo again",
                                            extra="max_retries = 1"))

    # ---- cases

    def test_a_successful_job_has_every_line_of_both_streams(self):
        self.app(role("w", "echo out ${replica_id}; echo err ${replica_id} >&2", 3))
        handle = self.submit()
        self.assertRegex(handle, r"^slurm://slipway/\d+$")
        self.slipway("wait", handle)
        status = self.status(handle)
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual({one["exit_code"] for one in self.replicas(status).values()}, {0})
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         sorted(f"w/{i} {stream} {i}" for i in range(3) for stream in ("out", "err")))
        self.assertEqual(self.slipway("log", "--stream", "stderr", handle + "/w/1").stdout, "err 1\n")

    def test_a_failed_job_has_the_exit_code_of_the_replica(self):
        self.app(role("w", "exit 3"))
        handle = self.submit()
        self.slipway("wait", handle, status=3)
        self.assertEqual(self.replicas(self.status(handle))["w", 0]["exit_code"], 3)

    def test_a_signal_is_reported(self):
        self.app(role("w", "kill -SEGV $$$$"))  # `$$` in an app is one `$`
        handle = self.submit()
        self.slipway("wait", handle, status=128 + signal.SIGSEGV)
        self.assertEqual(self.replicas(self.status(handle))["w", 0]["signal"], signal.SIGSEGV)

    def test_a_missing_program_has_exit_status_127(self):
        self.app('[[roles]]\nname = "w"\nentrypoint = "no-such-program"\n')
        self.slipway("wait", self.submit(), status=127)

    def test_two_roles_count_their_ranks_from_zero(self):
        # `$$` in an app is one `$`: role `a` prints the variable that ${rank0_env} names, the node of its replica 0.
        self.app(role("a", "echo ${replica_id} $$${rank0_env}", 2), role("b", "echo ${replica_id}", 3))
        handle = self.submit()
        self.slipway("wait", handle)
        lines = sorted(self.slipway("log", handle).stdout.splitlines())
        self.assertEqual([line for line in lines if line.startswith("b")], ["b/0 0", "b/1 1", "b/2 2"])
        nodes = {line.split()[-1] for line in lines if line.startswith("a")}
        self.assertEqual(len(nodes), 1)
        self.assertRegex(nodes.pop(), r"^n[1-8]$")

    def test_replicas_continue_when_one_has_failed(self):
        self.app(role("bad", "exit 5"), role("good", "sleep 2; test ${replica_id} = 1 || exit 6; echo done", 2))
        handle = self.submit()
        self.slipway("wait", handle, status=5)
        replicas = self.replicas(self.status(handle))
        self.assertEqual([replicas["good", i]["exit_code"] for i in range(2)], [6, 0])

    def test_with_fail_fast_a_role_that_fails_ends_the_others(self):
        self.app(role("bad", "sleep 1; exit 5"), role("good", "sleep 300", 2))
        handle = self.submit("-c", "fail_fast=True")
        self.slipway("wait", handle, status=5)
        replicas = self.replicas(self.status(handle))
        self.assertEqual({replicas["good", i]["signal"] for i in range(2)}, {signal.SIGTERM})

    def test_services_end_when_the_other_roles_have_ended(self):
        for status in (0, 5):
            serve = f"trap 'echo bye; exit 3' TERM; touch %s.on{status}; while :; do sleep 0.1; done"
            self.app(role("board", serve % "board", 2, extra="service = true"),
                     role("ps", serve % "ps", extra="service = true"),
                     role("w", f"while ! [ -e board.on{status} -a -e ps.on{status} ]; do sleep 0.1; done; "
                               f"exit {status}"))
            handle = self.submit()
            self.slipway("wait", handle, status=status)
            found = self.status(handle)
            replicas = self.replicas(found)
            self.assertEqual(found["state"], "FAILED" if status else "SUCCEEDED")
            for key in (("board", 0), ("board", 1), ("ps", 0)):
                one = replicas[key]
                self.assertEqual((one["state"], one["reason"], one["service"]), ("CANCELLED", "work_done", True), key)
            self.assertEqual(replicas["w", 0]["exit_code"], status)
            self.assertEqual(self.slipway("log", "--no-prefix", "--stream", "stdout", handle + "/ps").stdout, "bye\n")

    def test_failed_service_ends_the_app_only_with_fail_fast(self):
        for options, length, status in ((("-c", "fail_fast=True"), 300, 3), ((), 3, 0)):
            self.app(role("ps", "sleep 1; exit 3", extra="service = true"), role("w", f"sleep {length}", 2))
            handle = self.submit(*options)
            self.slipway("wait", handle, status=status)
            replicas = self.replicas(self.status(handle))
            self.assertEqual((replicas["ps", 0]["state"], replicas["ps", 0]["exit_code"]), ("FAILED", 3))
            self.assertEqual({replicas["w", k]["signal"] for k in range(2)}, {signal.SIGTERM if status else None})

    def test_macros_have_host_and_port_of_the_other_role_and_port_0_is_refused(self):
        for options in ((), ("-c", "het_per_replica=True")):
            self.app(role("w", "echo ${role.kv.host}:${role.kv.port.http} ${port.x}", extra="port_map = { x = 7 }"),
                     role("kv", "echo $SLURMD_NODENAME", extra="port_map = { http = 8080 }"))
            handle = self.submit(*options)
            self.slipway("wait", handle)
            node = self.slipway("log", "--no-prefix", handle + "/kv/0").stdout.strip()
            self.assertRegex(node, "^n[1-8]$")
            self.assertEqual(self.slipway("log", "--no-prefix", handle + "/w").stdout, f"{node}:8080 7\n")
        self.app(role("w", "echo ${port.x}", extra="port_map = { x = 0 }"))
        self.assertIn("the port is 0", self.slipway("run", "-d", "-s", "slurm", "app.toml", status=65).stderr)

    def test_in_torchx_s_shape_each_replica_is_a_component_of_a_heterogeneous_job(self):
        self.app(role("w", "echo ${replica_id} of ${app_id}", 3))
        handle = self.submit("-c", "het_per_replica=True")
        self.slipway("wait", handle)
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         [f"w/{i} {i} of {self.job(handle)}" for i in range(3)])
        names = self.cluster.run("squeue", "-h", "-t", "all", "-j", self.job(handle), "-o", "%j").stdout.split()
        self.assertEqual(sorted(names), ["w-0", "w-1", "w-2"])

    def test_values_of_variables_reach_the_replica_unchanged(self):
        odd_text = "a,b 'c' \"d\" $HOME `id` $(id) \\ \n!x;&|<>*?#~=%[ü"
        self.app(role("w", "printf %s \"$A\" >\"$B\"",
                      extra=f"env = {{ A = {text(odd_text)}, B = {text(str(self.root / 'out'))} }}"))
        self.slipway("wait", self.submit())
        self.assertEqual((self.root / "out").read_text(encoding="utf-8"), odd_text)

    def test_the_longest_command_runs_and_a_longer_one_is_refused(self):
        # In the script each quote takes five bytes, and the kernel allows 131,072 bytes.
        for quotes, status in ((25_000, 0), (27_000, 65)):
            command = {"name": "w", "entrypoint": "sh", "args": ["-c", "printf %s \"$1\" | wc -c", "sh", "'" * quotes]}
            (self.root / "long.json").write_text(json.dumps({"name": "long", "roles": [command]}), encoding="utf-8")
            done = self.slipway("run", "-d", "-s", "slurm", "long.json", status=status)
            if status == 0:
                self.slipway("wait", done.stdout.strip())
                self.assertEqual(self.slipway("log", "--no-prefix", done.stdout.strip()).stdout, f"{quotes}\n")
            else:
                self.assertIn("a replica of a Slurm job gets at most", done.stderr)

    def test_cancel_ends_a_running_job_and_may_be_repeated(self):
        self.app(role("w", "echo started; sleep 300", 2))
        handle = self.submit()
        self.until(handle, lambda s: {r["state"] for r in self.replicas(s).values()} == {"RUNNING"}, "it runs")
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

    def test_pending_job_has_a_reason_in_plain_words_and_can_be_cancelled(self):
        self.app(role("w", "true"))
        handle = self.submit("-c", "sbatch=hold:")
        status = self.until(handle, lambda s: s["msg"], "the message has a reason")
        self.assertEqual(status["state"], "PENDING")
        self.assertIn("held by its user", status["msg"])
        self.slipway("cancel", handle)
        self.until_state(handle, "CANCELLED")

    def test_retry_requeues_the_job_and_keeps_one_log(self):
        status = self.until_state(self.retried, "SUCCEEDED")
        self.assertEqual((status["num_restarts"], self.replicas(status)["w", 0]["restarts"]), (1, 1))
        self.assertEqual(self.slipway("log", self.retried).stdout, "again\n")
        for attempt in ("1", "2"):
            refused = self.slipway("log", "--attempt", attempt, self.retried, status=69)
            self.assertIn("attempts cannot be told apart", refused.stderr)

    def test_the_time_limit_is_the_reason_of_the_end(self):
        handle = self.limited
        status = self.until(handle, lambda s: s["state"] not in ("RUNNING", "PENDING"), "it ends at the time limit")
        self.assertEqual(status["state"], "FAILED")
        self.assertIn("time limit", status["msg"])
        self.assertEqual(self.replicas(status)["w", 0]["reason"], "timeout")

    def test_drained_nodes_keep_a_job_waiting(self):
        self.cluster.run("scontrol", "update", "NodeName=n[1-8]", "State=DRAIN", "Reason=test")
        try:
            self.app(role("w", "echo ok"))
            handle = self.submit()
            status = self.until(handle, lambda s: s["msg"], "the message has a reason")
            self.assertEqual(status["state"], "PENDING")
        finally:
            self.cluster.run("scontrol", "update", "NodeName=n[1-8]", "State=RESUME")
        self.slipway("wait", handle)

    def test_an_array_of_200_replicas_has_the_state_and_log_of_each(self):
        self.app(role("w", "echo ${replica_id}; test ${replica_id} != 7", ARRAY_SIZE))
        # Without a memory request, each task would take the whole memory of its node.
        handle = self.submit("-c", "array=True,sbatch=mem:10")
        self.slipway("wait", handle, status=1)
        status = self.status(handle)
        states = {key[1]: replica["state"] for key, replica in self.replicas(status).items()}
        self.assertEqual(status["state"], "FAILED")
        self.assertEqual([i for i, state in states.items() if state != "SUCCEEDED"], [7])
        self.assertEqual(len(states), ARRAY_SIZE)
        self.assertEqual(sorted(self.slipway("log", handle).stdout.splitlines()),
                         sorted(f"w/{i} {i}" for i in range(ARRAY_SIZE)))

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
                              stderr=subprocess.DEVNULL, text=True) as follower:
            self.assertEqual(follower.stdout.readline(), "one\n")
            self.assertIn(self.status(handle)["state"], ("RUNNING", "PENDING"))
            gate.touch()
            self.assertEqual(follower.stdout.readlines(), ["two\n"])
            self.assertEqual(follower.wait(LIMIT), 0)

    def test_the_job_runs_in_job_dir_and_leaves_its_logs_there(self):
        jobs = self.root / "jobs"
        self.app(role("w", "pwd"))
        done = self.slipway("run", "-d", "-s", "slurm", "-c", f"job_dir={jobs}", "app.toml", status=66)
        self.assertIn("job_dir", done.stderr)
        jobs.mkdir()
        handle = self.submit("-c", f"job_dir={jobs}")
        self.slipway("wait", handle)
        self.assertEqual((jobs / f"slurm-{self.job(handle)}-w-0.out").read_text(encoding="utf-8"), f"{jobs}\n")
        self.assertEqual(self.slipway("log", handle).stdout, f"{jobs}\n")

    def test_edits_after_submission_do_not_change_a_queued_job(self):
        jobs = self.root / "jobs"
        jobs.mkdir()
        code = self.root / "code"
        code.mkdir()
        (code / "say.sh").write_text("echo as submitted; ls\n", encoding="utf-8")
        (code / "big.bin").write_text("", encoding="utf-8")
        (code / ".torchxignore").write_text("*.bin\n", encoding="utf-8")
        self.app('[[roles]]\nname = "w"\nentrypoint = "sh"\nargs = ["say.sh"]\n')
        handle = self.submit("--workspace", code, "-c", f"job_dir={jobs}", "-c", "sbatch.hold=''")
        (code / "say.sh").write_text("echo edited\n", encoding="utf-8")
        self.cluster.run("scontrol", "release", self.job(handle))
        self.slipway("wait", handle)
        lines = self.slipway("log", "--no-prefix", handle).stdout.splitlines()
        self.assertEqual(lines[0], "as submitted")
        self.assertIn("say.sh", lines)
        self.assertNotIn("big.bin", lines)

    def test_refusals_are_in_slurm_s_words(self):
        self.app(role("refused", "true"), name="refused")
        done = self.slipway("run", "-d", "-s", "slurm", "-c", "partition=nope", "app.toml", status=65)
        self.assertIn("invalid partition specified: nope", done.stderr)
        self.assertEqual(self.cluster.run("squeue", "-h", "-t", "all", "-n", "refused").stdout, "")
        self.assertEqual(list((self.home / "state").rglob("refused*")), [])

    def test_unknown_jobs_are_not_found(self):
        for job in ("999999", "no-id"):
            self.slipway("status", f"slurm://slipway/{job}", status=66)
        # The error about the unknown cluster is Slurm's own.
        self.assertNotEqual(self.slipway("status", "slurm://slipway/999999;elsewhere", status=None).returncode, 0)

    def test_list_has_name_and_state_of_an_ended_app(self):
        self.app(role("w", "true"), name="findme")
        handle = self.submit()
        self.slipway("wait", handle)
        apps = json.loads(self.slipway("list", "-s", "slurm", "--all", "--json").stdout)
        found = [app for app in apps["apps"] if app["app_id"] == self.job(handle)]
        self.assertEqual([(app["name"], app["state"]) for app in found], [("findme", "SUCCEEDED")])

    def test_a_deleted_app_is_not_shown_again(self):
        self.app(role("w", "true"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.slipway("delete", handle)
        self.assertNotEqual(self.cluster.run("scontrol", "show", "job", self.job(handle)).stdout, "")
        self.slipway("status", handle, status=66)
        self.assertNotIn(handle, self.slipway("list", "-s", "slurm", "--all").stdout)
        self.slipway("delete", handle, status=66)

    def test_the_conformance_kit_finds_only_what_this_kind_of_process_tracking_leaves(self):
        done = subprocess.run(
            [TREE / "bin" / "slipway-plugin-check", "--json", "--provider", "slurm", "--app", KIT_APP,
             TREE / "share" / "slipway" / "plugins.d" / "slipway_slurm.toml"],
            cwd=self.root, env=self.env, capture_output=True, text=True, timeout=3 * LIMIT, check=False)
        verdicts = {one["check"]: one["verdict"] for one in json.loads(done.stdout)["checks"]}
        # Slurm ends what a task leaves behind. Its proctrack/linuxproc, which needs no cgroups, loses a process whose
        # parent has ended.
        failed = {check for check, verdict in verdicts.items() if verdict == "failed"}
        self.assertLessEqual(failed, {"app.nothing_left"}, done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1 if failed else 0, done.stdout + done.stderr)
        for check in ("app.runs", "app.logs", "app.list", "app.cancel", "app.delete"):
            self.assertEqual(verdicts[check], "passed")

    def test_dist_ddp_runs_the_same_torchrun_command_on_all_nodes(self):
        # A stand-in for torchrun, which prints its arguments.
        (self.root / "torchrun").write_text("#!/bin/sh\necho \"$*\"\n", encoding="utf-8")
        (self.root / "torchrun").chmod(0o755)
        self.addCleanup(self.env.update, PATH=self.env["PATH"])
        self.env["PATH"] = f"{self.root}:{self.env['PATH']}"
        handle = self.slipway("run", "-d", "-s", "slurm", "dist.ddp", "-j", "2x2", "--script", "train.py", "--",
                              "--epochs", "3").stdout.strip()
        self.slipway("wait", handle)
        lines = self.slipway("log", "--stream", "stdout", handle).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["train/0", "train/1"])
        commands = {line.split(maxsplit=1)[1] for line in lines}
        self.assertEqual(len(commands), 1)
        self.assertRegex(commands.pop(), r"^--rdzv_backend c10d --rdzv_endpoint n\d:29500 "
                         rf"--rdzv_id {self.job(handle)} --nnodes 2 --nproc_per_node 2 .*train\.py --epochs "
                         rf"3$")

    def test_the_demo_app_succeeds_and_its_failing_variant_fails(self):
        shutil.copytree(EXAMPLES, self.root, dirs_exist_ok=True)
        done = self.slipway("run", "--wait", "--log", "-s", "slurm", "ps_training.toml")
        self.assertIn("final loss", done.stderr)
        status = self.status(done.stdout.strip())
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual([(one["role"], len(one["replicas"])) for one in status["roles"]],
                         [("ps", 1), ("trainer", 4), ("reader", 1)])
        self.slipway("run", "--wait", "-s", "slurm", "ps_training_failing.toml", status=3)

    def test_a_controller_that_is_down_is_temporary_and_loses_nothing(self):
        self.app(role("w", "echo done"))
        handle = self.submit()
        self.slipway("wait", handle)
        self.cluster.stop_controller()
        try:
            # Both commands run at the same time, because each waits long before it gives up.
            queries = [
                subprocess.Popen([SLIPWAY, *arguments], cwd=self.root, env=self.env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
                for arguments in (("status", handle), ("run", "-d", "-s", "slurm", "app.toml"))
            ]
            complaints = [query.communicate(timeout=LIMIT)[1] for query in queries]
            self.assertEqual([query.returncode for query in queries], [75, 75], complaints)
            self.assertRegex(complaints[0], r"(?i)unable to contact slurm controller|did not answer within|failed "
                                            r"while looking for jobs")
        finally:
            self.cluster.start_controller()
            self.cluster.until_answers()
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
