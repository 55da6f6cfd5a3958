"""The C headers explain everything that they define, and clang-format leaves them readable."""

import re
import tempfile
import unittest
from pathlib import Path

from kept_plugin import INCLUDE

SDK = INCLUDE.parent
HEADERS = sorted((INCLUDE / "slipway" / "abi").glob("*.h"))
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
ENUM = re.compile(r"^enum \{(.*?)\};", re.DOTALL | re.MULTILINE)
CALLBACK = re.compile(r"^typedef \w+ \(\*(\w+)\)\(", re.MULTILINE)
FUNCTION = re.compile(r"\(\*(\w+)\)\(")
FIELD = re.compile(r"(\w+);$")
# The rules R1 and R9 of base.h explain these fields for every struct.
KNOWN = ("struct_size", "reserved0")
# The tables of functions that a plug-in implements. The host's tables are not among them: they are always complete.
TABLES = re.compile(r"_vtbl$|^slipway_scheduler_signal$|^slipway_image_provider_cache$")
# The structs with functions of a plug-in. The comment of each function says whether the plug-in must have it.
IMPLEMENTED = re.compile(TABLES.pattern + "|^slipway_provider$|^slipway_plugin$")
# [required], [optional], [required with log_open]
MARKS = re.compile(r"\[(required|optional)[^\]]*\]")


def comment_before(text, at):
    """Returns the comment that ends on the line before `at`, or an empty text."""
    before = text[:at].rstrip(" ")
    ends = [match for match in COMMENT.finditer(before) if before[match.end():].strip("\n ") == ""
            and before[match.end():].count("\n") <= 1]
    return ends[-1].group() if ends else ""


def declarations(body):
    """Yields each declaration of a struct with the comments before and behind it."""
    above, declaration = "", ""
    for line in body.splitlines():
        code = COMMENT.sub("", line).strip()
        if declaration == "" and (line.strip().startswith("/*") or (above and "*/" not in above)):
            above = (above if above and "*/" not in above else "") + line
            continue
        declaration = f"{declaration} {code}".strip()
        if ";" not in declaration:
            continue
        yield declaration, above + line.partition("/*")[2]
        above, declaration = "", ""


def is_explained_elsewhere(field, declaration, struct_comment):
    """Returns whether the comment of the struct or the type of the field explains the field."""
    return (f"`{field}`" in struct_comment or "FROZEN" in struct_comment
            or "have the meaning of those in" in struct_comment
            or declaration.startswith(("slipway_mount_array", "slipway_replica_status_array")))


def gaps_of_struct(text, match):
    name, body = match[1], match[2]
    struct_comment = comment_before(text, match.start())
    if not struct_comment and not TABLES.search(name):
        yield f"{name}: a struct without a comment"
    for declaration, comment in declarations(body):
        function, field = FUNCTION.search(declaration), FIELD.search(declaration)
        if function:
            if not comment:
                yield f"{name}.{function[1]}: a function without a comment"
            elif IMPLEMENTED.search(name) and not MARKS.search(comment):
                yield f"{name}.{function[1]}: neither [required] nor [optional]"
        elif field and field[1] not in KNOWN and not comment and not is_explained_elsewhere(
                field[1], declaration, struct_comment):
            yield f"{name}.{field[1]}: a field without a comment"


def gaps(path):
    """Returns what the header does not explain."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in STRUCT.finditer(text):
        found += gaps_of_struct(text, match)
    for match in ENUM.finditer(text):
        # The comment on slipway_status, above the statuses' typedef, explains their enumeration.
        names = re.findall(r"(SLIPWAY_\w+) = ", match[1])
        if not comment_before(text, match.start()) and names[0] != "SLIPWAY_OK":
            found.append(f"{names[0]}: an enumeration without a comment")
    for match in CALLBACK.finditer(text):
        if not comment_before(text, match.start()):
            found.append(f"{match[1]}: a callback without a comment")
    for line in text.splitlines():
        if re.fullmatch(r" +(const )?\w+\*?", line) and not line.strip().startswith("*"):
            found.append(f"{line.strip()}: a declaration on two lines; put its comment above it")
    return [f"{path.name}: {each}" for each in found]


class Text(unittest.TestCase):
    def test_everything_in_the_headers_has_a_comment(self):
        self.assertGreater(len(HEADERS), 12)
        self.assertEqual([gap for path in HEADERS for gap in gaps(path)], [])

    def test_keys_of_roles_are_those_of_the_host(self):
        """The header names them, and the page for authors has a row for each."""
        host = (SDK / "support" / "role_keys.hpp").read_text(encoding="utf-8")
        keys = re.findall(r'"(\w+)"', re.search(r"kRoleKeys = \{(.*?)\}", host, re.DOTALL)[1])
        scheduler = (INCLUDE / "slipway/abi/scheduler.h").read_text(encoding="utf-8")
        named = re.search(r"metadata of the app;\n \*((?:\s+\w+,)+\s+\w+): keys of a role", scheduler)
        self.assertEqual(re.findall(r"\w+", named[1]), keys)
        page = (SDK / "docs" / "role_keys.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE), keys)

    def test_each_kind_of_missing_comment_is_found(self):
        scheduler = (INCLUDE / "slipway/abi/scheduler.h").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as work:
            copy = Path(work) / "scheduler.h"
            for what, pattern, text in (
                    ("slipway_cancel_opts: a struct", r"/\* Options of `cancel`.*?\*/\n", ""),
                    ("slipway_cancel_opts.now: a field", r" +/\* nonzero: kill replicas at once \*/", ""),
                    ("slipway_scheduler_vtbl.cancel: a function", r" +/\* \[required\] Starts the canc.*?\*/\n", ""),
                    ("slipway_scheduler_vtbl.cancel: neither", r"\[required\] Starts the canc", "Starts the canc"),
                    ("SLIPWAY_EVENTS_STATE: an enumeration", r"/\* The changes that a subscr.*?\*/\n", ""),
                    ("slipway_on_submission: a callback", r"/\* Receives a submission.*?\*/\n", ""),
                    ("slipway_str: a declaration", r"  slipway_str why; ", "  slipway_str\n      why; ")):
                with self.subTest(what):
                    changed, count = re.subn(pattern, text, scheduler, count=1, flags=re.DOTALL)
                    self.assertEqual(count, 1, pattern)
                    copy.write_text(changed, encoding="utf-8")
                    self.assertTrue(any(what in gap for gap in gaps(copy)), gaps(copy))


if __name__ == "__main__":
    unittest.main()
