"""Components in modules of the project: `my.module:fn`, how they are found, and which answers of Python about
them Slipway keeps."""

import os
import sys
import unittest

from slipway_case import SlipwayCase

COMPONENT = '''import os
from torchx.specs import AppDef, Role


def train(n: int = 1) -> AppDef:
    """Trains a model."""
    return AppDef("train", [Role("r", image="", entrypoint="echo", num_replicas=n)])


def test(n: int = 1) -> AppDef:
    return train(n)
'''


class PythonModules(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.package("my", "")
        (self.cwd / "my" / "jobs.py").write_text(COMPONENT)

    def package(self, name, text):
        """Makes a package with this __init__.py."""
        (self.cwd / name).mkdir(parents=True)
        (self.cwd / name / "__init__.py").write_text(text)

    def failure(self, status, code, name, *arguments):
        return self.expect_failure(status, code, "run", name, *arguments)

    # how they are found ----------------------------------------------------------------------------------------------

    def test_a_misspelt_function_has_a_hint(self):
        for name, meant in (("my.jobs:trian", "my.jobs:train"), ("my.jobs.trian", "my.jobs.train")):
            self.assertEqual(self.failure(66, "not_found", name)["hint"], f"did you mean {meant}?")
        self.assertEqual(self.failure(66, "not_found", "my.jobs:evaluate")["hint"],
                         "the module has my.jobs:train, my.jobs:test")
        self.assertIn("component list", self.failure(66, "not_found", "my.gone:train")["hint"])

    def test_help_and_completion_run_no_package(self):
        self.package("loud", "import os\nopen('ran', 'w')\n")
        self.package("loud/inner", "open('ran', 'w')\n")
        (self.cwd / "loud" / "inner" / "jobs.py").write_text(COMPONENT)
        self.assertIn("Trains a model.", self.ok("run", "loud.inner.jobs:train", "--help").stdout)
        self.assertIn("Trains a model.", self.ok("component", "show", "loud.inner.jobs.train").stdout)
        self.assertIn("--n", self.ok("__complete", "words", "run", "loud.inner.jobs:train", "--").stdout)
        self.assertFalse((self.cwd / "ran").exists())
        self.ok("run", "-n", "loud.inner.jobs:train")
        self.assertTrue((self.cwd / "ran").exists())

    def test_packages_without_init_are_found(self):
        (self.cwd / "bare" / "inner").mkdir(parents=True)
        (self.cwd / "bare" / "inner" / "jobs.py").write_text(COMPONENT)
        self.ok("run", "-n", "bare.inner.jobs:train")

    def test_a_package_that_fails_to_import_gives_its_error(self):
        self.package("broken", "import no_such_module\n")
        (self.cwd / "broken" / "jobs.py").write_text(COMPONENT)
        error = self.failure(65, "invalid", "broken.jobs:train")
        self.assertIn("broken.jobs:train raised ModuleNotFoundError: No module named 'no_such_module'",
                      error["message"])
        self.assertRegex(error["message"], r"broken/__init__\.py:1: in <module>: import no_such_module$")
        self.assertIn("SLIPWAY_PYTHON", error["hint"])

    def test_a_mistake_in_a_module_names_its_file(self):
        (self.cwd / "my" / "bad.py").write_text("def f(:\n")
        self.assertTrue(self.failure(65, "invalid", "my.bad:f")["message"].startswith("my/bad.py:1:7: "))

    # which answers are kept ------------------------------------------------------------------------------------------

    def starts(self, *arguments):
        """Returns the number of Python processes that a command starts, and its output."""
        log = self.root / "starts"
        python = self.root / "python"
        if not python.exists():
            python.write_text(f"#!/bin/sh\necho start >> {log}\nexec {sys.executable} \"$@\"\n")
            python.chmod(0o755)
        log.write_text("")
        shown = self.ok(*arguments, env={"SLIPWAY_PYTHON": str(python)}).stdout
        return len(log.read_text().splitlines()), shown

    def wait_until_files_are_old(self):
        """Waits until the files are old enough for Slipway to keep answers about them: twice as old as SETTLED_NS in
        plugins/python_components/python/slipway/dependencies.py, 50 ms."""
        newest = max(os.stat(path).st_ctime_ns for path in [self.cwd, *self.root.rglob("*")])

        def is_older():
            probe = self.root / "probe"
            probe.touch()
            return probe.stat().st_ctime_ns > newest + 100_000_000
        self.eventually(is_older, "the files are old")

    def test_python_is_not_asked_twice_about_a_module(self):
        self.wait_until_files_are_old()
        show = ("component", "show", "my.jobs:train")
        first, shown = self.starts(*show)
        self.assertEqual((first, self.starts(*show)), (1, (0, shown)))
        self.assertEqual(self.starts("__complete", "words", "run", "my.jobs:train", "--")[0], 0)
        (self.cwd / "my" / "jobs.py").write_text(COMPONENT.replace("Trains", "Teaches"))
        self.assertIn("Teaches a model.", self.starts(*show)[1])

    def test_a_new_module_that_precedes_a_known_one_is_found(self):
        late = self.root / "late"
        (late / "extra").mkdir(parents=True)
        (late / "extra" / "__init__.py").write_text(COMPONENT)
        self.env["PYTHONPATH"] = str(late)
        self.wait_until_files_are_old()
        show = ("component", "show", "extra:train")
        self.starts(*show)
        self.assertEqual(self.starts(*show)[0], 0)
        (self.cwd / "extra.py").write_text(COMPONENT.replace("Trains", "Teaches"))
        self.assertIn("Teaches a model.", self.starts(*show)[1])

    def test_python_is_not_asked_twice_about_the_project(self):
        self.wait_until_files_are_old()
        first, shown = self.starts("component", "list")
        self.assertEqual((first, self.starts("component", "list")), (1, (0, shown)))
        (self.cwd / "my" / "more.py").write_text(COMPONENT)
        self.assertIn("my/more.py:train", self.starts("component", "list")[1])
        (self.cwd / "my" / "more.py").unlink()
        self.assertNotIn("my/more.py:train", self.starts("component", "list")[1])

    def test_a_directory_that_becomes_a_package_is_listed(self):
        (self.cwd / "late").mkdir()
        (self.cwd / "late" / "jobs.py").write_text(COMPONENT)
        self.wait_until_files_are_old()
        self.starts("component", "list")
        self.assertEqual(self.starts("component", "list")[0], 0)
        (self.cwd / "late" / "__init__.py").write_text("")
        self.assertIn("late/jobs.py:train", self.starts("component", "list")[1])
        (self.cwd / "late" / "__init__.py").unlink()
        self.assertNotIn("late/jobs.py:train", self.starts("component", "list")[1])

    def test_links_that_lead_nowhere_are_not_listed(self):
        for name in ("loop", "loop.py", "my/loop.py"):
            (self.cwd / name).symlink_to(name.rpartition("/")[2])
        (self.cwd / "gone.py").symlink_to("nothing")
        self.assertIn("my/jobs.py:train", self.ok("component", "list").stdout)

    def test_components_beyond_the_first_500_files_are_not_listed_but_run(self):
        for number in range(501):
            (self.cwd / f"m{number}.py").write_text("")
        (self.cwd / "z.py").write_text(COMPONENT)
        listed = self.ok("component", "list")
        self.assertNotIn("z.py:train", listed.stdout)
        self.assertIn("has more than 500 Python files; the components in the others are not listed", listed.stderr)
        self.ok("run", "-n", "z.py:train")

    def test_a_file_that_has_just_changed_is_read_again(self):
        for text in ("Trains", "Tracks", "Trades"):  # of equal length
            (self.cwd / "my" / "jobs.py").write_text(COMPONENT.replace("Trains", text))
            self.assertIn(f"{text} a model.", self.ok("component", "show", "my.jobs:train").stdout)


if __name__ == "__main__":
    unittest.main()
