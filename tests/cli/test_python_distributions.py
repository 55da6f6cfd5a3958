"""Python components beyond the project's own files: those of installed distributions, and the stand-in for `torchx`
beside the components that are built in."""

import shutil
import subprocess
import unittest
from pathlib import Path

from slipway_case import LIMIT_S, SlipwayCase, TREE

COMPONENT = '''from torchx import specs


def train(lr: float = 0.1) -> specs.AppDef:
    """Trains a model."""
    role = specs.Role(name="w", image="", entrypoint="echo", args=[str(lr)], resource=specs.resource(h="lab.big"))
    return specs.AppDef(name="train", roles=[role])
'''


class Distributions(SlipwayCase):
    def setUp(self):
        super().setUp()
        self.site = self.root / "site-packages"
        (self.site / "lab").mkdir(parents=True)
        (self.site / "lab" / "__init__.py").write_text("")
        (self.site / "lab" / "jobs.py").write_text(COMPONENT)
        (self.site / "lab" / "resources.py").write_text(
            "from torchx.specs import Resource\n\n\ndef big():\n    return Resource(cpu=8, gpu=2, memMB=4096)\n")
        info = self.site / "lab_jobs-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-jobs\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[torchx.components]\nlab = lab.jobs\n\n[torchx.named_resources]\n"
                                               "lab.big = lab.resources:big\n\n[torchx.schedulers]\n"
                                               "queue = lab.queue:make\n")
        self.env["PYTHONPATH"] = str(self.site)
        # Python takes seconds to start on a busy machine.
        self.env["SLIPWAY_CONFIG"] = str(self.write("patience.toml", "[cli]\nplugin-timeout = 60\n"))

    def test_their_components_are_listed_with_their_origin_and_run(self):
        self.assertRegex(self.ok("component", "list").stdout, r"lab\.train .* Trains a model\. \(from lab-jobs\)")
        for name in ("lab.train", "lab.jobs:train"):
            with self.subTest(name):
                app = self.ok("--json", "run", "-n", name, "--lr", "0.5").json["app"]
                self.assertEqual(app["roles"][0]["args"], ["0.5"])
        self.assertIn("(from lab-jobs)", self.ok("component", "show", "lab.train").stdout)
        self.assertEqual(self.expect_failure(66, "not_found", "run", "lab.trian")["hint"], "did you mean lab.train?")

    def test_their_packages_are_searched_as_in_torchx(self):
        for directory in ("lab/deep", "bare"):
            (self.site / directory).mkdir()
            (self.site / directory / "__init__.py").write_text("")
        for file in ("lab/deep/__init__.py", "lab/deep/runs.py", "bare/jobs.py", "single.py"):
            (self.site / file).write_text(COMPONENT)
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        # As in TorchX, the components of an entry named `_` or `_N` get no prefix.
        entries.write_text("[torchx.components]\nfoo = lab\n_0 = bare\n_1 = single\ngone = no.such.module\n\n"
                           "[torchx.named_resources]\nlab.big = lab.resources:big\n")
        listed = [line.split()[0] for line in self.ok("component", "list").lines if "(from lab-jobs)" in line]
        self.assertEqual(listed, ["foo.deep.runs.train", "foo.deep.train", "foo.jobs.train", "jobs.train", "train"])
        for name in listed:
            with self.subTest(name):
                self.assertEqual(self.ok("--json", "run", "-n", name).json["app"]["name"], "train")

    def test_a_package_without_init_below_another_one_is_searched(self):
        for parent in ("lab", "bare"):
            (self.site / parent / "runs").mkdir(parents=True)
            (self.site / parent / "runs" / "jobs.py").write_text(COMPONENT)
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        entries.write_text("[torchx.components]\nfoo = lab.runs\nbar = bare.runs\n\n"
                           "[torchx.named_resources]\nlab.big = lab.resources:big\n")
        listed = self.ok("component", "list").stdout
        for name in ("foo.jobs.train", "bar.jobs.train"):
            self.assertIn(name, listed)
            self.assertEqual(self.ok("--json", "run", "-n", name).json["app"]["name"], "train")

    def test_a_package_that_cannot_be_searched_is_named_beside_the_list(self):
        (self.site / "hook.py").write_text(
            "import sys\n\n\nclass Finder:\n    @staticmethod\n    def find_spec(name, path=None, target=None):\n"
            "        if name == 'broken':\n            raise RuntimeError('no disk')\n\n\n"
            "sys.meta_path.insert(0, Finder)\n")
        (self.site / "sitecustomize.py").write_text("import hook\n")
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        entries.write_text("[torchx.components]\nbad = broken\nlab = lab.jobs\n")
        result = self.ok("component", "list")
        self.assertIn("lab.train", result.stdout)
        self.assertIn("the components in the package broken of lab-jobs are not listed: RuntimeError: no disk",
                      result.stderr)

    def test_a_distribution_with_broken_entry_points_spares_the_others(self):
        info = self.site / "broken-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[torchx.components]\nno equals sign\n")
        result = self.ok("component", "list")
        self.assertIn("lab.train", result.stdout)
        self.assertIn("the entry points of broken cannot be read", result.stderr)
        self.ok("run", "-n", "lab.train")

    def test_two_dashes_choose_a_program_instead_of_a_component_of_the_same_name(self):
        (self.site / "single.py").write_text(COMPONENT.replace("def train", "def echo") + COMPONENT)
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        entries.write_text("[torchx.components]\n_ = single\n\n[torchx.named_resources]\nlab.big = lab.resources:big\n")
        self.assertEqual(self.ok("--json", "run", "-n", "echo").json["app"]["name"], "train")
        self.assertIn("echo/0 a program", self.ok("run", "--", "echo", "a program").stderr)
        self.assertEqual(self.expect_failure(66, "not_found", "run", "trian")["hint"], "did you mean train?")
        self.assertIn("run -- PROGRAM", self.expect_failure(66, "not_found", "run", "nothing_like_it")["hint"])

    def test_built_in_components_shadow_theirs_visibly(self):
        (self.site / "lab" / "dist.py").write_text(COMPONENT.replace("def train", "def ddp"))
        (self.site / "lab" / "small.py").write_text(COMPONENT.replace("def train", "def echo"))
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        entries.write_text("[torchx.components]\ndist = lab.dist\nutils = lab.small\n\n"
                           "[torchx.named_resources]\nlab.big = lab.resources:big\n")
        listed = self.ok("--json", "component", "list")
        for name, module, app in (("utils.echo", "lab.small:echo", "echo"), ("dist.ddp", "lab.dist:ddp", "main")):
            words = ["--script", "main.py"] if name == "dist.ddp" else []
            self.assertEqual(listed.json[name]["source"], "org.slipway.builtins")
            self.assertIn(f"{name} of org.slipway.python_components is shadowed by that of org.slipway.builtins",
                          listed.stderr)
            self.assertEqual(self.ok("--json", "run", "-n", name, *words).json["app"]["name"], app)
            self.assertEqual(self.ok("--json", "run", "-n", module).json["app"]["name"], "train")

    def test_their_named_resources_are_used(self):
        for name in ("lab.jobs:train", "utils.sh"):
            words = [] if name == "lab.jobs:train" else ["-h", "lab.big", "true"]
            role = self.ok("--json", "run", "-n", name, *words).json["app"]["roles"][0]
            self.assertEqual([role["resource"][key] for key in ("cpu", "gpu", "memMB")], [8, 2, 4096])

    def test_their_named_resources_are_listed(self):
        self.assertRegex(self.ok("resource", "list").stdout, r"lab\.big +8 +2 +4096 +org.slipway.python_components")
        self.assertEqual(self.ok("resource", "show", "--json", "lab.big").json["lab.big"]["cpu"], 8)
        self.assertIn("the named resource lab.big is from lab-jobs", self.ok("component", "list").stderr)
        error = self.expect_failure(66, "not_found", "resource", "show", "lab.bog")
        self.assertEqual(error["hint"], "did you mean lab.big?")

    def test_a_named_resource_may_ask_for_others_and_fail(self):
        (self.site / "lab" / "resources.py").write_text(
            "from torchx import specs\n\n\ndef big():\n"
            "    return specs.Resource.copy(specs.named_resources['gpu.small'], size='big')\n\n\n"
            "def bigger():\n    return specs.Resource.copy(specs.named_resources['lab.big'], size='bigger')\n\n\n"
            "def endless():\n    return specs.named_resources['lab.endless']\n")
        entries = self.site / "lab_jobs-1.0.dist-info" / "entry_points.txt"
        entries.write_text("[torchx.named_resources]\n" + "".join(
            f"lab.{name} = lab.resources:{name}\n" for name in ("big", "bigger", "endless", "gone")))
        listed = self.ok("resource", "list")
        self.assertRegex(listed.stdout, r"lab\.bigger +\d+ +1 ")
        self.assertNotIn("lab.endless", listed.stdout)
        self.assertIn("the named resource lab.endless of lab-jobs is not available: RecursionError", listed.stderr)
        self.assertIn("the named resource lab.gone of lab-jobs is not available: AttributeError", listed.stderr)
        found = self.ok("resource", "show", "--json", "lab.bigger").json["lab.bigger"]
        self.assertEqual(found["capabilities"]["size"], "bigger")

    def test_named_resources_without_python_are_those_of_slipway(self):
        without = {"SLIPWAY_PYTHON": "/no/such/python"}
        listed = self.ok("resource", "list", env=without)
        self.assertIn("gpu.small", listed.stdout)
        self.assertEqual(listed.stderr, "")
        self.expect_failure(66, "not_found", "resource", "show", "lab.big", env=without)

    def test_files_of_the_project_named_like_standard_modules_do_not_run(self):
        (self.cwd / "email").mkdir()
        (self.cwd / "my").mkdir()
        (self.cwd / "my" / "m.py").write_text(COMPONENT)
        for name in ("csv", "email/__init__", "calendar", "datetime", "inspect", "random", "socket", "string",
                     "traceback", "zipfile"):
            (self.cwd / f"{name}.py").write_text("open('ran', 'a').write(__name__ + '\\n')\n")
        for words, shown in (
                (("component", "list"), "lab.train"), (("component", "show", "lab.train"), "Trains"),
                (("component", "show", "my.m"), ""), (("__complete", "words", "run", "my.m"), ""),
                (("__complete", "words", "run", "my.m.train", "--"), "--lr"), (("resource", "list"), "lab.big"),
                (("resource", "show", "lab.big"), "4096"), (("resource", "show", "lab.bog"), "")):
            with self.subTest(words):
                result = self.run_slipway(*words)
                self.assertFalse((self.cwd / "ran").exists(), result)
                self.assertIn(shown, result.stdout, result)

    def test_a_named_resource_may_import_modules_of_the_project(self):
        (self.cwd / "sizes.py").write_text("GPUS = 3\n")
        (self.site / "lab" / "resources.py").write_text(
            "import sizes\nfrom torchx.specs import Resource\n\n\ndef big():\n"
            "    return Resource(cpu=8, gpu=sizes.GPUS, memMB=4096)\n")
        self.assertEqual(self.ok("resource", "show", "--json", "lab.big").json["lab.big"]["gpu"], 3)

    def test_their_schedulers_are_named_as_not_supported(self):
        self.assertIn("the scheduler queue of lab-jobs is in Python", self.ok("component", "list").stderr)


