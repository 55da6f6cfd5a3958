"""Keys and values of other tools, numbers with a unit, and programs that cannot start: each message has the remedy."""

import unittest

from app_text import role
from slipway_case import SlipwayCase

# The start of an app file, and one with a role to which lines may be appended.
TOP = "name = \"x\"\n"
ROLE = TOP + "[[roles]]\nname = \"w\"\nentrypoint = \"true\"\n"


class OtherTools(SlipwayCase):
    def refused(self, text):
        """Checks that a run refuses the app file. Returns its messages."""
        return self.expect(65, "run", self.write("x.toml", text)).stderr

    def test_keys_of_other_tools_in_roles_get_the_right_key(self):
        for line, hint in (
                ("command = \"python train.py --lr 0.1\"",
                 "x.toml:5:1: roles[0].command: unknown key, write entrypoint = \"python\", "
                 "args = [\"train.py\", \"--lr\", \"0.1\"]"),
                ("command = [\"a b\", \"c\"]", "write entrypoint = \"a b\", args = [\"c\"]"),
                ("cmd = \"a | b > c\"", "write entrypoint = \"sh\", args = [\"-c\", \"…\"]"),
                ("cmd = \"ls ~/data\"", "write entrypoint = \"sh\", args = [\"-c\", \"…\"]"),
                ("replicas = 2", "write num_replicas"), ("working_dir = \"/x\"", "write cwd"),
                ("workingDir = \"/x\"", "write cwd"), ("environment = []", "write env = {"),
                ("restart = \"always\"", "write max_retries"), ("ports = [\"80:80\"]", "write port_map = {"),
                ("volumes = []", "write mounts = ["), ("healthcheck = {}", "write ready = {"),
                ("readinessProbe = {}", "write ready = {"), ("dependsOn = []", "write depends_on = {"),
                ("timeout = 5", "write timeout_s = 5"), ("timeout = \"1h30m\"", "write timeout_s = 5400"),
                ("timeout = \"soon\"", "write timeout_s, in seconds"),
                ("stop_grace_period = \"10s\"", "write grace_s = 10"),
                ("needs = [\"db\"]", "write depends_on = { db = \"started\" }"),
                ("cpus = 2", "write resource = {"), ("memory = \"1g\"", "write resource = {"),
                ("entrypont = \"x\"", "did you mean entrypoint?")):
            with self.subTest(line):
                self.assertIn(hint, self.refused(ROLE + line + "\n"))

    def test_values_of_other_tools_in_roles_get_the_right_value(self):
        words = "; the words are started, healthy and succeeded"
        for line, problem in (
                ("depends_on = [\"db\", \"my cache\"]",
                 "x.toml:5:14: roles[0].depends_on: expected a table of roles, found a list, "
                 "write { db = \"started\", \"my cache\" = \"started\" }" + words),
                ("depends_on = \"db\"", "found the string 'db', write { db = \"started\" }" + words),
                ("depends_on = { db = { condition = \"service_healthy\" } }",
                 "roles[0].depends_on.db: expected one of started, healthy, succeeded, found a table, "
                 "write { db = \"healthy\" }" + words),
                ("depends_on = { db = \"process_completed_successfully\" }", "write { db = \"succeeded\" }" + words),
                ("backoff = \"30s\"", "x.toml:5:11: roles[0].backoff: expected a table, found the string '30s', "
                                      "write { initial = 30, max = 30 } for a constant pause"),
                ("backoff = 0.5", "write { initial = 0.5, max = 0.5 } for a constant pause"),
                ("backoff = { initial = \"5m\" }", "roles[0].backoff.initial: expected a number of seconds, "
                                                  "found the string '5m', write 300"),
                ("timeout_s = \"1d\"", "found the string '1d', write 86400"),
                ("grace_s = \"30\"", "found the string '30', write 30"),
                ("grace_s = \"a while\"", "write seconds, such as 30"),
                ("ready = 8080", "write { tcp = 8080 }"),
                ("ready = \"test -e up\"", "write { command = \"test -e up\" }"),
                ("ready = { tcp = 80, interval_s = \"10s\" }", "roles[0].ready.interval_s: expected a number of "
                                                               "seconds, found the string '10s', write 10")):
            with self.subTest(line):
                text = ROLE + line + "\n[[roles]]\nname = \"db\"\nentrypoint = \"true\"\n"
                self.assertIn(problem + "\n", self.refused(text))
                # lint prints "error: " after the place.
                self.assertIn(problem.split(": ", 1)[-1], self.expect(65, "lint", "x.toml").stdout)

    def test_times_with_a_unit_in_run_options_get_the_number(self):
        app = ROLE + "[options.local_cwd]\ngrace_s = \"5m\"\n"
        self.assertIn("options.local_cwd.grace_s: expected a number, found the string '5m', write 300",
                      self.refused(app))

    def test_numbers_with_a_unit_on_the_command_line_get_the_number(self):
        app = self.app("true")
        run = ("run", "-n", app)
        for words, status, what in (
            ((*run, "-c", "timeout_s=5m"), 65, "'5m' is not of type float; write 300"),
            ((*run, "-c", "log_max_mb=2GB"), 65, "'2GB' is not of type int; write 2048"),
            ((*run, "-c", "keep_gb=1TiB"), 65, "'1TiB' is not of type float; write 1024"),
            ((*run, "-c", "max_parallel=two"), 65, "'two' is not of type int; max_parallel: number of replicas that"),
            ((*run, "-c", "backoff=30s"), 65, "not of the form key:value; backoff: pause before retry n,"),
            ((*run, "-c", "backoff=initial:30s"), 65, "it is a number of seconds between 0 and 31536000"),
            ((*run, "--set", "roles.w.timeout_s=5m"), 65, "roles[0].timeout_s: expected a number of seconds, found the "
                                                          "string '5m', write 300"),
            ((*run, "--set", "roles.w.resource.memMB=4G"), 65, "an integer, found the string '4G', write 4096"),
            ((*run, "--set", "roles.w.resource.memMB=much"), 65, "write a number of MiB, or mem = \"64GiB\""),
            ((*run, "--set", "roles.w.resource.mem=4g"), 65, "write 4GiB; units are"),
            (("run", "dist.ddp", "--memMB", "4GB", "--script", "x.py"), 64, "expected an int, found '4GB', write 4096"),
            (("resource", "list", "--fits", "memMB>=64G"), 64, "which is not a whole number; write 65536"),
            (("run", "--timeout", "1h30m", app), 64, "'1h30m' is not a number of seconds, write 5400"),
        ):
            with self.subTest(what):
                result = self.expect(status, *words)
                self.assertIn(what, result.stderr.replace("\n  ", "; "))
        self.write("slipway.toml", '[scheduler.local_cwd]\nlog_max_mb = "10MB"\n')
        self.assertIn("expected an integer, found the string '10MB', write 10", self.expect(78, *run).stderr)

    def test_keys_of_other_tools_in_the_app_get_the_right_key(self):
        for text, hint in (
                (TOP + "command = \"x\"\n",
                 "command: unknown key, it belongs to a role: below [[roles]], write entrypoint = \"x\""),
                (TOP + "depends_on = { a = \"started\" }\n", "write it below [[roles]]"),
                (TOP + "cwd = \"/x\"\n", "write it below [[roles]]"), (TOP + "image = \"x\"\n", "below [[roles]]"),
                (TOP + "replicas = 2\n",
                 "replicas: unknown key, it belongs to a role: below [[roles]], write num_replicas"),
                (TOP + "[services.web]\ncommand = \"x\"\n", "services: unknown key, write [[roles]]"),
                (TOP + "[Services.web]\ncommand = \"x\"\n", "Services: unknown key, write [[roles]]"),
                (TOP + "[processes.web]\ncommand = \"x\"\n", "write [[roles]], once for each program")):
            with self.subTest(text):
                self.assertIn(hint, self.refused(text))

    def test_roles_with_single_brackets_are_refused_with_the_right_ones(self):
        self.assertIn("x.toml:2:1: roles: expected a list of roles, found a table, write [[roles]], with two brackets",
                      self.refused(TOP + "[roles]\nname = \"w\"\nentrypoint = \"true\"\n"))
        self.assertIn("write [[roles]] and name = \"web\"", self.refused(TOP + "[roles.web]\nentrypoint = \"true\"\n"))

    def test_programs_that_cannot_start_are_reported_with_the_remedy(self):
        (self.cwd / "dir.d").mkdir()
        self.write("plain", "#!/bin/sh\n").chmod(0o644)
        for program, status, hint in (("python train.py", 127, "move all but its first word to args"),
                                      ("./bin/train --fast", 127, "move all but its first word to args"),
                                      ("./dir.d", 126, "it is a directory, not a program"),
                                      ("./plain", 126, "it is not executable; use `chmod +x`"),
                                      # The working directory precedes those of PATH.
                                      ("dir.d", 126, "it is a directory, not a program"),
                                      ("plain", 126, "it is not executable; use `chmod +x`"),
                                      ("~/train", 127, "no shell expands `~` in an entrypoint"),
                                      ("no-such-program", 127, "not found in PATH")):
            with self.subTest(program):
                app = self.app(role("w", entrypoint=program))
                self.assertIn(hint, self.expect(status, "run", app).stderr)
                rules = {"./dir.d": "[entrypoint-not-executable]", "./plain": "[entrypoint-not-executable]",
                         "~/train": "[unexpanded-variable]", "python train.py": "[entrypoint-is-a-line]"}
                self.assertIn(rules.get(program, ""), self.ok("lint", app).stdout)


if __name__ == "__main__":
    unittest.main()
