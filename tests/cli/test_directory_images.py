"""Images that are directories with relative paths, which start at the directory of the command."""

import unittest

from app_text import role
from slipway_case import SlipwayCase


class DirectoryImages(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.image = self.directory("image")

    def directory(self, name):
        """Makes a directory with a program that prints its working directory and the directory that its argument names.
        Returns the path of the made one."""
        out = self.cwd / name
        out.mkdir()
        self.write(f"{name}/program", '#!/bin/sh\npwd\ncd "$1"; pwd\n').chmod(0o755)
        return out

    def output(self, scheduler, image="image", **fields):
        """Runs the program. Returns its working directory, and the directory that ${img_root} leads to from there."""
        app = self.app(role("w", image=image, entrypoint="program", args=["${img_root}"], **fields))
        result = self.ok("run", "-s", scheduler, app)
        return [line.removeprefix("w/0 ") for line in result.stderr.splitlines() if line.startswith("w/0 ")]

    def test_program_of_a_relative_image_is_found(self):
        for scheduler in ("local_dir", "local"):
            with self.subTest(scheduler):
                self.assertEqual(self.output(scheduler), [str(self.image)] * 2)

    def test_img_root_leads_to_the_image_from_another_working_directory(self):
        elsewhere = self.directory("elsewhere")
        self.assertEqual(self.output("local_dir", cwd=str(elsewhere)), [str(elsewhere), str(self.image)])

    def test_dry_run_shows_the_absolute_img_root(self):
        app = self.app(role("w", image="image", entrypoint="program", args=["${img_root}"], cwd="/tmp"))
        self.assertIn(f"run:  program {self.image}\n", self.ok("run", "-n", "-s", "local_dir", app).stdout)

    def test_relative_cwd_is_below_the_image(self):
        below = self.directory("image/sub")
        self.assertEqual(self.output("local_dir", cwd="sub"), [str(below), str(self.image)])

    def test_dot_is_the_current_directory(self):
        below = self.directory("sub")
        self.assertEqual(self.output("local_dir", image=".", cwd="sub"), [str(below), str(self.cwd)])

    def test_directories_of_the_role_stay_in_path(self):
        self.write("image/program", "#!/bin/sh\necho $PATH\n")
        for option, start in ((), "/a:"), (("-c", "prepend_cwd=true"), f"{self.image}:/a:"):
            path = self.ok("run", *option, "-s", "local_dir",
                           self.app(role("w", image="image", entrypoint="./program", env={"PATH": "/a"}))).stderr
            self.assertIn(f"w/0 {start}", path)
            self.assertEqual(path.count(str(self.image)), 1)


if __name__ == "__main__":
    unittest.main()
