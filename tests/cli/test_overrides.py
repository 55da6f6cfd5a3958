"""`run --set`, `--env` and `--env-file`: changes to an app for one run."""

import unittest

from app_text import role
from slipway_case import SlipwayCase


class Overrides(SlipwayCase):
    def dryrun(self, *arguments, app=None):
        """Returns the app that a dry run shows."""
        return self.ok("run", "-n", "-q", "--json", *arguments, app or self.app("true")).json["app"]

    def test_fields_of_roles_are_set_by_name_or_number(self):
        file = self.app(role("w", "true", env={"LR": "1"}), role("x.y", "true"))
        app = self.dryrun("--set", "roles.w.num_replicas=4", "--set", 'roles."x.y".max_retries=2',
                          "--set", "roles.1.args.1=false", "--set", "metadata.team=7", app=file)
        first, second = app["roles"]
        self.assertEqual((first["num_replicas"], second["max_retries"], second["args"]), (4, 2, ["-c", "false"]))
        self.assertEqual(app["metadata"], {"team": "7"})

    def test_values_of_string_fields_stay_strings_and_resources_may_be_named(self):
        app = self.dryrun("--set", "roles.w.env.LR=0.5", "--set", "roles.w.entrypoint=7",
                          "--set", "roles.w.resource=gpu.small")
        (w,) = app["roles"]
        self.assertEqual((w["env"]["LR"], w["entrypoint"], w["resource"]["gpu"]), ("0.5", "7", 1))
        self.assertEqual(self.dryrun("--set", "roles.w.resource.mem=2GiB")["roles"][0]["resource"]["memMB"], 2048)

    def test_the_last_of_the_two_keys_of_the_memory_wins(self):
        mem, count = ("--set", "roles.w.resource.mem=1GiB"), ("--set", "roles.w.resource.memMB=5")
        for options, expected in (((*mem, *count), 5), ((*count, *mem), 1024)):
            with self.subTest(options):
                self.assertEqual(self.dryrun(*options)["roles"][0]["resource"]["memMB"], expected)

    def test_keys_that_torchx_lacks_are_set_in_the_metadata(self):
        (w,) = self.dryrun("--set", "roles.w.timeout_s=5", "--set", "roles.w.backoff.initial=0.5",
                           "--set", "roles.w.cwd=sub")["roles"]
        self.assertEqual(w["metadata"], {"slipway.timeout_s": 5, "slipway.backoff": {"initial": 0.5},
                                         "slipway.cwd": "sub"})
        self.expect_failure(65, "invalid", "run", "--set", "roles.w.grace_s=x", self.app("true"))

    def test_variables_come_from_the_file_then_from_env_then_from_set(self):
        self.write("vars.env", "# a comment\n\nA=file\nB=x=1 \nC=file\nD=file\n")
        handle = self.ok("run", "--env-file", "vars.env", "--env", "C=env", "--env", "D=env",
                         "--set", "roles.w.env.D=set", self.app("echo $A,$B,$C,$D")).stdout.strip()
        self.assertEqual(self.ok("log", handle, "--no-prefix").stdout, "file,x=1,env,set\n")
        env = self.ok("describe", "--json", handle).json["roles"][0]["env"]
        self.assertEqual((env["B"], env["D"]), ("x=1", "set"))

    def test_rerun_and_run_of_a_program_accept_overrides(self):
        first = self.ok("run", "-q", "--env", "A=1", "--set", "roles.sh.num_replicas=2", "--", "sh", "-c",
                        "echo $A").stdout.strip()
        second = self.ok("rerun", "-q", "--env", "A=2", first).stdout.strip()
        self.assertEqual(self.ok("log", second).stdout, "sh/0 2\nsh/1 2\n")

    def test_bad_paths_are_usage_errors_with_a_hint(self):
        app = self.app("true")
        cases = (("roles.w.num_replica=4", "did you mean num_replicas?"), ("role.w.image=x", "did you mean roles?"),
                 ("roles.v.image=x", "the roles are w"), ("roles.w=3", "the keys are name, image"),
                 ("roles.w.resource.gup=1", "did you mean gpu?"), ("roles.w.args.7=x", "items count from 0"),
                 ("roles.w..image=x", "in double quotes"), ("=x", None), ("roles", None),
                 ("roles.w.image.z=1", None))
        for text, hint in cases:
            with self.subTest(text):
                error = self.expect_failure(64, "usage", "run", "--set", text, app)
                self.assertIn(hint or "", error["hint"] or "")
                if "=" not in text[1:]:  # the key or the value is missing
                    self.assertIn("expected KEY=VALUE", error["message"])
        self.assert_no_app()

    def test_run_options_are_not_fields_and_the_hint_names_the_option(self):
        app = self.app("true")
        for key, hint in (("options.local_cwd.grace_s", "write -c grace_s=1"),
                          ("options.local_cwd.backoff.max", "write -c backoff.max=1"),
                          ("options.local_cwd", "write -c NAME=VALUE"), ("x", "the keys are name, roles, metadata")):
            with self.subTest(key):
                self.assertEqual(self.expect_failure(64, "usage", "run", "--set", f"{key}=1", app)["hint"], hint)
        self.assert_no_app()

    def test_bad_values_are_reported_like_those_of_a_file(self):
        error = self.expect_failure(65, "invalid", "run", "--set", "roles.w.num_replicas=x", self.app("true"))
        self.assertEqual([(p["file"], p["key"]) for p in error["problems"]], [("--set", "roles[0].num_replicas")])
        self.expect_failure(66, "not_found", "run", "--set", "roles.w.resource=nosuch", self.app("true"))

    def test_bad_variables_are_errors_that_quote_no_line_of_the_file(self):
        for line in ("secret", "=secret", "secret = x"):
            self.write("bad.env", f"A=1\n{line}\n")
            error = self.expect_failure(65, "invalid", "run", "--env-file", "bad.env", self.app("true"))
            self.assertEqual((error["where"], "secret" in error["message"]), ("bad.env:2", False))
        self.write("bad.env", "export A=1\n")
        error = self.expect_failure(65, "invalid", "run", "--env-file", "bad.env", self.app("true"))
        self.assertIn("leave `export` out", error["hint"])
        self.expect_failure(66, "not_found", "run", "--env-file", "nosuch", self.app("true"))
        self.expect_failure(64, "usage", "run", "--env", "A", self.app("true"))


if __name__ == "__main__":
    unittest.main()
