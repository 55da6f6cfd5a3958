"""Fixed ports for apps and daemons of tests.

They are below the range of outgoing connections, so no connection of another program takes one between the choice and
the daemon's start. An abstract Unix socket with the number of the port in its name is the lease of a port: the port
belongs to this process until the process ends.
"""

import socket

_leases = []


def free_ports(count):
    """Returns ports without a listener, which no other test gets while this process lives."""
    ports = []
    for port in range(20000, 32000):
        if len(ports) == count:
            break
        lease = socket.socket(socket.AF_UNIX)
        try:
            lease.bind(f"\0slipway-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            lease.close()
            continue
        _leases.append(lease)
        ports.append(port)
    if len(ports) < count:
        raise RuntimeError("not enough ports are free")
    return ports


def free_port():
    """Returns a port as free_ports() does."""
    (port,) = free_ports(1)
    return port
