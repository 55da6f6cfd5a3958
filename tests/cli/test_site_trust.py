"""The owners of a site's files that Slipway trusts: the installation's account, user namespaces, groups."""

import os
import shutil
import unittest

from site_case import SiteCase

ADA, SPACK, MALLORY = 4711, 4712, 4713  # uids: the caller, the account that installs software, another user
RESOURCE = "[named_resources.mine]\ncpu = 1\n"


class InstallationsOfOthers(SiteCase):
    """A tree that belongs neither to root nor to the caller, as Spack and EasyBuild install it."""

    def setUp(self):
        super().setUp()
        self.tree = self.tree_of(SPACK)
        self.program = self.tree / "bin" / "slipway"
        self.hello = self.app("echo hello")
        self.hello.chmod(0o644)

    def plugins(self, *arguments, **options):
        """Returns {id of a plug-in: its state} as ADA sees it."""
        result = self.as_user(ADA, "plugin", "list", "--json", *arguments, program=self.program, **options)
        return {each["id"]: each["state"] for each in result.json["plugins"]}

    def test_an_app_runs_from_the_tree_of_another_account(self):
        result = self.as_user(ADA, "run", self.hello, program=self.program)
        self.assertEqual(result.status, 0, result)
        self.assertIn("w/0 hello", result.stderr)
        self.assertEqual(set(self.plugins().values()), {"ok"})

    def test_a_place_of_the_command_line_that_is_refused_is_still_read_as_part_of_the_tree(self):
        refused = {"": "error"}  # the row of the refused place, which has no id
        self.assertEqual(self.plugins("--plugin-path", self.tree / "share/slipway/plugins.d"),
                         {**self.plugins(), **refused})

    def test_root_runs_an_app_from_the_tree(self):
        self.assertEqual(self.as_user(0, "run", self.hello, program=self.program).status, 0)

    def test_the_account_is_not_trusted_outside_the_tree(self):
        site = self.etc / "slipway" / "resources.d"
        site.mkdir(mode=0o755)
        (site / "site.toml").write_text(RESOURCE)
        os.chown(site / "site.toml", SPACK, SPACK)
        result = self.as_user(ADA, "resource", "show", "mine", program=self.program)
        self.assertEqual(result.status, 66, result)
        own = self.root / "own"
        own.mkdir(mode=0o755)
        shutil.copy(site / "site.toml", own / "own.toml")
        os.chown(own / "own.toml", SPACK, SPACK)
        arguments = ["--plugin-path", own, "resource", "show", "mine"]
        self.assertEqual(self.as_user(ADA, *arguments, program=self.program).status, 66)

    def test_a_third_users_file_in_the_tree_is_refused(self):
        # Without the manifest, no plug-in provides the scheduler.
        for path, status in ((self.tree / "share/slipway/plugins.d/slipway_local.toml", 66),
                             (self.tree / "lib/slipway/libslipway_local.so", 77)):
            with self.subTest(path=path.name):
                os.chown(path, MALLORY, MALLORY)
                result = self.as_user(ADA, "run", self.hello, program=self.program)
                self.assertEqual(result.status, status, result)
                self.assertIn(f"owned by uid {MALLORY}, who is not trusted", result.stderr)
                os.chown(path, SPACK, SPACK)

    def test_an_ordinary_user_runs_apps_in_a_user_namespace(self):
        for path in (self.tree, *self.tree.rglob("*")):
            os.chown(path, 0, 0, follow_symlinks=False)
        for options in (["--map-current-user"], ["--map-root-user"]):
            with self.subTest(options=options):
                namespace = ["unshare", "--user", *options]
                seen = self.as_user(ADA, "-c", "%u", self.program, program="stat", namespace=namespace)
                if seen.status != 0:
                    self.skipTest("no user namespace can be made here")
                self.assertEqual(seen.stdout.strip(), "65534")  # how the namespace shows root, which it does not map
                result = self.as_user(ADA, "run", self.hello, program=self.program, namespace=namespace)
                self.assertEqual(result.status, 0, result)
                self.assertIn("w/0 hello", result.stderr)

    def test_in_a_namespace_without_the_callers_uid_no_file_belongs_to_the_caller(self):
        self.assertEqual(self.as_user(ADA, "run", self.hello).status, 0)
        home = self.home_of(ADA)
        # A command that uses ADA's configuration does not find the scheduler.
        (home / ".config" / "slipway").mkdir()
        (home / ".config" / "slipway" / "config.toml").write_text("[cli.run]\nscheduler = 'no_such'\n")
        planted = home / "mine.toml"
        planted.write_text(RESOURCE)
        for path in (planted, home / ".config" / "slipway", home / ".config" / "slipway" / "config.toml"):
            os.chown(path, ADA, ADA)
        namespace = ["unshare", "--user"]
        if self.as_user(ADA, program="true", namespace=namespace).status != 0:
            self.skipTest("no user namespace can be made here")
        refused = self.as_user(ADA, "run", self.hello, namespace=namespace)
        self.assertEqual(refused.status, 73, refused)
        self.assertIn("this user namespace does not map the caller's uid", refused.stderr)
        self.assertIn("unshare --map-current-user", refused.stderr)
        self.assertNotIn("no_such", refused.stderr)
        listed = self.as_user(ADA, "list", "--all", "--json", namespace=namespace).json
        self.assertEqual(listed["apps"], [])
        self.assertIn("this user namespace does not map the caller's uid", str(listed["errors"]))
        self.assertEqual(self.as_user(ADA, "status", "@last", namespace=namespace).status, 77)
        for arguments in (["--plugin-path", planted], []):
            variables = {} if arguments else {"SLIPWAY_PLUGIN_PATH": str(planted)}
            shown = self.as_user(ADA, *arguments, "resource", "show", "mine", namespace=namespace, **variables)
            self.assertEqual(shown.status, 66, shown)
        doctor = self.as_user(ADA, "--plugin-path", planted, "plugin", "doctor", namespace=namespace)
        self.assertIn("shows that uid for every user whom it does not map", doctor.stdout)
        # In a namespace with the caller's uid, the caller's own files are used.
        for arguments in (["status", "@last"], ["--plugin-path", planted, "resource", "show", "mine"]):
            mapped = self.as_user(ADA, *arguments, namespace=["unshare", "--user", "--map-current-user"])
            self.assertEqual(mapped.status, 0, mapped)

    def test_the_sites_file_is_used_in_a_user_namespace(self):
        self.site("[site.locked.scheduler.local_cwd]\ngrace_s = 1\n")
        for options in (["--map-current-user"], ["--map-root-user"]):
            with self.subTest(options=options):
                result = self.as_user(ADA, "run", "-n", "--json", self.hello, namespace=["unshare", "--user", *options])
                self.assertEqual(result.status, 0, result)
                self.assertEqual(result.json["cfg"]["grace_s"], 1)


