"""`slipway prune` and cached images: it lists and removes those that no app uses, by their last use and size."""

import os
import time
import unittest

from app_text import role
from archive_case import PROGRAM, ArchiveCase, file_entry
from slipway_case import TREE

# 10 days ago, in whole seconds: a run removes an image only after 30 days without use.
LONG_AGO = int(time.time()) - 10 * 86400
FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


class PruneImages(ArchiveCase):
    def used(self, name, data=b"", at=None):
        """Runs an app in an archive until its end. Returns its handle and the image, whose last use becomes the time
        `at`, in seconds."""
        archive = self.tar(file_entry("program", PROGRAM, 0o755), file_entry("data", name.encode() + data),
                           name=f"{name}.tar")
        self.app(role("w", image=str(archive), entrypoint="program"), name=name, file=f"{name}.toml")
        handle = self.ok("run", "-d", "-s", "local", f"{name}.toml").stdout.strip()
        self.ok("wait", handle)
        image = self.image_of(archive)
        if at:
            self.set_last_use(image, at)
        return handle, image

    def set_last_use(self, image, at):
        # The supervisor of the app holds the lock for a moment after the end.
        self.eventually(lambda: str(image) in self.listed(), "the image is not used")
        os.utime(self.images_dir / ".locks" / image.name, (at, at))

    def prune(self, *options):
        return self.ok("prune", "--json", *options).json

    def listed(self, *options):
        """Returns the directories of the images that `prune` would remove."""
        return [image["root"] for image in self.prune("--images", *options)["images"]]

    def test_images_ignores_selectors_of_apps_in_files_and_refuses_those_of_the_command_line(self):
        _, image = self.used("old", at=LONG_AGO)
        for state in ("FAILED", "RUNNING"):
            self.write("slipway.toml", f"[cli.prune]\nstate = '{state}'\nlabel = 'x'\nscheduler = 'local'\n")
            self.assertEqual(self.listed(), [str(image)])
        for words in (("--state", "FAILED"), ("-s", "local"), ("--name", "x"), ("--session", "slipway")):
            with self.subTest(words):
                self.expect_failure(64, "usage", "prune", "--images", *words)

    def test_unused_images_are_listed_with_size_and_last_use_and_then_removed(self):
        handle, image = self.used("old", at=LONG_AGO)
        shown = self.ok("prune", "--before", "0s")
        self.assertRegex(shown.stdout, rf"(?m)^archive +1 MiB +20\d\d-\S+ +{image}$")
        self.assertIn("1 app would be deleted, with records and logs", shown.stderr)
        self.assertIn("1 unused image (1 MiB) would be deleted; --yes deletes them", shown.stderr)
        listed = self.prune("--before", "0s")
        self.assertEqual(listed["would_delete"], [handle])
        (row,) = listed["images"]
        self.assertGreater(row.pop("bytes"), 0)
        used_at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(LONG_AGO))
        self.assertEqual(row, {"provider": "archive", "root": str(image), "last_used_at": used_at})
        self.assertEqual(self.images(), [image.name])
        deleted = self.prune("--yes", "--before", "0s")
        self.assertEqual((deleted["deleted"], [one["root"] for one in deleted["images"]], deleted["errors"]),
                         ([handle], [str(image)], []))
        self.assertEqual(self.images() + self.unfinished(), [])
        self.ok("run", "-s", "local", "old.toml")
        self.assertEqual(self.images(), [image.name])

    def test_images_are_selected_by_last_use_and_size(self):
        _, old = self.used("old", at=LONG_AGO)
        _, large = self.used("large", os.urandom(3 << 20))
        self.eventually(lambda: len(self.listed()) == 2, "no image is used")
        for options, expected in (((), [old, large]), (("--before", "1h"), [old]), (("--before", "0s"), [old, large]),
                                  (("--larger", "2MiB"), [large]), (("--larger", "2MiB", "--before", "1h"), []),
                                  (("--larger", "1GiB"), [])):
            with self.subTest(options=options):
                self.assertEqual(self.listed(*options), list(map(str, expected)))
        self.prune("--yes", "--images", "--larger", "2MiB")
        self.assertEqual(self.images(), [old.name])

    def test_option_images_prunes_images_alone(self):
        handle, _ = self.used("app", at=LONG_AGO)
        deleted = self.ok("prune", "--yes", "--images")
        # The two lines are the heading and the image.
        self.assertEqual((deleted.stdout.count("\n"), self.images()), (2, []))
        self.assertIn("1 unused image (1 MiB) deleted", deleted.stderr)
        self.assertNotIn("app", deleted.stderr)
        self.assert_state(handle, "SUCCEEDED")

    def test_the_image_of_a_running_app_stays(self):
        gate = self.gate()
        archive = self.program_tar()
        app = self.image_app(archive, f"read go < {self.cwd}/gate")
        handle = self.ok("run", "-d", "-s", "local", app).stdout.strip()
        self.eventually(lambda: self.status_of(handle)["state"] == "RUNNING", "the app runs")
        self.assertEqual(self.prune("--yes", "--images")["images"], [])
        self.assertEqual(self.images(), [self.image_of(archive).name])
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)

    def test_selectors_of_apps_leave_images_alone(self):
        self.used("app", at=LONG_AGO)
        for options in (("--name", "a*"), ("--state", "SUCCEEDED"), ("--since", "1h"), ("--label", "k=v"),
                        ("-s", "local", "--before", "0s"), ("--session", "slipway", "--before", "0s")):
            with self.subTest(options=options):
                self.assertEqual(self.prune(*options)["images"], [])
                self.assertIn("--images selects by", self.expect(64, "prune", "--yes", "--images", *options).stderr)
        self.assertEqual(len(self.images()), 1)

    def test_without_a_cache_there_is_nothing_to_prune(self):
        self.assertEqual(self.prune("--yes", "--images"), {"deleted": [], "images": [], "errors": []})
        self.assertIn("0 unused images would be deleted", self.ok("prune", "--images").stderr)
        self.assertFalse(self.cache.exists())

    def test_an_image_that_cannot_be_removed_is_an_error_and_the_others_are_removed(self):
        _, first = self.used("first", at=LONG_AGO)
        _, second = self.used("second", at=LONG_AGO + 60)
        self.faulty("fails_to_remove")
        kept = self.expect(75, "prune", "--json", "--yes", "--images")
        self.assertEqual([one["root"] for one in kept.json["images"]], [str(first), str(second)])
        self.assertEqual([error["message"] for error in kept.json["errors"]], ["not today"])
        self.assertIn(f"{kept.json['errors'][0]['image']} is not deleted: not today", kept.stderr)
        self.assertEqual(self.images(), [])

    def test_a_provider_that_crashes_is_skipped(self):
        handle, image = self.used("app", at=LONG_AGO)
        self.faulty("crashes_listing_images")
        result = self.ok("prune", "--json", "--yes", "--before", "0s")
        self.assertIn("org.example.faulty", result.stderr)
        self.assertEqual((result.json["deleted"], [one["root"] for one in result.json["images"]]),
                         ([handle], [str(image)]))

    def faulty(self, fault):
        """Adds a plug-in whose image provider has this fault. It lists one unused image."""
        self.env.update(SLIPWAY_PLUGIN_PATH=str(FAULTY), SLIPWAY_FAULT=fault)


if __name__ == "__main__":
    unittest.main()
