"""The kept plug-ins, which several compilers built earlier, work with today's host."""

import hashlib
import platform
import subprocess
import unittest

from kept_plugin import SOURCES, HostCase, put_manifest, unpack

# The builds of the kept plug-in `runner`, whose apps run programs.
RUNNERS = tuple(f"runner-{each}" for each in ("gcc-libstdcxx", "gcc-libcxx", "clang-libstdcxx", "clang-libcxx"))
# The checks of abilities that the contract has got since these plug-ins were built.
LATER = {"images.remove_unknown", "images.remove_used"}
# The checks that the kit skips, because the plug-in `kept` runs no programs and lacks optional functions; in C and
# Rust, it lacks more of them than in C++.
SKIPS_OF_CPP = LATER | {
    "scheduler.patch", "scheduler.signal_unknown", "images.use_lock", "components.files", "app.cancel",
    "app.early_cancel", "app.active", "app.owner", "app.grace", "app.grace_end", "app.cancel_now", "app.arguments",
    "app.environment", "app.input", "app.two_roles", "app.failure", "app.definition", "app.streams",
    "app.log_replicas", "app.process", "app.log_timeout", "app.log_cancel", "app.events", "app.two_threads",
    "app.signal", "app.running", "app.owner_fd", "app.last_line", "app.killed",
}
SKIPS_OF_C = SKIPS_OF_CPP | {"provider.extension", "images.fetch_role", "images.newer_host"}
# The builds of the kept plug-in `kept`.
KINDS = ("c-gcc", "c-clang", "cpp-gcc-libstdcxx", "cpp-clang-libstdcxx", "cpp-clang-libcxx", "rust")


def skips(report):
    return {each["check"] for each in report["checks"] if each["verdict"] == "skipped"}


class Kept(HostCase):
    def test_each_file_is_what_was_built(self):
        lines = (SOURCES / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        checksums = dict(reversed(line.split(maxsplit=1)) for line in lines)
        self.assertEqual(sorted(checksums), sorted(path.name for path in SOURCES.glob("*.xz")))
        self.assertEqual(sorted(checksums), sorted(["host.xz", *(f"{name}.so.xz" for name in KINDS + RUNNERS)]))
        for name, checksum in checksums.items():
            self.assertEqual(hashlib.sha256((SOURCES / name).read_bytes()).hexdigest(), checksum, name)

    @unittest.skipUnless(platform.machine() == "x86_64", "SKIPPED: the kept plug-ins are for x86-64")
    def test_each_plugin_works_with_the_host(self):
        for name in KINDS:
            with self.subTest(name):
                plugins = self.unpacked(name, "kept")
                skipped = SKIPS_OF_CPP if name.startswith("cpp-") else SKIPS_OF_C
                self.assertEqual(skips(self.works_with_the_host(plugins)), skipped)

    @unittest.skipUnless(platform.machine() == "x86_64", "SKIPPED: the kept plug-ins are for x86-64")
    def test_each_runner_works_with_the_host_and_no_earlier_check_is_skipped(self):
        for name in RUNNERS:
            with self.subTest(name):
                self.assertEqual(skips(self.runner_works_with_the_host(self.unpacked(name, "runner"))), LATER)

    def unpacked(self, name, plugin):
        """Returns the directory of a kept plug-in, whose library exports only its descriptor."""
        library = unpack(f"{name}.so", self.work)
        needed = subprocess.run(["ldd", library], stdout=subprocess.PIPE, text=True, check=False).stdout
        if "not found" in needed:
            self.skipTest(f"SKIPPED: {name} needs a library that is not installed:\n{needed}")
        lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in lines], ["slipway_plugin_v1"])
        return put_manifest(self.work / name, library, plugin)


if __name__ == "__main__":
    unittest.main()
