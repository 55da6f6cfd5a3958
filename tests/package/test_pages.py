"""The commands in the documentation that build plug-ins with the installed SDK."""

import sys
import unittest

from moved_prefix import SOURCE, TREE, MovedPrefixCase

sys.path.append(str(SOURCE / "tests" / "docs"))
from run_page import run_pages  # pylint: disable=wrong-import-position  # noqa: E402


class Pages(MovedPrefixCase):
    def test_commands_print_what_the_pages_say(self):
        variables = {"PREFIX": str(self.prefix), "PKG_CONFIG_PATH": str(self.prefix / "share" / "pkgconfig")}
        pages, differences = run_pages("sdk", TREE, variables)
        self.assertEqual(differences, [], "\n".join(differences))
        self.assertTrue(pages)


if __name__ == "__main__":
    unittest.main()
