"""Replicas that truncate their own logs, mostly by `echo text > /dev/stderr`: the kept lines and the messages."""

import json
import os
import re
import signal
import time
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase


class LogTruncated(SlipwayCase):
    def await_copied(self, handle, lines):
        """Waits until combined.log ends with these lines."""
        self.eventually(lambda: self.ok("log", handle).lines[-len(lines):] == lines, f"the log ends with {lines}")

    def step_by_step(self, *steps, options=()):
        """Runs an app to its end, in steps of a command and its lines. Each step starts when combined.log has the lines
        of the one before. Returns the handle."""
        gate = self.gate()
        script = "; ".join(f"read go < gate; {command}" for command, _ in steps)
        handle = self.detach(self.app(role("w", script)), "-c", "log_pipes=false", *options)
        seen = []
        for _, lines in steps:
            self.open_gate(gate)
            seen += lines
            self.await_copied(handle, seen)
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).lines, seen)
        return handle

    def stream(self, handle, name="stderr"):
        """Returns the lines of one stream."""
        return self.ok("log", "--stream", name, handle).lines

    def test_every_truncating_idiom_keeps_all_lines(self):
        for name in ("stdout", "stderr"):
            fd = {"stdout": 1, "stderr": 2}[name]
            idioms = [f"echo 'a line' > /dev/{name}", f"echo 'a line' | cat > /proc/self/fd/{fd}",
                      f": > /dev/{name}; echo 'a line' >&{fd}"]
            if name == "stderr":
                idioms.append("echo 'a line' | tee /dev/stderr > /dev/null")
            for idiom in idioms:
                with self.subTest(idiom):
                    handle = self.step_by_step((f"echo before >&{fd}", ["before"]), (idiom, ["a line"]),
                                               (f"echo after >&{fd}", ["after"]))
                    # The file itself begins at the truncation.
                    self.assertEqual(self.stream(handle, name), ["a line", "after"])
                    self.assertIn(f"w/0/{name}.log was truncated", self.status_of(handle)["msg"])
                    self.assertIn(f">> /dev/{name}", self.status_of(handle)["msg"])
                (self.cwd / "gate").unlink()

    def test_messages_of_equal_length_are_all_kept(self):
        """The size of the file stays the same. Only its bytes or the time of its last change differ."""
        self.step_by_step(*((f"echo {text} > /dev/stderr", [text]) for text in ("one", "two", "two", "six")))

    def test_messages_of_growing_length_are_all_kept(self):
        self.step_by_step(*((f"echo step {n} done > /dev/stderr", [f"step {n} done"]) for n in (9, 10, 100, 1000)))

    def test_lines_of_a_file_that_another_process_truncates_are_kept(self):
        gate = self.gate()
        handle = self.detach(self.app("echo one; read go < gate; echo two; read go < gate; echo three"))
        self.await_copied(handle, ["one"])
        log = self.app_dir(handle) / "logs" / "w" / "0" / "stdout.log"
        for line in ("two", "three"):
            with open(log, "r+b") as file:
                file.truncate(0)
            self.open_gate(gate)
            self.eventually(lambda: line in self.ok("log", handle).lines, line)
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).lines, ["one", "two", "three"])

    def test_a_successor_continues_after_the_truncation(self):
        """Both helpers die after the truncation, and the next command starts a successor."""
        gate = self.gate()
        handle = self.detach(self.app("echo long line before >&2; read go < gate; echo cut > /dev/stderr; "
                                      "read go < gate; echo after >&2; read go < gate"), "-c", "log_pipes=false")
        self.await_copied(handle, ["long line before"])
        self.open_gate(gate)
        self.await_copied(handle, ["long line before", "cut"])
        for pid in self.living_helpers():
            os.kill(pid, signal.SIGKILL)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.await_copied(handle, ["long line before", "cut", "after"])
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).lines, ["long line before", "cut", "after"])

    def test_appending_loses_nothing_and_prints_no_message(self):
        script = ("for i in 1 2 3 4 5; do echo $i >> /dev/stderr; echo $i >&2; "
                  "echo $i | tee -a /dev/stderr > /dev/null; done")
        handle = self.ok("run", "-q", "--no-log", "-c", "log_pipes=false", self.app(script)).stdout.strip()
        self.assertEqual(self.stream(handle), [str(i) for i in range(1, 6) for _ in range(3)])
        self.assertEqual(self.ok("log", handle).lines, self.stream(handle))
        self.assertIsNone(self.status_of(handle)["msg"])

    def test_a_follower_of_the_stream_starts_again_at_the_truncation(self):
        gate = self.gate()
        handle = self.detach(self.app("echo a long line first >&2; read go < gate; echo cut > /dev/stderr; "
                                      "read go < gate"),
                             "-c", "log_combined=false")
        follower = self.start("log", "-f", "--stream", "stderr", handle)
        self.assertEqual(follower.stdout.readline(), b"a long line first\n")
        self.open_gate(gate)
        self.assertEqual(follower.stdout.readline(), b"cut\n")
        self.open_gate(gate)
        self.assertEqual(self.finish(follower).status, 0)

    def test_a_line_has_the_same_time_in_its_stream_and_in_combined_log(self):
        handle = self.step_by_step(("echo first; echo longer than the others >&2", ["first", "longer than the others"]),
                                   ("sleep 2.5; echo cut > /dev/stderr", ["cut"]),
                                   ("sleep 2.5; echo last >&2", ["last"]))
        times = {}
        for stream in ("combined", "stderr"):
            for line in self.ok("log", "--json", "--stream", stream, handle).lines:
                row = json.loads(line)
                times.setdefault(row["line"], []).append(row["time"])
        self.assertEqual(len(set(times["cut"])), 1, times)
        self.assertIsNotNone(times["cut"][0], times)
        self.assertEqual(len(set(times["last"])), 1, times)

    # pipes -----------------------------------------------------------------------------------------------------------

    # Writes lines to both streams, mostly in ways that truncate a file. `tee > x` has x as its /dev/stdout.
    IDIOMS = ("echo 1 > /dev/stderr; echo 2 >&2; echo 3 > /dev/stderr; echo 4 | tee /dev/stderr > /dev/null; "
              "echo 5 | cat > /proc/self/fd/2; echo 6 >> /dev/stderr; : > /dev/stderr; echo 7 >&2; "
              "echo a > /dev/stdout; echo b | tee /dev/stdout > x; cat x; echo c > /proc/self/fd/1")

    def test_with_pipes_no_idiom_loses_a_line(self):
        """Runs all idioms without pauses, in many replicas that end at the same time."""
        app = self.app(role("w", self.IDIOMS.replace(" x", " x.${replica_id}"), num_replicas=8))
        handle = self.ok("run", "-q", "--no-log", "-c", "log_pipes=true", app).stdout.strip()
        for k in range(8):
            replica = f"{handle}/w/{k}"
            self.assertEqual(self.ok("log", "--stream", "stderr", replica).lines, list("1234567"))
            out = self.ok("log", "--stream", "stdout", replica).lines
            # x has the line b once or twice, because tee writes it through two descriptors.
            self.assertEqual(out, ["a", "b", "b", "c"] if out.count("b") == 2 else ["a", "b", "c"])
            self.assertEqual(sorted(self.ok("log", replica).lines), sorted(list("1234567") + out))
        self.assertIsNone(self.status_of(handle)["msg"])
        logs = self.app_dir(handle) / "logs"
        self.assertEqual([path for path in logs.rglob("*") if not (path.is_file() or path.is_dir())], [])
        self.ok("delete", handle)

    def test_pipes_are_chosen_for_apps_that_would_truncate_their_logs(self):
        """Finds the idiom in an argument, in the program, and in a script that a shell reads. Chooses no pipes when the
        option forbids them, or when the app would need too many."""
        lines = "echo one > /dev/stderr\necho two > /dev/stderr\n"
        script = self.write("script.sh", f"#!/bin/sh\n{lines}")
        script.chmod(0o755)
        self.write("no_suffix", lines)
        (self.cwd / "fish").symlink_to("/bin/sh")  # Slipway knows shells by their names
        for made in (role("w", lines), role("w", entrypoint="./script.sh"),
                     role("w", entrypoint="/bin/sh", args=[str(script)]),
                     role("w", entrypoint="sh", args=["-e", "script.sh"]),
                     role("w", entrypoint="./fish", args=["no_suffix"])):
            with self.subTest(made):
                handle = self.ok("run", "-q", "--no-log", self.app(made)).stdout.strip()
                self.assertEqual(self.ok("log", handle).lines, ["one", "two"])
                self.assertEqual(self.stream(handle), ["one", "two"])
        handle = self.ok("run", "-q", "--no-log", "-c", "log_pipes=false", self.app(role("w", lines))).stdout.strip()
        self.assertEqual(self.stream(handle), ["two"])
        # Apps of more than 256 replicas get pipes only with the option.
        handle = self.ok("run", "-q", "--no-log", self.app(role("w", lines, num_replicas=257))).stdout.strip()
        self.assertEqual(self.stream(f"{handle}/w/256"), ["two"])

    def test_pipes_are_chosen_for_scripts_that_scripts_and_programs_call(self):
        self.write("d.sh", "echo three > /dev/stderr\necho four > /dev/stderr\n").chmod(0o755)
        self.write("c.sh", "echo one > /dev/stderr\necho two > /dev/stderr\n")
        self.write("start.sh", ". ./c.sh\nsh ./d.sh\n")
        (self.cwd / "sub").mkdir()
        self.write("sub/e.sh", '. "$(dirname "$0")/../c.sh"\n. ./d.sh\n')
        self.write("start.py", "import subprocess\nsubprocess.run(['sh', 'start.sh'])\n")
        run = "import subprocess; subprocess.run(['sh', 'start.sh'])"
        for made in (role("w", entrypoint="sh", args=["start.sh"]), role("w", entrypoint="sh", args=["sub/e.sh"]),
                     role("w", entrypoint="python3", args=["start.py"]),
                     role("w", entrypoint="python3", args=["-c", run])):
            with self.subTest(made):
                handle = self.ok("run", "-q", "--no-log", self.app(made)).stdout.strip()
                self.assertEqual(self.stream(handle), ["one", "two", "three", "four"])
                self.assertEqual(self.ok("log", handle).lines, ["one", "two", "three", "four"])
                self.assertIsNone(self.status_of(handle)["msg"])

    def test_the_search_ends_for_scripts_that_name_each_other(self):
        self.write("a.sh", ". ./b.sh\n")
        self.write("b.sh", "[ -n \"$seen\" ] || { seen=1; . ./a.sh; }\necho out\n")
        handle = self.ok("run", "-q", "--no-log", self.app(role("w", entrypoint="sh", args=["a.sh"]))).stdout.strip()
        self.assertEqual(self.ok("log", handle).lines, ["out", "out"])

    def test_a_truncation_before_the_first_copy_is_reported(self):
        """Without pauses, a replica may truncate lines before they are copied to combined.log. A message names the
        file."""
        for fd, name in ((1, "stdout"), (2, "stderr")):
            first = f"for i in $(seq 20); do echo line $i >&{fd}; done"
            again = f"d=/dev; echo last > $d/{name}"  # the variable hides the idiom, so that the app gets no pipes
            for script in (f"{first}; {again}", f"{again}; {again}", f"{first}; {again}; echo after >&{fd}"):
                with self.subTest(script):
                    handle = self.ok("run", "-q", "--no-log", self.app(script)).stdout.strip()
                    self.assertIn("last", self.ok("log", handle).lines)
                    self.assertIn(f"w/0/{name}.log was truncated", self.status_of(handle)["msg"])

    def test_a_truncation_is_reported_by_a_successor(self):
        gate = self.gate()
        handle = self.detach(self.app("f=/dev/; f=${f}stderr; read go < gate; echo one > $f; echo two > $f; "
                                      "read go < gate"))
        self.assert_state(handle, "RUNNING")
        self.kill_helpers()
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertIn("w/0/stderr.log was truncated", self.status_of(handle)["msg"])

    def test_with_pipes_large_output_is_complete_and_in_order(self):
        script = "seq 1 300000; seq 1 100000 >&2"
        handle = self.ok("run", "-q", "--no-log", "-c", "log_pipes=true",
                         self.app(role("w", script, max_retries=1))).stdout.strip()
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).lines, [str(i) for i in range(1, 300001)])
        self.assertEqual(self.stream(handle), [str(i) for i in range(1, 100001)])
        self.assertEqual(len(self.ok("log", handle).lines), 400000)

    def test_with_pipes_every_attempt_is_kept(self):
        script = "echo try > /dev/stderr; [ -e again ] && exit 0; touch again; exit 3"
        app = self.app(role("w", script, max_retries=1, retry_policy="REPLICA"))
        handle = self.ok("run", "-q", "--no-log", "-c", "log_pipes=true,backoff=initial:0", app).stdout.strip()
        self.assertEqual(self.stream(handle), ["try", "try"])

    def test_with_pipes_a_successor_continues_to_read(self):
        """Lines that are written without a supervisor wait in the pipe."""
        gate = self.gate()
        handle = self.detach(self.app("echo one > /dev/stderr; read go < gate; echo two > /dev/stderr; touch written; "
                                      "read go < gate; echo three > /dev/stderr"), "-c", "log_pipes=true")
        self.await_copied(handle, ["one"])
        for pid in self.living_helpers():
            os.kill(pid, signal.SIGKILL)
        self.open_gate(gate)
        self.file_appears("written")
        self.assert_state(handle, "RUNNING")
        self.await_copied(handle, ["one", "two"])
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.stream(handle), ["one", "two", "three"])
        self.assertEqual(self.ok("log", handle).lines, ["one", "two", "three"])

    def test_with_pipes_ended_and_quiet_replicas_do_not_wake_the_supervisor(self):
        """Tests the pipe of a replica that has ended, and one that holds half a line."""
        handle = self.detach(self.app("echo ended", "printf half; touch half; exec sleep 1000"), "-c", "log_pipes=true")
        self.file_appears("half")
        self.eventually(lambda: self.replicas_of(handle)["w/0"]["state"] == "SUCCEEDED", "the first has ended")
        self.eventually(lambda: self.helpers_sleep_for(0.3), "supervisor and warden fall asleep")
        self.assertTrue(self.helpers_sleep_for(3), "supervisor or warden woke up")
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.ok("log", "--no-prefix", handle).stdout, "ended\nhalf")

    def helpers_sleep_for(self, seconds):
        """Returns whether both helpers sleep for `seconds`; a loaded machine only makes them sleep longer."""
        def sleeps():
            return [re.findall(r"\nvoluntary_ctxt_switches:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[0]
                    for pid in self.living_helpers()]
        before = sleeps()
        time.sleep(seconds)
        return len(before) == 2 and sleeps() == before

    def test_pipes_require_combined_logs(self):
        result = self.expect(65, "run", "-c", "log_pipes=true,log_combined=false", self.app("true"))
        self.assertIn("log_pipes", result.stderr)
        self.assert_no_app()

    # deletion, and holes ---------------------------------------------------------------------------------------------

    def test_deleting_also_deletes_the_recorded_truncations(self):
        logs = self.root / "logs"
        handle = self.step_by_step(("echo before >&2", ["before"]), ("echo cut > /dev/stderr", ["cut"]),
                                   options=("-c", f"log_dir={logs}"))
        self.assertTrue(list(logs.rglob("cuts.bin")))
        self.ok("delete", handle)
        self.assertEqual([path for path in logs.rglob("*") if path.is_file()], [])

    def test_hole_of_a_terabyte_in_a_log_is_skipped(self):
        """The lines after a hole are printed, and the hole takes no space in combined.log."""
        script = "echo before; truncate -s 1T /proc/self/fd/1; echo after; echo last"
        for options in (("-c", "log_pipes=false"), ("-c", "log_combined=false")):
            with self.subTest(options):
                handle = self.ok("run", "-q", "--no-log", *options, self.app(script)).stdout.strip()
                for stream in ("combined", "stdout"):
                    lines = self.ok("log", "--stream", stream, handle).stdout.replace("\0", "").splitlines()
                    self.assertEqual((lines[0], lines[-1]), ("before", "last"))
                logs = self.app_dir(handle) / "logs" / "w" / "0"
                self.assertLess(sum(file.stat().st_blocks * 512 for file in logs.iterdir()), 1 << 20)


if __name__ == "__main__":
    unittest.main()
