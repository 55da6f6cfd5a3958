"""Changes of the machine under a running app: reused process numbers, the clock, a reboot."""

import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

import state_bytes
from app_text import role
from own_namespace import needs_root
from slipway_case import LIMIT_S, SLIPWAY, SlipwayCase

DAY_NS = 24 * 3600 * 10**9

# A program that runs as process 1 of a pid namespace, in which it can start a process with a chosen pid. It kills the
# helpers and the replica of an app, gives the pid of the replica to another process, and prints what Slipway does.
REUSE_PID = r"""
import json, os, signal, subprocess, sys, time
slipway, app = sys.argv[1:]

def ask(*arguments):
    return subprocess.run([slipway, *arguments], capture_output=True, text=True, check=False)

def replica():
    return json.loads(ask("status", "--json", handle).stdout)["roles"][0]["replicas"][0]

def wait_until_gone(*pids):
    while any(os.path.exists(f"/proc/{p}") for p in pids):
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:  # the process is not a child of this one yet
            pass
        time.sleep(0.001)

handle = ask("run", "-d", app).stdout.strip()
def live_helpers():
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    commands = {pid: open(f"/proc/{pid}/cmdline", "rb").read().split(b"\0")[0] for pid in pids}
    return [p for p, command in commands.items() if command.endswith(b"/slipway-local-supervisor")]

while replica()["state"] != "RUNNING" or len(live_helpers()) != 2:
    time.sleep(0.01)
pid, helpers = replica()["pid"], live_helpers()
for helper in helpers:
    os.kill(helper, signal.SIGKILL)
wait_until_gone(*helpers)
os.killpg(pid, signal.SIGKILL)
wait_until_gone(pid)
time.sleep(0.05)  # so that the imposter has another start time: these count in ticks of 10 ms
try:
    with open("/proc/sys/kernel/ns_last_pid", "w") as last:
        last.write(str(pid - 1))
except OSError as error:
    print(json.dumps({"forbidden": str(error)}))
    sys.exit()
imposter = subprocess.Popen(["sleep", "1000"], start_new_session=True)
after = replica()
ask("cancel", "--now", handle)
alive = imposter.poll() is None
imposter.kill()
print(json.dumps({"same": imposter.pid == pid, "alive": alive, "state": after["state"], "reason": after["reason"],
                  "exit_code": after["exit_code"]}))
"""


class MachineChanges(SlipwayCase):
    def running(self, *arguments, **fields):
        """Starts an app, and waits until all replicas run. Returns the handle."""
        handle = self.detach(self.app(role("w", "exec sleep 1000", **fields)), *arguments)
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "all run")
        # Until it executes its program, a new replica looks like its supervisor.
        self.await_both_helpers()
        return handle

    # process numbers -------------------------------------------------------------------------------------------------

    @needs_root
    def test_process_with_the_reused_pid_of_a_replica_is_not_touched(self):
        app = self.app("exec sleep 1000")
        done = subprocess.run(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-B", "-c",
                               REUSE_PID, SLIPWAY, app], env=self.env, cwd=self.cwd, capture_output=True,
                              timeout=LIMIT_S, check=False)
        if done.stderr.startswith(b"unshare: "):
            self.skipTest(f"pid namespaces are forbidden here: {done.stderr.decode()}")
        self.assertEqual(done.returncode, 0, done.stderr)
        outcome = json.loads(done.stdout)
        if "forbidden" in outcome:
            self.skipTest(f"pids cannot be chosen here: {outcome['forbidden']}")
        self.assertEqual(outcome,
                         {"same": True, "alive": True, "state": "FAILED", "reason": "lost", "exit_code": None})

    # clocks ----------------------------------------------------------------------------------------------------------

    def test_no_timer_uses_the_wall_clock(self):
        handle = self.running("-c", "timeout_s=1000,app_timeout_s=2000")
        clocks = []
        for pid in self.living_helpers():
            for info in Path(f"/proc/{pid}/fdinfo").iterdir():
                clocks += [line.split()[1] for line in info.read_text().splitlines() if line.startswith("clockid:")]
        self.assertNotEqual(clocks, [])
        self.assertLessEqual(set(clocks), {"1", "7"})  # CLOCK_MONOTONIC, CLOCK_BOOTTIME
        self.ok("cancel", "--now", handle)

    def test_a_start_time_of_another_day_is_accepted(self):
        for change in (DAY_NS, -DAY_NS):
            with self.subTest(days=change // DAY_NS):
                handle = self.running("-c", "timeout_s=1000,app_timeout_s=1000")
                self.kill_helpers()
                self.shift_times(handle, change)
                self.assert_state(handle, "RUNNING")
                self.ok("status", handle)
                self.ok("list")
                self.ok("cancel", "--now", handle)
                self.assert_state(handle, "CANCELLED")
                self.ok("status", handle)
                self.ok("list", "--all")
                self.ok("run", "-q", "--no-log", self.app("exit 0", file="other.toml"))  # looks for records to prune

    def shift_times(self, handle, change):
        """Changes the recorded start times by `change` nanoseconds."""
        path = self.app_dir(handle) / "state.bin"
        path.write_bytes(state_bytes.shift_starts(bytearray(path.read_bytes()), change))

    # the machine -----------------------------------------------------------------------------------------------------

    def test_after_a_reboot_replicas_are_lost_and_other_processes_are_not_touched(self):
        # After a reboot nothing is retried.
        handle = self.running(num_replicas=2, max_retries=3, retry_policy="REPLICA")
        replicas = {r["pid"] for r in self.replicas_of(handle).values()}
        self.kill_helpers()
        path = self.app_dir(handle) / "state.bin"
        state = bytearray(path.read_bytes())
        state[state_bytes.BOOT_ID_AT] = ord("x")
        path.write_bytes(state_bytes.put_checksum(state))
        status = self.status_of(handle)
        self.assertEqual(status["state"], "FAILED")
        self.assertIn("restarted", status["msg"])
        for replica in self.replicas_of(handle).values():
            self.assertEqual((replica["state"], replica["reason"], replica["exit_code"]), ("FAILED", "lost", None))
        self.expect(70, "wait", handle)
        # After the reboot, these pids belong to other processes.
        self.assertLessEqual(replicas, set(self.processes()))
        for pid in replicas:
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
