"""Fields of an app that the scheduler does not act on: `run`, `run -n` and `lint -s` report them."""

import os
import unittest

from app_text import role
from slipway_case import SlipwayCase


class IgnoredFields(SlipwayCase):
    def ignored(self, *arguments):
        """Returns (role, field) of each finding about an ignored field in a dry run."""
        return {(f["role"], f["field"]) for f in self.ok("run", "-n", "--json", *arguments).json["ignored"]}

    def gpu_app(self):
        return self.app(role("w", "true", resource={"cpu": 1, "gpu": 2, "capabilities": {"disk": "fast"}}))

    def test_fields_that_the_scheduler_does_not_act_on_are_reported(self):
        self.assertEqual(self.ignored(self.gpu_app()),
                         {("w", "resource.cpu"), ("w", "resource.gpu"), ("w", "resource.capabilities")})

    def test_field_that_needs_a_run_option_is_reported_without_the_option(self):
        self.assertNotIn(("w", "resource.cpu"), self.ignored("-c", "enforce=rlimit", self.gpu_app()))
        warning = self.ok("run", "-n", self.gpu_app()).stderr
        self.assertIn("ignores resource.gpu of w: it acts on this only with -c gpus=lease", warning)

    def test_part_of_a_cpu_counts_where_the_scheduler_can_hold_a_replica_to_it(self):
        app = self.app(role("w", "true", resource={"cpu": 0.5}))
        resource = self.ok("run", "-n", "--json", app).json["app"]["roles"][0]["resource"]
        self.assertEqual(resource["cpu"], 0.5)
        self.assertEqual(self.ignored(app), {("w", "resource.cpu")})
        self.assertEqual(self.ignored("-c", "enforce=rlimit", app), {("w", "resource.cpu.fraction")})
        if os.geteuid() == 0:
            self.assertEqual(self.ignored("-c", "enforce=cgroup", app), set())

    def test_one_warning_names_all_fields_and_roles_with_the_same_reason(self):
        roles = [role(name, "true", resource={"capabilities": {"a": 1}}, deployment_preference="x") for name in "ab"]
        warning = self.ok("run", "-n", self.app(*roles)).stderr
        self.assertIn("ignores deployment_preference, resource.capabilities of a, b: it does not act on this",
                      warning)

    def test_accepted_field_causes_no_warning(self):
        app = self.app(role("w", "true", resource={"capabilities": {"a": 1}}))
        self.assertIn("ignores", self.ok("run", "-n", app).stderr)
        self.assertEqual(self.ok("run", "-n", "--accept-ignored", "resource.capabilities", app).stderr, "")
        self.assertEqual(self.ok("run", "-n", "-q", app).stderr, "")
        settings = self.write("settings.toml", '[cli.run]\naccept-ignored = "image,resource.capabilities"\n')
        self.assertEqual(self.ok("--config", settings, "run", "-n", app).stderr, "")

    def test_lint_reports_the_same_fields(self):
        app = self.app(role("w", "true", resource={"cpu": 1, "gpu": 2}))
        rows = self.ok("lint", "--json", "-s", "local_cwd", app).json
        keys = {row["key"] for row in rows if row["rule"] == "ignored-by-scheduler"}
        self.assertEqual(keys, {"roles[0].resource.cpu", "roles[0].resource.gpu"})

    def test_run_and_dry_run_and_lint_give_the_same_reasons(self):
        app = self.gpu_app()
        scheduler = ("-s", "local_cwd")
        ignored = self.ok("run", "-n", "--json", *scheduler, app).json["ignored"]
        rows = self.ok("lint", "--json", *scheduler, app).json
        self.assertEqual({(row["key"], row["message"]) for row in rows if row["rule"] == "ignored-by-scheduler"},
                         {(f"roles[0].{each['field']}", f"local_cwd ignores this: {each['why']}") for each in ignored})
        self.assertEqual(len(ignored), 3)
        for command in (["run", "-n"], ["run"]):
            warnings = [line.partition(": ")[2] for line in self.ok(*command, *scheduler, app).stderr.splitlines()
                        if " ignores " in line]
            for each in ignored:
                with self.subTest(command, field=each["field"]):
                    (warning,) = [line for line in warnings if each["field"] in line]
                    self.assertTrue(warning.endswith(f" of w: {each['why']}"), warning)

    def test_shared_option_that_the_scheduler_does_not_have_is_reported(self):
        app = self.write("app.toml", "name = \"x\"\n[options.\"*\"]\non_end = \"cat\"\nfail_fast = true\n"
                         "[options.local_cwd]\ngrace_s = 3\n[[roles]]\nname = \"w\"\nentrypoint = \"true\"\n")
        self.assertEqual(self.ok("run", "-n", "--json", "-s", "slurm", app).json["ignored"],
                         [{"role": None, "field": "options.on_end", "why": "it has no such run option"}])
        self.assertIn("slurm ignores options.on_end: it has no such run option\n",
                      self.ok("run", "-n", "-s", "slurm", app).stderr)
        accepting = self.ok("run", "-n", "-s", "slurm", "--accept-ignored", "options.on_end", app)
        self.assertNotIn("ignores", accepting.stderr)
        self.assertEqual(self.ok("lint", "-s", "slurm", "-s", "local_cwd", "app.toml").stdout,
                         "app.toml:3:1: warning: options.on_end: slurm ignores this: it has no such run option "
                         "[ignored-by-scheduler]\n")

    def test_on_end_in_the_options_of_another_scheduler_is_reported(self):
        app = self.write("app.toml", "name = \"x\"\n[options.local_cwd]\ngrace_s = 3\non_end = \"cat\"\n"
                         "[[roles]]\nname = \"w\"\nentrypoint = \"true\"\nimage = \"/\"\n")
        here = "write it in [options.\"*\"] for every scheduler that has it"
        for scheduler, why in (("slurm", "it has no such run option"), ("docker", here), ("local_dir", here)):
            with self.subTest(scheduler):
                result = self.ok("run", "-n", "-s", scheduler, app)
                self.assertIn(f"warning: {scheduler} ignores options.local_cwd.on_end: {why}\n", result.stderr)
                self.assertIn(f"app.toml:4:1: warning: options.local_cwd.on_end: {scheduler} ignores this: {why} ",
                              self.ok("lint", "-s", scheduler, "app.toml").stdout)
        for words in (("-s", "local_cwd"), ("-s", "local_dir", "-c", "on_end=true"), ("-q", "-s", "slurm"),
                      ("-s", "slurm", "--accept-ignored", "options.local_cwd.on_end")):
            with self.subTest(words):
                self.assertNotIn("on_end: ", self.ok("run", "-n", *words, app).stderr)

    def test_on_end_is_reported_wherever_it_comes_from(self):
        app = self.app("true")
        self.assertIn("slurm ignores the run option 'on_end', which docker has",
                      self.ok("run", "-n", "-s", "slurm", "-c", "on_end=cat", app).stderr)
        self.assertIn("SLIPWAY_CFG: the scheduler has no run option 'on_end'",
                      self.ok("run", "-n", "-s", "slurm", app, env={"SLIPWAY_CFG": "on_end=cat"}).stderr)

    def test_default_image_of_a_component_causes_no_warning(self):
        self.assertNotIn("ignores image", self.ok("run", "utils.echo", "--msg", "x").stderr)
        self.assertIn("ignores image", self.ok("run", "utils.echo", "--msg", "x", "--image", "/srv").stderr)
        self.assertNotIn("ignores image", self.ok("run", "-n", "utils.binary", "--entrypoint", "true").stderr)

    def test_a_value_that_the_user_chose_causes_a_warning_even_if_it_is_the_default(self):
        self.write("job.toml", """
            [component.job.params.gpu]
            type = "int"
            default = 4
            [component.job.app]
            name = "job"
            [[component.job.app.roles]]
            name = "w"
            entrypoint = "true"
            resource = { gpu = "{{gpu}}" }
            """)
        self.assertEqual(self.ok("run", "-n", "job.toml").stderr, "")
        self.assertIn("ignores resource.gpu", self.ok("run", "-n", "-P", "gpu=4", "job.toml").stderr)

    def test_default_resource_of_a_component_causes_no_warning(self):
        def ignored(*words):
            return [line.partition(" ignores ")[2].partition(":")[0]
                    for line in self.ok("run", "-n", *words).stderr.splitlines() if " ignores " in line]
        self.assertEqual(ignored("utils.echo"), [])  # it has no parameter for its resource
        self.assertEqual(ignored("utils.sh", "true"), [])
        self.assertEqual(ignored("utils.sh", "--cpu", "2", "true"), ["resource.cpu of sh"])
        self.assertEqual(ignored("utils.sh", "-h", "gpu.small", "true"),
                         ["resource.cpu, resource.memMB of sh", "resource.gpu of sh"])
        self.write("job.toml", """
            [component.job.params]
            cpu = { type = "int", default = 2 }
            [component.job.app]
            name = "job"
            [[component.job.app.roles]]
            name = "w"
            entrypoint = "true"
            resource = { cpu = "{{cpu}}", memMB = 100 }
            """)
        self.assertEqual(ignored("job.toml"), ["resource.memMB of w"])
        self.assertEqual(ignored("job.toml:job", "--cpu", "3"), ["resource.cpu, resource.memMB of w"])


if __name__ == "__main__":
    unittest.main()
