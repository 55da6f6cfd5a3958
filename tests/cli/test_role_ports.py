"""How roles find each other on the local schedulers: macros and variables with ports, and conflicts of fixed ports."""

import os
import signal
import socket
import unittest
from pathlib import Path

from app_text import role
from free_ports import free_port
from machine_leases import leases
from slipway_case import SlipwayCase


def blocks(process, number):
    """Returns whether the process blocks the signal, to read it from a descriptor, or has ended."""
    if process.poll() is not None:
        return True
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    (mask,) = [line.split(":")[1] for line in status.splitlines() if line.startswith("SigBlk")]
    return bool(int(mask, 16) & 1 << number - 1)


class RolePorts(SlipwayCase):
    def setUp(self):
        super().setUp()
        # The name of a pool has at most 64 bytes.
        self.env["SLIPWAY_LOCAL_LEASE_POOL"] = f"test-{os.getpid()}-{self.id()}"[:64]

    def ports_of(self, handle):
        return {key: replica.get("ports") for key, replica in self.replicas_of(handle).items()}

    def logged(self, handle, name):
        """Returns the words in the log of a role or replica."""
        return self.ok("log", "--no-prefix", f"{handle}/{name}").stdout.split()

    def test_macro_of_the_own_role_is_the_port_of_the_replica(self):
        app = self.app(role("w", "echo ${port.x} $SLIPWAY_PORT_X $E", env={"E": "<${port.x}>"}, port_map={"x": 0},
                            num_replicas=3))
        handle = self.ok("run", app).stdout.strip()
        for k, ports in enumerate(self.ports_of(handle).values()):
            self.assertEqual(self.logged(handle, f"w/{k}"), [str(ports["x"])] * 2 + [f"<{ports['x']}>"])

    def test_roles_find_replica_0_of_other_roles(self):
        fixed = free_port()
        app = self.app(role("w", "echo ${role.kv.host}:${role.kv.port.http} ${role.kv.port.api} "
                                 "$SLIPWAY_ROLE_KV_HOST:$SLIPWAY_ROLE_KV_PORT_HTTP $SLIPWAY_ROLE_KV_PORT_API"),
                       role("kv", "true", port_map={"http": 0, "api": fixed}))
        handle = self.ok("run", app).stdout.strip()
        address = f"localhost:{self.ports_of(handle)['kv/0']['http']}"
        self.assertEqual(self.logged(handle, "w"), [address, str(fixed)] * 2)

    def test_roles_whose_variables_clash_are_refused(self):
        for ports, variable in (({"a-b": {"http": 0}, "a_b": {"http": 0}}, "SLIPWAY_ROLE_A_B_PORT_HTTP"),
                                ({"a": {"host": 7001}, "a-port": {"x": 0}}, "SLIPWAY_ROLE_A_PORT_HOST")):
            app = self.app(*(role(name, "true", port_map=ports[name]) for name in ports))
            first, second = ports
            for options in (), ("-n",):
                with self.subTest(variable=variable, options=options):
                    error = self.expect_failure(65, "invalid", "run", *options, app)
                    self.assertIn(f"the roles '{first}' and '{second}' would both have the variable {variable}",
                                  error["message"])
        self.assert_no_app()

    def test_roles_whose_variables_differ_run_although_their_names_look_alike(self):
        app = self.app(role("a-b", "true", port_map={"http": 0}), role("a_b", "true", port_map={"api": 0}),
                       role("a.b", "echo $SLIPWAY_ROLE_A_B_HOST"))
        self.assertEqual(self.logged(self.ok("run", app).stdout.strip(), "a.b"), ["localhost"])

    def test_variables_of_the_app_are_kept(self):
        app = self.app(role("w", "echo $SLIPWAY_ROLE_KV_HOST", env={"SLIPWAY_ROLE_KV_HOST": "mine"}),
                       role("kv", "true", port_map={"http": 0}))
        self.assertEqual(self.logged(self.ok("run", app).stdout.strip(), "w"), ["mine"])

    def test_probe_command_has_the_port_of_its_replica(self):
        app = self.app(role("w", "echo $SLIPWAY_PORT_X > port.${replica_id}; while [ ! -s ready.${replica_id} ]; "
                                 "do sleep 0.02; done", port_map={"x": 0}, num_replicas=2,
                            metadata={"local.ready.command": "[ -s port.${replica_id} ] && "
                                                             "echo ${port.x} > ready.${replica_id}"}))
        self.ok("run", app)
        for k in range(2):
            self.assertEqual((self.cwd / f"ready.{k}").read_text(), (self.cwd / f"port.{k}").read_text())

    def test_two_dollars_keep_the_text_for_the_shell(self):
        app = self.app({"name": "w", "image": ".", "entrypoint": "echo", "args": ["$${port.x}"], "port_map": {"x": 0}})
        self.assertEqual(self.logged(self.ok("run", app).stdout.strip(), "w"), ["${port.x}"])

    def test_dry_run_shows_fixed_ports_and_keeps_macros_of_ports_chosen_at_launch(self):
        app = self.app(role("w", "echo ${role.kv.port.http} ${role.kv.port.api}"),
                       role("kv", "true", port_map={"http": 0, "api": 7000}))
        self.assertIn("echo ${role.kv.port.http} 7000", self.ok("run", "-n", app).stdout)

    def test_fixed_port_in_use_is_reported_before_anything_starts(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = listener.getsockname()[1]
            app = self.app(role("w", "touch ran"), role("kv", "touch ran", port_map={"http": port}))
            error = self.expect_failure(69, "unavailable", "run", app)
            self.assertEqual(error["message"],
                             f"port {port}, the port 'http' of kv, is in use by a program of this machine")
        self.assertFalse((self.cwd / "ran").exists())
        self.assert_no_app()
        self.ok("run", app)

    def test_port_of_a_server_that_ended_is_free_although_its_connections_linger(self):
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = listener.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port)) as client:
                served, _ = listener.accept()
                served.close()  # the side that closes first lingers
                self.assertEqual(client.recv(1), b"")
        self.ok("run", self.app(role("kv", "true", port_map={"http": port})))

    def test_two_roles_with_one_fixed_port_are_refused(self):
        app = self.app(role("a", "touch ran", port_map={"http": 7001}), role("b", "touch ran", port_map={"api": 7001}))
        error = self.expect_failure(65, "invalid", "run", app)
        self.assertEqual(error["message"],
                         "port 7001 is the port 'http' of a and the port 'api' of b, which run on the same machine")
        self.assert_no_app()

    def test_replicas_with_one_fixed_port_are_reported(self):
        app = self.app(role("kv", "true", port_map={"http": free_port()}, num_replicas=2))
        self.assertIn("only one of them can listen", self.ok("run", app).stderr)

    def test_fixed_port_is_leased_until_the_app_ends(self):
        gate = self.gate()
        port = free_port()
        app = self.app(role("kv", "read go < gate", port_map={"http": port}))
        first = self.detach(app)
        self.assert_state(first, "RUNNING")
        self.assertIn(f"port/{port}", leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"]))
        error = self.expect_failure(69, "unavailable", "run", app)
        self.assertEqual(error["message"],
                         f"port {port}, the port 'http' of kv, is leased by another app of this machine")
        self.open_gate(gate)
        self.ok("wait", first)
        self.eventually(lambda: not leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"]), "the lease ends")
        second = self.detach(app)
        self.open_gate(gate)
        self.ok("wait", second)

    def test_signals_end_the_wait_for_a_fixed_port(self):
        app = self.app(role("kv", "read go < gate", port_map={"http": free_port()}))
        gate = self.gate()
        first = self.detach(app)
        for options, number in (([], signal.SIGINT), (["-d"], signal.SIGTERM)):
            with self.subTest(options=options):
                # The command waits for the port for a while, and then fails with 69. The signal may come after that.
                for _ in range(5):
                    process = self.start("run", *options, app)
                    self.eventually(lambda: blocks(process, number), "it takes signals, or has ended")
                    process.send_signal(number)
                    result = self.finish(process)
                    if result.status != 69:
                        break
                self.assertEqual(result.status, 130, result)
                self.assertEqual(result.stdout, "")
        listed = self.ok("list", "--all", "--json").json["apps"]
        self.assertEqual([each["handle"] for each in listed], [first])
        self.open_gate(gate)
        self.ok("wait", first)
        self.assert_nothing_lives()
        self.eventually(lambda: not leases(self.env["SLIPWAY_LOCAL_LEASE_POOL"]), "no lease is left")

    def test_two_apps_of_dist_ddp_at_once_meet_at_ports_of_their_own(self):
        gate = self.gate()
        # The working directory precedes the directories of PATH.
        self.write("torchrun", """#!/bin/sh
while [ "$1" != --rdzv_endpoint ]; do shift; done
echo "$2"
read go < gate
""")
        (self.cwd / "torchrun").chmod(0o755)
        arguments = ("run", "-d", "dist.ddp", "-j", "2x1", "--script", "main.py")
        handles = [self.ok(*arguments).stdout.strip() for _ in range(2)]
        for handle in handles:
            self.assert_state(handle, "RUNNING")
        self.open_gate(gate, 4)
        endpoints = []
        for handle in handles:
            self.ok("wait", handle)
            ports = self.ports_of(handle)
            first, second = (self.ok("log", "--no-prefix", f"{handle}/main/{k}").stdout.split() for k in range(2))
            self.assertEqual(first, second)
            self.assertEqual(first, [f"localhost:{ports['main/0']['c10d']}"])
            endpoints += first
        self.assertEqual(len(set(endpoints)), 2)

    def test_replicas_of_dist_ddp_share_only_the_port_of_their_rendezvous(self):
        self.write("torchrun", "#!/bin/sh\n")
        (self.cwd / "torchrun").chmod(0o755)
        handle = self.ok("run", "--set", "roles.main.port_map.http=0", "dist.ddp", "-j", "2x1", "--script",
                         "main.py").stdout.strip()
        first, second = self.ports_of(handle).values()
        self.assertEqual(first["c10d"], second["c10d"])
        self.assertNotEqual(first["http"], second["http"])

    def test_apps_of_dist_components_on_one_node_run_at_once(self):
        gate = self.gate()
        self.write("torchrun", """#!/bin/sh
read go < gate
""")
        (self.cwd / "torchrun").chmod(0o755)
        one_node = ("-j", "1x2", "--script", "main.py")
        handles = [self.ok("run", "-d", component, *options, *one_node).stdout.strip() for component, options in
                   (("dist.ddp", ()), ("dist.ddp", ("--rdzv_conf", "timeout=9")), ("dist.spmd", ()))]
        for handle in handles:
            self.assert_state(handle, "RUNNING")
        self.open_gate(gate, len(handles))
        for handle in handles:
            self.ok("wait", handle)

    def test_mistakes_have_a_place_and_a_hint(self):
        app = self.app(role("w", "true", env={"A": "${role.kvs.host}", "B": "${port.x}", "C": "${role.kv.htp}"}),
                       {"name": "kv", "image": ".", "entrypoint": "echo", "args": ["x", "${role.kv.port.htp}"],
                        "port_map": {"http": 0}})
        for command in (("run",), ("lint",)):
            result = self.expect(65, *command, app)
            text = result.stdout + result.stderr
            for message in ("there is no role 'kvs', did you mean kv?",
                            "the role 'w' has no port 'x', add it to the role's port_map",
                            "'${role.kv.htp}' is not a macro, write ${port.NAME}, ${role.ROLE.port.NAME}",
                            "roles[1].args[1]: the role 'kv' has no port 'htp', did you mean http?"):
                self.assertIn(message, text)
            self.assertRegex(text, r"app\.toml:8:\d+: (error: )?roles\[0\]\.env\.A: there is no role")
        self.assertIn("[wrong-value]", text)

    def test_lint_knows_the_macros(self):
        app = self.app({"name": "w", "image": ".", "entrypoint": "echo", "args": ["${port.x} ${role.w.host}"],
                        "port_map": {"x": 0}})
        self.assertEqual(self.ok("lint", app).stdout, "")
        app = self.app({"name": "w", "image": "${port.x}", "entrypoint": "echo", "port_map": {"x": 0}})
        self.assertIn("the macro '${port.x}' is not substituted here", self.ok("lint", app).stdout)


if __name__ == "__main__":
    unittest.main()
