"""Mistakes in manifests: each is reported with its place and a hint, and other plug-ins still work."""

import os
import unittest

from app_text import role
from slipway_case import SlipwayCase

PLUGIN = "[[plugin]]\nid = 'org.example.x'\n"
WITH_LIBRARY = PLUGIN + "library = 'x.so'\n"
RESOURCE = "[named_resources.r]\n"

# (description, text of the manifest, place, words of the message). The place is line:column, or `line:` for any
# column of it, or empty for the whole file.
BROKEN = [
    # not a TOML text
    ("nothing", b"", "", "is empty"),
    ("blanks only", b" \n\n\t", "", "is empty"),
    ("no end of a header", b"manifest_version = 1\n[[plugin]\nid = 'x'\n", "2:10", "not valid TOML"),
    ("no end of a string", b"manifest_version = 1\n[[plugin]]\nid = \"x\n", "3:8", "is not closed on its line"),
    ("the same key twice", WITH_LIBRARY.encode() + b"id = 'b'\n", "4:6", "not valid TOML"),
    ("no value", b"manifest_version =\n", "1:19", "not valid TOML"),
    ("text that is not UTF-8", b"manifest_version = 1\nx = \"\xff\xfe\"\n", "2:6", "UTF-8"),
    ("a NUL byte", b"manifest_version = 1\nx = \"a\0b\"\n", "2:7", "NUL"),
    ("a library in place of a manifest", b"\x7fELF\x02\x01\x01\0", "1:8", "NUL"),
    ("JSON", b"{\"plugin\": []}\n", "1:", "not valid TOML"),
    ("nested too deeply", b"x = " + b"[" * 5000, "1:", "nested too deeply"),
    # the root table
    ("a newer version", b"manifest_version = 2\n" + WITH_LIBRARY.encode(), "1:20", "newer than this host"),
    ("version 0", b"manifest_version = 0\n", "1:20", "expected 1"),
    ("a version in words", b"manifest_version = 'one'\n", "1:20", "expected 1"),
    ("plugin is not a list", b"plugin = 7\n", "1:10", "[[plugin]]"),
    ("plugin is one table", b"[plugin]\nid = 'x'\nlibrary = 'x.so'\n", "1:1", "[[plugin]]"),
    ("resources are not a table", b"named_resources = []\n", "1:19", "expected a table"),
    ("devices are not a table", b"devices = 1\n", "1:11", "expected a table"),
    # plug-ins
    ("no id", b"[[plugin]]\nlibrary = 'x.so'\n", "1:1", "`id` is missing"),
    ("an id of blanks", b"[[plugin]]\nid = 'a b'\nlibrary = 'x.so'\n", "2:6", "is not an id"),
    ("an id that is a number", b"[[plugin]]\nid = 7\n", "2:6", "expected a string"),
    ("no library", PLUGIN, "1:1", "`library` is missing"),
    ("an empty library", PLUGIN + "library = ''\n", "3:11", "is not a path"),
    ("a library that is a list", PLUGIN + "library = ['x.so']\n", "3:11", "expected a path"),
    ("a library for others only", PLUGIN + "library = { plan9_mips = 'x.so' }\n", "3:11", "has no library for"),
    ("a library that is not there", WITH_LIBRARY, "1:1", "does not exist"),
    ("an absolute path that is not there", PLUGIN + "library = '/nowhere/x.so'\n", "1:1", "does not exist"),
    ("a path out of the directory to no library", PLUGIN + "library = '../../../../../../../../etc/passwd'\n", "1:1",
     "is not a shared library"),
    ("a library that is a directory", PLUGIN + "library = '.'\n", "1:1", "is a directory"),
    ("a library that is the manifest", PLUGIN + "library = 'x.toml'\n", "1:1", "is not a shared library"),
    ("another ABI", WITH_LIBRARY + "abi = '9.0'\n", "4:7", "needs ABI 9.0"),
    ("an ABI in words", WITH_LIBRARY + "abi = 'new'\n", "4:7", "expected a version"),
    ("enabled in words", WITH_LIBRARY + "enabled = 'no'\n", "4:11", "expected true or false"),
    ("override as a number", WITH_LIBRARY + "override = 1\n", "4:12", "expected true or false"),
    ("a malformed checksum", WITH_LIBRARY + "sha256 = 'abc'\n", "4:10", "expected 64 hexadecimal digits"),
    ("a checksum for others only", WITH_LIBRARY + "sha256 = { plan9_mips = 'abc' }\n", "4:10", "has no checksum for"),
    ("provides is a list", WITH_LIBRARY + "provides = ['x']\n", "4:12", "expected a table"),
    ("a malformed name", WITH_LIBRARY + "provides = { schedulers = ['a/b'] }\n", "4:28", "is not a valid name"),
    ("a name twice", WITH_LIBRARY + "provides = { schedulers = ['a', 'a'] }\n", "4:33", "is listed twice"),
    ("a workspace of a set of components",
     WITH_LIBRARY + "provides = { components = [{ name = 'a', workspace = 'x://${dir}' }] }\n",
     "4:54", "runs no apps in a workspace"),
    ("a workspace that is not a URL",
     WITH_LIBRARY + "provides = { schedulers = [{ name = 'a', workspace = 'image' }] }\n",
     "4:54", "is not a URL with the macro ${dir}"),
    ("a workspace without the directory",
     WITH_LIBRARY + "provides = { schedulers = [{ name = 'a', workspace = 'image://x' }] }\n",
     "4:54", "is not a URL with the macro ${dir}"),
    ("config is a text", WITH_LIBRARY + "config = 'x'\n", "4:10", "is not a JSON object"),
    # resources and devices
    ("a resource that is a number", "[named_resources]\nr = 7\n", "2:5", "expected a table"),
    ("a resource without a name", "[named_resources.'']\ncpu = 1\n", "1:18", "needs a name"),
    ("half a gpu", RESOURCE + "gpu = 0.5\n", "2:7", "expected an integer"),
    ("a negative number of GPUs", RESOURCE + "gpu = -1\n", "2:7", "expected 0 or more"),
    ("memory without a unit", RESOURCE + "mem = '64'\n", "2:7", "has no known unit"),
    ("memory with a fraction", RESOURCE + "mem = '1.5TiB'\n", "2:7", "has a decimal point"),
    ("memory with a fraction of the smallest unit", RESOURCE + "mem = '1.5MiB'\n", "2:7",
     "write a whole number of MiB, GiB or TiB"),
    ("memory with a fraction that is zero", RESOURCE + "mem = '2.0GiB'\n", "2:7", "write 2GiB"),
    ("memory that is less than a MiB", RESOURCE + "mem = '1536KiB'\n", "2:7", "write 2MiB"),
    ("memory with a fraction of a smaller unit", RESOURCE + "mem = '1.5TiB'\n", "2:7", "write 1536GiB"),
    ("half a GiB", RESOURCE + "mem = '0.5GiB'\n", "2:7", "write 512MiB"),
    ("memory with a fraction of no unit", RESOURCE + "mem = '1.5'\n", "2:7", "has a decimal point"),
    ("memory with more text", RESOURCE + "mem = '2GiB extra'\n", "2:7", "write 2GiB"),
    ("memory with a space", RESOURCE + "mem = '2 GiB'\n", "2:7", "write 2GiB"),
    ("memory twice", RESOURCE + "mem = '1GiB'\nmemMB = 1024\n", "3:1", "already sets the memory"),
    ("a resource that is its own base", RESOURCE + "inherits = 'r'\n", "2:12", "inherits from itself"),
    ("resources in a circle", RESOURCE + "inherits = 's'\n[named_resources.s]\ninherits = 'r'\n", "2:12",
     "inherits from itself"),
    ("a base that does not exist", RESOURCE + "inherits = 'gpu.smal'\n", "2:12", "does not exist"),
    ("an alias with a value", RESOURCE + "alias_of = 'cpu.small'\ncpu = 1\n", "3:1", "cannot set values"),
    ("one name in two ways", "[named_resources.a.b]\ncpu = 1\n[named_resources.'a.b']\ncpu = 2\n", "3:18",
     "line 1 already defines"),
    ("a device without a path", "[devices.efa]\npermissions = 'r'\n", "1:1", "`path` is missing"),
    ("a device with a relative path", "[devices.efa]\npath = 'dev/efa{i}'\n", "2:8", "is not an absolute path"),
    ("a device with a strange place for its number", "[devices.efa]\npath = '/dev/efa{n}'\n", "2:8", "braces"),
]

