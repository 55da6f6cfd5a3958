"""A power cut loses all data that the kernel has not written to the disk.

The state directory is a file system in a file. A copy of the file has the data that the kernel has written until then,
but not the data in its memory."""

import shutil
import subprocess
import unittest
from pathlib import Path

from app_text import role
from own_namespace import needs_root
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
        subprocess.run([mkfs, "-q", "-E", "lazy_itable_init=0", self.disk], check=True)
        self.env["XDG_STATE_HOME"] = str(self.mount(self.disk, "before"))

    def mount(self, image, name):
        place = self.root / name
        place.mkdir()
        if subprocess.run(["mount", "-o", "loop", image, place], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting a file is forbidden here")
        self._cleanups.insert(0, (subprocess.run, (["umount", str(place)],), {"check": False}))
        return place

    def cut_power(self):
        after = self.root / "after.img"
        shutil.copyfile(self.disk, after)
        self.env["XDG_STATE_HOME"] = str(self.mount(after, "after"))

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

    def test_the_simulation_loses_unwritten_data(self):
        self.run_to_end(0, self.app("echo out"))
        before = Path(self.env["XDG_STATE_HOME"])
        (log,) = before.rglob("stdout.log")
        self.assertEqual(log.read_text(), "out\n")
        self.cut_power()
        after = Path(self.env["XDG_STATE_HOME"]) / log.relative_to(before)
        self.assertFalse(after.exists() and after.read_text())


if __name__ == "__main__":
    unittest.main()
