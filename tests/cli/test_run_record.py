"""Run records, which have the circumstances of each run: `describe --full`, `rerun` and `delete` use them."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import tomllib
import unittest
from pathlib import Path

from app_text import role
from slipway_case import TREE, SlipwayCase


class RunRecord(SlipwayCase):
    def run_app(self, *arguments, app=None, **options):
        """Runs an app to its end. Returns the handle."""
        return self.ok("run", "--no-log", "-q", *arguments, app or self.app("true"), **options).stdout.strip()

    def run_record(self, handle):
        """Returns the content of the app's run record."""
        return self.ok("describe", "--full", "--json", handle).json["run"]

    def option(self, handle, name):
        """Returns the recorded value and origin of a run option."""
        (found,) = [o for o in self.run_record(handle)["options"] if o["name"] == name]
        return found["value"], found["origin"]

    def files(self):
        """Returns the files of all run records."""
        return [p for p in (self.state / "slipway" / "runs").rglob("*") if p.is_file() and not p.name.startswith(".")]

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.cwd, check=True,
                       capture_output=True, env=self.env)

    def test_full_description_has_versions_checksums_directory_and_command(self):
        handle = self.run_app()
        record = self.run_record(handle)
        (plugin,) = record["plugins"]
        library = (TREE / "lib" / "slipway" / "libslipway_local.so").read_bytes()
        self.assertEqual((plugin["id"], plugin["sha256"]), ("org.slipway.local", hashlib.sha256(library).hexdigest()))
        self.assertIn(record["slipway_version"], self.ok("--version").stdout)
        self.assertEqual((record["directory"], record["host"]), (str(self.cwd), os.uname().nodename))
        self.assertEqual(record["command_line"], ["run", "--no-log", "-q", str(self.cwd / "app.toml")])
        # `run` itself sets TORCHX_CONTEXT_NAME, as TorchX does.
        self.assertEqual(record["environment"], sorted([*self.env, "TORCHX_CONTEXT_NAME"]))
        self.assertIsNone(record["git"])
        text = self.ok("describe", "--full", handle).stdout
        self.assertIn(f"# directory:   {self.cwd}\n", text)
        self.assertEqual(tomllib.loads(text), tomllib.loads(self.ok("describe", handle).stdout))

    def test_options_have_an_origin(self):
        self.write("slipway.toml", "[scheduler.local_cwd]\nlog_keep = 3\n")
        handle = self.run_app("-c", "grace_s=2")
        self.assertEqual(self.option(handle, "grace_s"), (2.0, "-c"))
        self.assertEqual(self.option(handle, "fail_fast"), (False, "default"))
        value, origin = self.option(handle, "log_keep")
        self.assertEqual((value, origin.startswith(f"{self.cwd}/slipway.toml:2:")), (3, True))

    def test_repository_without_commits_has_no_revision(self):
        self.git("init", "-q")
        self.assertIsNone(self.run_record(self.run_app())["git"])

    def test_revision_and_changed_files_are_recorded(self):
        self.write("tracked", "1")
        self.git("init", "-q")
        self.git("add", "tracked")
        self.git("commit", "-qm", "first")
        self.write("untracked", "1")
        first = self.run_app()
        clean = self.run_record(first)["git"]
        self.assertRegex(clean["revision"], "^[0-9a-f]{40}$")
        self.assertIn(f"{clean['revision']}, and no tracked file differed from it",
                      self.ok("describe", "--full", first).stdout)
        self.write("tracked", "2")
        second = self.run_app()
        self.assertEqual((clean["dirty"], self.run_record(second)["git"]),
                         (False, {"revision": clean["revision"], "dirty": True}))
        self.assertIn(f"{clean['revision']}, and tracked files differed from it",
                      self.ok("describe", "--full", second).stdout)

    def test_workspace_behind_a_symbolic_link_is_in_its_repository(self):
        self.write("tracked", "1")
        self.git("init", "-q")
        self.git("add", "tracked")
        self.git("commit", "-qm", "first")
        (self.cwd / "sub").mkdir()
        link = self.root / "link"
        link.symlink_to(self.cwd / "sub")
        self.assertIsNotNone(self.run_record(self.run_app("--workspace", str(link)))["git"])

    def test_secrets_are_not_recorded(self):
        self.run_app("--env", "API_TOKEN=s3cret", "--set", "roles.w.env.DB_PASSWORD=s3cret",
                     "-c", "on_end='X_TOKEN=s3cret true'", env={"OTHER_TOKEN": "s3cret"})
        (file,) = self.files()
        text = file.read_text()
        self.assertNotIn("s3cret", text)
        self.assertIn("API_TOKEN=<redacted>", text)
        self.assertIn("OTHER_TOKEN", text)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)

    def test_a_secret_after_the_equals_sign_of_an_option_is_not_recorded(self):
        handle = self.run_app("--env=PASS=s3cret")
        self.assertIn("--env=PASS=<redacted>", self.run_record(handle)["command_line"])

    def test_show_secrets_hides_no_word_of_the_command(self):
        handle = self.run_app("--show-secrets", "--env", "A=1")
        self.assertEqual(self.run_record(handle)["command_line"][-4:-1], ["--show-secrets", "--env", "A=1"])

    def test_rerun_uses_options_and_directory(self):
        first = self.run_app("-c", f"log_dir={self.root}/logs,grace_s=3", app=self.app("pwd"))
        self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 9\n")
        second = self.ok("rerun", "-q", first, cwd=self.root).stdout.strip()
        self.assertEqual(self.ok("log", "--no-prefix", second).stdout, f"{self.cwd}\n")
        self.assertEqual(self.option(second, "grace_s"), (3.0, "recorded"))
        self.assertEqual(self.option(second, "log_dir"), (f"{self.root}/logs", "recorded"))
        third = self.ok("rerun", "-q", "-c", "grace_s=5", second).stdout.strip()
        self.assertEqual(self.option(third, "grace_s"), (5.0, "-c"))

    def test_relative_paths_of_rerun_start_at_its_own_directory(self):
        first = self.run_app("-c", "log_dir=logs")
        elsewhere = self.root / "elsewhere"
        elsewhere.mkdir()
        dry = self.ok("rerun", "-n", "--json", "-c", "log_dir=./own,extra_paths=a;/b", first, cwd=elsewhere).json["cfg"]
        self.assertEqual((dry["log_dir"], dry["extra_paths"]), (f"{elsewhere}/./own", [f"{elsewhere}/a", "/b"]))
        self.assertEqual(self.ok("rerun", "-n", "--json", first, cwd=elsewhere).json["cfg"]["log_dir"], "logs")
        error = self.expect_failure(65, "invalid", "rerun", "-n", "-c", "log_dir=~/logs", first)
        self.assertIn("starts with '~'", error["message"])

    def test_rerun_names_what_differs(self):
        first = self.run_app("-c", "grace_s=3", env={"ONLY_THEN": "1"})
        same = self.ok("rerun", first, env={"ONLY_THEN": "2"})
        self.assertNotIn("not as before", same.stderr)
        other = self.ok("rerun", "-c", "grace_s=4", first, env={"ONLY_NOW": "1"})
        for line in ("the run option grace_s was 3.0, and is 4.0", "the environment lacks ONLY_THEN",
                     "the environment also has ONLY_NOW"):
            self.assertIn(f"slipway: not as before: {line}\n", other.stderr)
        dry = self.ok("rerun", "-n", "-c", "grace_s=4", first)
        self.assertIn("the run option grace_s was 3.0, and is 4.0", dry.stderr)

    def test_rerun_on_another_scheduler_drops_the_run_options(self):
        first = self.run_app("-c", "grace_s=3")
        second = self.ok("rerun", "-q", "-s", "local_dir", first).stdout.strip()
        self.assertEqual(self.option(second, "grace_s"), (10.0, "default"))

    def test_a_missing_directory_is_a_warning(self):
        elsewhere = self.root / "elsewhere"
        elsewhere.mkdir()
        first = self.run_app(cwd=elsewhere)
        elsewhere.rmdir()
        self.assertIn(f"{elsewhere}, cannot be used", self.ok("rerun", first).stderr)

    def test_apps_without_a_usable_run_record_run_again(self):
        first = self.run_app()
        (file,) = self.files()
        file.write_text("damaged")
        self.assertIn("its run options are not used", self.ok("rerun", first).stderr)
        self.expect_failure(65, "invalid", "describe", "--full", first)
        file.unlink()
        self.assertIn("are not recorded", self.ok("rerun", first).stderr)
        self.assertIsNone(self.run_record(first))
        for style in ((), ("--json",)):
            self.assertIn("there is no run record of ", self.ok("describe", "--full", *style, first).stderr)

    def test_delete_removes_a_damaged_run_record(self):
        first = self.run_app()
        (file,) = self.files()
        file.write_text("damaged")
        self.ok("delete", first)
        self.assertEqual(self.files(), [])

    def test_a_changed_bit_is_reported_and_never_used(self):
        first = self.run_app("-c", "grace_s=3")
        (file,) = self.files()
        good = file.read_bytes()
        right = self.run_record(first)
        for at in random.Random(1).sample(range(len(good)), 100):
            data = bytearray(good)
            data[at] ^= 1 << at % 8
            file.write_bytes(data)
            result = self.run_slipway("describe", "--full", "--json", first)
            if result.status != 65:  # without a valid key crc32, the record counts as one without a checksum
                self.assertEqual((result.status, result.json["run"]), (0, right), f"byte {at}")
        file.write_bytes(good.replace(b"3E0", b"7E0"))  # grace_s
        error = self.expect_failure(65, "invalid", "describe", "--full", first)
        self.assertIn("damaged", error["message"])
        result = self.ok("rerun", "-n", "--json", first)
        self.assertIn("its run options are not used", result.stderr)
        self.assertEqual(result.json["cfg"]["grace_s"], 10.0)

    def test_a_run_record_of_a_version_without_checksums_is_read(self):
        first = self.run_app("-c", "grace_s=3")
        (file,) = self.files()
        right = self.run_record(first)
        document = json.loads(file.read_text())
        del document["crc32"]
        file.write_text(json.dumps(document))
        self.assertEqual(self.run_record(first), right)
        self.assertEqual(self.ok("rerun", "-n", "--json", first).json["cfg"]["grace_s"], 3.0)

    def test_a_plugin_without_a_checksum_is_described_without_one(self):
        handle = self.run_app()
        (file,) = self.files()
        document = json.loads(file.read_text())
        del document["crc32"]
        document["plugins"][0]["sha256"] = None
        file.write_text(json.dumps(document))
        self.assertRegex(self.ok("describe", "--full", handle).stdout, r"# plug-in: +org\.slipway\.local [0-9.]+\n")

    def test_paths_that_are_not_utf_8_are_recorded_without_loss(self):
        here = os.fsencode(self.root) + b"/e\xff"
        os.mkdir(here)
        logs = os.fsencode(self.root) + b"/logs\xfe"
        app = self.app('printf %s "$PWD"')
        first = self.run_app("-c", b"log_dir=" + logs, app=app, cwd=here)
        (file,) = self.files()
        json.loads(file.read_bytes().decode())
        record = self.run_record(first)
        self.assertEqual(record["directory"], f"{self.root}/e\ufffd")
        self.assertIn("e\\xff", self.ok("describe", "--full", first).stdout)
        self.assertEqual(self.ok("list", "--all", "--json").json["errors"], [])
        second = self.ok("rerun", "-q", "--no-log", first, cwd=self.root).stdout.strip()
        log = Path(os.fsdecode(logs), "slipway", second.rsplit("/", 1)[1], "w/0/stdout.log")
        self.assertEqual(log.read_bytes(), here)

    def test_a_run_record_that_cannot_be_written_is_a_warning(self):
        (self.state / "slipway").mkdir(parents=True)
        (self.state / "slipway" / "runs").write_text("no directory")
        result = self.ok("run", self.app("echo done"))
        self.assertIn("is not recorded", result.stderr)
        self.assertIn("w/0 done", result.stderr)

    def test_a_failed_removal_of_old_run_records_is_not_reported_as_a_missing_one(self):
        self.run_app()
        visited = self.state / "slipway" / "runs" / "local_cwd" / ".visited"
        visited.unlink()
        visited.mkdir()  # so that it cannot be replaced
        os.utime(visited, (0, 0))
        result = self.ok("run", "--no-log", self.app("true"))
        self.assertIn("run records of deleted apps on local_cwd are not removed", result.stderr)
        self.assertNotIn("is not recorded", result.stderr)
        self.assertTrue(self.run_record(result.stdout.strip()))

    def test_delete_and_prune_remove_the_run_record(self):
        handles = [self.run_app() for _ in range(2)]
        self.assertEqual(len(self.files()), 2)
        self.ok("delete", handles[0])
        self.assertEqual(len(self.files()), 1)
        self.ok("prune", "--yes", "--before", "0s")
        self.assertEqual(self.files(), [])

    def test_a_later_run_removes_old_run_records_of_deleted_apps(self):
        handles = [self.run_app() for _ in range(3)]
        shutil.rmtree(self.app_dir(handles[0]))
        shutil.rmtree(self.app_dir(handles[1]))
        runs = self.state / "slipway" / "runs" / "local_cwd"
        foreign = runs / "slipway" / handles[1].rsplit("/", 1)[1]
        document = json.loads(foreign.read_text())
        del document["crc32"]  # so that the record is not damaged
        foreign.write_text(json.dumps({**document, "host": "another"}))
        # Once a day a run removes such records that are older than a day, but not those of another machine.
        for path in (*self.files(), runs / ".visited"):
            os.utime(path, (0, 0))
        last = self.run_app()
        left = {path.name for path in self.files()}
        self.assertEqual(left, {h.rsplit("/", 1)[1] for h in (handles[1], handles[2], last)})