class InstalledPrograms(SiteCase):
    """The programs and Python files that plug-ins run besides their libraries."""

    def setUp(self):
        super().setUp()
        self.tree = self.tree_of(SPACK)
        self.helper = self.tree / "libexec/slipway/slipway-local-supervisor"
        self.python = self.tree / "share/slipway/python"
        self.hello = self.app("echo hello")
        self.component = self.write("one.py", "from torchx import specs\n\n\ndef one() -> specs.AppDef:\n    return "
                                    "specs.AppDef('one', [specs.Role('w', '', entrypoint='true')])\n")
        for file in (self.hello, self.component):
            file.chmod(0o644)

    def as_ada(self, *arguments, user=ADA):
        return self.as_user(user, *arguments, program=self.tree / "bin" / "slipway")

    def run_of(self, path):
        """Runs what needs `path`: a helper of the local schedulers, or the Python files."""
        is_python = self.python in (path, *path.parents)
        return self.as_ada("run", "-n", f"{self.component}:one") if is_python else self.as_ada("run", self.hello)

    def doctor(self, user=ADA):
        """Returns (file, severity, message) of each problem."""
        result = self.as_ada("plugin", "doctor", "--json", user=user)
        return [(p["file"], p["severity"], p["message"]) for p in result.json["problems"]]

    def test_what_another_user_could_replace_is_refused(self):
        module = self.python / "slipway" / "build.py"
        for path in (self.helper, self.helper.parent, self.python, module.parent, module):
            mode = path.stat().st_mode & 0o7777
            for uid, gid, changed, said in ((MALLORY, SPACK, mode, f"is owned by uid {MALLORY}"),
                                            (SPACK, SPACK, mode | 0o002, "is world-writable"),
                                            (SPACK, MALLORY, mode | 0o020, f"is writable by the group {MALLORY}")):
                with self.subTest(path=path.name, said=said):
                    os.chown(path, uid, gid)
                    path.chmod(changed)
                    result = self.run_of(path)
                    self.assertEqual(result.status, 77, result)
                    self.assertIn(f" {path} {said}", result.stderr)
                    for user in (ADA, 0):
                        found = [(severity, message) for _, severity, message in self.doctor(user)]
                        self.assertTrue(found)
                        for severity, message in found:
                            self.assertEqual(severity, "error")
                            self.assertIn(f" {path} {said}", message)
                    os.chown(path, SPACK, SPACK)
                    path.chmod(mode)
                    self.assertEqual(self.run_of(path).status, 0)
        self.assertEqual(self.doctor(), [])

    def test_helpers_of_root_and_of_the_caller_are_used(self):
        for owner in (0, ADA):
            with self.subTest(owner=owner):
                os.chown(self.helper, owner, owner)
                self.assertEqual(self.as_ada("run", self.hello).status, 0)

    def test_a_group_that_may_write_to_the_library_may_write_to_the_helper(self):
        self.site(f"[site]\ntrusted_groups = [{MALLORY}]\n")
        library = self.tree / "lib/slipway/libslipway_local.so"
        for path in (self.helper, self.helper.parent):
            os.chown(path, SPACK, MALLORY)
            path.chmod(0o775)
        self.assertEqual(self.as_ada("run", self.hello).status, 77)
        os.chown(library, SPACK, MALLORY)
        library.chmod(0o775)
        self.assertEqual(self.as_ada("run", self.hello).status, 0)

    def test_what_the_caller_cannot_use_is_reported_with_the_reason(self):
        libexec = self.helper.parent.parent
        for path, mode, hint, seen_by_root in (
                (libexec, 0o700, f"chmod a+x {libexec}", "warning"),
                (self.helper.parent, 0o700, f"chmod a+x {self.helper.parent}", "warning"),
                (self.helper, 0o644, f"chmod a+x {self.helper}", "error"),
                (self.helper, 0o744, f"chmod a+x {self.helper}", "warning"),
                (self.python, 0o700, f"chmod a+x {self.python}", "warning"),
                (self.python / "torchx", 0o711, f"chmod a+rx {self.python}/torchx", "warning"),
                (self.python / "bridge.py", 0o600, f"chmod a+r {self.python}/bridge.py", "warning")):
            with self.subTest(path=path.name, mode=oct(mode)):
                before = path.stat().st_mode & 0o7777
                path.chmod(mode)
                result = self.run_of(path)
                self.assertEqual(result.status, 77, result)
                self.assertIn("ermission denied", result.stderr)
                self.assertIn(hint, result.stderr)
                self.assertEqual({severity for _, severity, _ in self.doctor()}, {"error"})
                self.assertEqual([(severity, str(path) in message or file == str(path))
                                  for file, severity, message in self.doctor(0)], [(seen_by_root, True)])
                path.chmod(before)
        self.assertEqual((self.doctor(), self.doctor(0)), ([], []))

    def test_missing_programs_are_reported(self):
        for path in (self.helper, self.python / "bridge.py"):
            with self.subTest(path=path.name):
                path.rename(self.root / "moved")
                result = self.run_of(path)
                self.assertEqual(result.status, 69, result)
                self.assertIn(f"{path} is missing\n  the installation is incomplete: install Slipway again",
                              result.stderr)
                for user in (ADA, 0):
                    ((file, severity, message),) = self.doctor(user)
                    self.assertEqual((file, severity), (str(path), "error"))
                    self.assertIn(f"{path} is missing", message)
                (self.root / "moved").rename(path)

    def test_the_hint_about_a_library_names_the_closed_directory(self):
        (self.tree / "lib").chmod(0o700)
        result = self.as_ada("run", self.hello)
        self.assertEqual(result.status, 77, result)
        self.assertIn(f"chmod o+x {self.tree}/lib", result.stderr)

    def test_the_doctor_warns_if_others_could_replace_slipway(self):
        program = self.tree / "bin" / "slipway"
        for path in (program, program.parent):
            with self.subTest(path=path.name):
                path.chmod(0o777)
                ((file, severity, message),) = self.doctor()
                self.assertEqual((file, severity), (str(program), "warning"))
                self.assertIn(f"{path} is world-writable", message)
                path.chmod(0o755)

    def test_the_doctor_warns_of_configuration_that_no_command_reads(self):
        shared = self.tree.parent / "etc" / "slipway" / "config.toml"
        shared.parent.mkdir(parents=True)
        for directory in (shared.parent, shared.parent.parent):
            directory.chmod(0o755)
        shared.write_text("[site.locked.scheduler.local_cwd]\ngrace_s = 1\n")
        ((file, severity, message),) = self.doctor()
        self.assertEqual((file, severity), (str(shared), "warning"))
        self.assertIn("/etc/slipway/config.toml", message)
        shared.write_text("")
        result = self.as_ada("--config", shared, "plugin", "doctor", "--json")
        self.assertEqual(result.json["problems"], [])


