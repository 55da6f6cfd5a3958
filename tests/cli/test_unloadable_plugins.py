"""Libraries that cannot be loaded: each kind has its message, hint and exit status, and harms no other command."""

import os
import shutil
import struct
import unittest

from slipway_case import TREE, SlipwayCase

LIBRARIES = TREE.parent / "tests" / "bad_plugins" / "plugins"
ANOTHER_MACHINE = 183 if os.uname().machine == "x86_64" else 62  # EM_AARCH64, EM_X86_64


# The functions below write a library to a path, or return a function that does so: make(path).


def built(name):
    return lambda path: shutil.copy(LIBRARIES / f"{name}.so", path)


def file_with(data):
    return lambda path: path.write_bytes(data)


def start_of_good_library(length):
    """Returns a function that writes the first `length` bytes of a good library; below 1, `length` is a fraction."""
    def make(path):
        whole = (LIBRARIES / "good.so").read_bytes()
        path.write_bytes(whole[:length if length > 1 else int(len(whole) * length)])
    return make


def good_library_with(offset, data):
    """Returns a function that writes a good library with other bytes at an offset."""
    def make(path):
        whole = bytearray((LIBRARIES / "good.so").read_bytes())
        whole[offset:offset + len(data)] = data
        path.write_bytes(whole)
    return make


def newer_libc(path):
    """Writes a library that needs a version of the C library that does not exist."""
    whole = (LIBRARIES / "print_in_list.so").read_bytes()
    old, new = b"GLIBC_2.2.5\0", b"GLIBC_2.9.9\0"

    def version_hash(name):  # of the ELF specification
        value = 0
        for byte in name[:-1]:
            value = (value << 4) + byte
            value = (value ^ (value & 0xf0000000) >> 24) & 0x0fffffff
        return struct.pack("<I", value)

    path.write_bytes(whole.replace(old, new).replace(version_hash(old), version_hash(new)))


def header_and_hole(path):
    with open(path, "wb") as file:
        file.write((LIBRARIES / "good.so").read_bytes()[:64])
        file.truncate(1 << 30)


def good_library_with_mode(bits):
    def make(path):
        built("good")(path)
        path.chmod(bits)
    return make


def good_library_of_another_user(path):
    built("good")(path)
    os.chown(path, 65534, 65534)


def link_loop(path):
    path.symlink_to(path.name)


