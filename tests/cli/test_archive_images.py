"""Images that are archives: their choice, one unpacking for each content, and their deletion."""

import os
import signal
import stat
import subprocess
import unittest

from archive_case import PROGRAM, ArchiveCase, file_entry, special
from app_text import role


class Unpacking(ArchiveCase):
    def assert_runs(self, image):
        """Runs the program of the image, and checks its output. Returns the Result."""
        result = self.ok("run", "-s", "local", self.image_app(image))
        self.assertIn("w/0 from the image\n", result.stderr)
        return result

    def test_every_kind_of_archive_is_unpacked(self):
        for name, mode in [("a.tar", "w"), ("a.tar.gz", "w:gz"), ("a.tgz", "w:gz"), ("a.tar.xz", "w:xz"),
                           ("a.tar.bz2", "w:bz2")]:
            with self.subTest(name):
                self.assert_runs(self.program_tar(name, mode))
        with self.subTest("a.zip"):
            self.assert_runs(self.zip("a.zip", program=PROGRAM))

    def test_an_archive_without_an_extension_is_recognised_by_its_first_bytes(self):
        for name, mode in [("plain", "w"), ("squeezed", "w:gz"), ("tight", "w:xz")]:
            with self.subTest(name):
                self.assert_runs(self.program_tar(name, mode))

    def test_a_scheme_or_a_run_option_names_the_provider(self):
        archive = self.program_tar("image.bin")
        self.assert_runs(f"archive://{archive}")
        result = self.ok("run", "-s", "local", "-c", "image_provider=archive", self.image_app("image.bin"))
        self.assertIn("w/0 from the image\n", result.stderr)

    def test_img_root_and_the_working_directory_are_the_image(self):
        archive = self.program_tar()
        app = self.image_app(archive, "pwd; echo ${img_root}")
        result = self.ok("run", "-s", "local", app)
        self.assertEqual([l for l in result.stderr.splitlines() if l.startswith("w/0")],
                         [f"w/0 {self.image_of(archive)}"] * 2)

    def test_equal_archives_are_unpacked_once(self):
        archive = self.program_tar()
        self.assertIn("unpacking", self.assert_runs(archive).stderr)
        self.assertNotIn("unpacking", self.assert_runs(archive).stderr)
        copy = self.cwd / "copy.tar"
        copy.write_bytes(archive.read_bytes())
        self.assertNotIn("unpacking", self.assert_runs(copy).stderr)
        self.assertEqual(self.images(), [self.image_of(archive).name])

    def test_a_changed_archive_is_another_image(self):
        first = self.image_of(self.program_tar())
        self.assert_runs("image.tar")
        self.tar(file_entry("program", b"#!/bin/sh\necho from the image\nexit 0\n", 0o755))
        self.assert_runs("image.tar")
        self.assertEqual(self.images(), sorted([first.name, self.image_of(self.cwd / "image.tar").name]))

    def test_a_dry_run_unpacks_nothing(self):
        archive = self.program_tar()
        result = self.ok("run", "-n", "--json", "-s", "local", self.image_app(archive))
        self.assertFalse(self.cache.exists())
        self.assertIn(str(self.image_of(archive)), result.stdout)

    def test_everything_is_read_only_and_mode_bits_of_the_archive_are_dropped(self):
        archive = self.tar(special("d", b"5", mode=0o777), file_entry("d/plain", b"x", 0o666, mtime=1234567890),
                           file_entry("setuid", b"x", 0o6755), file_entry("program", PROGRAM, 0o700))
        self.assert_runs(archive)
        root = self.image_of(archive)
        modes = {str(p.relative_to(root)): stat.S_IMODE(p.lstat().st_mode) for p in [root, *root.rglob("*")]}
        self.assertEqual(modes, {".": 0o555, "d": 0o555, "d/plain": 0o444, "setuid": 0o555, "program": 0o555})
        self.assertEqual((root / "d" / "plain").stat().st_mtime, 1234567890)

    def test_links_inside_the_image_work(self):
        archive = self.tar(file_entry("bin/real", PROGRAM, 0o755), special("program", b"2", "bin/../bin/real"),
                           special("again", b"1", "bin/real"), special("bin/up", b"2", ".."))
        self.assert_runs(archive)
        root = self.image_of(archive)
        self.assertTrue(os.path.samefile(root / "again", root / "bin" / "real"))

    def test_names_that_are_not_ascii_are_kept(self):
        archive = self.tar(file_entry("program", PROGRAM, 0o755), file_entry("größe/日本", b"x"),
                           name="image.tar")
        self.assert_runs(archive)
        self.assertTrue((self.image_of(archive) / "größe" / "日本").is_file())

    def test_simultaneous_launches_unpack_once(self):
        archive = self.tar(file_entry("program", PROGRAM, 0o755),
                           *[file_entry(f"d{i % 50}/f{i}", b"x" * 2000) for i in range(3000)])
        app = self.image_app(archive)
        runs = [self.start("run", "-s", "local", app) for _ in range(4)]
        results = [self.finish(run) for run in runs]
        self.assertEqual([r.status for r in results], [0] * 4, results[0])
        # The other launches may report that another process is unpacking.
        self.assertEqual(sum("unpacking " in r.stderr.replace("is unpacking", "") for r in results), 1,
                         [r.stderr for r in results])
        self.assertEqual(self.images(), [self.image_of(archive).name])
        self.assertEqual(self.unfinished(), [])
        self.assertEqual(sum(len(files) for _, _, files in os.walk(self.image_of(archive))), 3001)

    def test_a_killed_unpacking_leaves_no_image_and_the_next_run_completes_it(self):
        archive = self.tar(*[file_entry(f"d{i % 50}/f{i}", b"x" * 2000) for i in range(20000)],
                           file_entry("program", PROGRAM, 0o755))
        app = self.image_app(archive)
        run = self.start("run", "-s", "local", app)
        self.eventually(lambda: any(self.images_dir.glob(".*.*/d0")) or run.poll() is not None, "it is unpacking")
        run.kill()
        self.finish(run)
        self.assertEqual(self.images(), [])
        self.assertEqual(len(self.unfinished()), 1)
        self.assert_nothing_lives()
        self.assert_no_app()
        self.assert_runs(archive)
        self.assertEqual(self.unfinished(), [])
        self.assertEqual(sum(len(files) for _, _, files in os.walk(self.image_of(archive))), 20001)

    def test_an_interrupt_ends_the_unpacking(self):
        archive = self.tar(*[file_entry(f"d{i % 50}/f{i}", b"x" * 2000) for i in range(20000)])
        run = self.start("run", "-s", "local", self.image_app(archive, "true"))
        self.eventually(lambda: any(self.images_dir.glob(".*.*/d0")) or run.poll() is not None, "it is unpacking")
        run.send_signal(signal.SIGINT)
        result = self.finish(run)
        self.assertEqual((result.status, result.stdout), (130, ""), result)
        self.assertEqual(self.images() + self.unfinished(), [])
        self.assert_no_app()


