"""Private mounts and simulated machines for tests that run as root. They end with the process that holds them."""

import os
import shutil
import subprocess
import unittest

needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root, for mounts or other users")


class OwnMounts:
    """A mount namespace with a small tmpfs on `directory`. It disappears even if the test is killed."""

    def __init__(self, directory, size):
        """`size` is the value of tmpfs's option size, such as "1m"; more mount options may follow after a comma."""
        script = ('mount --make-rprivate / && mount -t tmpfs -o size="$2",mode=0700 none "$1" && '
                  'echo ready && read end')
        self.holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script, "sh", str(directory), str(size)],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            error = self.holder.communicate()[1].decode()
            raise unittest.SkipTest(f"private mounts are forbidden here: {error.strip()}")

    def wrapper(self, cwd):
        """Returns the words that precede a command, so that it sees the mount."""
        return ["nsenter", "--mount", "--target", str(self.holder.pid), f"--wd={cwd}"]

    def run(self, *command):
        """Runs a command in the namespace."""
        return subprocess.run([*self.wrapper("/"), *map(str, command)], capture_output=True, check=False)

    def end(self):
        self.holder.communicate()


class OwnMachine:
    """Namespaces that look like another machine with the same files: other processes, host name, boot id, machine-id.

    If `machine_id` is None, the machine has no /etc/machine-id. Each machine needs its own `directory`."""

    # $1 is the host name, $2 the directory, $3 the entry of it to mount: "machine-id" on /etc/machine-id, or "etc", a
    # copy of /etc, on /etc if the machine or this one has no machine-id.
    SCRIPT = ('hostname "$1" && mount --make-rprivate / && '
              'mount --bind "$2/boot_id" /proc/sys/kernel/random/boot_id && '
              'mount --bind "$2/$3" "/etc/${3#etc}" && echo ready && read end')

    def __init__(self, directory, host, boot_id, machine_id):
        directory.mkdir()
        (directory / "boot_id").write_text(boot_id + "\n")
        mounted = "machine-id"
        if machine_id is None or not os.path.exists("/etc/machine-id"):
            mounted = "etc"
            shutil.copytree("/etc", directory / "etc", symlinks=True)
            (directory / "etc" / "machine-id").unlink(missing_ok=True)
        if machine_id is not None:
            (directory / mounted.replace("etc", "etc/machine-id")).write_text(machine_id + "\n")
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc",
             "sh", "-c", self.SCRIPT, "sh", host, str(directory), mounted],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            error = self.holder.communicate()[1].decode()
            raise unittest.SkipTest(f"private namespaces are forbidden here: {error.strip()}")
        self.directory = directory

    def wrapper(self, cwd):
        """Returns the words that precede a command, so that it runs on the machine."""
        holder = f"/proc/{self.holder.pid}/ns"
        return ["nsenter", f"--mount={holder}/mnt", f"--uts={holder}/uts",
                f"--pid={holder}/pid_for_children", f"--wd={cwd}"]

    def end(self):
        """Ends the machine and all of its processes."""
        self.holder.kill()
        self.holder.communicate()
        shutil.rmtree(self.directory)
