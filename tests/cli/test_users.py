"""Two users on one machine, and the place of the state directory if variables are missing."""

import os
import pwd
import shutil
import signal
import subprocess
import unittest

import live_processes
from app_text import role
from slipway_case import SANITIZED, TREE, SlipwayCase
from slurm_stand_in_case import SlurmStandIn

NOBODY = 65534  # uid and gid of the user nobody


class Environment(SlipwayCase):
    def without(self, *names):
        """Removes variables from the environment of later commands."""
        for name in names:
            del self.env[name]

    def test_without_home_and_xdg_state_home_the_home_of_the_account_is_used(self):
        # A dry run leaves no file in the home directory of the test's caller.
        self.without("HOME", "XDG_STATE_HOME")
        directory = pwd.getpwuid(os.getuid()).pw_dir
        self.assertIn(f"{directory}/.local/state/slipway/local/", self.ok("dryrun", "--json", self.app("true")).stdout)

    def test_xdg_state_home_is_used_without_home(self):
        self.without("HOME")
        handle = self.ok("run", "--no-log", "-q", self.app("true")).stdout.strip()
        self.assertTrue(self.app_dir(handle).is_dir())

    def test_an_empty_or_relative_xdg_state_home_counts_as_unset(self):
        for value in ("", "relative/path"):
            with self.subTest(value=value):
                home = self.root / f"home{len(value)}"
                home.mkdir()
                self.env.update(XDG_STATE_HOME=value, HOME=str(home))
                self.ok("run", "--no-log", "-q", self.app("true"))
                self.assertEqual(len(list((home / ".local/state/slipway/local/slipway").iterdir())), 1)
                self.assertFalse((self.cwd / "relative").exists())

    def test_state_directory_that_cannot_be_created_is_reported_with_a_hint(self):
        file = self.write("file", "")
        self.env["XDG_STATE_HOME"] = str(file)
        error = self.expect_failure(73, "cant_create", "run", self.app("true"))
        self.assertIn(str(file), error["message"])
        self.assertIn("XDG_STATE_HOME", error["hint"])
        self.env["XDG_STATE_HOME"] = "/proc/none"
        error = self.expect_failure(73, "cant_create", "run", self.app("true"))
        self.assertIn("/proc/none", error["message"])


    def test_the_hint_for_own_records_that_others_may_change_is_to_correct_the_mode(self):
        handle = self.ok("run", "-q", "--no-log", self.app("true")).stdout.strip()
        record = self.app_dir(handle)
        for level in (record, record.parent, record.parent.parent):
            with self.subTest(level=level):
                level.chmod(0o775)
                error = self.expect_failure(77, "denied", "delete", handle)
                level.chmod(0o700)
                self.assertIn(f"{level} may be changed by other users: its mode is 0775", error["message"])
                self.assertIn("`chmod go-w`", error["hint"])
                self.assertNotIn("as the user whose app it is", error["hint"])
        self.ok("delete", handle)


class SecondUser(SlipwayCase):
    """A case with the user nobody, whose home and state directory is `theirs`."""

    def setUp(self):
        super().setUp()
        self.root.chmod(0o755)
        self.theirs = self.root / "theirs"
        self.theirs.mkdir()
        os.chown(self.theirs, NOBODY, NOBODY)
        self.cwd.chmod(0o777)

    def as_nobody(self, *arguments, state=None):
        """Runs a command as the user nobody. Returns its Result."""
        env = {**self.env, "HOME": str(self.theirs), "XDG_STATE_HOME": str(state or self.theirs),
               "XDG_CONFIG_HOME": str(self.theirs)}
        process = self.start(*arguments, env=env, user=NOBODY, group=NOBODY, extra_groups=[])
        return self.finish(process)