# Mistakes that are only warnings, as in BROKEN.
WARNED = [
    ("an unknown key at the top", "manifest_versoin = 1\n" + RESOURCE + "cpu = 1\n", "1:1",
     "did you mean manifest_version?"),
    ("an unknown key of a resource", RESOURCE + "cpus = 1\n", "2:1", "did you mean cpu?"),
    ("a misspelt table of a resource", RESOURCE + "cpu = 1\n[named_resources.r.capabilites]\na = 'b'\n", "3:20",
     "did you mean capabilities?"),
    ("a misspelt scheduler", RESOURCE + "cpu = 1\n[named_resources.r.local_cdw]\ngpu = 1\n", "3:20",
     "did you mean local_cwd?"),
]


class BrokenManifests(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.places = self.root / "places"

    def write_manifest(self, index, text, name="x.toml"):
        """Writes a manifest into a directory of its own, which is named after `index`. Returns its path."""
        directory = self.places / f"{index:02}"
        directory.mkdir(parents=True, mode=0o755)
        path = directory / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def doctor(self, path, status=78):
        """Returns the problems that the doctor reports with `path` as --plugin-path."""
        return self.expect(status, "--plugin-path", path, "plugin", "doctor", "--json").json["problems"]

    def assert_reported(self, problems, path, place, said, severity="error"):
        """Checks that a problem of the file at this place has the words `said`, this severity, and a hint."""
        mine = [p for p in problems if p["file"] == str(path)]
        self.assertTrue(mine, problems)
        for problem in mine:
            where = f"{problem['line']}:{problem['column'] or ''}" if problem["line"] else ""
            text = problem["message"] + (problem["hint"] or "")
            is_there = where.startswith(place) if place.endswith(":") else where == place
            if is_there and said in text:
                self.assertEqual(problem["severity"], severity, problem)
                self.assertTrue(problem["hint"], problem)
                return
        self.fail(f"no problem at {place!r} says {said!r}: {mine}")

    def test_each_mistake_is_reported_with_its_place_and_a_hint(self):
        self.assertGreaterEqual(len(BROKEN), 40)
        for index, (what, text, place, said) in enumerate(BROKEN):
            with self.subTest(what=what):
                path = self.write_manifest(index, text)
                self.assert_reported(self.doctor(path.parent), path, place, said)

    def test_harmless_mistakes_are_warnings(self):
        for index, (what, text, place, said) in enumerate(WARNED):
            with self.subTest(what=what):
                path = self.write_manifest(index, text)
                self.assert_reported(self.doctor(path.parent, 0), path, place, said, "warning")

    def test_files_that_cannot_be_manifests_are_reported_and_do_not_block(self):
        directory = self.write_manifest(0, RESOURCE + "cpu = 1\n", "good.toml").parent
        (directory / "directory.toml").mkdir()
        os.mkfifo(directory / "fifo.toml")
        (directory / "loop.toml").symlink_to("loop.toml")
        (directory / "lost.toml").symlink_to("nowhere")
        with open(directory / "large.toml", "wb") as large:
            large.truncate(100 << 20)
        (directory / "open.toml").write_text("x = 1")
        (directory / "open.toml").chmod(0o666)
        problems = self.doctor(directory)
        for name, said in (("directory", "is a directory"), ("fifo", "is not a regular file"),
                           ("loop", "cannot be read"),
                           ("lost", "cannot be read"), ("large", "is larger than 4 MiB"),
                           ("open", "is world-writable")):
            self.assert_reported(problems, directory / f"{name}.toml", "", said)
        self.assertEqual(self.ok("--plugin-path", directory, "resource", "show", "r", "--json").json["r"]["cpu"], 1)

    def test_broken_manifests_do_not_affect_other_plug_ins(self):
        everything = self.places / "all"
        everything.mkdir(parents=True, mode=0o755)
        for index, (_, text, _, _) in enumerate(BROKEN):
            (everything / f"{index:02}.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        (everything / "zz.toml").write_text("[named_resources.fine]\ncpu = 2\n")
        self.ok("--plugin-path", everything, "run", self.app(role("w", "true", resource="fine")))
        self.ok("--plugin-path", everything, "list", "--all")
        self.ok("--plugin-path", everything, "component", "list", "--json")
        self.assertIn("fine", self.ok("--plugin-path", everything, "resource", "list", "--json").json)
        rows = self.ok("--plugin-path", everything, "plugin", "list", "--json").json["plugins"]
        self.assertIn("ok", [r["state"] for r in rows if r["id"] == "org.slipway.local"])

    def test_two_plugins_with_one_id_are_reported(self):
        for name, version in (("a", "1.0"), ("b", "1.0"), ("c", "2.0")):
            self.write_manifest(ord(name), WITH_LIBRARY + f"version = '{version}'\n", f"{name}.toml")
        arguments = [a for n in "abc" for a in ("--plugin-path", self.places / f"{ord(n):02}")]
        rows = [r for r in self.ok(*arguments, "plugin", "list", "--json").json["plugins"]
                if r["id"] == "org.example.x"]
        self.assertEqual([r["state"] for r in rows], ["error", "shadowed", "shadowed"])
        self.assertIn("which is equal", rows[1]["error"])
        self.assertIn("which differs: version 2.0 and not 1.0", rows[2]["error"])
        said = self.ok(*arguments, "plugin", "list").stderr
        self.assertNotIn("is equal", said)
        self.assertIn("version 2.0 and not 1.0", said)

    def test_a_disabled_plugin_is_not_reported(self):
        path = self.write_manifest(0, "[[plugin]]\nid = 'org.slipway.aws'\nenabled = false\n")
        self.assertEqual(self.doctor(path.parent, 0), [])

    def test_doctor_reports_nothing_without_mistakes(self):
        result = self.ok("plugin", "doctor")
        self.assertEqual(result.stdout, "")
        self.assertIn("errors: 0, warnings: 0", result.stderr)


if __name__ == "__main__":
    unittest.main()
