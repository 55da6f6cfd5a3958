"""`slipway log --since`, `--until` and `--timestamps` on the local schedulers."""

import json
import time
import unittest
from datetime import datetime, timezone

from app_text import role
from slipway_case import SlipwayCase

# Slipway records about once a second when the bytes of a log were written. A test writes a line only when the line
# before it is in the log, and after a pause of this length, so that their times differ.
PAUSE_S = 2.2
# A bound for --since or --until is this much earlier than the recorded time of a line: between it and the line before.
BETWEEN_S = 1.1


class LogTimes(SlipwayCase):
    def run_with_pauses(self, *arguments):
        """Runs an app with long pauses between its lines. Returns the handle."""
        gate = self.gate()
        script = "; ".join(f"read go < gate; {line}" for line in ("echo a; echo e >&2", "echo b", "echo c"))
        handle = self.detach(self.app(script), *arguments)
        for line in "abc":
            self.write_next(gate, handle, line)
        self.ok("wait", handle)
        return handle

    def write_next(self, gate, handle, line):
        """Opens the gate after a pause, and waits until the line is in the log."""
        time.sleep(PAUSE_S)
        self.open_gate(gate)
        self.eventually(lambda: line in self.ok("log", "--no-prefix", handle).lines, f"{line} is in the log")

    def bound(self, handle, line):
        """Returns a time between `line` and the line before it."""
        for text in self.ok("log", "--json", handle).lines:
            row = json.loads(text)
            if row["line"] == line:
                at = datetime.fromisoformat(row["time"].replace("Z", "+00:00")).timestamp()
                return f"@{at - BETWEEN_S}"
        self.fail(f"no line {line}")

    def test_since_and_until_cut_where_the_pauses_are(self):
        handle = self.run_with_pauses()
        b, c = self.bound(handle, "b"), self.bound(handle, "c")
        self.assertEqual(self.ok("log", "--since", b, handle).lines, ["b", "c"])
        self.assertEqual(self.ok("log", "--since", c, handle).lines, ["c"])
        self.assertEqual(sorted(self.ok("log", "--until", b, handle).lines), ["a", "e"])
        self.assertEqual(self.ok("log", "--since", b, "--until", c, handle).lines, ["b"])
        self.assertEqual(self.ok("log", "--until", c, "--stream", "stdout", handle).lines, ["a", "b"])
        self.assertEqual(self.ok("log", "--since", b, "--stream", "stderr", handle).lines, [])
        self.assertEqual(len(self.ok("log", "--since", "1h", handle).lines), 4)
        self.assertEqual(self.ok("log", "--until", "1h", handle).lines, [])
        # Bounds and the other filters select together.
        self.assertEqual(self.ok("log", "--since", b, "--tail", "1", handle).lines, ["c"])
        self.assertEqual(self.ok("log", "--until", c, "--regex", "[ab]", handle).lines, ["a", "b"])
        # A follower of a finished app, or with an --until in the past, ends.
        self.assertEqual(self.ok("log", "-f", "--since", c, handle).lines, ["c"])
        self.assertEqual(self.ok("log", "-f", "--until", c, "--stream", "stdout", handle).lines, ["a", "b"])

    def test_times_beyond_the_range_of_the_clock_hide_no_line(self):
        handle = self.detach(self.app("echo a"))
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", "--until", "9999-12-31T23:59:59Z", handle).lines, ["a"])
        self.assertEqual(self.ok("log", "--since", "0001-01-01T00:00:00Z", handle).lines, ["a"])
        self.assertEqual(self.ok("log", "--since", "9999-12-31T23:59:59Z", handle).lines, [])

    def test_a_start_after_the_end_is_an_error(self):
        handle = self.detach(self.app("true"))
        error = self.expect_failure(64, "usage", "log", "--since", "10m", "--until", "2h", handle)
        self.assertIn("--since 10m is later than --until 2h", error["message"])

    def test_times_for_people_are_local_with_their_offset(self):
        handle = self.detach(self.app("echo a"))
        self.ok("wait", handle)
        zone = {"TZ": "XYZ-5:30"}
        for command in (["log", "--timestamps", handle], ["events", handle], ["status", handle], ["list", "--all"]):
            with self.subTest(command=command):
                self.assertIn("+05:30", self.ok(*command, env=zone).stdout)
                if command[0] != "list":
                    self.assertNotIn("+05:30", self.ok("--json", *command, env=zone).stdout)

    def test_every_replica_has_its_own_times(self):
        script = "while [ ! -e go.${replica_id} ]; do sleep 0.02; done; echo r${replica_id}"
        handle = self.detach(self.app(role("w", script, num_replicas=3)))
        for k in range(3):
            time.sleep(PAUSE_S)
            self.write(f"go.{k}", "")
            self.eventually(lambda: f"w/{k} r{k}" in self.ok("log", handle).lines, f"r{k} is in the log")
        self.ok("wait", handle)
        bound = self.bound(handle, "r2")
        self.assertEqual(self.ok("log", "--since", bound, handle).lines, ["w/2 r2"])
        self.assertEqual(sorted(self.ok("log", "--until", bound, handle).lines), ["w/0 r0", "w/1 r1"])

    def test_merge_prints_the_lines_of_all_replicas_by_time(self):
        script = "while [ ! -e go.${replica_id} ]; do sleep 0.02; done; echo r${replica_id}"
        handle = self.detach(self.app(role("w", f"{script}; while [ ! -e last ]; do sleep 0.02; done; echo end",
                                           num_replicas=3)))
        for k in (1, 2, 0):
            self.write(f"go.{k}", "")
            self.eventually(lambda: f"w/{k} r{k}" in self.ok("log", handle).lines, f"r{k} is in the log")
            time.sleep(PAUSE_S)
        live = self.start("log", "-f", "--merge", handle)
        begun = [live.stdout.readline().decode() for _ in range(3)]
        self.assertEqual(begun, ["w/1 r1\n", "w/2 r2\n", "w/0 r0\n"])
        self.write("last", "")
        self.ok("wait", handle)
        self.assertEqual(self.finish(live).status, 0)
        self.assertEqual(self.ok("log", handle).lines, [f"w/{k} {line}" for k in range(3) for line in (f"r{k}", "end")])
        for command in (["log", "--merge"], ["log", "-f"]):
            lines = self.ok(*command, handle).lines
            self.assertEqual(lines[:3], ["w/1 r1", "w/2 r2", "w/0 r0"])
            self.assertEqual(sorted(lines[3:]), [f"w/{k} end" for k in range(3)])
        self.assertEqual(self.ok("log", "--merge", "--regex", "r", "--tail", "1", handle).lines,
                         [line.strip() for line in begun])

    def test_lines_of_later_attempts_have_times(self):
        script = f"echo a; sleep {PAUSE_S}; echo b; [ $SLIPWAY_ATTEMPT = 3 ]"
        handle = self.detach(self.app(role("w", script, max_retries=2)), "-c", "backoff=initial:0.001")
        self.ok("wait", handle)
        lines = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        self.assertEqual([line["line"] for line in lines], ["a", "b"] * 3)
        self.assertNotIn(None, [line["time"] for line in lines])

    def test_lines_of_attempts_that_follow_at_once_are_merged_by_time(self):
        """Replicas take turns: an attempt prints once the other replica's next attempt has started. So all lines but
        the last two, which nothing orders, come from the replicas 0, 1, 0, 1."""
        script = ("n=$(ls | grep -c ^${replica_id}-); touch ${replica_id}-$n; "
                  "next=$([ ${replica_id} = 0 ] && echo 1-$n || echo 0-$((n + 1))); "
                  "while [ ! -e $next ] && [ $n-${replica_id} != 2-1 ]; do sleep 0.005; done; "
                  "echo attempt $n; [ $n = 2 ]")
        handle = self.detach(self.app(role("w", script, num_replicas=2, max_retries=2, retry_policy="REPLICA")),
                             "-c", "backoff=initial:0.001")
        self.ok("wait", handle)
        lines = [f"w/{k} attempt {n}" for n in range(3) for k in range(2)]
        for command in (["log", "-f"], ["log", "--merge"]):
            printed = self.ok(*command, handle).lines
            self.assertEqual((printed[:4], sorted(printed[4:])), (lines[:4], lines[4:]))

    def test_merge_without_recorded_times_prints_a_warning(self):
        script = f"echo a; sleep {PAUSE_S}; echo b"
        handle = self.detach(self.app(role("w", script, num_replicas=2)), "-c", "log_times=false")
        self.ok("wait", handle)
        result = self.ok("log", "--merge", handle)
        self.assertEqual(result.lines, ["w/0 a", "w/0 b", "w/1 a", "w/1 b"])
        self.assertIn("did not record when lines were written", result.stderr)
        self.assertEqual(self.ok("log", "-f", handle).stderr, "")

    def test_timestamps_are_those_of_the_clock(self):
        started = time.time()
        handle = self.run_with_pauses()
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

    def test_without_recorded_times_a_bound_omits_only_whole_logs(self):
        handle = self.run_with_pauses("-c", "log_times=false")
        self.assertEqual(list((self.app_dir(handle) / "logs").rglob("times.bin")), [])
        rows = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        self.assertEqual({row["time"] for row in rows}, {None})
        changed = (self.app_dir(handle) / "logs" / "w" / "0" / "combined.log").stat().st_mtime
        self.assertEqual(len(self.ok("log", "--since", f"@{changed - PAUSE_S / 2}", handle).lines), 4)
        self.assertEqual(self.ok("log", "--until", "1h", handle).lines, [])
        self.assertEqual(self.ok("log", "--since", f"@{changed + 1}", handle).lines, [])
        self.assertIn("times", self.ok("log", "--timestamps", handle).stderr)

    def test_follow_prints_the_time_of_a_line_and_ends_at_until(self):
        gate = self.gate()
        handle = self.detach(self.app("echo one; read go < gate; echo two; sleep 1000"))
        self.eventually(lambda: self.ok("log", handle).lines == ["one"], "the first line is in the log")
        # On a loaded machine, the follower starts to read later.
        for seconds in (3, 10, 40):
            follower = self.start("log", "-f", "--json", "--until", f"@{time.time() + seconds}", handle)
            first = follower.stdout.readline()
            self.open_gate(gate)
            second = follower.stdout.readline()
            self.assertEqual(self.finish(follower).status, 0)
            if first and second:
                break
        self.assertEqual(json.loads(first)["line"], "one")
        row = json.loads(second)
        self.assertEqual(row["line"], "two")
        self.assert_time(row["time"])
        self.assertIsNotNone(row["time"])
        self.assert_state(handle, "RUNNING")

    def test_follow_with_since_starts_there_and_continues(self):
        gate = self.gate()
        handle = self.detach(self.app("read go < gate; echo old; read go < gate; echo young; read go < gate; echo new"))
        for line in ("old", "young"):
            self.write_next(gate, handle, line)
        follower = self.start("log", "-f", "--since", self.bound(handle, "young"), handle)
        self.assertEqual(follower.stdout.readline(), b"young\n")
        self.open_gate(gate)
        self.assertEqual(self.finish(follower).lines, ["new"])

    def test_a_short_lived_replica_has_no_times_file(self):
        def short_life():
            handle = self.ok("run", "-q", "--no-log", self.app("echo short; echo life")).stdout.strip()
            status = self.status_of(handle)
            first, last = (datetime.fromisoformat(status[key].replace("Z", "+00:00"))
                           for key in ("started_at", "finished_at"))
            return (last - first).total_seconds() < 0.5 and handle

        handle = self.eventually(short_life, "an app lives for less than half a second")
        self.assertEqual(list((self.app_dir(handle) / "logs").rglob("times.bin")), [])
        for line in self.ok("log", "--json", handle).lines:
            self.assertIsNotNone(json.loads(line)["time"])


if __name__ == "__main__":
    unittest.main()
