"""`run --workspace DIR`: the app runs in a copy of a directory, made at submission."""

import json
import os
import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase


class Workspace(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.project = self.root / "project"
        (self.project / "data").mkdir(parents=True)
        (self.project / "train.sh").write_text("echo first version\n")
        (self.project / "data" / "big.bin").write_text("0" * 1000)
        self.copies = self.state / "slipway" / "workspaces"

    def copy_names(self):
        """Returns the names of the copies and of everything else in their directory."""
        return sorted(p.name for p in self.copies.iterdir()) if self.copies.exists() else []

    def test_the_app_runs_in_a_copy(self):
        result = self.ok("run", "-s", "local", "--workspace", self.project, self.app("pwd; ls; sh train.sh"))
        (copy,) = (p for p in self.copies.iterdir() if p.is_dir())
        self.assertIn(f"w/0 {copy}\n", result.stderr)
        self.assertIn("w/0 data\nw/0 train.sh\nw/0 first version\n", result.stderr)
        self.assertIn(f"2 files (1019 bytes) of {self.project} are copied to {copy}", result.stderr)

    def test_a_long_name_of_an_app_is_cut_in_the_name_of_the_copy(self):
        name = "n" * 240
        self.ok("run", "-s", "local", "--workspace", self.project, self.app("true", name=name))
        (copy,) = (p for p in self.copies.iterdir() if p.is_dir())
        self.assertRegex(copy.name, r"^n{200}-[a-z0-9]+$")

    def test_edits_after_submission_do_not_change_the_copy(self):
        gate = self.gate()
        handle = self.ok("run", "-d", "-s", "local", "--workspace", self.project,
                         self.app(f"read go < {self.cwd}/gate; sh train.sh")).stdout.strip()
        (self.project / "train.sh").write_text("echo second version\n")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.ok("log", handle).stdout, "first version\n")

    def test_the_workspace_is_recorded_with_the_app(self):
        handle = self.ok("run", "-d", "-s", "local_dir", "--workspace", self.project, self.app("true")).stdout.strip()
        self.ok("wait", handle)
        app = self.ok("describe", "--json", handle).json
        self.assertEqual(app["metadata"], {"slipway.workspace": str(self.project)})
        self.assertEqual(Path(app["roles"][0]["image"]).parent, self.copies)

    def test_an_empty_workspace_switches_that_of_the_configuration_off(self):
        self.write("slipway.toml", f'[cli.run]\nworkspace = "{self.project}"\n')
        run = ("run", "-q", "--no-log", "-s", "local", self.app("true"))
        self.ok(*run, "--workspace", "")
        self.assertEqual(self.copy_names(), [])
        self.ok(*run)
        self.assertNotEqual(self.copy_names(), [])

    def test_ignore_files_exclude_files(self):
        (self.project / ".slipwayignore").write_text("data\n*.bin\n")
        result = self.ok("run", "-s", "local", "--workspace", self.project, self.app("ls -A"))
        self.assertIn("w/0 .slipwayignore\nw/0 train.sh\n", result.stderr)
        self.assertNotIn("w/0 data", result.stderr)

    def test_the_git_directory_and_files_that_gitignore_names_are_not_copied(self):
        (self.project / ".git").mkdir()
        (self.project / ".git" / "config").write_text("")
        (self.project / ".gitignore").write_text("*.bin\n")
        result = self.ok("run", "-s", "local", "--workspace", self.project, self.app("find . -type f | sort"))
        self.assertIn("w/0 ./.gitignore\nw/0 ./train.sh\n", result.stderr)
        self.assertNotIn("config", result.stderr)
        self.assertNotIn("big.bin", result.stderr)

    def test_a_path_that_is_not_utf_8_is_recorded_without_loss(self):
        project = self.root / os.fsdecode(b"project\xff")
        self.project.rename(project)
        first = self.ok("run", "-q", "--no-log", "-s", "local", "--workspace", os.fsencode(project),
                        self.app("true")).stdout.strip()
        self.assertEqual(self.ok("describe", "--json", first).json["metadata"]["slipway.workspace"],
                         f"{self.root}/project\\xff")
        self.ok("rerun", "-n", first)

    def test_a_copy_whose_path_is_not_utf_8_is_refused(self):
        home = self.root / os.fsdecode(b"home\xff")
        error = self.expect_failure(65, "invalid", "run", "-s", "local", "--workspace", self.project,
                                    self.app("true"), env={"XDG_STATE_HOME": os.fsencode(home)})
        self.assertIn("XDG_STATE_HOME", error["hint"])

    def test_a_dry_run_reports_the_files_and_copies_nothing(self):
        app = self.app("true")
        for scheduler in ("local", "local_dir"):
            text = self.ok("run", "-n", "-s", scheduler, "--workspace", self.project, app)
            self.assertIn(f"2 files (1019 bytes) of {self.project} would be copied to {self.copies}/app-", text.stderr)
            document = self.ok("run", "-n", "--json", "-s", scheduler, "--workspace", self.project, app).json
            workspace = document["workspace"]
            self.assertEqual((workspace["provider"], workspace["source"], workspace["files"], workspace["bytes"]),
                             ("dir", str(self.project), 2, 1019))
            self.assertEqual(document["app"]["roles"][0]["image"], workspace["image"])
        self.assertFalse(self.state.exists())
        self.assertIsNone(self.ok("run", "-n", "--json", app).json["workspace"])

    def test_a_relative_workspace_starts_at_the_working_directory(self):
        (self.cwd / "here").mkdir()
        (self.cwd / "here" / "only.txt").write_text("")
        for text in ("here", "./here/", f"file://{self.cwd}/here", f"dir://{self.cwd}/here"):
            with self.subTest(text):
                self.assertIn("w/0 only.txt", self.ok("run", "-s", "local", "--workspace", text, self.app("ls")).stderr)

    def test_impossible_workspace_is_reported_before_anything_starts(self):
        app = self.app("true")
        run = ("run", "-s", "local", app, "--workspace")
        self.expect_failure(66, "not_found", *run, self.root / "none")
        self.expect_failure(66, "not_found", *run, "git:///srv/project")
        self.expect_failure(65, "invalid", *run, app)
        self.assertEqual(self.copy_names(), [])

    def test_a_copy_stays_while_a_damaged_run_record_may_be_that_of_an_app_in_it(self):
        first = self.ok("run", "-q", "-s", "local", "--workspace", self.project, self.app("true")).stdout.strip()
        second = self.ok("rerun", "-q", first).stdout.strip()
        (file,) = (self.state / "slipway" / "runs").rglob(second.rsplit("/", 1)[1])
        good = file.read_bytes()
        file.write_bytes(good[:100])
        (copy,) = (p for p in self.copies.iterdir() if p.is_dir())
        self.ok("delete", first)
        self.assertTrue(copy.is_dir())
        file.write_bytes(good)
        self.ok("delete", second)
        self.assertFalse(copy.exists())

    def test_earlier_copies_in_the_workspace_are_not_copied_whatever_their_path(self):
        link = self.root / "link"
        link.symlink_to(self.project)
        script = "find . -path '*/workspaces/*' | wc -l"
        for _ in range(2):
            result = self.ok("run", "-s", "local", "--workspace", self.project, self.app(script),
                             env={"XDG_STATE_HOME": str(link / ".state")})
            self.assertIn("w/0 0\n", result.stderr)

    def test_no_copy_is_left_when_the_app_cannot_be_submitted(self):
        (self.state / "slipway").mkdir(parents=True)
        (self.state / "slipway" / "local").write_text("no directory")
        result = self.run_slipway("run", "-s", "local", "--workspace", self.project, self.app("true"))
        self.assertNotEqual(result.status, 0, result)
        self.assertIn("are copied to", result.stderr)
        self.assertEqual(self.copy_names(), [])

    def test_a_scheduler_that_ignores_workspaces_is_reported(self):
        result = self.ok("run", "-n", "--json", "-s", "local_cwd", "--workspace", self.project, self.app("true"))
        (finding,) = json.loads(result.stdout)["ignored"]
        self.assertEqual((finding["role"], finding["field"]), ("w", "workspace"))
        self.assertIn("-s local runs them in the copy", finding["why"])

    def test_image_is_also_reported_by_a_scheduler_that_ignores_workspaces(self):
        app = self.app(role("w", "true", image="some/where"))
        result = self.ok("run", "-n", "--json", "-s", "local_cwd", "--workspace", self.project, app)
        self.assertEqual({finding["field"] for finding in result.json["ignored"]}, {"workspace", "image"})

    def test_no_copy_is_made_for_a_scheduler_that_ignores_it(self):
        result = self.ok("run", "--workspace", self.project, self.app("pwd"))
        self.assertIn(f"w/0 {self.cwd}\n", result.stderr)
        self.assertIn("local_cwd ignores workspace", result.stderr)
        self.assertNotIn("copied", result.stderr)
        self.assertEqual(self.copy_names(), [])
        app = self.ok("describe", "--json", result.stdout.strip()).json
        self.assertEqual((app["metadata"], app["roles"][0]["image"]), ({}, "."))
        dryrun = self.ok("run", "-n", "--json", "--workspace", self.project, self.app("pwd")).json
        self.assertIsNone(dryrun["workspace"])


if __name__ == "__main__":
    unittest.main()
