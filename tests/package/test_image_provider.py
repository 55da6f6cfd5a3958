"""Selects the image provider sdk/examples/shelf_images by its scheme, with the moved prefix."""

import json
import shutil
import unittest

from moved_prefix import CMAKE, EXAMPLES, MovedPrefixCase


class ShelfImages(MovedPrefixCase):
    def setUp(self):
        super().setUp()
        example = shutil.copytree(EXAMPLES / "shelf_images", self.work / "example")
        self.app = example / "app.toml"
        self.build = self.work / "build"
        self.ok(CMAKE, "-S", example, "-B", self.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror")
        self.ok(CMAKE, "--build", self.build)
        shelf = self.work / "shelf"
        program = shelf / "greetings" / "1.2" / "bin" / "greet"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho greetings $SHELF_VERSION to $1 of $2 in $PWD\n")
        program.chmod(0o755)
        self.env["SHELF_ROOT"] = str(shelf)
        self.env["SLIPWAY_PLUGIN_PATH"] = str(self.build)
        self.place = self.work / "state" / "slipway" / "shelf" / "greetings" / "1.2"

    def run_app(self, *arguments):
        return self.run_tool(self.prefix / "bin" / "slipway", "run", "-s", "local", *arguments, self.app)

    def test_is_chosen_by_its_scheme_and_by_the_run_option(self):
        self.assert_exports_one_symbol(self.build / "libslipway_shelf_images.so")
        dryrun = self.run_app("-n", "--json")
        self.assertEqual(dryrun.returncode, 0, dryrun.stderr)
        params = json.loads(dryrun.stdout)["request"]["role_params"]["greeter"]
        self.assertEqual([p["args"] for p in params],
                         [[f"{self.place}/bin/greet", str(k), str(self.place)] for k in range(2)])
        self.assertFalse(self.place.exists())

        for arguments in ((), ("-c", "image_provider=shelf")):
            done = self.run_app(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            for k in range(2):
                self.assertIn(f"greeter/{k} greetings 1.2 to {k} of {self.place} in {self.work}\n", done.stderr)
        self.assertTrue((self.place / "bin" / "greet").is_file())

    def test_its_configuration_is_read_from_the_manifest(self):
        manifest = self.build / "slipway_shelf_images.toml"
        plain = manifest.read_text()
        shelf = self.env.pop("SHELF_ROOT")
        for config, status, part in (("", 69, "there is no path of a shelf"),
                                     ("root = 3", 78, "the plug-in's configuration: root must be a text, not 3"),
                                     ("rot = 'x'", 78, "the plug-in's configuration: rot is unknown"),
                                     (f"root = '{shelf}'", 0, "greetings 1.2 to 0")):
            with self.subTest(config=config):
                manifest.write_text(f"{plain}\n[plugin.config]\n{config}\n")
                done = self.run_app()
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(part, done.stderr)

    def test_an_error_in_a_users_configuration_does_not_blame_the_manifest(self):
        del self.env["SHELF_ROOT"]
        config = self.work / "users.toml"
        for value, complaint in (("root = 3", "root must be a text, not 3"), ("rot = 'x'", "rot is unknown")):
            with self.subTest(value=value):
                config.write_text(f'[plugins."org.example.shelf_images"]\nconfig.{value}\n')
                done = self.run_app("--config", config)
                self.assertEqual(done.returncode, 78, done.stderr)
                self.assertIn(f"the plug-in's configuration: {complaint}", done.stderr)
                self.assertIn('manifest, or under [plugins."ID"] in a configuration file', done.stderr)

    def test_its_error_becomes_the_commands_error_and_nothing_starts(self):
        self.app.write_text(self.app.read_text().replace("1.2", "9"))
        done = self.run_app()
        self.assertEqual((done.returncode, done.stdout), (66, ""), done.stderr)
        self.assertIn("there is no image", done.stderr)
        self.assertIn("SHELF_ROOT", done.stderr)


if __name__ == "__main__":
    unittest.main()
