"""Readiness probes, written as `local.ready` in the metadata, and roles that wait until others are healthy."""

import os
import signal
import unittest
from pathlib import Path

import live_processes
from app_text import role
from slipway_case import SlipwayCase

AFTER_A = {"local.depends_on": {"a": "healthy"}}
# Binds a port, and listens on it once the gate is open.
SERVER = """
import os, socket, sys
listener = socket.socket(socket.AF_INET6 if "::" in sys.argv[1] else socket.AF_INET)
listener.bind((sys.argv[1], int(os.environ.get("SLIPWAY_PORT_HTTP", "0"))))
open("bound." + sys.argv[2], "w").close()
os.read(os.open("gate", os.O_RDONLY), 3)
listener.listen()
while True:
    listener.accept()
"""


def ready(**keys):
    """Returns the metadata of a role with this readiness probe."""
    return {"local": {"ready": keys}}


class Readiness(SlipwayCase):
    def readiness_of(self, handle):
        """Returns whether each replica is ready; None for a replica without a probe."""
        return {k: r.get("ready") for k, r in self.replicas_of(handle).items()}

    def await_ready(self, handle, *replicas):
        self.eventually(lambda: all(self.readiness_of(handle)[r] for r in replicas), f"{replicas} are ready")

    def events(self, handle):
        """Returns the text of the journal."""
        return (self.app_dir(handle) / "events.log").read_text()

    def supervisor(self):
        """Returns the supervisor. Until it executes its program, a child of the supervisor looks like it."""
        def found():
            parents = {pid: live_processes.parent(pid) for pid in self.living_helpers()}
            return [pid for pid, parent in parents.items() if parent in parents and parents[parent] not in parents]
        return self.eventually(found, "both helpers run")[0]

    # the kinds of probes -------------------------------------------------------------------------------------------

    def test_dry_run_shows_probes_and_dependencies(self):
        app = self.app(role("a", "true", metadata=ready(tcp=8080, within_s=1.5)),
                       role("b", "true", metadata={**AFTER_A, "local.ready.command": ["test", "-e", "up"]}),
                       role("c", "true", metadata={"local.depends_on": {"a": "started", "b": "succeeded"},
                                                   **ready(log="up+", within_s=0)}))
        lines = self.ok("run", "-n", app).lines
        for line in ("  ready when it accepts connections at port 8080; probed every 1 s, "
                     "stopped if not ready within 1.5 s",
                     "  waits until a is healthy",
                     "  ready when `test -e up` succeeds; probed every 1 s, stopped if not ready within 60 s",
                     "  waits until a has started", "  waits until b has succeeded",
                     "  ready when a line that it writes matches up+; probed every 1 s"):
            self.assertEqual(lines.count(line), 1, (line, lines))
        self.assert_no_app()

    def test_a_command_that_succeeds_makes_a_replica_ready_and_lets_others_start(self):
        app = self.app(role("b", "touch b.ran", metadata=AFTER_A),
                       role("a", "touch a.on; exec sleep 1000", num_replicas=2,
                            metadata=ready(command="[ -e go.${replica_id} ]", interval_s=0.05)))
        handle = self.detach(app)
        self.assert_state(handle, "RUNNING")
        self.write("go.1", "")
        self.await_ready(handle, "a/1")
        self.assertEqual(self.readiness_of(handle), {"a/0": False, "a/1": True, "b/0": None})
        self.assertEqual(self.replicas_of(handle)["b/0"]["state"], "PENDING")
        self.assertFalse((self.cwd / "b.ran").exists())
        text = self.ok("status", handle).stdout
        self.assertRegex(text, r"(?m)^ +0 +RUNNING .* not ready  for \S+ s$")
        self.assertRegex(text, r"(?m)^ +1 +RUNNING .*\d  ready  for \S+ s$")
        self.write("go.0", "")
        self.file_appears("b.ran")
        self.assertEqual(self.readiness_of(handle)["a/0"], True)
        self.ok("cancel", "--now", handle)

    def test_a_command_gets_the_replicas_environment_and_directory_and_no_input(self):
        (self.cwd / "sub").mkdir()
        command = ["sh", "-c", "read line; echo \"$WHO $PWD $1 $line\" > seen; exit 0", "x", "${replica_id}"]
        app = self.app(role("a", "exec sleep 1000", env={"WHO": "me"}, metadata=ready(command=command)))
        handle = self.detach(app)
        self.await_ready(handle, "a/0")
        self.assertEqual((self.cwd / "seen").read_text().split(), ["me", str(self.cwd), "0"])
        self.ok("cancel", "--now", handle)

    def test_port_chosen_at_launch_is_probed_for_each_replica(self):
        gate = self.gate()
        self.write("server.py", SERVER)
        for address in ("127.0.0.1", "::1"):
            with self.subTest(address=address):
                app = self.app(role("a", entrypoint="python3", args=["server.py", address, "${replica_id}"],
                                    num_replicas=2,
                                    port_map={"http": 0}, metadata=ready(tcp="http", interval_s=0.05)))
                handle = self.detach(app)
                for k in range(2):
                    self.file_appears(f"bound.{k}").unlink()
                self.assertEqual(set(self.readiness_of(handle).values()), {False})
                self.open_gate(gate, 2)
                self.await_ready(handle, "a/0", "a/1")
                self.ok("cancel", "--now", handle)

    def test_a_line_of_the_log_makes_a_replica_ready(self):
        gate = self.gate()
        script = ("echo starting; echo listening on nothing; read go < gate; echo listening on port 80 >&2; "
                  "exec sleep 1000")
        handle = self.detach(self.app(role("a", script,
                                           metadata=ready(log=r"^listening on port \d+$", interval_s=0.05))))
        log = self.app_dir(handle) / "logs" / "a" / "0" / "combined.log"
        self.eventually(lambda: log.exists() and b"nothing" in log.read_bytes(), "the first lines are in the log")
        self.assertEqual(self.readiness_of(handle), {"a/0": False})
        self.open_gate(gate)
        self.await_ready(handle, "a/0")
        self.ok("cancel", "--now", handle)

    def test_lines_of_the_attempt_before_do_not_make_an_attempt_ready(self):
        gate = self.gate()
        script = "[ -e again ] || { touch again; echo up; read go < gate; exit 1; }; touch second; exec sleep 1000"
        app = self.app(role("a", script, max_retries=1, retry_policy="REPLICA",
                            metadata=ready(log="up", interval_s=0.05)))
        handle = self.detach(app, "-c", "backoff=initial:0.01")
        self.await_ready(handle, "a/0")
        self.open_gate(gate)
        self.file_appears("second")
        self.eventually(lambda: self.events(handle).count("RUNNING pid") == 2, "it runs again")
        self.assertEqual(self.readiness_of(handle), {"a/0": False})
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.events(handle).count(" READY "), 1)

    def test_an_attempt_that_cannot_start_is_not_ready_although_the_one_before_was(self):
        script = "#!/bin/sh\ntouch up\nwhile [ ! -e after ]; do sleep 0.01; done\nrm prog\nexit 1\n"
        self.write("prog", script).chmod(0o755)
        # The supervisor keeps the place of the program of the role that it started last. After the start of `b`, it
        # searches for that of `a` again.
        app = self.app(role("a", entrypoint="./prog", max_retries=1, retry_policy="REPLICA",
                            metadata=ready(command="[ -e up ]", interval_s=0.05)),
                       role("b", "touch after; exec sleep 1000", metadata=AFTER_A))
        handle = self.expect(127, "run", "-c", "backoff=initial:0.01", app).stdout.strip()
        replica = self.replicas_of(handle)["a/0"]
        self.assertEqual((replica["state"], replica["reason"], replica["ready"]), ("FAILED", "spawn_failed", False))

    # timeouts --------------------------------------------------------------------------------------------------------

    def test_replica_not_ready_in_time_fails_with_the_reason_and_so_do_its_dependents(self):
        for keys, why in ((dict(command="exit 7"), "exited with 7"), (dict(tcp="127.0.0.1:1"), "port 1 of 127.0.0.1"),
                          (dict(log="never"), "no line"), (dict(command=["/no/such"]), "/no/such")):
            with self.subTest(keys=keys):
                # On a loaded machine, the first probe takes longer.
                for within_s in (0.2, 2, 20):
                    app = self.app(role("a", "trap 'exit 0' TERM; sleep 1000 & wait",
                                        metadata=ready(**keys, within_s=within_s)),
                                   role("b", "touch b.ran", metadata=AFTER_A))
                    handle = self.detach(app)
                    self.expect(124, "wait", handle)
                    if why in self.status_of(handle)["msg"]:
                        break
                replicas = self.replicas_of(handle)
                self.assertEqual({k: (r["state"], r["reason"]) for k, r in replicas.items()},
                                 {"a/0": ("FAILED", "not_ready"), "b/0": ("FAILED", "dependency")})
                self.assertEqual(replicas["a/0"]["ready"], False)
                status = self.status_of(handle)
                self.assertIn(f"a/0 was not ready within {within_s} s", status["msg"])
                self.assertIn(why, status["msg"])
                self.assertIn("not_ready", self.ok("status", handle).stdout)
        self.assertFalse((self.cwd / "b.ran").exists())

    def test_not_ready_is_a_failure_that_is_retried_unless_retry_on_excludes_it(self):
        # The second attempt is in time even on a loaded machine.
        for retry_on, attempts, within_s in (((), 2, 3), (("-c", "retry_on=not_ready"), 2, 3),
                                             (("-c", "retry_on=timeout"), 1, 0.5)):
            with self.subTest(retry_on=retry_on):
                (self.cwd / "first").unlink(missing_ok=True)
                app = self.app(role("a", "[ -e first ] && touch up; touch first; exec sleep 1000", max_retries=1,
                                    retry_policy="REPLICA",
                                    metadata=ready(command="[ -e up ]", within_s=within_s, interval_s=0.05)))
                handle = self.detach(app, *retry_on, "-c", "backoff=initial:0.01")
                if attempts == 2:
                    self.await_ready(handle, "a/0")
                    self.assertEqual([a["reason"] for a in self.replicas_of(handle)["a/0"]["attempts"]][0], "not_ready")
                    self.ok("cancel", "--now", handle)
                else:
                    self.run_slipway("wait", handle)
                    self.assertEqual(self.replicas_of(handle)["a/0"]["reason"], "not_ready")
                self.assertEqual(self.replicas_of(handle)["a/0"]["restarts"], attempts - 1)
                (self.cwd / "up").unlink(missing_ok=True)

    def test_not_ready_replica_in_a_stop_leaves_the_message_of_the_stop(self):
        gate = self.gate()
        # On a loaded machine, the shell may need more than a second to set its trap.
        app = self.app(role("bad", "read go < gate; exit 5"),
                       role("a", "trap 'touch asked; read go < gate; exit 1' TERM; sleep 1000 & wait",
                            metadata=ready(command="exit 7", within_s=3)))
        handle = self.detach(app, "-c", "fail_fast=true,grace_s=1000")
        self.file_appears("asked")
        supervisor = self.supervisor()
        pids = [replica["pid"] for replica in self.replicas_of(handle).values()]
        os.kill(supervisor, signal.SIGSTOP)  # so that it notices both ends at once, that of bad/0 first
        self.addCleanup(lambda: live_processes.alive(supervisor) and os.kill(supervisor, signal.SIGCONT))
        self.open_gate(gate, 2)
        self.eventually(lambda: not any(live_processes.alive(pid) for pid in pids), "both replicas have ended")
        os.kill(supervisor, signal.SIGCONT)
        self.run_slipway("wait", handle)
        self.assertEqual(self.replicas_of(handle)["a/0"]["reason"], "not_ready")
        self.assertIn("as fail_fast asks", self.status_of(handle)["msg"])

    def test_within_0_waits_without_limit_unless_the_replica_succeeds_unready(self):
        app = self.app(role("a", "sleep 0.3", metadata=ready(command="exit 1", within_s=0, interval_s=0.05)),
                       role("b", "true", metadata=AFTER_A))
        handle = self.run_slipway("run", app).stdout.strip()
        self.assertEqual({k: (r["state"], r["reason"]) for k, r in self.replicas_of(handle).items()},
                         {"a/0": ("SUCCEEDED", "exit"), "b/0": ("FAILED", "dependency")})

    def test_a_ready_replica_that_has_succeeded_still_counts_as_healthy(self):
        app = self.app(role("a", "while [ ! -e end.${replica_id} ]; do sleep 0.01; done", num_replicas=2,
                            metadata=ready(command="[ -e go.${replica_id} ]", interval_s=0.05)),
                       role("b", "true", metadata=AFTER_A))
        handle = self.detach(app)
        self.write("go.0", "")
        self.await_ready(handle, "a/0")
        self.write("end.0", "")
        self.eventually(lambda: self.replicas_of(handle)["a/0"]["state"] == "SUCCEEDED", "a/0 ends")
        self.write("go.1", "")
        self.eventually(lambda: self.replicas_of(handle)["b/0"]["state"] == "SUCCEEDED", "b/0 runs")
        self.write("end.1", "")
        self.ok("wait", handle)

    # probe commands that misbehave -----------------------------------------------------------------------------------

    def test_a_command_that_hangs_is_killed_with_its_children_and_run_again(self):
        script = "echo x >> asked; [ $(wc -l < asked) -gt 2 ] || { sleep 1001 & sleep 1001; }"
        handle = self.detach(self.app(role("a", "exec sleep 1000",
                                           metadata=ready(command=script, timeout_s=0.2, interval_s=0.05))))
        self.assert_state(handle, "RUNNING")
        self.await_ready(handle, "a/0")
        self.eventually(lambda: not [p for p, line in self.processes().items() if "1001" in line],
                        "no process of the command is left")
        self.ok("cancel", "--now", handle)

    def test_hanging_command_does_not_block_the_supervisor(self):
        handle = self.detach(self.app(role("a", "exec sleep 1000", metadata=ready(command="touch asked; sleep 1001")),
                                      "exit 3"))
        self.file_appears("asked")
        self.eventually(lambda: self.replicas_of(handle)["r1/0"]["state"] == "FAILED",
                        "the end of the other replica is recorded")
        self.ok("cancel", handle)
        self.assert_state(handle, "CANCELLED")
        self.assert_nothing_lives()

    def test_a_command_ends_with_its_replica(self):
        gate = self.gate()
        handle = self.detach(self.app(role("a", "read go < gate",
                                           metadata=ready(command="touch asked; sleep 1001 & sleep 1001")),
                                      role("z", "exec sleep 1000")))
        self.file_appears("asked")
        self.open_gate(gate)
        self.eventually(lambda: not [p for p, line in self.processes().items() if "1001" in line],
                        "the command is gone")
        self.assertEqual(self.replicas_of(handle)["z/0"]["state"], "RUNNING")
        self.ok("cancel", "--now", handle)

    # the supervisor dies ---------------------------------------------------------------------------------------------

    def test_successor_continues_probing_and_ends_earlier_probe_commands(self):
        for both_die in (False, True):
            with self.subTest(both_die=both_die):
                for name in ("asked", "go"):
                    (self.cwd / name).unlink(missing_ok=True)
                app = self.app(role("a", "exec sleep 1000", metadata=ready(
                    command="[ -e go ] && exit 0; touch asked; sleep 1001 & sleep 1001", timeout_s=1000,
                    interval_s=0.05)),
                    role("r", "exec sleep 1000", metadata=ready(command="exit 0")),
                    role("b", "touch b.ran", metadata=AFTER_A))
                handle = self.detach(app)
                self.file_appears("asked")
                self.await_ready(handle, "r/0")
                before = self.replicas_of(handle)["a/0"]["pid"]
                self.write("go", "")
                for pid in sorted(self.living_helpers()) if both_die else [self.supervisor()]:
                    os.kill(pid, signal.SIGKILL)
                self.await_ready(handle, "a/0")
                self.assertEqual(self.replicas_of(handle)["a/0"]["pid"], before)
                self.file_appears("b.ran").unlink()
                self.assertEqual(self.events(handle).count("r/0 READY"), 1)
                self.eventually(lambda: not [p for p, line in self.processes().items() if "1001" in line],
                                "no probe command of the dead supervisor is left")
                self.ok("cancel", "--now", handle)
                self.assert_nothing_lives()

    def test_readiness_timeout_continues_across_a_take_over(self):
        handle = self.detach(self.app(role("a", "exec sleep 1000",
                                           metadata=ready(command="touch asked; exit 1", within_s=6))))
        self.file_appears("asked")
        os.kill(self.supervisor(), signal.SIGKILL)
        self.run_slipway("wait", handle)
        self.assertEqual(self.replicas_of(handle)["a/0"]["reason"], "not_ready")

    # ready replicas, and replicas without a probe --------------------------------------------------------------------

    def switches(self, pid):
        """Returns how often a process has gone to sleep."""
        text = Path(f"/proc/{pid}/status").read_text()
        return int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])

    def test_ready_replica_is_not_probed_again_and_its_supervisor_stays_asleep(self):
        handle = self.detach(self.app(role("a", "exec sleep 1000", num_replicas=3,
                                           metadata=ready(command="echo x >> probed.${replica_id}", interval_s=0.02))))
        self.await_ready(handle, "a/0", "a/1", "a/2")
        supervisor = self.supervisor()
        # The probes of another app serve as a clock, which slows down with the machine. Sixty of its periods are longer
        # than the period of any sensible poller.
        clock = self.detach(self.app(role("c", "exec sleep 1000",
                                          metadata=ready(command="echo x >> ticks; exit 1", within_s=0,
                                                         interval_s=0.05))))
        self.file_appears("ticks")

        def switches_in(periods):
            before = self.switches(supervisor)
            end = len((self.cwd / "ticks").read_text().split()) + periods
            self.eventually(lambda: len((self.cwd / "ticks").read_text().split()) >= end, "the clock ticks")
            return self.switches(supervisor) - before

        self.eventually(lambda: switches_in(periods=5) == 0, "the supervisor falls asleep")
        self.assertEqual(switches_in(periods=60), 0)
        self.assertEqual([len((self.cwd / f"probed.{k}").read_text().split()) for k in range(3)], [1, 1, 1])
        for each in (handle, clock):
            self.ok("cancel", "--now", each)

    def test_status_of_a_role_without_a_probe_lacks_readiness(self):
        handle = self.detach(self.app(role("w", "exec sleep 1000")))
        self.assertNotIn("ready", self.replicas_of(handle)["w/0"])
        self.assertNotIn("ready", self.ok("status", handle).stdout)
        self.ok("cancel", "--now", handle)

    def test_many_replicas_with_probes_all_become_ready(self):
        handle = self.detach(self.app(role("a", "exec sleep 1000", num_replicas=60,
                                           metadata=ready(command=["/bin/true"], interval_s=0.05))))
        self.await_ready(handle, *(f"a/{k}" for k in range(60)))
        self.assertIn("0-59", self.ok("status", handle).stdout)
        self.ok("cancel", "--now", handle)

    # mistakes --------------------------------------------------------------------------------------------------------

    def test_mistakes_are_refused_by_the_dry_run(self):
        for keys, words in (
                ({"tcp": 0}, "local.ready.tcp"), ({"tcp": 70000}, "70000"), ({"tcp": "htpp"}, "http"),
                ({"tcp": True}, "true"), ({"tcp": 80.5}, "it is 80.5"),
                ({"tcp": "example.org:80"}, "example.org"), ({"command": []}, "local.ready.command"),
                ({"command": ["a", 3]}, "3"), ({"command": ""}, "local.ready.command"),
                ({"log": "a("}, "local.ready.log"),
                ({"log": 3}, "3"), ({"tcp": 80, "log": "x"}, "several"), ({"within_s": 3}, "no kind of probe"),
                ({"tcp": 80, "interval_s": 0}, "local.ready.interval_s"),
                ({"tcp": 80, "interval_s": 0.001}, "it is 0.001"), ({"tcp": 80, "within_s": -12.5}, "it is -12.5"),
                ({"tcp": 80, "timeout_s": "x"}, "local.ready.timeout_s"),
                ({"tcp": 80, "within_s": -1}, "local.ready.within_s"), ({"tpc": 80}, "local.ready.tpc")):
            app = self.app(role("w", "true", metadata=ready(**keys), port_map={"http": 0}))
            for arguments in (["run", "-n"], ["run"]):
                with self.subTest(keys=keys, arguments=arguments):
                    error = self.expect_failure(65, None, *arguments, app)
                    self.assertIn(words, error["message"] + error["hint"])
        flat = self.app(role("w", "true", metadata={"local.ready": 80}))
        self.assertIn("local.ready", self.expect_failure(65, None, "run", "-n", flat)["message"])
        self.assert_no_app()

    def test_healthy_needs_a_probe(self):
        app = self.app(role("a", "true"), role("b", "true", metadata=AFTER_A))
        error = self.expect_failure(65, None, "run", "-n", app)
        self.assertIn("healthy", error["message"])
        self.assertIn("ready", error["hint"])
        self.assert_no_app()

    def test_keys_may_be_written_with_dots(self):
        app = self.app(role("w", "exec sleep 1000",
                            metadata={"local.ready.command": "exit 0", "local.ready.within_s": 30}))
        handle = self.detach(app)
        self.await_ready(handle, "w/0")
        self.ok("cancel", "--now", handle)


if __name__ == "__main__":
    unittest.main()
