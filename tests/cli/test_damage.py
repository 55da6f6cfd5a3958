"""Damaged records: commands show the right state, or report that the record is damaged."""

import os
import platform
import random
import shutil
import signal
import sys
import unittest
from pathlib import Path

import live_processes
import state_bytes
from app_text import role
from refused_calls import MACHINES
from slipway_case import SANITIZED, SlipwayCase

FILES = ("state.bin", "spec.json", "plan.bin", "events.log")
# Keys of status and describe whose values a repair may change.
CHANGED_BY_REPAIR = ("msg",)
# A random part of the kinds of damage, and in a sanitized build fewer of them. `./dev faults all` tries every one.
TRIALS = 30 if SANITIZED else 120


def damaged(data, random_numbers):
    """Returns `data` with one random kind of damage, and a description of the damage."""
    kind = random_numbers.choice(("flip", "flip", "flip", "bytes", "zeros", "cut", "empty"))
    out = bytearray(data)
    at = random_numbers.randrange(max(1, len(out)))
    if kind == "empty" or not out:
        return b"", "empty"
    if kind == "flip":
        out[at] ^= 1 << random_numbers.randrange(8)
    if kind == "bytes":
        out[at:at + 7] = random_numbers.randbytes(len(out[at:at + 7]))
    if kind == "zeros":
        page = at // 4096 * 4096
        out[page:page + 4096] = bytes(len(out[page:page + 4096]))
    if kind == "cut":
        del out[at:]
    return bytes(out), f"{kind} at {at}"