# (kind of library, make(path), exit status of a command that needs the library, part of the message, part of the hint)
TABLE = (
    ("a file that does not exist", lambda path: None, 69, "does not exist", "check `library` in the manifest"),
    ("an empty file", file_with(b""), 69, "is not a shared library", "the file is empty"),
    ("a script", file_with(b"#!/bin/sh\nexit 0\n"), 69, "is not a shared library", "script"),
    ("a text", file_with(b"just some text that is long enough"), 69, "is not a shared library", ""),
    ("a pointer of Git LFS", file_with(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n"), 69,
     "is not a shared library", "git lfs pull"),
    ("a Windows DLL", file_with(b"MZ\x90 and more bytes than sixteen"), 69, "is not a shared library", "Windows DLL"),
    ("a macOS library", file_with(b"\xcf\xfa\xed\xfe and more bytes than sixteen"), 69,
     "is not a shared library", "macOS"),
    ("a static library", file_with(b"!<arch>\nsome object files here"), 69,
     "is not a shared library", "static archive"),
    ("20 bytes of a library", start_of_good_library(20), 69, "is truncated inside its header", "interrupted"),
    ("63 bytes of a library", start_of_good_library(63), 69, "is truncated inside its header", "interrupted"),
    ("a page of a library", start_of_good_library(4096), 69, "is truncated", "interrupted"),
    ("half of a library", start_of_good_library(0.5), 69, "is truncated", "interrupted"),
    ("nine tenths of a library", start_of_good_library(0.9), 69, "is truncated", "interrupted"),
    ("a library without the end of its sections", start_of_good_library(0.9999), 69,
     "section table ends beyond", "interrupted"),
    ("a header and a hole of 1 GB", header_and_hole, 69, "no loadable segments", ""),
    # In an ELF header, offset 18 is the machine, and offset 4 is 1 for 32 bits.
    ("a library for another machine", good_library_with(18, struct.pack("<H", ANOTHER_MACHINE)), 69, "is built for",
     "install the build for this machine"),
    ("a library of 32 bits", good_library_with(4, b"\x01"), 69, "is a 32-bit library", "64-bit build"),
    ("a directory", lambda path: path.mkdir(), 69, "is a directory", "must name the .so file"),
    ("a FIFO", os.mkfifo, 69, "is not a regular file", ""),
    ("a loop of links", link_loop, 69, "Too many levels of symbolic links", ""),
    ("an object file", built("object"), 69, "is an object file (.o)", "-shared"),
    ("a program", built("program_no_pie"), 69, "is an executable", ""),
    ("a position-independent program", built("program_pie"), 69, "is an executable (PIE)", "-shared"),
    ("a library without the symbol", built("no_symbol"), 69, "does not export slipway_plugin_v1", "-fvisibility"),
    ("a library with the symbol of ABI major 2", built("exports_v2"), 69, "slipway_plugin_v2", "ABI major 2"),
    ("an undefined symbol", built("undefined_symbol"), 69, "undefined symbol", "-Wl,-z,defs"),
    ("a missing library", built("needs_library"), 69, "libslipway_not_installed.so", "ldd"),
    ("a newer C library", newer_libc, 69, "GLIBC_2.9.9", "newer"),
    ("a wrong magic number", built("wrong_magic"), 69, "wrong magic number", "export macro"),
    ("major version 2", built("major_2"), 69, "claims ABI 2.1", "rebuild it"),
    ("a minor version of the future", built("newer_minor"), 69, "needs a host with ABI >= 1.99", "upgrade Slipway"),
    ("another draft", built("other_draft"), 69, "was built for draft 4", "compile it with the SDK"),
    ("a failing init", built("failing_init"), 69, "SLURM_CONF is not set", "export SLURM_CONF"),
    ("a library that everyone may write", good_library_with_mode(0o777), 77, "is world-writable", "chmod o-w"),
    ("a library of another user", good_library_of_another_user, 77, "is owned by uid 65534", "chown"),
)

# Only root can give a file to another user.
KINDS = [row for row in TABLE if row[1] is not good_library_of_another_user or os.geteuid() == 0]
# The ids of libraries that load: a manifest must name the same id.
IDS = {"a failing init": "org.example.failing_init"}


@unittest.skipUnless(LIBRARIES.is_dir(), "the tree that is tested was not built here")
class UnloadablePlugins(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.config / "slipway" / "plugins.d"
        self.site.mkdir(parents=True)

    def install(self, number, make, plugin_id):
        """Makes a library and its manifest. Returns the name of the scheduler that the manifest promises."""
        name = f"kind{number}"
        library = self.root / f"{name}.so"
        make(library)
        (self.site / f"{name}.toml").write_text(
            f'[[plugin]]\nid = "{plugin_id or "org.bad." + name}"\nversion = "1.0.0"\nlibrary = "{library}"\n'
            f'[plugin.provides]\nschedulers = [{{ name = "{name}", entry = "good" }}]\n')
        return name

    def test_each_kind_has_its_message_hint_and_exit_status(self):
        handle = self.detach(self.app("true"))
        for number, (what, make, status, message, hint) in enumerate(KINDS):
            name = self.install(number, make, IDS.get(what))
            with self.subTest(what):
                result = self.expect(status, "runopts", name, "--json")
                error = result.json["error"]
                self.assertIn(message, error["message"])
                self.assertIn(hint, error["hint"] or "")
                self.assertIn(name, error["message"] + (error["where"] or ""))
                self.assertNotIn(f"{name}.so: plug-in library", result.stderr, "the message repeats its place")
        listed = self.ok("list", "--all", "--json")
        self.assertEqual([app["handle"] for app in listed.json["apps"]], [handle])
        doctor = self.expect(78, "plugin", "doctor", "--json").json["problems"]
        for number, (what, *_) in enumerate(KINDS):
            with self.subTest(what, command="plugin doctor"):
                self.assertTrue(any(f"kind{number}" in str(problem) for problem in doctor))


if __name__ == "__main__":
    unittest.main()
