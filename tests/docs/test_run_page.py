"""The program that runs pages finds blocks, and notices output that differs."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import run_page

# {WHAT: the test that runs the blocks with the mark `with WHAT`}
TEST_OF_NEED = {
    "docker": "tests/e2e/docker/test_pages.py",
    "sdk": "tests/package/test_pages.py",
    "slurm": "tests/e2e/slurm/test_pages.py",
}
# A line that looks like a command, such as `slipway list`, and not like C or shell code that ends with `;` or `{`.
COMMAND = re.compile(r"(sudo |export |cd |slipway |\./dev |cmake |ctest |python3? |pip3? |apt(-get)? |git |g\+\+ |gcc |"
                     r"docker |sbatch |srun |squeue |torchx |[A-Z_]+=\S+ +\S*slipway)(?!.*[;{]$)")

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
        """Returns the number of blocks of this page that were run, and the differences."""
        with tempfile.TemporaryDirectory() as directory:
            page = Path(directory) / "page.md"
            page.write_text(text)
            return run_page.check(page, Path(os.environ["SLIPWAY_TREE"]))

    def test_a_correct_page_has_no_differences(self):
        self.assertEqual(self.outcome(PAGE), (1, []))

    def test_a_block_with_a_need_runs_only_in_the_test_for_this_need(self):
        page = ("<!-- docs: with slurm setup\nx=job\n-->\n    $ echo all\n    all\n\nText.\n\n"
                "<!-- docs: with slurm -->\n    $ echo a $x\n    a job\n")
        for need, commands in ((None, ["echo all"]), ("slurm", ["echo a $x"]), ("docker", [])):
            with self.subTest(need=need):
                script, run = run_page.script_of(run_page.blocks_of(page), need=need)
                self.assertEqual([command for _, command, _ in run], commands)
                self.assertEqual("x=job" in script, need == "slurm")

    def test_each_difference_is_found(self):
        for right, wrong in (("    you\n    $ echo", "    $ echo"), ("    more\n", "    mere\n"),
                             ("    3\n", "    4\n"), ("    more\n", "    more\n    more\n")):
            with self.subTest(wrong=wrong):
                self.assertEqual(len(self.outcome(PAGE.replace(right, wrong, 1))[1]), 1)

    def test_a_block_that_is_not_run_has_its_commands_and_its_reason(self):
        blocks = run_page.blocks_of(PAGE)
        self.assertEqual([bool(block.commands()) for block in blocks], [False, False, False, True, True])
        self.assertEqual(blocks[-1].mark("not run"), "it needs root")

    def test_blocks_for_root_run_in_a_private_directory_or_are_skipped(self):
        page = ("<!-- docs: root setup\nmkdir /scratch\n-->\n<!-- docs: root -->\n"
                "    $ sudo touch /etc/x /scratch/x; ls /scratch\n    x\n\nText.\n\n    $ echo all\n    all\n")
        self.assertEqual(self.outcome(page), (2 if run_page.private_root() else 1, []))
        self.assertFalse(Path("/etc/x").exists())
        self.assertEqual([command for _, command, _ in run_page.script_of(run_page.blocks_of(page))[1]], ["echo all"])

    def test_a_command_may_have_several_lines(self):
        self.assertEqual(self.outcome("    $ echo a \\\n        b\n    a b\n"), (1, []))

    def test_a_mark_without_a_block_or_without_an_end_is_a_mistake(self):
        for page in ("<!-- docs: not run -->\n\nText.\n\n    $ true\n", "<!-- docs: not run\n    $ true\n"):
            self.assertRaises(ValueError, run_page.blocks_of, page)

    def test_placeholders_match_any_text_and_ids_any_id_and_other_words_themselves(self):
        matches = run_page.matches
        self.assertTrue(matches(["a", "…", "z"], ["a", "b", "c", "z"]))
        self.assertTrue(matches(["a…z"], ["a and z"]))
        self.assertFalse(matches(["a", "…", "z"], ["a", "b"]))
        self.assertTrue(matches(["app-bbsfflg7zc0g6c pid 7"], ["app-t0jhpj0h701tpc pid 4711"]))
        self.assertFalse(matches(["app-bbsfflg7zc0g6c"], ["ape-t0jhpj0h701tpc"]))
        self.assertTrue(matches(["0ada0fee-cd23-4413-b3f4-cb5271504d98"], ["9a9057c0-2268-4c6e-bcc1-7258338d2a9b"]))
        self.assertTrue(matches(["a", "b"], ["b", "a"], unordered=True))
        self.assertFalse(matches(["a", "b"], ["b", "a"]))


class Pages(unittest.TestCase):
    """A test runs each block of commands of the pages."""

    def blocks(self):
        for page in run_page.pages():
            for block in run_page.blocks_of(page.read_text()):
                yield str(page.relative_to(run_page.REPOSITORY)), block

    def test_each_block_is_run_or_listed_with_a_reason(self):
        found = [f"{name}: {block.mark('not run')}" for name, block in self.blocks()
                 if block.commands() and block.mark("not run") is not None]
        listed = [line for line in run_page.NOT_RUN.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(sorted(found), sorted(listed))

    def test_each_need_has_a_test_that_runs_the_blocks(self):
        needs = {block.mark("with") for _, block in self.blocks()} - {None}
        self.assertEqual(needs, set(TEST_OF_NEED))
        for need, test in TEST_OF_NEED.items():
            self.assertIn(f'run_pages("{need}"', (run_page.REPOSITORY / test).read_text())

    def test_each_page_with_commands_is_checked(self):
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=run_page.REPOSITORY, capture_output=True, text=True,
                                check=False)
        if listed.returncode != 0:
            self.skipTest("the sources are not in a git repository")
        mine = {str(page.relative_to(run_page.REPOSITORY)) for page in run_page.pages()}
        for name in set(listed.stdout.split()) - mine:
            with self.subTest(name):
                page = run_page.REPOSITORY / name
                self.assertFalse(page.exists() and "\n    $ " in page.read_text(), "pages.txt does not have it")

    def test_commands_begin_with_a_dollar(self):
        """Without it no test would run them. A synopsis has placeholders, or stands right below a heading."""
        for name, block in self.blocks():
            words = [line for line in block.lines if COMMAND.match(line)]
            if not words or block.commands() or block.mark("file") is not None:
                continue
            text = "\n".join(block.lines)
            above = (run_page.REPOSITORY / name).read_text().split("\n")[:block.line - 1]
            heading = next((line for line in reversed(above) if line), "")
            is_synopsis = all(line.startswith("slipway ") for line in words) and (
                heading.startswith("#") or re.search(r"\b[A-Z]{2,}\b|…", text))
            self.assertTrue(is_synopsis, f"{name}:{block.line}: {words[0]}")

    def test_commands_are_indented(self):
        for page in run_page.pages():
            with self.subTest(page=page):
                self.assertNotRegex(page.read_text(), r"(?m)^```(sh|console|bash|shell)$")


if __name__ == "__main__":
    unittest.main()
