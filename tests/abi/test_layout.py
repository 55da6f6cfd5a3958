"""The C headers keep the binary contract that draft-N.inc wrote down, and every kind of break is noticed."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "sdk" / "include"
DRAFT = re.search(r"#define SLIPWAY_ABI_DRAFT (\d+)", (INCLUDE / "slipway/abi/base.h").read_text(encoding="utf-8"))[1]
LAYOUT = HERE / f"draft-{DRAFT}.inc"
# gcc names padding; clang compiles for machines whose C library is not here.
HOME = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpadded", "-Werror", "-fsyntax-only"]
TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu")

ATTEMPT = "  int64_t started_at_ns;\n  int64_t finished_at_ns;\n  slipway_str reason;\n} slipway_attempt_status;"
CANCEL = "  int32_t now;      /* nonzero: kill replicas at once */\n  int64_t grace_ms;"
FREE = "  void (*request_free)(slipway_scheduler* self, slipway_request* request);\n"
LAST = "  const void* (*get_extension)(const slipway_host* self, slipway_str id);\n};"

# (what, header, text, text that replaces it)
BREAKS = (
    ("two fields of one type change places", "status.h", ATTEMPT,
     ATTEMPT.replace("started", "x").replace("finished", "started").replace("x_at", "finished_at")),
    ("a field in the middle", "status.h", ATTEMPT, "  int64_t added;\n" + ATTEMPT),
    ("a field in the middle of the functions", "scheduler.h", FREE, "  void (*added)(void);\n" + FREE),
    ("a field less in the middle", "status.h", ATTEMPT, ATTEMPT.replace("  int64_t started_at_ns;\n", "")),
    ("a field less at the end", "status.h", ATTEMPT, ATTEMPT.replace("  slipway_str reason;\n", "")),
    ("a function less", "scheduler.h", FREE, ""),
    ("a field with another name", "status.h", ATTEMPT, ATTEMPT.replace("reason", "cause")),
    ("a wider field", "scheduler.h", CANCEL, CANCEL.replace("int32_t now", "int64_t now")),
    ("another type of the same size", "scheduler.h", CANCEL, CANCEL.replace("int64_t grace_ms", "double grace_ms")),
    ("another sign", "scheduler.h", CANCEL, CANCEL.replace("int32_t now", "uint32_t now")),
    ("a parameter more", "scheduler.h", FREE, FREE.replace("request);", "request, int32_t how);")),
    ("a parameter more of a callback", "scheduler.h", "(*slipway_on_submission)(void* ctx, ",
     "(*slipway_on_submission)(void* ctx, int32_t more, "),
    ("another result", "scheduler.h", FREE, FREE.replace("void (*", "int32_t (*")),
    ("a frozen struct that grows", "base.h", "  const char* ptr;\n  size_t len;\n} slipway_str;",
     "  const char* ptr;\n  size_t len;\n  size_t capacity;\n} slipway_str;"),
    ("padding at the end", "status.h", ATTEMPT,
     ATTEMPT.replace("reason;\n}", "reason;\n  int32_t added;\n}")),
    ("another value of an enumerator", "app.h", "SLIPWAY_MOUNT_VOLUME = 1", "SLIPWAY_MOUNT_VOLUME = 3"),
    ("another order of enumerators", "logs.h", "SLIPWAY_STREAM_STDOUT = 1, SLIPWAY_STREAM_STDERR = 2",
     "SLIPWAY_STREAM_STDERR = 1, SLIPWAY_STREAM_STDOUT = 2"),
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
    ("an enumerator more", "app.h", "SLIPWAY_MOUNT_DEVICE = 2", "SLIPWAY_MOUNT_DEVICE = 2, SLIPWAY_MOUNT_IMAGE = 3"),
)


def problems(command, include):
    done = subprocess.run([*command, f"-I{include}", "-x", "c", LAYOUT], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


class Layout(unittest.TestCase):
    def changed(self, header, before, after):
        """Returns a copy of the headers with one change."""
        root = Path(tempfile.mkdtemp(prefix="slipway-abi-"))
        self.addCleanup(shutil.rmtree, root)
        shutil.copytree(INCLUDE / "slipway" / "abi", root / "slipway" / "abi")
        file = root / "slipway" / "abi" / header
        text = file.read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, f"{header} has no longer: {before}")
        file.write_text(text.replace(before, after), encoding="utf-8")
        return root

    def test_the_headers_are_as_written_down(self):
        self.assertTrue(LAYOUT.exists(), f"write it: layout.py sdk/include >{LAYOUT}")
        self.assertEqual(problems(HOME, INCLUDE), "",
                         "deliberate: raise SLIPWAY_ABI_DRAFT, and write down the new layout; see tests/abi/README.md")

    def test_what_is_written_down_is_complete(self):
        written = subprocess.run([sys.executable, "-B", HERE / "layout.py", INCLUDE], capture_output=True, text=True,
                                 check=True).stdout
        self.assertEqual(written, LAYOUT.read_text(encoding="utf-8"),
                         "additions: write down the layout again; see tests/abi/README.md")

    @unittest.skipUnless(shutil.which("clang"), "SKIPPED: needs clang, which `./dev test` installs")
    def test_other_machines_have_the_same_layout(self):
        for target in TARGETS:
            with self.subTest(target=target):
                command = ["clang", f"--target={target}", "-std=c11", "-ffreestanding", "-nostdlibinc",
                           "-fsyntax-only"]
                self.assertEqual(problems(command, INCLUDE), "")

    def test_every_kind_of_break_is_noticed(self):
        for what, header, before, after in BREAKS:
            with self.subTest(what):
                self.assertNotEqual(problems(HOME, self.changed(header, before, after)), "")

    def test_additions_are_not_breaks(self):
        for what, header, before, after in ADDITIONS:
            with self.subTest(what):
                self.assertEqual(problems(HOME, self.changed(header, before, after)), "")


if __name__ == "__main__":
    unittest.main()
