"""Invalid app files and unusable directories: exit status, message with the place, no process and no record."""

import os
import unittest

from app_text import app_toml, role
from slipway_case import SlipwayCase

GOOD_ROLE = '[[roles]]\nname = "w"\nimage = "."\nentrypoint = "true"\n'


class BadInput(SlipwayCase):
    def test_a_relative_path_in_a_removed_working_directory_is_not_found(self):
        app = self.app("true")
        first = self.ok("run", "--no-log", app).stdout.strip()
        self.wrapper = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"']
        for words in (("run", "-n", "-s", "local_dir", "--workspace", ".", app), ("config", "check", "x.toml"),
                      ("run", "-n", "x.py:f"), ("rerun", "-n", "--env-file", "x", first),
                      ("rerun", "-n", "--workspace", ".", first)):
            with self.subTest(words):
                error = self.expect_failure(66, "not_found", *words)
                self.assertIn("is relative to the working directory, which cannot be used", error["message"])
                self.assertIn("absolute path", error["hint"])

    def refused(self, text, file="bad.toml", status=65, code="invalid", place=True):
        """Checks that run and dry run refuse the file and leave nothing, and with `place` that the error has the form
        file:line:column. Returns the error document of the run."""
        path = self.write(file, text)
        self.expect_failure(status, code, "run", "-n", path.name)
        error = self.expect_failure(status, code, "run", "-d", path.name)
        if place:
            self.assertRegex(str(error["where"]) + error["message"], rf"{file}:\d+:\d+")
        self.assert_no_app()
        self.assertFalse(self.state.exists())
        return error

    def test_toml_files_without_an_app_are_refused(self):
        for name, text in (("empty", b""), ("binary", bytes(range(256)) * 64), ("elf", b"\x7fELF" + b"\0" * 4096),
                           ("zeros", b"\0" * 10000), ("not utf-8", b'name = "\xff\xfe"\n' + GOOD_ROLE.encode()),
                           ("no roles", b'name = "x"\n'), ("empty roles", b'name = "x"\nroles = []\n'),
                           ("no name", GOOD_ROLE.encode()), ("cut off", b'name = "x"\n[[roles]\nname = ')):
            with self.subTest(name):
                self.refused(text, place=False)

    def test_json_files_without_an_app_are_refused(self):
        for name, text in (("empty", ""), ("array", "[]"), ("null", "null"), ("toml", 'name = "x"'),
                           ("open", '{"name":'),
                           ("twice", '{"name": "x", "roles": []} {}'), ("comma", '{"name": "x",}')):
            with self.subTest(name):
                self.refused(text, file="bad.json", place=False)

    def test_syntax_errors_name_their_place(self):
        self.assertIn("bad.toml:3:", str(self.refused('name = "x"\n\n[[roles]\n')))
        self.assertIn("bad.json:2:", str(self.refused('{"name": "x",\n "roles": [}', file="bad.json")))

    def test_file_of_fifty_megabytes_is_refused(self):
        big = b'name = "x"\n' + GOOD_ROLE.encode() + b"# " + b"x" * (50 << 20) + b"\n"
        self.refused(big, place=False)
        self.refused(b'{"name": "' + b"x" * (50 << 20) + b'"}', file="bad.json", place=False)
        self.json_error(self.expect(65, "run", "--json", "-", stdin=b'{"name": "' + b"x" * (50 << 20) + b'"}'))
        self.assert_no_app()

    def test_deeply_nested_files_are_refused(self):
        # The limit is 64. The larger depth would overflow the stack of a recursive reader.
        for depth in (200, 100_000):
            for name, text in (("arrays", "x = " + "[" * depth + "]" * depth), ("open", "x = " + "[" * depth),
                               ("tables", "x = " + "{a=" * depth + "1" + "}" * depth),
                               ("header", "[" + ".".join(["a"] * depth) + "]\n"),
                               ("dotted", ".".join(["a"] * depth) + " = 1\n")):
                with self.subTest(name, depth=depth):
                    error = self.refused('name = "x"\n' + text + "\n" + GOOD_ROLE, place=False)
                    self.assertIn("nested too deeply", str(error))
            for name, text in (("arrays", "[" * depth + "]" * depth), ("objects", '{"a":' * depth + "1" + "}" * depth)):
                with self.subTest(f"json {name}", depth=depth):
                    error = self.refused('{"name": "x", "roles": ' + text + "}", file="bad.json", place=False)
                    self.assertIn("nested too deeply", str(error))

    def test_unknown_keys_get_a_suggestion(self):
        for misspelt, key in (("entrypont", "entrypoint"), ("num_replica", "num_replicas"), ("evn", "env")):
            with self.subTest(misspelt):
                error = self.refused(f'name = "x"\n{GOOD_ROLE}{misspelt} = 1\n')
                self.assertIn(misspelt, error["message"])
                self.assertIn(key, error["message"] + str(error["hint"]))
        self.refused(f'nmae = "x"\nname = "x"\n{GOOD_ROLE}')

    def test_values_of_wrong_types_and_unknown_words_are_refused(self):
        for field in ("num_replicas = \"3\"", "num_replicas = 1.5", "num_replicas = true", "args = \"a b\"",
                      "args = [1]", "env = [\"A=1\"]", "env = { A = 1 }", "max_retries = []", "resource = 3",
                      "resource = { cpu = \"2\" }", "port_map = { http = \"80\" }", "mounts = \"type=bind\"",
                      "metadata = 1", "retry_policy = \"SOMETIMES\""):
            with self.subTest(field):
                error = self.refused(f'name = "x"\n{GOOD_ROLE}{field}\n')
                self.assertIn("bad.toml:6:", str(error["where"]) + error["message"])

    def test_numbers_out_of_range_are_refused(self):
        for field in ("num_replicas = -1", "num_replicas = 0", "num_replicas = 99999999999999", "max_retries = -1",
                      "min_replicas = 2", "port_map = { http = 70000 }", "resource = { cpu = -2 }"):
            with self.subTest(field):
                self.refused(f'name = "x"\n{GOOD_ROLE}{field}\n')

    def test_names_that_cannot_be_directories_are_refused(self):
        for name in ("a/b", "..", ".", "", "/", "../../etc", "a\nb", "a\0b", "x" * 300):
            with self.subTest(name=name[:10]):
                self.refused(app_toml("app", role(name, "true")))
                self.refused(app_toml(name, role("w", "true")))

    def test_duplicate_roles_are_refused(self):
        error = self.refused(app_toml("app", role("w", "true"), role("v", "true"), role("w", "true")))
        self.assertIn("'w' is already defined", error["message"])

    def test_bad_names_and_values_of_variables_are_refused(self):
        for key in ("", "A=B", "A\0B"):
            with self.subTest(key=key):
                self.refused(app_toml("app", role("w", "true", env={key: "1"})))
        self.refused(app_toml("app", role("w", "true", env={"A": "1\x002"})))

    def test_all_problems_are_reported_at_once(self):
        path = self.write("bad.toml", 'name = "x"\n[[roles]]\nname = "a/b"\nimage = "."\nentrypoint = "true"\n'
                          "num_replicas = -1\nfoo = 1\n[[roles]]\nname = \"c\"\nimage = 3\n")
        result = self.expect(65, "run", path.name)
        for place in ("bad.toml:3:", "bad.toml:6:", "bad.toml:7:", "bad.toml:10:"):
            self.assertIn(place, result.stderr)
        self.assert_no_app()

    def test_an_unknown_resource_is_not_found(self):
        self.refused(app_toml("app", role("w", "true", resource="gpu.hughe")), status=66, code="not_found")

    def test_a_misspelt_file_gets_the_name_of_the_right_one(self):
        self.app("true", file="ddp.toml")
        (self.cwd / "ddp.txt").touch()
        self.assertEqual(self.expect_failure(66, "not_found", "run", "dpp.toml")["hint"], "did you mean ddp.toml?")
        self.assertIn(f"did you mean {self.cwd}/ddp.toml?", self.expect(66, "lint", f"{self.cwd}/dpp.toml").stdout)
        self.assertIsNone(self.expect_failure(66, "not_found", "run", "quite-different.toml")["hint"])

    def test_missing_and_unreadable_files_are_refused(self):
        for name in ("none.toml", "none.json", "none", "no/such/dir/app.toml", "none.toml/"):
            with self.subTest(name=name):
                error = self.expect_failure(66, "not_found", "run", name)
                self.assertIn(name.rstrip("/"), error["message"] + str(error["where"]))
        (self.cwd / "dir.toml").mkdir()
        os.mkfifo(self.cwd / "fifo.toml")
        for name, kind in (("dir.toml", "directory"), ("fifo.toml", "pipe")):
            self.assertIn(f"is a {kind}, not a file", self.expect_failure(65, "invalid", "run", name)["message"])
        if os.geteuid() != 0:
            self.app("true").chmod(0)
            self.expect_failure(77, "denied", "run", "app.toml")
        self.assert_no_app()

    def test_a_log_dir_that_cannot_be_created_is_reported(self):
        (self.cwd / "file").write_text("in the way")
        places = [self.cwd / "file", self.cwd / "file" / "logs", "/proc/nothing/logs", "/proc/logs"]
        if os.geteuid() != 0:
            (self.cwd / "closed").mkdir(mode=0o555)
            places += [self.cwd / "closed" / "logs", "/slipway-logs"]
        app = self.app("touch ran")
        for place in places:
            for how in ([], ["-d"]):
                with self.subTest(place=place, how=how):
                    error = self.expect_failure(73, "cant_create", "run", *how, "-c", f"log_dir={place}", app)
                    self.assertIn(str(place), error["message"])
        self.assertFalse((self.cwd / "ran").exists())
        self.assert_no_app()

    def test_a_state_directory_that_cannot_be_created_is_reported(self):
        (self.cwd / "file").write_text("in the way")
        app = self.app("touch ran")
        for place in (self.cwd / "file", "/proc/nothing"):
            with self.subTest(place=place):
                result = self.expect(73, "--json", "run", app, env={"XDG_STATE_HOME": str(place)})
                self.assertEqual(self.json_error(result)["code"], "cant_create")
        self.assertFalse((self.cwd / "ran").exists())


if __name__ == "__main__":
    unittest.main()
