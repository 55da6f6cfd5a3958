"""The plug-in `kept` of kept/draft-N, built by many compilers, works with the one built host.

SLIPWAY_MATRIX=all tests all combinations of compiler, C++ library, standard and optimization, as `./dev matrix` does.
Without it, the test takes two of them in C++, which together have each value, and one in C.
"""

import itertools
import os
import shutil
import unittest

from kept_plugin import LIBCXX_OF, HostCase, compile_c, compile_cpp, compile_rust, has_libcxx

COMPILERS = {"gcc": ("gcc-12", "g++-12"), "clang": ("clang-14", "clang++-14")}
LIBRARIES = ("libstdc++", "libc++")
OPTIMIZED = {"checked": ("-O0", "-D_GLIBCXX_DEBUG"), "fast": ("-O2",)}
ALL = tuple(itertools.product(COMPILERS, LIBRARIES, ("c++17", "c++20"), OPTIMIZED))
DIAGONAL = (("gcc", "libstdc++", "c++20", "checked"), ("clang", "libc++", "c++17", "fast"))
ALL_C = tuple(itertools.product(COMPILERS, ("c99", "c17"), OPTIMIZED))
DIAGONAL_C = (("clang", "c17", "checked"),)
IS_COMPLETE = os.environ.get("SLIPWAY_MATRIX") == "all"


class Matrix(HostCase):
    def need(self, is_there, what, package):
        """Skips the test if `what` is missing; fails it in the complete matrix."""
        if not is_there:
            self.assertFalse(IS_COMPLETE, f"{what} is missing")
            self.skipTest(f"SKIPPED: needs {package}, which `./dev matrix` installs")

    def compiler(self, family, language):
        name = COMPILERS[family][language == "c++"]
        self.need(shutil.which(name), name, name)
        return name

    def test_a_plugin_of_each_combination_works_with_the_host(self):
        for family, library, standard, optimized in ALL if IS_COMPLETE else DIAGONAL:
            with self.subTest(f"{family}, {library}, {standard}, {optimized}"):
                self.need(library != "libc++" or has_libcxx(), "libc++", "libc++-14-dev")
                flags = LIBCXX_OF[family] if library == "libc++" else ()
                plugins = compile_cpp(self.work / f"{family}-{library}-{standard}-{optimized}",
                                      self.compiler(family, "c++"), f"-std={standard}", *OPTIMIZED[optimized], *flags)
                self.works_with_the_host(plugins)

    def test_a_plugin_in_c_of_each_combination_works_with_the_host(self):
        for family, standard, optimized in ALL_C if IS_COMPLETE else DIAGONAL_C:
            with self.subTest(f"{family}, {standard}, {optimized}"):
                plugins = compile_c(self.work / f"{family}-{standard}-{optimized}", self.compiler(family, "c"),
                                    f"-std={standard}", OPTIMIZED[optimized][0])
                self.works_with_the_host(plugins)

    def test_a_plugin_in_rust_works_with_the_host(self):
        self.need(shutil.which("rustc"), "rustc", "rustc")
        self.works_with_the_host(compile_rust(self.work / "rust"))


if __name__ == "__main__":
    unittest.main()
