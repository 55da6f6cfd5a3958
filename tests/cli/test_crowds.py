"""Many commands that wait for one app: the supervisor still serves requests, and every command sees the app's end."""

import contextlib
import os
import resource
import signal
import socket
import unittest

import live_processes
from app_text import role
from slipway_case import SlipwayCase

CROWD = 1400  # many more than the 256 connections without a request that the supervisor keeps


class Crowds(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.sockets = []
        self.addCleanup(lambda: [one.close() for one in self.sockets])
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        if hard < 2 * CROWD:
            self.skipTest(f"only {hard} descriptors are allowed here")

    def sleeping_app(self):
        """Starts an app of one replica that sleeps. Returns the handle when the app runs."""
        handle = self.detach(self.app(role("w", "exec sleep 1000")))
        self.assert_state(handle, "RUNNING")
        return handle

    def connect(self, handle, count, request=b"", flags=0):
        """Makes `count` connections to the supervisor, each of which sends `request`. Makes fewer if `flags` has
        SOCK_NONBLOCK and the supervisor's listen queue is full. Returns their sockets."""
        directory = os.open(self.app_dir(handle), os.O_RDONLY | os.O_DIRECTORY)
        made = []
        try:
            for _ in range(count):
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | flags)
                try:
                    connection.connect(f"/proc/self/fd/{directory}/ctl.sock")
                    if request:
                        # At its limit of watchers, the supervisor closes further connections at once.
                        with contextlib.suppress(BrokenPipeError):
                            connection.send(request)
                except BlockingIOError:
                    connection.close()
                    break
                made.append(connection)
        finally:
            os.close(directory)
        self.sockets += made
        return made

    def test_app_with_many_watchers_can_be_cancelled(self):
        handle = self.sleeping_app()
        self.connect(handle, CROWD // 2, b"watch\n")
        self.connect(handle, CROWD // 2, b"state\n")
        self.assert_state(handle, "RUNNING")
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")

    def test_idle_connections_do_not_block_other_commands(self):
        handle = self.sleeping_app()
        self.connect(handle, CROWD)
        self.expect(124, "wait", "--timeout", "0.1", handle)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")

    def test_each_of_many_waiting_commands_sees_the_end(self):
        handle = self.sleeping_app()
        self.connect(handle, CROWD, b"state\n")
        waiters = [self.start("wait", handle) for _ in range(8)]
        self.ok("cancel", "--now", handle)
        self.assertEqual({self.finish(waiter).status for waiter in waiters}, {130})

    def test_supervisor_short_of_descriptors_refuses_watches_but_serves_requests(self):
        self.wrapper = ["prlimit", "--nofile=64:64"]  # fewer than the 100 watches below
        handle = self.sleeping_app()
        self.wrapper = []
        answers = [one.recv(16) for one in self.connect(handle, 100, b"watch\n")]
        self.assertIn(b"changed\n", answers)
        self.assertEqual(answers[-1], b"busy\n")
        # The commands watch the journal instead.
        waiters = [self.start("wait", handle) for _ in range(4)]
        follower = self.start("log", "-f", handle)
        self.expect(124, "wait", "--timeout", "0.1", handle)
        self.ok("cancel", "--now", handle)
        self.assertEqual({self.finish(waiter).status for waiter in waiters}, {130})
        self.assertEqual(self.finish(follower).status, 0)

    def test_supervisor_without_free_descriptors_serves_requests(self):
        self.wrapper = ["prlimit", "--nofile=64:64"]
        handle = self.sleeping_app()
        self.wrapper = []
        self.connect(handle, 300)
        self.ok("cancel", "--now", handle)
        self.assert_state(handle, "CANCELLED")

    def test_a_replica_has_the_descriptors_of_the_command_that_started_it(self):
        self.wrapper = ["prlimit", "--nofile=100:500"]
        handle = self.ok("run", self.app("ulimit -Sn; ulimit -Hn")).stdout.strip()
        self.wrapper = []
        self.assertEqual(self.ok("log", handle).lines, ["100", "500"])

    def test_full_listen_queue_hangs_no_command(self):
        handle = self.sleeping_app()
        _, supervisor = self.helpers(handle)
        os.kill(supervisor, signal.SIGSTOP)
        self.addCleanup(lambda: live_processes.alive(supervisor) and os.kill(supervisor, signal.SIGCONT))
        with open("/proc/sys/net/core/somaxconn", encoding="ascii") as file:
            queue = int(file.read())
        if len(self.connect(handle, queue + 100, flags=socket.SOCK_NONBLOCK)) > queue + 10:
            self.skipTest("the listen queue cannot be filled here")
        self.expect(124, "wait", "--timeout", "1", handle)
        # A command that starts while the queue is full still sees the end of the app.
        waiter = self.start("wait", handle)
        os.kill(supervisor, signal.SIGCONT)
        self.ok("cancel", "--now", handle)
        self.assertEqual(self.finish(waiter).status, 130)


if __name__ == "__main__":
    unittest.main()
