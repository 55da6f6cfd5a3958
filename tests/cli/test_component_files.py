"""Components in files: `slipway run FILE.toml:NAME`, `-P`, help, and messages about mistakes."""

import unittest
from pathlib import Path

from slipway_case import SlipwayCase

EXAMPLE = Path(__file__).parents[2] / "core" / "docs" / "examples" / "sweep.toml"

ONE = """
[component.hello]
help = "Greets."
[component.hello.params.who]
default = "world"
help = "whom"
[component.hello.params.times]
type = "int"
default = 1
short = "n"
[component.hello.app]
name = "hello"
[[component.hello.app.roles]]
name = "greeter"
entrypoint = "sh"
args = ["-c", "echo hello {{who}}"]
num_replicas = "{{times}}"
"""


class ComponentFiles(SlipwayCase):
    def file(self, text=ONE, name="hello.toml"):
        """Writes a component file into the working directory. Returns its name."""
        path = self.cwd / name
        path.write_text(text)
        return name

    def app(self, *arguments, **options):
        """Returns the app that a dry run with these arguments shows."""
        return self.ok("--json", "run", "-n", *arguments, **options).json["app"]

    def test_the_only_component_of_a_file_runs(self):
        result = self.ok("run", self.file())
        self.assertIn("hello world", result.stderr)

    def test_options_of_run_may_follow_a_file_and_P_sets_parameters(self):
        app = self.ok("run", self.file(), "-P", "who=you", "--json", "-n", "-P", "times=2").json["app"]
        self.assertEqual(app["roles"][0]["args"][1], "echo hello you")
        self.assertEqual(app["roles"][0]["num_replicas"], 2)

    def test_words_after_a_component_belong_to_it(self):
        app = self.app(self.file() + ":hello", "--who", "-x y", "-n", "3")
        self.assertEqual(app["roles"][0]["args"][1], "echo hello -x y")
        self.assertEqual(app["roles"][0]["num_replicas"], 3)
        error = self.expect_failure(64, "usage", "run", "-n", "hello.toml:hello", "--scheduler", "local_cwd")
        self.assertIn("unknown option '--scheduler'", error["message"])

    def test_json_option_after_a_component_belongs_to_it(self):
        result = self.expect(64, "run", "-n", self.file() + ":hello", "--json")
        self.assertEqual(result.stdout, "")

    def test_dryrun_takes_components(self):
        self.assertIn("hello you", self.ok("dryrun", self.file() + ":hello", "--who=you").stdout)

    def test_help_of_a_component_shows_its_parameters(self):
        self.file()
        for arguments in (("run", "hello.toml:hello", "--help"), ("component", "show", "hello.toml:hello"),
                          ("component", "show", "hello.toml")):
            text = self.ok(*arguments).stdout
            for part in ("hello.toml:hello", "Greets.", "--who str", "whom (default: world)", "-n, --times int"):
                self.assertIn(part, text)

    def test_show_as_json_has_every_parameter(self):
        document = self.ok("component", "show", "--json", self.file()).json
        component = document["hello.toml:hello"]
        self.assertEqual((component["help"], component["source"]), ("Greets.", "hello.toml"))
        self.assertEqual(component["params"][1], {"name": "times", "short": "n", "type": "int", "default": 1,
                                                  "required": False, "variadic": False, "help": ""})

    def test_all_wrong_arguments_are_reported_at_once(self):
        error = self.expect_failure(64, "usage", "run", self.file() + ":hello", "--hwo", "x", "--times", "many", "word")
        for part in ("unknown option '--hwo', did you mean --who?", "--times: expected an int, found 'many'",
                     "unexpected argument 'word'"):
            self.assertIn(part, error["message"])

    def test_arguments_after_a_file_alone_are_answered_with_the_name_of_the_component(self):
        for words in (["--times", "2"], ["word"]):
            error = self.expect_failure(64, "usage", "run", self.file(), *words)
            self.assertIn(f"`slipway run hello.toml:hello {words[0]}`; or set a parameter with -P", error["hint"])
        self.file('name = "a"\n[[roles]]\nname = "r"\nentrypoint = "true"\n', "app.toml")
        error = self.expect_failure(64, "usage", "run", "app.toml", "--times", "2")
        self.assertEqual(error["hint"], "`slipway run --help` explains its use")

    def test_several_values_for_a_number_are_answered_with_the_sweep(self):
        for values in ("1,2", "1..5"):
            error = self.expect_failure(64, "usage", "run", self.file(), "-P", f"times={values}")
            self.assertIn(f"found '{values}', `run --sweep -P` runs the component", error["message"])

    def test_a_parameter_given_twice_is_refused(self):
        error = self.expect_failure(64, "usage", "run", self.file() + ":hello", "--who", "a", "--who=b")
        self.assertIn("--who is given more than once", error["message"])

    def test_P_with_an_unknown_parameter_is_refused(self):
        error = self.expect_failure(64, "usage", "run", self.file(), "-P", "hwo=x")
        self.assertIn("did you mean who?", error["message"])
        self.expect_failure(64, "usage", "run", "hello.toml", "-P", "who")
        self.file('name = "a"\n[[roles]]\nname = "r"\nentrypoint = "true"\n', "app.toml")
        error = self.expect_failure(64, "usage", "run", "app.toml", "-P", "a=b")
        self.assertIn("has no parameters", error["message"])

    def test_mistakes_in_the_file_are_reported_with_their_places(self):
        self.file(ONE.replace("{{who}}", "{{hwo}}").replace('type = "int"', 'type = "integr"'), "bad.toml")
        error = self.expect_failure(65, "invalid", "run", "bad.toml")
        places = [(p["line"], p["key"]) for p in error["problems"]]
        self.assertEqual(places, [(8, "component.hello.params.times.type"),
                                  (16, "component.hello.app.roles[0].args[1]")])
        self.assertIn("did you mean who?", error["problems"][1]["hint"])

    def test_mistakes_in_the_app_are_reported_with_the_place_in_the_template(self):
        self.file()
        error = self.expect_failure(65, "invalid", "run", "hello.toml", "-P", "times=0")
        self.assertEqual([(p["line"], p["key"]) for p in error["problems"]], [(17, "roles[0].num_replicas")])

    def test_a_component_does_not_depend_on_the_mistakes_of_another_one(self):
        self.file(ONE + "[component.broken]\nhelp = 3\n[component.broken.app]\nname = 'b'\n")
        self.assertEqual(self.app("hello.toml:hello")["name"], "hello")
        self.assertIn("component.broken.help", self.expect(65, "run", "-n", "hello.toml:broken").stderr)
        mistaken = ONE.replace("num_replicas", "num_replica") + "[component.broken]\nhelp = 3\n"
        for arguments, errors in ((("hello.toml",), 3), (("hello.toml:hello",), 1)):
            self.file(mistaken)
            found = self.expect(65, "lint", "--json", *arguments).json
            self.assertEqual(len([row for row in found if row["severity"] == "error"]), errors, found)

    def test_only_the_default_image_of_torchx_is_left_out_for_programs_of_this_machine(self):
        for directory in ("tree", "tools"):
            (self.cwd / directory).mkdir()
        role = "[[component.c.app.roles]]\nname = '{}'\nentrypoint = 'pwd'\nimage = '{}'\n"
        self.file(f"[component.c.params.image]\ndefault = '{self.cwd}/tree'\n[component.c.app]\nname = 'c'\n" +
                  role.format("a", "{{image}}") + role.format("b", f"{self.cwd}/tools"), "c.toml")
        shown = self.ok("run", "-s", "local", "c.toml").stderr
        self.assertIn(f"a/0 {self.cwd}/tree\n", shown)
        self.assertIn(f"b/0 {self.cwd}/tools\n", shown)
        for component in (("utils.binary", "--entrypoint", "pwd"), ("utils.sh", "pwd")):
            self.assertIn(f"/0 {self.cwd}\n", self.ok("run", "-s", "local", *component).stderr)

    def test_defaults_of_the_configuration_keep_their_items(self):
        self.file('''
            [component.v.params.env]
            type = "dict"
            [component.v.params.words]
            type = "list"
            [component.v.params.rest]
            variadic = true
            [component.v.app]
            name = "v"
            [[component.v.app.roles]]
            name = "w"
            entrypoint = "printf"
            args = ["{{words}}", "{{rest}}"]
            env = "{{env}}"
            ''', "v.toml")
        self.write("settings.toml", '''
            [component."v.toml:v"]
            rest = ["-x", "it's", "a b"]
            env = { A = "1;B=2", C = "x=y", D = "", E = " 'q' " }
            words = ["", "p,q"]
            ''')
        (role,) = self.app("v.toml:v", env={"SLIPWAY_CONFIG": str(self.cwd / "settings.toml")})["roles"]
        self.assertEqual(role["args"], ["", "p,q", "-x", "it's", "a b"])
        self.assertEqual({name: role["env"][name] for name in "ACDE"},
                         {"A": "1;B=2", "C": "x=y", "D": "", "E": " 'q' "})

    def test_numbers_become_text_where_the_app_has_text(self):
        self.file('''
            [component.t.params.port]
            type = "int"
            default = 8080
            [component.t.app]
            name = "t"
            options.local_cwd.backoff = { max = "{{port}}" }
            [[component.t.app.roles]]
            name = "w"
            entrypoint = "true"
            ready = { command = ["nc", "{{port}}"], within_s = "{{port}}" }
            ''', "t.toml")
        (role,) = self.app("t.toml")["roles"]
        self.assertEqual(role["metadata"]["slipway.ready"], {"command": ["nc", "8080"], "within_s": 8080})

    def test_a_negative_number_with_an_exponent_is_a_value(self):
        self.file(ONE.replace('"int"\ndefault = 1', '"float"\ndefault = 1.0').replace("{{who}}", "{{times}}")
                  .replace('num_replicas = "{{times}}"\n', ""))
        (role,) = self.app("hello.toml:hello", "--times", "-1e-3")["roles"]
        self.assertEqual(role["args"], ["-c", "echo hello -0.001"])

    def test_unknown_components_are_not_found(self):
        self.file()
        error = self.expect_failure(66, "not_found", "run", "hello.toml:helo")
        self.assertIn("did you mean hello?", error["hint"])
        self.expect_failure(66, "not_found", "run", "none.toml:helo")
        self.expect_failure(66, "not_found", "run", "no.such.component")
        self.expect_failure(66, "not_found", "component", "show", "no.such.component")

    def test_a_run_without_an_app_is_a_usage_error(self):
        self.expect_failure(64, "usage", "run")
        self.expect_failure(64, "usage", "run", "--")

    def test_a_file_with_several_components_needs_a_name(self):
        error = self.expect_failure(64, "usage", "run", EXAMPLE)
        self.assertIn("train, greet", error["message"])

    def test_the_example_of_the_documentation_works(self):
        app = self.app(f"{EXAMPLE}:train", "--script", "Train.py", "-r2", "--env", "OMP_NUM_THREADS=4,X=y", "--",
                       "--epochs", "3")
        role = app["roles"][0]
        self.assertEqual((app["name"], app["metadata"]), ("train", {"lr": "0.01"}))
        # args[2] has a macro: --replica=${replica_id}.
        self.assertEqual(role["args"][:2] + role["args"][3:], ["Train.py", "--lr=0.01", "--epochs", "3"])
        self.assertEqual(role["num_replicas"], 2)
        self.assertLessEqual({("OMP_NUM_THREADS", "4"), ("X", "y")}, set(role["env"].items()))
        result = self.ok("run", f"{EXAMPLE}:greet", "--words", "it's,me")
        self.assertIn("greeter/0 it's me, [\"it's\",\"me\"]", result.stderr)
        self.assertIn("greeter/0 {{", result.stderr)  # of `{{ '{{' }}`, two literal braces

    def test_templates_may_use_named_resources(self):
        app = self.app(f"{EXAMPLE}:greet", "-h", "gpu.small")
        self.assertEqual(app["roles"][0]["resource"]["gpu"], 1)
        error = self.expect_failure(66, "not_found", "run", f"{EXAMPLE}:greet", "-h", "gpu.smal")
        self.assertEqual(error["problems"][0]["key"], "roles[0].resource")


if __name__ == "__main__":
    unittest.main()
