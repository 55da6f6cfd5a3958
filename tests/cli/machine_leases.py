"""Lists the leases on GPUs and ports, which are abstract addresses of Unix sockets."""

from pathlib import Path


def leases(pool):
    """Returns the names of the leases of a pool, such as `gpu/0`, and `ports/10016` for a block of ports. A pool is the
    value of SLIPWAY_LOCAL_LEASE_POOL, which keeps the leases of tests apart."""
    start = f"@slipway/{pool}/"
    addresses = [line.split()[-1] for line in Path("/proc/net/unix").read_text(errors="replace").splitlines()]
    return sorted(address.removeprefix(start) for address in addresses if address.startswith(start))
