"""port_map on the local schedulers: the free ports that replicas get, and the variables that name them."""

import os
import resource
import signal
import socket
import unittest

from app_text import role
from machine_leases import leases
from slipway_case import SlipwayCase

PORTS_PER_LEASE = 32  # a lease covers the block of ports that begins at a multiple of this number
FIRST_CHOSEN_PORT = 10016  # Slipway chooses no port below it
PRINT_PORTS = "env | grep ^SLIPWAY_PORT_ | sort > ports.${replica_id}"


class Ports(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.env["SLIPWAY_LOCAL_LEASE_POOL"] = f"test-{os.getpid()}"

    def printed_ports(self, name):
        """Returns the variables in a file that PRINT_PORTS wrote, with the ports as numbers."""
        lines = (self.cwd / name).read_text().split()
        return {key: int(number) for key, number in (line.split("=") for line in lines)}

    def test_names_become_variables(self):
        app = self.app(role("w", PRINT_PORTS, port_map={"http": 8080, "a-b.c": 70}))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual(self.printed_ports("ports.0"), {"SLIPWAY_PORT_HTTP": 8080, "SLIPWAY_PORT_A_B_C": 70})
        self.assertEqual(self.replicas_of(handle)["w/0"]["ports"], {"http": 8080, "a-b.c": 70})

    def test_variables_of_the_role_are_kept(self):
        self.ok("run", self.app(role("w", PRINT_PORTS, port_map={"http": 0}, env={"SLIPWAY_PORT_HTTP": "7"})))
        self.assertEqual(self.printed_ports("ports.0"), {"SLIPWAY_PORT_HTTP": 7})

    def test_ports_that_slipway_chooses_are_distinct_and_shown(self):
        app = self.app(role("w", PRINT_PORTS, port_map={"a": 0, "b": 0}, num_replicas=20))
        handle = self.ok("run", app).stdout.strip()
        printed = [self.printed_ports(f"ports.{k}") for k in range(20)]
        numbers = [number for one in printed for number in one.values()]
        self.assertEqual(len(set(numbers)), 40)
        shown = self.replicas_of(handle)
        self.assertEqual([shown[f"w/{k}"]["ports"] for k in range(20)],
                         [{"a": one["SLIPWAY_PORT_A"], "b": one["SLIPWAY_PORT_B"]} for one in printed])

    def test_a_port_can_be_listened_on_and_is_kept_across_attempts(self):
        script = """import os, socket, sys
port = int(os.environ["SLIPWAY_PORT_X"])
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", port)); s.listen()
with open("seen", "a") as f: f.write(f"{port}\\n")
sys.exit(0 if len(open("seen").readlines()) > 2 else 1)
"""
        self.write("listen.py", script)
        app = self.app({"name": "w", "image": ".", "entrypoint": "python3", "args": ["listen.py"],
                        "port_map": {"x": 0}, "max_retries": 2, "retry_policy": "REPLICA"})
        self.ok("run", "-c", "backoff=initial:0.01", app)
        seen = (self.cwd / "seen").read_text().split()
        self.assertEqual((len(seen), len(set(seen))), (3, 1))

    def test_two_apps_share_no_port_even_if_a_supervisor_dies(self):
        gate = self.gate()
        app = self.app(role("w", "read go < gate", port_map={"x": 0}, num_replicas=30))
        first = self.detach(app)
        self.assert_state(first, "RUNNING")
        # The warden also holds the lease.
        os.kill(self.helpers(first)[1], signal.SIGKILL)
        second = self.detach(app)
        ports = [r["ports"]["x"] for h in (first, second) for r in self.replicas_of(h).values()]
        self.assertEqual((len(ports), len(set(ports))), (60, 60))
        self.open_gate(gate, 60)
        for handle in (first, second):
            self.ok("wait", handle)

    def start_idle_app(self, ports, name):
        """Starts an app that listens on no port of its `port_map`. Returns its handle and the ports."""
        handle = self.detach(self.app(role("w", "exec sleep 1000", port_map=ports), file=f"{name}.toml"))
        self.assert_state(handle, "RUNNING")
        return handle, self.replicas_of(handle)["w/0"]["ports"]

    def assert_leased_by_another(self, port):
        """Checks that an app with this fixed port does not start, because another app has the lease."""
        app = self.app(role("w", "touch started", port_map={"y": port}), file="late.toml")
        error = self.expect_failure(69, None, "run", app)
        self.assertIn(f"port {port}, the port 'y' of w, is leased by another app", error["message"])
        self.assertFalse((self.cwd / "started").exists())

    def run_with_fixed_port(self, port, name):
        """Runs an app with this fixed port. Tries again while a test beside this one, with other leases, uses it."""
        app = self.app(role("w", "true", port_map={"y": port}), file=f"{name}.toml")
        self.eventually(lambda: self.run_slipway("run", app).status == 0, f"an app can have port {port}")

    def test_a_port_that_another_app_has_chosen_cannot_be_a_fixed_port(self):
        first, ports = self.start_idle_app({"x": 0}, "first")
        self.assert_leased_by_another(ports["x"])
        # Other ports of the block that the app has leased are free.
        block = ports["x"] // PORTS_PER_LEASE * PORTS_PER_LEASE
        free = next(port for port in range(block, block + PORTS_PER_LEASE) if port not in ports.values())
        self.run_with_fixed_port(free, "second")
        self.ok("cancel", "--now", first)
        self.expect(130, "wait", first)
        self.run_with_fixed_port(ports["x"], "third")

    def test_an_app_keeps_its_ports_after_both_of_its_helpers_were_killed(self):
        for ports in ({"x": 0}, {"x": 17}):
            with self.subTest(ports=ports):
                handle, leased = self.start_idle_app(ports, "first")
                self.kill_helpers()
                self.ok("status", handle)  # starts a successor
                self.assert_leased_by_another(leased["x"])
                self.ok("cancel", "--now", handle)

    def test_dry_run_shows_which_ports_are_chosen_at_launch(self):
        app = self.app(role("w", "true", port_map={"http": 0, "fixed": 80}))
        result = self.ok("run", "-n", app)
        self.assertIn("SLIPWAY_PORT_HTTP='(chosen at launch)'", result.stdout)
        self.assertIn("SLIPWAY_PORT_FIXED=80", result.stdout)
        self.assertNotIn("port_map", result.stderr)
        self.assertEqual(leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"]), [])

    def test_a_port_that_the_environment_sets_is_not_chosen_again(self):
        pool = self.env["SLIPWAY_LOCAL_LEASE_POOL"]
        handle, ports = self.start_idle_app({"x": 0}, "first")
        self.ok("cancel", "--now", handle)
        self.eventually(lambda: not leases(pool), "the leases end")
        # Only the block of this port is left, so its first free port would be chosen again.
        self.lease_all_blocks_but(ports["x"] // PORTS_PER_LEASE * PORTS_PER_LEASE)
        app = self.app(role("w", PRINT_PORTS, port_map={"a": 0, "b": 0}, env={"SLIPWAY_PORT_A": str(ports["x"])}))
        self.ok("run", app)
        printed = self.printed_ports("ports.0")
        self.assertEqual(printed["SLIPWAY_PORT_A"], ports["x"])
        self.assertNotEqual(printed["SLIPWAY_PORT_B"], ports["x"])

    def lease_all_blocks_but(self, free):
        """Leases every block of ports except the one that begins at `free`, until the end of the test."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        if hard < 2000:  # about 1,735 leases, and the files that this process has open
            self.skipTest(f"only {hard} descriptors are allowed here")
        for first in range(FIRST_CHOSEN_PORT, 65536, PORTS_PER_LEASE):
            if first != free:
                lease = socket.socket(socket.AF_UNIX)
                self.addCleanup(lease.close)
                lease.bind(f"\0slipway/{self.env['SLIPWAY_LOCAL_LEASE_POOL']}/ports/{first}")

    def test_names_that_clash_are_refused(self):
        app = self.app(role("w", "true", port_map={"a-b": 1, "a_b": 2}))
        error = self.expect_failure(65, None, "run", app)
        self.assertIn("SLIPWAY_PORT_A_B", error["message"])
        self.assert_no_app()

    def test_ports_are_leased_while_the_app_runs_and_free_afterwards(self):
        pool = self.env["SLIPWAY_LOCAL_LEASE_POOL"]
        gate = self.gate()
        handle = self.detach(self.app(role("w", "read go < gate", port_map={"x": 0}, num_replicas=40)))
        ports = {r["ports"]["x"] for r in self.replicas_of(handle).values()}
        # A name below unused/ is no lease: it shows which ports of a leased block are free.
        taken = [name for name in leases(pool) if not name.startswith("unused/")]
        self.assertEqual(set(taken), {f"ports/{port // PORTS_PER_LEASE * PORTS_PER_LEASE}" for port in ports})
        self.open_gate(gate, 40)
        self.ok("wait", handle)
        self.eventually(lambda: not leases(pool), "the leases end")

    def test_leases_beyond_the_limit_of_descriptors_are_a_temporary_failure(self):
        self.wrapper = ["prlimit", "--nofile=24:24"]
        app = self.app(role("w", "touch started", port_map={"x": 0}, num_replicas=1000))
        error = self.expect_failure(75, "temporary", "run", app)
        self.assertIn("Too many open files", error["message"])
        self.assertIn("ulimit -n", error["hint"])
        self.assertFalse((self.cwd / "started").exists())
        self.wrapper = []
        self.assert_no_app()


if __name__ == "__main__":
    unittest.main()
