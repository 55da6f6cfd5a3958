"""The JSON Schema of the app file accepts and refuses the same files as the reader.

tests/unit/lint/schema_keys.cpp checks each key."""

import json
import tomllib
import unittest
from pathlib import Path

import jsonschema
from slipway_case import TREE, SlipwayCase

EXAMPLES = Path(__file__).parent / "schema"
REPOSITORY = Path(__file__).parents[2]
SCHEMA = json.loads((TREE / "share" / "slipway" / "schema" / "app.schema.json").read_text())


def document(path):
    """Returns the content of a TOML or JSON file."""
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


def examples(kind):
    """Returns the files of tests/cli/schema/KIND, where KIND is `accepted` or `refused`."""
    return sorted(p for p in (EXAMPLES / kind).iterdir() if p.suffix in (".toml", ".json"))


class AppSchema(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def errors_by_file(self, files):
        """Returns {file: errors that lint reports}."""
        found = {str(file): [] for file in files}
        for problem in self.run_slipway("lint", "--json", *files).json:
            if problem["severity"] == "error":
                found[problem["file"]].append(problem)
        return found

    def test_every_key_is_documented(self):
        page = (REPOSITORY / "core" / "docs" / "app_file.md").read_text()
        parts = [SCHEMA, *(SCHEMA["$defs"][name] for name in ("role", "resource", "mount"))]
        keys = {key for part in parts for key in part["properties"]}
        self.assertGreater(len(keys), 25)
        self.assertEqual([key for key in sorted(keys) if f"`{key}`" not in page], [])

    def test_the_schema_is_a_valid_json_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_schema_and_lint_accept_the_same_files(self):
        files = examples("accepted")
        self.assertGreaterEqual(len(files), 10)
        for name, errors in self.errors_by_file(files).items():
            with self.subTest(Path(name).name):
                self.assertEqual(errors, [])
                self.assertEqual(list(self.validator.iter_errors(document(Path(name)))), [])

    def test_schema_and_lint_refuse_each_bad_file_for_one_reason(self):
        files = examples("refused")
        self.assertGreaterEqual(len(files), 25)
        for name, errors in self.errors_by_file(files).items():
            with self.subTest(Path(name).name):
                self.assertEqual(len(errors), 1, errors)
                self.assertEqual(len(list(self.validator.iter_errors(document(Path(name))))), 1)

    def test_accepts_the_examples_that_come_with_slipway(self):
        files = [p for p in REPOSITORY.glob("plugins/*/examples/*.toml") if "roles" in document(p)]
        self.assertNotEqual(files, [])
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(list(self.validator.iter_errors(document(path))), [])

    def test_accepts_the_output_of_describe(self):
        handle = self.detach(self.app("true", "true"))
        self.ok("wait", handle)
        self.assertEqual(list(self.validator.iter_errors(self.ok("describe", "--json", handle).json)), [])
        self.assertEqual(list(self.validator.iter_errors(tomllib.loads(self.ok("describe", handle).stdout))), [])


if __name__ == "__main__":
    unittest.main()
