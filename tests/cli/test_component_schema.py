"""The JSON Schema of component files accepts and refuses the same files as the reader."""

import json
import tomllib
import unittest
from pathlib import Path

import jsonschema
from slipway_case import TREE, SlipwayCase

REPOSITORY = Path(__file__).parents[2]
SCHEMA = json.loads((TREE / "share" / "slipway" / "schema" / "component.schema.json").read_text())
APP = '[component.c.app]\nname = "c"\nroles = [{ name = "w", entrypoint = "true", args = ["{{n}}", "{{s}}"] }]\n'
PARAMS = ('[component.c.params]\nn = { type = "int", short = "n", help = "a" }\n'
          's = { default = "x", required = false }\n')
ACCEPTED = {
    "smallest": '[component.c.app]\nname = "c"\nroles = [{ name = "w", entrypoint = "true" }]\n',
    "name with a dot": '[component."a.b".app]\nname = "c"\nroles = [{ name = "w", entrypoint = "true" }]\n',
    "parameters": '[component.c]\nhelp = "a"\n' + PARAMS + 'v = { variadic = true }\n' + APP,
    "sweep": PARAMS + APP + '[component.c.sweep]\nn = [1, 2]\ns = "a,b"\n',
    "sweep as a range": PARAMS + APP + '[component.c.sweep]\nn = "1..3"\ns = ["a", "1"]\n',
}
REFUSED = {
    "no component": "[component]\n",
    "key of an app": 'name = "a"\n' + PARAMS + APP,
    "sweep of the file": "[sweep]\nn = [1]\n" + PARAMS + APP,
    "no app": '[component.c]\nhelp = "a"\n',
    "empty app": "[component.c.app]\n",
    "unknown key": "[component.c]\nhlep = 1\n" + PARAMS + APP,
    "name with a blank": '[component."a b".app]\nname = "c"\nroles = [{ name = "w", entrypoint = "true" }]\n',
    "parameter called help": PARAMS + "help = {}\n" + APP,
    "unknown type": PARAMS + 'm = { type = "integer" }\n' + APP,
    "short name of two letters": PARAMS + 'm = { short = "mm" }\n' + APP,
    "unknown key of a parameter": PARAMS + "m = { defualt = 1 }\n" + APP,
    "sweep with a number": PARAMS + APP + "[component.c.sweep]\nn = 3\n",
    "sweep without values": PARAMS + APP + "[component.c.sweep]\nn = []\n",
    "sweep with a value twice": PARAMS + APP + "[component.c.sweep]\nn = [1, 1]\n",
    "sweep of lists": PARAMS + APP + "[component.c.sweep]\nn = [[1]]\n",
    "sweep that is a list": PARAMS + APP + "[component.c]\nsweep = [1]\n",
}


class ComponentSchema(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def numbers_of_errors(self, text):
        """Returns how many errors the schema and lint find."""
        self.write("c.toml", text)
        errors = [p for p in self.run_slipway("lint", "--json", "c.toml").json if p["severity"] == "error"]
        return len(list(self.validator.iter_errors(tomllib.loads(text)))), len(errors)

    def test_the_schema_is_a_valid_json_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_schema_and_lint_accept_the_same_files(self):
        for name, text in ACCEPTED.items():
            with self.subTest(name):
                self.assertEqual(self.numbers_of_errors(text), (0, 0))

    def test_schema_and_lint_refuse_each_bad_file_for_one_reason(self):
        for name, text in REFUSED.items():
            with self.subTest(name):
                self.assertEqual(self.numbers_of_errors(text), (1, 1))

    def test_accepts_the_examples_that_come_with_slipway(self):
        files = [REPOSITORY / "core/docs/examples/sweep.toml"]
        self.assertTrue(all(path.exists() for path in files))
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(list(self.validator.iter_errors(tomllib.loads(path.read_text()))), [])


if __name__ == "__main__":
    unittest.main()
