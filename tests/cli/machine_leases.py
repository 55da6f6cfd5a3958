"""Leases on GPUs and ports, as the kernel lists them: abstract addresses of Unix sockets."""

from pathlib import Path


def leases(pool):
    """The names of the leases of a pool, as `gpu/0` or `ports/10016`."""
    start = f"@slipway/{pool}/"
    addresses = [line.split()[-1] for line in Path("/proc/net/unix").read_text(errors="replace").splitlines()]
    return sorted(address.removeprefix(start) for address in addresses if address.startswith(start))
