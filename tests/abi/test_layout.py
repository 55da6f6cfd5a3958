"""The C headers keep the binary contract that draft-N.inc states, and every kind of break is noticed."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import layout
import witness
from kept_plugin import DRAFT, HERE, INCLUDE, MINOR

LAYOUT = HERE / f"draft-{DRAFT}.inc"
WITNESS = HERE / f"draft-{DRAFT}.abi"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpadded", "-Werror", "-fsyntax-only"]
# clang looks for padding only in structs whose size is needed; the assertions need the size of each.
COMPILERS = [[name, *STRICT] for name in ("gcc", "clang") if shutil.which(name)]
# Compiles for machines whose C library is missing.
CROSS = ("clang", "-std=c11", "-ffreestanding", "-nostdlibinc", "-fsyntax-only")
TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu")

# Texts of the headers, in which the changes below are made.
ATTEMPT = "  int64_t cpu_time_ns;\n  int64_t max_rss_bytes;\n  slipway_str reason;\n} slipway_attempt_status;"
CANCEL = "  int32_t now;      /* nonzero: kill replicas at once */\n  int64_t grace_ms;"
FREE = "  void (*request_free)(slipway_scheduler* self, slipway_request* request);\n"
CANCEL_LOG = "  void (*log_cancel)(slipway_log_iter* iter);\n"
CLOSE_LOG = ("  /* [required with log_open] Frees the iterator. The host calls it only when no log_next is\n"
             "   * running. */\n"
             "  void (*log_close)(slipway_log_iter* iter);\n")
LAST = "  const void* (*get_extension)(const slipway_host* self, slipway_str id);\n};"

# (what, header, text, text that replaces it)
BREAKS = (
    ("two fields of one type change places", "status.h", ATTEMPT,
     ATTEMPT.replace("cpu_time_ns", "x").replace("max_rss_bytes", "cpu_time_ns").replace("x;", "max_rss_bytes;")),
    ("a field in the middle", "status.h", ATTEMPT, "  int64_t added;\n" + ATTEMPT),
    ("a field in the middle of the functions", "scheduler.h", FREE, "  void (*added)(void);\n" + FREE),
    ("a removed field in the middle", "status.h", ATTEMPT, ATTEMPT.replace("  int64_t cpu_time_ns;\n", "")),
    ("a removed field at the end", "status.h", ATTEMPT, ATTEMPT.replace("  slipway_str reason;\n", "")),
    ("a removed function in the middle", "scheduler.h", FREE, ""),
    ("a removed function at the end", "host.h", LAST, "};"),
    ("two functions of one type change places", "scheduler.h", CANCEL_LOG + CLOSE_LOG, CLOSE_LOG + CANCEL_LOG),
    ("a field with another name", "status.h", ATTEMPT, ATTEMPT.replace("reason", "cause")),
    ("a wider field", "scheduler.h", CANCEL, CANCEL.replace("int32_t now", "int64_t now")),
    ("another type of the same size", "scheduler.h", CANCEL, CANCEL.replace("int64_t grace_ms", "double grace_ms")),
    ("another sign", "scheduler.h", CANCEL, CANCEL.replace("int32_t now", "uint32_t now")),
    ("an additional parameter", "scheduler.h", FREE, FREE.replace("request);", "request, int32_t how);")),
    ("an additional parameter of a callback", "scheduler.h", "(*slipway_on_submission)(void* ctx, ",
     "(*slipway_on_submission)(void* ctx, int32_t more, "),
    ("another result", "scheduler.h", FREE, FREE.replace("void (*", "int32_t (*")),
    ("a frozen struct that grows", "base.h", "  const char* ptr;\n  size_t len;\n} slipway_str;",
     "  const char* ptr;\n  size_t len;\n  size_t capacity;\n} slipway_str;"),
    ("padding at the end", "status.h", ATTEMPT,
     ATTEMPT.replace("reason;\n}", "reason;\n  int32_t added;\n}")),
    ("another value of an enumerator", "app.h", "SLIPWAY_MOUNT_VOLUME = 1", "SLIPWAY_MOUNT_VOLUME = 3"),
    ("another order of enumerators", "logs.h", "SLIPWAY_STREAM_STDOUT = 1, SLIPWAY_STREAM_STDERR = 2",
     "SLIPWAY_STREAM_STDERR = 1, SLIPWAY_STREAM_STDOUT = 2"),
    ("another size of 1.0", "status.h", "LIST_ITEM_1_0_SIZE 64", "LIST_ITEM_1_0_SIZE 72"),
    ("another magic", "plugin.h", "0x31505753u", "0x32505753u"),
    ("another id of a kind", "scheduler.h", 'KIND_SCHEDULER "slipway.scheduler/1"',
     'KIND_SCHEDULER "slipway.scheduler/2"'),
    ("a packed struct", "scheduler.h", "} slipway_cancel_opts;", "} __attribute__((packed)) slipway_cancel_opts;"),
)
ADDITIONS = (
    ("a field at the end", "status.h", ATTEMPT, ATTEMPT.replace("reason;\n}", "reason;\n  int64_t added;\n}")),
    ("a function at the end", "host.h", LAST, LAST.replace("};", "  void (*added)(const slipway_host* self);\n};")),
    ("a reserved field with a meaning", "scheduler.h", "  int32_t reserved0;\n} slipway_schedule_opts;",
     "  int32_t added;\n} slipway_schedule_opts;"),
    ("an additional enumerator", "app.h", "SLIPWAY_MOUNT_DEVICE = 2",
     "SLIPWAY_MOUNT_DEVICE = 2, SLIPWAY_MOUNT_IMAGE = 3"),
)
# abidiff does not notice changes of names alone, of macros, of enumerators, which no function mentions, and of an
# attribute that changes no offset here.
UNSEEN_BY_ABIDIFF = ("a field with another name", "a reserved field with a meaning", "another value of an enumerator",
                     "another order of enumerators", "an additional enumerator", "another size of 1.0", "another magic",
                     "another id of a kind", "a packed struct")


def problems(compiler, include):
    """Returns the compiler's messages if the headers do not keep the contract, or an empty text."""
    done = subprocess.run([*compiler, f"-I{include}", "-x", "c", LAYOUT], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def difference(include):
    """Returns what abidiff reports about the headers, or an empty text."""
    with tempfile.TemporaryDirectory() as directory:
        library = Path(directory) / "witness.so"
        witness.build(include, library)
        # In a library without debug information, abidiff would find no difference.
        sections = subprocess.run(["readelf", "-S", library], stdout=subprocess.PIPE, text=True, check=True).stdout
        if ".debug_info" not in sections:
            raise AssertionError("the witness has no debug information")
        done = subprocess.run(["abidiff", WITNESS, library], capture_output=True, text=True,
                              check=False)
        # Bits 0 and 1 are errors of abidiff, higher ones are differences.
        if done.returncode & 3 or done.stderr:
            raise AssertionError(f"abidiff: {done.returncode}: {done.stderr}")
        return done.stdout if done.returncode else ""


class Contract(unittest.TestCase):
    """The headers, and copies of them with one change."""

    def changed(self, header, old, new):
        """Returns a copy of the headers with one change."""
        root = Path(tempfile.mkdtemp(prefix="slipway-abi-"))
        self.addCleanup(shutil.rmtree, root)
        shutil.copytree(INCLUDE / "slipway" / "abi", root / "slipway" / "abi")
        file = root / "slipway" / "abi" / header
        text = file.read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, f"{header} no longer has this text: {old}")
        file.write_text(text.replace(old, new), encoding="utf-8")
        return root


