"""Mistakes in a provider's class: the compiler's first error says in words what to write instead."""

import shutil
import subprocess
import unittest

from moved_prefix import SOURCE

METHODS = "slipway::Dict<slipway::Resource> list(const slipway::Call&) override { return {}; }"

# {the mistake: (the class, what the only error says, or None without an error)}
MISTAKES = {
    "no constructor": (f"struct Shelf : slipway::NamedResources {{ {METHODS} }};",
                       "write `using Scheduler::Scheduler;` after `public:`"),
    "inherited constructor in the private part": (
        f"class Shelf : public slipway::NamedResources {{ using NamedResources::NamedResources; public: {METHODS} }};",
        None),  # inherited constructors keep their own access
    "own constructor in the private part": (f"class Shelf : public slipway::NamedResources {{ Shelf(slipway::Host, "
                            f"slipway::CreateArgs); public: {METHODS} }};", "no public constructor"),
    "missing function": ("struct Shelf : slipway::NamedResources { using NamedResources::NamedResources; };",
                         "the class is abstract"),
    "function with other parameters": (
        "struct Shelf : slipway::NamedResources { using NamedResources::NamedResources; "
        "slipway::Dict<slipway::Resource> list() { return {}; } };", "the class is abstract"),
    "no base": ("struct Shelf { Shelf(slipway::Host, slipway::CreateArgs) {} };", "derive from slipway::Scheduler"),
}
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]


class ProviderMistakes(unittest.TestCase):
    def errors(self, compiler, text, standard="c++17"):
        """Compiles a plug-in with the class in `text`, and returns the lines with an error."""
        source = f'#include "slipway/plugin.hpp"\n{text}\n' \
                 'SLIPWAY_PLUGIN("org.example.shelf", "1.0.0", SLIPWAY_PROVIDER(Shelf, "shelf", "A shelf"))\n'
        done = subprocess.run([compiler, f"-std={standard}", "-fsyntax-only", f"-I{SOURCE}/sdk/include", "-xc++", "-"],
                              input=source, text=True, capture_output=True, timeout=120)
        return [line for line in done.stderr.splitlines() if "error:" in line]

    def test_one_error_says_what_to_write(self):
        for compiler in COMPILERS:
            for mistake, (text, said) in MISTAKES.items():
                with self.subTest(mistake, compiler=compiler):
                    errors = self.errors(compiler, text)
                    self.assertEqual(len(errors), 0 if said is None else 1, errors)
                    self.assertTrue(said is None or said in errors[0], errors)

    def test_an_old_language_is_the_first_error(self):
        # The class has a mistake of its own, whose error must come later.
        for compiler in COMPILERS:
            first, *_ = self.errors(compiler, MISTAKES["no base"][0], "c++14")
            self.assertIn("needs C++17", first)


if __name__ == "__main__":
    unittest.main()