class Keeping(ArchiveCase):
    def is_locked(self, lock):
        return subprocess.run(["flock", "-n", "-x", lock, "true"], check=False).returncode != 0

    def test_old_image_is_deleted_unless_an_app_uses_it(self):
        self.configure("keep_days = 0")  # the next unpacking deletes images that no app uses
        gate = self.gate()
        used = self.program_tar("used.tar")
        app = self.app(role("w", f"read go < {self.cwd}/gate", image=str(used)), file="used.toml")
        handle = self.detach(app, "-s", "local")
        self.assert_state(handle, "RUNNING")
        other = self.tar(file_entry("program", PROGRAM, 0o755), file_entry("other"), name="other.tar")
        self.ok("run", "-s", "local", self.image_app(other))
        self.assertTrue(self.image_of(used).is_dir())
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assert_nothing_lives()
        third = self.tar(file_entry("program", PROGRAM, 0o755), file_entry("third"), name="third.tar")
        self.ok("run", "-s", "local", self.image_app(third))
        self.assertFalse(self.image_of(other).exists())
        self.assertFalse(self.image_of(used).exists())

    def test_an_image_stays_locked_when_the_supervisor_of_its_app_is_replaced(self):
        self.configure("keep_days = 0")  # the next unpacking deletes images that no app uses
        gate = self.gate()
        used = self.program_tar("used.tar")
        app = self.app(role("w", f"read go < {self.cwd}/gate", image=str(used)), file="used.toml")
        handle = self.detach(app, "-s", "local")
        self.assert_state(handle, "RUNNING")
        lock = self.images_dir / ".locks" / self.image_of(used).name
        self.assertTrue(self.is_locked(lock))
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGKILL)
        events = self.app_dir(handle) / "events.log"
        self.eventually(lambda: " ADOPTED " in events.read_text(encoding="utf-8"), "the warden takes over")
        self.assertTrue(self.is_locked(lock))
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assert_nothing_lives()
        self.assertFalse(self.is_locked(lock))


