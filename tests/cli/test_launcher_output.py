"""Output that an app has but none of its replicas wrote, such as that of its scheduler's launcher."""

import json
import unittest

from slipway_case import TREE, SlipwayCase

MANIFEST = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"


@unittest.skipUnless(MANIFEST.is_file(), "the tree that is tested was not built here")
class LauncherOutput(SlipwayCase):
    def test_output_of_the_app_itself_has_neither_role_nor_replica(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(MANIFEST), SLIPWAY_FAULT="has_a_launcher")
        result = self.ok("run", "-s", "faulty", self.app("echo hello", "echo bye"))
        self.assertIn("app launching\n", result.stderr)
        self.assertIn("w/0 hello\n", result.stderr)
        handle = result.stdout.strip()
        lines = [json.loads(line) for line in self.ok("log", "--json", handle).lines]
        (launcher,) = [line for line in lines if line["line"] == "launching"]
        self.assertEqual((launcher["role"], launcher["replica"]), (None, None))
        self.assertEqual({(line["role"], line["replica"]) for line in lines if line is not launcher},
                         {("w", 0), ("r1", 0)})
        self.assertEqual(self.ok("log", f"{handle}/w/0").stdout, "hello\n")


if __name__ == "__main__":
    unittest.main()