class Layout(Contract):
    def test_the_headers_are_as_written_down(self):
        self.assertTrue(LAYOUT.exists(), f"write it: layout.py sdk/include >{LAYOUT}")
        for compiler in COMPILERS:
            with self.subTest(compiler[0]):
                self.assertEqual(problems(compiler, INCLUDE), "", "deliberate: raise SLIPWAY_ABI_DRAFT, and write down "
                                 "the new layout; see tests/abi/README.md")

    def test_what_is_written_down_is_complete(self):
        self.assertEqual(layout.written_down(INCLUDE), LAYOUT.read_text(encoding="utf-8"),
                         "additions: write down the layout again; see tests/abi/README.md")

    def test_each_growable_struct_names_its_size_in_1_0(self):
        text = LAYOUT.read_text(encoding="utf-8")
        growable = re.findall(r"VALUE\(sizeof\((?:struct )?(slipway_\w+)\) >= (\d+)\);", text)
        self.assertGreater(len(growable), 40)
        for name, size in growable:
            named = re.search(rf"VALUE\({name.upper()}_1_0_SIZE == (\d+)\);", text)
            self.assertTrue(named, f"add after {name}: #define {name.upper()}_1_0_SIZE {size}")
            if MINOR == 0:
                self.assertEqual(named[1], size, name)

    @unittest.skipUnless(shutil.which("clang"), "SKIPPED: needs clang, which `./dev test` installs")
    def test_other_machines_have_the_same_layout(self):
        for target in TARGETS:
            with self.subTest(target=target):
                self.assertEqual(problems([*CROSS, f"--target={target}"], INCLUDE), "")

    @unittest.skipUnless(shutil.which("clang"), "SKIPPED: needs clang, which `./dev test` installs")
    def test_machines_of_32_bits_are_refused(self):
        for target in ("armv7-linux-gnueabihf", "i386-linux-gnu"):
            with self.subTest(target=target):
                self.assertIn("slipway_requires_64_bit_pointers",
                              problems([*CROSS, f"--target={target}"], INCLUDE))

    def test_every_kind_of_break_is_noticed_by_each_compiler(self):
        for what, *change in BREAKS:
            for compiler in COMPILERS:
                with self.subTest(what, compiler=compiler[0]):
                    self.assertNotEqual(problems(compiler, self.changed(*change)), "")

    def test_additions_are_not_breaks(self):
        for what, *change in ADDITIONS:
            for compiler in COMPILERS:
                with self.subTest(what, compiler=compiler[0]):
                    self.assertEqual(problems(compiler, self.changed(*change)), "")


@unittest.skipUnless(shutil.which("abidiff"), "SKIPPED: needs abigail-tools, which `./dev test` installs")
class SecondOpinion(Contract):
    """libabigail reads the debug information, and shares no code with layout.py."""

    def test_abidiff_finds_no_difference_in_the_headers(self):
        self.assertEqual(difference(INCLUDE), "", "deliberate: write down the witness again; see tests/abi/README.md")

    def test_abidiff_notices_the_breaks_of_types_and_additions(self):
        """An addition is a difference for abidiff, so that it and the witness change in the same commit."""
        for what, *change in BREAKS + ADDITIONS:
            with self.subTest(what):
                found = difference(self.changed(*change))
                if what in UNSEEN_BY_ABIDIFF:
                    self.assertEqual(found, "", "abidiff notices it now: remove it from the list")
                else:
                    self.assertNotEqual(found, "")


if __name__ == "__main__":
    unittest.main()
