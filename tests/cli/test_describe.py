"""`slipway describe`: the recorded app, as a file that runs again."""

import unittest

from app_text import role
from free_ports import free_port
from slipway_case import SlipwayCase

PORT = free_port()
# A role with most fields, and with values that TOML, JSON and the shell must quote.
FULL = role("w", 'printf "%s ${replica_id} \\"quoted\\" $$" "$MINE"; exit 4', num_replicas=2,
            env={"MINE": "a\"b\\c é\ttab"},
            max_retries=0, retry_policy="REPLICA", metadata={"kind": "test", "deep": {"list": [1, 2.5, True, "x"]}},
            port_map={"http": PORT}, resource={"cpu": 2, "gpu": 0, "memMB": 512, "capabilities": {"zone": "b"},
                                               "devices": {"vpc/efa": 1}},
            mounts=["type=bind,src=/tmp,dst=/mnt,readonly"])


def without_run_identity(app):
    """Returns the app without the fields that each run adds."""
    for each in app["roles"]:
        each["env"] = {k: v for k, v in each["env"].items() if not k.startswith("TORCHX_")}
    return app


class Describe(SlipwayCase):
    def run_once(self, app, *arguments):
        """Runs an app to its end. Returns the handle."""
        return self.run_slipway("run", "--no-log", *arguments, app).stdout.strip()

    def test_its_output_runs_with_the_same_result(self):
        first = self.run_once(self.app(FULL))
        text = self.ok("describe", first)
        again = self.expect(4, "run", "--no-log", self.write("again.toml", text.out)).stdout.strip()
        self.assertNotEqual(first, again)
        for k in range(2):
            # The last word is the pid of the replica.
            mine, other = (self.ok("log", f"{h}/w/{k}").stdout.rsplit(" ", 1)[0] for h in (first, again))
            self.assertEqual(mine, other)
            self.assertIn('a"b\\c é\ttab', mine)

    def test_its_json_output_runs_with_the_same_result(self):
        first = self.run_once(self.app(FULL))
        self.expect(4, "run", "--no-log", "-", stdin=self.ok("describe", "--json", first).out)

    def test_its_output_has_every_field_of_the_app(self):
        original = self.ok("run", "-n", "--json", self.app(FULL)).json["app"]
        first = self.run_once(self.app(FULL))
        self.assertEqual(without_run_identity(self.ok("describe", "--json", first).json),
                         without_run_identity(original))
        text = self.write("again.toml", self.ok("describe", first).out)
        self.assertEqual(without_run_identity(self.ok("run", "-n", "--json", text).json["app"]),
                         without_run_identity(original))

    def test_the_description_of_its_output_is_equal(self):
        """Runs the TOML and the JSON output, and compares their descriptions with the first one byte by byte."""
        mounts = ["type=bind,src=/tmp,dst=/mnt,readonly", "type=volume,src=v,dst=/v",
                  "type=device,src=/dev/null,dst=/dev/n,perm=rw"]
        app = self.app({**FULL, "mounts": mounts, "base_image": "base", "image": "sub", "min_replicas": 1,
                        "deployment_preference": "spread",
                        "metadata": {"a.b": {"c": [1, {"d": ""}]}, "null": "~"}},
                       role("v", "true", port_map={"x": 0}, resource="gpu.small"))
        first = self.run_once(app)
        self.assertIn('deployment_preference = "spread"', self.ok("describe", first).stdout)
        toml, json = (self.ok("describe", *how, first).out for how in ([], ["--json"]))
        for text, file in ((toml, self.write("again.toml", toml)), (json, self.write("again.json", json))):
            again = self.run_once(file)
            self.assertEqual(self.ok("describe", *(["--json"] if text is json else []), again).out, text)

    def test_the_second_run_has_its_own_handle_in_torchx_job_id(self):
        first = self.run_once(self.app('echo "job=$TORCHX_JOB_ID"'))
        self.assertEqual(self.ok("log", first).stdout, f"job={first}\n")
        text = self.write("again.toml", self.ok("describe", first).out)
        second = self.run_once(text, "--session", "elsewhere")
        self.assertEqual(self.ok("log", second).stdout, f"job={second}\n")

    def test_secrets_are_redacted_without_show_secrets(self):
        handle = self.run_once(self.app(role("w", "true", env={"API_TOKEN": "hush", "PLAIN": "seen"})))
        for form in ([], ["--json"]):
            shown = self.ok("describe", *form, handle).stdout
            self.assertNotIn("hush", shown)
            self.assertIn("seen", shown)
            self.assertIn("hush", self.ok("describe", "--show-secrets", *form, handle).stdout)

    def test_url_with_a_password_in_metadata_is_redacted(self):
        app = self.app(role("w", "true"))
        app.write_text(app.read_text() + '[metadata]\nrepo = "git://ada:hush@host/x"\nplain = "seen"\n')
        handle = self.run_once(app)
        for form in ([], ["--json"], ["--full"], ["--full", "--json"]):
            shown = self.ok("describe", *form, handle).stdout
            self.assertNotIn("hush", shown)
            self.assertIn("seen", shown)
            self.assertIn("hush", self.ok("describe", "--show-secrets", *form, handle).stdout)

    def test_a_running_app_can_be_described(self):
        handle = self.detach(self.app("sleep 1000"))
        self.assertIn("sleep 1000", self.ok("describe", handle).stdout)

    def test_named_resources_become_numbers(self):
        handle = self.run_once(self.app(role("w", "true", resource="gpu.small")))
        resource = self.ok("describe", "--json", handle).json["roles"][0]["resource"]
        self.assertGreater(resource["gpu"], 0)

    def test_an_unknown_app_is_not_found(self):
        self.expect_failure(66, "not_found", "describe", "local_cwd://slipway/none-1")


if __name__ == "__main__":
    unittest.main()