@unittest.skipUnless(os.geteuid() == 0, "becoming another user takes root")
class TwoUsers(SecondUser):
    def test_users_cannot_see_or_change_apps_of_other_users(self):
        gate = self.gate()
        handle = self.detach(self.app("echo secret; read go < gate"))
        self.assertEqual(self.as_nobody("list", "--all", "--json").json["apps"], [])
        for command in ("status", "log", "describe", "cancel", "delete", "rerun", "attach", "wait"):
            with self.subTest(command=command, state="their own"):
                self.assertEqual(self.as_nobody(command, handle).status, 66)
        # The other user's commands look into this user's state directory.
        for command in ("status", "log", "describe", "cancel", "delete", "rerun", "attach", "wait"):
            with self.subTest(command=command, state="ours"):
                result = self.as_nobody(command, handle, state=self.state)
                self.assertEqual(result.status, 77, result)
                self.assertNotIn("secret", result.stdout + result.stderr)
        result = self.as_nobody("list", "--all", state=self.state)
        self.assertEqual(result.stdout, "", result)
        self.assertIn("Permission denied", result.stderr)
        self.assertEqual(self.as_nobody("run", str(self.cwd / "app.toml"), state=self.state).status, 73)
        self.assert_state(handle, "RUNNING")
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(self.status_of(handle)["state"], "SUCCEEDED")

    def test_apps_of_one_name_of_two_users_are_separate(self):
        app = self.app("echo mine")
        app.chmod(0o644)
        ours = self.ok("run", "-q", "--no-log", app).stdout.strip()
        theirs = self.as_nobody("run", "-q", "--no-log", str(app))
        self.assertEqual(theirs.status, 0, theirs)
        self.assertEqual([a["handle"] for a in self.as_nobody("list", "--all", "--json").json["apps"]],
                         [theirs.stdout.strip()])
        self.assertEqual([a["handle"] for a in self.ok("list", "--all", "--json").json["apps"]], [ours])
        self.expect_failure(66, "not_found", "status", theirs.stdout.strip())

    def test_directories_that_replicas_made_read_only_go_with_the_app(self):  # which hinders all users but root
        project = self.root / "project"
        project.mkdir(mode=0o755)
        app = self.app("mkdir -p mod/pkg; echo x > mod/pkg/file; chmod 555 mod/pkg mod")
        app.chmod(0o644)
        result = self.as_nobody("run", "-q", "-s", "local", "--workspace", str(project), str(app))
        self.assertEqual(result.status, 0, result)
        copies = self.theirs / "slipway" / "workspaces"
        self.assertEqual(len(list(copies.iterdir())), 2)
        deleted = self.as_nobody("delete", "@last")
        self.assertEqual((deleted.status, list(copies.iterdir())), (0, []), deleted)

    def test_unwritable_state_directory_is_reported(self):
        locked = self.root / "locked"
        locked.mkdir(mode=0o755)
        app = self.app("true")
        result = self.as_nobody("run", str(app), state=locked)
        self.assertEqual((result.status, result.stdout), (73, ""), result)
        self.assertIn("Permission denied", result.stderr)
        self.assertIn("XDG_STATE_HOME", result.stderr)
        self.assertEqual(list(locked.iterdir()), [])