class Choosing(ArchiveCase):
    def test_empty_image_or_a_dot_is_the_current_directory(self):
        for image in ["", "."]:
            result = self.ok("run", "-s", "local", self.image_app(image, "pwd"))
            self.assertIn(f"w/0 {self.cwd}\n", result.stderr)

    def test_a_directory_is_the_image(self):
        (self.cwd / "place").mkdir()
        for image in ["place", self.cwd / "place", f"dir://{self.cwd}/place"]:
            result = self.ok("run", "-s", "local", self.image_app(image, "pwd"))
            self.assertTrue(result.stdout.startswith("local://slipway/"), result)
            self.assertIn(f"w/0 {self.cwd}/place\n", result.stderr)

    def test_each_role_has_its_own_image(self):
        archive = self.program_tar()
        app = self.app(role("a", entrypoint="program", image=str(archive)), role("b", "pwd"))
        result = self.ok("run", "-s", "local", app)
        self.assertIn("a/0 from the image\n", result.stderr)
        self.assertIn(f"b/0 {self.cwd}\n", result.stderr)

    def test_unknown_scheme_lists_the_providers_and_how_to_add_one(self):
        error = self.expect_failure(66, "not_found", "run", "-s", "local", self.image_app("s3://bucket/x", "true"))
        self.assertIn("s3://bucket/x", error["message"])
        for name in ["archive", "cwd", "dir"]:
            self.assertIn(name, error["message"])
        self.assertIn('image_providers = ["s3"]', error["hint"])
        self.assert_no_app()

    def test_an_unknown_provider_in_the_run_option_is_not_found(self):
        self.expect_failure(66, "not_found", "run", "-s", "local", "-c", "image_provider=nobody", self.image_app("."))

    def test_a_missing_file_or_one_that_is_not_an_archive_is_refused(self):
        self.write("text", "hello")
        for image in ["missing", "text", "/dev/null", "://x"]:  # the last one has an empty scheme
            with self.subTest(image):
                error = self.expect_failure(65, "invalid", "run", "-s", "local", self.image_app(image))
                self.assertIn(image, error["message"])
        self.assert_no_app()

    def test_only_local_has_the_run_option_image_provider(self):
        self.assertIn("image_provider", self.ok("runopts", "local").stdout)
        for name in ["local_cwd", "local_dir"]:
            self.assertNotIn("image_provider", self.ok("runopts", name).stdout)

    def test_local_cwd_ignores_an_archive(self):
        archive = self.program_tar()
        self.assertIn(f"w/0 {self.cwd}\n", self.ok("run", self.image_app(archive, "pwd")).stderr)
        self.assertFalse(self.cache.exists())


if __name__ == "__main__":
    unittest.main()
