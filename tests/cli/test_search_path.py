"""The working directory in a replica's PATH: Slipway omits it if other users may write to it."""

import os
import unittest

from own_namespace import needs_root
from slipway_case import SlipwayCase

NOBODY = 65534  # uid and gid of the user nobody


class SearchPath(SlipwayCase):
    def setUp(self):
        super().setUp()
        planted = self.write("ls", "#!/bin/sh\necho planted\n")
        planted.chmod(0o755)
        self.cwd.chmod(0o755)

    def output(self, *arguments):
        """Returns the messages and output of an app that calls `ls`. The working directory has an `ls` of its own."""
        return self.ok("run", *arguments, self.app("ls")).stderr

    def assert_skipped(self):
        for arguments in ([], ["-c", "prepend_cwd=True"]):
            with self.subTest(arguments=arguments):
                output = self.output(*arguments)
                self.assertNotIn("w/0 planted", output)
                self.assertIn(f"other users may write to {self.cwd}", output)
                self.assertIn("PATH", output)

    def test_directory_of_the_user_comes_first(self):
        for arguments in ([], ["-c", "prepend_cwd=True"]):
            output = self.output(*arguments)
            self.assertIn("w/0 planted", output)
            self.assertNotIn("other users may write", output)

    def test_world_writable_directory_is_skipped(self):
        for mode in (0o777, 0o1777):
            self.cwd.chmod(mode)
            self.assert_skipped()

    @needs_root
    def test_directory_of_another_user_or_group_is_skipped(self):
        os.chown(self.cwd, NOBODY, -1)
        self.assert_skipped()
        os.chown(self.cwd, 0, NOBODY)
        self.cwd.chmod(0o775)
        self.assert_skipped()


if __name__ == "__main__":
    unittest.main()