class Damage(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.random = random.Random(1)

    # support ---------------------------------------------------------------------------------------------------------

    def kill(self, pids):
        """Kills processes, and waits until they are dead."""
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.eventually(lambda: not any(map(live_processes.alive, pids)), "the killed processes are dead")

    def running(self, script, replicas=3, **keys):
        """Starts an app, and waits until all replicas run. Returns the handle."""
        handle = self.detach(self.app(role("w", script, num_replicas=replicas, **keys)))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "all run")
        return handle

    def documents(self, handle):
        """Returns the documents of status and describe, without the keys that a repair may change; None for a command
        that reports damage."""
        out = []
        for command in ("status", "describe"):
            result = self.run_slipway("--json", command, handle)
            if result.status == 65:
                self.assertIn("damaged", result.json["error"]["message"], result)
                out.append(None)
                continue
            self.assertEqual(result.status, 0, result)
            out.append({k: v for k, v in result.json.items() if k not in CHANGED_BY_REPAIR})
        return out

    def assert_right_or_damaged(self, before, handle, what):
        """Checks that each document is the one in `before`, unless its command reports damage. Returns whether one does
        report damage."""
        documents = self.documents(handle)
        for right, now in zip(before, documents):
            if now is not None:
                self.assertEqual(now, right, what)
        return None in documents

    # finished --------------------------------------------------------------------------------------------------------

    def finished(self):
        """Runs an app with three replicas that end in three ways, with retries and ports. Returns the handle."""
        script = "case ${replica_id} in 0) exit 0;; 1) exit 3;; *) kill -9 $$;; esac"
        app = self.app(role("w", script, num_replicas=3, max_retries=1, retry_policy="REPLICA", port_map={"http": 0}))
        handle = self.run_slipway("run", "--no-log", app).stdout.strip()
        self.assert_nothing_lives()
        return handle

    def test_damage_of_a_finished_record_is_repaired_or_reported(self):
        handle = self.finished()
        directory = self.app_dir(handle)
        good = {name: (directory / name).read_bytes() for name in FILES}
        before = self.documents(handle)
        self.assertNotIn(None, before)
        reported = 0
        for _ in range(TRIALS):
            name = self.random.choice(FILES)
            data, what = damaged(good[name], self.random)
            (directory / name).write_bytes(data)
            reported += self.assert_right_or_damaged(before, handle, f"{name}: {what}")
            self.assertIn(handle, {app["handle"] for app in self.ok("list", "--all", "--json").json["apps"]})
            for each, content in good.items():
                (directory / each).write_bytes(content)
        self.assertLess(reported, TRIALS, "no damage was repaired")
        self.assertEqual(self.documents(handle), before)
        self.ok("delete", handle)

    def test_a_wrong_bit_of_the_state_file_never_shows_a_wrong_state(self):
        handle = self.finished()
        path = self.app_dir(handle) / "state.bin"
        good = path.read_bytes()
        before = self.documents(handle)
        # The fields of the header that change, without its message (CHANGED_BY_REPAIR), and the entries of
        # replicas, which begin at byte 4096.
        places = [*range(state_bytes.FIXED_BYTES, state_bytes.MESSAGE_AT), *range(4096, len(good))]
        for at in self.random.sample(places, TRIALS):
            data = bytearray(good)
            data[at] ^= 1 << self.random.randrange(8)
            path.write_bytes(data)
            self.assert_right_or_damaged(before, handle, f"bit of byte {at}")
            path.write_bytes(good)

    def test_list_names_apps_whose_details_it_cannot_read(self):
        handle, whole = self.finished(), self.finished()
        path = self.app_dir(handle) / "state.bin"
        good = bytearray(path.read_bytes())
        good[4096] ^= 1  # in the entry of a replica, which only the details need
        path.write_bytes(good)
        (path.parent / "events.log").write_bytes(b"nonsense")  # so that the journal cannot repair it
        listed = self.ok("list", "--all", "--json")
        rows = {app["handle"]: app for app in listed.json["apps"]}
        self.assertIsNotNone(rows[whole]["exit_status"])
        self.assertIsNone(rows[handle]["exit_status"])
        (error,) = listed.json["errors"]
        self.assertTrue(error["message"].startswith(handle.rpartition("/")[2] + ": "), error)
        self.assertIn("damaged", error["message"])
        self.assertIn("the list lacks details of " + error["message"], listed.stderr)
        self.assertIn("damaged", self.ok("list", "--all").stderr)

    def test_a_record_that_cannot_be_repaired_is_reported_and_can_be_deleted(self):
        handle = self.finished()
        directory = self.app_dir(handle)
        (directory / "state.bin").write_bytes(b"nonsense")
        (directory / "events.log").write_bytes(b"nonsense")
        for command in ("status", "describe", "log", "wait"):
            self.assertIn("damaged", self.expect_failure(65, "invalid", command, handle)["message"])
        self.ok("delete", handle)
        self.assertFalse(directory.exists())

    def test_cancel_ends_an_app_beyond_repair_and_reports_that_its_record_is_damaged(self):
        handle = self.running("exec sleep 1000")
        self.kill(self.helpers(handle))
        for name in ("state.bin", "events.log"):
            (self.app_dir(handle) / name).write_bytes(b"nonsense")
        result = self.ok("cancel", "--now", "--json", handle)
        self.assert_nothing_lives()
        self.assertIn("was cancelled, but its damaged record does not show", result.stderr)
        self.assertIn("slipway delete", result.stderr)
        self.assertEqual([(app["handle"], app["state"]) for app in result.json], [(handle, "UNKNOWN")])
        self.ok("delete", handle)

    # running ---------------------------------------------------------------------------------------------------------

    def test_damage_of_a_running_record_is_repaired_by_the_supervisor(self):
        handle = self.running("exec sleep 1000")
        path = self.app_dir(handle) / "state.bin"
        before = self.documents(handle)
        for _ in range(TRIALS // 2):
            data, what = damaged(path.read_bytes(), self.random)
            with path.open("r+b") as file:  # the mapped file
                file.write(data)
                file.truncate(len(data))
            self.assertEqual(self.documents(handle), before, what)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_an_app_with_a_damaged_entry_of_a_replica_always_ends(self):
        for _ in range(TRIALS // 10):
            handle = self.running("exec sleep 1000", replicas=2)
            path = self.app_dir(handle) / "state.bin"
            with path.open("r+b") as file:
                file.seek(self.random.choice((4096, 4104, 4128, 4160, 4224)))  # in the entries of the replicas
                file.write(self.random.randbytes(7))
            self.kill(self.helpers(handle)[1:])  # the warden takes over
            self.run_slipway("cancel", "--now", handle)
            self.assertIn(self.status_of(handle)["state"], ("FAILED", "CANCELLED"))
            self.assert_nothing_lives()

    def test_a_live_app_whose_state_file_was_moved_is_found_and_cancelled(self):
        handle = self.running("exec sleep 1000")
        path = self.app_dir(handle) / "state.bin"
        before = self.documents(handle)
        path.rename(path.with_name("elsewhere"))
        self.assertEqual(self.documents(handle), before)
        self.assertIn(handle, {app["handle"] for app in self.ok("list", "--json").json["apps"]})
        path.rename(path.with_name("elsewhere"))  # the supervisor had written it again
        self.ok("cancel", handle)
        self.assert_state(handle, "CANCELLED")

    def test_a_live_app_with_wrong_bits_in_the_header_of_its_state_file_is_found_and_cancelled(self):
        handle = self.running("exec sleep 1000")
        path = self.app_dir(handle) / "state.bin"
        before = self.documents(handle)
        for at in (0, 9, 20, 60, 100, 140, 160, 200):
            with path.open("r+b") as file:
                file.seek(at)
                byte = file.read(1)[0]
                file.seek(at)
                file.write(bytes([byte ^ 4]))
            self.assertEqual(self.documents(handle), before, at)
            self.assertIn(handle, {app["handle"] for app in self.ok("list", "--json").json["apps"]})
        with path.open("r+b") as file:
            file.write(b"?")
        self.ok("cancel", handle)
        self.assert_state(handle, "CANCELLED")

    def test_damage_while_the_supervisor_hangs_is_temporary(self):
        handle = self.running("exec sleep 1000")
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGSTOP)
        with (self.app_dir(handle) / "state.bin").open("r+b") as file:
            file.write(bytes(4096))
        for command in (("status", handle), ("signal", handle, "USR1")):
            with self.subTest(command=command):
                self.assertIn("damaged", self.expect_failure(75, "temporary", *command)["message"])
        os.kill(supervisor, signal.SIGCONT)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")

    def test_an_app_whose_record_is_removed_is_cancelled(self):
        handle = self.running("exec sleep 1000")
        shutil.rmtree(self.app_dir(handle))
        self.assert_nothing_lives()

    def test_an_app_whose_record_is_moved_continues_and_is_found_at_its_new_place(self):
        handle, other = self.running("exec sleep 1000"), self.running("exec sleep 1000")
        directory = self.app_dir(handle)
        before = self.replicas_of(handle)
        moved = directory.rename(directory.with_name("moved"))
        # The deletion of a file makes the supervisor check its record a second later. The supervisor of another app,
        # whose record is deleted after that, has the same delay, so its end shows that the first check is over.
        (moved / "note").write_text("")
        (moved / "note").unlink()
        pids = [replica["pid"] for replica in self.replicas_of(other).values()]
        shutil.rmtree(self.app_dir(other))
        self.eventually(lambda: not any(map(live_processes.alive, pids)), "the app without a record has ended")
        handle = handle.replace(directory.name, "moved")
        self.assertEqual(self.replicas_of(handle), before)
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    # both helpers are dead -------------------------------------------------------------------------------------------

    def test_an_app_is_not_taken_over_with_too_few_descriptors_to_examine_its_processes(self):
        handle = self.running("exec sleep 1000", max_retries=1, retry_policy="REPLICA")
        replicas = {r["pid"] for r in self.replicas_of(handle).values()}
        self.kill(self.helpers(handle))
        self.wrapper = ["prlimit", "--nofile=20"]
        self.assertIn("ulimit", self.expect(75, "cancel", "--now", handle).stderr)
        self.wrapper = []
        self.assertEqual({r["pid"] for r in self.replicas_of(handle).values()}, replicas)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    @unittest.skipUnless(platform.machine() in MACHINES, "the numbers of system calls are not known here")
    def test_an_app_is_not_taken_over_while_the_machine_has_no_free_descriptor(self):
        handle = self.running("exec sleep 1000", max_retries=1, retry_policy="REPLICA")
        replicas = {r["pid"] for r in self.replicas_of(handle).values()}
        self.kill(self.helpers(handle))
        script = str(Path(__file__).parent / "refused_calls.py")
        self.wrapper = [sys.executable, script, "ENFILE", "pidfd_open", "--"]
        self.assertIn("Too many open files in system", self.expect(75, "cancel", "--now", handle).stderr)
        self.assertTrue(all(map(live_processes.alive, replicas)))
        self.wrapper = []
        self.assertEqual({r["pid"] for r in self.replicas_of(handle).values()}, replicas)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_no_replica_of_a_damaged_record_is_started_twice(self):
        for _ in range(25):
            starts = self.cwd / "starts"
            starts.write_bytes(b"")
            handle = self.running(f"echo ${{replica_id}} >> {starts}; exec sleep 1000", max_retries=5,
                                  retry_policy="REPLICA")
            self.eventually(lambda: len(starts.read_bytes().split()) == 3, "all have started")
            self.kill(self.helpers(handle))
            name = self.random.choice(("state.bin", "state.bin", "plan.bin", "events.log"))
            path = self.app_dir(handle) / name
            data, what = damaged(path.read_bytes(), self.random)
            path.write_bytes(data)
            result = self.run_slipway("--json", "status", handle)
            self.assertIn(result.status, (0, 65), result)
            if result.status == 0 and result.json["state"] == "RUNNING":
                self.assertEqual({r["restarts"] for r in result.json["roles"][0]["replicas"]}, {0}, what)
            self.run_slipway("cancel", "--now", handle)
            self.assert_nothing_lives()
            self.assertEqual(sorted(starts.read_text().split()), ["0", "1", "2"], f"{name}: {what}")

    def test_cancel_right_after_both_helpers_died_finds_a_successor(self):
        for _ in range(10):
            handle = self.running("exec sleep 1000", replicas=1)
            for pid in self.helpers(handle):
                os.kill(pid, signal.SIGKILL)
            self.ok("cancel", handle)
            self.assert_state(handle, "CANCELLED")

    # attempts --------------------------------------------------------------------------------------------------------

    def test_an_attempt_that_ends_while_the_journal_cannot_be_opened_is_not_lost(self):
        gate = self.gate()
        handle = self.running("read go < gate; exit 3", replicas=1, max_retries=1, retry_policy="REPLICA")
        journal = self.app_dir(handle) / "events.log"
        journal.rename(journal.with_name("elsewhere"))
        journal.mkdir()
        self.kill(self.helpers(handle)[1:])  # the warden takes over
        self.open_gate(gate)
        self.eventually(lambda: "another attempt" in (self.status_of(handle)["msg"] or ""), "the message reports it")
        journal.rmdir()  # the supervisor creates the file again
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["restarts"] == 1, "it is started again")
        self.open_gate(gate)
        self.expect(3, "wait", handle)
        self.assertEqual([a["exit_code"] for a in self.replicas_of(handle)["w/0"]["attempts"]], [3, 3])

    def test_a_missing_attempt_is_reported(self):
        app = self.app(role("w", "exit 3", max_retries=1, retry_policy="REPLICA"))
        handle = self.expect(3, "run", app).stdout.strip()
        self.assertEqual(len(self.replicas_of(handle)["w/0"]["attempts"]), 2)
        journal = self.app_dir(handle) / "events.log"
        lines = journal.read_text().splitlines(keepends=True)
        journal.write_text("".join(line for line in lines if " ENDED " not in line))
        self.assertIn("attempt is missing", self.expect(65, "status", "--json", handle).stdout)

    def test_the_state_is_rebuilt_with_the_attempts_of_the_journal(self):
        app = self.app(role("w", "exit 3", max_retries=2, retry_policy="REPLICA"))
        handle = self.expect(3, "run", app).stdout.strip()
        before = self.replicas_of(handle)
        self.assertEqual(len(before["w/0"]["attempts"]), 3)
        (self.app_dir(handle) / "state.bin").write_bytes(b"")
        self.assertEqual(self.replicas_of(handle), before)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "mounting a small file system takes root")
