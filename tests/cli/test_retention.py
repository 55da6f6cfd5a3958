"""How long records of finished apps are kept: keep_days, keep_gb, keep_apps, cache_size."""

import unittest

from slipway_case import SANITIZED, SlipwayCase

UTC = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


class Retention(SlipwayCase):
    def run_app(self, *options):
        """Runs an app to its end with these run options. Returns the handle."""
        arguments = [part for option in options for part in ("-c", option)]
        return self.ok("run", "-q", "--no-log", *arguments, self.app("true")).stdout.strip()

    def handles(self):
        return {app["handle"] for app in self.ok("list", "--all", "--json").json["apps"]}

    def test_keep_apps_limits_the_number_and_overrides_cache_size(self):
        handles = [self.run_app() for _ in range(4)]
        last = self.run_app("keep_apps=2", "cache_size=50")
        kept = self.handles()
        self.assertIn(last, kept)
        self.assertNotIn(handles[0], kept)
        # Two, and the newest app unless it had ended when the command counted.
        self.assertIn(len(kept), (2, 3))

    def test_keep_days_deletes_older_finished_apps(self):
        old = [self.run_app() for _ in range(3)]
        running = self.detach(self.app("sleep 1000"))
        self.run_app("keep_days=1")
        self.assertLessEqual(set(old), self.handles())
        last = self.run_app("keep_days=0")
        kept = self.handles()
        self.assertIn(running, kept)
        self.assertEqual(kept & set(old), set())
        self.assertLessEqual(kept, {running, last})

    @unittest.skipIf(SANITIZED, "starting so many apps would take minutes")
    def test_the_default_limits_keep_many_apps_that_have_just_ended(self):
        handles = [self.run_app() for _ in range(120)]
        self.assertEqual(self.handles(), set(handles))

    def test_the_message_about_a_pruned_app_names_the_option(self):
        first = self.run_app()
        self.eventually(lambda: not self.living_helpers(), "no helper holds the record")
        self.run_app("keep_apps=0")
        self.assertNotIn(first, self.handles())
        app_id = first.rpartition("/")[2]
        said = rf"the app {app_id} ended at {UTC} and was deleted at {UTC} by the run option keep_apps=0"
        for command in (("status", first), ("status", app_id), ("log", first), ("log", app_id), ("wait", first),
                        ("cancel", first), ("describe", first), ("delete", app_id)):
            with self.subTest(command):
                error = self.expect_failure(66, "not_found", *command)
                self.assertRegex(error["message"], said)
                self.assertIn("[scheduler.local_cwd]", error["hint"])
        never = self.expect_failure(66, "not_found", "status", "never-there")
        self.assertIn("there is no app", never["message"])

    def test_the_message_about_a_deleted_app_names_the_commands_that_delete(self):
        first, damaged, second = (self.run_app() for _ in range(3))
        self.eventually(lambda: not self.living_helpers(), "no helper holds a record")
        (self.app_dir(damaged) / "state.bin").write_bytes(b"")
        (self.app_dir(damaged) / "events.log").write_bytes(b"")
        self.ok("delete", first, damaged)
        self.ok("prune", "--name", "*", "--yes")
        for handle, ended in ((first, rf" ended at {UTC} and"), (second, rf" ended at {UTC} and"), (damaged, "")):
            app_id = handle.rpartition("/")[2]
            said = rf"the app {app_id}{ended} was deleted at {UTC} by `slipway delete` or `slipway prune`$"
            for command in ("status", "log", "wait", "delete"):
                with self.subTest(command, handle=handle):
                    error = self.expect_failure(66, "not_found", command, handle)
                    self.assertRegex(error["message"], said)
                    self.assertIn("slipway list --all", error["hint"])

    def test_force_deletes_a_damaged_record_beside_a_running_app(self):
        damaged = self.run_app()
        running = self.detach(self.app("exec sleep 1000"))
        self.eventually(lambda: len(self.living_helpers()) == 2, "only the running app has helpers")
        for name in ("state.bin", "events.log"):
            (self.app_dir(damaged) / name).write_bytes(b"")
        deleted = self.ok("delete", "--force", "--json", running, damaged).json
        self.assertEqual((sorted(deleted["deleted"]), deleted["errors"]), (sorted([running, damaged]), []))
        self.assertEqual(self.handles(), set())

    def test_values_out_of_range_are_refused(self):
        for option in ("keep_gb=-1", "keep_gb=nan", "keep_apps=-1", "keep_days=-1", "keep_days=nan", "keep_days=99999"):
            with self.subTest(option=option):
                error = self.expect_failure(65, "invalid", "dryrun", "-c", option, self.app("true"))
                self.assertIn(option.partition("=")[0], error["message"])


if __name__ == "__main__":
    unittest.main()
