"""Builds the plug-in sdk/examples/c with only a C compiler and slipway-sdk.pc."""

import json
import shutil
import unittest

from moved_prefix import EXAMPLES, MovedPrefixCase

APP = """
name = "sized"
[[roles]]
name = "r"
image = "."
entrypoint = "true"
resource = "bench.all"
"""  # two_sizes.c has this resource


class PkgConfig(MovedPrefixCase):
    def setUp(self):
        super().setUp()
        self.env["PKG_CONFIG_PATH"] = str(self.prefix / "share" / "pkgconfig")
        self.example = shutil.copytree(EXAMPLES / "c", self.work / "example")

    def variable(self, name):
        return self.ok("pkg-config", f"--variable={name}", "slipway-sdk").strip()

    def test_points_into_the_moved_prefix(self):
        for name, place in (("includedir", "include"), ("plugindir", "lib/slipway"),
                            ("manifestdir", "share/slipway/plugins.d"),
                            ("version_script", "lib/cmake/Slipway/plugin.map")):
            self.assertTrue((self.prefix / place).samefile(self.variable(name)), name)
        self.assertEqual(self.ok("pkg-config", "--modversion", "slipway-sdk").strip(), "1.0")
        self.assertNotEqual(self.run_tool("pkg-config", "--atleast-version=1.7", "slipway-sdk").returncode, 0)

    def test_builds_the_example_in_c99_and_slipway_finds_its_resources(self):
        self.ok("gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                *self.ok("pkg-config", "--cflags", "slipway-sdk").split(),
                f"-Wl,-z,defs,--version-script={self.variable('version_script')}",
                "-o", "libtwo_sizes.so", "two_sizes.c", cwd=self.example)
        self.assert_exports_one_symbol(self.example / "libtwo_sizes.so")
        self.assertEqual(self.listed_plugins(plugins=self.example)["org.example.bench"]["state"], "ok")
        (self.work / "app.toml").write_text(APP)
        dryrun = json.loads(self.slipway("run", "-n", "--json", "app.toml", plugins=self.example))
        resource = dryrun["app"]["roles"][0]["resource"]
        self.assertEqual((resource["cpu"], resource["memMB"]), (16, 32768))


if __name__ == "__main__":
    unittest.main()
