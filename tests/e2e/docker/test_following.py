"""Commands that follow logs or wait, also while the engine is killed and restarted, and the choice of lines by time."""

import unittest

from docker_case import LIMIT, DockerCase, role, why_unable

unable = why_unable()
TICKS = "i=0; while test $i -lt {count}; do i=$((i + 1)); echo tick $i; sleep 0.1; done"


@unittest.skipIf(unable, unable)
class Following(DockerCase):
    # With this option, the containers of an engine that crashed continue.
    options = ("--live-restore",)

    def test_log_is_followed_to_the_end(self):
        handle = self.submit(role("w", TICKS.format(count=10), 2))
        lines = self.slipway("log", "-f", handle).stdout.splitlines()
        for replica in range(2):
            self.assertEqual([line for line in lines if line.startswith(f"w/{replica} ")],
                             [f"w/{replica} tick {i}" for i in range(1, 11)])

    def test_run_waits_for_the_end(self):
        self.app(role("w", "echo hello; exit 5"))
        done = self.slipway("run", "--wait", "-s", "local_docker", "app.toml", status=5)
        self.assertIn("w/0 exited with 5", done.stderr)

    def test_log_of_a_container_that_restarts_has_every_line_once(self):
        handle = self.submit(role("w", "echo run; sleep 0.3; exit 3",
                                  extra="max_retries = 2\nretry_policy = \"REPLICA\"\n"))
        self.assertEqual(self.slipway("log", "-f", handle).stdout.splitlines(), ["run"] * 3)

    def test_commands_continue_after_the_engine_was_killed_and_restarted(self):
        handle = self.submit(role("w", TICKS.format(count=60)))
        follower = self.start("log", "-f", handle)
        waiter = self.start("wait", handle)
        self.assertEqual(follower.stdout.readline(), "tick 1\n")
        self.until_subscribed(waiter)
        self.engine.kill()
        self.slipway("status", handle, status=69)
        self.engine.start()
        rest = follower.stdout.read().splitlines()
        follower.wait(LIMIT)
        self.assertEqual(rest, [f"tick {i}" for i in range(2, 61)])
        out_of_waiter = waiter.communicate(timeout=LIMIT)
        self.assertEqual((follower.returncode, waiter.returncode), (0, 0), out_of_waiter)
        self.assertEqual(self.status(handle)["state"], "SUCCEEDED")

    def test_since_and_until_select_lines_by_time(self):
        handle = self.submit(role("w", TICKS.format(count=5)))
        self.wait(handle)
        lines = self.log(handle, "--timestamps").splitlines()
        self.assertEqual(len(lines), 5)
        time = lines[2].split()[0]
        self.assertIn("tick 5", self.log(handle, "--since", time))
        self.assertNotIn("tick 1\n", self.log(handle, "--since", time))
        self.assertIn("tick 1\n", self.log(handle, "--until", time))
        self.assertNotIn("tick 5", self.log(handle, "--until", time))


if __name__ == "__main__":
    unittest.main()
