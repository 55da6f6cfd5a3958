"""Docker engines that are away, too old, broken or hostile: each failure has the engine's words and a fixed exit
status, and leaves nothing behind."""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

from hostile_engine import HostileEngine, answer, refusal
from slipway_case import LIMIT_S, SLIPWAY, SlipwayCase

HANDLE = "local_docker://slipway/app-x"
APP = 'name = "app"\n\n[[roles]]\nname = "w"\nimage = "img:1"\nentrypoint = "true"\n'


def container(**changes):
    """Returns a row of the engine's list of containers: the only replica of app-x, which has succeeded."""
    labels = {"torchx.pytorch.org/app-id": "app-x", "torchx.pytorch.org/role-name": "w",
              "torchx.pytorch.org/replica-id": "0", "org.slipway.session": "slipway", "org.slipway.name": "app"}
    return {"Id": "c0", "Names": ["/app-x-w-0"], "State": "exited", "Status": "Exited (0) 5 minutes ago", "Created": 1,
            "Labels": labels, **changes}


def inspection(**state):
    """Returns the engine's description of a container that has succeeded. `state` changes parts of its State."""
    return {"Id": "c0", "State": {"Status": "exited", "ExitCode": 0, "Pid": 0, "StartedAt": "2026-01-02T03:04:05.5Z",
                                  "FinishedAt": "2026-01-02T03:04:06Z", **state}}


def frame(stream, second, text):
    """Returns a message of a container's log. `stream` is 1 for stdout and 2 for stderr, `second` has one decimal."""
    message = f"2026-01-02T03:04:{second}00000000Z {text}".encode()
    return bytes([stream, 0, 0, 0]) + len(message).to_bytes(4, "big") + message


