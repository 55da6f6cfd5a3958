"""`slipway log --since`, `--until` and `--timestamps` on the local schedulers."""

import json
import time
import unittest
from datetime import datetime, timezone

from app_text import role
from slipway_case import SlipwayCase

# Two lines that are further apart than any mark is long, and what that is told apart by.
PAUSE_S = 2.2
BETWEEN_S = 1.1


class LogTimes(SlipwayCase):
    def spaced(self, *arguments, script="echo a; echo e >&2; sleep {0}; echo b; sleep {0}; echo c", **fields):
        """The handle of an app with long pauses between its lines."""
        app = self.app(role("w", script.format(PAUSE_S), **fields))
        return self.ok("run", "-q", "--no-log", *arguments, app).stdout.strip()

    def bound(self, handle, line):
        """A time between the line before `line` and that one."""
        for text in self.ok("log", "--json", handle).lines:
            row = json.loads(text)
            if row["line"] == line:
                at = datetime.fromisoformat(row["time"].replace("Z", "+00:00")).timestamp()
                return f"@{at - BETWEEN_S}"
        self.fail(f"no line {line}")

    def test_since_and_until_cut_where_the_pauses_are(self):
        handle = self.spaced()
        b, c = self.bound(handle, "b"), self.bound(handle, "c")
        self.assertEqual(self.ok("log", "--since", b, handle).lines, ["b", "c"])
        self.assertEqual(self.ok("log", "--since", c, handle).lines, ["c"])
        self.assertEqual(sorted(self.ok("log", "--until", b, handle).lines), ["a", "e"])
        self.assertEqual(self.ok("log", "--since", b, "--until", c, handle).lines, ["b"])
        self.assertEqual(self.ok("log", "--until", c, "--stream", "stdout", handle).lines, ["a", "b"])
        self.assertEqual(self.ok("log", "--since", b, "--stream", "stderr", handle).lines, [])
        self.assertEqual(len(self.ok("log", "--since", "1h", handle).lines), 4)
        self.assertEqual(self.ok("log", "--until", "1h", handle).lines, [])
        # with the other filters
        self.assertEqual(self.ok("log", "--since", b, "--tail", "1", handle).lines, ["c"])
        self.assertEqual(self.ok("log", "--until", c, "--regex", "[ab]", handle).lines, ["a", "b"])
        # following what is over, or up to a time that is over, ends
        self.assertEqual(self.ok("log", "-f", "--since", c, handle).lines, ["c"])
        self.assertEqual(self.ok("log", "-f", "--until", c, "--stream", "stdout", handle).lines, ["a", "b"])

    def test_every_replica_has_times_of_its_own(self):
        handle = self.spaced(script="sleep ${{replica_id}}; sleep ${{replica_id}}; echo r${{replica_id}}",
                             num_replicas=3)
        bound = self.bound(handle, "r2")
        self.assertEqual(self.ok("log", "--since", bound, handle).lines, ["w/2 r2"])
        self.assertEqual(sorted(self.ok("log", "--until", bound, handle).lines), ["w/0 r0", "w/1 r1"])

    def test_timestamps_are_those_of_the_clock(self):
        started = time.time()
        handle = self.spaced()
        ended = time.time()
        result = self.ok("log", "--timestamps", "--stream", "stdout", handle)
        self.assertNotIn("no times", result.stderr)
        times = [datetime.fromisoformat(line.split()[0].replace("Z", "+00:00")) for line in result.lines]
        self.assertEqual([line.split()[1] for line in result.lines], ["a", "b", "c"])
        self.assertEqual(times, sorted(times))
        self.assertGreater((times[1] - times[0]).total_seconds(), BETWEEN_S)
        self.assertGreaterEqual(times[0].timestamp(), started - 1)
        self.assertLessEqual(times[-1].timestamp(), ended + 1)
        self.assertEqual(times[0].tzinfo, timezone.utc)

    def test_without_marks_a_bound_leaves_out_whole_logs_alone(self):
        handle = self.spaced("-c", "log_times=false")
        self.assertEqual(list((self.app_dir(handle) / "logs").rglob("times.bin")), [])
        rows = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        self.assertEqual({row["time"] for row in rows}, {None})
        self.assertEqual(len(self.ok("log", "--since", f"{PAUSE_S / 2}s", handle).lines), 4)
        self.assertEqual(self.ok("log", "--until", "1h", handle).lines, [])
        self.assertEqual(self.ok("log", "--since", "@4000000000", handle).lines, [])
        self.assertIn("times", self.ok("log", "--timestamps", handle).stderr)

    def test_follow_tells_when_a_line_came_and_stops_in_time(self):
        gate = self.gate()
        handle = self.detach(self.app("echo one; read go < gate; echo two; sleep 1000"))
        follower = self.start("log", "-f", "--json", "--until", f"@{time.time() + 4}", handle)
        self.assertEqual(json.loads(follower.stdout.readline())["line"], "one")
        self.open_gate(gate)
        row = json.loads(follower.stdout.readline())
        self.assertEqual(row["line"], "two")
        self.assert_time(row["time"])
        self.assertIsNotNone(row["time"])
        self.assertEqual(self.finish(follower).status, 0)
        self.assert_state(handle, "RUNNING")

    def test_follow_since_begins_there_and_goes_on(self):
        gate = self.gate()
        handle = self.detach(self.app(f"echo old; sleep {PAUSE_S}; echo young; touch ready; read go < gate; echo new"))
        self.file_appears("ready")
        self.eventually(lambda: "young" in self.ok("log", handle).lines, "the second line is there")
        follower = self.start("log", "-f", "--since", self.bound(handle, "young"), handle)
        self.assertEqual(follower.stdout.readline(), b"young\n")
        self.open_gate(gate)
        self.assertEqual(self.finish(follower).lines, ["new"])

    def test_a_replica_that_writes_little_has_no_times_file(self):
        handle = self.ok("run", "-q", "--no-log", self.app("echo short; echo life")).stdout.strip()
        self.assertEqual(list((self.app_dir(handle) / "logs").rglob("times.bin")), [])
        for line in self.ok("log", "--json", handle).lines:
            self.assertIsNotNone(json.loads(line)["time"])


if __name__ == "__main__":
    unittest.main()
