"""The headers in 1.0-rc1, with which the kept plug-ins were built, have the contract of today's headers."""

import shutil
import unittest

import layout
from kept_plugin import CANDIDATE, DRAFT, HERE, INCLUDE, HostCase, compile_c, compile_rust


def names(include):
    return sorted(path.name for path in (include / "slipway/abi").glob("*.h"))


class Candidate(HostCase):
    def test_the_layout_of_the_kept_headers_is_that_of_today(self):
        self.assertEqual(layout.written_down(CANDIDATE), (HERE / f"draft-{DRAFT}.inc").read_text(encoding="utf-8"),
                         "the headers of another draft are kept: copy today's; see tests/abi/README.md")

    def test_no_header_is_gone(self):
        self.assertEqual(set(names(CANDIDATE)) - set(names(INCLUDE)), set())

    def test_the_kept_plugin_in_c_works_when_compiled_with_the_kept_headers(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler):
                if shutil.which(compiler) is None:
                    self.skipTest(f"SKIPPED: needs {compiler}, which `./dev test` installs")
                self.works_with_the_host(compile_c(self.work / compiler, compiler, include=CANDIDATE))

    @unittest.skipUnless(shutil.which("rustc"), "SKIPPED: needs rustc, which `./dev test` installs")
    def test_the_kept_plugin_in_rust_works_when_compiled_with_the_kept_headers(self):
        self.works_with_the_host(compile_rust(self.work / "rust", include=CANDIDATE))


if __name__ == "__main__":
    unittest.main()
