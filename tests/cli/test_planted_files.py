"""Files with which a replica or another user replaces Slipway's files and directories, and deletes that meet other
deletes, closed directories or mounts."""

import os
import unittest

from app_text import role
from own_namespace import OwnMounts, needs_root
from slipway_case import SlipwayCase
from slurm_stand_in_case import SlurmStandIn

NOBODY = 65534  # uid and gid of the user nobody


class FifoInPlaceOfAFile(SlipwayCase):
    """Opening a FIFO blocks until another process opens its other end. Here none does."""

    # The first attempt replaces a log file of the replica by a FIFO.
    REPLACES = 'log=$(readlink /proc/$$/fd/{fd}); if ! [ -e seen.{name} ]; then touch seen.{name}; ' \
               'rm "${{log%/*}}/{name}"; mkfifo "${{log%/*}}/{name}"; exit 3; fi; echo second'

    def test_fifo_in_place_of_a_log_file_hangs_nothing(self):
        for name in ("stdout.log", "stderr.log", "combined.log"):
            with self.subTest(name=name):
                script = self.REPLACES.format(fd=1, name=name)
                app = self.app(role("w", script, max_retries=3, retry_policy="REPLICA"))
                handle = self.detach(app, "-c", "backoff=initial:0.1")
                result = self.run_slipway("wait", handle)
                status = self.status_of(handle)
                if name == "combined.log":  # the replica itself does not use combined.log
                    self.assertEqual((result.status, status["state"]), (0, "SUCCEEDED"), status)
                    self.assertIn("combined.log", status["msg"])
                else:
                    self.assertEqual(status["state"], "FAILED", status)
                    self.assertIn(f"{name} is not a regular file", status["msg"])
                self.ok("list", "--all")
                log = self.run_slipway("log", handle)
                self.assertEqual(log.status, 69 if name == "combined.log" else 0, log)
                self.ok("delete", handle)

    def test_log_reports_that_the_file_is_a_fifo(self):
        handle = self.ok("run", "-q", "--no-log", self.app("echo out")).stdout.strip()
        file = self.app_dir(handle) / "logs/w/0/combined.log"
        file.unlink()
        os.mkfifo(file)
        error = self.expect_failure(69, "unavailable", "log", handle)
        self.assertIn("combined.log: it is not a regular file", error["message"])

    def test_fifo_in_place_of_a_record_file_hangs_no_successor(self):
        for name in ("events.log", "spec.json", "state.bin", "plan.bin"):
            with self.subTest(name=name):
                gate = self.gate()
                app = self.app(role("w", "read go < gate", max_retries=1, retry_policy="REPLICA"))
                handle = self.detach(app)
                self.assert_state(handle, "RUNNING")
                self.kill_helpers(handle.rpartition("/")[2])
                file = self.app_dir(handle) / name
                file.unlink()
                os.mkfifo(file)
                self.run_slipway("status", handle)
                self.run_slipway("list")
                self.run_slipway("cancel", "--now", handle)
                self.open_gate(gate)
                self.eventually(lambda: not self.processes(), "no process of the app is left")
                self.ok("list", "--all")
                (self.cwd / "gate").unlink()

    def test_fifo_in_place_of_an_ignore_file_is_refused(self):
        project = self.root / "project"
        project.mkdir()
        for name in (".slipwayignore", ".torchxignore", ".dockerignore", ".gitignore"):
            os.mkfifo(project / name)
            for dry_run in ([], ["-n"]):
                with self.subTest(name=name, dry_run=dry_run):
                    error = self.expect_failure(65, "invalid", "run", *dry_run, "-s", "local", "--workspace", project,
                                                self.app("touch ran"))
                    self.assertIn(f"{name} is not a regular file", error["message"])
                    self.assertIn("patterns", error["hint"])
            (project / name).unlink()
        self.assertFalse((self.cwd / "ran").exists())

    def test_fifo_in_place_of_the_output_of_on_end_hangs_no_supervisor(self):
        gate = self.gate()
        handle = self.detach(self.app("read go < gate"), "-c", "on_end=touch ran")
        os.mkfifo(self.app_dir(handle) / "on_end.log")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.file_appears("ran")
        self.eventually(lambda: not self.living_helpers(), "the helpers have ended")


