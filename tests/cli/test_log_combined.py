"""`-c log_combined=false`: no combined.log; commands read stdout.log and stderr.log."""

import json
import time
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase

# Writes to both streams, and after a pause to stdout again.
SCRIPT = "echo out; echo err >&2; sleep 0.2; echo more"


class LogCombined(SlipwayCase):
    def test_both_streams_are_printed_from_their_own_files(self):
        app = self.app(role("w", SCRIPT))
        result = self.ok("run", "-c", "log_combined=false", app)
        shown = [line for line in result.stderr.splitlines() if not line.startswith("slipway: ")]
        shown = [line.removeprefix("w/0 ") for line in shown]
        self.assertEqual(sorted(shown), ["err", "more", "out"])
        self.assertEqual([line for line in shown if line != "err"], ["out", "more"])
        handle = result.lines[0]
        self.assertEqual(self.ok("log", handle).lines, ["out", "more", "err"])
        self.assertEqual(self.ok("log", "--stream", "stderr", handle).lines, ["err"])
        rows = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        self.assertEqual([(row["line"], row["stream"]) for row in rows],
                         [("out", "stdout"), ("more", "stdout"), ("err", "stderr")])
        self.assertEqual(list(self.root.rglob("combined.log")), [])
        self.assertEqual(list(self.root.rglob("times.bin")), [])

    def test_following_ends_with_the_app(self):
        handle = self.ok("run", "-d", "-c", "log_combined=false",
                         self.app(role("w", SCRIPT, num_replicas=2))).stdout.strip()
        lines = self.ok("log", "-f", handle).lines
        self.assertEqual(sorted(lines), sorted(f"w/{k} {line}" for k in (0, 1) for line in ("err", "more", "out")))

    def test_dry_run_names_no_combined_file(self):
        request = self.ok("run", "-n", "--json", "-c", "log_combined=false",
                          self.app(role("w", SCRIPT))).json["request"]
        self.assertIsNone(request["role_params"]["w"][0]["combined"])
        self.assertTrue(request["role_params"]["w"][0]["stdout"].endswith("/stdout.log"))

    def test_options_and_probes_that_need_combined_log_are_refused(self):
        result = self.expect(65, "run", "-c", "log_combined=false,log_max_mb=1", self.app(role("w", SCRIPT)))
        self.assertIn("log_max_mb", result.stderr)
        probed = self.app(role("w", SCRIPT, metadata={"local": {"ready": {"log": "out"}}}))
        result = self.expect(65, "run", "-c", "log_combined=false", probed)
        self.assertIn("readiness probe of kind log", result.stderr)
        self.assert_no_app()

    def test_supervisor_does_no_work_for_output(self):
        """Compares the processor time of both helpers before and after tens of megabytes of output."""
        go, done = self.root / "go", self.root / "done"
        script = f"until [ -e {go} ]; do sleep 0.02; done; head -c 50000000 /dev/zero; touch {done}; sleep 1000"
        handle = self.ok("run", "-d", "-c", "log_combined=false", self.app(role("w", script))).stdout.strip()
        state = next(self.root.rglob("state.bin"))
        self.eventually(lambda: len(self.living_helpers(str(state.parent))) == 2, "only supervisor and warden live")
        pids = self.living_helpers(str(state.parent))
        before = self.eventually(lambda: self.idle_ticks(pids), "both helpers are idle")
        go.touch()
        self.eventually(done.exists, "the replica has written")
        self.assertEqual([self.ticks(pid) for pid in pids], before)
        self.ok("cancel", "--now", handle)

    def idle_ticks(self, pids):
        """Returns the processor time of each process, or None while it grows."""
        before = [self.ticks(pid) for pid in pids]
        time.sleep(0.3)
        return before if [self.ticks(pid) for pid in pids] == before else None

    @staticmethod
    def ticks(pid):
        """Returns the processor time of a process in clock ticks."""
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()  # 11 is utime, 12 is stime
        return int(fields[11]) + int(fields[12])


if __name__ == "__main__":
    unittest.main()
