"""The keys of a role beyond TorchX's fields: timeout_s, grace_s, retry_on, backoff, cwd, ready and depends_on.

test_services.py tests the key service."""

import json
import signal
import tomllib
import unittest

from app_text import role
from slipway_case import SlipwayCase

# A value of each key.
OWN = {"cwd": "sub", "timeout_s": 5, "grace_s": 0.5, "retry_on": [3, "SIGKILL", "timeout"],
       "backoff": {"initial": 0.01, "max": 0.5}, "ready": {"command": "exit 0"}, "depends_on": {"a": "succeeded"}}


class RoleKeys(SlipwayCase):
    def setUp(self):
        super().setUp()
        (self.cwd / "sub").mkdir()

    def test_describe_prints_the_keys_and_json_has_them_in_the_metadata(self):
        app = self.app(role("a", "true"), role("b", "pwd > here", metadata={"team": "x"}, **OWN))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual((self.cwd / "sub" / "here").read_text().strip(), str(self.cwd / "sub"))
        described = tomllib.loads(self.ok("describe", handle).stdout)["roles"][1]
        self.assertEqual({key: described[key] for key in OWN}, OWN)
        self.assertEqual(described["metadata"], {"team": "x"})
        as_json = self.ok("describe", "--json", handle).json
        self.assertEqual(as_json["roles"][1]["metadata"],
                         {"team": "x", **{f"slipway.{key}": value for key, value in OWN.items()}})
        # Both forms are app files, and have the same keys.
        for name, text in (("again.json", json.dumps(as_json)), ("again.toml", self.ok("describe", handle).stdout)):
            with self.subTest(name):
                again = self.ok("--json", "run", "-n", self.write(name, text)).json["app"]
                self.assertEqual([r["metadata"] for r in again["roles"]], [r["metadata"] for r in as_json["roles"]])

    def test_deep_metadata_hides_no_key(self):
        deep = 5
        for _ in range(50):
            deep = [deep]
        app = self.app(role("w", "pwd", metadata={"deep": deep}, cwd="sub"))
        self.assertIn(f"w/0 {self.cwd / 'sub'}", self.ok("run", app).stderr)
        described = self.ok("describe", "--json", "@last").json["roles"][0]["metadata"]
        self.assertEqual(described, {"deep": deep, "slipway.cwd": "sub"})

    def test_each_role_has_its_own_time_limit(self):
        app = self.app(role("short", "exec sleep 60", timeout_s=0.1), role("long", "sleep 0.3"))
        result = self.run_slipway("run", "-c", "timeout_s=50", app)
        replicas = self.replicas_of(result.stdout.strip())
        self.assertEqual(replicas["short/0"]["reason"], "timeout")
        self.assertEqual(replicas["short/0"]["limit"], "timeout_s of 0.1 s")
        self.assertNotEqual(replicas["long/0"]["reason"], "timeout")

    def test_each_role_retries_the_failures_of_its_own_list(self):
        app = self.app(role("no", "exit 4", max_retries=2, retry_policy="REPLICA", retry_on=[3]),
                       role("yes", "exit 4", max_retries=2, retry_policy="REPLICA", retry_on=["4"],
                            backoff={"initial": 0.001, "factor": 1}))
        result = self.run_slipway("run", "-c", "retry_on=9", app)
        restarts = {name: replica["restarts"] for name, replica in self.replicas_of(result.stdout.strip()).items()}
        self.assertEqual(restarts, {"no/0": 0, "yes/0": 2})

    def test_a_cancelled_role_is_killed_after_its_own_grace_time(self):
        forever = "while :; do sleep 0.05; done"
        app = self.app(role("quick", f"echo $$ > pid; trap : TERM; touch up.quick; {forever}", grace_s=0.1),
                       role("slow", "trap 'while kill -0 $(cat pid); do sleep 0.05; done; touch after; exit 0' TERM; "
                            f"touch up.slow; {forever}"))
        handle = self.detach(app, "-c", "grace_s=50")
        self.file_appears("up.quick")
        self.file_appears("up.slow")
        self.ok("cancel", handle)
        self.run_slipway("wait", handle)
        self.assertEqual(self.replicas_of(handle)["quick/0"]["signal"], signal.SIGKILL)
        # `slow` had the longer grace time of the app, in which it saw the end of `quick`.
        self.assertTrue((self.cwd / "after").exists())

    def test_the_grace_time_of_a_cancel_replaces_those_of_all_roles(self):
        forever = "while :; do sleep 0.05; done"
        app = self.app(role("quick", f"trap 'sleep 0.5; exit 9' TERM; touch up.quick; {forever}", grace_s=0.1),
                       role("slow", f"touch up.slow; {forever}", grace_s=30))
        handle = self.detach(app)
        self.file_appears("up.quick")
        self.file_appears("up.slow")
        # 30 s are also the longest grace time of a role. They must replace that of `quick`, although they lengthen no
        # other one.
        self.ok("cancel", "--grace", "30", handle)
        self.assertEqual(self.replicas_of(handle)["quick/0"]["exit_code"], 9)

    def test_the_dry_run_shows_the_keys(self):
        app = self.app(role("a", "true"), role("b", "true", **OWN))
        text = self.ok("run", "-n", app).stdout
        for line in (f"in:   {self.cwd}/sub", "stopped after 5 s", "killed 0.5 s after SIGTERM",
                     "waits until a has succeeded", "ready when", "pauses before retries: 0.01 s at first"):
            self.assertIn(line, text)

    def test_the_dry_run_shows_the_retries(self):
        for keys, said in (({"max_retries": 1},
                            "retried: at most 1 time after any failure; a retry starts the whole app again"),
                           ({"max_retries": 3, "retry_policy": "REPLICA", "retry_on": [75, "SIGUSR1", "lost"]},
                            "at most 3 times after exit 75, SIGUSR1, lost; a retry starts this replica alone again"),
                           ({"max_retries": 2, "retry_policy": "ROLE", "retry_on": ["oom"]},
                            "at most 2 times after oom; a retry starts all replicas of the role again")):
            self.assertIn(said, self.ok("run", "-n", self.app(role("a", "true", **keys))).stdout)
        app = self.app(role("a", "true", max_retries=1))
        self.assertIn("after exit 4; a", self.ok("run", "-n", "-c", "retry_on=4", app).stdout)
        self.assertNotIn("retried", self.ok("run", "-n", self.app(role("a", "true"))).stdout)

    def test_mistakes_have_their_place_and_a_suggestion(self):
        cases = (("timeout_s = \"5\"", "8:13: roles[1].timeout_s: expected a number of seconds, found the string '5'"),
                 ("timeout_s = -1", "expected a number of seconds from 0.0 to 31536000.0, found -1.0"),
                 ("timout_s = 5", "8:1: roles[1].timout_s: unknown key, did you mean timeout_s?"),
                 ("grace_s = 1e9", "roles[1].grace_s: expected a number of seconds from 0.0 to 604800.0"),
                 ("retry_on = [\"oomm\"]", "8:13: roles[1].retry_on[0]: 'oomm' is not a kind of failure"),
                 ("retry_on = [\"OOM\"]", "'OOM' is not a kind of failure, did you mean oom?"),
                 ("retry_on = [300]", "'300' is not a kind of failure"),
                 ("backoff = { intial = 1 }", "8:13: roles[1].backoff.intial: unknown key, did you mean initial?"),
                 ("backoff = { factor = 0.5 }", "expected a number from 1.0 to 1000.0, found 0.5"),
                 ("cwd = 5", "roles[1].cwd: expected a directory, found the integer 5"),
                 ("cwd = \"\"", "the directory has an empty name"),
                 ("ready = { tpc = 80 }", "8:11: roles[1].ready.tpc: unknown key, did you mean tcp?"),
                 ("ready = { within_s = 8 }", "expected one of tcp, command and log, found none"),
                 ("ready = { log = \"a\", tcp = 80 }", "expected one of tcp, command and log, found 2"),
                 ("depends_on = [\"b\"]", "expected a table of roles, found a list"),
                 ("depends_on = { bb = \"started\" }", "8:16: roles[1].depends_on.bb: there is no role 'bb'"),
                 ("depends_on = { w = \"started\" }", "the role waits for itself"),
                 ("depends_on = { b = \"startet\" }", "found 'startet', did you mean started?"),
                 ("metadata = { \"slipway.timeot_s\" = 5 }", "unknown key, did you mean timeout_s?"),
                 ("metadata = { \"slipway.cwd\" = \"x\" }\ncwd = \"y\"", "say the same thing"))
        for line, message in cases:
            with self.subTest(line):
                app = self.write("bad.toml", "name = \"x\"\n[[roles]]\nname = \"b\"\nentrypoint = \"true\"\n"
                                 "[[roles]]\nname = \"w\"\nentrypoint = \"true\"\n" + line + "\n")
                self.assertIn(message, self.expect(65, "run", app).stderr)
                self.assertIn(": error: ", self.expect(65, "lint", app).stdout)

    def test_components_fill_the_keys_in_with_their_types(self):
        component = self.write("c.toml", """[component.go]
help = "Sleeps."
[component.go.params.limit]
type = "float"
default = 2.5
help = "seconds"
[component.go.app]
name = "go"
[component.go.app.options.local_cwd]
grace_s = "{{limit}}"
[[component.go.app.roles]]
name = "w"
entrypoint = "true"
timeout_s = "{{limit}}"
cwd = "{{limit}}"
""")
        made = self.ok("--json", "run", "-n", component, "-P", "limit=7").json
        self.assertEqual(made["app"]["roles"][0]["metadata"], {"slipway.timeout_s": 7.0, "slipway.cwd": "7.0"})
        self.assertEqual(made["cfg"]["grace_s"], 7.0)

    def test_the_older_names_in_the_metadata_exclude_the_new_ones(self):
        for old, new in (({"local.ready.tcp": 80}, {"ready": {"tcp": 80}}),
                         ({"local": {"depends_on": {"a": "started"}}}, {"depends_on": {"a": "started"}})):
            app = self.app(role("a", "true"), role("b", "true", metadata=old, **new))
            self.assertIn("say the same thing", self.expect(65, "run", app).stderr)


if __name__ == "__main__":
    unittest.main()