class FifoInASlurmRecord(SlurmStandIn, SlipwayCase):
    def test_fifo_in_place_of_the_record_is_reported(self):
        handle = self.submit()
        (record,) = self.state.rglob("job.json")
        record.unlink()
        os.mkfifo(record)
        for command in ("status", "describe", "log"):
            error = self.expect_failure(65, "invalid", command, handle)
            self.assertIn("job.json is damaged: it is not a regular file", error["message"], command)
        self.ok("list", "-s", "slurm", "--all")

    def test_fifo_in_place_of_a_file_of_the_job_hangs_nothing(self):
        handle = self.submit("exit 3")
        (record,) = self.state.rglob("job.json")
        self.look_like("105")  # it has failed
        for name in ("replicas/w-0", "replicas/w-0.error.json", "result", "job.out"):
            os.mkfifo(record.parent / name)
        for kind in ("out", "err"):
            os.mkfifo(record.parent / f"slurm-42-w-0.{kind}")
        self.assertEqual(self.status_of(handle)["state"], "FAILED")
        self.run_slipway("log", handle)
        self.run_slipway("wait", handle)
        self.ok("list", "-s", "slurm", "--all")
        self.ok("delete", handle)


@needs_root
class LogDirectoryOfOthers(SlipwayCase):
    """A user that may rename a directory may replace it by a link."""

    def place(self, owner, mode):
        """Makes a directory with this owner and mode. Returns its path."""
        place = self.root / "place"
        place.mkdir()
        os.chown(place, owner, owner)
        place.chmod(mode)
        return place

    def test_log_directory_below_one_that_others_may_change_is_refused(self):
        self.root.chmod(0o755)
        for owner, mode in ((0, 0o777), (NOBODY, 0o755), (NOBODY, 0o1777), (NOBODY, 0o700)):
            for below in ("", "deep/deeper"):
                with self.subTest(owner=owner, mode=oct(mode), below=below):
                    place = self.place(owner, mode)
                    error = self.expect_failure(73, "cant_create", "run", "-c", f"log_dir={place / below}",
                                                self.app("touch ran"))
                    self.assertIn(str(place), error["message"])
                    self.assertIn("log_dir", error["hint"])
                    self.assertEqual(list(place.iterdir()), [])
                    place.rmdir()
        # A directory further up that others may change is refused in the same way.
        place = self.place(NOBODY, 0o755)
        (place / "ours").mkdir()
        self.expect_failure(73, "cant_create", "run", "-c", f"log_dir={place / 'ours'}", self.app("touch ran"))
        self.assertFalse((self.cwd / "ran").exists())
        self.assert_no_app()

    def test_log_directory_in_a_sticky_directory_or_behind_a_link_works(self):
        place = self.place(0, 0o1777)
        (self.root / "link").symlink_to(place)
        for log_dir in (place, self.root / "link"):
            handle = self.ok("run", "-q", "--no-log", "-c", f"log_dir={log_dir}", self.app("echo out")).stdout.strip()
            app_id = handle.rpartition("/")[2]
            self.assertEqual((place / "root" / "slipway" / app_id / "w/0/stdout.log").read_text(), "out\n")
            self.assertIn("out", self.ok("log", handle).stdout)
            self.ok("delete", handle)
            self.assertFalse((place / "root" / "slipway" / app_id).exists())

    def test_delete_keeps_files_that_replaced_the_logs(self):
        place = self.place(0, 0o1777)
        handle = self.ok("run", "-q", "--no-log", "-c", f"log_dir={place}", self.app("echo out")).stdout.strip()
        logs = place / "root" / "slipway" / handle.rpartition("/")[2]
        logs.rename(place / "root" / "moved")
        (logs / "w/0").mkdir(parents=True)
        (logs / "w/0/stdout.log").write_text("not ours")
        os.chown(logs, NOBODY, NOBODY)
        self.ok("delete", handle)
        self.assertEqual((logs / "w/0/stdout.log").read_text(), "not ours")

    def test_root_reads_no_file_of_its_own_through_the_logs_of_another_user(self):
        self.root.chmod(0o755)
        self.cwd.chmod(0o777)
        secret = self.write("secret", "root's secret\n")
        secret.chmod(0o600)
        home = self.place(NOBODY, 0o700)
        app = self.app("echo out")
        app.chmod(0o644)
        env = {**self.env, "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}
        process = self.start("run", "-q", "--no-log", str(app), env=env, user=NOBODY, group=NOBODY, extra_groups=[])
        handle = self.finish(process).stdout.strip()
        state = {"XDG_STATE_HOME": str(home)}
        self.assertIn("out", self.ok("log", handle, env=state).stdout)
        file = home / "slipway/local/slipway" / handle.rpartition("/")[2] / "logs/w/0/combined.log"
        file.unlink()
        file.symlink_to(secret)
        result = self.run_slipway("log", handle, env=state)
        self.assertEqual(result.status, 77, result)
        self.assertNotIn("root's secret", result.stdout + result.stderr)


class Delete(SlipwayCase):
    def finished(self, script="true", *options):
        """Runs an app to its end. Returns the handle."""
        return self.ok("run", "-q", "--no-log", *options, self.app(script)).stdout.strip()

    def test_one_of_several_deletes_reports_the_deletion(self):
        for _ in range(5):
            handle = self.finished()
            commands = [self.start("delete", handle) for _ in range(6)]
            results = [self.finish(command) for command in commands]
            self.assertEqual(sorted(r.status for r in results), [0, 66, 66, 66, 66, 66],
                             "\n".join(map(str, results)))
            self.assertEqual(sum("is deleted" in r.stderr for r in results), 1)
        self.assert_no_app()

    @needs_root
    def test_deletes_directories_that_deny_their_owner(self):
        self.root.chmod(0o755)
        self.cwd.chmod(0o777)
        home = self.root / "home"
        home.mkdir()
        os.chown(home, NOBODY, NOBODY)
        app = self.app('cd "$(dirname "$(readlink /proc/$$/fd/1)")" && mkdir -p a/b c/d && touch a/b/f c/d/f && '
                       "chmod 555 a/b a && chmod 0 c/d c && chmod 500 .")
        app.chmod(0o644)
        env = {**self.env, "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}

        def as_nobody(*arguments):
            return self.finish(self.start(*arguments, env=env, user=NOBODY, group=NOBODY, extra_groups=[]))

        handle = as_nobody("run", "-q", "--no-log", str(app)).stdout.strip()
        self.assertTrue((home / "slipway/local/slipway" / handle.rpartition("/")[2] / "logs/w/0/c/d/f").exists())
        result = as_nobody("delete", handle)
        self.assertEqual(result.status, 0, result)
        left = (home / "slipway/local/slipway").iterdir()
        # The ids of deleted apps are in .pruned.
        self.assertEqual([path for path in left if path.name != ".pruned"], [])

    @needs_root
    def test_delete_never_crosses_a_mount(self):
        handle = self.finished("echo out")
        kept = self.root / "kept"
        kept.mkdir()
        (kept / "file").write_text("precious")
        point = self.app_dir(handle) / "logs/w/0/data"
        point.mkdir()
        spare = self.root / "spare"
        spare.mkdir()
        mounts = OwnMounts(spare, "1m")
        self.addCleanup(mounts.end)
        self.assertEqual(mounts.run("mount", "--bind", kept, point).returncode, 0)
        self.wrapper = mounts.wrapper(self.cwd)
        error = self.expect_failure(69, "unavailable", "delete", handle)
        self.assertIn(str(point), error["message"])
        self.assertIn("mounted", error["message"])
        self.assertIn("unmount", error["hint"])
        self.assertEqual((kept / "file").read_text(), "precious")
        self.assert_state(handle, "SUCCEEDED")
        # Neither `delete` nor the clean-up of the next launch crosses the mount of a file.
        mounts.run("umount", point)
        (point / "file").write_text("")
        self.assertEqual(mounts.run("mount", "--bind", kept / "file", point / "file").returncode, 0)
        self.expect_failure(69, "unavailable", "delete", handle)
        self.finished("true", "-c", "keep_apps=1")
        self.assertEqual((kept / "file").read_text(), "precious")
        mounts.run("umount", point / "file")
        self.ok("delete", handle)
        self.assertEqual((kept / "file").read_text(), "precious")


if __name__ == "__main__":
    unittest.main()
