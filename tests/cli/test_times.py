"""Times and the order of apps when clocks change, time namespaces are used, or two supervisors record the end."""

import subprocess
import unittest

import state_bytes
from app_text import role
from own_namespace import needs_root
from slipway_case import TREE, SlipwayCase

HELPER = TREE / "libexec" / "slipway" / "slipway-local-supervisor"
HOUR_NS = 3600 * 10**9


class Times(SlipwayCase):
    def running(self):
        """Starts an app, and waits until its replica and both helpers run. Returns the handle."""
        handle = self.detach(self.app(role("w", "exec sleep 1000")))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "it runs")
        self.await_both_helpers()
        return handle

    def shift(self, handle, change):
        """Changes times of the record with a function of state_bytes, as if the clock had been an hour ahead so far."""
        path = self.app_dir(handle) / "state.bin"
        path.write_bytes(change(bytearray(path.read_bytes()), HOUR_NS))

    def test_clock_that_was_set_back_makes_no_negative_durations(self):
        handle = self.running()
        self.kill_helpers()
        self.shift(handle, state_bytes.shift_starts)
        self.ok("cancel", "--now", handle)
        self.expect(130, "wait", handle)
        status = self.status_of(handle)
        for each in (status, *self.replicas_of(handle).values()):
            self.assertGreater(each["finished_at"], each["started_at"])
        self.assertNotIn("after -", self.ok("status", handle).stdout)

    def test_newest_app_stays_the_newest_when_the_clock_was_set_back(self):
        old = self.ok("run", "-q", "--no-log", self.app("true")).stdout.strip()
        self.assert_nothing_lives()
        self.shift(old, state_bytes.shift_finished)
        new = [self.ok("run", "-q", "--no-log", self.app("true")).stdout.strip() for _ in range(2)]
        handles = [each["handle"] for each in self.ok("list", "--all", "--json").json["apps"]]
        self.assertEqual(handles, [*reversed(new), old])
        self.assertEqual(self.ok("status", "--json", "@last").json["handle"], new[-1])
        # Pruning uses the same order, and deletes the app that ended first.
        newest = self.ok("run", "-q", "--no-log", "-c", "keep_apps=1", self.app("true")).stdout.strip()
        handles = [each["handle"] for each in self.ok("list", "--all", "--json").json["apps"]]
        self.assertEqual(handles, [newest, new[-1]])

    def test_end_of_an_app_keeps_its_time_when_a_successor_finishes_again(self):
        handle = self.ok("run", "-q", "--no-log", self.app("true")).stdout.strip()
        self.assert_nothing_lives()
        before = self.status_of(handle)
        directory = self.app_dir(handle)
        # A warden starts a successor like this if its supervisor dies right after it has recorded the end. The
        # successor inherits the record, locked, as descriptor 3, and acknowledges on descriptor 4 with an ACK byte.
        script = 'exec 3<"$1" 4>"$2"; flock -x 3; exec "$3" recover "$1"'
        subprocess.run(["sh", "-c", script, "sh", directory, self.root / "acknowledged", HELPER], env=self.env,
                       check=True)
        self.eventually(lambda: (self.root / "acknowledged").read_bytes() == b"\x06", "the successor has acknowledged")
        self.assert_nothing_lives()
        self.assertEqual(self.status_of(handle), before)

    @needs_root
    def test_app_is_taken_over_across_time_namespaces(self):
        ahead = ["unshare", "--time", "--boottime", "100000", "--fork"]
        if subprocess.run([*ahead, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("time namespaces are forbidden here")
        for there, here in ((ahead, []), ([], ahead)):
            with self.subTest(submitted_in=there, taken_over_in=here):
                self.wrapper = there
                handle = self.running()
                pids = [r["pid"] for r in self.replicas_of(handle).values()]
                self.kill_helpers()
                self.wrapper = here
                self.assert_state(handle, "RUNNING")
                self.assertEqual([r["pid"] for r in self.replicas_of(handle).values()], pids)
                self.await_both_helpers()
                self.ok("cancel", handle)
                self.expect(130, "wait", handle)


if __name__ == "__main__":
    unittest.main()