class WorkspaceCopies(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.project = self.root / "project"
        self.project.mkdir()
        (self.project / "train.sh").write_text("echo first version\n")

    def copies(self):
        """Returns the directories of all copies of workspaces."""
        return [p for p in (self.state / "slipway" / "workspaces").iterdir() if p.is_dir()]

    def test_a_copy_is_removed_with_the_last_app_that_runs_in_it(self):
        run = ("run", "-q", "--no-log", "-s", "local", "--workspace", self.project)
        first = self.ok(*run, self.app(role("w", "sh train.sh"))).stdout.strip()
        (self.project / "train.sh").write_text("echo second version\n")
        second = self.ok("rerun", "-q", first).stdout.strip()
        self.assertEqual(self.ok("log", second).stdout, "first version\n")
        (copy,) = self.copies()
        self.ok("delete", first)
        self.assertEqual(self.copies(), [copy])
        self.ok("delete", second)
        self.assertEqual((self.copies(), list(copy.parent.iterdir())), ([], []))

    def test_another_scheduler_does_not_get_the_option_of_the_first_one_for_the_copy(self):
        first = self.ok("run", "-q", "--no-log", "-s", "local", "--workspace", self.project,
                        self.app("sh train.sh")).stdout.strip()
        (file,) = [p for p in (self.state / "slipway" / "runs").rglob("*") if p.name == first.rsplit("/", 1)[1]]
        document = json.loads(file.read_text())
        del document["crc32"]
        document["workspace"]["option"] = "job_dir"  # as a record of Slurm has it
        file.write_text(json.dumps(document))
        (copy,) = self.copies()
        same = self.ok("rerun", "-n", "--json", first).json
        self.assertEqual(same["cfg"]["job_dir"], str(copy))
        other = self.ok("rerun", "-n", "--json", "-s", "local_dir", first).json
        self.assertEqual((other["cfg"].get("job_dir"), other["app"]["roles"][0]["image"]), (None, str(copy)))

    def test_rerun_makes_another_copy_on_demand(self):
        first = self.ok("run", "-q", "--no-log", "-s", "local", "--workspace", self.project,
                        self.app("sh train.sh")).stdout.strip()
        shutil.rmtree(self.copies()[0])
        (self.project / "train.sh").write_text("echo second version\n")
        error = self.expect_failure(66, "not_found", "rerun", first)
        self.assertIn(f"--workspace {self.project}", error["hint"])
        result = self.ok("rerun", "--workspace", "project", first, cwd=self.root)
        self.assertIn("w/0 second version", result.stderr)
        self.assertEqual(len(self.copies()), 1)


if __name__ == "__main__":
    unittest.main()
