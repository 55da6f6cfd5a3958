"""Fixed ports for apps and daemons of tests.

They are below the range of outgoing connections, so no connection of another program takes one between the choice and
the daemon's start. An abstract Unix socket with the number of the port in its name is the lease of a port: the port
belongs to this process until the process ends.
"""

import socket

_leases = []


def lease(name):
    """Returns a socket that keeps the name from other tests of this network namespace while it is open, without a file.
    Returns None if another test has the name."""
    out = socket.socket(socket.AF_UNIX)
    try:
        out.bind(f"\0slipway-test-{name}")
    except OSError:
        out.close()
        return None
    return out


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def free_ports(count):
    """Returns ports without a listener, which no other test gets while this process lives."""
    ports = []
    for port in range(20000, 32000):
        if len(ports) == count:
            break
        own = lease(f"port-{port}")
        if own and is_free(port):
            _leases.append(own)
            ports.append(port)
        elif own:
            own.close()
    if len(ports) < count:
        raise RuntimeError("not enough ports are free")
    return ports


def free_port():
    """Returns a port as free_ports() does."""
    (port,) = free_ports(1)
    return port
