"""A Docker engine on this machine: dockerd of Debian's package docker.io.

All its files, its socket included, are in one temporary directory. It makes no bridge and changes no firewall rule by
itself. Its networks have addresses that no other test engine uses. `stop()` ends dockerd, the containers and their
shims by their pids, and removes every network, mount and file. Needs root.
"""

import contextlib
import http.client
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "cli"))
from free_ports import lease  # noqa: E402  (after the change of sys.path)

BUSYBOX = "/bin/busybox"
TOOLS = ("sh", "true", "false", "sleep", "echo", "cat", "kill", "seq", "id", "test", "head", "nc", "tr", "dd")
IMAGE = "busybox:test"
DEADLINE = 60  # seconds in which the engine must start or stop, on a loaded machine
PROGRAMS = ("dockerd", "containerd", "runc")
NETWORKS = 16  # networks of 256 addresses that one engine can have at a time


def missing_programs():
    """Returns the programs that are not installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)] + (
        [] if os.path.exists(BUSYBOX) else ["busybox"]
    )


class UnixConnection(http.client.HTTPConnection):
    """An HTTP connection to a unix socket."""

    def __init__(self, path):
        super().__init__("docker", timeout=DEADLINE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(DEADLINE)
        self.sock.connect(self.path)


def image_archive():
    """Returns a tar archive of a root file system with busybox and links to it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, mode in (("bin", 0o755), ("tmp", 0o777), ("data", 0o777)):
            directory = tarfile.TarInfo(name)
            directory.type, directory.mode = tarfile.DIRTYPE, mode
            archive.addfile(directory)
        archive.add(os.path.realpath(BUSYBOX), "bin/busybox")
        for name in TOOLS:
            link = tarfile.TarInfo(f"bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, "busybox"
            archive.addfile(link)
    return out.getvalue()


def descendants(root):
    """Returns the pids of the processes that descend from `root`."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            parents[int(entry.name)] = int(stat.rsplit(")", 1)[1].split()[1])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def claim_addresses():
    """Returns a range of addresses for the networks of one engine, and a socket that keeps other engines from the range
    while it is open.

    All engines of a machine share its routes. With the same range, the networks of one engine can leave none for
    another. The ranges are parts of 198.18.0.0/15, which is for tests of networks (RFC 2544).
    """
    for part in range(32):
        if claim := lease(f"addresses-{part}"):
            return f"198.{18 + part // 16}.{part % 16 * 16}.0/20", claim
    raise RuntimeError("32 engines of tests run: there are no addresses for one more")


class Engine:
    def __init__(self, *options):
        self.addresses, self.claim = claim_addresses()
        self.directory = Path(tempfile.mkdtemp(prefix="slipway-dockerd-"))
        self.socket = str(self.directory / "docker.sock")
        self.options = options
        self.process = None
        try:
            self.start()
            self.request("POST", f"/images/create?fromSrc=-&repo={IMAGE.split(':')[0]}&tag={IMAGE.split(':')[1]}",
                         image_archive(), {"Content-Type": "application/x-tar"})
        except BaseException:
            self.stop()
            raise

    def start(self):
        """Starts dockerd, and waits until it answers."""
        (self.directory / "pid").unlink(missing_ok=True)
        # The containerd of a killed dockerd dies with it, and stays a zombie where init does not reap it: the next
        # dockerd would treat it as alive.
        (self.directory / "exec" / "containerd" / "containerd.pid").unlink(missing_ok=True)
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["dockerd", "--storage-driver=vfs", "--iptables=false", "--ip6tables=false", "--bridge=none",
                 f"--default-address-pool=base={self.addresses},size=24", f"--data-root={self.directory}/data",
                 f"--exec-root={self.directory}/exec", f"--pidfile={self.directory}/pid",
                 "-H", f"unix://{self.socket}", *self.options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                # A containerd that dockerd ends because it does not answer writes its stacks to TMPDIR.
                env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
                     "TMPDIR": str(self.directory)})
        deadline = time.monotonic() + DEADLINE
        while True:
            with contextlib.suppress(OSError):
                if self.request("GET", "/_ping")[0] == 200:
                    return
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self.log())
            time.sleep(0.1)

    def log(self):
        return (self.directory / "log").read_text(encoding="utf-8", errors="replace")[-4000:]

    def request(self, method, target, body=None, headers=None):
        """Sends a request. Returns the status and the body of the answer; a body in JSON is parsed."""
        connection = UnixConnection(self.socket)
        try:
            connection.request(method, target, body, headers or {})
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(data)
        return answer.status, data

    def listing(self, target):
        status, out = self.request("GET", target)
        if status != 200:
            raise RuntimeError(f"{target}: {status} {out}")
        return out

    def containers(self):
        return self.listing("/containers/json?all=1")

    def own_networks(self):
        return [one for one in self.listing("/networks") if one["Name"] not in ("none", "host")]

    def remove_everything(self):
        """Removes all containers and networks. A network may stay: on a busy machine, an engine can count a container
        that is gone as connected, and removes the network only after its next start."""
        for one in self.containers():
            self.request("DELETE", f"/containers/{one['Id']}?force=1&v=1")
        for one in self.own_networks():
            self.request("DELETE", f"/networks/{one['Id']}")

    def kill(self):
        """Ends dockerd as a crash does. Its containers live on; without --live-restore, its next start ends them."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        try:
            if self.process:
                self.remove_finally()
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            print(f"containers or networks of an engine may be left: {error}", file=sys.stderr)
        finally:
            if self.process:
                self.end()
            self.end_leftovers()
            self.unmount()
            shutil.rmtree(self.directory, ignore_errors=True)
            self.claim.close()

    def remove_finally(self):
        """Removes all containers and networks. Starts dockerd again if it was killed, or if a network stays."""
        if self.process.poll() is not None:
            self.start()
        self.remove_everything()
        if self.own_networks():
            self.end()
            self.start()
            self.remove_everything()

    def end(self):
        """Ends dockerd, if it runs, and waits for its end."""
        self.process.terminate()
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def end_leftovers(self):
        """Kills the containerd and the shims of this engine: their command lines have its directory."""
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes()
                if str(self.directory).encode() in words and b"containerd" in words:
                    for pid in (*descendants(int(entry.name)), int(entry.name)):
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)

    def mounts(self):
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
        return [line.split()[4] for line in lines if line.split()[4].startswith(str(self.directory))]

    def unmount(self):
        for place in reversed(self.mounts()):
            subprocess.run(["umount", "-l", place], check=False)


def serve():
    """Runs an engine for another program, such as the benchmark. Prints its socket and image, and stops it at the end
    of stdin."""
    if missing_programs() or os.geteuid() != 0:
        sys.exit("it needs root, and Debian's docker.io and busybox-static")
    engine = Engine()
    try:
        print(engine.socket, IMAGE, flush=True)
        sys.stdin.read()
    finally:
        engine.stop()


if __name__ == "__main__":
    serve()
