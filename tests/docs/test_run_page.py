"""The program that runs pages finds blocks, and notices output that differs."""

import os
import tempfile
import unittest
from pathlib import Path

import run_page

PAGE = """# Page

    name = "no command"

<!-- docs: file greeting.txt -->
    hello
    you

<!-- docs: setup
extra=more
-->
Text.

    $ cat greeting.txt
    hello
    you
    $ echo $extra; (exit 3)
    more
    $ echo $?
    3

<!-- docs: not run: it needs root -->
    $ rm -r /
"""


class RunPage(unittest.TestCase):
    def outcome(self, text):
        with tempfile.TemporaryDirectory() as directory:
            page = Path(directory) / "page.md"
            page.write_text(text)
            return run_page.check(page, Path(os.environ["SLIPWAY_TREE"]))

    def test_a_correct_page(self):
        self.assertEqual(self.outcome(PAGE), (1, []))

    def test_each_difference_is_found(self):
        for right, wrong in (("    you\n    $ echo", "    $ echo"), ("    more\n", "    mere\n"),
                             ("    3\n", "    4\n"), ("    more\n", "    more\n    more\n")):
            with self.subTest(wrong=wrong):
                self.assertEqual(len(self.outcome(PAGE.replace(right, wrong, 1))[1]), 1)

    def test_blocks_that_are_not_run_are_counted(self):
        blocks = run_page.blocks_of(PAGE)
        self.assertEqual([bool(block.commands()) for block in blocks], [False, False, False, True, True])
        self.assertEqual(blocks[-1].mark("not run"), "it needs root")

    def test_blocks_for_root_run_in_a_private_directory_or_not_at_all(self):
        page = ("<!-- docs: root setup\nmkdir /scratch\n-->\n<!-- docs: root -->\n"
                "    $ sudo touch /etc/x /scratch/x; ls /scratch\n    x\n\nText.\n\n    $ echo all\n    all\n")
        self.assertEqual(self.outcome(page), (2 if run_page.private_root() else 1, []))
        self.assertFalse(Path("/etc/x").exists())
        self.assertEqual([command for _, command, _ in run_page.script_of(run_page.blocks_of(page))[1]], ["echo all"])

    def test_a_mark_without_a_block_is_a_mistake(self):
        self.assertRaises(ValueError, run_page.blocks_of, "<!-- docs: not run -->\n\nText.\n\n    $ true\n")

    def test_placeholders(self):
        matches = run_page.matches
        self.assertTrue(matches(["a", "…", "z"], ["a", "b", "c", "z"]))
        self.assertTrue(matches(["a…z"], ["a and z"]))
        self.assertFalse(matches(["a", "…", "z"], ["a", "b"]))
        self.assertTrue(matches(["app-bbsfflg7zc0g6c pid 7"], ["app-t0jhpj0h701tpc pid 4711"]))
        self.assertFalse(matches(["app-bbsfflg7zc0g6c"], ["ape-t0jhpj0h701tpc"]))
        self.assertTrue(matches(["0ada0fee-cd23-4413-b3f4-cb5271504d98"], ["9a9057c0-2268-4c6e-bcc1-7258338d2a9b"]))
        self.assertTrue(matches(["a", "b"], ["b", "a"], unordered=True))
        self.assertFalse(matches(["a", "b"], ["b", "a"]))


if __name__ == "__main__":
    unittest.main()