@unittest.skipUnless(os.geteuid() == 0, "becoming another user takes root")
class RecordsOfOthers(SecondUser):
    """A record contains commands, so starting the record of another user would run that user's commands."""

    def abandoned(self):
        """Starts an app of the other user and kills its helpers before the second attempt. Returns the handle."""
        app = self.app(role("w", "id -u >> ran; exit 3", max_retries=50, retry_policy="REPLICA"))
        app.chmod(0o644)
        handle = self.as_nobody("run", "-d", "-c", "backoff=initial:0.3;factor:1;jitter:0", str(app)).stdout.strip()
        self.file_appears("ran")
        self.kill_theirs(handle)
        return handle

    def kill_theirs(self, handle):
        """Kills both helpers of an app of the other user."""
        status = self.as_nobody("status", "--json", handle)
        self.assertEqual(status.status, 0, status)
        directory = self.theirs / "slipway/local/slipway" / handle.rpartition("/")[2]
        for pid in self.helpers_in_theirs(directory):
            os.kill(pid, signal.SIGKILL)
        self.eventually(lambda: not self.helpers_in_theirs(directory), "both helpers are dead")

    def helpers_in_theirs(self, directory):
        return live_processes.helpers(self.theirs, str(directory))

    def as_root_in_theirs(self, *arguments):
        """Runs a command as root with the state directory of the other user. Returns its Result."""
        return self.run_slipway(*arguments, env={"XDG_STATE_HOME": str(self.theirs)})

    def test_record_of_another_user_is_never_started(self):
        handle = self.abandoned()
        before = (self.cwd / "ran").read_text()
        directory = self.theirs / "slipway/local/slipway" / handle.rpartition("/")[2]
        state = (directory / "state.bin").read_bytes()
        for command in (["list"], ["list", "--all", "--json"], ["status", handle], ["status", "--json", handle],
                        ["log", handle], ["events", handle]):
            with self.subTest(command=command):
                result = self.as_root_in_theirs(*command)
                self.assertEqual(result.status, 0, result)
        self.assertIn(f"uid {NOBODY}", self.as_root_in_theirs("status", "--json", handle).json["msg"])
        for command in (["wait", handle], ["cancel", handle], ["delete", "--force", handle], ["attach", handle],
                        ["rerun", handle], ["describe", handle], ["log", "-f", handle], ["events", "-f", handle]):
            with self.subTest(command=command):
                result = self.as_root_in_theirs(*command)
                self.assertEqual(result.status, 77, result)
                self.assertIn(f"uid {NOBODY}", result.stderr)
        self.assertEqual(self.helpers_in_theirs(directory), [])
        self.assertEqual((self.cwd / "ran").read_text(), before)
        self.assertEqual((directory / "state.bin").read_bytes(), state)
        self.assertFalse((self.theirs / "slipway/local/.finished").exists())
        # A command of its own user takes it over.
        self.assertEqual(self.as_nobody("cancel", handle).status, 0)
        self.assertEqual(self.as_nobody("wait", handle).status, 130)

    @unittest.skipIf(SANITIZED, "a sanitized supervisor needs other descriptors")
    @unittest.skipUnless(shutil.which("setpriv"), "setpriv is missing")
    def test_app_with_a_process_of_root_ends_although_its_supervisors_fail(self):
        as_root = self.cwd / "as-root"  # like sudo
        shutil.copy(shutil.which("setpriv"), as_root)
        as_root.chmod(0o4755)
        app = self.app(role("w", f"{as_root} --reuid=0 --clear-groups sh -c 'echo $$ > sleeper; mv sleeper pid; "
                                 "exec sleep 1000' & wait"))
        app.chmod(0o644)
        handle = self.as_nobody("run", "-d", str(app)).stdout.strip()
        self.file_appears("pid")
        sleeper = int((self.cwd / "pid").read_text())
        self.addCleanup(os.kill, sleeper, signal.SIGKILL)
        self.assertEqual(os.stat(f"/proc/{sleeper}").st_uid, 0)
        directory = self.theirs / "slipway/local/slipway" / handle.rpartition("/")[2]
        helpers = self.helpers_in_theirs(directory)
        (supervisor,) = [pid for pid in helpers if live_processes.parent(pid) in helpers]
        warden = live_processes.parent(supervisor)
        # The warden can open a few files, and too few to supervise the app.
        most = max(int(fd) for fd in os.listdir(f"/proc/{warden}/fd")) + 1
        subprocess.run(["prlimit", f"--pid={warden}", f"--nofile={most}:{most}"], check=True, user=NOBODY, group=NOBODY,
                       extra_groups=[])
        os.kill(supervisor, signal.SIGKILL)
        self.eventually(lambda: not self.helpers_in_theirs(directory), "the warden has ended")
        status = self.as_nobody("status", "--json", handle).json
        self.assertEqual(status["state"], "FAILED")
        self.assertIn("both supervisors of the app failed", status["msg"])

    def test_helper_refuses_the_record_of_another_user(self):
        handle = self.abandoned()
        directory = self.theirs / "slipway/local/slipway" / handle.rpartition("/")[2]
        helper = TREE / "libexec/slipway/slipway-local-supervisor"
        for change in ("directory", "plan"):
            with self.subTest(change=change):
                if change == "plan":  # a record of root with the plan of another user
                    for level in (directory, directory.parent, directory.parent.parent):
                        os.chown(level, 0, 0)
                before = (self.cwd / "ran").read_text()
                lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
                answer, ack = os.pipe()
                # The helper gets its lock as 3 and writes its answer to 4. Copies above 40 come first, because the
                # descriptors here may have these numbers themselves. 5 to 7 are only for the helper's mode `run`.
                files = {3: lock, 4: ack}
                pid = os.posix_spawn(helper, [helper, "recover", directory], {**os.environ, "PATH": "/usr/bin:/bin"},
                                     file_actions=[
                    *((os.POSIX_SPAWN_DUP2, old, new + 40) for new, old in files.items()),
                    *((os.POSIX_SPAWN_DUP2, new + 40, new) for new in files),
                    *((os.POSIX_SPAWN_CLOSE, fd) for fd in (5, 6, 7, 43, 44))])
                os.close(ack)
                reply = b""
                while piece := os.read(answer, 4096):
                    reply += piece
                os.waitpid(pid, 0)
                os.close(answer)
                os.close(lock)
                self.assertIn(f"uid {NOBODY}", reply.decode(), change)
                self.assertEqual((self.cwd / "ran").read_text(), before)

    def test_run_in_the_state_directory_of_another_user_starts_nothing(self):
        # `sudo -E slipway` does this, because it keeps the environment.
        self.assertEqual(self.as_nobody("run", "-q", "--no-log", str(self.readable_app("true"))).status, 0)
        self.eventually(lambda: not list(self.theirs.rglob("ctl.sock")), "the app's supervisor has ended")
        made = sorted(self.theirs.rglob("*"))
        result = self.as_root_in_theirs("run", self.app("id -u > ran"))
        self.assertEqual(result.status, 73, result)
        self.assertIn(f"belongs to uid {NOBODY}", result.stderr)
        self.assertIn("XDG_STATE_HOME", result.stderr)
        self.assertEqual(sorted(self.theirs.rglob("*")), made)
        self.assertFalse((self.cwd / "ran").exists())
        # A state directory that root creates there would lock its user out.
        home = self.root / "home"
        home.mkdir(mode=0o755)
        os.chown(home, NOBODY, NOBODY)
        result = self.run_slipway("run", self.app("id -u > ran"), env={"XDG_STATE_HOME": str(home / ".local/state")})
        self.assertEqual(result.status, 73, result)
        self.assertEqual(list(home.iterdir()), [])

    def readable_app(self, *roles):
        app = self.app(*roles)
        app.chmod(0o644)
        return app

    def test_state_that_others_may_write_is_not_used(self):
        handle = self.as_nobody("run", "-q", "--no-log", str(self.readable_app("true"))).stdout.strip()
        root = self.theirs / "slipway/local"
        for level in (root, root / "slipway", root / "slipway" / handle.rpartition("/")[2]):
            for mode in (0o720, 0o1777):
                with self.subTest(level=level, mode=oct(mode)):
                    level.chmod(mode)
                    result = self.as_nobody("status", handle)
                    self.assertEqual(result.status, 77, result)
                    self.assertIn("only you", result.stderr)
                    level.chmod(0o700)
        self.assertEqual(self.as_nobody("status", handle).status, 0)

    def test_hint_about_the_state_directory_never_proposes_a_shared_one(self):
        shared = self.root / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        self.ok("run", "-q", "--no-log", self.app("true"), env={"XDG_STATE_HOME": str(shared)})
        result = self.as_nobody("run", str(self.readable_app("true")), state=shared)
        self.assertEqual(result.status, 73, result)
        self.assertIn("set XDG_STATE_HOME, or state_dir of the scheduler in a configuration file, to a directory of "
                      "your own that only you may write to", result.stderr)

    def test_a_state_directory_behind_a_link_to_another_disk_works(self):
        scratch = self.root / "scratch"
        (scratch / "nobody").mkdir(parents=True)
        scratch.chmod(0o1777)
        os.chown(scratch / "nobody", NOBODY, NOBODY)
        (self.theirs / "state").symlink_to(scratch / "nobody")
        app = self.readable_app("true")
        handle = self.as_nobody("run", "-q", "--no-log", str(app), state=self.theirs / "state").stdout.strip()
        self.assertEqual(self.as_nobody("status", "--json", handle, state=self.theirs / "state").json["state"],
                         "SUCCEEDED")
        self.assertTrue((scratch / "nobody/slipway/local/slipway").is_dir())

    def test_the_umask_does_not_change_the_modes_of_records(self):
        for mask in (0, 0o777):
            with self.subTest(mask=oct(mask)):
                app = self.readable_app("umask; echo out")
                env = {**self.env, "HOME": str(self.theirs), "XDG_STATE_HOME": str(self.theirs / f"{mask}"),
                       "XDG_CONFIG_HOME": str(self.theirs)}
                (self.theirs / f"{mask}").mkdir()
                os.chown(self.theirs / f"{mask}", NOBODY, NOBODY)
                process = self.start("run", "-q", str(app), env=env, user=NOBODY, group=NOBODY, extra_groups=[],
                                     umask=mask)
                result = self.finish(process)
                self.assertEqual(result.status, 0, result)
                self.assertIn(f"{mask:04o}\n", result.stderr)
                self.assertIn("out\n", result.stderr)
                record = self.theirs / f"{mask}/slipway/local/slipway" / result.stdout.strip().rpartition("/")[2]
                for name in ("spec.json", "plan.bin", "state.bin", "events.log"):
                    self.assertEqual((record / name).stat().st_mode & 0o777, 0o600, name)
                for level in (record, record.parent, record.parent.parent, record.parent.parent.parent):
                    self.assertEqual(level.stat().st_mode & 0o777, 0o700, level)


