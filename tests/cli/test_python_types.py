"""The types of a component's parameters: the values that the function gets, and the mistakes that lint reports."""

import unittest

from slipway_case import SlipwayCase

HEAD = "from __future__ import annotations\nfrom typing import *\nfrom torchx.specs import AppDef, Role\n\n\n"


class PythonTypes(SlipwayCase):
    def component(self, parameters, names):
        """Writes a component with these parameters. Its app has the tuple of the expressions `names` as argument, in
        text."""
        self.write("comp.py", HEAD + f"def f({parameters}) -> AppDef:\n"
                   f"    return AppDef('a', [Role('r', image='', entrypoint='echo', args=[repr(({names},))])])\n")

    def result(self, *arguments):
        """Returns the text of that tuple when the component gets these arguments."""
        return self.ok("--json", "run", "-n", "comp.py:f", *arguments).json["app"]["roles"][0]["args"][0]

    def test_none_may_stand_on_either_side_of_a_union(self):
        self.component("a: None | str, b: str | None = None, c: None | List[int] = None", "a, b, c")
        self.assertEqual(self.result("-a", "x"), "('x', None, None)")
        self.assertEqual(self.result("-a", "x", "-b", "y", "-c", "1,2"), "('x', 'y', [1, 2])")
        self.expect(0, "lint", "comp.py:f")

    def test_a_parameter_of_another_type_keeps_its_default(self):
        self.component("a: str, b: tuple[str, str] | None = None, c: Callable = len, *, d: Tuple[int, int] = (1, 2)",
                       "a, b, c is len, d")
        self.assertEqual(self.result("-a", "x"), "('x', None, True, (1, 2))")
        shown = self.ok("component", "show", "comp.py:f").stdout
        self.assertIn("-a", shown)
        self.assertNotIn("-b", shown)
        self.assertIn("unknown option", self.expect_failure(64, "usage", "run", "comp.py:f", "-a", "x", "-b",
                                                            "y")["message"])
        self.component("a: tuple[str, str]", "a")
        self.assertIn("the parameter a has the type tuple[str, str]",
                      self.expect_failure(65, "invalid", "run", "comp.py:f")["message"])

    def test_positional_parameters_before_the_rest_keep_their_defaults(self):
        self.component("a: Tuple[int, int] = (1, 2), b: int = 3, *rest: str", "a, b, rest")
        self.assertEqual(self.result("--", "x"), "((1, 2), 3, ('x',))")

    def test_lint_of_a_file_ignores_methods(self):
        self.write("comp.py", HEAD + "class Jobs:\n    def small(self) -> AppDef:\n        pass\n\n\n"
                   "def f(a) -> AppDef:\n    pass\n")
        self.assertEqual([line.split(": ")[0] for line in self.expect(65, "lint", "comp.py").lines], ["comp.py:11:7"])

    def test_lint_knows_positional_only_parameters(self):
        self.component("a, b: Sequence[str], /, c: str", "a, b, c")
        lines = self.expect(65, "lint", "comp.py:f").lines
        self.assertIn("comp.py:6:7: error: f: the parameter a has no type", lines[0])
        self.assertIn("comp.py:6:10: error: f: the parameter b: Sequence[str] is not supported", lines[1])
        self.component("a: str, b: int = 2, /", "a, b")
        self.ok("lint", "comp.py:f")
        self.assertEqual(self.result("-a", "x"), "('x', 2)")

    def test_constant_defaults_of_a_function_that_a_decorator_hides_are_known(self):
        self.component("a: int = 1, b: int = 2 + 0, *rest: str", "a, b, rest")
        hide = "def hide(function):\n    return lambda *given, **named: function(*given, **named)\n\n\n@hide\ndef f("
        text = (self.cwd / "comp.py").read_text(encoding="utf-8").replace("def f(", hide)
        self.write("comp.py", text)
        self.assertEqual(self.result("-b", "3", "--", "x"), "(1, 3, ('x',))")
        error = self.expect_failure(65, "invalid", "run", "-n", "comp.py:f", "--", "x")
        self.assertIn("comp.py:f: the default of the parameter b is unknown", error["message"])
        self.assertIn("functools.wraps", error["message"])

    def test_lint_reports_missing_and_unsupported_types_also_of_rest_parameters(self):
        self.component("a: str, *rest, b: Sequence[str] = ()", "a, rest, b")
        lines = self.expect(65, "lint", "comp.py:f").lines
        self.assertIn("comp.py:6:16: error: f: the parameter *rest has no type", lines[0])
        self.assertIn("comp.py:6:22: error: f: the parameter b: Sequence[str] is not supported", lines[1])
        self.component("a: str, *rest: Union[str, int]", "a, rest")
        self.assertIn("Union[str, int] is not supported", self.expect(65, "lint", "comp.py:f").stdout)

    def test_lint_without_python_fails_without_blaming_the_file(self):
        self.component("a: str", "a")
        error = self.expect_failure(69, "precondition", "lint", "comp.py", env={"SLIPWAY_PYTHON": "/no/such/python"})
        self.assertIn("/no/such/python", error["message"])
        self.assertNotIn("comp.py", error["message"])
        self.assertEqual(error["where"], "org.slipway.python_components")


if __name__ == "__main__":
    unittest.main()
