"""Builds the plug-in sdk/examples/files with CMake against the moved prefix and the build tree."""

import json
import shutil
import tomllib
import unittest

from moved_prefix import BUILD, CMAKE, EXAMPLES, MovedPrefixCase, files_of

BUILD_TREE_PACKAGE = BUILD / "sdk" / "package"
MANIFEST = {
    "manifest_version": 1,
    "plugin": [{
        "id": "org.example.files",
        "version": "1.0.0",
        "library": "libslipway_files.so",
        "abi": "1.0",
        "description": "Keeps apps in files and runs nothing",
        "provides": {"schedulers": ["files"], "named_resources": ["shelf"]},
    }],
}


class CMakeProject(MovedPrefixCase):
    def configure(self, source, package, into="build"):
        """Configures a project as another author would: with the location of Slipway, and warnings as errors."""
        build = self.work / into
        done = self.run_tool(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                             f"-DCMAKE_PREFIX_PATH={package}",
                             "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror")
        return build, done

    def build(self, source, package):
        """Returns the build directory of a project that must configure and compile."""
        build, done = self.configure(source, package)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.ok(CMAKE, "--build", build)
        return build

    def write_project(self, text, name="project"):
        directory = self.work / name
        directory.mkdir()
        (directory / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\n" + text)
        return directory

    def assert_is_the_example(self, build):
        library, manifest = build / "libslipway_files.so", build / "slipway_files.toml"
        self.assert_exports_one_symbol(library)
        self.assertEqual(tomllib.loads(manifest.read_text()), MANIFEST)
        self.assertRegex(self.ok("readelf", "-d", library), r"FLAGS_1\).*NOW.*NODELETE")
        self.assertEqual(self.listed_plugins(plugins=build)["org.example.files"]["state"], "ok")


class ExampleAgainstThePrefix(CMakeProject):
    def test_works_like_any_other_scheduler(self):
        # Outside the repository, so that no file of it is found by accident.
        example = shutil.copytree(EXAMPLES / "files", self.work / "example")
        build = self.build(example, self.prefix)
        self.assert_is_the_example(build)
        self.check_scheduler(build, example / "app.toml")
        self.check_named_resources(build, example / "app.toml")
        self.check_conformance(build)
        self.check_install(build)

    def check_scheduler(self, build, app):
        def slipway(*arguments):
            return self.slipway(*arguments, plugins=build)

        ignored = json.loads(slipway("run", "-n", "--json", "-s", "files", app))["ignored"]
        self.assertEqual({each["field"] for each in ignored}, {"resource.cpu", "resource.memMB"})
        handle = slipway("run", "-s", "files", "-c", "verb=perhaps", "-d", app).strip()
        self.assertRegex(handle, r"^files://slipway/greeter-[a-z0-9]+$")
        status = json.loads(slipway("status", "--json", handle))
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual([(r["role"], len(r["replicas"])) for r in status["roles"]], [("hello", 2)])
        self.assertEqual(slipway("log", f"{handle}/hello/1"), 'perhaps "echo" "hello from replica" "1"\n')
        self.assertEqual(len(slipway("log", handle).splitlines()), 2)
        slipway("wait", handle)
        slipway("cancel", handle)
        refused = self.run_tool(self.prefix / "bin" / "slipway", "run", "-s", "files", "-c", "verb=a\nb", app,
                                env={**self.env, "SLIPWAY_PLUGIN_PATH": str(build)})
        self.assertEqual(refused.returncode, 65)
        self.assertIn("verb: it contains a line end", refused.stderr)
        listed = json.loads(slipway("list", "--all", "--json", "-s", "files"))["apps"]
        self.assertEqual([app["handle"] for app in listed], [handle])

    def check_named_resources(self, build, app):
        """Checks that another scheduler can use the named resources of the example."""
        dryrun = json.loads(self.slipway("run", "-n", "--json", app, plugins=build))
        self.assertEqual(dryrun["scheduler"], "local_cwd")
        self.assertEqual(dryrun["app"]["roles"][0]["resource"]["memMB"], 512)

    def check_conformance(self, build):
        """Checks that the project has a test that runs the installed kit, and that it passes."""
        listed = self.ok("ctest", "--test-dir", build, "-N")
        self.assertIn("check_slipway_files", listed)
        self.ok("ctest", "--test-dir", build, "--output-on-failure")

    def check_install(self, build):
        """Checks that Slipway finds the plug-in without configuration after its installation into the prefix."""
        before = set(files_of(self.prefix))
        self.ok(CMAKE, "--install", build, "--prefix", self.prefix)
        self.assertEqual(set(files_of(self.prefix)) - before,
                         {"lib/slipway/libslipway_files.so", "share/slipway/plugins.d/slipway_files.toml"})
        plugin = self.listed_plugins()["org.example.files"]
        self.assertEqual(plugin["state"], "ok")
        self.assertTrue((self.prefix / "lib/slipway/libslipway_files.so").samefile(plugin["library"]))
        self.assertIn("verb", self.slipway("runopts", "files"))


class ExampleAgainstTheBuildTree(CMakeProject):
    def test_builds_the_same_plug_in(self):
        self.assert_is_the_example(self.build(EXAMPLES / "files", BUILD_TREE_PACKAGE))


class ComponentExample(CMakeProject):
    def test_builds_against_the_prefix(self):
        example = shutil.copytree(EXAMPLES / "component", self.work / "example")
        build = self.build(example, self.prefix)
        self.assert_exports_one_symbol(build / "libslipway_team.so")
        plugin = self.listed_plugins(plugins=build)["org.example.team"]
        self.assertEqual((plugin["state"], plugin["provides"]["components"]), ("ok", ["team"]))


class Package(CMakeProject):
    def test_refuses_unsupported_versions_of_abi_and_product(self):
        for package in (self.prefix, BUILD_TREE_PACKAGE):
            # A version that begins with 0 is a version of the product; any other is a version of the ABI.
            for version, found in (("1.0", True), ("1.7", False), ("2.0", False), ("0.1", True), ("0.9", False)):
                with self.subTest(version, package=package):
                    name = f"wants_{version}_of_{package.name}"
                    project = self.write_project(
                        f"project(p LANGUAGES CXX)\nfind_package(Slipway {version} REQUIRED)\n", name)
                    _, done = self.configure(project, package, into=f"{name}_build")
                    self.assertEqual(done.returncode == 0, found, done.stderr)
                    if not found:
                        self.assertIn("compatible with requested version", " ".join(done.stderr.split()))

    def test_builds_a_plug_in_in_a_project_without_cpp(self):
        project = self.write_project("project(p LANGUAGES C)\nfind_package(Slipway 1.0 REQUIRED)\n"
                                     "slipway_add_plugin(bench ID org.example.bench VERSION 1.0.0 SOURCES two_sizes.c\n"
                                     "  DESCRIPTION \"two \\\"sizes\\\"\" NAMED_RESOURCES bench)\n")
        shutil.copy(EXAMPLES / "c" / "two_sizes.c", project)
        build = self.build(project, self.prefix)
        self.assert_exports_one_symbol(build / "libbench.so")
        self.assertEqual(self.listed_plugins(plugins=build)["org.example.bench"]["state"], "ok")

    def test_the_time_limit_of_the_kits_test_follows_that_of_its_checks(self):
        limits = {"usual": "", "short": "CHECK_ARGUMENTS --limit 5", "long": "CHECK_ARGUMENTS --limit=300 --only load"}
        project = self.write_project("project(p LANGUAGES CXX)\nfind_package(Slipway 1.0 REQUIRED)\nenable_testing()\n"
                                     + "".join(f"slipway_add_plugin({name} ID p VERSION 1 SOURCES p.cpp {more})\n"
                                               for name, more in limits.items()))
        (project / "p.cpp").write_text("")
        build, done = self.configure(project, self.prefix)
        self.assertEqual(done.returncode, 0, done.stderr)
        tests = json.loads(self.ok("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]
        timeouts = {test["name"]: next(p["value"] for p in test["properties"] if p["name"] == "TIMEOUT")
                    for test in tests}
        # Ten times the limit of a check, which is 60 s by default.
        self.assertEqual(timeouts, {"check_usual": 600, "check_short": 50, "check_long": 3000})

    def test_the_kits_test_leaves_the_users_cache_alone(self):
        project = self.write_project("project(p LANGUAGES CXX)\nfind_package(Slipway 1.0 REQUIRED)\nenable_testing()\n"
                                     "slipway_add_plugin(p ID p VERSION 1 SOURCES p.cpp)\n")
        (project / "p.cpp").write_text("")
        build, done = self.configure(project, self.prefix)
        self.assertEqual(done.returncode, 0, done.stderr)
        (test,) = json.loads(self.ok("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]
        environment = next(p["value"] for p in test["properties"] if p["name"] == "ENVIRONMENT")
        self.assertEqual(environment, [f"XDG_CACHE_HOME={build}/check_p.cache"])

    def test_reports_missing_and_unknown_arguments(self):
        for name, arguments, complaint in (
                ("no_id", "VERSION 1 SOURCES p.cpp", "ID is missing"),
                ("two_versions", "ID p VERSION 1 2 SOURCES p.cpp", "unknown arguments: 2")):
            with self.subTest(name):
                project = self.write_project("project(p LANGUAGES CXX)\nfind_package(Slipway 1.0 REQUIRED)\n"
                                             f"slipway_add_plugin(p {arguments})\n", name)
                _, done = self.configure(project, self.prefix, into=f"{name}_build")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(complaint, done.stderr)


if __name__ == "__main__":
    unittest.main()
