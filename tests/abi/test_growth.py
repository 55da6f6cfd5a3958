"""The worked example of sdk/docs/evolution.md: old and new plug-ins in new and old hosts.

growth/host.c, compiled with the headers of 1.1, is the host of 1.1, because a whole second `slipway` takes minutes to
compile, and the C++ layer of one program cannot have two versions. Today's `slipway` and conformance kit are the host
of 1.0, and so is the kept binary of growth/host.c.
"""

import platform
import re
import subprocess
import unittest

import kept_plugin
from grown_headers import headers_of_1_1
from kept_plugin import (HERE, MINOR, ROOT, WARNINGS, HostCase, build_library, compile_c, compile_cpp, compile_host,
                         run, unpack)

EXAMPLES = ROOT / "sdk" / "examples"
# A table that lists its functions in order, such as those of the C++ layer of 1.0, leaves later functions NULL.
NOT_FILLED = ("-Wno-missing-field-initializers",)
AS_1_0 = "-DSLIPWAY_ABI_MINOR=0"
# How Slipway's own plug-ins are compiled.
OWN_COMPILER = ("g++", "-std=c++20", "-fvisibility-inlines-hidden", f"-I{ROOT}", '-DSLIPWAY_VERSION="0"')
# What the small host of 1.1 prints about a plug-in of 1.0 and of 1.1, and what the kept host of 1.0 prints about one of
# 1.1. State 4 is SUCCEEDED.
OLD = """plug-in of version 1.0 in a host of version 1.1
table: as in 1.0
state: 4
note: not said
set_note: not implemented
state: 4
note: not said
"""
NEW = """plug-in of version 1.1 in a host of version 1.1
table: larger than in 1.0
state: 4
note: first
set_note: done
state: 4
note: second
"""
KEPT_HOST = """plug-in of version 1.1 in a host of version 1.0
table: larger than in 1.0
state: 4
"""


@unittest.skipUnless(MINOR == 0, "SKIPPED: the headers are no longer those of 1.0; move the example to the next minor")
class Growth(HostCase):
    def setUp(self):
        super().setUp()
        self.include = headers_of_1_1(self.work)

    def seen_by(self, host, plugins):
        """Returns what a small host prints about a plug-in."""
        state = self.work / "state"
        state.mkdir(exist_ok=True)
        return run(host, plugins / "kept.so", state)

    def seen_by_the_host_of_1_1(self, plugins):
        return self.seen_by(compile_host(self.work / "host", include=self.include), plugins)

    def test_additions_keep_the_contract_of_1_0(self):
        done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpadded", "-Werror", "-fsyntax-only",
                               f"-I{self.include}", "-x", "c", HERE / f"draft-{kept_plugin.DRAFT}.inc"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")

    def test_old_plugin_in_a_new_host_lacks_what_was_added(self):
        self.assertEqual(self.seen_by_the_host_of_1_1(compile_c(self.work / "old")), OLD)

    def test_new_plugin_in_a_new_host_has_what_was_added(self):
        new = compile_c(self.work / "new", include=self.include)
        self.assertEqual(self.seen_by_the_host_of_1_1(new), NEW)

    @unittest.skipUnless(platform.machine() == "x86_64", "SKIPPED: the kept host is for x86-64")
    def test_new_plugin_in_the_kept_host_of_1_0_does_its_work(self):
        new = compile_c(self.work / "new", include=self.include)
        self.assertEqual(self.seen_by(unpack("host", self.work), new), KEPT_HOST)

    def test_new_plugin_works_with_an_old_host(self):
        self.works_with_the_host(compile_c(self.work / "new", include=self.include))

    def test_new_plugin_in_cpp_works_with_an_old_host_and_in_a_new_one(self):
        new = compile_cpp(self.work / "new", "g++", "-std=c++17", *NOT_FILLED, include=self.include)
        self.works_with_the_host(new)
        seen = self.seen_by_the_host_of_1_1(new)
        self.assertIn("plug-in of version 1.1 in a host of version 1.1\ntable: larger", seen)
        self.assertIn("set_note: not implemented", seen)  # the C++ layer of 1.0 does not know the function

    def test_plugin_compiled_with_the_headers_of_1_1_as_minor_0_looks_like_one_of_1_0(self):
        old = compile_c(self.work / "old", "gcc", AS_1_0, include=self.include)
        self.assertEqual(self.seen_by_the_host_of_1_1(old), OLD)

    def test_examples_compiled_with_later_headers_as_minor_0_work_with_an_old_host(self):
        for source in ("c/two_sizes.c", "files/files.cpp", "component/team.cpp", "shelf_images/shelf_images.cpp"):
            with self.subTest(source):
                file = EXAMPLES / source
                compiler = ("gcc", "-std=c99") if file.suffix == ".c" else ("g++", "-std=c++17")
                self.passes_the_kit(build_library(self.work / f"{file.stem}.so", *compiler, AS_1_0, sources=[file],
                                                  include=self.include))

    def test_a_plugin_of_slipway_compiled_with_later_headers_as_minor_0_works_with_an_old_host(self):
        sources = [file for folder in ("plugins/dir_workspace", "sdk/support/workspace")
                   for file in sorted((ROOT / folder).glob("*.cpp"))]
        sources.append(ROOT / "sdk/support/tree_removal.cpp")
        self.passes_the_kit(build_library(self.work / "workspace.so", *OWN_COMPILER, AS_1_0, sources=sources,
                                          include=self.include))

    def test_plugins_of_slipway_compile_with_later_headers(self):
        sources = [file for part in ("plugins", "named_resources") for file in sorted((ROOT / part).rglob("*.cpp"))
                   if re.search(r"^SLIPWAY_PLUGIN\(", file.read_text(encoding="utf-8"), re.MULTILINE)]
        self.assertGreaterEqual(len(sources), 4)
        for file in sources:
            with self.subTest(file.relative_to(ROOT)):
                # To an object, since a compiler cache keeps no check of the syntax alone.
                run(*OWN_COMPILER, *WARNINGS, *NOT_FILLED, "-I", self.include.name, "-c", file, "-o", "plugin.o",
                    cwd=self.work)

    def test_the_document_shows_the_code_of_the_example(self):
        document = (ROOT / "sdk/docs/evolution.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```c\n(.*?)^```", document, re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(blocks), 4)
        code = "\n".join(file.read_text(encoding="utf-8") for file in
                         (HERE / "growth/additions.txt", HERE / "growth/host.c", kept_plugin.SOURCES / "scheduler.c"))
        for block in blocks:
            self.assertIn(block, code)


if __name__ == "__main__":
    unittest.main()
