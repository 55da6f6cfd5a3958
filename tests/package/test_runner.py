"""Builds core/docs/examples/usage_overview, a program that uses the library, against the moved prefix."""

import re
import shutil
import unittest

from moved_prefix import CMAKE, SOURCE, MovedPrefixCase

EXAMPLE = SOURCE / "core" / "docs" / "examples" / "usage_overview"
REPLICAS = {"trainer": 4, "parameter_server": 10, "reader": 1}
SAYS = {"trainer": "training", "parameter_server": "serving", "reader": "reading"}
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"


class UsageOverview(MovedPrefixCase):
    def check(self, program):
        """Runs the example, and checks that it prints the facts of its app and deletes the app."""
        out = self.ok(program)
        handle = re.search(r"^running (local_cwd://overview/(my_train_job-[a-z0-9]+))$", out, re.MULTILINE)
        self.assertRegex(out, r"(?m)^request for local_cwd: [1-9]\d* bytes$")
        lines = [line for line in out.splitlines() if re.match(r"\w+/\d+ ", line)]
        self.assertEqual(sorted(lines), sorted(f"{role}/{k} {SAYS[role]} {k} of {handle[2]}"
                                               for role, count in REPLICAS.items() for k in range(count)))
        self.assertIn("15 lines\n", out)
        self.assertIn("State: SUCCEEDED", out)
        self.assertEqual(len(re.findall(r"^ [* ]\w+\[\d+\]:SUCCEEDED$", out, re.MULTILINE)), 15)
        self.assertIn("\n *trainer[0]:SUCCEEDED", out)  # an asterisk marks replica 0
        self.assertEqual(self.slipway("list", "--all"), self.slipway("list"))  # it deleted its app

    def test_builds_with_cmake_and_runs(self):
        # Outside the repository, so that no file of it is found by accident.
        example = shutil.copytree(EXAMPLE, self.work / "example")
        build = self.work / "build"
        self.ok(CMAKE, "-S", example, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_FLAGS={WARNINGS}")
        self.ok(CMAKE, "--build", build)
        self.check(build / "usage_overview")

    def test_builds_with_pkg_config_and_runs(self):
        self.env["PKG_CONFIG_PATH"] = str(self.prefix / "lib" / "pkgconfig")
        flags = self.ok("pkg-config", "--cflags", "--libs", "slipway-runner").split()
        program = self.work / "usage_overview"
        self.ok("g++", "-std=c++17", *WARNINGS.split(), f'-DSLIPWAY_PREFIX="{self.prefix}"',
                EXAMPLE / "usage_overview.cpp", *flags, "-o", program)
        self.check(program)


class PublicHeaders(MovedPrefixCase):
    def test_each_header_compiles_alone_with_only_slipway(self):
        headers = sorted((SOURCE / "core" / "include" / "slipway").glob("*.hpp"))
        self.assertGreater(len(headers), 4)
        for header in headers:
            with self.subTest(header.name):
                alone = self.work / "alone.cpp"
                alone.write_text(f"#include <slipway/{header.name}>\n")
                compiler = ("g++", "-std=c++17", *WARNINGS.split(), "-I", self.prefix / "include")
                self.ok(*compiler, "-fsyntax-only", alone)
                used = self.ok(*compiler, "-M", alone)
                self.assertIn(f"include/slipway/{header.name}", used)
                for library in ("boost/", "toml++", "fmt/"):
                    self.assertNotIn(library, used)


if __name__ == "__main__":
    unittest.main()
