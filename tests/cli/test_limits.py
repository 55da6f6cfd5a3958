"""The run option enforce: limits the memory and the CPUs of replicas to the resource of their role."""

import os
import signal
import unittest
from pathlib import Path

import live_processes
from app_text import role
from slipway_case import SlipwayCase

CPUS = sorted(os.sched_getaffinity(0))
# A Python program that takes 400 MiB of memory.
EAT = "import sys\nx = bytearray(400 << 20)\nprint('ate', len(x))\n"


class Limits(SlipwayCase):
    def memory_user(self, mem=64, **fields):
        """Returns an app that runs EAT with this memory, in MiB, in its resource."""
        self.write("eat.py", EAT)
        return self.app({"name": "w", "image": ".", "entrypoint": "python3", "args": ["eat.py"],
                         "resource": {"cpu": 1, "memMB": mem}, **fields})

    def cgroups(self, handle):
        """Returns the directories of the app's cgroups."""
        app_id = handle.rsplit("/", 1)[1]
        # Other tests remove cgroups at the same time. Then Path.glob raises, and os.walk continues.
        return [path for path, _, _ in os.walk("/sys/fs/cgroup") if path.endswith(f"/slipway/{app_id}")]

    def test_without_enforce_the_resource_is_reported_as_ignored(self):
        result = self.ok("run", self.memory_user())
        self.assertIn("ignores resource.cpu, resource.memMB of w", result.stderr)
        self.assertIn("enforce", result.stderr)

    def test_rlimit_bounds_the_memory_of_a_process(self):
        result = self.expect(1, "run", "-c", "enforce=rlimit", self.memory_user())
        self.assertIn("MemoryError", result.stderr)
        self.assertNotIn("ignores resource", result.stderr)
        self.ok("run", "-c", "enforce=rlimit", self.memory_user(2048))

    @unittest.skipIf(len(CPUS) < 2, "a machine with one CPU has nothing to choose from")
    def test_rlimit_spreads_replicas_over_cpus(self):
        app = self.app(role("w", "grep Cpus_allowed_list /proc/self/status | cut -f2", num_replicas=len(CPUS),
                            resource={"cpu": 1}))
        handle = self.ok("run", "-c", "enforce=rlimit", app).stdout.strip()
        seen = [line.split()[1] for line in self.ok("log", handle).lines]
        self.assertEqual(sorted(map(int, seen)), CPUS)

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can make cgroups everywhere; run this as root")
    def test_an_oom_kill_of_a_cgroup_is_reported(self):
        app = self.memory_user(max_retries=1, retry_policy="REPLICA")
        result = self.expect(137, "run", "-c", "enforce=cgroup", "-c", "retry_on=oom", "-c", "backoff=initial:0.01",
                             app)
        self.assertRegex(result.stderr, r"FAILED: w/0 ran out of its \d+ MiB of memory")
        handle = result.stdout.strip()
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["state"], replica["reason"], replica["signal"], replica["restarts"]),
                         ("FAILED", "oom", 9, 1))
        self.assertEqual([a["reason"] for a in replica["attempts"]], ["oom", "oom"])
        self.assertEqual(self.cgroups(handle), [])

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can make cgroups everywhere; run this as root")
    def test_a_cgroup_exists_while_the_replica_runs_and_other_kills_are_not_reported_as_oom(self):
        gate = self.gate()
        app = self.app(role("w", "read go < gate; kill -9 $$", num_replicas=2,
                            resource={"memMB": 64, "cpu": 1}))
        handle = self.detach(app, "-c", "enforce=cgroup")
        # The app is RUNNING before its first replica starts.
        self.eventually(lambda: self.replicas_of(handle)["w/1"]["state"] == "RUNNING", "the last replica runs")
        self.assertNotEqual(self.cgroups(handle), [])
        self.open_gate(gate, 2)
        self.run_slipway("wait", handle)
        self.assertEqual([r["reason"] for r in self.replicas_of(handle).values()], ["signal"] * 2)
        self.eventually(lambda: not self.cgroups(handle), "its cgroups are gone")

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can make cgroups everywhere; run this as root")
    def test_cgroups_that_a_replica_makes_end_with_the_attempt(self):
        # Each attempt leaves a cgroup below its own, with a process in it or empty.
        for leave in ("setsid sleep 600 & echo $! > $d/own/cgroup.procs", ":"):
            with self.subTest(leave):
                script = ("for d in $(find /sys/fs/cgroup -path '*/slipway/${app_id}/0'); "
                          f"do mkdir $d/own; {leave}; done; exit 3")
                app = self.app(role("w", script, max_retries=1, retry_policy="REPLICA",
                                    resource={"cpu": 1, "memMB": 64}))
                handle = self.expect(3, "run", "-c", "enforce=cgroup", "-c", "backoff=initial:0.01", app).stdout.strip()
                self.assertEqual(self.replicas_of(handle)["w/0"]["restarts"], 1)
                self.assertEqual(self.cgroups(handle), [])

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can make cgroups everywhere; run this as root")
    def test_processes_in_the_cgroup_of_a_lost_replica_end_although_the_app_continues(self):
        app = self.app(role("w", "setsid sleep 600 & echo $! > daemon; exec sleep 1000",
                            resource={"cpu": 1, "memMB": 64}), role("other", "exec sleep 1000"))
        handle = self.detach(app, "-c", "enforce=cgroup", "-c", "fail_fast=false")
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "all run")
        self.eventually(lambda: self.file_appears("daemon").read_text().endswith("\n"), "the daemon runs")
        daemon = int((self.cwd / "daemon").read_text())
        replica = self.replicas_of(handle)["w/0"]["pid"]
        self.kill_helpers()
        os.kill(replica, signal.SIGKILL)
        self.eventually(lambda: not live_processes.parent(replica), "no process knows its exit status")
        reasons = {k: r["reason"] for k, r in self.replicas_of(handle).items()}
        self.assertEqual(reasons, {"w/0": "lost", "other/0": None})
        self.eventually(lambda: not live_processes.alive(daemon), "the daemon has ended")
        self.assert_state(handle, "RUNNING")

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root can make cgroups everywhere; run this as root")
    def test_cgroup_holds_a_replica_to_a_part_of_a_cpu(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate", resource={"cpu": 0.25})), "-c", "enforce=cgroup")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "the replica runs")
        quotas = [file.read_text().split()[0] for directory in self.cgroups(handle)
                  for file in (*Path(directory).rglob("cpu.max"), *Path(directory).rglob("cpu.cfs_quota_us"))]
        self.assertIn("25000", quotas)  # microseconds in each period of 100 ms
        self.open_gate(gate, 1)
        self.ok("wait", handle)
        self.assertEqual(self.ok("describe", "--json", handle).json["roles"][0]["resource"]["cpu"], 0.25)

    def test_relative_cgroup_in_the_environment_is_refused(self):
        self.env["SLIPWAY_LOCAL_CGROUP"] = "user.slice"
        app = self.app(role("w", "true", resource={"memMB": 64}))
        error = self.expect_failure(78, "config", "dryrun", "-c", "enforce=cgroup", app)
        self.assertIn("SLIPWAY_LOCAL_CGROUP is not an absolute path: user.slice", error["message"])

    def test_dry_run_shows_limits_in_their_units(self):
        app = self.app(role("w", "true", resource={"memMB": 64, "cpu": 2}))
        self.assertIn("uses: at most 64 MiB and 2 CPUs, each of its processes",
                      self.ok("dryrun", "-c", "enforce=rlimit", app).stdout)

    def test_unknown_value_of_enforce_is_refused(self):
        error = self.expect_failure(65, None, "run", "-c", "enforce=hope", self.memory_user())
        self.assertIn("hope", error["message"])
        self.assert_no_app()


if __name__ == "__main__":
    unittest.main()
