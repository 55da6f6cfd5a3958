"""`slipway log` of several apps: handles, selectors, prefixes, following, merging, failures."""

import json
import os
import time
import unittest

from app_text import role
from slipway_case import SlipwayCase

# Slipway records about once a second when the bytes of a log were written. Lines with this pause between them
# have different times.
PAUSE_S = 1.3


class LogApps(SlipwayCase):
    def begin(self, name, *roles, options=()):
        """Starts an app. Returns its handle and its id."""
        handle = self.detach(self.app(*roles, name=name, file=f"{name}.toml"), "-q", *options)
        return handle, handle.rpartition("/")[2]

    def ended(self, name, *roles, options=()):
        """Runs an app to its end. Returns its handle and its id."""
        handle, app_id = self.begin(name, *roles, options=options)
        self.run_slipway("wait", "-q", handle)
        return handle, app_id

    def test_prefix_names_the_app(self):
        one, a = self.ended("a", "echo one")
        two, b = self.ended("b", role("w", "echo r${replica_id}", num_replicas=2))
        self.assertEqual(self.ok("log", one, two).lines, [f"{a}/w/0 one", f"{b}/w/0 r0", f"{b}/w/1 r1"])
        self.assertEqual(self.ok("log", two + "/w/1", a).lines, [f"{b}/w/1 r1", f"{a}/w/0 one"])
        self.assertEqual(self.ok("log", "--no-prefix", one, two + "/w/0").lines, ["one", "r0"])
        self.assertEqual(self.ok("log", one).lines, ["one"])

    def test_replicas_of_one_app_in_several_arguments_are_printed_once(self):
        handle, _ = self.ended("a", role("w", "echo r${replica_id}", num_replicas=3), role("x", "echo x"))
        self.assertEqual(sorted(self.ok("log", handle + "/w/0", handle + "/x").lines), ["w/0 r0", "x/0 x"])
        self.assertEqual(len(self.ok("log", handle + "/w/0", handle).lines), 4)
        self.assertEqual(len(self.ok("log", handle, handle + "/w/0").lines), 4)
        self.assertEqual(self.ok("log", handle + "/w/1", handle + "/w/1").lines, ["r1"])

    def test_selectors_choose_running_and_ended_apps(self):
        gate = self.gate()
        _, a = self.ended("one-a", "echo a", options=("--label", "lr=1"))
        _, b = self.begin("one-b", "echo b; read go < gate", options=("--label", "lr=2"))
        c = self.ok("--session", "other", "run", "-q", "--no-log", self.app("echo c", name="two")).stdout.strip()
        self.eventually(lambda: self.ok("log", b).lines == ["b"], "the app has written")
        for arguments, lines in ((["--name", "one-*"], [f"{b}/w/0 b", f"{a}/w/0 a"]), (["--label", "lr=1"], ["a"]),
                                 (["--state", "RUNNING"], ["b"]), (["--session", "other"], ["c"]),
                                 (["--label", "lr", "--state", "SUCCEEDED"], ["a"]), (["--name", "no*"], []),
                                 (["-s", "local_cwd", "--session", "other"], ["c"])):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.ok("log", *arguments).lines, lines)
        self.assertEqual(len(self.ok("log", "--all").lines), 3)
        self.assertEqual(self.ok("log", "--label", "lr=2", c + "/w/0").lines,
                         [f"{c.rpartition('/')[2]}/w/0 c", f"{b}/w/0 b"])
        self.assertIn("selected 1 app: " + a, self.ok("log", "--label", "lr=1").stderr)
        self.assertIn("no app is selected", self.ok("log", "--name", "no*").stderr)
        error = self.expect_failure(64, "usage", "log")
        self.assertIn("no handle and no selector", error["message"])
        self.open_gate(gate)

    def test_since_and_until_choose_lines_and_not_apps(self):
        _, a = self.ended("a", "echo a")
        self.assertEqual(self.ok("log", "--name", "a", "--since", "1h").lines, ["a"])
        self.assertEqual(self.ok("log", "--name", "a", "--until", "1h").lines, [])
        self.expect(64, "log", "--before", "1h", a)

    def test_json_names_the_app_of_each_line(self):
        (one, _), (two, _) = self.ended("a", "echo one"), self.ended("b", "echo two")
        rows = [json.loads(line) for line in self.ok("log", "--json", one, two).lines]
        self.assertEqual([(row["handle"], row["line"]) for row in rows], [(one, "one"), (two, "two")])
        self.assertEqual(self.ok("log", "--json", one).json["handle"], one)

    def test_tail_and_regex_apply_to_each_app(self):
        handles = [self.ended(name, "seq 1 9")[0] for name in ("b", "a")]
        for options in ((), ("-f",)):
            self.assertEqual(self.ok("log", "--no-prefix", "--tail", "1", *options, *handles).lines, ["9", "9"])
            self.assertEqual(self.ok("log", "--no-prefix", "--regex", "[45]", "--tail", "1", *options, *handles).lines,
                             ["5", "5"])
        lines = self.ok("log", "--tail", "1", *handles).lines
        self.assertEqual([line[0] for line in lines], ["b", "a"])  # in the order of the arguments

    def test_lines_without_an_end_do_not_run_together(self):
        (one, a), (two, b) = self.ended("a", "printf one"), self.ended("b", "printf two")
        self.assertEqual(self.ok("log", one, two).stdout, f"{a}/w/0 one\n{b}/w/0 two")
        self.assertEqual(self.ok("log", "--json", one, two).lines[1], self.ok("log", "--json", two).lines[0])

    def test_follow_shows_all_apps_until_the_last_one_has_ended(self):
        gates = {name: self.gate(name) for name in ("a", "b")}
        script = "echo begin; read go < {0}; echo middle; read go < {0}; printf end"
        handles = {name: self.begin(name, script.format(name))[0] for name in gates}
        old, old_id = self.ended("old", "echo old")
        ids = {name: handle.rpartition("/")[2] for name, handle in handles.items()}
        follower = self.start("log", "-f", *handles.values(), old)
        first = sorted(follower.stdout.readline().decode() for _ in range(3))
        self.assertEqual(first, sorted([f"{ids[name]}/w/0 begin\n" for name in gates] + [f"{old_id}/w/0 old\n"]))
        for name in ("b", "a"):
            self.open_gate(gates[name])
            self.assertEqual(follower.stdout.readline().decode(), f"{ids[name]}/w/0 middle\n")
        self.open_gate(gates["a"])
        self.run_slipway("wait", handles["a"])
        self.assertIsNone(follower.poll())
        self.open_gate(gates["b"])
        result = self.finish(follower)
        self.assertEqual(result.status, 0, result)
        self.assertEqual(sorted(result.lines), sorted(f"{each}/w/0 end" for each in ids.values()))

    def test_many_apps_are_followed_completely(self):
        handles = [self.begin(f"n{k}", "for i in $(seq 1 300); do echo line $i; done")[0] for k in range(12)]
        lines = self.ok("log", "-f", *handles).lines
        self.assertEqual(len(lines), 12 * 300)
        for handle in handles:
            prefix = handle.rpartition("/")[2] + "/w/0 "
            self.assertEqual([line for line in lines if line.startswith(prefix)],
                             [f"{prefix}line {i}" for i in range(1, 301)])

    def test_merge_orders_lines_across_apps(self):
        gates = {name: self.gate(name) for name in ("a", "b")}
        handles = {name: self.begin(name, f"while read go; do echo $go; done < {name}")[0] for name in gates}
        for number, name in enumerate(("b", "a", "b")):
            if number:
                time.sleep(PAUSE_S)
            os.write(gates[name], f"line {number}\n".encode())
            self.eventually(lambda name=name, number=number: f"line {number}" in self.ok("log", handles[name]).lines,
                            f"line {number} is in the log")
        live = self.start("log", "-f", "--merge", "--no-prefix", *handles.values())
        self.assertEqual([live.stdout.readline() for _ in range(3)], [b"line 0\n", b"line 1\n", b"line 2\n"])
        self.ok("cancel", "--now", *handles.values())
        self.assertEqual(self.finish(live).status, 0)
        for options in (["--merge"], ["-f"], ["--merge", "--tail", "2"]):
            self.assertEqual(self.ok("log", "--no-prefix", *options, *handles.values()).lines,
                             ["line 0", "line 1", "line 2"])

    def test_option_attempt_selects_that_attempt_of_each_app(self):
        fails = role("w", "echo $SLIPWAY_ATTEMPT; exit 3", max_retries=1)
        quick = ("-c", "backoff=initial:0.01")
        (one, a), (two, _) = self.ended("a", fails, options=quick), self.ended("b", "echo plain")
        self.assertEqual(self.ok("log", "--attempt", "2", one, two).lines, [f"{a}/w/0 2"])
        self.assertEqual(self.ok("log", "--attempt", "2", "--all").lines, [f"{a}/w/0 2"])
        error = self.expect_failure(66, "not_found", "log", "--attempt", "3", one, two)
        self.assertIn("these apps has had 3 attempts; the most are 2", error["message"])

    def test_an_app_that_cannot_be_read_hides_no_other(self):
        (bad, a), (good, b) = self.ended("a", "echo a"), self.ended("b", "echo b")
        missing = "local_cwd://slipway/none-1"
        for options in ((), ("-f",)):
            for wrong, words in ((missing, "there is no app " + missing), (bad + "/nobody", a + " has no role"),
                                 (bad + "/w/7", a + ": role w has no replica 7")):
                with self.subTest(wrong=wrong, options=options):
                    result = self.expect(66, "log", *options, wrong, good)
                    self.assertEqual([line[-1] for line in result.lines], ["b"])
                    self.assertIn(words, result.stderr)
        log = self.app_dir(bad) / "logs" / "w" / "0" / "combined.log"
        log.unlink()
        log.mkdir()
        for options in ((), ("-f",)):
            result = self.run_slipway("log", *options, bad, good, missing)
            self.assertEqual((result.status, result.lines), (66, [f"{b}/w/0 b"]), result)
            self.assertIn("combined.log: it is not a regular file", result.stderr)
        self.expect(66, "log", "nosuch", good)

    def test_following_several_apps_ends_at_the_time_limit(self):
        handles = [self.begin(name, "echo begin; sleep 1000")[0] for name in ("a", "b")]
        for handle in handles:
            self.eventually(lambda handle=handle: self.ok("log", handle).lines, "the app has written")
        result = self.expect(124, "log", "-f", "--timeout", "0.5", *handles)
        self.assertEqual(len(result.lines), 2)

    def test_following_several_apps_ends_with_the_reader(self):
        handles = [self.begin(name, "while echo line; do sleep 0.01; done")[0] for name in ("a", "b")]
        follower = self.start("log", "-f", *handles)
        follower.stdout.readline()
        follower.stdout.close()
        self.eventually(lambda: follower.poll() is not None, "the command has ended")


if __name__ == "__main__":
    unittest.main()
