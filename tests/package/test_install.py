"""The installed tree: its files, and that it works after it was moved."""

import json
import re
import sys
import time
import unittest

from moved_prefix import LIMIT_S, SOURCE, TREE, BUILD, MovedPrefixCase, files_of

sys.path.append(str(SOURCE / "tests" / "cli"))
import live_processes  # pylint: disable=wrong-import-position

APP = """
name = "moved"
[[roles]]
name = "says"
image = "."
entrypoint = "/bin/sh"
args = ["-c", "echo replica ${replica_id} is here"]
num_replicas = 2
resource = "cpu.small"
"""


class InstalledTree(MovedPrefixCase):
    def test_has_the_licence_and_the_notices_of_what_is_linked_statically(self):
        notices = self.prefix / "share" / "doc" / "slipway"
        self.assertEqual((notices / "LICENSE").read_bytes(), (SOURCE / "LICENSE").read_bytes())
        for package in ("libarchive-dev", "libboost1.81-dev", "libc6-dev", "libcli11-dev", "libfmt-dev", "liblzma-dev",
                        "libmd-dev", "libpcre2-dev", "libtomlplusplus-dev", "libzstd-dev", "nettle-dev", "zlib1g-dev"):
            with self.subTest(package=package):
                text = (notices / "notices" / package).read_text(errors="replace")
                self.assertIn("copyright", text.lower())
        self.assertTrue(list((notices / "notices").glob("libstdc++-*-dev")))

    def test_has_the_built_tree_and_the_sdk_and_nothing_else(self):
        package = {"SlipwayAddPlugin.cmake", "SlipwayConfig.cmake", "SlipwayConfigVersion.cmake",
                   "SlipwayTargets.cmake", "plugin.map"}
        build_type = re.search(r"^CMAKE_BUILD_TYPE:\w+=(\w+)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
        runner = {"SlipwayRunnerConfig.cmake", "SlipwayRunnerConfigVersion.cmake", "SlipwayRunnerTargets.cmake",
                  f"SlipwayRunnerTargets-{build_type.lower()}.cmake"}
        headers = {*files_of(SOURCE / "sdk" / "include"), *files_of(SOURCE / "core" / "include")}
        expected = {*files_of(TREE), *(f"lib/cmake/Slipway/{name}" for name in package),
                    *(f"lib/cmake/SlipwayRunner/{name}" for name in runner),
                    *(f"include/{header}" for header in headers if header.endswith((".h", ".hpp"))),
                    "lib/libslipway.a", "lib/pkgconfig/slipway-runner.pc", "share/pkgconfig/slipway-sdk.pc"}
        self.assertEqual(set(files_of(self.prefix)), expected)
        # TREE has the important files: the comparison above would accept an empty one.
        self.assertLessEqual({"bin/slipway", "libexec/slipway/slipway-local-supervisor",
                              "lib/slipway/libslipway_local.so", "share/slipway/plugins.d/slipway_local.toml",
                              "include/slipway/abi/plugin.h"}, expected)

    def test_equals_the_tested_build_tree(self):
        for name in files_of(TREE):
            with self.subTest(name):
                self.assertEqual((self.prefix / name).read_bytes(), (TREE / name).read_bytes())
                if name.startswith(("bin/", "libexec/")):
                    self.assertEqual((self.prefix / name).stat().st_mode & 0o777, 0o755)

    def test_texts_contain_no_build_paths(self):
        for name in files_of(self.prefix):
            if name.endswith((".toml", ".cmake", ".pc", ".h", ".hpp", ".map")):
                text = (self.prefix / name).read_text()
                for place in (self.installed_to, BUILD, SOURCE):
                    self.assertNotIn(str(place), text, name)

    def test_a_command_and_a_plug_in_load_only_the_c_library(self):
        if not re.search(r"^SLIPWAY_STATIC_LIBM:\w+=/", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE):
            self.skipTest("there is no static libm here")
        for name in ("bin/slipway", "lib/slipway/libslipway_local.so"):
            needed = re.findall(r"\(NEEDED\).*\[(.+)\]", self.ok("readelf", "-d", self.prefix / name))
            self.assertIn("libc.so.6", needed)
            self.assertLessEqual(set(needed), {"libc.so.6", "ld-linux-x86-64.so.2"}, name)

    def test_exports_one_symbol_from_each_plug_in(self):
        self.ok(SOURCE / ".ci" / "lint" / "exports.sh", self.prefix)


class MovedSlipway(MovedPrefixCase):
    def test_finds_the_plug_ins_of_its_prefix(self):
        found = self.listed_plugins()
        self.assertLessEqual({"org.slipway.local", "org.slipway.generic"}, set(found))
        for plugin in found.values():
            self.assertEqual(plugin["state"], "ok", plugin)
        self.assertTrue(found["org.slipway.local"]["library"].startswith(str(self.prefix)), found)

    def test_runs_an_app_with_the_local_scheduler(self):
        (self.work / "app.toml").write_text(APP)
        self.addCleanup(self.wait_for_the_last_process)
        self.slipway("run", "app.toml")
        self.assertEqual(sorted(self.slipway("log", "@last").splitlines()),
                         [f"says/{k} replica {k} is here" for k in range(2)])
        status = json.loads(self.slipway("status", "--json", "@last"))
        self.assertEqual((status["scheduler"], status["state"]), ("local_cwd", "SUCCEEDED"))
        self.assertEqual([k["exit_code"] for k in status["roles"][0]["replicas"]], [0, 0])

    def wait_for_the_last_process(self):
        end = time.monotonic() + LIMIT_S
        while live_processes.with_environment(b"XDG_STATE_HOME=" + self.env["XDG_STATE_HOME"].encode()):
            self.assertLess(time.monotonic(), end, "a process is left")
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