@unittest.skipUnless(os.geteuid() == 0, "becoming another user takes root")
class SlurmRecordsOfOthers(SlurmStandIn, SecondUser):
    """The record of a job holds its script, so the rules of local records also hold for `slurm`."""

    def setUp(self):
        super().setUp()
        self.stand_in.chmod(0o777)
        app = self.app("true", name="mine")
        app.chmod(0o644)
        self.env["PATH"] = f"{self.bin}:/usr/local/bin:/usr/bin:/bin"

    def submit_as_nobody(self, state=None):
        return self.as_nobody("run", "-d", "-s", "slurm", str(self.cwd / "app.toml"), state=state)

    def as_root_in(self, state, *arguments):
        return self.run_slipway(*arguments, env={"XDG_STATE_HOME": str(state)})

    def submissions(self):
        """Returns the calls of sbatch."""
        return self.calls("sbatch") if (self.stand_in / "calls").exists() else []

    def shared(self, *levels):
        """Makes directories of root in which every user may write, below `shared`. Returns the path of `shared`."""
        for level in ("slipway", *levels):
            path = self.root / "shared" / level
            path.mkdir(parents=True)
            path.chmod(0o777)
        return self.root / "shared"

    def test_directories_that_another_user_prepared_are_not_used(self):
        for levels in ((), ("slipway/slurm",), ("slipway/slurm", "slipway/slurm/slipway", "slipway/slurm/ids")):
            with self.subTest(levels=levels):
                shared = self.shared(*levels)
                made = sorted(shared.rglob("*"))
                result = self.submit_as_nobody(shared)
                self.assertEqual(result.status, 73, result)
                self.assertIn("XDG_STATE_HOME", result.stderr)
                self.assertEqual((self.submissions(), sorted(shared.rglob("*"))), ([], made))
                shutil.rmtree(shared)

    def test_a_state_directory_in_a_sticky_directory_works(self):
        shared = self.root / "shared"
        (shared / "nobody").mkdir(parents=True)
        shared.chmod(0o1777)
        os.chown(shared / "nobody", NOBODY, NOBODY)
        result = self.submit_as_nobody(shared / "nobody")
        self.assertEqual((result.status, result.stdout), (0, "slurm://slipway/42\n"), result)
        self.assertEqual(self.as_nobody("status", "slurm://slipway/42", state=shared / "nobody").status, 0)
        slurm = shared / "nobody/slipway/slurm"
        for path in (slurm, slurm / "ids", slurm / "slipway", *(slurm / "slipway").iterdir()):
            self.assertEqual((path.stat().st_uid, path.stat().st_mode & 0o777), (NOBODY, 0o700), path)

    def test_root_reads_the_record_of_another_user_and_does_not_act_on_it(self):
        handle = self.submit_as_nobody().stdout.strip()
        self.look_like("102")
        (record,) = self.theirs.rglob("job.json")
        (record.parent / "slurm-42-w-0.out").write_text("out\n")
        os.chown(record.parent / "slurm-42-w-0.out", NOBODY, NOBODY)
        made = sorted(self.theirs.rglob("*"))
        for command in (["list", "-s", "slurm", "--all"], ["status", handle], ["log", handle],
                        ["events", handle]):
            result = self.as_root_in(self.theirs, *command)
            self.assertEqual(result.status, 0, result)
        for command in (["cancel", handle], ["signal", handle, "USR1"], ["delete", "--force", handle], ["wait", handle],
                        ["attach", handle], ["rerun", handle], ["rerun", "-n", handle], ["describe", handle],
                        ["log", "-f", handle], ["cancel", "slurm://slipway/102"]):
            with self.subTest(command=command):
                result = self.as_root_in(self.theirs, *command)
                self.assertEqual(result.status, 77, result)
                self.assertIn(f"uid {NOBODY}", result.stderr)
                self.assertIn("as the user whose app it is", result.stderr)
        result = self.as_root_in(self.theirs, "run", "-d", "-s", "slurm", self.cwd / "app.toml")
        self.assertEqual(result.status, 73, result)
        self.assertEqual((self.calls("scancel"), len(self.submissions())), ([], 1))
        self.assertEqual(sorted(self.theirs.rglob("*")), made)

    def test_root_reads_no_file_of_its_own_through_the_record_of_another_user(self):
        handle = self.submit_as_nobody().stdout.strip()
        self.look_like("105")
        secret = self.write("secret", '{"root": "its secret"}\n')
        secret.chmod(0o600)
        (record,) = self.theirs.rglob("job.json")
        (record.parent / "replicas/w-0").write_text("started=1.0 node=n1 pid=1 attempt=0\n"
                                                    "code=3 ended=2.0 attempt=0\n")
        for name in ("slurm-42-w-0.out", "replicas/w-0.error.json", "job.out"):
            (record.parent / name).symlink_to(secret)
        self.assertEqual(self.as_root_in(self.theirs, "log", handle).status, 77)
        for command in (["status", "--json", handle], ["log", handle]):
            result = self.as_root_in(self.theirs, *command)
            self.assertNotIn("its secret", result.stdout + result.stderr)

    def test_records_that_another_user_can_change_are_not_read(self):
        handle = self.submit_as_nobody().stdout.strip()
        slurm = self.theirs / "slipway/slurm"
        (record,) = slurm.rglob("job.json")
        for level in (slurm, slurm / "slipway", record.parent):
            with self.subTest(level=level):
                level.chmod(0o777)
                for command in ("status", "log", "cancel", "delete", "rerun", "wait"):
                    result = self.as_nobody(command, handle)
                    self.assertEqual(result.status, 77, result)
                    self.assertIn("only you may write to", result.stderr)
                level.chmod(0o700)
        self.assertEqual(self.as_nobody("status", handle).status, 0)


