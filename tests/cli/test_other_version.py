"""Records of another version of Slipway: shown where that is safe, and never changed."""

import hashlib
import os
import signal
import struct
import unittest
import zlib

import state_bytes
from app_text import role
from slipway_case import SlipwayCase


class OtherVersion(SlipwayCase):
    def running(self):
        """Starts an app and kills its helpers. Returns the handle."""
        app = role("w", "echo printed; exec sleep 1000", max_retries=3, retry_policy="REPLICA")
        handle = self.detach(self.app(app))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "it runs")
        self.eventually(lambda: b"printed" in self.ok("log", handle).out, "it has printed")
        self.await_both_helpers()
        self.kill_helpers()
        return handle

    def finished(self):
        """Runs an app to its end. Returns the handle."""
        handle = self.ok("run", "-q", "--no-log", self.app("exit 0")).stdout.strip()
        self.assert_nothing_lives()
        return handle

    def change(self, handle, name, change):
        """Changes a file of the record with the function `change`. Returns a function that restores the file."""
        path = self.app_dir(handle) / name
        good = path.read_bytes()
        path.write_bytes(change(bytearray(good)))
        return lambda: path.write_bytes(good)

    @staticmethod
    def next_version(state):
        """Increases the version of a state file by 1, and returns the file. Its checksum is then wrong."""
        state[state_bytes.VERSION_AT] += 1
        return state

    def record(self, handle):
        """Returns the checksums of all files of the record, by name."""
        top = self.app_dir(handle)
        return {str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(top.rglob("*")) if path.is_file()}

    def assert_never_changed(self, handle, commands):
        """Checks that these commands are refused, and that no command changes the record or ends a process.
        Returns the Result of `list --all --json`."""
        record, processes = self.record(handle), set(self.processes())
        for command in commands:
            with self.subTest(command=command):
                error = self.expect_failure(69, "unavailable", *command, handle)
                self.assertRegex(error["message"], "written by (another|a newer) version of Slipway")
                self.assertIn("use the version", error["message"] + str(error["hint"]))
        self.ok("run", "-q", "--no-log", "-c", "keep_apps=0", self.app("true", file="other.toml"))
        listed = self.ok("list", "--all", "--json")
        self.assertIn(handle, [each["handle"] for each in listed.json["apps"]])
        self.assertEqual(self.record(handle), record)
        self.assertLessEqual(processes, set(self.processes()))
        return listed

    # STOP: the commands that end an app or wait for its end. EVERY: also those that show, delete or rerun an app.
    STOP = [["cancel"], ["cancel", "--now"], ["delete", "--force"], ["wait"], ["attach"]]
    EVERY = [*STOP, ["status"], ["log"], ["events"], ["describe"], ["delete"], ["rerun"]]

    def test_running_app_of_another_version_is_listed_and_left_alone(self):
        handle = self.running()
        restore = self.change(handle, "state.bin", self.next_version)
        listed = self.assert_never_changed(handle, self.EVERY)
        self.assertEqual([a["state"] for a in listed.json["apps"] if a["handle"] == handle], ["UNKNOWN"])
        self.assertIn("written by another version", listed.stderr)
        self.assertIn(handle, self.ok("list").stdout)
        restore()
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", "--now", handle)

    def test_finished_app_of_another_version_is_listed_and_left_alone(self):
        handle = self.finished()
        self.change(handle, "state.bin", self.next_version)
        self.assert_never_changed(handle, self.EVERY)

    def test_newer_record_that_this_version_may_read_is_shown_and_left_alone(self):
        for make, state, refused in (
                (self.finished, "SUCCEEDED", [["delete"]]),
                (self.running, "RUNNING", self.STOP)):
            with self.subTest(state=state):
                handle = make()
                self.change(handle, "state.bin", lambda state: state_bytes.put_checksum(self.next_version(state)))
                self.assert_never_changed(handle, refused)
                self.assertEqual(self.status_of(handle)["state"], state)
                self.ok("log", handle)
                self.ok("describe", handle)
                for pid, line in self.processes().items():
                    if "sleep" in line:
                        os.kill(pid, signal.SIGKILL)

    def test_a_record_that_only_newer_versions_may_read_is_refused(self):
        def change(state):
            state[state_bytes.MINIMUM_READER_AT] += 1
            return state_bytes.put_checksum(self.next_version(state))
        handle = self.finished()
        self.change(handle, "state.bin", change)
        self.assert_never_changed(handle, self.EVERY)

    def test_app_with_a_plan_of_another_version_is_not_taken_over(self):
        def change(plan):
            plan[7] += 1  # the version is the last byte of the magic number, and the last 4 bytes are a checksum
            return bytes(plan[:-4]) + struct.pack("=I", zlib.crc32(bytes(plan[:-4])))
        handle = self.running()
        restore = self.change(handle, "plan.bin", change)
        self.assert_never_changed(handle, [["status"], ["cancel"], ["wait"]])
        restore()
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", "--now", handle)

    def next_journal(self, journal):
        """Returns the journal with a version that is higher by 1."""
        first, _, rest = bytes(journal).partition(b"\n")
        word, version = first.split(b" ")
        self.assertEqual(word, b"slipway-events")
        return b"%s %d\n%s" % (word, int(version) + 1, rest)

    def test_journal_of_another_version_keeps_a_damaged_record_from_being_repaired(self):
        handle = self.running()
        self.change(handle, "events.log", self.next_journal)
        self.change(handle, "state.bin", lambda state: state[:100])
        record, processes = self.record(handle), set(self.processes())
        self.expect(65, "status", handle)
        self.assertEqual(self.record(handle), record)
        self.assertLessEqual(processes, set(self.processes()))
        for pid in processes:
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