class FullDisk(SlipwayCase):
    def small_disk(self, size):
        return self.mount("-t", "tmpfs", "-o", f"size={size}", "slipway-test", self.root / "disk")

    def fill(self, disk):
        """Fills the disk. Returns the file whose removal makes room again."""
        ballast = disk / "ballast"
        with ballast.open("wb", buffering=0) as file:
            with self.assertRaises(OSError):
                while True:
                    file.write(b"x" * 4096)
        return ballast

    def test_a_disk_that_is_full_at_the_end_is_reported(self):
        disk = self.small_disk("64k")
        gate = self.gate()
        handle = self.detach(self.app("read go < gate"), "-c", f"log_dir={disk}/logs")
        self.assert_state(handle, "RUNNING")
        self.fill(disk)
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertIn("SUCCESS is missing in the log directory: No space left on device", self.status_of(handle)["msg"])
        self.assertEqual(list(disk.rglob("SUCCESS")), [])

    def test_the_end_of_an_attempt_is_recorded_on_a_full_disk(self):
        disk = self.small_disk("1m")
        self.state = disk
        self.env["XDG_STATE_HOME"] = str(disk)
        gate = self.gate()
        app = self.app(role("w", "read go < gate; exit 3", max_retries=1, retry_policy="REPLICA"))
        handle = self.detach(app, "-c", f"log_dir={self.root}/logs", "-c", "backoff=initial:0")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "RUNNING", "it runs")
        ballast = self.fill(disk)
        self.open_gate(gate)
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["restarts"] == 1, "the next attempt runs")
        ballast.unlink()
        self.open_gate(gate)
        self.expect(3, "wait", handle)
        self.assertEqual([a["exit_code"] for a in self.replicas_of(handle)["w/0"]["attempts"]], [3, 3])


if __name__ == "__main__":
    unittest.main()