@unittest.skipUnless(os.geteuid() == 0, "becoming another user takes root")
class OtherStateOfTheHost(SecondUser):
    """Files that the host itself keeps: run records, copies of workspaces, bytecode."""

    def planted(self, name):
        """Makes the state directory of the other user, with a directory `name` of root that every user may write to.
        Returns the path of this directory."""
        path = self.theirs / "slipway" / name
        path.mkdir(parents=True)
        os.chown(self.theirs / "slipway", NOBODY, NOBODY)
        path.chmod(0o777)
        return path

    def test_run_records_are_not_written_where_others_may_write(self):
        runs = self.planted("runs")
        app = self.app("true")
        app.chmod(0o644)
        result = self.as_nobody("run", "--no-log", str(app))
        self.assertEqual(result.status, 0, result)
        self.assertIn("is not recorded", result.stderr)
        self.assertIn(f"{runs}: it belongs to uid 0", result.stderr)
        self.assertEqual(list(runs.iterdir()), [])

    def test_workspaces_are_not_copied_where_others_may_write(self):
        copies = self.planted("workspaces")
        project = self.root / "project"
        project.mkdir()
        app = self.app("touch ran")
        app.chmod(0o644)
        result = self.as_nobody("run", "-s", "local", "--workspace", str(project), str(app))
        self.assertEqual(result.status, 73, result)
        self.assertIn(f"{copies}: it belongs to uid 0", result.stderr)
        self.assertIn("XDG_STATE_HOME", result.stderr)
        self.assertEqual(list(copies.iterdir()), [])

    def test_bytecode_of_python_components_is_not_kept_where_others_may_write(self):
        """Python would run what another user puts there."""
        cache = self.theirs / "cache/slipway/python"
        cache.mkdir(parents=True)
        cache.chmod(0o777)
        file = self.write("one.py", "import helper\nfrom torchx import specs\n\n\ndef one() -> specs.AppDef:\n"
                                    "    return specs.AppDef(name='one', roles=[helper.role(specs)])\n")
        self.write("helper.py", "def role(specs):\n    return specs.Role(name='w', image='', entrypoint='true')\n")
        file.chmod(0o644)
        env = {**self.env, "HOME": str(self.theirs), "XDG_STATE_HOME": str(self.theirs),
               "XDG_CONFIG_HOME": str(self.theirs), "XDG_CACHE_HOME": str(self.theirs / "cache")}

        def dry_run():
            result = self.finish(self.start("run", "-n", f"{file}:one", env=env, user=NOBODY, group=NOBODY,
                                            extra_groups=[]))
            self.assertEqual(result.status, 0, result)
            return list(cache.iterdir())

        self.assertEqual(dry_run(), [])
        os.chown(cache, NOBODY, NOBODY)
        cache.chmod(0o700)
        self.assertNotEqual(dry_run(), [])


if __name__ == "__main__":
    unittest.main()
