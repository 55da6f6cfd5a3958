"""A TestCase that runs commands with a site's /etc/slipway, and as other users of the machine."""

import os
import shutil
import subprocess

import live_processes
from slipway_case import LIMIT_S, SLIPWAY, TREE, Result, SlipwayCase


class SiteCase(SlipwayCase):
    """A case with a site's configuration, which `site()` writes to /etc/slipway/config.toml. Each command of the test
    runs in its own mount namespace, so only the command and its children see the file."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root, for /etc/slipway and other users")
        self.root.chmod(0o755)
        self.etc = self.root / "etc"
        (self.etc / "slipway").mkdir(parents=True)
        for directory in (self.etc, self.etc / "slipway"):
            directory.chmod(0o755)
        # With these files, commands find users in the /etc that replaces the machine's.
        for name in ("passwd", "group", "nsswitch.conf"):
            if os.path.exists(f"/etc/{name}"):
                shutil.copy(f"/etc/{name}", self.etc / name)
        self.wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                        'mount --bind "$0" /etc && exec "$@"', str(self.etc)]
        if subprocess.run([*self.wrapper, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("mount namespaces are forbidden here")

    def site(self, text):
        """Writes the site's configuration. Returns the path of the file, which commands see in /etc/slipway."""
        path = self.etc / "slipway" / "config.toml"
        path.write_text(text)
        path.chmod(0o644)
        return path

    def home_of(self, user):
        """Makes a home directory of the user with this uid. Returns its path."""
        home = self.root / f"home-{user}"
        if not home.exists():
            (home / ".config").mkdir(parents=True)
            for directory in (home, home / ".config"):
                os.chown(directory, user, user)
        return home

    def state_of(self, home):
        """Returns the state directory of the user with this home directory."""
        return home / ".local" / "state"

    def processes(self):
        """As in SlipwayCase, with the processes of as_user()."""
        found = super().processes()
        for home in self.root.glob("home-*"):
            found |= live_processes.with_environment(b"XDG_STATE_HOME=" + os.fsencode(self.state_of(home)))
        return found

    def as_user(self, user, *arguments, program=SLIPWAY, namespace=(), name="ada", **variables):
        """Runs a command as the user with this uid and its own home, without input. `name` is the value of USER, and
        `namespace` a command that precedes the program, such as `unshare`."""
        home = self.home_of(user)
        env = {**self.env, "HOME": str(home), "USER": name, "XDG_CONFIG_HOME": str(home / ".config"),
               "XDG_STATE_HOME": str(self.state_of(home)), "XDG_CACHE_HOME": str(home / ".cache"), **variables}
        command = [*self.wrapper, "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *namespace,
                   str(program), *map(str, arguments)]
        done = subprocess.run(command, cwd=self.cwd, env=env, input=b"", capture_output=True, timeout=LIMIT_S,
                              check=False)
        return Result(arguments, done.returncode, done.stdout, done.stderr)

    def tree_of(self, owner):
        """Copies the built tree, as if the user with uid `owner` had installed it. Returns the path of the copy."""
        tree = self.root / "opt" / "1.0"
        shutil.copytree(TREE, tree, symlinks=True)
        for directory, names, files in os.walk(tree.parent):
            for path in [directory, *(os.path.join(directory, name) for name in names + files)]:
                os.chown(path, owner, owner, follow_symlinks=False)
            os.chmod(directory, 0o755)
        return tree