class DockerEngine(SlipwayCase):
    def engine(self, behave):
        """Starts an engine, and makes it the engine of all commands. Returns it."""
        path = self.root / "engine.sock"
        engine = HostileEngine(path, behave)
        self.addCleanup(engine.close)
        self.env["DOCKER_HOST"] = f"unix://{path}"
        return engine

    def fails(self, status, code, words, *arguments):
        """Checks that a command fails with a message that contains `words`. Returns the error document."""
        error = self.expect_failure(status, code, *arguments)
        self.assertIn(words, error["message"])
        return error

    # ---- the connection

    def test_a_missing_socket_is_unavailable(self):
        self.env["DOCKER_HOST"] = f"unix://{self.root}/nosuch.sock"
        error = self.fails(69, "unavailable", "there is no such socket", "status", HANDLE)
        self.assertIn("start the engine", error["hint"])

    def test_a_socket_without_a_listener_is_unavailable(self):
        self.engine(lambda *_: None).close()
        self.fails(69, "unavailable", "nothing listens there", "status", HANDLE)

    @unittest.skipIf(os.geteuid() != 0, "needs another user")
    def test_missing_permission_is_reported(self):
        self.engine(lambda *_: None)
        os.chmod(self.root / "engine.sock", 0o600)
        os.chmod(self.root, 0o755)
        self.state.mkdir()
        os.chmod(self.state, 0o777)
        self.wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        error = self.fails(77, "denied", "Permission denied", "status", HANDLE)
        self.assertIn("docker", error["hint"])

    def test_an_address_that_is_not_a_unix_socket_is_refused(self):
        self.env["DOCKER_HOST"] = "tcp://127.0.0.1:2375"
        self.fails(69, "unimplemented", "Slipway talks to unix sockets", "status", HANDLE)

    def test_socket_of_the_configuration_wins(self):
        self.engine(lambda *_: answer(200, []))
        (self.config / "slipway").mkdir()
        (self.config / "slipway" / "config.toml").write_text(
            f"[plugins.\"org.slipway.docker\"]\nconfig.socket = '{self.env['DOCKER_HOST']}'\n", encoding="utf-8")
        self.env["DOCKER_HOST"] = "unix:///nosuch.sock"
        self.fails(66, "not_found", "there is no app", "status", HANDLE)

    # ---- the protocol

    def test_an_engine_that_closes_the_connection_is_a_temporary_failure(self):
        whole = answer(200, [container()])
        for name, piece, said in (("before the answer", None, "without an answer"),
                                  ("in the header", b"HTTP/1.1 200 OK\r\nConte", "in the middle of its answer"),
                                  ("in the body", whole[:-20], "in the middle of its answer")):
            with self.subTest(name):
                def behave(_method, _target, connection, piece=piece):
                    if piece:
                        connection.sendall(piece)

                engine = self.engine(behave)
                self.fails(75, "temporary", f"closed the connection {said}", "status", HANDLE)
                engine.close()
                os.unlink(engine.path)

    def test_answers_that_are_not_http_are_a_temporary_failure(self):
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for name, reply in {"greeting": b"220 mail.example.org ESMTP\r\n\r\n",
                            "chunk": chunked + b"zz\r\n[]\r\n0\r\n\r\n",
                            "length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n[]"}.items():
            with self.subTest(name):
                engine = self.engine(lambda *_, reply=reply: reply)
                self.fails(75, "temporary", "not valid HTTP", "status", HANDLE)
                engine.close()
                os.unlink(engine.path)

    def test_a_header_without_an_end_is_a_temporary_failure(self):
        def behave(_method, _target, connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(1 << 30):
                connection.sendall(b"X-%d: " % number + b"x" * 60000 + b"\r\n")

        self.engine(behave)
        self.fails(75, "temporary", "too long", "status", HANDLE)

    def test_a_body_that_is_too_long_is_a_temporary_failure(self):
        self.engine(lambda *_: b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n[")
        self.fails(75, "temporary", "too long", "status", HANDLE)

    def test_json_that_is_cut_off_is_a_temporary_failure(self):
        self.engine(lambda *_: answer(200, json.dumps([container()]).encode()[:-9]))
        self.fails(75, "temporary", "cannot be read as JSON", "status", HANDLE)

    def test_json_of_another_shape_is_a_temporary_failure(self):
        for body in ({"a": 1}, ["text"], [[]]):
            with self.subTest(body):
                engine = self.engine(lambda *_, body=body: answer(200, body))
                self.fails(75, "temporary", "cannot be read as JSON", "status", HANDLE)
                engine.close()
                os.unlink(engine.path)

    def test_a_chunked_answer_in_single_bytes_is_read(self):
        def behave(_method, _target, connection):
            body = json.dumps([]).encode()
            reply = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
            for at in range(len(reply)):
                connection.sendall(reply[at : at + 1])
            return b""

        self.engine(behave)
        self.fails(66, "not_found", "there is no app", "status", HANDLE)

    def test_an_engine_that_fails_is_unavailable(self):
        self.engine(lambda *_: refusal(500, "driver failed"))
        self.fails(69, "unavailable", "driver failed", "status", HANDLE)

    def test_an_engine_that_is_too_old_is_refused(self):
        self.engine(lambda *_: answer(200, [], ["Api-Version: 1.38"]))
        self.fails(69, "precondition", "it speaks version 1.38 of the API", "status", HANDLE)

    def test_an_engine_that_refuses_older_requests_is_reported(self):
        self.engine(lambda *_: refusal(400, "client version 1.41 is too old. Minimum supported API version is 1.99"))
        self.fails(69, "precondition", "is too old", "status", HANDLE)

    def test_engine_that_hangs_is_given_up_at_the_time_limit(self):
        self.engine(lambda *_: threading.Event().wait())
        self.expect(124, "--timeout", "1", "status", HANDLE)

    def test_interrupt_ends_the_wait_for_an_engine_that_hangs(self):
        arrived = threading.Event()

        def behave(*_):
            arrived.set()
            threading.Event().wait()

        self.engine(behave)
        process = self.start("status", HANDLE)
        self.assertTrue(arrived.wait(LIMIT_S))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)

    # ---- apps

    def test_status_takes_two_round_trips(self):
        containers = [container(Id=f"c{i}") for i in range(20)]
        for i, one in enumerate(containers):
            one["Labels"] = {**one["Labels"], "torchx.pytorch.org/replica-id": str(i)}
        engine = self.engine(lambda _method, target, _connection: answer(
            200, containers if target.startswith("/containers/json") else inspection()))
        status = self.ok("status", "--json", HANDLE).json
        self.assertEqual(status["state"], "SUCCEEDED")
        self.assertEqual([one["id"] for one in status["roles"][0]["replicas"]], list(range(20)))
        # One request lists the containers. The second connection sends the 20 other requests without waits in between.
        self.assertEqual(len(engine.requests), 21)
        self.assertEqual(len(engine.connections), 2)

    def test_a_container_that_is_removed_meanwhile_is_not_found(self):
        self.engine(lambda _method, target, _connection: answer(200, [container()])
                    if target.startswith("/containers/json") else refusal(404, "No such container"))
        self.fails(66, "not_found", "there is no app", "status", HANDLE)

    def test_unknown_state_is_shown_as_unknown(self):
        self.engine(lambda _method, target, _connection: answer(
            200, [container(State="weird")] if target.startswith("/containers/json") else inspection(Status="weird")))
        self.assertEqual(self.ok("status", "--json", HANDLE).json["state"], "UNKNOWN")

    def test_wait_outlasts_an_engine_that_is_away(self):
        running = threading.Event()

        def behave(_method, target, connection):
            if target.startswith("/events"):
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                running.set()
                threading.Event().wait()
            return answer(200, [container(State="running")] if target.startswith("/containers/json")
                          else inspection(Status="running"))

        engine = self.engine(behave)
        process = self.start("wait", HANDLE)
        self.assertTrue(running.wait(LIMIT_S))
        engine.close()
        self.assertIn("waiting until it does", process.stderr.readline().decode())
        os.unlink(engine.path)
        self.engine(lambda _method, target, _connection: answer(
            200, [container()] if target.startswith("/containers/json") else inspection()))
        self.assertEqual(self.finish(process).status, 0)

    def test_container_that_another_command_cancels_at_the_same_time_is_cancelled(self):
        current = {"State": "running", "Status": "Up"}  # the arguments of container()

        def behave(method, target, _connection):
            path, _, query = target.partition("?")
            if path == "/containers/json":
                return answer(200, [container(**current)])
            if path.endswith("/rename"):
                current["Names"] = ["/" + query.partition("=")[2]]  # the other command was first
                return refusal(400, "Renaming a container with the same name as its current name")
            if path.endswith("/stop"):
                current.update(State="exited", Status="Exited (143) now")
            state = {"ExitCode": 143} if current["State"] == "exited" else {"Status": "running", "Pid": 1}
            return answer(200, inspection(**state)) if method == "GET" else answer(204, b"")

        self.engine(behave)
        self.ok("cancel", HANDLE)
        self.assertEqual(self.ok("status", "--json", HANDLE).json["state"], "CANCELLED")

    def waiting_app(self):
        """Returns the container of app-x, which the kernel killed because memory ran out. Its next attempt follows in
        ten minutes. Only oom_inspection() has the reason of the end."""
        rules = {"options": {"retry_on": "oom", "backoff": "initial:600,max:600"},
                 "app": {"name": "app", "roles": [{"name": "w", "max_retries": 1}]}}
        self.addCleanup(self.kill_helpers)
        return container(Status="Exited (137) 1 second ago", Labels={
            **container()["Labels"], "org.slipway.attempt": "1", "org.slipway.rules": json.dumps(rules)})

    def oom_inspection(self):
        return inspection(ExitCode=137, OOMKilled=True)

    def test_app_that_waits_for_a_retry_after_oom_is_cancelled(self):
        waiting = self.waiting_app()

        def behave(method, target, _connection):
            path, _, query = target.partition("?")
            if path.endswith("/rename"):
                waiting["Names"] = ["/" + query.partition("=")[2]]
            if path == "/containers/json":
                return answer(200, [waiting])
            return answer(200, self.oom_inspection()) if method == "GET" else answer(204, b"")

        self.engine(behave)
        self.ok("cancel", HANDLE)
        self.assertEqual(self.ok("status", "--json", HANDLE).json["state"], "CANCELLED")

    def test_app_that_waits_for_a_retry_after_oom_has_not_ended_for_signal(self):
        waiting = self.waiting_app()
        self.engine(lambda _method, target, _connection: answer(
            200, [waiting] if target.startswith("/containers/json") else self.oom_inspection()))
        self.fails(69, "precondition", "was sent to no replica", "signal", HANDLE, "USR1")

    def test_failure_to_remove_a_network_is_reported(self):
        for failing, reply, words in (
                ("GET", refusal(500, "no list today"), "no list today"),
                ("DELETE", refusal(500, "cannot lock iptables"), "cannot lock iptables")):
            with self.subTest(failing):
                def behave(method, target, _connection, failing=failing, reply=reply):
                    path = target.split("?")[0]
                    if path.startswith("/networks"):
                        networks = [{"Id": "n0", "Labels": container()["Labels"]}]
                        return reply if method == failing else answer(200, networks if path == "/networks" else {})
                    return answer(200, [container()] if path == "/containers/json" else inspection())

                engine = self.engine(behave)
                self.fails(69, "unavailable", words, "delete", HANDLE)
                engine.close()
                os.unlink(engine.path)

    def test_network_in_use_does_not_prevent_the_deletion_of_an_app(self):
        def behave(method, target, _connection):
            path = target.split("?")[0]
            if path == "/networks/n0" and method == "DELETE":
                return refusal(403, "network n0 has active endpoints")
            if path == "/networks":
                return answer(200, [{"Id": "n0", "Labels": container()["Labels"]}])
            return answer(200, [container()] if path == "/containers/json" else inspection())

        engine = self.engine(behave)
        self.ok("delete", HANDLE)
        self.assertIn("/networks/n0", engine.targets("DELETE"))

    def test_signal_ends_attach_whose_engine_is_away(self):
        following = threading.Event()

        def behave(_method, target, connection):
            if target.startswith("/events"):
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                following.set()
                threading.Event().wait()
            return answer(200, [container(State="running")] if target.startswith("/containers/json")
                          else inspection(Status="running"))

        engine = self.engine(behave)
        process = self.start("--json", "attach", "--no-log", HANDLE)
        self.assertTrue(following.wait(LIMIT_S))
        engine.close()
        self.assertIn("waiting until it does", process.stderr.readline().decode())
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual((result.status, result.json["status"]["state"]), (130, "UNKNOWN"), result)
        self.assertIn(f"stopped waiting; {HANDLE} still runs", result.stderr)

    def test_last_messages_are_read_also_if_the_engine_ends_the_stream_before_them(self):
        messages = [frame(1, "05.6", "first\n"), frame(2, "05.5", "to stderr\n"), frame(1, "05.7", "no line end")]

        def behave(_method, target, _connection):
            if target.startswith("/containers/json"):
                return answer(200, [container()])
            if "/logs?" in target:
                return answer(200, b"".join(messages[: 2 if "follow=1" in target else 3]))
            return answer(200, inspection())

        self.engine(behave)
        self.assertEqual(self.ok("log", "-f", HANDLE).stdout, "first\nto stderr\nno line end")

    def test_tail_counts_the_old_lines_also_if_they_arrive_late(self):
        def behave(_method, target, connection):
            if target.startswith("/containers/json"):
                return answer(200, [container()])
            if "/logs?" not in target:
                return answer(200, inspection())
            reply = answer(200, frame(1, "05.1", "old\n") + frame(1, "05.2", "last\n"))
            at = reply.index(b"old") + 4
            for part in (reply[:at], reply[at:]):
                time.sleep(0.05)
                connection.sendall(part)
            return b""

        self.engine(behave)
        self.assertEqual(self.ok("log", "-f", "--tail", "1", HANDLE).stdout, "last\n")

    def test_log_continues_if_the_engine_refuses_to_say_whether_the_container_has_ended(self):
        messages = [frame(1, "05.1", "first\n"), frame(1, "05.2", "last\n")]
        refusals = []

        def behave(_method, target, _connection):
            if target.startswith("/containers/json"):
                return answer(200, [container()])
            if "/logs?" in target:
                if "follow=1" in target and not refusals:
                    refusals.append(refusal(503, "the engine is shutting down"))
                    return answer(200, messages[0])
                return answer(200, b"".join(messages))
            if len(refusals) == 1:
                refusals.append(None)
                return refusals[0]
            return answer(200, inspection())

        self.engine(behave)
        self.assertEqual(self.ok("log", "-f", HANDLE).stdout, "first\nlast\n")
        self.assertEqual(len(refusals), 2)

    # ---- submission

    def submits(self, on_create, on_start=lambda: answer(204, b"")):
        """Starts an engine that has the app's image. on_create() and on_start() answer requests to create and to start
        a container. Returns the engine and the list of the requests that created one; a removal empties the list."""
        made = []

        def behave(method, target, _connection):
            path = target.split("?")[0]
            if path == "/containers/create":
                reply = on_create()
                if reply.startswith(b"HTTP/1.1 201"):
                    made.append(target)
                return reply
            if path.endswith("/start"):
                return on_start()
            if path == "/containers/json":
                return answer(200, [container()] if made else [])
            if method == "DELETE":
                made.clear()
            return answer(200, {"Id": "x"})

        return self.engine(behave), made

    def test_refused_containers_leave_no_network(self):
        self.write("app.toml", APP)
        for answered, status, code in ((refusal(409, "Conflict. The name is already in use"), 73, "exists"),
                                       (refusal(500, "write /x: no space left on device"), 73, "cant_create"),
                                       (refusal(400, "invalid mount config"), 65, "invalid")):
            with self.subTest(code):
                engine, _ = self.submits(lambda answered=answered: answered)
                self.fails(status, code, "cannot create the container of w/0", "run", "-d", "-s", "local_docker",
                           "app.toml")
                self.assertIn("/networks/prune", engine.targets("POST"))
                engine.close()
                os.unlink(engine.path)

    def test_container_that_does_not_start_is_removed(self):
        self.write("app.toml", APP)
        engine, made = self.submits(lambda: answer(201, {"Id": "c0"}), lambda: refusal(500, "runc: not found"))
        self.fails(65, "invalid", "cannot start w/0", "run", "-d", "-s", "local_docker", "app.toml")
        self.assertEqual(made, [])
        self.assertIn("/containers/c0", engine.targets("DELETE"))

    def test_app_uses_the_network_of_the_host_if_the_engine_has_no_bridges(self):
        self.write("app.toml", APP)
        answers = [refusal(500, "failed to add the host (veth) pair interfaces: operation not supported")]
        engine, _ = self.submits(lambda: answer(201, {"Id": "c0"}),
                                 lambda: answers.pop() if answers else answer(204, b""))
        result = self.ok("run", "-d", "-s", "local_docker", "app.toml")
        self.assertIn("the app uses the host's network", result.stderr)
        bodies = [json.loads(body) for _, target, body in engine.requests if target.startswith("/containers/create")]
        self.assertEqual([body["HostConfig"]["NetworkMode"] == "host" for body in bodies], [False, True])
        self.assertIn("TORCHX_RANK0_HOST=localhost", bodies[1]["Env"])

    def test_run_records_of_apps_of_another_engine_stay(self):
        self.write("app.toml", APP)
        self.submits(lambda: answer(201, {"Id": "c0"}), lambda: answer(204, b""))
        runs = self.state / "slipway" / "runs" / "local_docker"
        handles = []
        for _ in range(2):  # the second command finds no container of the first one's app
            handles.append(self.ok("run", "-d", "-s", "local_docker", "app.toml").stdout.strip())
            for path in runs.rglob("*"):
                os.utime(path, (0, 0))
        left = {path.name for path in runs.rglob("*") if path.is_file()} - {".visited"}
        self.assertEqual(left, {handle.rsplit("/", 1)[1] for handle in handles})

    def test_program_with_the_name_of_a_network_part_is_no_failure_of_the_network(self):
        self.write("app.toml", APP)
        words = 'OCI runtime create failed: exec: "bridge-worker": executable file not found in $PATH'
        engine, _ = self.submits(lambda: answer(201, {"Id": "c0"}), lambda: refusal(400, words))
        error = self.fails(65, "invalid", "bridge-worker", "run", "-d", "-s", "local_docker", "app.toml")
        self.assertIn("cannot start w/0", error["message"])
        bodies = [json.loads(body) for _, target, body in engine.requests if target.startswith("/containers/create")]
        self.assertNotIn("host", [body["HostConfig"]["NetworkMode"] for body in bodies])

    def test_network_of_an_app_that_waits_for_a_retry_stays_when_addresses_are_used_up(self):
        self.write("app.toml", APP)
        waiting = self.waiting_app()
        ended = container(Id="c1", Labels={**container()["Labels"], "torchx.pytorch.org/app-id": "app-y"})
        networks = [{"Id": f"n{i}", "Labels": one["Labels"]} for i, one in enumerate((waiting, ended))]

        def behave(_method, target, _connection):
            path = target.split("?")[0]
            if path == "/networks/create" and "/networks/n1" not in engine.targets("DELETE"):
                return refusal(500, "all predefined address pools have been fully subnetted")
            if path == "/containers/c0/json":
                return answer(200, self.oom_inspection())
            return answer(200, {"/containers/json": [waiting, ended], "/networks": networks}.get(path, {"Id": "x"}))

        engine = self.engine(behave)
        self.ok("run", "-d", "-s", "local_docker", "app.toml")
        self.assertEqual([target for target in engine.targets("DELETE") if target.startswith("/networks/")],
                         ["/networks/n1"])

    def test_relative_working_directory_is_below_that_of_the_image(self):
        for image_dir, role_cwd, expected in (("/srv", "a/b", "/srv/a/b"), ("/", "a", "/a"), ("", "a", "/a"),
                                              ("/srv", "/x", "/x")):
            with self.subTest(image_dir, cwd=role_cwd):
                self.write("app.toml", APP + f'num_replicas = 3\ncwd = "{role_cwd}"\n')
                made = []

                def behave(method, target, _connection, image_dir=image_dir, made=made):
                    path = target.split("?")[0]
                    if path == "/containers/json":
                        return answer(200, [container()] if made else [])
                    if path.startswith("/images/"):
                        return answer(200, {"Id": "x", "Config": {"WorkingDir": image_dir}})
                    made.append(target)
                    return answer(204, b"") if path.endswith("/start") else answer(201, {"Id": "x"})

                engine = self.engine(behave)
                self.ok("run", "-d", "-s", "local_docker", "app.toml")
                bodies = [json.loads(body) for _, target, body in engine.requests if target.startswith("/containers/c")]
                self.assertEqual([body["WorkingDir"] for body in bodies], [expected] * 3)
                # The image is inspected to find it, and once more for its directory, however many the replicas.
                self.assertLessEqual(len(engine.targets("GET")), 2)
                engine.close()
                os.unlink(engine.path)

    def test_an_engine_that_dies_during_a_submission_leaves_the_outcome_unknown(self):
        self.write("app.toml", APP)

        def behave(_method, target, _connection):
            return answer(200, {}) if target.startswith(("/images/", "/networks/create")) else None

        self.engine(behave)
        error = self.fails(75, "outcome_unknown", "the app may be running", "run", "-d", "-s", "local_docker",
                           "app.toml")
        self.assertIn("docker ps -a --filter label=", error["hint"])

    # ---- the owner of an app

    def owned_app(self, on_create, on_start):
        """Starts a foreground run on an engine whose requests to create and to start a container on_create() and
        on_start() answer. Returns the engine and the process."""
        made = []

        def behave(method, target, connection):
            path = target.split("?")[0]
            if path == "/events":
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                threading.Event().wait()
            if path == "/containers/create":
                app_id = target.partition("?name=")[2].removesuffix("-w-0")
                labels = {**container()["Labels"], "torchx.pytorch.org/app-id": app_id}
                made.append(container(State="running", Status="Up", Labels=labels))
                return on_create()
            if path.endswith("/start"):
                return on_start()
            if path == "/containers/json":
                return answer(200, made)
            if method == "DELETE":
                made.clear()
            return answer(200, inspection(Status="running"))

        self.write("app.toml", APP)
        self.addCleanup(self.kill_helpers)
        engine = self.engine(behave)
        return engine, self.start("run", "-s", "local_docker", "app.toml")

    def test_command_that_is_killed_in_the_middle_of_a_submission_leaves_nothing(self):
        for where in ("create", "start"):
            with self.subTest(where):
                arrived = threading.Event()

                def hang(arrived=arrived):
                    arrived.set()
                    threading.Event().wait()

                create = hang if where == "create" else lambda: answer(201, {"Id": "c0"})
                engine, process = self.owned_app(create, hang)
                self.assertTrue(arrived.wait(LIMIT_S))
                process.kill()
                self.finish(process)
                self.eventually(lambda engine=engine: "/containers/c0" in engine.targets("DELETE"), "it is removed")
                self.eventually(lambda engine=engine: "/networks/prune" in engine.targets("POST"),
                                "the network is removed")
                self.kill_helpers()
                engine.close()
                os.unlink(engine.path)

    def test_order_to_cancel_reaches_an_engine_that_was_away_when_the_command_died(self):
        started = threading.Event()

        def start():
            started.set()
            return answer(204, b"")

        engine, process = self.owned_app(lambda: answer(201, {"Id": "c0"}), start)
        self.assertTrue(started.wait(LIMIT_S))
        self.assertIn("local_docker://", process.stdout.readline().decode())
        engine.close()
        os.unlink(engine.path)
        process.kill()
        self.finish(process)
        after = self.engine(engine.behave)
        self.eventually(lambda: "/containers/c0/stop" in after.targets("POST"), "the container is stopped")

    def test_attempt_that_the_engine_refuses_is_tried_again(self):
        # The engine cannot follow these rules, so `status` starts a supervisor for the app.
        rules = {"options": {"retry_on": "3"}, "app": {"name": "app", "roles": [{"name": "w", "max_retries": 1}]}}
        labels = {**container()["Labels"], "org.slipway.attempt": "1", "org.slipway.rules": json.dumps(rules)}
        made = [container(Status="Exited (3) 5 minutes ago", Labels=labels)]
        created = threading.Event()
        refusals = [refusal(500, "no space left on device")]
        config = {"Image": "sha256:1", "Config": {"Env": [], "Labels": labels}, "HostConfig": {"NetworkMode": "host"},
                  "NetworkSettings": {"Networks": {}}}

        def behave(method, target, connection):
            path = target.split("?")[0]
            if path == "/events":
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                created.wait()
                connection.sendall(b"2\r\n{}\r\n")  # an event, after which the helper asks for the containers again
                threading.Event().wait()
            if path == "/containers/json":
                return answer(200, made)
            if path == "/containers/create":
                if refusals:
                    return refusals.pop()
                made.append(container(Id="c1", State="exited", Status="Exited (0) now",
                                      Labels={**labels, "org.slipway.attempt": "2"}))
                created.set()
                return answer(201, {"Id": "c1"})
            code = 0 if "/c1/" in path else 3
            return answer(200, {**config, **inspection(ExitCode=code)} if method == "GET" else {})

        engine = self.engine(behave)
        self.addCleanup(self.kill_helpers)
        status = self.ok("status", "--json", HANDLE).json
        self.assertEqual((status["state"], status["roles"][0]["replicas"][0]["state"]), ("RUNNING", "PENDING"))
        self.eventually(lambda: engine.targets("POST").count("/containers/create") == 2, "it tries again")
        self.eventually(lambda: not self.living_helpers(), "it ends with the app")
        replica = self.ok("status", "--json", HANDLE).json["roles"][0]["replicas"][0]
        self.assertEqual([(one["state"], one["exit_code"]) for one in replica["attempts"]],
                         [("FAILED", 3), ("SUCCEEDED", 0)])

    def test_start_that_the_engine_refuses_while_it_shuts_down_is_tried_again(self):
        # The engine has no time limits, so `status` starts a supervisor for the app.
        rules = {"options": {}, "app": {"name": "app", "roles": [
            {"name": "w", "metadata": {"slipway.timeout_s": 600}}]}}
        labels = {**container()["Labels"], "org.slipway.attempt": "1", "org.slipway.rules": json.dumps(rules)}
        states = [{"State": "created", "Status": "Created", "Labels": labels}]
        started = threading.Event()
        lost = 'dial unix containerd.sock: connect: connection refused": unavailable'
        refusals = [refusal(503, "the daemon is shutting down"), refusal(500, lost)]

        def behave(method, target, connection):
            path = target.split("?")[0]
            if path == "/events":
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                started.wait()
                connection.sendall(b"2\r\n{}\r\n")  # an event, after which the helper asks for the containers again
                threading.Event().wait()
            if path == "/containers/json":
                return answer(200, [container(**states[-1])])
            if path.endswith("/start"):
                if refusals:
                    return refusals.pop()
                states.append({"Labels": labels})
                started.set()
                return answer(204, b"")
            if method == "GET":
                created = {"Status": "created", "StartedAt": "0001-01-01T00:00:00Z",
                           "FinishedAt": "0001-01-01T00:00:00Z"}
                return answer(200, inspection(**({} if started.is_set() else created)))
            return answer(204, b"")

        engine = self.engine(behave)
        self.addCleanup(self.kill_helpers)
        self.ok("status", HANDLE)
        self.eventually(lambda: not self.living_helpers(), "it ends with the app")
        self.assertEqual(engine.targets("POST"), ["/containers/c0/start"] * 3)
        self.assertEqual(self.ok("status", "--json", HANDLE).json["state"], "SUCCEEDED")

    def test_run_without_an_engine_reports_why_the_helper_cannot_begin(self):
        self.env["DOCKER_HOST"] = f"unix://{self.root}/nosuch.sock"
        self.write("app.toml", APP)
        error = self.fails(69, "unavailable", "there is no such socket", "run", "-s", "local_docker", "app.toml")
        self.assertIn("start the engine", error["hint"])

    def test_helper_that_cannot_begin_has_the_code_of_its_error(self):
        self.write("app.toml", APP)
        for reply, status, code in ((refusal(403, "authorization denied by plugin"), 77, "denied"),
                                    (refusal(503, "the daemon is shutting down"), 75, "temporary")):
            with self.subTest(code):
                engine = self.engine(lambda _method, target, _connection, reply=reply:
                                     reply if target.startswith("/events") else answer(200, []))
                self.fails(status, code, "the app's helper cannot begin", "run", "-s", "local_docker", "app.toml")
                engine.close()
                os.unlink(engine.path)

    def test_helper_that_is_missing_is_an_error_before_anything_is_created(self):
        tree = self.root / "tree"
        shutil.copytree(SLIPWAY.parents[1], tree, ignore=shutil.ignore_patterns("slipway-docker-supervisor"))
        engine = self.engine(lambda *_: answer(200, []))
        self.write("app.toml", APP)
        done = subprocess.run([tree / "bin" / "slipway", "run", "-s", "local_docker", "app.toml"], env=self.env,
                              cwd=self.cwd, capture_output=True, text=True, check=False, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("slipway-docker-supervisor is missing", done.stderr)
        self.assertNotIn("/containers/create", engine.targets("POST"))

    # ---- images

    def pull(self, status, code, words, reply, *options):
        """Checks that a run fails with `words` on an engine that lacks the image and answers a pull with `reply`.
        Returns the engine."""
        self.write("app.toml", APP)

        def behave(_method, target, _connection):
            if target.startswith("/images/create"):
                return reply
            return refusal(404, "No such image") if target.startswith("/images/") else answer(200, [])

        engine = self.engine(behave)
        self.fails(status, code, words, "run", "-d", "-s", "local_docker", *options, "app.toml")
        engine.close()
        os.unlink(engine.path)
        return engine

    def test_failed_pulls_have_the_words_of_the_engine(self):
        for words, status, code in (
                ("pull access denied, repository does not exist or may require 'docker login'", 66, "not_found"),
                ("unauthorized: authentication required", 77, "denied"),
                ("write /var/lib/docker/tmp: no space left on device", 73, "cant_create"),
                ("dial tcp: lookup registry.example.org: no such host", 75, "temporary")):
            with self.subTest(words):
                self.pull(status, code, words, refusal(404, words))
                lines = [{"status": "Pulling from img", "id": "1"}, {"error": words}]
                self.pull(status, code, words, answer(200, "\n".join(map(json.dumps, lines)).encode()))

    def test_nothing_is_pulled_against_the_policy(self):
        engine = self.pull(66, "not_found", "may not pull it", answer(200, b""), "-c", "pull=never")
        self.assertNotIn("/images/create", engine.targets("POST"))

    def test_credentials_of_docker_login_are_sent(self):
        self.write("app.toml", APP.replace("img:1", "registry.example.org:5000/team/img:1"))
        helper = self.root / "bin"
        helper.mkdir()
        (helper / "docker-credential-test").write_text(
            '#!/bin/sh\nread -r server\nprintf \'{"Username":"me@%s","Secret":"s3cret"}\' "$server"\n',
            encoding="utf-8")
        (helper / "docker-credential-test").chmod(0o755)
        (self.root / ".docker").mkdir()
        (self.root / ".docker" / "config.json").write_text(
            json.dumps({"credHelpers": {"registry.example.org:5000": "test"}}), encoding="utf-8")
        self.env["PATH"] = f"{helper}:{self.env['PATH']}"
        self.env.pop("DOCKER_CONFIG", None)
        heads = []

        def behave(_method, target, _connection):
            return refusal(404, "unauthorized") if "/images/" in target else answer(200, [])

        engine = self.engine(behave)
        serve = engine._serve

        def keep_head(connection):
            # HostileEngine keeps no headers of requests, so this looks at them first.
            heads.append(connection.recv(65536, socket.MSG_PEEK))
            serve(connection)

        engine._serve = keep_head
        self.expect(77, "run", "-d", "-s", "local_docker", "app.toml")
        sent = [head for head in heads if b"X-Registry-Auth" in head]
        self.assertEqual(len(sent), 1)
        line = sent[0].split(b"X-Registry-Auth: ")[1].split(b"\r\n")[0]
        self.assertEqual(json.loads(base64.urlsafe_b64decode(line)),
                         {"serveraddress": "registry.example.org:5000",
                          "username": "me@registry.example.org:5000", "password": "s3cret"})


if __name__ == "__main__":
    unittest.main()
