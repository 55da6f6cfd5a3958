"""Bind mounts of roles: only their replicas see them, or they are refused before anything starts."""

import unittest
from pathlib import Path

from app_text import role
from slipway_case import SlipwayCase


class Mounts(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.src, self.dst = self.root / "src", self.root / "dst"
        self.src.mkdir()
        self.dst.mkdir()
        (self.src / "f").write_text("from the source\n")

    def bind(self, *options, src=None, dst=None):
        """Returns the text of a bind mount, by default of `src` at `dst`."""
        return ",".join([f"type=bind,src={src or self.src},dst={dst or self.dst}", *options])

    def mounted(self):
        """Returns the mounts of this process that are below the test's directory."""
        return [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(self.root) in line]

    def test_only_the_replica_sees_the_mount(self):
        gate = self.gate()
        handle = self.detach(self.app(role("w", f"cat {self.dst}/f; touch {self.dst}/made; read go < gate",
                                           mounts=[self.bind()]),
                                      role("other", f"ls {self.dst}; echo none")))
        self.eventually((self.src / "made").exists, "the mount is used")
        self.assertEqual((list(self.dst.iterdir()), self.mounted()), ([], []))
        self.open_gate(gate)
        self.ok("wait", handle)
        self.assertEqual(sorted(self.ok("log", handle).lines), ["other/0 none", "w/0 from the source"])
        self.assertEqual(self.mounted(), [])

    def test_a_read_only_mount_can_be_read_and_not_written(self):
        self.ok("run",
                self.app(role("w", f"! touch {self.dst}/made && cat {self.dst}/f", mounts=[self.bind("readonly")])))
        self.assertFalse((self.src / "made").exists())

    def test_a_mount_may_be_a_file_or_lie_in_an_earlier_mount(self):
        (self.src / "sub").mkdir()
        one = self.write("one", "one file")
        app = self.app(role("w", f"cat {self.dst}/sub/f; cat {self.dst}/f",
                            mounts=[self.bind(), self.bind(dst=f"{self.dst}/sub"),
                                    self.bind(src=one, dst=f"{self.dst}/f")]))
        handle = self.ok("run", app).stdout.strip()
        self.assertEqual(self.ok("log", handle).lines, ["from the source", "one file"])

    def test_the_program_may_be_in_a_mount(self):
        tool = self.src / "tool"
        tool.write_text("#!/bin/sh\necho $0\n")
        tool.chmod(0o755)
        handle = self.ok("run", self.app(role("w", entrypoint=f"{self.dst}/tool", mounts=[self.bind()]))).stdout.strip()
        self.assertEqual(self.ok("log", handle).lines, [f"{self.dst}/tool"])

    def test_the_program_may_be_in_a_mount_whose_source_lies_in_an_earlier_mount(self):
        last = self.root / "last"
        last.mkdir()
        (self.src / "sub").mkdir()
        tool = self.src / "sub" / "tool"
        tool.write_text("#!/bin/sh\necho $0\n")
        tool.chmod(0o755)
        for exists_outside in (False, True):
            if exists_outside:
                (self.dst / "sub").mkdir()
            with self.subTest(exists_outside=exists_outside):
                app = self.app(role("w", entrypoint=f"{last}/tool",
                                    mounts=[self.bind(), self.bind(src=f"{self.dst}/sub", dst=last)]))
                handle = self.ok("run", app).stdout.strip()
                self.assertEqual(self.ok("log", handle).lines, [f"{last}/tool"])

    def test_a_relative_program_and_one_of_path_may_be_in_a_mount(self):
        place = self.cwd / "bin"
        place.mkdir()
        tool = self.src / "tool"
        tool.write_text("#!/bin/sh\necho $0\n")
        tool.chmod(0o755)
        for program, path in (("bin/tool", None), ("./bin/tool", None), ("../cwd/bin/tool", None), ("tool", "bin"),
                              ("tool", place), ("tool", "./bin/"), ("tool", f"/no/such:{place}")):
            env = {"PATH": f"{path}:/usr/bin:/bin"} if path else {}
            for dst in (place, f"{self.cwd}/./bin/"):
                with self.subTest(program=program, path=path, dst=dst):
                    app = self.app(role("w", entrypoint=program, env=env, mounts=[self.bind(dst=dst)]))
                    handle = self.ok("run", app).stdout.strip()
                    self.assertTrue(self.ok("log", handle).stdout.endswith("/tool\n"))

    def test_a_relative_program_that_a_mount_hides_is_missing(self):
        place = self.cwd / "bin"
        place.mkdir()
        self.write("bin/hidden", "#!/bin/sh\n").chmod(0o755)
        for program, path, cause in (("bin/hidden", "", "No such file or directory"),
                                     ("hidden", f"{place}:", "not found in PATH")):
            with self.subTest(program=program):
                app = self.app(role("w", entrypoint=program, env={"PATH": f"{path}/usr/bin:/bin"},
                                    mounts=[self.bind(dst=place)]))
                self.assertIn(f"cannot start {program}: {cause}", self.expect(127, "run", app).stderr)

    def test_a_program_that_is_only_in_the_mount_of_another_role_is_missing_before_anything_starts(self):
        tool = self.src / "tool"
        tool.write_text("#!/bin/sh\ntouch started\n")
        tool.chmod(0o755)
        for mounts in ([[self.bind()], []], [[], [self.bind()]]):
            app = self.app(*(role(name, entrypoint=f"{self.dst}/tool", mounts=each)
                             for name, each in zip("vw", mounts)))
            with self.subTest(mounts):
                self.assertIn(f"cannot start {self.dst}/tool: ", self.expect(127, "run", app).stderr)
                self.assertFalse((self.cwd / "started").exists())

    def test_the_cause_is_that_of_the_file_which_the_replica_sees(self):
        # The mount hides a program, and has a file that is not executable.
        (self.dst / "hidden").write_text("#!/bin/sh\n")
        (self.dst / "hidden").chmod(0o755)
        (self.src / "plain").write_text("")
        for name, cause in (("hidden", "No such file or directory"), ("plain", "it is not executable")):
            with self.subTest(name):
                app = self.app(role("w", entrypoint=f"{self.dst}/{name}", mounts=[self.bind()]))
                self.assertIn(cause, self.run_slipway("run", app).stderr)

    def test_a_working_directory_that_a_mount_hides_is_named(self):
        for program in ("/bin/true", "true"):
            with self.subTest(program=program):
                result = self.expect(127, "run", self.app(
                    role("w", entrypoint=program, mounts=[self.bind(dst=self.root)])))
                self.assertIn(f"w/0: cannot enter {self.cwd}: ", result.stderr)

    def test_missing_source_and_destination_are_refused(self):
        for mount, missing in ((self.bind(dst="/no/such/place"), "/no/such/place"),
                               (self.bind(src="/no/source"), "/no/source"),
                               (self.bind(src=self.src / "f"), "directory")):
            app = self.app(role("v", "touch started"), role("w", "touch started", mounts=[mount]))
            for arguments in (["run"], ["run", "-n"]):
                with self.subTest(mount=mount, arguments=arguments):
                    self.assertIn(missing, self.expect_failure(65, None, *arguments, app)["message"])
        self.assertFalse((self.cwd / "started").exists())
        self.assert_no_app()

    def test_dry_run_shows_the_mounts(self):
        result = self.ok("run", "-n", self.app(role("w", "true", mounts=[self.bind()])))
        self.assertIn(f"  sees: {self.src} as {self.dst}", result.stdout)

    def test_volumes_and_devices_are_reported_as_ignored(self):
        app = self.app(role("w", "true", mounts=["type=volume,src=data,dst=/data", "type=device,src=/dev/null"]))
        result = self.ok("run", "-n", "--json", app)
        whys = [f["why"] for f in result.json["ignored"] if f["field"] == "mounts"]
        self.assertEqual(len(whys), 2)
        self.assertIn("data", whys[0])
        self.assertIn("/dev/null", whys[1])


if __name__ == "__main__":
    unittest.main()