class SharedPlaces(SiteCase):
    """Plug-ins and resources of a site in a directory beside the versions: /opt/etc/slipway for /opt/1.0 and
    /opt/2.0."""

    def test_upgrade_keeps_files_that_the_site_added(self):
        first = self.tree_of(SPACK)
        place = first.parent / "etc" / "slipway" / "resources.d"
        place.mkdir(parents=True)
        # `cpu.small` is also a resource of the installation, which the site redefines.
        (place / "site.toml").write_text(RESOURCE + "[named_resources.'cpu.small']\ncpu = 77\n")
        (place.parent / "plugins.d").mkdir()
        for directory, names, files in os.walk(first.parent / "etc"):
            for path in [directory, *(os.path.join(directory, name) for name in names + files)]:
                os.chown(path, SPACK, SPACK)
        second = first.parent / "2.0"
        shutil.copytree(first, second, symlinks=True)
        shutil.rmtree(first)
        for path in (second, *second.rglob("*")):
            os.chown(path, SPACK, SPACK, follow_symlinks=False)
        program = second / "bin" / "slipway"
        shown = self.as_user(ADA, "resource", "show", "mine", "--json", program=program)
        self.assertEqual(shown.status, 0, shown)
        self.assertIn('"cpu":77', self.as_user(ADA, "resource", "show", "cpu.small", "--json", program=program).stdout)
        searched = self.as_user(ADA, "plugin", "list", "--json", program=program).json["searched"]
        self.assertIn(("shared", str(place.parent / "plugins.d"), "searched"),
                      [(each["origin"], each["path"], each["state"]) for each in searched])
        # The machine's own directory has precedence.
        local = self.etc / "slipway" / "resources.d"
        local.mkdir(mode=0o755)
        (local / "site.toml").write_text("[named_resources.mine]\ncpu = 5\n")
        self.assertIn('"cpu":5', self.as_user(ADA, "resource", "show", "mine", "--json", program=program).stdout)


