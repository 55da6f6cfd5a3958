"""`slipway plugin list`, and other commands in the presence of broken, shadowed and disabled plug-ins."""

import shutil
import unittest

from slipway_case import TREE, SlipwayCase

KEYS = {"id", "version", "abi", "manifest", "library", "enabled", "provides", "state", "error"}
GROUPS = {"schedulers", "image_providers", "named_resources", "components", "workspaces"}


def manifest(plugin_id, library="", extra=""):
    """Returns the text of a manifest with the lines `extra` at its end."""
    line = f'library = "{library}"\n' if library else ""
    return (f'manifest_version = 1\n[[plugin]]\nid = "{plugin_id}"\nversion = "3.2.1"\nabi = "1.0"\n{line}{extra}\n')


class PluginList(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.root / "site"
        self.site.mkdir(mode=0o755)

    def plugins(self, *arguments, **options):
        """Checks the document of `plugin list`. Returns its plug-ins."""
        document = self.ok(*arguments, "plugin", "list", "--json", **options).json
        self.assertLessEqual({"plugins", "searched"}, set(document))
        for plugin in document["plugins"]:
            self.assertLessEqual(KEYS, set(plugin))
            self.assertLessEqual(GROUPS, set(plugin["provides"]))
            self.assertIn(plugin["state"], ("ok", "disabled", "shadowed", "error"))
            if plugin["state"] == "error":
                self.assertIsNotNone(plugin["error"], plugin)
        for place in document["searched"]:
            self.assertLessEqual({"path", "origin", "state"}, set(place))
        return document["plugins"]

    def find(self, plugins, plugin_id):
        """Returns the plug-ins with this id, in the order of precedence."""
        return [p for p in plugins if p["id"] == plugin_id]

    def test_shows_the_built_in_plugins(self):
        (local,) = self.find(self.plugins(), "org.slipway.local")
        self.assertEqual((local["state"], local["enabled"], local["error"]), ("ok", True, None))
        self.assertLessEqual({"local_cwd", "local_dir"}, set(local["provides"]["schedulers"]))
        self.assertTrue(local["library"].startswith(str(TREE.resolve())), local)
        text = self.ok("plugin", "list").stdout
        self.assertIn("org.slipway.local", text)
        self.assertIn("local_cwd", text)

    def test_a_broken_manifest_affects_no_other_plugin(self):
        broken = self.site / "broken.toml"
        broken.write_text("manifest_version = 1\n[[plugin]\nid = ")
        plugins = self.plugins("--plugin-path", self.site)
        (row,) = [p for p in plugins if p["manifest"] == str(broken)]
        self.assertEqual(row["state"], "error")
        self.assertIn("broken.toml:2", row["error"])
        self.assertEqual(self.find(plugins, "org.slipway.local")[0]["state"], "ok")
        self.ok("run", "--plugin-path", self.site, self.app("true"))

    def test_a_manifest_of_garbage_affects_no_other_plugin(self):
        for index, data in enumerate((b"\x7fELF\0\xff\xfe", b"", b"[" * 100000, b"manifest_version = 99\n")):
            (self.site / f"{index}.toml").write_bytes(data)
        plugins = self.plugins("--plugin-path", self.site)
        self.assertEqual(self.find(plugins, "org.slipway.local")[0]["state"], "ok")
        bad = {p["manifest"] for p in plugins if p["state"] == "error"}
        for index in range(4):
            self.assertIn(str(self.site / f"{index}.toml"), bad)
        self.ok("run", "--plugin-path", self.site, self.app("true"))

    def test_missing_or_invalid_library_affects_only_commands_that_use_it(self):
        (self.site / "text.so").write_text("no library\n")
        libraries = ("missing.so", "text.so")
        for index, library in enumerate(libraries):
            (self.site / f"{index}.toml").write_text(
                manifest(f"org.example.p{index}", library, f'[plugin.provides]\nschedulers = ["sched{index}"]'))
        for index, library in enumerate(libraries):
            result = self.expect(69, "--plugin-path", self.site, "run", "-s", f"sched{index}", self.app("true"))
            self.assertIn(library, result.stderr)
        self.ok("--plugin-path", self.site, "run", self.app("true"))
        document = self.ok("--plugin-path", self.site, "list", "--all", "--json").json
        self.assertEqual({e["scheduler"] for e in document["errors"]}, {"sched0", "sched1"})
        for error in document["errors"]:
            self.assertLessEqual({"scheduler", "message"}, set(error))
        self.assertEqual(len(document["apps"]), 1)
        self.assertEqual(set(self.ok("--plugin-path", self.site, "runopts", "--json").json),
                         {"local", "local_cwd", "local_dir", "local_docker", "docker", "slurm"})

    def test_a_plugin_in_an_earlier_place_shadows_one_with_the_same_id(self):
        library = TREE / "lib" / "slipway" / "libslipway_generic.so"
        (self.site / "mine.toml").write_text(
            manifest("org.slipway.generic", library, '[plugin.provides]\nnamed_resources = ["generic"]'))
        mine, vendor = self.find(self.plugins("--plugin-path", self.site), "org.slipway.generic")
        self.assertEqual((mine["manifest"], mine["version"], mine["state"]),
                         (str(self.site / "mine.toml"), "3.2.1", "ok"))
        self.assertEqual(vendor["state"], "shadowed")
        self.assertEqual(self.find(self.plugins(), "org.slipway.generic")[0]["state"], "ok")

    def test_a_disabled_plugin_shadows_a_later_one(self):
        (self.site / "off.toml").write_text(manifest("org.slipway.local", extra="enabled = false"))
        rows = self.find(self.plugins("--plugin-path", self.site), "org.slipway.local")
        self.assertEqual([(r["state"], r["enabled"]) for r in rows], [("disabled", False), ("shadowed", True)])
        self.expect_failure(66, "not_found", "--plugin-path", self.site, "run", self.app("true"))
        self.assert_no_app()

    def test_option_no_plugins_leaves_only_the_built_in_ones(self):
        (self.site / "more.toml").write_text(manifest("org.example.more", "x.so"))
        ids = {p["id"] for p in self.plugins("--plugin-path", self.site)}
        self.assertIn("org.example.more", ids)
        self.assertEqual(ids - {p["id"] for p in self.plugins("--no-plugins", "--plugin-path", self.site)},
                         {"org.example.more"})

    def test_json_lists_every_searched_place_and_its_state(self):
        user = self.config / "slipway" / "plugins.d"
        user.mkdir(parents=True)
        document = self.ok("--plugin-path", self.site, "plugin", "list", "--json").json
        places = {p["path"]: (p["origin"], p["state"]) for p in document["searched"]}
        self.assertEqual(places[str(self.site)], ("flag", "searched"))
        self.assertEqual(places[str(user)], ("user", "searched"))
        origins = [p["origin"] for p in document["searched"]]
        order = ["flag", "env", "user", "site", "shared", "vendor"]
        self.assertEqual(origins, sorted(origins, key=order.index))

    def test_the_environment_and_the_users_directory_are_searched(self):
        user = self.config / "slipway" / "plugins.d"
        user.mkdir(parents=True)
        (user / "u.toml").write_text(manifest("org.example.user", "x.so"))
        (self.site / "e.toml").write_text(manifest("org.example.env", "x.so"))
        ids = [p["id"] for p in self.plugins(env={"SLIPWAY_PLUGIN_PATH": str(self.site)})]
        self.assertLess(ids.index("org.example.env"), ids.index("org.example.user"))
        self.assertLess(ids.index("org.example.user"), ids.index("org.slipway.local"))

    def test_a_world_writable_manifest_is_refused(self):
        path = self.site / "open.toml"
        path.write_text(manifest("org.example.open", "x.so"))
        path.chmod(0o666)
        plugins = self.plugins("--plugin-path", path)
        self.assertEqual([p["state"] for p in plugins if p["manifest"] == str(path)], ["error"])

    def test_a_moved_tree_finds_its_plugins(self):
        moved = self.root / "moved"
        shutil.copytree(TREE, moved, symlinks=True)
        import slipway_case
        self.addCleanup(setattr, slipway_case, "SLIPWAY", slipway_case.SLIPWAY)
        slipway_case.SLIPWAY = moved / "bin" / "slipway"
        (local,) = self.find(self.plugins(), "org.slipway.local")
        self.assertTrue(local["library"].startswith(str(moved)), local)
        self.ok("run", self.app("true"))

    def test_plugin_without_a_command_is_a_usage_error(self):
        self.expect_failure(64, "usage", "plugin")
        self.expect_failure(64, "usage", "plugin", "lits")


if __name__ == "__main__":
    unittest.main()
