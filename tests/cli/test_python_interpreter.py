"""The Python that runs components: how it is found, and which one is too old."""

import re
import sys
import unittest

from slipway_case import TREE, SlipwayCase

COMPONENT = """import os
import sys
from torchx.specs import AppDef, Role


def f() -> AppDef:
    facts = [os.environ.get("WRAPPER", "none"), str(sys.flags.no_user_site)]
    return AppDef("a", [Role("r", image="", entrypoint="echo", args=facts)])
"""


class PythonInterpreter(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.env.pop("VIRTUAL_ENV", None)
        self.write("comp.py", COMPONENT)

    def python(self, path, *words):
        """Writes a program that sets WRAPPER to its own path and runs Python with the arguments `words` and its own.
        Returns the path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\nWRAPPER={path} exec {sys.executable} {' '.join(words)} \"$@\"\n")
        path.chmod(0o755)
        return str(path)

    def facts(self):
        """Returns what COMPONENT found in its Python: the value of WRAPPER, and sys.flags.no_user_site."""
        return self.ok("--json", "run", "-n", "comp.py:f").json["app"]["roles"][0]["args"]

    def test_slipway_python_precedes_virtual_env_which_precedes_path(self):
        on_path = self.python(self.root / "bin" / "python3")
        self.env["PATH"] = f"{self.root / 'bin'}:{self.env['PATH']}"
        self.assertEqual(self.facts()[0], on_path)
        active = self.python(self.root / "venv" / "bin" / "python3")
        self.env["VIRTUAL_ENV"] = str(self.root / "venv")
        self.assertEqual(self.facts()[0], active)
        chosen = self.python(self.root / "chosen")
        self.env["SLIPWAY_PYTHON"] = chosen
        self.assertEqual(self.facts()[0], chosen)

    def test_a_library_behind_a_symbolic_link_finds_the_files_of_its_installation(self):
        name = "slipway_python_components"
        link = self.root / "elsewhere" / f"lib{name}.so"
        link.parent.mkdir()
        link.symlink_to(TREE / "lib" / "slipway" / link.name)
        manifest = (TREE / "share" / "slipway" / "plugins.d" / f"{name}.toml").read_text(encoding="utf-8")
        manifests = self.root / "manifests"
        manifests.mkdir()
        (manifests / "linked.toml").write_text(re.sub(r'library = ".*"', f'library = "{link}"', manifest))
        self.env["SLIPWAY_PLUGIN_PATH"] = str(manifests)
        self.assertEqual(self.facts()[0], "none")

    def test_python_before_3_8_is_refused(self):
        (self.root / "old.py").write_text("import runpy\nimport sys\n\nsys.version_info = (3, 7, 17, 'final', 0)\n"
                                          "del sys.argv[0]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n")
        self.env["SLIPWAY_PYTHON"] = old = self.python(self.root / "python3.7", str(self.root / "old.py"))
        for arguments in (("run", "comp.py:f"), ("component", "show", "comp.py:f"), ("lint", "comp.py")):
            with self.subTest(arguments):
                error = self.expect_failure(69, "precondition", *arguments)
                self.assertRegex(error["message"], "components need Python 3.8 or later; .* is 3.7")
                self.assertIn("SLIPWAY_PYTHON", error["hint"])
        self.assertIn("utils.echo", self.ok("component", "list").stdout, old)

    def test_the_first_directory_of_pythonpath_is_searched_if_python_adds_none_itself(self):
        packages = self.root / "packages"
        packages.mkdir()
        (packages / "words.py").write_text("WORD = 'found'\n")
        (packages / "shared.py").write_text(COMPONENT)
        self.write("comp.py", COMPONENT.replace("import sys\n", "import sys\nimport words\n")
                   .replace("facts = [", "facts = [words.WORD, str(sys.path.count(os.getcwd())), "))
        for safe in ("", "1"):  # Python 3.11 and later know the variable
            with self.subTest(safe=safe):
                self.env.update(PYTHONPATH=str(packages), PYTHONSAFEPATH=safe)
                self.assertEqual(self.facts()[:2], ["found", "1"])
                self.ok("component", "show", "shared:f")
                self.ok("lint", "comp.py")

    def test_an_isolated_python_finds_the_files_of_slipway(self):
        self.env["SLIPWAY_PYTHON"] = self.python(self.root / "isolated", "-I")
        self.assertEqual(self.facts()[0], self.env["SLIPWAY_PYTHON"])

    def test_python_that_ends_before_it_answers_is_reported(self):
        broken = self.root / "broken"
        broken.write_text("#!/bin/sh\nexit 3\n")
        broken.chmod(0o755)
        self.env["SLIPWAY_PYTHON"] = str(broken)
        error = self.expect_failure(65, "invalid", "component", "show", "comp.py:f")
        self.assertIn("Python ended with status 3 before it answered", error["message"])

    def test_python_ignores_the_packages_of_the_user_if_isolated(self):
        self.assertEqual(self.facts()[1], "0")
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text(
            '[plugins."org.slipway.python_components"]\nconfig.isolated = true\n')
        self.assertEqual(self.facts()[1], "1")


if __name__ == "__main__":
    unittest.main()
