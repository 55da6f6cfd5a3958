"""`slipway resource`, and named resources of manifests in apps."""

import unittest
from pathlib import Path

from app_text import role
from slipway_case import TREE, SlipwayCase

FAULTY = TREE.parent / "tests" / "bad_plugins" / "plugins" / "faulty_plugin.toml"

SITE = """manifest_version = 1
[named_resources.a100.half]
cpu = 48
gpu = 4
mem = "563GiB"
capabilities = { instance = "p4d" }
tags = { owner = "vision" }

[named_resources.a100.half.local_dir]
gpu = 1
devices = { efa = 2 }

[named_resources.trainer]
inherits = "a100.half"
capabilities = { zone = "b" }

[named_resources.old]
alias_of = "trainer"
deprecated = "write trainer"

[named_resources."cpu.small"]
inherits = "cpu.medium"
cpu = 3
"""
KEYS = {"cpu", "gpu", "memMB", "capabilities", "devices", "tags", "source"}


class Resources(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        self.site.mkdir(mode=0o755)
        self.file = self.site / "site.toml"
        self.file.write_text(SITE)

    def resource(self, *arguments, **options):
        return self.ok("--plugin-path", self.site, "resource", *arguments, **options)

    def rows(self, *arguments):
        """Checks the keys of each listed resource. Returns {name: resource}."""
        document = self.resource("list", "--json", *arguments).json
        for row in document.values():
            self.assertLessEqual(KEYS, set(row))
        return document

    def dry_role(self, name, *arguments):
        """Returns the resource that a role with this named resource gets in a dry run, and the messages."""
        app = self.app(role("w", "true", resource=name))
        result = self.ok("--plugin-path", self.site, "run", "-n", "--json", *arguments, app)
        return result.json["app"]["roles"][0]["resource"], result.stderr

    def test_list_shows_all_resources_with_their_sources(self):
        rows = self.rows()
        self.assertEqual(rows["trainer"]["source"], f"{self.file}:13:18")
        # As in TorchX, 983 of the 1024 MiB in each GiB, because AWS Batch reserves memory.
        self.assertEqual(rows["aws_c5.18xlarge"]["memMB"], 142 * 983)
        self.assertEqual(rows["aws_p4d.24xlarge"]["source"], "org.slipway.aws")
        self.assertEqual(rows["host.full"]["origin"], "vendor")
        self.assertEqual(rows["cpu.small"]["shadows"], ["org.slipway.generic"])
        self.assertIn("shadows org.slipway.generic", self.resource("list").stdout)
        self.assertEqual(list(rows), sorted(rows))

    def test_an_earlier_layer_shadows_a_later_one(self):
        user = self.config / "slipway" / "resources.d"
        user.mkdir(parents=True)
        (user / "mine.toml").write_text("[named_resources.trainer]\ncpu = 1\n")
        self.assertEqual(self.rows()["trainer"]["shadows"], [f"{user / 'mine.toml'}:1:18"])
        row = self.ok("resource", "show", "trainer", "--json").json["trainer"]
        self.assertEqual((row["cpu"], row["origin"]), (1, "user"))

    def test_fits_selects_resources_by_conditions(self):
        names = set(self.rows("--fits", "gpu>=4,memMB<=600000"))
        self.assertLessEqual({"a100.half", "trainer", "old", "gpu.large"}, names)
        self.assertNotIn("gpu.small", names)
        self.assertNotIn("aws_p4d.24xlarge", names)
        self.assertNotIn("NULL", names)
        self.assertEqual(set(self.rows("--fits", "capabilities.zone=b")), {"trainer", "old"})
        user = self.config / "slipway" / "resources.d"
        user.mkdir(parents=True)
        (user / "mine.toml").write_text("[named_resources.part]\ncpu = 1\ncapabilities = { ratio = 0.5 }\n")
        self.assertEqual(set(self.rows("--fits", "capabilities.ratio=0.5")), {"part"})
        self.assertEqual(set(self.rows("--fits", "devices.vpc.amazonaws.com/efa>4, mem > 1TiB, cpu != 128")),
                         {"aws_p5.48xlarge", "aws_p5en.48xlarge"})
        for wrong in ("", "gpu", "gpu=>2", "gpu>=two", "gpus>=2", "mem>=64", "capabilities.a>b", "gpu>2,,cpu>1"):
            with self.subTest(wrong=wrong):
                self.expect_failure(64, "usage", "resource", "list", "--fits", wrong)

    def test_show_prints_where_each_value_comes_from(self):
        row = self.resource("show", "trainer", "--json").json["trainer"]
        origins = {field: (o["resource"], o["source"]) for field, o in row["origins"].items()}
        self.assertEqual(origins["cpu"], ("a100.half", f"{self.file}:3:1"))
        self.assertEqual(origins["memMB"], ("a100.half", f"{self.file}:5:1"))
        self.assertEqual(origins["capabilities.zone"], ("trainer", f"{self.file}:15:18"))
        self.assertEqual(row["inherits"], ["a100.half"])
        self.assertEqual(row["tags"], {})
        self.assertEqual(row["schedulers"]["local_dir"]["gpu"], 1)
        text = self.resource("show", "trainer").stdout
        self.assertIn(f"{self.file}:15:18", text)
        self.assertIn("on local_dir: ", text)

    def test_show_of_an_unknown_resource_suggests_a_name(self):
        error = self.expect_failure(66, "not_found", "--plugin-path", self.site, "resource", "show", "traner")
        self.assertEqual(error["hint"], "did you mean trainer?")
        error = self.expect_failure(66, "not_found", "resource", "show", "nosuch")
        self.assertEqual(error["hint"], "`slipway resource list` lists all")

    def test_hint_for_an_unknown_resource_lists_those_of_its_family(self):
        result = self.run_slipway("run", "-n", self.app(role("w", "true", resource="aws_zzzzzzzz")))
        self.assertRegex(result.stderr, "'aws_zzzzzzzz', known resources are aws_[^ ]+, aws_.*`slipway resource list`")

    def test_a_variant_applies_only_to_its_scheduler(self):
        here, _ = self.dry_role("trainer")
        self.assertEqual((here["gpu"], here["devices"]), (4, {}))
        there, _ = self.dry_role("trainer", "-s", "local_dir")
        self.assertEqual((there["gpu"], there["devices"], there["cpu"]), (1, {"efa": 2}, 48))

    def test_deprecated_name_works_with_a_warning(self):
        old, said = self.dry_role("old")
        self.assertEqual(old, self.dry_role("trainer")[0])
        self.assertRegex(said, r"app\.toml:\d+:\d+: .*'old' is deprecated, write trainer")
        self.assertNotIn("deprecated", self.dry_role("trainer")[1])
        result = self.ok("--plugin-path", self.site, "lint", self.app(role("w", "true", resource="old", image="/")))
        self.assertIn("[deprecated-resource]", result.stdout)

    def test_this_machine_has_resources(self):
        full, _ = self.dry_role("host.full")
        half, _ = self.dry_role("host.half")
        self.assertGreaterEqual(full["cpu"], half["cpu"])
        self.assertGreater(full["memMB"], half["memMB"])
        self.assertEqual(self.dry_role(f"host.{full['cpu']}")[0]["cpu"], full["cpu"])
        self.expect_failure(66, "not_found", "resource", "show", f"host.{full['cpu'] + 1}")

    def test_check_reports_all_mistakes(self):
        self.assertEqual(self.ok("resource", "check", self.file).stdout, "")
        self.file.write_text(SITE + "[named_resources.loop]\ninherits = 'loop'\n[named_resources.x]\ncpus = 4\n"
                             "inherits = 'gpu.smal'\n[named_resources.y]\ncpu = 1\n[named_resources.y.kubernetes]\n"
                             "gpu = 1\n"
                             "[named_resources.z]\nmem = '64GB'\n")
        result = self.expect(65, "resource", "check", self.file)
        lines = result.stdout.splitlines()
        self.assertEqual([line.split(": ")[0].rsplit(":", 2)[1] for line in lines], ["25", "27", "28", "31", "34"])
        for text in ("loop -> loop", "did you mean cpu?", "did you mean gpu.small?", "no scheduler 'kubernetes' here",
                     "'64GB' has no known unit"):
            self.assertIn(text, result.stdout)
        rows = self.expect(65, "resource", "check", self.file, "--json").json
        self.assertEqual([r["severity"] for r in rows], ["error", "warning", "error", "warning", "error"])
        self.expect_failure(66, "not_found", "resource", "check", self.site / "none.toml")

    def test_check_reads_the_file_also_without_other_plug_ins(self):
        self.file.write_text("[named_resources.x]\ninherits = 'gpu.small'\n[named_resources.y]\ncpu = 'many'\n")
        for arguments, variable in ((["--no-plugins"], "0"), ([], "1")):
            with self.subTest(arguments=arguments):
                env = {"SLIPWAY_NO_PLUGINS": variable}
                result = self.expect(65, *arguments, "resource", "check", self.file, env=env)
                self.assertIn(f"{self.file}:4:", result.stdout)
                self.assertIn("errors: 1", result.stderr)

    def test_check_refuses_a_directory(self):
        self.file.write_text("[named_resources.x]\ncpu = 'many'\n")
        self.expect(65, "resource", "check", self.file)
        named_toml = self.root / "site.toml"
        named_toml.mkdir()
        for directory in (self.site, named_toml):
            result = self.expect(65, "resource", "check", directory)
            self.assertEqual(result.stdout, f"{directory}: the manifest is a directory, name a file in it\n")
            (row,) = self.expect(65, "--json", "resource", "check", directory).json
            self.assertEqual((row["severity"], row["message"]), ("error", "the manifest is a directory"))

    def test_the_example_of_the_documentation_works(self):
        example = Path(__file__).parents[2] / "core" / "docs" / "examples" / "site.toml"
        self.file.write_text(example.read_text())
        self.assertEqual(self.ok("resource", "check", self.file).stdout, "")
        self.assertEqual(self.resource("show", "login", "--json").json["login"]["memMB"], 1024)

    def test_show_of_an_unknown_resource_names_the_manifests_that_cannot_be_read(self):
        self.file.write_text("[named_resources.ww]\ncpu = 1\n")
        for damage, said in ((lambda: self.file.chmod(0o666), "is world-writable"),
                             (lambda: self.file.write_text("[named_resources.ww\n"), f"{self.file}:1:")):
            damage()
            result = self.expect(66, "--plugin-path", self.site, "resource", "show", "ww")
            self.assertIn("unknown resource 'ww'", result.stderr)
            self.assertRegex(result.stderr, rf"slipway: warning: {self.file}")
            self.assertIn(said, result.stderr)
            self.file.chmod(0o644)

    def test_a_cycle_is_reported_once_at_its_own_line(self):
        self.file.write_text("[named_resources.x]\ninherits = 'y'\n[named_resources.y]\ninherits = 'x'\n")
        text = f'{self.file}:2:12: the resource "x" inherits from itself: x -> y -> x'
        for command in (("resource", "check", self.file), ("--plugin-path", self.site, "plugin", "doctor"),
                        ("--plugin-path", self.site, "resource", "list")):
            with self.subTest(command=command):
                result = self.run_slipway(*command)
                said = result.stdout + result.stderr
                self.assertEqual((said.count(text), said.count("itself")), (1, 1), result)

    def test_an_invalid_resource_of_a_plugin_is_reported_with_the_plugin(self):
        self.env.update(SLIPWAY_PLUGIN_PATH=str(FAULTY), SLIPWAY_FAULT="capabilities_are_text")
        said = "the resource 'faulty.small' of the plug-in org.example.faulty is not usable: capabilities: "
        row = self.rows()["faulty.small"]
        self.assertIsNone(row["cpu"])
        self.assertIn(said, row["error"]["message"])
        self.assertIn(said, self.expect(65, "resource", "show", "faulty.small").stderr)
        result = self.expect(65, "run", "-n", self.app(role("w", "true", resource="faulty.small")))
        self.assertRegex(result.stderr, rf"app\.toml:\d+:\d+: roles\[0\]\.resource: .*{said}")
        doctor = self.run_slipway("plugin", "doctor").stdout
        for name in ("faulty.small", "faulty.large"):
            self.assertIn(f"org.example.faulty: the resource '{name}' of the plug-in", doctor)

    def test_an_unknown_resource_of_a_disabled_plugin_names_the_plugin(self):
        config = self.write("slipway.toml", "[plugins.'org.slipway.aws']\nenabled = false\n")
        why = f"org.slipway.aws would provide it, but is not usable: disabled in {config}:2:1"
        self.assertIn(why, self.expect(66, "resource", "show", "aws_t3.medium").stderr)
        app = self.app(role("w", "true", resource="aws_t3.medium"))
        self.assertIn(why, self.expect(66, "run", "-n", app).stderr)
        self.assertIn(why, self.run_slipway("lint", app).stdout)

    def test_a_place_of_plug_ins_that_does_not_exist_is_reported(self):
        place = self.root / "nosuch"
        said = f"slipway: warning: --plugin-path {place} does not exist"
        for command in (("resource", "list"), ("plugin", "list"), ("list",),
                        ("resource", "check", self.file)):
            self.assertEqual(self.ok("--plugin-path", place, *command).stderr.count(said), 1)
        self.assertNotIn("does not exist", self.ok("--plugin-path", place, "--no-plugins", "list").stderr)

    def test_a_broken_resource_does_not_hide_the_others(self):
        self.file.write_text(SITE + "[named_resources.loop]\ninherits = 'loop'\n")
        rows = self.rows()
        self.assertIn("loop -> loop", rows["loop"]["error"]["message"])
        self.assertIsNone(rows["loop"]["cpu"])
        self.assertIsNone(rows["trainer"]["error"])
        self.expect_failure(78, "config", "--plugin-path", self.site, "resource", "show", "loop")


if __name__ == "__main__":
    unittest.main()
