"""Mounts and process numbers of one's own, for tests that need root for them: gone with the process that holds them."""

import os
import subprocess
import unittest

needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root, for mounts or users of its own")


class OwnMounts:
    """A mount namespace, in which a small tmpfs is mounted on `directory`. Nothing is left when the test is killed."""

    def __init__(self, directory, size):
        script = ('mount --make-rprivate / && mount -t tmpfs -o size="$2",mode=0700 none "$1" && echo ready && read end')
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