class TrustedAccounts(SiteCase):
    def setUp(self):
        super().setUp()
        self.place = self.root / "hpc"
        self.place.mkdir(mode=0o755)
        self.file = self.place / "hpc.toml"
        self.file.write_text(RESOURCE)
        for path in (self.place, self.file):
            os.chown(path, SPACK, SPACK)

    def shown(self):
        """Returns the exit status of a command with which ADA uses the file of SPACK."""
        return self.as_user(ADA, "--plugin-path", self.place, "resource", "show", "mine").status

    def test_files_of_listed_owners_are_used(self):
        with open(self.etc / "passwd", "a", encoding="utf-8") as passwd:
            passwd.write(f"spackage:x:{SPACK}:{SPACK}::/nonexistent:/bin/false\n")
        self.assertEqual(self.shown(), 66)
        for owners in (f"[{SPACK}]", f"['{SPACK}']", "['no-such-user', 'spackage']"):
            with self.subTest(owners=owners):
                self.site(f"[site]\ntrusted_owners = {owners}\n")
                self.assertEqual(self.shown(), 0)
                self.assertEqual(self.as_user(ADA, "resource", "check", self.file).status, 0)
        self.site("[site]\ntrusted_owners = ['root']\n")
        self.assertEqual(self.shown(), 66)

    def test_configuration_files_of_listed_owners_are_used(self):
        os.chown(self.cwd, SPACK, SPACK)
        path = self.write("slipway.toml", "[scheduler.local_cwd]\ngrace_s = 3\n")
        os.chown(path, SPACK, SPACK)
        app = self.app("true")
        app.chmod(0o644)

        def grace():
            return self.as_user(ADA, "run", "-n", "--json", app).json["cfg"]["grace_s"]
        self.assertEqual(grace(), 10)
        self.site(f"[site]\ntrusted_owners = [{SPACK}]\n")
        self.assertEqual(grace(), 3)

    def test_only_the_site_can_list_owners(self):
        config = self.home_of(ADA) / ".config" / "slipway"
        config.mkdir()
        (config / "config.toml").write_text(f"[site]\ntrusted_owners = [{SPACK}]\n")
        for path in (config, config / "config.toml"):
            os.chown(path, ADA, ADA)
        result = self.as_user(ADA, "--plugin-path", self.place, "resource", "show", "mine")
        self.assertEqual(result.status, 66, result)
        self.assertIn("only the site's configuration may contain this", result.stderr)

    def test_a_group_may_write_if_it_is_private_or_listed(self):
        with open(self.etc / "passwd", "a", encoding="utf-8") as passwd:
            passwd.write(f"spackage:x:{SPACK}:{SPACK}::/nonexistent:/bin/false\n")
        group_file = self.etc / "group"
        groups = group_file.read_text()
        self.site(f"[site]\ntrusted_owners = [{SPACK}]\n")
        for path, mode in ((self.file, 0o664), (self.place, 0o775)):
            with self.subTest(path=path):
                group_file.write_text(groups + f"spackage:x:{SPACK}:\n")
                before = path.stat().st_mode
                path.chmod(mode)
                self.assertEqual(self.shown(), 0, "the owner's private group")
                group_file.write_text(groups + f"spackage:x:{SPACK}:mallory\n")
                self.assertEqual(self.shown(), 66, "the group has another member")
                group_file.write_text(groups + f"staff2:x:{SPACK}:\n")
                self.assertEqual(self.shown(), 66, "the group has another name")
                self.assertIn(f"{path} is writable by the group staff2",
                              self.as_user(ADA, "--plugin-path", self.place, "plugin", "doctor").stdout)
                self.site(f"[site]\ntrusted_owners = [{SPACK}]\ntrusted_groups = ['staff2']\n")
                self.assertEqual(self.shown(), 0, "a listed group")
                self.site(f"[site]\ntrusted_owners = [{SPACK}]\n")
                path.chmod(before)

    def test_a_group_that_may_write_to_a_library_is_refused(self):
        tree = self.tree_of(0)
        library = tree / "lib" / "slipway" / "libslipway_local.so"
        os.chown(library, 0, MALLORY)
        library.chmod(0o775)
        app = self.app("true")
        app.chmod(0o644)
        result = self.as_user(ADA, "run", app, program=tree / "bin" / "slipway")
        self.assertNotEqual(result.status, 0, result)
        self.assertIn(f"is writable by the group {MALLORY}", result.stderr)
        self.assertIn(f"chmod g-w {library}", result.stderr)


