"""Apps on a real engine: how they run and end, and what they see of the machine."""

import json
import sys
import unittest
from pathlib import Path

import engine
from docker_case import SMALL, DockerCase, role, text, why_unable

sys.path.append(str(Path(__file__).resolve().parents[2] / "cli"))
from free_ports import free_port  # noqa: E402  (after the change of sys.path)

unable = why_unable()


@unittest.skipIf(unable, unable)
class Apps(DockerCase):
    def test_app_that_succeeds_has_exit_status_0_and_the_logs_of_both_streams(self):
        handle = self.submit(role("w", "echo out of ${replica_id}; echo err >&2", 2))
        self.wait(handle)
        status = self.status(handle)
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual([one["exit_code"] for one in self.replicas(status).values()], [0, 0])
        self.assertEqual(sorted(self.log(handle).splitlines()),
                         ["w/0 err", "w/0 out of 0", "w/1 err", "w/1 out of 1"])
        self.assertEqual(self.log(handle, "--stream", "stderr").splitlines(), ["w/0 err", "w/1 err"])

    def test_exit_code_is_that_of_the_replica_that_fails(self):
        handle = self.submit(role("w", "exit 7"))
        self.wait(handle, 7)
        replica = self.only_replica(handle)
        self.assertEqual((replica["state"], replica["exit_code"], replica["reason"]), ("FAILED", 7, "exit"))

    def test_a_missing_program_is_exit_status_127(self):
        self.app(f'[[roles]]\nname = "w"\nimage = {text(engine.IMAGE)}\nentrypoint = "nosuch"\n{SMALL}\n')
        handle = self.slipway("run", "-d", "-s", "local_docker", "app.toml").stdout.strip()
        self.wait(handle, 127)  # from the init process of the container

    def test_missing_program_without_init_is_an_error_that_leaves_nothing(self):
        self.app(f'[[roles]]\nname = "w"\nimage = {text(engine.IMAGE)}\nentrypoint = "nosuch"\n{SMALL}\n')
        # Without an init process, the engine itself must find the program, and refuses to start the container.
        done = self.slipway("run", "-d", "-s", "local_docker", "-c", "init=false", "app.toml", status=65)
        self.assertIn("cannot start w/0", done.stderr)
        self.assert_nothing_is_left()

    def test_signal_ends_a_replica(self):
        handle = self.submit(role("w", "echo ready; sleep 600"))
        self.until_log(handle, "ready")
        self.slipway("signal", handle, "KILL")
        self.wait(handle, 128 + 9)
        replica = self.only_replica(handle)
        self.assertEqual((replica["state"], replica["signal"], replica["reason"]), ("FAILED", 9, "signal"))

    def test_signal_reaches_the_program_and_is_refused_after_its_end(self):
        handle = self.submit(role("w", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.1; done"))
        self.until_log(handle, "ready")
        self.slipway("signal", handle + "/w/0", "USR1")
        self.wait(handle)
        self.assertIn("got it", self.log(handle))
        self.slipway("signal", handle, "USR1", status=69)
        self.slipway("signal", handle + "/w/7", "USR1", status=66)

    def test_signal_that_the_program_handles_does_not_end_the_retries_of_the_engine(self):
        handle = self.submit(role("w", "trap 'exit 3' USR1; echo ready; while :; do sleep 0.1; done",
                                  extra="max_retries = 1\nretry_policy = \"REPLICA\""))
        for attempt in (1, 2):
            self.eventually(lambda attempt=attempt: self.log(handle).count("ready") >= attempt, "the attempt runs")
            self.slipway("signal", handle, "USR1")
        self.wait(handle, 3)
        self.assertEqual(self.only_replica(handle)["restarts"], 1)

    def test_lack_of_memory_is_the_reason_of_the_end(self):
        handle = self.submit(role("w", "a=x; while :; do a=$a$a; done",
                                  extra="resource = { cpu = 1, gpu = 0, memMB = 16 }"))
        self.wait(handle, 128 + 9)
        self.assertEqual(self.only_replica(handle)["reason"], "oom")

    def test_cancel_ends_only_the_replicas_that_run(self):
        handle = self.submit(role("w", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.1; done"),
                             role("done", "true"))
        self.until_log(handle, "ready")
        self.until(handle, lambda status: self.replicas(status)[("done", 0)]["state"] == "SUCCEEDED", "`done` ends")
        self.slipway("cancel", handle)
        self.wait(handle, 130)
        replicas = self.replicas(self.status(handle))
        self.assertEqual((replicas[("w", 0)]["state"], replicas[("w", 0)]["reason"]), ("CANCELLED", "cancelled"))
        self.assertEqual(replicas[("done", 0)]["state"], "SUCCEEDED")
        self.assertIn("bye", self.log(handle))

    def test_cancel_now_waits_for_no_handler(self):
        handle = self.submit(role("w", "trap '' TERM; echo ready; while :; do sleep 0.1; done"),
                             options=("-c", "grace_s=600"))
        self.until_log(handle, "ready")
        self.slipway("cancel", handle, "--now")
        self.wait(handle, 130)

    def test_two_roles_reach_each_other_by_name(self):
        serve = "echo served | nc -l -p 80"
        ask = "until test -n \"$a\"; do a=$(nc ps 80 </dev/null 2>/dev/null); sleep 0.1; done; echo $a"
        handle = self.submit(role("ps", serve), role("trainer", ask))
        self.wait(handle)
        self.assertEqual(self.log(handle + "/trainer").splitlines(), ["served"])

    def test_two_roles_reach_each_other_over_the_network_of_the_host(self):
        port = free_port()
        serve = f"echo served | nc -l -p {port}"
        ask = (f"until test -n \"$a\"; do a=$(nc $TORCHX_RANK0_HOST {port} </dev/null 2>/dev/null); sleep 0.1; done; "
               "echo $a")
        handle = self.submit(role("ps", serve), role("trainer", ask), options=("-c", "network=host"))
        self.wait(handle)
        self.assertEqual(self.log(handle + "/trainer").splitlines(), ["served"])
        self.assertEqual(self.engine.own_networks(), self.networks_before)

    def test_retries_restart_the_container(self):
        retries = SMALL + "\nmax_retries = 2\nretry_policy = \"REPLICA\""
        handle = self.submit(role("w", "echo run; exit 3", extra=retries))
        self.wait(handle, 3)
        self.assertEqual(self.only_replica(handle)["restarts"], 2)
        self.assertEqual(self.log(handle).splitlines(), ["run"] * 3)

    def test_mounts_are_visible_and_read_only_ones_cannot_be_written_to(self):
        (self.root / "in.txt").write_text("from the host\n", encoding="utf-8")
        mounts = f"""
[[roles.mounts]]
type = "bind"
src = {text(str(self.root))}
dst = "/host"
[[roles.mounts]]
type = "bind"
src = {text(str(self.root))}
dst = "/fixed"
read_only = true
[[roles.mounts]]
type = "volume"
src = "slipway-test"
dst = "/data"
"""
        self.addCleanup(self.engine.request, "DELETE", "/volumes/slipway-test")
        self.addCleanup(self.engine.remove_everything)  # runs first: containers hold the volume
        handle = self.submit(role("w", "cat /host/in.txt; echo new > /host/out.txt; echo no > /fixed/out.txt; "
                                  "echo kept > /data/file", extra=SMALL + mounts))
        self.wait(handle, 0)
        self.assertIn("from the host", self.log(handle))
        self.assertEqual((self.root / "out.txt").read_text(encoding="utf-8"), "new\n")
        second = self.submit(role("w", "cat /data/file", extra=SMALL + mounts))
        self.wait(second)
        self.assertIn("kept", self.log(second))

    def test_bind_mount_of_a_missing_directory_leaves_nothing(self):
        self.app(role("w", "true", extra=SMALL + '\n[[roles.mounts]]\ntype = "bind"\nsrc = "/no/such"\ndst = "/x"\n'))
        done = self.slipway("run", "-d", "-s", "local_docker", "app.toml", status=65)
        self.assertIn("/no/such", done.stderr)
        self.assert_nothing_is_left()

    def test_ports_are_published_on_free_ports(self):
        handle = self.submit(role("w", "echo served | nc -l -p 80; sleep 600", 2, SMALL + "\nport_map = { http = 80 }"))
        ports = {one["ports"]["http"] for one in self.replicas(self.status(handle)).values()}
        self.assertEqual(len(ports), 2)
        self.assertTrue(all(one.startswith("127.0.0.1:") for one in ports), ports)

    def test_user_and_limits_apply(self):
        handle = self.submit(role("w", "id -u; ulimit -n"), options=("-c", "user=1234,ulimits.nofile=99/100"))
        self.wait(handle)
        self.assertEqual(self.log(handle).splitlines(), ["1234", "99"])

    def test_copied_variables_reach_the_replica(self):
        self.app(role("w", "echo $COPIED $OTHER."))
        done = self.slipway("run", "-d", "-s", "local_docker", "-c", "copy_env=COP*", "app.toml",
                            env={"COPIED": "yes", "OTHER": "no"})
        handle = done.stdout.strip()
        self.wait(handle)
        self.assertEqual(self.log(handle).splitlines(), ["yes ."])

    def test_missing_image_that_may_not_be_pulled_is_reported(self):
        self.app(role("w", "true").replace(engine.IMAGE, "nosuch:1"))
        done = self.slipway("run", "-d", "-s", "local_docker", "-c", "pull=never", "app.toml", status=66)
        self.assertIn("does not have the image nosuch:1", done.stderr)
        self.assert_nothing_is_left()

    def test_list_describe_and_delete_from_another_home(self):
        handle = self.submit(role("w", "true"))
        self.wait(handle)
        other = {"XDG_STATE_HOME": str(self.root / "other")}
        listed = json.loads(self.slipway("list", "--all", "-s", "local_docker", "--json", env=other).stdout)
        self.assertEqual([one["handle"] for one in listed["apps"]], [handle])
        self.assertIn('entrypoint = "sh"', self.slipway("describe", handle, env=other).stdout)
        self.slipway("delete", handle, env=other)
        self.slipway("status", handle, status=66)
        self.assert_nothing_is_left()

    def test_app_that_runs_is_not_deleted(self):
        handle = self.submit(role("w", "sleep 600"))
        self.slipway("delete", handle, status=69)
        self.assertEqual(self.status(handle)["state"], "RUNNING")

    def test_container_of_others_is_not_an_app(self):
        self.engine.request("POST", "/containers/create?name=other",
                            json.dumps({"Image": engine.IMAGE, "Cmd": ["true"]}), {"Content-Type": "application/json"})
        self.slipway("status", "local_docker://slipway/other", status=66)
        self.slipway("log", "local_docker://slipway/other", status=66)

    def test_networks_of_ended_apps_make_room(self):
        self.app(role("w", "true", extra=""))
        # More apps than the engine has networks. An app that gets none uses the host's, with a warning.
        runs = [self.slipway("run", "-d", "-s", "local_docker", "app.toml") for _ in range(engine.NETWORKS + 2)]
        self.assertEqual([done.stderr for done in runs if "host's network" in done.stderr], [])
        for done in runs:
            self.wait(done.stdout.strip())

    def test_hundred_replicas_run_and_succeed(self):
        handle = self.submit(role("w", "echo ${replica_id}", 100, ""))
        self.wait(handle)
        replicas = self.replicas(self.status(handle))
        self.assertEqual(sorted(key[1] for key in replicas), list(range(100)))
        self.assertEqual(sorted(int(line.split()[1]) for line in self.log(handle).splitlines()), list(range(100)))


if __name__ == "__main__":
    unittest.main()
