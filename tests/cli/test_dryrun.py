"""`run --dryrun`, `run -n` and `dryrun` show an app and start nothing."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

ROLE_KEYS = {"name", "image", "entrypoint", "args", "env", "num_replicas", "min_replicas", "max_retries",
             "retry_policy", "resource", "port_map", "metadata", "mounts"}
RESOURCE_KEYS = {"cpu", "gpu", "memMB", "capabilities", "devices", "tags"}


class DryRun(SlipwayCase):
    def test_creates_no_file_and_no_process(self):
        app = self.app("touch made")
        for arguments in (["run", "-n"], ["run", "--dryrun"], ["dryrun"], ["run", "-n", "--json"],
                          ["dryrun", "--json"]):
            with self.subTest(arguments=arguments):
                self.ok(*arguments, "-c", f"log_dir={self.root}/logs", app)
                self.ok(*arguments, app)
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), ["config", "cwd"])
        self.assertEqual([p.name for p in self.cwd.iterdir()], ["app.toml"])
        self.assert_nothing_lives()

    def test_prints_the_commands_on_stdout(self):
        result = self.ok("run", "-n", self.app(role("w", "echo hello", num_replicas=2)))
        self.assertIn("w/0", result.stdout)
        self.assertIn("w/1", result.stdout)
        self.assertIn("echo hello", result.stdout)

    def test_json_has_the_app_the_options_and_the_request(self):
        app = self.app(role("w", "true", num_replicas=2, max_retries=1), name="named")
        document = self.ok("run", "-n", "--json", app).json
        self.assertLessEqual({"app", "scheduler", "cfg", "ignored", "request"}, set(document))
        self.assertEqual(document["scheduler"], "local_cwd")
        self.assertLessEqual({"name", "roles", "metadata"}, set(document["app"]))
        self.assertEqual(document["app"]["name"], "named")
        (only,) = document["app"]["roles"]
        self.assertLessEqual(ROLE_KEYS, set(only))
        self.assertLessEqual(RESOURCE_KEYS, set(only["resource"]))
        self.assertEqual((only["name"], only["entrypoint"], only["args"], only["num_replicas"]),
                         ("w", "/bin/sh", ["-c", "true"], 2))
        self.assertIsInstance(document["request"], dict)
        self.assertLessEqual({"log_dir", "prepend_cwd", "auto_set_cuda_visible_devices", "grace_s"},
                             set(document["cfg"]))
        self.assertEqual(document["cfg"]["grace_s"], 10)

    def test_reports_fields_that_the_scheduler_ignores_in_json_and_as_a_warning(self):
        app = self.app(role("w", "true", mounts=["type=volume,src=v,dst=/data"],
                            base_image="old"))
        result = self.ok("run", "-n", "--json", app)
        for finding in result.json["ignored"]:
            self.assertLessEqual({"role", "field", "why"}, set(finding))
        fields = {(f["role"], f["field"]) for f in result.json["ignored"]}
        self.assertLessEqual({("w", "mounts"), ("w", "base_image")}, fields)
        self.assertIn("mounts", result.stderr)

    def test_reports_fields_that_every_scheduler_ignores(self):
        app = self.app(role("w", "true", deployment_preference="anywhere"))
        ignored = self.ok("run", "-n", "--json", app).json["ignored"]
        self.assertIn(("w", "deployment_preference"), [(f["role"], f["field"]) for f in ignored])

    def test_redacts_secrets_wherever_they_are_shown(self):
        app = self.app(role("w", "true", env={"API_TOKEN": "hush-1", "DB_PASSWORD": "hush-2", "MY_SECRET": "hush-3",
                                              "AWS_SECRET_ACCESS_KEY": "hush-4", "PLAIN": "seen"}))
        for arguments in (["run", "-n"], ["run", "-n", "--json"], ["dryrun"], ["dryrun", "--json"]):
            with self.subTest(arguments=arguments):
                result = self.ok(*arguments, app)
                self.assertNotIn("hush", result.stdout + result.stderr)
                self.assertIn("seen", result.stdout)
                self.assertIn("hush-4", self.ok(*arguments, "--show-secrets", app).stdout)

    def test_a_real_run_gets_the_real_secret(self):
        result = self.ok("run", self.app(role("w", 'echo "token=$API_TOKEN"', env={"API_TOKEN": "hush"})))
        self.assertIn("w/0 token=hush\n", result.stderr)

    def test_checks_the_app_as_a_run_does(self):
        self.expect_failure(65, "invalid", "run", "-n", self.write("empty.toml", ""))
        self.expect_failure(66, "not_found", "dryrun", "nothing.toml")
        self.expect_failure(66, "not_found", "dryrun", "-s", "nowhere", self.app("true"))
        self.expect_failure(65, "invalid", "dryrun", "-c", "cache_size=x", self.app("true"))

    def test_does_not_look_for_the_program(self):
        self.ok("run", "-n", self.app(role("w", entrypoint="/there/is/none")))


if __name__ == "__main__":
    unittest.main()
