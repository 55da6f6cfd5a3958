"""Named resources of a plug-in and of a manifest."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

SITE = """manifest_version = 1
[named_resources."site.big"]
cpu = 48
gpu = 4
memMB = 576000
capabilities = { instance = "p4d" }
devices = { "vpc/efa" = 4 }

[named_resources."site.big".local_dir]
gpu = 2

[named_resources.trainer]
inherits = "site.big"
capabilities = { zone = "b" }
"""


class NamedResources(SlipwayCase):
    def setUp(self):
        super().setUp()
        site = self.root / "site"
        site.mkdir()
        self.manifest = site / "resources.toml"
        self.manifest.write_text(SITE)

    def resource(self, name, *arguments):
        """Returns the resource that a role with this named resource gets in a dry run."""
        app = self.app(role("w", "true", resource=name))
        return self.ok(*arguments, "run", "-n", "--json", app).json["app"]["roles"][0]["resource"]

    def test_gpu_small_is_known(self):
        small = self.resource("gpu.small")
        self.assertGreater(small["gpu"], 0)
        self.assertGreater(small["cpu"], 0)
        self.assertGreater(small["memMB"], 0)
        self.ok("run", self.app(role("w", "true", resource="gpu.small")))

    def test_manifest_may_define_a_resource_without_a_library(self):
        big = self.resource("site.big", "--plugin-path", self.manifest)
        self.assertEqual((big["cpu"], big["gpu"], big["memMB"], big["capabilities"], big["devices"]),
                         (48, 4, 576000, {"instance": "p4d"}, {"vpc/efa": 4}))
        self.assertEqual(self.resource("site.big", "--plugin-path", self.manifest.parent), big)

    def test_inherits_copies_the_values_that_the_resource_does_not_set(self):
        trainer = self.resource("trainer", "--plugin-path", self.manifest)
        self.assertEqual((trainer["cpu"], trainer["gpu"], trainer["memMB"], trainer["capabilities"],
                          trainer["devices"]), (48, 4, 576000, {"instance": "p4d", "zone": "b"}, {"vpc/efa": 4}))

    def test_components_get_the_values_of_a_resource_for_the_scheduler(self):
        def gpus(*arguments, **options):
            made = self.ok("--plugin-path", self.manifest, "run", "-n", "--json", *arguments, "dist.ddp", "-h",
                           "trainer", "--image", self.cwd, "--script", "x.py", **options).json
            return made["app"]["roles"][0]["resource"]["gpu"]
        self.assertEqual(gpus("-s", "local_cwd"), 4)
        self.assertEqual(gpus("-s", "local_dir"), 2)
        self.assertEqual(gpus(env={"SLIPWAY_SCHEDULER": "local_dir"}), 2)
        self.write("component.toml",
                   "[component.c.app]\nname = 'c'\n[[component.c.app.roles]]\nname = 'w'\nentrypoint = 'true'\n"
                   f"image = '{self.cwd}'\nresource = 'trainer'\n")
        for scheduler, count in (("local_cwd", 4), ("local_dir", 2)):
            made = self.ok("--plugin-path", self.manifest, "run", "-n", "--json", "-s", scheduler,
                           "component.toml").json
            self.assertEqual(made["app"]["roles"][0]["resource"]["gpu"], count)

    def test_the_resources_d_of_the_user_is_searched(self):
        directory = self.config / "slipway" / "resources.d"
        directory.mkdir(parents=True)
        (directory / "mine.toml").write_text(SITE)
        self.assertEqual(self.resource("trainer")["gpu"], 4)

    def test_unknown_name_is_not_found_and_gets_a_suggestion(self):
        for name, meant in (("gpu.smal", "gpu.small"), ("traimer", "trainer")):
            with self.subTest(name=name):
                app = self.app(role("w", "true", resource=name))
                error = self.expect_failure(66, "not_found", "--plugin-path", self.manifest, "run", app)
                self.assertIn(meant, error["message"] + str(error["hint"]))
                self.assertRegex(error["message"] + str(error["where"]), r"app\.toml:\d+:\d+")
        self.assert_no_app()

    def test_cycle_or_missing_base_is_an_error_only_when_the_resource_is_used(self):
        self.manifest.write_text(SITE + '[named_resources.a]\ninherits = "b"\n[named_resources.b]\ninherits = "a"\n'
                                 '[named_resources.c]\ninherits = "nobody"\n')
        for name in ("a", "b", "c"):
            with self.subTest(name=name):
                result = self.run_slipway("--plugin-path", self.manifest, "run",
                                          self.app(role("w", "true", resource=name)))
                self.assertEqual(result.status, 78, result)
        self.assertEqual(self.resource("trainer", "--plugin-path", self.manifest)["gpu"], 4)
        self.assert_no_app()


if __name__ == "__main__":
    unittest.main()
