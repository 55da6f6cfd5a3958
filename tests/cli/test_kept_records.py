"""Records of earlier versions (tests/kept_records): this version shows or refuses them, and changes none."""

import shutil
import unittest
from pathlib import Path

from slipway_case import SlipwayCase

KEPT = Path(__file__).parents[1] / "kept_records"
FORMATS = sorted(KEPT.glob("format-*"))
REFUSED = {"format-6", "format-7"}  # no release wrote them
# {app of each kept format: (its state, and of each replica the state, the exit code and the number of restarts)}
REPLICAS = {
    "succeeded": ("SUCCEEDED", "SUCCEEDED", 0, 0),
    "failed": ("FAILED", "FAILED", 3, 1),
    "running": ("RUNNING", "RUNNING", None, 0),
}


class KeptRecords(SlipwayCase):
    def test_records_of_refused_and_of_other_formats_exist(self):
        names = {kept.name for kept in FORMATS}
        self.assertLess(REFUSED, names)

    def copy_records(self, kept):
        """Replaces the test's state directory by one with the records. Returns the directory of their sessions."""
        place = self.state / "slipway" / "local"
        shutil.rmtree(self.state, ignore_errors=True)
        shutil.copytree(kept, place)
        for directory in (self.state, self.state / "slipway", place, *place.rglob("*")):
            directory.chmod(0o700 if directory.is_dir() else 0o600)
        return place

    def assert_unchanged(self, place, kept):
        """Checks that the copies in `place` have the bytes of the kept records."""
        for path in kept.rglob("*"):
            if path.is_file():
                self.assertEqual((place / path.relative_to(kept)).read_bytes(), path.read_bytes(), path)

    def test_records_of_every_format_that_this_version_reads_are_shown(self):
        for kept in FORMATS:
            if kept.name in REFUSED:
                continue
            with self.subTest(format=kept.name):
                place = self.copy_records(kept)
                self.assert_shown()
                self.assert_unchanged(place, kept)

    def test_records_of_formats_that_no_release_wrote_are_refused_and_not_changed(self):
        for name in REFUSED:
            with self.subTest(format=name):
                place = self.copy_records(KEPT / name)
                for record in (path.parent for path in place.rglob("state.bin")):
                    handle = f"local_cwd://{record.parent.name}/{record.name}"
                    for command in (("status",), ("wait",), ("cancel", "--now"), ("delete",), ("describe",)):
                        error = self.expect(69, *command, handle).stderr
                        self.assertIn("written by another version of Slipway", error, command)
                listed = self.ok("list", "--all")
                self.assertEqual(listed.stderr.count("written by another version of Slipway"), len(REPLICAS), listed)
                self.assert_unchanged(place, KEPT / name)

    def assert_shown(self):
        """Checks that commands show the copied records as REPLICAS says."""
        apps = self.ok("list", "--all", "--json").json["apps"]
        self.assertEqual({each["name"]: each["state"] for each in apps},
                         {name: expected[0] for name, expected in REPLICAS.items()})
        for app in apps:
            app_state, state, exit_code, restarts = REPLICAS[app["name"]]
            status = self.status_of(app["handle"])
            self.assertEqual((status["name"], status["state"]), (app["name"], app_state))
            self.assertTrue(status["submitted_at"])
            replicas = self.replicas_of(app["handle"])
            self.assertEqual(set(replicas), {"w/0", "w/1"})
            for replica in replicas.values():
                self.assertEqual((replica["state"], replica["exit_code"], replica["restarts"], replica["hostname"]),
                                 (state, exit_code, restarts, "kept-host"))
                # The status lists attempts only of replicas that were started again.
                self.assertEqual(len(replica.get("attempts", [])), restarts + 1 if restarts else 0)
            self.assertIn("sh", self.ok("describe", app["handle"]).stdout)
            if app["name"] == "running":  # it runs on another machine
                self.assertIn("kept-host", self.expect(69, "cancel", app["handle"]).stderr)


if __name__ == "__main__":
    unittest.main()
