"""A power cut loses all data that the kernel has not written to the disk.

The state directory is a file system in a file. A copy of the file has the data that the kernel has written until then,
but not the data in its memory."""

import os
import shutil
import signal
import subprocess
import unittest
import uuid
from pathlib import Path

from app_text import role
from own_namespace import OwnMachine, needs_root
from slipway_case import SlipwayCase


@needs_root
@unittest.skipUnless(shutil.which("mkfs.ext4", path="/usr/sbin:/sbin:/usr/bin"), "needs mkfs.ext4")
class PowerCut(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.disk = self.root / "disk.img"
        with self.disk.open("wb") as file:
            file.truncate(32 << 20)
        mkfs = shutil.which("mkfs.ext4", path="/usr/sbin:/sbin:/usr/bin")
        # mkfs writes all tables, so that the kernel does not write them later.
        subprocess.run([mkfs, "-q", "-E", "lazy_itable_init=0", self.disk], check=True)
        self.use_state(self.mount("-o", "loop", self.disk, self.root / "before"))

    def use_state(self, directory):
        """Makes later commands use this state directory."""
        self.state = directory
        self.env["XDG_STATE_HOME"] = str(directory)

    def cut_power(self):
        """Kills all processes. Later commands run on the machine after its next boot, with the data of the disk."""
        after = self.root / "after.img"
        shutil.copyfile(self.disk, after)
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.assert_nothing_lives()
        self.use_state(self.mount("-o", "loop", after, self.root / "after"))
        identity = Path("/etc/machine-id")
        machine = OwnMachine(self.root / "machine", os.uname().nodename, str(uuid.uuid4()),
                             identity.read_text().strip() if identity.exists() else None)
        self.addCleanup(machine.end)
        self.wrapper = machine.wrapper(self.cwd)

    def running(self):
        """Starts an app, and waits until its replica runs. Returns the handle."""
        handle = self.detach(self.app(role("w", "exec sleep 1000", max_retries=3, retry_policy="REPLICA")))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "it runs")
        return handle

    def run_to_end(self, status, app):
        """Runs an app to its end, and waits until its helpers have exited. Returns the handle."""
        handle = self.expect(status, "run", "-q", app).stdout.strip()
        self.eventually(lambda: not self.processes(), "the helpers have exited")
        return handle

    def test_the_end_of_an_app_survives(self):
        handle = self.run_to_end(3, self.app("exit 3"))
        before = self.status_of(handle)
        self.cut_power()
        after = self.status_of(handle)
        self.assertEqual((after["state"], after["roles"][0]["replicas"]),
                         ("FAILED", before["roles"][0]["replicas"]))
        self.assertEqual([app["state"] for app in self.ok("list", "--all", "--json").json["apps"]], ["FAILED"])
        self.expect(3, "wait", handle)

    def test_the_attempts_of_an_app_survive_with_its_end(self):
        handle = self.run_to_end(3, self.app(role("w", "exit 3", max_retries=2, retry_policy="REPLICA")))
        before = self.replicas_of(handle)
        self.assertEqual(len(before["w/0"]["attempts"]), 3)
        self.cut_power()
        self.assertEqual(self.replicas_of(handle), before)

    def test_an_app_that_ran_is_lost_once_the_kernel_has_written_its_record(self):
        handle = self.running()
        subprocess.run(["sync", "-f", self.state], check=True)
        self.cut_power()
        self.assertEqual(self.status_of(handle)["state"], "FAILED")
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["reason"], replica["restarts"]), ("lost", 0))
        self.assertIn("the machine was restarted", self.ok("status", handle).stdout)

    def test_an_app_that_has_just_begun_is_known_and_can_be_deleted(self):
        """`run` waits until the name of the record is on the disk, but not until state.bin is."""
        handle = self.running()
        self.cut_power()
        error = self.expect_failure(65, None, "status", handle)
        self.assertIn("is damaged", error["message"])
        self.assertIn("slipway delete", error["hint"])
        (listed,) = self.ok("list", "--json").json["apps"]
        self.assertEqual((listed["handle"], listed["state"]), (handle, "UNKNOWN"))
        self.ok("delete", handle)
        self.assert_no_app()

    def test_the_simulation_loses_unwritten_data(self):
        self.run_to_end(0, self.app("echo out"))
        before = self.state
        (log,) = before.rglob("stdout.log")
        self.assertEqual(log.read_text(), "out\n")
        self.cut_power()
        after = self.state / log.relative_to(before)
        self.assertFalse(after.exists() and after.read_text())


if __name__ == "__main__":
    unittest.main()
