"""A home directory that machines share: each machine shows the apps of the others and does not change them."""

import hashlib
import os
import subprocess
import unittest
import uuid

from app_text import role
from own_namespace import OwnMachine, needs_root
from slipway_case import SlipwayCase

IMAGE_ID = "0123456789abcdef0123456789abcdef"  # the machine-id of machines that were installed from one disk image


@needs_root
class OtherMachine(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.machines = {}

    def add(self, name, host=None, boot_id=None, machine_id=None):
        """Makes a machine. Missing arguments get unique values; a machine with machine_id="" has no /etc/machine-id."""
        machine = OwnMachine(self.root / f"machine-{name}", host or f"host-{name}", boot_id or str(uuid.uuid4()),
                             uuid.uuid4().hex if machine_id is None else machine_id or None)
        self.addCleanup(machine.end)
        self.machines[name] = machine

    def enter(self, name):
        """Makes later commands run on this machine."""
        self.wrapper = self.machines[name].wrapper(self.cwd)

    def running(self, script="echo printed; exec sleep 1000"):
        """Starts an app on the current machine, and waits until it has printed a line. Returns the handle."""
        handle = self.detach(self.app(role("w", script, max_retries=3, retry_policy="REPLICA")))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "it runs")
        self.eventually(lambda: b"printed" in self.ok("log", handle).out, "it has printed")
        return handle

    def kill_both_helpers(self):
        self.await_both_helpers()
        self.kill_helpers()

    def record(self, handle):
        """Returns the checksums of all files of the record, by name."""
        top = self.app_dir(handle)
        return {str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(top.rglob("*")) if path.is_file()}

    def assert_never_changed(self, handle, host):
        """Checks that no command of this machine changes a running app of `host`."""
        record, processes = self.record(handle), set(self.processes())
        status = self.status_of(handle)
        self.assertEqual(status["state"], "RUNNING")
        self.assertIn(f"last recorded state: the app runs on {host}", status["msg"])
        self.assertEqual({r["hostname"] for r in self.replicas_of(handle).values()}, {host})
        listed = self.ok("list", "--json")
        self.assertEqual([(a["handle"], a["state"]) for a in listed.json["apps"]], [(handle, "RUNNING")])
        self.assertIn(f"1 app runs on {host}, another machine", listed.stderr)
        self.assertEqual(self.ok("log", handle).stdout, "printed\n")
        self.assertIn("sleep 1000", self.ok("describe", handle).stdout)
        for command in (["cancel"], ["cancel", "--now"], ["delete", "--force"], ["wait"], ["attach"], ["log", "-f"]):
            with self.subTest(command=command):
                error = self.expect_failure(69, "unavailable", *command, handle)
                self.assertIn(f"runs on {host}", error["message"])
                self.assertIn("run the command on that machine", error["hint"])
        self.expect(69, "delete", handle)
        error = self.expect_failure(69, "unavailable", "signal", handle, "USR1")
        self.assertIn("run the command on that machine", error["hint"])
        self.ok("run", "-q", "--no-log", "-c", "keep_apps=0", self.app("true", file="other.toml"))
        self.ok("list", "--all")
        self.assertEqual(self.record(handle), record)
        self.assertLessEqual(processes, set(self.processes()))

    def test_app_of_another_machine_is_shown_and_never_recovered_cancelled_or_deleted(self):
        self.add("a")
        self.add("b")
        self.enter("a")
        handle = self.running()
        self.enter("b")
        self.assert_never_changed(handle, "host-a")
        # Without helpers, no process locks the record. Real machines may not see each other's locks either.
        self.kill_both_helpers()
        self.assert_never_changed(handle, "host-a")
        self.enter("a")
        self.assert_state(handle, "RUNNING")
        self.await_both_helpers()
        self.ok("cancel", "--now", handle)
        self.enter("b")
        self.assertEqual(self.expect(130, "wait", handle).stdout.split()[-1], "CANCELLED")
        self.assertRegex(self.status_of(handle)["msg"], r"^cancelled by `slipway cancel`, pid \d+$")
        self.ok("cancel", handle)  # it has ended
        self.assertIn("ran on host-a", self.expect_failure(69, "unavailable", "delete", handle)["message"])
        self.enter("a")
        self.ok("delete", handle)

    def test_replica_on_another_machine_does_not_get_the_gpu_memory_of_a_process_of_this_machine(self):
        self.env.update(SLIPWAY_LOCAL_LEASE_POOL=f"test-{os.getpid()}", SLIPWAY_LOCAL_GPUS="1")
        self.add("a")
        self.add("b")
        self.enter("a")
        handle = self.detach(self.app(role("w", "exec sleep 1000", resource={"gpu": 1})), "-c", "gpus=lease")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "it runs")
        pid = self.replicas_of(handle)["w/0"]["pid"]
        self.write("nvidia-smi", f"#!/bin/sh\necho {pid}, 100\n").chmod(0o755)
        self.env["PATH"] = f"{self.cwd}:{self.env['PATH']}"
        self.assertEqual(self.replicas_of(handle)["w/0"]["gpu_memory_bytes"], 100 << 20)
        self.enter("b")
        replica = self.replicas_of(handle)["w/0"]
        self.assertEqual((replica["hostname"], replica["pid"]), ("host-a", pid))
        self.assertNotIn("gpu_memory_bytes", replica)
        self.enter("a")
        self.ok("cancel", "--now", handle)

    def test_finished_apps_of_another_machine_are_neither_counted_nor_pruned(self):
        self.add("a")
        self.add("b")
        self.enter("a")
        app = self.app("true")
        for _ in range(34):  # of more than 32 finished apps, `list` writes an index
            self.ok("run", "-q", "--no-log", app)
        self.ok("list")
        self.assertTrue((self.state / "slipway" / "local" / ".finished").is_file())
        self.enter("b")
        kept = self.ok("run", "-q", "--no-log", "-c", "keep_apps=1", app).stdout.strip()
        self.ok("run", "-q", "--no-log", "-c", "keep_apps=1", app)
        handles = [a["handle"] for a in self.ok("list", "--all", "--json").json["apps"]]
        self.assertEqual(len(handles), 36)
        self.assertIn(kept, handles)
        self.enter("a")
        self.ok("run", "-q", "--no-log", "-c", "keep_apps=1", app)
        # The two apps of b, the last app, and the one that keep_apps=1 keeps.
        self.assertEqual(len(self.ok("list", "--all", "--json").json["apps"]), 4)

    def test_machines_made_from_one_disk_image_are_distinguished_by_host_name(self):
        self.add("a", machine_id=IMAGE_ID)
        self.add("b", machine_id=IMAGE_ID)
        self.enter("a")
        handle = self.running()
        self.kill_both_helpers()
        self.enter("b")
        self.assert_never_changed(handle, "host-a")

    def test_machines_of_one_name_are_distinguished_by_machine_id(self):
        self.add("a", host="localhost")
        self.add("b", host="localhost")
        self.enter("a")
        handle = self.running()
        self.kill_both_helpers()
        self.enter("b")
        self.assert_never_changed(handle, "localhost")

    def test_machine_that_was_started_again_finds_its_apps_lost(self):
        for machine_id in (IMAGE_ID, ""):
            with self.subTest(machine_id=machine_id):
                name = machine_id or "none"
                self.add(name, host="same", machine_id=machine_id)
                self.enter(name)
                handle = self.running()
                self.machines[name].holder.kill()
                self.eventually(lambda: not self.processes(), "the machine is off")
                self.add(f"{name}-again", host="same", machine_id=machine_id)
                self.enter(f"{name}-again")
                # A killed supervisor holds its lock until the kernel closes its files.
                self.eventually(lambda: self.status_of(handle)["state"] == "FAILED", "the app is found lost")
                self.assertIn("restarted", self.status_of(handle)["msg"])
                self.ok("delete", handle)

    def test_machine_that_got_another_name_keeps_its_apps(self):
        self.add("a")
        self.enter("a")
        handle = self.running()
        subprocess.run([*self.wrapper, "hostname", "renamed"], check=True)
        self.kill_both_helpers()
        self.assert_state(handle, "RUNNING")
        self.await_both_helpers()
        self.ok("cancel", "--now", handle)

    def test_containers_without_machine_id_are_distinguished_by_host_name(self):
        self.add("a", machine_id="")
        self.add("b", machine_id="")
        self.enter("a")
        handle = self.running()
        self.kill_both_helpers()
        self.enter("b")
        self.assert_never_changed(handle, "host-a")

    def test_a_draft_of_another_machine_is_not_removed(self):
        self.add("a")
        self.add("b")
        session = self.state / "slipway" / "local" / "slipway"
        self.enter("a")
        self.ok("run", "-q", "--no-log", self.app("true"))
        draft = session / ".new-0123456789abcdef-app-x"
        draft.mkdir()
        self.enter("b")
        self.ok("run", "-q", "--no-log", self.app("true"))
        self.assertTrue(draft.is_dir())


if __name__ == "__main__":
    unittest.main()
