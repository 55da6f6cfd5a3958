"""Which owners' manifests and libraries are used: as root, as an ordinary user, and in a setuid program."""

import os
import shutil
import subprocess
import unittest

from slipway_case import LIMIT_S, TREE, Result, SlipwayCase

NOBODY = 65534  # uid and gid of the user nobody
RESOURCE = "[named_resources.mine]\ncpu = 1\n"


class Trust(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.root.chmod(0o755)
        self.site = self.root / "site"
        self.site.mkdir(mode=0o755)
        self.file = self.site / "site.toml"
        self.file.write_text(RESOURCE)
        self.file.chmod(0o644)

    def problems(self, run=None):
        """Returns (file, what is wrong with it, hint) of each problem that the doctor reports. `run` replaces
        run_slipway()."""
        run = run or (lambda *arguments: self.run_slipway(*arguments))
        result = run("--plugin-path", self.site, "plugin", "doctor", "--json")
        return {(p["file"], p["message"].split(" is ", 1)[-1], p["hint"]) for p in result.json["problems"]}

    def shown(self, run=None):
        """Returns the exit status of a command that uses the manifest. `run` replaces run_slipway()."""
        run = run or (lambda *arguments: self.run_slipway(*arguments))
        return run("--plugin-path", self.site, "resource", "show", "mine").status

    # modes -----------------------------------------------------------------------------------------------------------

    def test_a_world_writable_manifest_is_refused(self):
        self.assertEqual(self.shown(), 0)
        self.file.chmod(0o666)
        self.assertEqual(self.shown(), 66)
        self.assertEqual(self.problems(), {(str(self.file), "world-writable", f"chmod o-w {self.file}")})
        subprocess.run(f"chmod o-w {self.file}", shell=True, check=True)
        self.assertEqual(self.shown(), 0)

    def test_manifests_in_a_world_writable_directory_are_refused(self):
        self.site.chmod(0o777)
        self.assertEqual(self.shown(), 66)
        self.assertEqual(self.problems(), {(str(self.site), "world-writable", f"chmod o-w {self.site}")})
        # In a sticky directory users cannot replace files of other users.
        self.site.chmod(0o1777)
        self.assertEqual(self.shown(), 0)

    def test_a_library_that_others_may_replace_is_refused(self):
        directory = self.root / "lib"
        directory.mkdir(mode=0o755)
        library = directory / "x.so"
        shutil.copy(TREE / "lib" / "slipway" / "libslipway_generic.so", library)
        self.file.write_text(f"[[plugin]]\nid = 'org.slipway.generic'\nlibrary = '{library}'\n"
                             "provides.named_resources = ['generic']\n")
        library.chmod(0o757)
        self.assertEqual({hint for _, _, hint in self.problems()}, {f"chmod o-w {library}", *self.copy_hints()})
        library.chmod(0o755)
        directory.chmod(0o777)
        self.assertEqual({hint for _, _, hint in self.problems()}, {f"chmod o-w {directory}", *self.copy_hints()})
        directory.chmod(0o755)
        self.assertEqual({hint for _, _, hint in self.problems()}, set(self.copy_hints()))

    def copy_hints(self):
        """Returns the hints about the installed manifest of the plug-in, which has the same id and differs."""
        return ["remove the outdated one"]

    # owners ---------------------------------------------------------------------------------------------------------

    def as_nobody(self, *arguments, program=None):
        """Runs a command as the user nobody, by default with the copied tree. Returns its Result."""
        program = program or self.copied_tree() / "bin" / "slipway"
        command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", program,
                   *map(str, arguments)]
        for directory in (self.config, self.state, self.cwd):
            directory.mkdir(exist_ok=True)
            os.chown(directory, NOBODY, NOBODY)
        done = subprocess.run(command, cwd=self.cwd, env=self.env, capture_output=True, timeout=LIMIT_S, check=False)
        return Result(arguments, done.returncode, done.stdout, done.stderr)

    def copied_tree(self):
        """Returns a copy of the tree that belongs to root and that all users can read."""
        tree = self.root / "tree"
        if not tree.exists():
            shutil.copytree(TREE, tree, symlinks=True)
            for directory, _, _ in os.walk(tree):
                os.chmod(directory, 0o755)
        return tree

    def needs_root(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root and setpriv")

    def test_root_does_not_use_manifests_of_other_users(self):
        self.needs_root()
        os.chown(self.file, NOBODY, NOBODY)
        self.assertEqual(self.shown(), 66)
        self.assertEqual(self.problems(), {(str(self.file), f"owned by uid {NOBODY}, who is not trusted",
                                            f"if you trust its content: chown root {self.file}")})
        os.chown(self.file, 0, 0)
        os.chown(self.site, NOBODY, NOBODY)
        self.assertEqual(self.shown(), 66)
        self.assertEqual({hint for _, _, hint in self.problems()},
                         {f"if you trust its content: chown root {self.site}"})

    def test_an_ordinary_user_uses_files_of_root_and_its_own(self):
        self.needs_root()
        self.assertEqual(self.shown(self.as_nobody), 0)
        os.chown(self.file, NOBODY, NOBODY)
        os.chown(self.site, NOBODY, NOBODY)
        self.assertEqual(self.shown(self.as_nobody), 0)
        os.chown(self.file, NOBODY - 1, NOBODY - 1)
        self.assertEqual(self.shown(self.as_nobody), 66)
        self.assertEqual(self.problems(self.as_nobody), {
            (str(self.file), f"owned by uid {NOBODY - 1}, who is not trusted",
             f"if you trust its content, use a copy that you own, or let root run: chown root {self.file}")})

    def test_ordinary_user_gets_a_message_about_unreadable_files(self):
        self.needs_root()
        self.file.chmod(0o600)
        problems = self.problems(self.as_nobody)
        self.assertTrue(any("Permission denied" in said and file == str(self.file) for file, said, _ in problems),
                        problems)
        self.file.chmod(0o644)
        self.site.chmod(0o700)
        self.assertEqual(self.shown(self.as_nobody), 66)
        self.assertEqual(self.as_nobody("run", self.app_for_nobody()).status, 0)

    def app_for_nobody(self):
        app = self.app("true")
        app.chmod(0o644)
        return app

    def test_a_setuid_copy_ignores_the_callers_files_and_environment(self):
        self.needs_root()
        tree = self.copied_tree()
        program = tree / "bin" / "slipway"
        user = self.config / "slipway" / "plugins.d"
        user.mkdir(parents=True)
        (user / "user.toml").write_text("[named_resources.theirs]\ncpu = 1\n")
        for path in (self.config / "slipway", user, user / "user.toml"):
            os.chown(path, NOBODY, NOBODY)
        self.env["SLIPWAY_PLUGIN_PATH"] = str(self.site)
        self.assertEqual(self.as_nobody("resource", "show", "theirs", program=program).status, 0)
        self.assertEqual(self.as_nobody("resource", "show", "mine", program=program).status, 0)
        program.chmod(0o4755)
        if os.statvfs(program).f_flag & os.ST_NOSUID:
            self.skipTest("this file system ignores setuid")
        for name in ("theirs", "mine"):
            self.assertEqual(self.as_nobody("resource", "show", name, program=program).status, 66)
        searched = self.as_nobody("plugin", "list", "--json", program=program).json["searched"]
        states = {place["origin"]: place["state"] for place in searched}
        self.assertEqual((states["env"], states["user"]), ("ignored: elevated privileges",) * 2)
        self.assertEqual(self.as_nobody("resource", "show", "cpu.small", program=program).status, 0)
        # The command line belongs to the caller, so it must not select libraries for root.
        os.chown(self.file, NOBODY, NOBODY)
        self.assertEqual(self.as_nobody("--plugin-path", self.site, "resource", "show", "mine", program=program).status,
                         66)


if __name__ == "__main__":
    unittest.main()
