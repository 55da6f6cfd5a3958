"""`slipway prune`: deletes finished apps by age, name, state or size of the logs, and only lists them without --yes."""

import unittest

from slipway_case import SlipwayCase


class Prune(SlipwayCase):
    def finished(self, name, script="true", *options):
        """Runs an app to its end. Returns the handle."""
        handle = self.detach(self.app(script, name=name, file=f"{name}.toml"), *options)
        self.run_slipway("wait", handle)
        return handle

    def listed(self):
        return {app["handle"] for app in self.ok("list", "--all", "--json", "-s", "local_cwd").json["apps"]}

    def test_lists_what_it_would_delete_and_deletes_nothing(self):
        handle = self.finished("old")
        result = self.ok("prune", "--before", "0s")  # age 0: all finished apps
        self.assertIn(handle, result.stdout)
        self.assertIn("1 app would be deleted", result.stderr)
        self.assertEqual(self.listed(), {handle})
        self.assertEqual(self.ok("prune", "--json", "--before", "0s").json,
                         {"would_delete": [handle], "images": [], "errors": []})

    def test_deletes_records_and_logs(self):
        handle = self.finished("old", "echo hello")
        record = self.app_dir(handle)
        self.assertTrue(record.exists())
        deleted = self.ok("prune", "--json", "--yes", "--before", "0s").json
        self.assertEqual(deleted, {"deleted": [handle], "images": [], "errors": []})
        self.assertFalse(record.exists())
        self.expect(66, "status", handle)

    def test_filters_select_together(self):
        good, bad, other = self.finished("test-a"), self.finished("test-b", "exit 3"), self.finished("real")
        cases = ((("--name", "test-*"), {good, bad}), (("--state", "failed"), {bad}),
                 (("--name", "test-*", "--state", "SUCCEEDED"), {good}), (("--before", "1d"), set()),
                 (("--name", "nosuch"), set()), (("-s", "local_cwd", "--before", "0s"), {good, bad, other}))
        for options, expected in cases:
            with self.subTest(options=options):
                self.assertEqual(set(self.ok("prune", "--json", *options).json["would_delete"]), expected)

    def test_larger_selects_by_the_size_of_the_logs(self):
        large = self.finished("large", "head -c 3000000 /dev/zero")
        self.finished("small", "echo x")
        selected = self.ok("prune", "--json", "--larger", "2MiB").json["would_delete"]
        self.assertEqual(selected, [large])
        self.assertEqual(self.ok("prune", "--json", "--larger", "1GiB").json["would_delete"], [])
        self.assertEqual(self.ok("prune", "--json", "--larger", "2MiB", "--name", "sm*").json["would_delete"], [])
        self.expect(64, "prune", "--larger", "much")

    def test_larger_finds_logs_in_directories_with_any_names(self):
        large = self.finished("large", "head -c 3000000 /dev/zero", "-c", f"log_dir={self.cwd}/my logs 100%")
        self.assertEqual(self.ok("prune", "--json", "--larger", "2MiB").json["would_delete"], [large])

    def test_running_apps_stay(self):
        gate = self.gate()
        handle = self.detach(self.app("read go < gate"))
        self.assertEqual(self.ok("prune", "--json", "--yes", "--before", "0s").json["deleted"], [])
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)

    def test_bad_filters_are_usage_errors(self):
        handle = self.finished("old")
        for options in ((), ("-s", "local_cwd"), ("--state", "RUNNING"), ("--state", "nosuch"), ("--before", "soon")):
            with self.subTest(options=options):
                self.expect(64, "prune", "--yes", *options)
        self.assertEqual(self.listed(), {handle})


if __name__ == "__main__":
    unittest.main()
