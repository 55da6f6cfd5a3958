"""gpus=lease: each app gets its own GPUs. SLIPWAY_LOCAL_GPUS sets the number of GPUs of the machine."""

import contextlib
import os
import signal
import subprocess
import sys
import unittest

from app_text import role
from machine_leases import leases
from own_namespace import needs_root
from slipway_case import SlipwayCase

NOBODY = 65534  # uid and gid of the user nobody

LEASE = ("-c", "gpus=lease")
PRINT_GPUS = 'echo "$CUDA_VISIBLE_DEVICES|$HIP_VISIBLE_DEVICES"; '


class GpuLease(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.env.update(SLIPWAY_LOCAL_LEASE_POOL=f"test-{os.getpid()}", SLIPWAY_LOCAL_GPUS="4")

    def gpu_app(self, gpus, replicas=1, script=PRINT_GPUS + "read go < gate", file="app.toml", **fields):
        return self.app(role("w", script, num_replicas=replicas, resource={"gpu": gpus}, **fields), file=file)

    def gpus_of(self, handle):
        """Returns the list of GPUs of each replica."""
        return [replica.get("gpus") for _, replica in sorted(self.replicas_of(handle).items())]

    def assert_waits_for_gpus(self, handle):
        def reports_the_wait():
            status = self.status_of(handle)
            self.assertEqual(status["state"], "SUBMITTED")
            return "waits for" in (status["msg"] or "")
        self.eventually(reports_the_wait, "the message reports that the app waits")
        self.assertEqual({r["state"] for r in self.replicas_of(handle).values()}, {"PENDING"})

    def test_each_replica_gets_its_own_gpus_in_its_environment(self):
        handle = self.ok("run", *LEASE, self.gpu_app(2, 2, PRINT_GPUS)).stdout.strip()
        self.assertEqual(self.gpus_of(handle), [[0, 1], [2, 3]])
        self.assertEqual(sorted(self.ok("log", handle).lines), ["w/0 0,1|0,1", "w/1 2,3|2,3"])

    def test_replicas_without_gpus_see_none(self):
        app = self.app(role("a", PRINT_GPUS, resource={"gpu": 1}), role("b", PRINT_GPUS))
        handle = self.ok("run", *LEASE, app, env={"CUDA_VISIBLE_DEVICES": "0,1,2,3"}).stdout.strip()
        self.assertEqual(sorted(self.ok("log", handle).lines), ["a/0 0|0", "b/0 |-1"])
        self.assertNotIn("gpus", self.replicas_of(handle)["b/0"])

    def test_replica_that_lacks_gpus_is_pending_and_then_runs(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(1, 3), *LEASE)
        self.assert_state(first, "RUNNING")
        second = self.detach(self.gpu_app(2, script=PRINT_GPUS), *LEASE)
        third = self.detach(self.gpu_app(1, script=PRINT_GPUS), *LEASE)
        self.assert_waits_for_gpus(second)
        self.open_gate(gate, 3)
        for handle in (first, second, third):
            self.assertEqual(self.ok("wait", handle).status, 0)
        self.assertEqual(self.gpus_of(second), [[0, 1]])
        self.assertFalse(self.status_of(second)["msg"])

    def test_wait_for_a_state_counts_the_state_that_it_saw(self):
        gate, end = self.gate(), self.gate("end")
        first = self.detach(self.gpu_app(4), *LEASE)
        self.assert_state(first, "RUNNING")
        second = self.detach(self.gpu_app(1, script="exit 7", file="second.toml"), *LEASE)
        third = self.detach(self.app("read go < end", file="third.toml"))
        self.assert_waits_for_gpus(second)
        waiters = [self.start("wait", "--for", "SUBMITTED", *form, second, third) for form in ([], ["--json"])]

        def watches_both(pid):
            # A subscription to the events of an app has an epoll descriptor.
            links = []
            for fd in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(FileNotFoundError):  # the command has just closed it
                    links.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
            return links.count("anon_inode:[eventpoll]") == 2
        for waiter in waiters:
            self.eventually(lambda waiter=waiter: watches_both(waiter.pid), "it has seen `second` and watches `third`")
        self.open_gate(gate)
        self.expect(7, "wait", second)
        self.open_gate(end)
        for waiter in waiters:
            result = self.finish(waiter)
            self.assertEqual(result.status, 0, result)
        self.ok("wait", first)

    def test_waiting_app_can_be_cancelled_and_holds_no_lease(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(3), *LEASE)
        self.assert_state(first, "RUNNING")
        second = self.detach(self.gpu_app(2, script="touch started"), *LEASE)
        self.assert_waits_for_gpus(second)
        self.ok("cancel", second)
        self.assert_state(second, "CANCELLED")
        self.assertFalse((self.cwd / "started").exists())
        third = self.ok("run", *LEASE, self.gpu_app(1, script=PRINT_GPUS)).stdout.strip()
        self.assertEqual(self.gpus_of(third), [[3]])
        self.open_gate(gate)
        self.ok("wait", first)

    def test_attach_and_log_report_what_an_app_waits_for_unless_events_are_off(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(3), *LEASE)
        self.assert_state(first, "RUNNING")
        silent, second = self.start_foreground("--no-events", *LEASE, self.gpu_app(2, script="true"))
        self.assert_waits_for_gpus(second)
        for command in (["attach"], ["log", "-f"]):
            process = self.start(*command, second)
            self.assertIn(f"{second.rpartition('/')[2]}: waits for 2 of this machine's 4 GPUs",
                          process.stderr.readline().decode())
        self.open_gate(gate)
        result = self.finish(silent)
        self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_the_lease_survives_the_death_of_the_supervisor(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(3), *LEASE)
        self.assert_state(first, "RUNNING")
        os.kill(self.helpers(first)[1], signal.SIGKILL)
        second = self.detach(self.gpu_app(2, script=PRINT_GPUS), *LEASE)
        self.assert_waits_for_gpus(second)
        self.assertEqual(self.gpus_of(first), [[0, 1, 2]])
        self.open_gate(gate)
        self.ok("wait", first)
        self.ok("wait", second)

    def test_an_orphan_keeps_its_gpus_until_it_ends(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(3), *LEASE)
        self.assert_state(first, "RUNNING")
        self.await_output(first)
        for pid in self.helpers(first):
            os.kill(pid, signal.SIGKILL)
        # No command has started a successor for the first app, so only its orphan holds the lease.
        second = self.detach(self.gpu_app(2, script=PRINT_GPUS), *LEASE)
        self.assert_waits_for_gpus(second)
        self.open_gate(gate)
        self.ok("wait", second)

    def await_output(self, handle):
        """Waits until the first replica has written to its log."""
        log = self.app_dir(handle) / "logs" / "w" / "0" / "stdout.log"
        self.eventually(lambda: log.exists() and log.read_text(), "the replica runs")

    def test_a_retry_has_the_same_gpus(self):
        gate = self.gate()
        first = self.detach(self.gpu_app(1), *LEASE)
        self.assert_state(first, "RUNNING")
        script = PRINT_GPUS + "[ -e again ] && exit 0; touch again; exit 3"
        handle = self.ok("run", *LEASE, "-c", "backoff=initial:0.01",
                         self.gpu_app(2, script=script, max_retries=1, retry_policy="REPLICA")).stdout.strip()
        self.assertEqual(self.ok("log", handle).lines, ["1,2|1,2"] * 2)
        self.open_gate(gate)
        self.ok("wait", first)

    def test_request_above_the_number_of_gpus_is_refused_at_once(self):
        for arguments in (["run", *LEASE], ["run", "-n", *LEASE]):
            error = self.expect_failure(69, None, *arguments, self.gpu_app(5))
            self.assertIn("5 GPUs and this machine has 4", error["message"])
        self.assert_no_app()

    def test_dry_run_leases_nothing(self):
        result = self.ok("run", "-n", *LEASE, self.gpu_app(2))
        self.assertIn("CUDA_VISIBLE_DEVICES='(leased at launch)'", result.stdout)
        self.assertEqual(leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"]), [])

    def as_nobody(self, *arguments):
        """Runs a command, which must succeed, as the user nobody with its own state directory. Returns its output."""
        theirs = self.root / "theirs"
        if not theirs.exists():
            theirs.mkdir()
            os.chown(theirs, NOBODY, NOBODY)
            self.root.chmod(0o755)
            self.cwd.chmod(0o777)
        env = {**self.env, "HOME": str(theirs), "XDG_STATE_HOME": str(theirs), "XDG_CONFIG_HOME": str(theirs)}
        result = self.finish(self.start(*arguments, env=env, user=NOBODY, group=NOBODY, extra_groups=[]))
        self.assertEqual(result.status, 0, result)
        return result.stdout.strip()

    @needs_root
    def test_users_respect_each_others_leases_in_any_order(self):
        gate = self.gate()
        os.chmod(self.cwd / "gate", 0o666)
        app = self.gpu_app(3)
        app.chmod(0o644)
        short = self.gpu_app(2, script=PRINT_GPUS, file="short.toml")
        short.chmod(0o644)
        theirs = self.as_nobody("run", "-d", *LEASE, str(app))
        self.eventually(lambda: len(leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"])) == 3, "three GPUs are leased")
        ours = self.detach(short, *LEASE)
        self.assert_waits_for_gpus(ours)
        self.assertIn("user 65534 has GPUs 0, 1, 2", self.status_of(ours)["msg"])
        self.open_gate(gate)
        self.ok("wait", ours)
        self.as_nobody("wait", theirs)
        ours = self.detach(app, *LEASE)
        self.assert_state(ours, "RUNNING")
        theirs = self.as_nobody("run", "-d", *LEASE, str(short))
        def names_the_user():
            return "user 0 has GPUs 0, 1, 2" in self.as_nobody("status", "--json", theirs)
        self.eventually(names_the_user, "the other user's message names the user that has the GPUs")
        self.open_gate(gate)
        self.ok("wait", ours)
        self.as_nobody("wait", theirs)

    @needs_root
    def test_user_that_binds_lease_addresses_without_an_app_is_named(self):
        script = ("import os, socket, sys; os.setuid(65534); kept = []\n"
                  "for n in range(4): kept.append(socket.socket(socket.AF_UNIX)); "
                  "kept[-1].bind(f'\\0slipway/{sys.argv[1]}/gpu/{n}')\n"
                  "print('ready', flush=True); sys.stdin.read()")
        squatter = subprocess.Popen([sys.executable, "-c", script, self.env["SLIPWAY_LOCAL_LEASE_POOL"]],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(squatter.communicate)
        self.assertEqual(squatter.stdout.readline(), b"ready\n")
        handle = self.detach(self.gpu_app(2, script=PRINT_GPUS), *LEASE)
        self.assert_waits_for_gpus(handle)
        self.assertIn("user 65534 has GPUs 0, 1, 2, 3", self.status_of(handle)["msg"])
        squatter.communicate()
        self.ok("wait", handle)
        self.assertEqual(self.gpus_of(handle), [[0, 1]])

    def test_an_app_that_gets_a_successor_shares_no_gpu_with_one_that_waits(self):
        gate = self.gate()
        script = PRINT_GPUS + "read go < gate; exit 3"
        retry = ("-c", "backoff=initial:0.01")
        first = self.detach(self.gpu_app(2, 2, script=script, max_retries=1, retry_policy="REPLICA"), *LEASE, *retry)
        self.assert_state(first, "RUNNING")
        self.await_output(first)
        for pid in self.helpers(first):
            os.kill(pid, signal.SIGKILL)
        second = self.detach(self.gpu_app(4, script=PRINT_GPUS), *LEASE)
        self.assert_waits_for_gpus(second)
        # This command starts a successor, which starts the second attempts with the GPUs of the first attempts.
        self.assertEqual(self.gpus_of(first), [[0, 1], [2, 3]])
        self.open_gate(gate, 2)
        self.eventually(lambda: all(r["restarts"] == 1 for r in self.replicas_of(first).values()), "both run again")
        self.open_gate(gate, 2)
        self.expect(3, "wait", first)
        self.ok("wait", second)
        self.assertEqual(sorted(self.ok("log", first).lines),
                         ["w/0 0,1|0,1"] * 2 + ["w/1 2,3|2,3"] * 2)

    def test_shared_gpus_are_assigned_beside_roles_without_gpus(self):
        app = self.app(role("a", 'echo "<$CUDA_VISIBLE_DEVICES>"', resource={"gpu": 2}),
                       role("b", 'echo "<$CUDA_VISIBLE_DEVICES>"', num_replicas=2))
        run = self.ok("run", "-c", "auto_set_cuda_visible_devices=true", app)
        self.assertNotIn("ignores", run.stderr)
        self.assertEqual(sorted(self.ok("log", run.stdout.strip()).lines), ["a/0 <0,1>", "b/0 <>", "b/1 <>"])

    def install_nvidia_smi(self, text):
        """Puts an nvidia-smi on PATH that prints `text`: the pid and the MiB of each process on a GPU. Notes each call
        in the file `calls`."""
        tool = self.write("nvidia-smi", f"#!/bin/sh\necho called >> {self.cwd}/calls\ncat <<END\n{text}\nEND\n")
        tool.chmod(0o755)
        self.env["PATH"] = f"{self.cwd}:{self.env['PATH']}"

    def test_status_shows_the_gpu_memory_of_a_replica_and_its_children(self):
        gate = self.gate()
        script = "sleep 1000 & echo $! > child.${replica_id}; read go < gate; kill $!"
        handle = self.detach(self.gpu_app(1, 2, script), *LEASE)
        children = [int(self.eventually((self.file_appears(f"child.{k}")).read_text, "the pid of a child"))
                    for k in range(2)]
        own = self.replicas_of(handle)["w/0"]["pid"]
        self.install_nvidia_smi(f"{own}, 100\n{children[0]}, 28\n{children[1]}, [N/A]\n1, 5000")
        replicas = self.replicas_of(handle)
        self.assertEqual(replicas["w/0"]["gpu_memory_bytes"], 128 << 20)
        self.assertEqual(replicas["w/0"]["gpus"], [0])
        self.assertNotIn("gpu_memory_bytes", replicas["w/1"])
        self.assertIn("128 MiB of GPU memory", self.ok("status", handle).stdout)
        calls = (self.cwd / "calls").read_text()
        self.open_gate(gate, 2)
        self.ok("wait", handle)
        self.assertNotIn("gpu_memory_bytes", self.replicas_of(handle)["w/0"])
        # Neither `wait` nor the status of an app that has ended asks the tool.
        self.assertEqual((self.cwd / "calls").read_text(), calls)

    def test_options_that_contradict_are_refused(self):
        self.expect_failure(65, None, "run", *LEASE, "-c", "auto_set_cuda_visible_devices=true", self.gpu_app(1))
        self.expect_failure(65, None, "run", "-c", "gpus=some", self.gpu_app(1))


if __name__ == "__main__":
    unittest.main()
