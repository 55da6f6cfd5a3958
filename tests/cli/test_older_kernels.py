"""System calls that older kernels lack or containers forbid: apps run without them, or a message says why not."""

import errno
import os
import platform
import signal
import sys
import unittest
from pathlib import Path

from app_text import role
from machine_leases import leases
from refused_calls import MACHINES
from slipway_case import SlipwayCase

REFUSED = ["clone3", "close_range", "openat2", "pidfd_open", "pidfd_send_signal", "faccessat2", "renameat2"]
# Starts a child and a grandchild, each in its own process session; the grandchild's parent ends at once. All of them
# ignore SIGTERM.
FAMILY = ("trap '' TERM; setsid sh -c 'trap \"\" TERM; touch child; sleep 1000' & "
          "(setsid sh -c 'trap \"\" TERM; touch grandchild; sleep 1000' &) ; touch ready; sleep 1000; wait")


@unittest.skipUnless(platform.machine() in MACHINES, "the numbers of system calls are not known here")
class OlderKernels(SlipwayCase):
    def each_refusal(self):
        """Empties the working directory and refuses the calls REFUSED, first with ENOSYS, then with EPERM. Yields the
        name of each error."""
        for error in ("ENOSYS", "EPERM"):
            for path in self.cwd.iterdir():
                path.unlink()
            self.refuse(error, *REFUSED)
            yield error
        self.wrapper = []

    def refuse(self, error, *calls):
        """Makes the kernel refuse these system calls of later commands with this error."""
        script = Path(__file__).parent / "refused_calls.py"
        self.wrapper = [sys.executable, str(script), error, ",".join(calls), "--"]

    def test_the_simulation_refuses_the_calls(self):
        self.refuse("ENOSYS", "clone3")
        script = ("import ctypes; libc = ctypes.CDLL(None, use_errno=True); libc.syscall(435, 0, 0); "
                  "print(ctypes.get_errno())")  # 435 is clone3
        out = os.popen(" ".join(f"'{word}'" for word in [*self.wrapper, sys.executable, "-c", script])).read()
        self.assertEqual(out, f"{errno.ENOSYS}\n")

    def test_replicas_run_and_their_exit_status_counts(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                handle = self.expect(3, "run", self.app(role("w", "echo up; [ ${replica_id} != 3 ] || exit 3",
                                                             num_replicas=4))).stdout.strip()
                self.assertEqual([r["exit_code"] for r in self.replicas_of(handle).values()], [0, 0, 0, 3])
                self.assertEqual(sorted(self.ok("log", handle).lines), [f"w/{k} up" for k in range(4)])

    def test_run_whose_logs_cannot_be_shown_prints_a_warning_and_continues(self):
        # The C library starts a thread without clone3 only after ENOSYS.
        self.refuse("EPERM", "clone3")
        result = self.expect(4, "run", self.app("echo up; exit 4"))
        self.assertIn("the logs cannot be shown", result.stderr)
        self.refuse("ENOSYS", "clone3")
        result = self.expect(4, "run", self.app("echo up; exit 4"))
        self.assertIn("w/0 up", result.stderr.splitlines())

    def test_a_replica_inherits_no_descriptors_but_the_lease_of_its_gpus(self):
        script = ("for fd in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do "
                  "[ -e /proc/$$/fd/$fd ] && readlink /proc/$$/fd/$fd; done; true")
        for error in self.each_refusal():
            with self.subTest(error=error):
                pool = f"test-{os.getpid()}-{error}"
                self.env.update(SLIPWAY_LOCAL_GPUS="4", SLIPWAY_LOCAL_LEASE_POOL=pool)
                app = self.app(role("a", script, resource={"gpu": 1}, num_replicas=2, port_map={"x": 0}),
                               role("b", script))
                handle = self.ok("run", "--no-log", "-c", "gpus=lease", app).stdout.strip()
                # A replica inherits the lease of its GPUs, which lasts as long as it, but not that of its ports.
                self.assertEqual(len([l for l in self.ok("log", f"{handle}/a/0").lines if "socket:" in l]), 1)
                self.assertEqual(len([l for l in self.ok("log", f"{handle}/a/1").lines if "socket:" in l]), 1)
                self.assertEqual(len(self.ok("log", f"{handle}/a").lines), 2)
                self.assertEqual(self.ok("log", f"{handle}/b").lines, [])
                self.eventually(lambda: not leases(pool), "the leases end")

    def test_probe_commands_run(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                ready = {"command": ["sh", "-c", "test -e ready"], "interval_s": 0.05}
                app = self.app(role("a", "touch ready; while [ ! -e done ]; do sleep 0.01; done",
                                    metadata={"local": {"ready": ready}}),
                               role("b", "touch done", metadata={"local.depends_on": {"a": "healthy"}}))
                self.ok("run", app)

    def test_cancel_ends_all_descendants_of_replicas(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                handle = self.detach(self.app(FAMILY), "-c", "grace_s=0.2")
                for name in ("ready", "child", "grandchild"):
                    self.file_appears(name)
                self.ok("cancel", handle)
                self.run_slipway("wait", handle)
                self.assert_state(handle, "CANCELLED")
                self.assert_nothing_lives()

    def test_a_record_is_made_where_rename_has_no_flags(self):
        self.refuse("EINVAL", "renameat2")  # as on NFS
        app = self.app("true")
        handles = {self.ok("run", "-q", "--no-log", app).stdout for _ in range(3)}
        self.assertEqual(len(handles), 3)
        self.assertEqual(len(self.ok("list", "--all", "--json").json["apps"]), 3)

    def test_the_warden_replaces_a_dead_supervisor(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                gate = self.gate()
                handle = self.detach(self.app("touch ready; read go < gate; exit 5"))
                self.file_appears("ready")
                os.kill(self.helpers(handle)[1], signal.SIGKILL)
                self.open_gate(gate)
                self.expect(5, "wait", handle)

    def test_orphans_are_ended_and_reported_as_lost(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                handle = self.detach(self.app(FAMILY))
                for name in ("ready", "child", "grandchild"):
                    self.file_appears(name)
                for pid in self.helpers(handle):
                    os.kill(pid, signal.SIGKILL)
                # Without pidfd_open, the supervisor cannot watch a process that is not its child.
                self.run_slipway("wait", "--timeout", "30", handle)
                self.assertEqual([(r["state"], r["reason"]) for r in self.replicas_of(handle).values()],
                                 [("FAILED", "lost")])
                self.assert_nothing_lives()

    def test_orphans_get_signals_without_pidfd_send_signal(self):
        for error in ("ENOSYS", "EPERM"):
            with self.subTest(error):
                self.refuse(error, "pidfd_send_signal")
                handle = self.detach(self.app("touch ready; sleep 1000"))
                self.file_appears("ready")
                for pid in self.helpers(handle):
                    os.kill(pid, signal.SIGKILL)
                self.ok("cancel", handle)
                self.assertEqual([r["state"] for r in self.replicas_of(handle).values()], ["CANCELLED"])
                self.assert_nothing_lives()
                (self.cwd / "ready").unlink()

    def test_gpus_are_counted_by_nvidia_smi(self):
        for error in self.each_refusal():
            with self.subTest(error=error):
                smi = self.write("nvidia-smi", "#!/bin/sh\necho 'GPU 0: one'\necho 'GPU 1: two'\n")
                smi.chmod(0o755)
                self.env["PATH"] = f"{self.cwd}:{os.environ['PATH']}"
                self.env["SLIPWAY_LOCAL_LEASE_POOL"] = f"test-{os.getpid()}"
                app = self.app(role("w", 'echo "<$CUDA_VISIBLE_DEVICES>"', resource={"gpu": 2}))
                handle = self.ok("run", "--no-log", "-c", "gpus=lease", app).stdout.strip()
                self.assertEqual(self.ok("log", handle).lines, ["<0,1>"])

    def test_impossible_read_only_mount_is_reported_before_anything_starts(self):
        source = self.root / "source"
        source.mkdir()
        target = self.root / "target"
        target.mkdir()
        mount = {"src": str(source), "dst": str(target), "type": "bind"}
        self.refuse("ENOSYS", "mount_setattr")
        app = self.app(role("w", "touch started", mounts=[{**mount, "read_only": True}]))
        result = self.run_slipway("run", app)
        if "make a mount namespace" in result.stderr:
            self.skipTest("this user may not mount here")
        self.assertEqual(result.status, 69, result)
        self.assertIn("Linux 5.12", result.stderr)
        self.assertFalse((self.cwd / "started").exists())
        self.ok("run", self.app(role("w", "touch started", mounts=[mount])))
        self.assertTrue((self.cwd / "started").exists())


if __name__ == "__main__":
    unittest.main()
