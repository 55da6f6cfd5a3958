"""Malicious and broken archives: Slipway refuses them, starts nothing, and writes nothing outside the image."""

import gzip
import io
import os
import tarfile
import unittest
import zipfile

from archive_case import PROGRAM, ArchiveCase, file_entry, special

REFUSED = 65  # the exit status
GOOD = file_entry("program", PROGRAM, 0o755)


class HostileArchives(ArchiveCase):
    def refused(self, archive, *words, status=REFUSED):
        """Checks that a run refuses the archive with a message that has these words, and leaves nothing. Returns the
        Result."""
        result = self.expect(status, "run", "-s", "local", self.image_app(archive))
        self.assertEqual(result.stdout, "", result)
        for word in (*words, os.path.basename(archive)):
            self.assertIn(word, result.stderr)
        self.assertEqual(self.images() + self.unfinished(), [])
        self.assert_no_app()
        return result

    def test_archive_without_defects_is_accepted(self):
        self.ok("run", "-s", "local", self.image_app(self.tar(GOOD)))

    def test_names_outside_the_image_are_refused(self):
        for name in ["../escaped", "a/../../escaped", "..", "/escaped-by-slipway-test", "a/.."]:
            with self.subTest(name):
                self.refused(self.tar(GOOD, file_entry(name, b"x")), "entry")
        self.assertEqual(list(self.root.rglob("escaped*")), [])
        self.assertFalse(os.path.lexists("/escaped-by-slipway-test"))

    def test_zip_names_outside_the_image_are_refused(self):
        for name in ["../escaped", "/escaped-by-slipway-test", "a/../../escaped"]:
            with self.subTest(name):
                self.refused(self.zip(**{"program": PROGRAM, name: b"x"}), "entry")
        self.assertEqual(list(self.root.rglob("escaped*")), [])

    def test_symbolic_links_out_of_the_image_are_refused(self):
        for target in ["/etc", "..", "a/../..", "./../x", "/"]:
            with self.subTest(target):
                self.refused(self.tar(GOOD, special("link", b"2", target)), "link out of the image")

    def test_symbolic_links_that_leave_through_other_links_are_refused(self):
        # As text, `a/up/..` stays inside the image. As the kernel resolves it, it leaves the image.
        self.refused(self.tar(GOOD, special("a", b"5"), special("a/up", b"2", ".."),
                              special("out", b"2", "a/up/..")), "link out of the image")

    def test_links_without_a_target_are_refused(self):
        for kind in (b"1", b"2"):
            self.refused(self.tar(GOOD, special("link", kind, "")), 'entry "link"')

    def test_circular_symbolic_links_are_refused(self):
        self.refused(self.tar(GOOD, special("a", b"2", "b"), special("b", b"2", "a")), "circles")

    def test_an_entry_below_a_symbolic_link_is_refused(self):
        outside = self.root / "outside"
        outside.mkdir()
        (outside / "file").write_text("mine")
        self.refused(self.tar(special("d", b"2", str(outside)), file_entry("d/file", b"theirs"), GOOD),
                     "not a directory")
        self.refused(self.tar(special("d", b"2", str(outside)), special("d/", b"5"), file_entry("d/file", b"theirs"),
                              GOOD), "not a directory")
        # A file that replaces a link is a new file.
        self.ok("run", "-s", "local", self.image_app(
            self.tar(special("f", b"2", str(outside / "file")), file_entry("f", b"theirs"), GOOD)))
        self.assertEqual((outside / "file").read_text(), "mine")
        self.assertEqual(sorted(os.listdir(outside)), ["file"])

    def test_hard_links_out_of_the_image_are_refused(self):
        secret = self.root / "secret"
        secret.write_text("mine")
        for target in [str(secret), "../../../secret", "nothing", "d", "link"]:
            with self.subTest(target):
                self.refused(self.tar(GOOD, special("d", b"5"), special("link", b"2", "program"),
                                      special("hard", b"1", target)), "entry")
        self.assertEqual(secret.stat().st_nlink, 1)

    def test_a_hard_link_through_a_symbolic_link_is_refused(self):
        outside = self.root / "outside"
        outside.mkdir()
        (outside / "file").write_text("mine")
        self.refused(self.tar(GOOD, special("d", b"2", str(outside)), special("hard", b"1", "d/file")),
                     "does not exist")

    def test_devices_and_pipes_are_refused(self):
        for kind, what in [(b"3", "character device"), (b"4", "block device"), (b"6", "named pipe")]:
            with self.subTest(what):
                self.refused(self.tar(GOOD, special("node", kind, devmajor=1, devminor=3)), what)

    def test_an_entry_that_is_both_file_and_directory_is_refused(self):
        self.refused(self.tar(GOOD, special("x", b"5"), file_entry("x", b"1")), "would replace a directory")
        self.refused(self.tar(GOOD, file_entry("x", b"1"), file_entry("x/y", b"1")), "not a directory")

    def test_an_archive_that_grows_too_much_is_refused(self):
        path = self.cwd / "bomb.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            info = tarfile.TarInfo("zeros")
            info.size = 128 << 20
            archive.addfile(info, io.BytesIO(bytes(info.size)))
        self.refused(path, "max_ratio")

    def test_an_archive_with_huge_holes_is_refused(self):
        # GNU's sparse format stores a terabyte of zeros in a few hundred bytes. Bytes 483 to 494 of the header are the
        # real size, binary if the first has the top bit. Bytes 148 to 155 are the checksum, blanks for its own sum.
        info = tarfile.TarInfo("holes")
        info.type = tarfile.GNUTYPE_SPARSE
        header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
        header[483:495] = (1 << 40).to_bytes(12, "big")
        header[483] = 0x80
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        path = self.cwd / "holes.tar"
        path.write_bytes(bytes(header) + bytes(1024))
        self.refused(path, "max_unpacked_mib")

    def test_limits_of_the_site_are_enforced(self):
        cases = [("max_unpacked_mib = 1", [file_entry("big", bytes(2 << 20))], "max_unpacked_mib"),
                 ("max_entries = 5", [file_entry(f"f{i}") for i in range(6)], "max_entries"),
                 ("max_entries = 5", [file_entry("a/b/c/d/e/f/g")], "max_entries"),
                 ("max_path_bytes = 10", [file_entry("a/long/path")], "10 bytes")]
        for config, entries, word in cases:
            with self.subTest(config):
                self.configure(config)
                self.refused(self.tar(*entries, GOOD), word)

    def test_links_out_of_the_image_are_accepted_where_the_site_allows_them(self):
        self.configure("outside_links = true")
        archive = self.tar(special("python", b"2", "/usr/bin/env"), GOOD)
        self.ok("run", "-s", "local", self.image_app(archive))
        self.assertEqual(os.readlink(self.image_of(archive) / "python"), "/usr/bin/env")

    def test_a_mistake_in_the_settings_is_reported(self):
        self.configure("keep_day = 1")
        result = self.expect(78, "run", "-s", "local", self.image_app(self.tar(GOOD)))
        self.assertIn("keep_day", result.stderr)
        self.assertIn("known: keep_days", result.stderr)

    def test_broken_archives_are_refused(self):
        whole = self.tar(GOOD, file_entry("data", os.urandom(100000)), name="whole.tar.gz", mode="w:gz").read_bytes()
        zipped = self.zip(program=PROGRAM, data=os.urandom(100000)).read_bytes()
        tight = self.tar(GOOD, file_entry("data", os.urandom(100000)), name="whole.tar.xz", mode="w:xz").read_bytes()
        flipped = bytearray(tight)
        flipped[len(flipped) // 2] ^= 0xFF
        for name, data in [("half.tar.gz", whole[:len(whole) // 2]), ("flipped.tar.xz", bytes(flipped)),
                           ("half.zip", zipped[:len(zipped) // 2]), ("cut.zip", zipped[:-1]), ("empty.tar", b""),
                           ("text.tar", b"this is not an archive\n" * 100), ("text.zip", b"nor is this"),
                           ("text.tar.gz", gzip.compress(b"nor is this one" * 100))]:
            with self.subTest(name):
                self.refused(self.write(name, data))

    def test_an_encrypted_zip_is_refused(self):
        path = self.zip(program=PROGRAM)
        data = bytearray(path.read_bytes())
        # Bit 0 of the flags says that the file is encrypted, in its own header and in the central directory.
        for magic, flags_at in [(b"PK\3\4", 6), (b"PK\1\2", 8)]:
            data[data.index(magic) + flags_at] |= 1
        path.write_bytes(data)
        self.refused(path)

    def test_a_name_with_control_characters_is_refused_and_escaped(self):
        result = self.refused(self.tar(GOOD, file_entry("../\x1b[2J", b"x")), "entry")
        self.assertNotIn("\x1b", result.stderr)

    def test_a_read_only_cache_directory_is_reported(self):
        if os.geteuid() == 0:
            self.skipTest("root can write everywhere")
        self.cache.mkdir(mode=0o500)
        self.refused(self.tar(GOOD), "cannot", status=77)

    def test_zip_names_of_many_dots_stay_inside_the_image(self):
        path = self.cwd / "dots.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("....//....//escaped", b"x")
            archive.writestr("program", PROGRAM)
        self.ok("run", "-s", "local", self.app({"name": "w", "image": str(path), "entrypoint": "true"}))
        self.assertEqual([p for p in self.root.rglob("escaped") if self.images_dir not in p.parents], [])


if __name__ == "__main__":
    unittest.main()
