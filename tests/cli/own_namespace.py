"""Mounts, process numbers and machines of a test's own, which need root; they end with the process that holds them."""

import os
import shutil
import subprocess
import unittest

needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root, for mounts or users of its own")


class OwnMounts:
    """A mount namespace, in which a small tmpfs is mounted on `directory`. Nothing is left when the test is killed."""

    def __init__(self, directory, size):
        script = ('mount --make-rprivate / && mount -t tmpfs -o size="$2",mode=0700 none "$1" && '
                  'echo ready && read end')
        self.holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script, "sh", str(directory), str(size)],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            error = self.holder.communicate()[1].decode()
            raise unittest.SkipTest(f"no mounts of one's own here: {error.strip()}")

    def wrapper(self, cwd):
        """What a command begins with that is to see the mount."""
        return ["nsenter", "--mount", "--target", str(self.holder.pid), f"--wd={cwd}"]

    def run(self, *command):
        return subprocess.run([*self.wrapper("/"), *map(str, command)], capture_output=True, check=False)

    def end(self):
        self.holder.communicate()


class OwnMachine:
    """What looks like another machine with the same files: own processes, host name, boot id and machine-id.

    `machine_id` None: a machine without /etc/machine-id. The files lie below `directory`, one for each machine."""

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
            raise unittest.SkipTest(f"no machine of one's own here: {error.strip()}")
        self.directory = directory

    def wrapper(self, cwd):
        """What a command begins with that runs on the machine."""
        holder = f"/proc/{self.holder.pid}/ns"
        return ["nsenter", f"--mount={holder}/mnt", f"--uts={holder}/uts",
                f"--pid={holder}/pid_for_children", f"--wd={cwd}"]

    def end(self):
        """Ends the machine with all of its processes."""
        self.holder.kill()
        self.holder.communicate()
        shutil.rmtree(self.directory)
