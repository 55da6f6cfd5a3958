"""Files that another user puts where Slipway looks for configuration: commands warn and ignore them, unless the
user names them."""

import contextlib
import os
import socket
import unittest

from own_namespace import needs_root
from slipway_case import SlipwayCase

NOBODY = 65534  # uid and gid of the user nobody

# Functions that plant something at a path.


def directory(path):
    path.mkdir()


def pipe(path):
    os.mkfifo(path)


def link_loop(path):
    path.symlink_to(path.name)


def link_to_a_file_of_root(path):
    path.symlink_to("/etc/passwd")


def link_to_a_device(path):
    path.symlink_to("/dev/null")


def bound_socket(path):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(path))


def broken_file(path):
    path.write_text("[")


PLANTED = (directory, pipe, link_loop, link_to_a_file_of_root, link_to_a_device, bound_socket, broken_file)


def remove(path):
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink()


@needs_root
class PlantedConfiguration(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.shared = self.root / "shared"
        self.shared.mkdir()
        self.shared.chmod(0o1777)
        self.project = self.shared / "project"
        self.project.mkdir()

    @contextlib.contextmanager
    def planted(self, plant, path):
        """Plants a file of another user at `path` until the end of the block."""
        plant(path)
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        with self.subTest(plant=plant.__name__):
            yield
        remove(path)

    def session(self):
        """Returns the configured session in the project's directory, and the warnings."""
        result = self.ok("config", "explain", "cli.session", "--json", cwd=self.project)
        return result.json["value"], result.stderr

    def test_planted_project_file_in_a_parent_directory_is_ignored_with_a_warning(self):
        path = self.shared / "slipway.toml"
        for plant in PLANTED:
            with self.planted(plant, path):
                session, warnings = self.session()
                self.assertEqual(session, "slipway")
                self.assertIn(f"{path}: this configuration is ignored", warnings)
                self.ok("list", cwd=self.project)

    def test_planted_project_file_does_not_hide_the_projects_own_further_up(self):
        below = self.project / "below"
        below.mkdir(mode=0o777)
        below.chmod(0o1777)
        (self.project / "slipway.toml").write_text("[cli]\nsession = 'ours'\n")
        for plant in PLANTED:
            with self.planted(plant, below / "slipway.toml"):
                result = self.ok("config", "explain", "cli.session", "--json", cwd=below)
                self.assertEqual(result.json["value"], "ours")
                self.assertIn("this configuration is ignored", result.stderr)
        files = [each["path"] for each in self.ok("--json", "config", "path", cwd=below).json["files"]]
        self.assertIn(str(self.project / "slipway.toml"), files)

    def test_the_projects_own_file_hides_planted_files_above_it(self):
        (self.project / "slipway.toml").write_text("[cli]\nsession = 'ours'\n")
        for plant in PLANTED:
            with self.planted(plant, self.shared / "slipway.toml"):
                self.assertEqual(self.session(), ("ours", ""))

    def test_planted_torchxconfig_is_ignored_with_a_warning(self):
        self.project.chmod(0o1777)
        path = self.project / ".torchxconfig"
        for plant in PLANTED:
            with self.planted(plant, path):
                session, warnings = self.session()
                self.assertEqual(session, "slipway")
                self.assertIn(f"{path}: this configuration is ignored", warnings)

    def test_planted_manifest_breaks_no_command_that_does_not_need_it(self):
        plugins = self.root / "plugins.d"
        plugins.mkdir()
        plugins.chmod(0o1777)
        self.env["SLIPWAY_PLUGIN_PATH"] = str(plugins)
        app = self.app("true")
        for plant in PLANTED:
            path = plugins / "planted.toml"
            with self.planted(plant, path):
                self.ok("list")
                self.ok("run", "-q", "--no-log", app)
                problems = self.run_slipway("plugin", "doctor", "--json").json["problems"]
                self.assertIn(str(path), [problem["file"] for problem in problems])

    def test_a_planted_file_that_the_user_names_is_an_error(self):
        path = self.shared / "named.toml"
        for plant in PLANTED:
            with self.planted(plant, path):
                self.assertIn(self.run_slipway("--config", path, "list").status, (77, 78))


if __name__ == "__main__":
    unittest.main()
