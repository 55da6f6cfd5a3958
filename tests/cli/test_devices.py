"""The devices of a resource on this machine. A manifest's tables [devices.NAME] name their files."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

SITE = """[devices."x/nothing"]
path = "/dev/null"
[devices."x/gone"]
path = "/dev/no-such-thing{i}"
[devices."x/broken"]
path = "dev/relative"
[named_resources.here]
devices = { "x/nothing" = 2 }
[named_resources.elsewhere]
devices = { "x/gone" = 2, "x/unknown" = 1, "vpc.amazonaws.com/efa" = 1 }
[named_resources.broken]
devices = { "x/broken" = 1 }
"""


class Devices(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.root / "site.toml"
        self.site.write_text(SITE)

    def dryrun(self, resource):
        """Returns the arguments of a dry run of an app with this named resource."""
        return ("--plugin-path", self.site, "run", "-n", self.app(role("w", "true", resource=resource)))

    def findings(self, resource):
        """Returns the texts of the findings about the devices of this named resource."""
        ignored = self.ok("--json", *self.dryrun(resource)).json["ignored"]
        return [i["why"] for i in ignored if i["field"] == "resource.devices" and i["role"] == "w"]

    def test_existing_devices_are_named_and_not_reserved(self):
        (why,) = self.findings("here")
        self.assertTrue(why.endswith("every replica sees /dev/null"), why)

    def test_missing_and_unknown_devices_are_reported(self):
        gone, unknown = self.findings("elsewhere")
        self.assertIn("/dev/no-such-thing0, /dev/no-such-thing1", gone)
        self.assertIn("/dev/infiniband/uverbs0", gone)
        self.assertIn("x/unknown; [devices.", unknown)
        self.assertIn("ignores resource.devices of w", self.ok(*self.dryrun("elsewhere")).stderr)

    def test_a_broken_table_is_reported_only_by_commands_that_need_it(self):
        self.assertIn(f"{self.site}:6:8", self.expect(78, *self.dryrun("broken")).stderr)
        self.findings("here")


if __name__ == "__main__":
    unittest.main()
