"""Too few descriptors, processes or bytes on a disk: replicas wait or get the error, and the record stays correct."""

import json
import os
import resource
import shutil
import time
import unittest
from pathlib import Path

from app_text import role
from own_namespace import OwnMounts, needs_root
from slipway_case import SANITIZED, SLIPWAY, SlipwayCase


class Shortage(SlipwayCase):
    def assert_all_succeeded(self, handle, replicas):
        ends = [(r["state"], r["exit_code"], r["restarts"]) for r in self.replicas_of(handle).values()]
        self.assertEqual(ends, [("SUCCEEDED", 0, 0)] * replicas)

    # descriptors -----------------------------------------------------------------------------------------------------

    def with_descriptors(self, number):
        self.wrapper = ["prlimit", f"--nofile={number}:{number}"]

    def test_few_descriptors_are_enough_for_many_replicas(self):
        self.with_descriptors(40)
        handle = self.ok("run", "-q", "--no-log", self.app(role("w", "echo up", num_replicas=200))).stdout.strip()
        self.assert_all_succeeded(handle, 200)

    def test_too_few_descriptors_are_reported_and_leave_no_app(self):
        app = self.app(role("w", "touch started", num_replicas=2))
        self.run_with_few_descriptors(app)

    def test_too_few_descriptors_beside_earlier_records_are_reported(self):
        """Beside an earlier record the command needs fewer descriptors, so with some limits only the supervisor lacks
        them."""
        app = self.app(role("w", "touch started", num_replicas=2))
        self.ok("run", "-q", app)
        (self.cwd / "started").unlink()
        self.run_with_few_descriptors(app)

    def run_with_few_descriptors(self, app):
        """Checks for many limits that `run` fails, or that the app waits or runs, and that no process is left."""
        refused = 0
        for number in range(5, 24):
            with self.subTest(descriptors=number):
                self.with_descriptors(number)
                result = self.run_slipway("run", "-d", app)
                self.wrapper = []
                if result.status != 0:
                    refused += 1
                    self.assertNotEqual(result.stderr, "", result)
                    self.assert_no_app_runs()
                elif self.run_slipway("wait", "--timeout", "2", result.stdout.strip()).status == 124:
                    status = self.eventually_with_message(result.stdout.strip())
                    self.assertIn("Too many open files", status["msg"])
                    self.ok("cancel", result.stdout.strip())
                    self.assertIsNone(self.status_of(result.stdout.strip())["msg"])
                    self.assert_no_app_runs()
                (self.cwd / "started").unlink(missing_ok=True)
        self.assertGreater(refused, 0)

    def test_a_supervisor_without_free_descriptors_waits_for_one(self):
        gate = self.cwd / "gate"
        app = self.app(role("w", f"touch up; while [ ! -e {gate} ]; do sleep 0.05; done; touch started-${{replica_id}}",
                            num_replicas=2))
        handle = self.detach(app, "-c", "max_parallel=1")
        # The app is RUNNING before its first replica starts. A replica that starts later would inherit the limit.
        self.eventually((self.cwd / "up").exists, "the first replica runs")
        _, supervisor = self.helpers(handle)
        limit = resource.prlimit(supervisor, resource.RLIMIT_NOFILE)
        resource.prlimit(supervisor, resource.RLIMIT_NOFILE, (3, limit[1]))
        gate.touch()
        status = self.eventually_with_message(handle)
        self.assertIn("Too many open files", status["msg"])
        self.assertFalse((self.cwd / "started-1").exists())
        resource.prlimit(supervisor, resource.RLIMIT_NOFILE, limit)
        self.ok("wait", handle)
        self.assertTrue((self.cwd / "started-1").exists())

    def test_foreground_run_reports_a_wait_once_and_its_end(self):
        gate = self.cwd / "gate"
        end = self.cwd / "end"
        script = (f"touch up; while [ ! -e {gate} ]; do sleep 0.05; done; touch started-${{replica_id}}; "
                  f"while [ ${{replica_id}} = 1 ] && [ ! -e {end} ]; do sleep 0.05; done")
        app = self.app(role("w", script, num_replicas=2))
        for quiet in ([], ["--no-log"]):
            with self.subTest(quiet=quiet):
                process, handle = self.start_foreground(*quiet, "-c", "max_parallel=1", app)
                self.eventually((self.cwd / "up").exists, "the first replica runs")
                _, supervisor = self.helpers(handle)
                limit = resource.prlimit(supervisor, resource.RLIMIT_NOFILE)
                resource.prlimit(supervisor, resource.RLIMIT_NOFILE, (3, limit[1]))
                gate.touch()
                warning = process.stderr.readline().decode()
                self.assertIn("Too many open files", warning)
                self.assertIn(f"slipway: warning: {handle.rpartition('/')[2]}: waiting: ", warning)
                self.assertFalse((self.cwd / "started-1").exists())
                resource.prlimit(supervisor, resource.RLIMIT_NOFILE, limit)
                over = process.stderr.readline().decode()
                self.assertEqual(over, f"slipway: {handle.rpartition('/')[2]} no longer waits\n")
                end.touch()
                result = self.finish(process)
                self.assertEqual((result.status, result.stderr), (0, ""), result)
                for file in (gate, end, *(self.cwd / name for name in ("up", "started-0", "started-1"))):
                    file.unlink()

    def test_a_supervisor_that_cannot_accept_stays_idle_and_commands_that_follow_learn_of_the_wait(self):
        gate, end = self.cwd / "gate", self.cwd / "end"
        script = (f"touch up; while [ ! -e {gate} ]; do sleep 0.05; done; "
                  f"while [ ${{replica_id}} = 1 ] && [ ! -e {end} ]; do sleep 0.05; done")
        handle = self.detach(self.app(role("w", script, num_replicas=2)), "-c", "max_parallel=1")
        self.eventually((self.cwd / "up").exists, "the first replica runs")
        _, supervisor = self.helpers(handle)
        limit = resource.prlimit(supervisor, resource.RLIMIT_NOFILE)
        resource.prlimit(supervisor, resource.RLIMIT_NOFILE, (3, limit[1]))
        # The supervisor cannot accept the connections of these commands.
        attached = self.start("attach", handle)
        events = self.start("events", "-f", "--json", handle)
        gate.touch()
        self.assertIn("Too many open files", attached.stderr.readline().decode())
        # A supervisor that tried again and again to accept them would use all of this time.
        before, begun = self.cpu_seconds(supervisor), time.monotonic()
        time.sleep(1)
        self.assertLess(self.cpu_seconds(supervisor) - before, 0.3 * (time.monotonic() - begun))
        resource.prlimit(supervisor, resource.RLIMIT_NOFILE, limit)
        self.assertIn("no longer waits", attached.stderr.readline().decode())
        self.ok("status", handle)
        end.touch()
        self.assertEqual(self.finish(attached).status, 0)
        waits = [one for one in map(json.loads, self.finish(events).stdout.splitlines()) if "wait" in one["event"]]
        self.assertEqual([(one["event"], one["role"], one["state"]) for one in waits],
                         [("waiting", None, "RUNNING"), ("wait_ended", None, "RUNNING")])
        self.assertIn("Too many open files", waits[0]["text"])

    def cpu_seconds(self, pid):
        """Returns the processor time of a process."""
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        # 11 is utime, 12 is stime.
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def assert_no_app_runs(self):
        """Checks that no replica has started and that no process is left. Deletes the records."""
        self.assertFalse((self.cwd / "started").exists())
        self.assert_nothing_lives()
        shutil.rmtree(self.state, ignore_errors=True)

    def eventually_with_message(self, handle):
        """Waits until the status of the app has a message. Returns the status."""
        def with_message():
            status = self.status_of(handle)
            return status if status["msg"] else None

        return self.eventually(with_message, "the message names the shortage")

    def test_replica_that_cannot_be_watched_is_killed_and_lost(self):
        handle = self.detach(self.app(role("w", "exec sleep 1000", num_replicas=40)))
        self.eventually(lambda: {r["state"] for r in self.replicas_of(handle).values()} == {"RUNNING"}, "all run")
        self.helpers(handle)  # waits until every replica has executed its program
        self.kill_helpers()
        self.with_descriptors(32)  # the successor that the next command starts inherits the limit
        replicas = self.replicas_of(handle).values()
        self.wrapper = []
        lost = [r for r in replicas if r["reason"] == "lost"]
        self.assertTrue(0 < len(lost) < 40, len(lost))
        self.assertEqual({(r["state"], r["exit_code"]) for r in lost}, {("FAILED", None)})
        self.assertEqual({r["state"] for r in replicas if r not in lost}, {"RUNNING"})
        self.ok("cancel", handle)
        self.assert_nothing_lives()

    # processes -------------------------------------------------------------------------------------------------------

    @needs_root
    def test_too_few_processes_make_replicas_wait(self):
        user = 50000 + os.getpid() % 10000  # a uid without other processes
        if not Path(SLIPWAY).stat().st_mode & 0o001:
            self.skipTest("another user may not run the built tree")
        for path in (self.root, self.cwd, self.config):
            os.chown(path, user, user)
        self.wrapper = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "prlimit", "--nproc=16:16"]
        if self.run_slipway("--version").status != 0:
            self.skipTest("another user cannot reach the built tree")
        handle = self.ok("run", "-q", "--no-log",
                         self.app(role("w", "exec sleep 0.05", num_replicas=60))).stdout.strip()
        self.assert_all_succeeded(handle, 60)

    @needs_root
    def test_too_few_processes_for_the_helpers_are_a_temporary_failure(self):
        user = 40000 + os.getpid() % 10000  # a uid without other processes
        for path in (self.root, self.cwd, self.config):
            os.chown(path, user, user)
        app = self.app(role("w", "exec sleep 1000"))
        app.chmod(0o644)
        refused = 0
        for number in range(1, 6):
            with self.subTest(processes=number):
                self.wrapper = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "prlimit",
                                f"--nproc={number}:{number}"]
                if number == 1 and self.run_slipway("--version").status != 0:
                    self.skipTest("another user cannot reach the built tree")
                result = self.run_slipway("run", "-d", app)
                if result.status == 0:
                    self.ok("cancel", "--now", result.stdout.strip())
                    self.run_slipway("wait", result.stdout.strip())
                else:
                    refused += 1
                    self.assertEqual(result.status, 75, result)
                self.assert_nothing_lives()
        self.assertGreater(refused, 1)

    # A sanitizer makes stack frames several times as large.
    @unittest.skipIf(SANITIZED, "sanitized frames need a larger stack")
    def test_a_small_stack_is_enough(self):
        self.wrapper = ["prlimit", "--stack=65536:65536"]
        app = self.app(role("w", "echo up; exit 3", num_replicas=3))
        result = self.expect(3, "run", app)
        self.assertEqual(sorted(result.stderr.splitlines())[-3:], [f"w/{k} up" for k in range(3)])
        for command in (["lint", app], ["list", "--all"], ["status", "@last"], ["log", "@last"], ["describe", "@last"],
                        ["plugin", "list"], ["config", "show"], ["run", "-n", app]):
            with self.subTest(command=command[0]):
                self.ok(*command)
        self.assertEqual(self.run_slipway("run", "--stdin", stdin=b"{}").status, 65)
        handle = self.detach(self.app("exec sleep 1000"))
        self.ok("cancel", "--now", handle)

    # disk ------------------------------------------------------------------------------------------------------------

    def small_disk(self, name, size):
        """Mounts a small file system, which all commands of this test see. Returns its path, and the OwnMounts."""
        directory = self.root / name
        directory.mkdir()
        mounts = OwnMounts(directory, size)
        self.wrapper = mounts.wrapper(self.cwd)
        self.addCleanup(mounts.end)
        self.addCleanup(self.wrapper.clear)
        return directory, mounts

    @needs_root
    def test_full_log_disk_kills_no_process_and_damages_no_record(self):
        disk, mounts = self.small_disk("disk", "1m")
        self.app(role("w",
                      "i=0; while [ $i -lt 300 ]; do printf '%010000d\\n' $i; i=$((i + 1)); done 2>/dev/null; exit 5",
                      num_replicas=2))
        handle = self.expect(5, "run", "-q", "--no-log", "-c", f"log_dir={disk}/logs", "app.toml").stdout.strip()
        self.assertEqual([(r["state"], r["exit_code"]) for r in self.replicas_of(handle).values()], [("FAILED", 5)] * 2)
        self.assertEqual(self.status_of(handle), self.status_of(handle))
        lines = self.ok("log", "--stream", "stdout", handle).lines
        self.assertTrue(0 < len(lines) < 600, len(lines))
        self.assertEqual(mounts.run("sh", "-c", f"rm -r {disk}/logs").returncode, 0)

    @needs_root
    def test_an_app_whose_record_does_not_fit_is_not_started(self):
        self.state, _ = self.small_disk("state", "256k")
        self.app(role("w", "touch started", num_replicas=10000))
        error = self.expect_failure(73, "cant_create", "run", "app.toml")
        self.assertIn("No space left", error["message"])
        self.assertFalse((self.cwd / "started").exists())
        self.app(role("w", "exit 0"))
        self.ok("run", "-q", "--no-log", "app.toml")

    @needs_root
    def test_disk_that_fills_up_while_an_app_runs_does_not_falsify_its_state(self):
        self.state, mounts = self.small_disk("state", "400k")
        gate = self.gate()
        self.app(role("w", "echo up; read go < gate; exit ${replica_id}", num_replicas=3, max_retries=1,
                      retry_policy="REPLICA"))
        handle = self.detach("app.toml", "-c", "retry_on=9")
        self.eventually(lambda: len(self.ok("log", "--stream", "stdout", handle).lines) == 3, "all have written")
        mounts.run("sh", "-c", f"cat /dev/zero > {self.state}/filler")
        self.open_gate(gate, 3)
        self.assertIn(self.run_slipway("wait", handle).status, (1, 2))
        first = self.status_of(handle)
        self.assertEqual([r["exit_code"] for r in first["roles"][0]["replicas"]], [0, 1, 2])
        self.assertEqual(first["state"], "FAILED")
        self.assertEqual(self.status_of(handle), first)
        self.assertEqual(len(self.ok("list", "--all", "--json").json["apps"]), 1)
        self.ok("describe", handle)
        self.assertEqual(sorted(self.ok("log", "--stream", "stdout", handle).lines), [f"w/{k} up" for k in range(3)])
        self.assert_nothing_lives()

    @needs_root
    def test_log_directory_without_room_is_waited_for_and_reported(self):
        disk, mounts = self.small_disk("disk", "1m,nr_inodes=4")  # enough room for log_dir/SESSION/APP
        app = self.app(role("w", "echo up", num_replicas=2))
        process, handle = self.start_foreground("-c", f"log_dir={disk}/logs", app)
        self.assertIn("No space left on device", self.eventually_with_message(handle)["msg"])
        self.assertEqual({r["state"] for r in self.replicas_of(handle).values()}, {"PENDING"})
        self.assertEqual(mounts.run("mount", "-o", "remount,nr_inodes=100", disk).returncode, 0)
        result = self.finish(process)
        self.assertEqual(result.status, 0, result)
        self.assertIsNone(self.status_of(handle)["msg"])
        self.assert_all_succeeded(handle, 2)
        self.assertEqual(mounts.run("sh", "-c", f"rm -r {disk}/logs").returncode, 0)

    @needs_root
    def test_the_message_of_an_app_that_cannot_start_does_not_become_that_of_a_shortage(self):
        disk, mounts = self.small_disk("disk", "1m,nr_inodes=4")  # enough room for log_dir/SESSION/APP
        self.write("script", "#!/no/such/interpreter\n").chmod(0o755)
        handle = self.detach(self.app(role("bad", entrypoint="./script"), role("good", "true")), "-c",
                             f"log_dir={disk}/logs")
        self.assertIn("No space left on device", self.eventually_with_message(handle)["msg"])
        # Room for the logs of `bad` alone.
        self.assertEqual(mounts.run("mount", "-o", "remount,nr_inodes=10", disk).returncode, 0)
        self.expect(127, "wait", handle)
        self.assertIn("bad/0: cannot start ./script: ", self.status_of(handle)["msg"])
        self.assertEqual(self.replicas_of(handle)["good/0"]["state"], "CANCELLED")

    def assert_nothing_started(self, error):
        """Checks that no replica has started, and that the error names the state directory."""
        self.assertFalse((self.cwd / "started").exists())
        self.assertIn(str(self.state), error["message"])

    @needs_root
    def test_read_only_state_directory_is_reported_and_nothing_starts(self):
        self.state, mounts = self.small_disk("state", "256k")
        self.assertEqual(mounts.run("mount", "-o", "remount,ro", self.state).returncode, 0)
        self.app("touch started")
        self.assert_nothing_started(self.expect_failure(73, "cant_create", "run", "app.toml"))
        self.ok("list", "--all")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_state_directory_without_write_permission_is_reported_and_nothing_starts(self):
        self.state.mkdir(0o500)
        self.app("touch started")
        self.assert_nothing_started(self.expect_failure(73, "cant_create", "run", "app.toml"))
        shutil.rmtree(self.state)


if __name__ == "__main__":
    unittest.main()
