"""The kept plug-ins, which several compilers built earlier, work with today's host."""

import hashlib
import platform
import subprocess
import unittest

from kept_plugin import SOURCES, HostCase, put_manifest, unpack

KINDS = ("c-gcc", "c-clang", "cpp-gcc-libstdcxx", "cpp-clang-libstdcxx", "cpp-clang-libcxx", "rust")


class Kept(HostCase):
    def test_each_file_is_what_was_built(self):
        lines = (SOURCES / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        checksums = dict(reversed(line.split(maxsplit=1)) for line in lines)
        self.assertEqual(sorted(checksums), sorted(path.name for path in SOURCES.glob("*.xz")))
        self.assertEqual(sorted(checksums), sorted(["host.xz", *(f"{name}.so.xz" for name in KINDS)]))
        for name, checksum in checksums.items():
            self.assertEqual(hashlib.sha256((SOURCES / name).read_bytes()).hexdigest(), checksum, name)

    @unittest.skipUnless(platform.machine() == "x86_64", "SKIPPED: the kept plug-ins are for x86-64")
    def test_each_plugin_works_with_the_host(self):
        for name in KINDS:
            with self.subTest(name):
                plugins = put_manifest(self.work / name, unpack(f"{name}.so", self.work))
                needed = subprocess.run(["ldd", plugins / "kept.so"], stdout=subprocess.PIPE, text=True,
                                        check=False).stdout
                if "not found" in needed:
                    self.skipTest(f"SKIPPED: {name} needs a library that is not installed:\n{needed}")
                self.works_with_the_host(plugins)
                lines = subprocess.run(["nm", "-D", "--defined-only", plugins / "kept.so"], capture_output=True,
                                       text=True, check=True).stdout.splitlines()
                self.assertEqual([line.split()[-1] for line in lines], ["slipway_plugin_v1"])


if __name__ == "__main__":
    unittest.main()