class Doctor(SiteCase):
    def setUp(self):
        super().setUp()
        self.resources = self.etc / "slipway" / "resources.d"
        self.resources.mkdir(mode=0o755)
        self.file = self.resources / "site.toml"
        self.file.write_text(RESOURCE)
        self.file.chmod(0o644)

    def problems(self, *arguments, user=0, **options):
        """Returns (file, severity, message, hint) of each problem that the doctor reports to this user."""
        result = self.as_user(user, *arguments, "plugin", "doctor", "--json", **options)
        return [(p["file"], p["severity"], p["message"], p["hint"]) for p in result.json["problems"]]

    def test_hints_never_propose_to_change_the_owner_to_the_caller(self):
        os.chown(self.file, MALLORY, MALLORY)
        for user in (0, ADA):
            with self.subTest(user=user):
                (found,) = [p for p in self.problems(user=user) if p[0] == "/etc/slipway/resources.d/site.toml"]
                self.assertIn("chown root /etc/slipway/resources.d/site.toml", found[3])
                self.assertNotIn(str(ADA), found[3])
        checked = self.as_user(ADA, "plugin", "check", "/etc/slipway/resources.d/site.toml")
        self.assertIn("chown root /etc/slipway/resources.d/site.toml", checked.stdout)

    def test_the_hint_about_an_unreadable_place_gives_the_permission(self):
        plugins = self.etc / "slipway" / "plugins.d"
        plugins.mkdir()
        for path, mode, bits in ((plugins, 0o700, "rx"), (self.resources, 0o700, "rx"), (self.file, 0o600, "r")):
            with self.subTest(path=path):
                before = path.stat().st_mode
                path.chmod(mode)
                shown = str(path).replace(str(self.etc), "/etc")
                (found,) = [p for p in self.problems(user=ADA) if p[0] == shown]
                self.assertIn("cannot be read: Permission denied", found[2])
                self.assertEqual(found[3], f"chmod o+{bits} {shown}")
                path.chmod(before)
                path.chmod(0o755 if path.is_dir() else 0o644)
                self.assertEqual([p for p in self.problems(user=ADA) if p[0] == shown], [])

    def test_the_hint_about_libraries_names_the_directory_that_is_closed(self):
        tree = self.tree_of(0)
        library = tree / "lib"
        library.chmod(0o750)
        found = self.problems(user=ADA, program=tree / "bin" / "slipway")
        hints = {hint for _, severity, _, hint in found if severity == "error"}
        self.assertEqual(hints, {f"chmod o+x {library}"})
        library.chmod(0o755)
        found = self.problems(user=ADA, program=tree / "bin" / "slipway")
        self.assertEqual([p for p in found if p[1] == "error"], [])

    def test_the_hint_about_an_unreadable_configuration_gives_the_permission(self):
        self.site("").chmod(0o600)
        result = self.as_user(ADA, "list")
        self.assertIn("chmod o+r /etc/slipway/config.toml", result.stderr)

    def test_writable_directories_above_a_link_are_reported(self):
        safe, up = self.root / "safe" / "plugins", self.root / "up"
        for directory in (safe, up):
            directory.mkdir(parents=True, mode=0o755)
        (safe / "mine.toml").write_text(RESOURCE)
        (up / "link").symlink_to("../safe")
        (self.root / "other").symlink_to(up / "link")  # a link to a link
        for place in (up / "link" / "plugins", self.root / "other" / "plugins"):
            with self.subTest(place=place):
                up.chmod(0o755)
                self.assertEqual(self.problems("--plugin-path", place), [])
                up.chmod(0o777)
                self.assertEqual([file for file, *_ in self.problems("--plugin-path", place)], [str(up)])

    def test_links_whose_targets_have_dots_and_slashes_are_followed(self):
        safe, first, second = (self.root / name for name in ("safe", "first", "second"))
        for directory in (safe, safe / "plugins", first, first / "dir", second):
            directory.mkdir()
            directory.chmod(0o755)
        (safe / "plugins" / "mine.toml").write_text(RESOURCE)
        (second / "link").symlink_to("../safe")
        (first / "here").symlink_to("dir/")
        second.chmod(0o777)
        for number, target in enumerate(("./../second/link", "here/../../second/link")):
            with self.subTest(target):
                link = first / str(number)
                link.symlink_to(target)
                self.assertEqual([file for file, *_ in self.problems("--plugin-path", link / "plugins")], [str(second)])

    def test_writable_directories_above_are_reported(self):
        deep = self.root / "up" / "middle" / "plugins"
        deep.mkdir(parents=True)
        for directory in (deep, deep.parent, deep.parent.parent):
            directory.chmod(0o755)
        (deep / "mine.toml").write_text(RESOURCE.replace("mine", "deep"))
        self.assertEqual(self.problems("--plugin-path", deep), [])
        deep.parent.chmod(0o777)
        os.chown(deep.parent.parent, MALLORY, MALLORY)
        found = {file: (severity, message) for file, severity, message, _ in self.problems("--plugin-path", deep)}
        self.assertEqual(set(found), {str(deep.parent), str(deep.parent.parent)})
        self.assertIn("is world-writable, so files that Slipway uses below it can be replaced",
                      found[str(deep.parent)][1])
        self.assertIn(f"is owned by uid {MALLORY}", found[str(deep.parent.parent)][1])
        self.assertEqual({severity for severity, _ in found.values()}, {"warning"})
        # It is only a warning: the resource is still used.
        self.assertEqual(self.as_user(0, "--plugin-path", deep, "resource", "show", "deep").status, 0)
        # Users cannot replace files of others in a sticky directory.
        deep.parent.chmod(0o1777)
        os.chown(deep.parent.parent, 0, 0)
        self.assertEqual(self.problems("--plugin-path", deep), [])

    def test_root_gets_warnings_about_files_that_users_cannot_read(self):
        config = self.site("")
        self.assertEqual(self.problems(), [])
        for path, closed, opened, hint in ((self.file, 0o600, 0o644, "r"), (self.resources, 0o700, 0o755, "rx"),
                                           (self.resources, 0o711, 0o755, "rx"), (config, 0o600, 0o644, "r"),
                                           (self.etc / "slipway", 0o700, 0o755, "x")):
            with self.subTest(path=path, mode=oct(closed)):
                path.chmod(closed)
                shown = "/etc" + str(path).removeprefix(str(self.etc))
                self.assertEqual(self.problems(), [(
                    shown, "warning", "not accessible to others: only root can use the files of Slipway here",
                    f"chmod o+{hint} {shown}")])
                path.chmod(opened)

    def test_root_sees_a_library_that_users_cannot_read(self):
        tree = self.tree_of(0)
        library = tree / "lib" / "slipway" / "libslipway_aws.so"
        library.chmod(0o750)
        program = tree / "bin" / "slipway"
        self.assertEqual([p[0] for p in self.problems(program=program)], [str(library)])
        # An installation for root alone need not be readable by users.
        tree.parent.chmod(0o700)
        self.assertEqual(self.problems(program=program), [])


if __name__ == "__main__":
    unittest.main()