class StandIn(SlipwayCase):
    def test_has_the_components_that_are_built_in(self):
        calls = {
            "echo": (["utils.echo", "--msg", "a b", "--num_replicas", "2"], "utils.echo('a b', num_replicas=2)"),
            "sh": (["utils.sh", "--num_replicas", "2", "--env", "A=1", "--max_retries", "1", "echo", "a b", "$X"],
                   "utils.sh('echo', 'a b', '$X', num_replicas=2, env={'A': '1'}, max_retries=1)"),
            "python": (["utils.python", "-m", "a.b", "--", "--x", "1"], "utils.python('--x', '1', m='a.b')"),
            "script": (["utils.python", "--script", "a.py", "--", "x"], "utils.python('x', script='a.py')"),
            "text": (["utils.python", "-c", "print(1)", "--", "x"], "utils.python('x', c='print(1)')"),
            "entrypoint": (["utils.sh", "--entrypoint", "/bin/echo", "a", "b c"],
                           "utils.sh('a', 'b c', entrypoint='/bin/echo')"),
            "binary": (["utils.binary", "--entrypoint", "/bin/x", "--", "-a"],
                       "utils.binary('-a', entrypoint='/bin/x')"),
            "touch": (["utils.touch", "--file", "/tmp/x"], "utils.touch('/tmp/x')"),
            "copy": (["utils.copy", "--src", "a", "--dst", "b"], "utils.copy('a', 'b')"),
            "booth": (["utils.booth", "--x1", "1", "--x2", "2.5"], "utils.booth(1.0, 2.5)"),
            "ddp": (["dist.ddp", "-j", "2x2", "--script", "a.py", "--", "y"], "dist.ddp('y', script='a.py', j='2x2')"),
            "tensorboard": (["metrics.tensorboard", "--logdir", "/l", "--port", "1", "--timeout", "60"],
                            "metrics.tensorboard('/l', port=1, timeout=60.0)"),
            "torchserve": (["serve.torchserve", "--model_path", "m", "--management_api", "a", "--params", "k=v"],
                           "serve.torchserve('m', 'a', params={'k': 'v'})"),
            "spmd": (["dist.spmd", "--script", "a.py", "-j", "1x2", "--", "y"],
                     "dist.spmd('y', script='a.py', j='1x2')"),
        }
        functions = "".join(f"def {name}() -> specs.AppDef:\n    return {call}\n\n\n"
                            for name, (_, call) in calls.items())
        self.write("comp.py", "from torchx import specs\n"
                   "from torchx.components import dist, metrics, serve, utils\n\n\n" + functions)
        for name, (words, _) in calls.items():
            with self.subTest(name):
                built_in, python = (self.ok("--json", "run", "-n", *each).json["app"]
                                    for each in (words, [f"comp.py:{name}"]))
                for app in (built_in, python):
                    for role in app["roles"]:
                        role["env"].pop("TORCHX_INTERNAL_SESSION_ID", None)
                self.assertEqual((python["name"], python["roles"]), (built_in["name"], built_in["roles"]))

    def python(self, body):
        """Returns what a component gets from a function with this body, as a text."""
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        self.write("comp.py", "from torchx import specs\nfrom torchx.specs import *\n\n\ndef text():\n" + lines +
                   "\n\ndef f() -> AppDef:\n"
                   "    return AppDef('a', [specs.Role('r', '', entrypoint='echo', args=[str(text())])])\n")
        return self.ok("--json", "run", "-n", "comp.py:f").json["app"]["roles"][0]["args"][0]

    def test_a_component_may_catch_an_unknown_resource(self):
        self.assertEqual(self.python("try:\n    return specs.named_resources['gpu.smal']\nexcept KeyError as error:\n"
                                     "    return specs.named_resources['gpu.small'].gpu, error.args"),
                         "(1, ('gpu.smal',))")
        self.assertEqual(self.python("known = specs.named_resources\n"
                                     "return 'gpu.smal' in known, 'gpu.small' in known, known.get('gpu.smal', 7), "
                                     "known.get('gpu.small').gpu"), "(False, True, 7, 1)")

    def test_the_named_resources_null_and_missing_are_those_of_torchx(self):
        self.assertEqual(self.python("return [('NULL' in specs.named_resources, specs.resource(h=name).cpu) "
                                     "for name in ('NULL', 'MISSING')]"), "[(True, -1), (True, -1)]")

    def test_computed_overrides_of_a_role_are_evaluated_once(self):
        self.write("comp.py", "from torchx import specs\n\n\n"
                              "async def image():\n    print('asked')\n    return '/i'\n\n\n"
                              "def f() -> specs.AppDef:\n    return specs.AppDef('a', [specs.Role('r', '', "
                              "overrides={'image': image(), 'entrypoint': lambda: 'echo'})])\n")
        result = self.ok("--json", "run", "-n", "comp.py:f")
        role = result.json["app"]["roles"][0]
        self.assertEqual((role["image"], role["entrypoint"], result.stderr.count("asked")), ("/i", "echo", 1))

    def test_errors_about_missing_parts_of_torchx_say_what_to_install(self):
        for statement, part in (("import torchx.tracker", "torchx.tracker"),
                                ("import torchx\ntorchx.schedulers", "torchx.schedulers"),
                                ("from torchx.specs import runopts", "torchx.specs.runopts"),
                                ("from torchx.specs.api import runopts", "torchx.specs.api.runopts"),
                                ("from torchx.specs.builders import _create_args_parser",
                                 "torchx.specs.builders._create_args_parser"),
                                ("from torchx.specs.builders import materialize_appdef",
                                 "torchx.specs.builders.materialize_appdef"),
                                ("from torchx.components import interpret", "torchx.components.interpret"),
                                ("from torchx.components.dist import nope", "torchx.components.dist.nope"),
                                ("from torchx.components.utils import nope", "torchx.components.utils.nope"),
                                ("from torchx.components.structured_arg import nope",
                                 "torchx.components.structured_arg.nope")):
            with self.subTest(statement):
                lines = "".join(f"    {line}\n" for line in statement.splitlines())
                self.write("comp.py", "from torchx.specs import AppDef\n\n\ndef f() -> AppDef:\n" + lines)
                error = self.expect_failure(65, "invalid", "run", "comp.py:f")
                self.assertIn(f"{part} is not part of what Slipway provides", error["message"])
                self.assertIn("pip install torchx", error["message"])

    def test_writes_no_bytecode_beside_its_files(self):
        tree = self.root / "tree"
        subprocess.run(["cp", "-r", "--reflink=auto", TREE, tree], check=True)
        for cache in tree.rglob("__pycache__"):
            if cache.is_dir():  # slipway/__pycache__ is a file, which keeps Python from writing bytecode there
                shutil.rmtree(cache)
        self.write("comp.py", COMPONENT.replace("lab.big", "gpu.small"))
        done = subprocess.run([tree / "bin" / "slipway", "run", "-n", "comp.py:train"], cwd=self.cwd, env=self.env,
                              capture_output=True, check=False, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(tree.rglob("*.pyc")), [])
        cached = {path.name.split(".")[0] for path in Path(self.env["XDG_CACHE_HOME"]).rglob("*.pyc")}
        self.assertLessEqual({"api", "builders", "calls", "signature"}, cached)


if __name__ == "__main__":
    unittest.main()
