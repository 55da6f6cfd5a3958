"""A TestCase that makes valid and malicious archives, and has its own cache of images."""

import hashlib
import io
import os
import tarfile
import zipfile
from pathlib import Path

from app_text import role
from slipway_case import TREE, SlipwayCase

PROGRAM = b"#!/bin/sh\necho from the image\n"


def file_entry(name, data=b"", mode=0o644, **fields):
    """Returns (TarInfo, data) of a regular file in an archive. `fields` are attributes of TarInfo."""
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), mode
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def special(name, kind, target="", **fields):
    """Returns (TarInfo, b"") of another entry. `kind` is a type of the tar format: b"1" is a hard link to `target`,
    b"2" a symbolic link to it, b"3" a character device, b"4" a block device, b"5" a directory, b"6" a FIFO."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    for key, value in fields.items():
        setattr(info, key, value)
    return info, b""


class ArchiveCase(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.cache = Path(self.env["XDG_CACHE_HOME"])
        # Images are read-only, so rmtree cannot delete them.
        self.addCleanup(self._make_writable)

    def _make_writable(self):
        for directory, names, _ in os.walk(self.cache):
            os.chmod(directory, 0o700)
            for name in names:
                if not os.path.islink(os.path.join(directory, name)):
                    os.chmod(os.path.join(directory, name), 0o700)

    @property
    def images_dir(self):
        return self.cache / "slipway" / "images"

    def images(self):
        """Returns the names of the images in the cache."""
        return sorted(p.name for p in self.images_dir.glob("[0-9a-f]*"))

    def unfinished(self):
        """Returns the names of the directories in the cache whose unpacking has not ended."""
        return sorted(p.name for p in self.images_dir.glob(".*.*"))

    def tar(self, *entries, name="image.tar", mode="w"):
        """Makes an archive of results of file_entry() and special(). Returns its path."""
        path = self.cwd / name
        with tarfile.open(path, mode) as archive:
            for info, data in entries:
                archive.addfile(info, io.BytesIO(data) if info.isreg() else None)
        return path

    def program_tar(self, name="image.tar", mode="w"):
        """Makes an archive with the executable `program`, which prints a line. Returns its path."""
        return self.tar(file_entry("program", PROGRAM, 0o755), name=name, mode=mode)

    def zip(self, name="image.zip", **files):
        """Makes a ZIP archive of executable files, given as name=content. Returns its path."""
        path = self.cwd / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for each, data in files.items():
                info = zipfile.ZipInfo(each)
                info.external_attr = 0o100755 << 16
                archive.writestr(info, data)
        return path

    def image_app(self, image, script=None, **fields):
        """Writes an app of one role in this image, which runs the image's `program` or a shell script. Returns its
        path."""
        if script is None:
            fields = {"entrypoint": "program", **fields}
        return self.app(role("w", script, image=str(image), **fields))

    def image_of(self, path):
        """Returns the directory into which Slipway unpacks this archive."""
        return self.images_dir / hashlib.sha256(path.read_bytes()).hexdigest()

    def configure(self, config):
        """Makes a manifest of the plug-in for archives with these settings. It precedes the installed manifest."""
        library = TREE / "lib" / "slipway" / "libslipway_archive_image.so"
        version = self.ok("--version").stdout.split()[1]
        path = self.write("archive.toml",
                          f'manifest_version = 1\n[[plugin]]\nid = "org.slipway.archive_image"\n'
                          f'version = "{version}"\nlibrary = "{library}"\nabi = "1.0"\n'
                          f'[plugin.provides]\nimage_providers = ["archive"]\n[plugin.config]\n{config}\n')
        self.env["SLIPWAY_PLUGIN_PATH"] = str(path)
