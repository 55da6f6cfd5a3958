"""`slipway log`: unchanged bytes, selections, filters, following."""

import json
import os
import unittest

from app_text import role
from own_namespace import needs_root
from slipway_case import SlipwayCase

NOBODY = 65534  # uid and gid of the user nobody


class Log(SlipwayCase):
    def finished(self, *roles):
        """Runs an app to its end. Returns the handle."""
        return self.run_slipway("run", "--no-log", self.app(*roles)).stdout.strip()

    def test_lines_of_several_replicas_have_a_prefix(self):
        one = self.finished("echo alone")
        self.assertEqual(self.ok("log", one).stdout, "alone\n")
        two = self.finished(role("w", "echo r${replica_id}", num_replicas=2))
        self.assertEqual(sorted(self.ok("log", two).lines), ["w/0 r0", "w/1 r1"])
        self.assertEqual(sorted(self.ok("log", "--no-prefix", two).lines), ["r0", "r1"])

    def test_selects_roles_and_replicas(self):
        handle = self.finished(role("a", "echo a${replica_id}", num_replicas=3), role("b", "echo b"))
        for suffix, expected in (("", ["a/0 a0", "a/1 a1", "a/2 a2", "b/0 b"]), ("/a", ["a/0 a0", "a/1 a1", "a/2 a2"]),
                                 ("/a/1", ["a1"]), ("/a/0,2", ["a/0 a0", "a/2 a2"]), ("/b", ["b"]), ("/b/0", ["b"])):
            with self.subTest(suffix=suffix):
                self.assertEqual(sorted(self.ok("log", handle + suffix).lines), expected)
        app_id = handle.rpartition("/")[2]
        self.assertEqual(self.ok("log", f"{app_id}/a/2").stdout, "a2\n")
        self.assertEqual(self.ok("log", "@last/b").stdout, "b\n")

    def test_selects_ranges_of_replicas_and_several_roles(self):
        handle = self.detach(self.app(role("a", "echo a ${replica_id}", num_replicas=4), role("b", "echo b"),
                                      role("c", "echo c")))
        self.ok("wait", handle)
        self.assertEqual(sorted(self.ok("log", f"{handle}/a/1-2").lines), ["a/1 a 1", "a/2 a 2"])
        self.assertEqual(sorted(self.ok("log", f"{handle}/a/0,2-3").lines), ["a/0 a 0", "a/2 a 2", "a/3 a 3"])
        self.assertEqual(sorted(self.ok("log", f"{handle}/b,c").lines), ["b/0 b", "c/0 c"])
        self.assertEqual(self.ok("log", f"{handle}/a/3-3").lines, ["a 3"])
        self.expect(66, "log", f"{handle}/a/3-4")
        self.expect(66, "log", f"{handle}/b,nosuch")
        self.expect(64, "log", f"{handle}/a/3-1")

    def test_unknown_roles_and_replicas_are_not_found_and_malformed_ones_are_usage_errors(self):
        handle = self.finished(role("a", "echo a"))
        for suffix in ("/nobody", "/a/1", "/a/0,7"):
            with self.subTest(suffix=suffix):
                self.expect_failure(66, "not_found", "log", handle + suffix)
        for suffix in ("/a/99999999999", "/a/x", "/a/-1", "/a/,", "/a/0/0", "/", "/a/"):
            with self.subTest(suffix=suffix):
                self.expect_failure(64, "usage", "log", handle + suffix)

    def test_all_bytes_are_kept_and_no_final_newline_is_added(self):
        for text, octal in ((b"\xff\x00\x01\xc3(\n", "\\377\\000\\001\\303(\\n"),
                            (b"10%\r20%\r30%\n", "10%%\\r20%%\\r30%%\\n"),
                            (b"no end", "no end"), (b"\n\n\r\n", "\\n\\n\\r\\n"), (b"", "")):
            with self.subTest(text=text):
                handle = self.finished(f"printf '{octal}'")
                for arguments in ([], ["-f"], ["--no-prefix"], ["--stream", "stdout"]):
                    self.assertEqual(self.ok("log", *arguments, handle).out, text, arguments)

    def test_prefix_does_not_change_the_bytes_of_the_line(self):
        handle = self.finished(role("w", "printf '\\377\\000x\\nend'", num_replicas=2))
        out = self.ok("log", handle).out
        for k in range(2):
            self.assertIn(b"w/%d \xff\x00x\n" % k, out)
            self.assertIn(b"w/%d end" % k, out)

    def test_lines_before_an_unreadable_log_are_printed(self):
        handle = self.finished(role("w", "echo r${replica_id}", num_replicas=2))
        log = self.app_dir(handle) / "logs" / "w" / "1" / "stdout.log"
        log.unlink()
        log.mkdir()
        for arguments, line in ((["--no-prefix"], "r0\n"), ([], "w/0 r0\n"), (["--regex", "r"], "w/0 r0\n")):
            with self.subTest(arguments=arguments):
                result = self.expect(69, "log", "--stream", "stdout", *arguments, handle)
                self.assertEqual(result.stdout, line)
                self.assertIn("cannot read", result.stderr)

    def test_lines_after_unreadable_logs_are_printed(self):
        handle = self.finished(role("w", "echo r${replica_id}", num_replicas=4))
        for k in (0, 2):
            log = self.app_dir(handle) / "logs" / "w" / str(k) / "stdout.log"
            log.unlink()
            log.mkdir()
        result = self.expect(69, "log", "--stream", "stdout", handle)
        self.assertEqual(sorted(result.stdout.splitlines()), ["w/1 r1", "w/3 r3"])
        self.assertIn("w/0/stdout.log", result.stderr)
        self.assertIn("1 more log cannot be read", result.stderr)

    def test_option_stream_selects_one_stream(self):
        handle = self.finished("echo out; echo err >&2")
        self.assertEqual(self.ok("log", "--stream", "stdout", handle).stdout, "out\n")
        self.assertEqual(self.ok("log", "--stream", "stderr", handle).stdout, "err\n")
        self.assertEqual(sorted(self.ok("log", "--stream", "combined", handle).lines), ["err", "out"])
        self.expect_failure(64, "usage", "log", "--stream", "stdlog", handle)

    def test_tail_is_the_last_lines_of_each_replica(self):
        handle = self.finished(role("w", "seq 1 5; printf end", num_replicas=2))
        for k in range(2):
            self.assertEqual(self.ok("log", "--tail", "3", f"{handle}/w/{k}").stdout, "4\n5\nend")
        lines = self.ok("log", "--no-prefix", "--stream", "stdout", "--tail", "1", handle).stdout
        self.assertEqual(lines.count("end"), 2)
        self.assertNotIn("5", lines)
        self.assertEqual(self.ok("log", "--tail", "0", handle).stdout, "")
        self.assertEqual(len(self.ok("log", "--tail", "999", f"{handle}/w/0").lines), 6)
        for bad in ("-1", "some"):
            self.expect_failure(64, "usage", "log", "--tail", bad, handle)

    def test_tail_limits_only_the_lines_before_the_start_of_the_follower(self):
        gate = self.gate()
        handle = self.detach(self.app("seq 1 50; touch ready; read go < gate; seq 51 60"))
        self.file_appears("ready")
        self.eventually(lambda: self.ok("log", handle).lines[-1:] == ["50"], "the first lines are in the log")
        follower = self.start("log", "-f", "--tail", "2", handle)
        self.assertEqual([follower.stdout.readline() for _ in range(2)], [b"49\n", b"50\n"])
        self.open_gate(gate)
        self.assertEqual(self.finish(follower).lines, [str(i) for i in range(51, 61)])

    def test_regex_keeps_lines_with_a_match(self):
        handle = self.finished("echo apple 12; echo pear 7; printf 'apple x'")
        self.assertEqual(self.ok("log", "--regex", "^apple", handle).stdout, "apple 12\napple x")
        self.assertEqual(self.ok("log", "--regex", r"\d{2}", handle).stdout, "apple 12\n")
        self.assertEqual(self.ok("log", "--regex", r"(?<=pear )\d", handle).stdout, "pear 7\n")
        self.assertEqual(self.ok("log", "--regex", r"^(?!apple)", handle).stdout, "pear 7\n")
        self.assertEqual(self.ok("log", "--regex", "nothing", handle).stdout, "")
        self.assertEqual(self.ok("log", "--regex", "apple", "--tail", "1", handle).stdout, "apple x")
        self.expect_failure(64, "usage", "log", "--regex", "(", handle)

    def test_regex_sees_the_line_without_its_prefix(self):
        handle = self.finished(role("w", "echo r${replica_id}", num_replicas=2))
        self.assertEqual(self.ok("log", "--regex", "^r1$", handle).stdout, "w/1 r1\n")

    def test_json_is_one_object_per_line(self):
        handle = self.finished(role("w", "printf 'r${replica_id}\\n\\377\\rend'", num_replicas=2))
        rows = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        self.assertEqual(len(rows), 4)
        for row in rows:
            self.assertLessEqual({"role", "replica", "stream", "time", "line"}, set(row))
            self.assertEqual((row["role"], row["stream"]), ("w", "combined"))
            self.assert_time(row["time"])
        for k in range(2):
            self.assertEqual([r["line"] for r in rows if r["replica"] == k], [f"r{k}", "\ufffd\rend"])

    def test_follow_ends_with_the_app_and_returns_0(self):
        gate = self.gate()
        handle = self.detach(self.app("echo one; read go < gate; echo two; exit 3"))
        follower = self.start("log", "-f", handle)
        self.assertEqual(follower.stdout.readline(), b"one\n")
        self.open_gate(gate)
        result = self.finish(follower)
        self.assertEqual((result.status, result.stdout), (0, "two\n"))

    def test_follow_of_an_app_that_has_ended_shows_its_whole_log(self):
        handle = self.finished("seq 1 1000; exit 3")
        self.assertEqual(self.ok("log", "--follow", handle).lines, [str(i) for i in range(1, 1001)])

    def test_without_follow_the_command_does_not_wait(self):
        handle = self.detach(self.app("echo now; touch ready; sleep 1000"))
        self.file_appears("ready")
        self.eventually(lambda: self.ok("log", handle).stdout == "now\n", "the line is in the log")
        self.assert_state(handle, "RUNNING")

    def test_a_follower_from_the_start_misses_no_line(self):
        app = self.app(role("w", "for i in $(seq 1 300); do echo line $i; done", num_replicas=4))
        handle = self.detach(app)
        result = self.finish(self.start("log", "-f", handle))
        for k in range(4):
            own = [line for line in result.lines if line.startswith(f"w/{k} ")]
            self.assertEqual(own, [f"w/{k} line {i}" for i in range(1, 301)])
        self.assertEqual(len(result.lines), 1200)

    def test_follow_may_begin_before_a_replica_was_started(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate; echo r${replica_id}", num_replicas=20)))
        follower = self.start("log", "-f", handle)
        self.open_gate(gate, replicas=20)
        self.assertEqual(sorted(self.finish(follower).lines), sorted(f"w/{k} r{k}" for k in range(20)))

    def test_a_follower_prints_only_complete_lines_until_the_end(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", "printf half; read go < gate; echo ' whole'; printf end",
                                           num_replicas=2)))
        follower = self.start("log", "-f", handle)
        self.ok("wait", "--for", "RUNNING", handle)
        self.open_gate(gate, replicas=2)
        out = self.finish(follower).out
        for k in range(2):
            self.assertIn(b"w/%d half whole\n" % k, out)
            self.assertIn(b"w/%d end" % k, out)

    def test_bad_times_are_refused(self):
        handle = self.finished("true")
        for text in ("yesterday", "10 parsecs", "@x", "2026-13-01T00:00:00Z"):
            with self.subTest(text=text):
                self.expect_failure(64, "usage", "log", "--since", text, handle)

    def test_unknown_apps_are_not_found(self):
        self.expect_failure(66, "not_found", "log", "local_cwd://slipway/none-1")
        self.expect_failure(66, "not_found", "log", "-f", "none-1")

    @needs_root
    def test_follow_ends_with_an_error_when_the_record_cannot_be_read_any_more(self):
        for directory in (self.root, self.cwd):
            os.chown(directory, NOBODY, NOBODY)
        self.wrapper = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        gate = self.gate()
        handle = self.detach(self.app(role("w", "echo one; read go < gate; echo two")))
        process = self.start("log", "-f", handle)
        self.assertEqual(process.stdout.readline(), b"one\n")
        session = self.app_dir(handle).parent
        session.chmod(0)
        self.open_gate(gate)
        try:
            result = self.finish(process)
        finally:
            session.chmod(0o700)
        self.assertEqual(result.status, 77, result)
        # A warning about the record, one about the log, and the error.
        self.assertEqual(result.stderr.count("Permission denied"), 3, result)


if __name__ == "__main__":
    unittest.main()
