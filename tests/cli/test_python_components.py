"""Components that are Python functions: `slipway run FILE.py:NAME`, modules, help, lint, and what can go wrong."""

import json
import os
import signal
import sys
import unittest

from slipway_case import SlipwayCase

TRAIN = '''
from typing import Dict, List, Optional

import torchx
import torchx.specs as specs


def train(script: str, *args: str, nproc: int = 2, image: str = torchx.IMAGE, h: Optional[str] = None,
          sizes: List[int] = [1, 2], env: Optional[Dict[str, str]] = None, rate: float = 0.5,
          fast: bool = False) -> specs.AppDef:
    """Trains a model.

    Args:
        script: the script to run
        nproc: number of replicas
    """
    resource = specs.resource(h=h) if h else specs.Resource(cpu=1, gpu=0, memMB=100)
    words = [script, repr(sizes), repr(rate), repr(fast), *args]
    role = specs.Role(name="trainer", image=image, entrypoint="echo", args=words, num_replicas=nproc, env=env or {},
                      resource=resource, retry_policy=specs.RetryPolicy.REPLICA, port_map={"http": 80})
    return specs.AppDef(name="train", roles=[role], metadata={"by": "me"})


def _helper(x: str) -> specs.AppDef:
    return train(x)
'''

HEAD = "import os\nimport sys\nfrom torchx.specs import AppDef, Role\n\n\n"


class PythonComponents(SlipwayCase):
    def app(self, *arguments, **options):
        """Returns the app that a dry run with these arguments shows."""
        return self.ok("--json", "run", "-n", *arguments, **options).json["app"]

    def component(self, body, name="comp.py", head=HEAD):
        """Writes a file with the component `f`, whose body is given. Returns the component's name, as in comp.py:f."""
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        self.write(name, f"{head}def f() -> AppDef:\n{lines}")
        return name + ":f"

    def failure(self, body, status=65, code="invalid", **options):
        """Checks that a component with this body fails. Returns the error document."""
        return self.expect_failure(status, code, "run", self.component(body), **options)

    def test_a_default_that_the_command_line_cannot_express_applies(self):
        self.write("comp.py", HEAD + "def f(n: int = 2 ** 64, x: float = 1e999, s: str = None) -> AppDef:\n"
                   "    return AppDef('a', [Role('r', image='', entrypoint='echo', args=[repr((n, x, s))])])")
        self.assertEqual(self.app("comp.py:f")["roles"][0]["args"], ["(18446744073709551616, inf, None)"])
        self.assertIn("(default: 1e999)", self.ok("component", "show", "comp.py:f").stdout)

    # components that run ---------------------------------------------------------------------------------------------

    def test_arguments_reach_the_function_with_their_types(self):
        self.write("comp.py", TRAIN)
        app = self.app("comp.py:train", "--script", "a.py", "--nproc", "3", "--sizes", "4,5", "--env", "A=1,B=2",
                       "--rate", "2", "--fast", "true", "--", "x", "-y")
        role = app["roles"][0]
        self.assertEqual(role["args"], ["a.py", "[4, 5]", "2.0", "True", "x", "-y"])
        self.assertEqual((role["num_replicas"], role["env"]["A"], role["env"]["B"]), (3, "1", "2"))
        self.assertEqual(app["metadata"], {"by": "me"})
        self.assertEqual(role["retry_policy"], "REPLICA")
        self.assertEqual(role["port_map"], {"http": 80})

    def test_the_functions_own_defaults_apply(self):
        self.write("comp.py", TRAIN)
        role = self.app("comp.py:train", "--script", "a.py")["roles"][0]
        self.assertEqual(role["args"], ["a.py", "[1, 2]", "0.5", "False"])
        self.assertEqual(role["image"], "ghcr.io/pytorch/torchx:0.7.0")

    def test_the_app_runs(self):
        reference = self.component('return AppDef("a", [Role("r", image="", entrypoint="echo", args=["it ran"])])')
        result = self.ok("run", reference)
        self.assertIn("r/0 it ran", result.stderr)

    def test_named_resources_are_those_of_the_host(self):
        site = self.config / "slipway" / "resources.d"
        site.mkdir(parents=True)
        (site / "site.toml").write_text("[named_resources.desk]\ncpu = 7\nmem = \"1GiB\"\n")
        self.write("comp.py", TRAIN)
        self.assertEqual(self.app("comp.py:train", "--script", "a", "-h", "desk")["roles"][0]["resource"]["cpu"], 7)
        self.assertEqual(self.app("comp.py:train", "--script", "a", "-h", "gpu.small")["roles"][0]["resource"]["gpu"],
                         1)
        error = self.expect_failure(66, "not_found", "run", "comp.py:train", "--script", "a", "-h", "gpu.smal")
        self.assertIn("gpu.small", error["hint"])

    def test_threads_get_the_named_resources_that_they_ask_for(self):
        names = ["gpu.small", "gpu.medium", "cpu.small", "aws_p4d.24xlarge"]
        self.component("import threading\nfrom torchx import specs\n"
                       f"names, found = {names} * 100, []\n"
                       "def ask(name):\n    found.append((name, specs.named_resources[name].cpu))\n"
                       "threads = [threading.Thread(target=ask, args=(name,)) for name in names]\n"
                       "for thread in threads:\n    thread.start()\n"
                       "for thread in threads:\n    thread.join()\n"
                       "answers = sorted(set(found)) + [len(found)]\n"
                       'return AppDef("a", [Role("r", image="", entrypoint="true", args=[str(answers)])])')
        known = self.ok("--json", "resource", "list").json
        expected = sorted((name, known[name]["cpu"]) for name in names) + [400]
        self.assertEqual(self.app("comp.py:f", timeout=30)["roles"][0]["args"], [str(expected)])

    def test_a_thread_that_asks_for_a_named_resource_at_the_end_does_not_end_the_component(self):
        self.component("import threading\nfrom torchx import specs\n"
                       "def ask():\n    while True:\n        specs.named_resources['gpu.small']\n"
                       "threading.Thread(target=ask, daemon=True).start()\n"
                       'return AppDef("a", [Role("r", image="", entrypoint="true")])')
        for _ in range(5):
            self.assertEqual(self.app("comp.py:f", timeout=30)["name"], "a")

    def test_a_built_in_component_also_gets_named_resources(self):
        self.assertEqual(self.app("utils.sh", "-h", "gpu.small", "true")["roles"][0]["resource"]["gpu"], 1)

    def test_modules_of_the_project_have_components(self):
        package = self.cwd / "my"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "jobs.py").write_text(TRAIN)
        for name in ("my.jobs:train", "my.jobs.train"):
            with self.subTest(name):
                self.assertEqual(self.app(name, "--script", "s")["roles"][0]["args"][0], "s")
        self.assertIn("my/jobs.py:train", self.ok("component", "list").stdout)
        self.expect_failure(66, "not_found", "run", "my.jobs:trian")

    def test_the_built_in_components_can_be_called_from_a_component(self):
        self.write("comp.py", "from torchx import specs\nfrom torchx.components import dist, utils\n\n\n"
                              "def job(j: str) -> specs.AppDef:\n"
                              "    return dist.ddp('--x', script='a/main.py', j=j)\n\n\n"
                              "def say(msg: str) -> specs.AppDef:\n    return utils.echo(msg)\n")
        ours = self.app("dist.ddp", "--script", "a/main.py", "-j", "1:2x4", "--", "--x")
        theirs = self.app("comp.py:job", "-j", "1:2x4")
        said, echoed = self.app("comp.py:say", "--msg", "hi"), self.app("utils.echo", "--msg", "hi")
        for app in (ours, theirs, said, echoed):
            del app["roles"][0]["env"]["TORCHX_INTERNAL_SESSION_ID"]
        self.assertEqual(theirs["roles"], ours["roles"])
        self.assertEqual(said["roles"], echoed["roles"])

    def test_quote_in_the_name_of_a_distributed_job_is_refused(self):
        self.write("comp.py", "from torchx import specs\nfrom torchx.components import dist\n\n\n"
                              "def job(name: str) -> specs.AppDef:\n"
                              "    return dist.ddp(script='main.py', name=name)\n")
        for arguments in (("dist.ddp", "--script", "main.py"), ("comp.py:job",)):
            with self.subTest(arguments[0]):
                # The name is EXPERIMENT/RUN, here with the default experiment.
                error = self.expect_failure(65, "invalid", "run", "-n", *arguments, "--name", "/it's")
                self.assertIn("the app's name has a quote: it's", error["message"])

    def test_mounts_are_parsed_in_python(self):
        mounts = "[vars(m) for m in specs.parse_mounts(['type=bind', 'src=/a', 'dst=/b', 'readonly', 'type=device', " \
                 "'src=/c'])]"
        error = self.failure(f"import torchx.specs as specs\nraise ValueError({mounts})")
        self.assertIn("{'src_path': '/a', 'dst_path': '/b', 'read_only': True}", error["message"])
        self.assertIn("{'src_path': '/c', 'dst_path': '/c', 'permissions': 'rwm'}", error["message"])

    def test_a_real_torchx_comes_first(self):
        real = self.root / "real" / "torchx"
        real.mkdir(parents=True)
        (real / "__init__.py").write_text("REAL = 'the real one'\n")
        self.write("comp.py", "import torchx\nfrom types import SimpleNamespace\nAppDef = None\n\n\n"
                              "def f() -> 'AppDef':\n    raise ValueError(torchx.REAL)\n")
        error = self.expect_failure(65, "invalid", "run", "comp.py:f", env={"PYTHONPATH": str(real.parent)})
        self.assertIn("ValueError: the real one", error["message"])

    def test_defaults_come_from_the_configuration(self):
        self.write("comp.py", TRAIN)
        self.write(".torchxconfig", "[component:comp.py:train]\nscript = from_config.py\n")
        self.assertEqual(self.app("comp.py:train")["roles"][0]["args"][0], "from_config.py")
        self.assertEqual(self.app("comp.py:train", "--script", "word")["roles"][0]["args"][0], "word")
        self.write("slipway.toml", '[component."comp.py:train"]\nnproc = 5\nfast = true\n')
        role = self.app("comp.py:train")["roles"][0]
        self.assertEqual((role["num_replicas"], role["args"][0], role["args"][3]), (5, "from_config.py", "True"))

    def test_parameters_come_from_options_of_run_and_from_standard_input(self):
        self.write("comp.py", TRAIN)
        role = self.app("-P", "nproc=3", "-P", "script=option.py", "comp.py:train", "--nproc", "4")["roles"][0]
        self.assertEqual((role["num_replicas"], role["args"][0]), (3, "option.py"))
        self.write("one.py", HEAD + "def f(n: int = 1) -> AppDef:\n"
                             "    return AppDef('a', [Role('r', image='', entrypoint='true', num_replicas=n)])\n")
        self.assertEqual(self.app("-P", "n=2", "one.py")["roles"][0]["num_replicas"], 2)
        request = {"component_name": "comp.py:train", "scheduler": "local_cwd", "scheduler_args": {}, "dryrun": True,
                   "component_args": {"script": "stdin.py", "nproc": 5, "sizes": [7, 8], "env": {"A": "1"}}}
        role = self.ok("--json", "run", "--stdin", stdin=json.dumps(request).encode()).json["app"]["roles"][0]
        self.assertEqual((role["num_replicas"], role["args"][:2]), (5, ["stdin.py", "[7, 8]"]))

    def test_options_after_the_component_belong_to_the_component(self):
        self.write("comp.py", TRAIN)
        for option in ("-P", "-d"):
            error = self.expect_failure(64, "usage", "run", "comp.py:train", "--script", "a", option, "nproc=3")
            self.assertIn(f"comp.py:train: unknown option '{option}'", error["message"])
            self.assertIn("options of `run`, such as -P and -d, go before comp.py:train", error["hint"])
        self.write("own.py", HEAD + "def f(P: int = 1) -> AppDef:\n"
                             "    return AppDef('a', [Role('r', image='', entrypoint='true', num_replicas=P)])\n")
        self.assertEqual(self.app("own.py:f", "-P", "2")["roles"][0]["num_replicas"], 2)

    # help, lint, completion ------------------------------------------------------------------------------------------

    def test_help_and_show_need_no_run_of_the_file(self):
        self.write("comp.py", TRAIN + "\nraise SystemExit('the file ran')\n")
        for arguments in (("run", "comp.py:train", "--help"), ("component", "show", "comp.py:train")):
            shown = self.ok(*arguments)
            self.assertIn("Trains a model.", shown.stdout)
            self.assertRegex(shown.stdout, r"--script str +the script to run \(required\)")
            self.assertRegex(shown.stdout, r"--nproc int +number of replicas \(default: 2\)")
            self.assertEqual(shown.stderr, "")
        listed = self.ok("--json", "component", "list").json
        self.assertIn("comp.py:train", listed)
        self.assertNotIn("comp.py:_helper", listed)

    def test_text_after_the_arguments_of_a_docstring_is_not_help_of_the_last_one(self):
        self.write("comp.py", TRAIN.replace("        nproc: number of replicas\n",
                                            "        nproc: number of\n          replicas\n    :return: an app\n"))
        shown = self.ok("component", "show", "comp.py:train").stdout
        self.assertRegex(shown, r"--nproc int +number of replicas \(default: 2\)")
        self.assertNotIn("return", shown)

    def test_help_of_an_unchanged_file_starts_no_python(self):
        self.write("comp.py", TRAIN)
        first = self.ok("component", "show", "comp.py:train").stdout
        without = {"SLIPWAY_PYTHON": "/no/such/python"}
        self.assertEqual(self.ok("component", "show", "comp.py:train", env=without).stdout, first)
        self.write("comp.py", TRAIN.replace("Trains", "Teaches"))
        self.expect_failure(69, "precondition", "component", "show", "comp.py:train", env=without)
        self.assertIn("Teaches a model.", self.ok("component", "show", "comp.py:train").stdout)

    def test_lint_reports_each_mistake_with_its_place(self):
        self.write("comp.py", "from torchx.specs import AppDef\n\n\ndef f(a, b: int | str) -> AppDef:\n    pass\n\n\n"
                              "def g(a: str):\n    pass\n")
        lines = self.expect(65, "lint", "comp.py").lines
        self.assertEqual([line.split(": ")[0] for line in lines], ["comp.py:4:7", "comp.py:4:10"])
        self.assertIn("the parameter a has no type", lines[0])
        rows = self.expect(65, "--json", "lint", "comp.py:g").json
        self.assertEqual([(row["line"], row["rule"]) for row in rows], [(8, "component-source")])
        self.assertIn("AppDef", rows[0]["message"])
        self.write("broken.py", "def f(:\n")
        self.assertIn("broken.py:1:7: error: ", self.expect(65, "lint", "broken.py").stdout)
        self.expect(66, "lint", "gone.py")

    def test_lint_of_an_unknown_function_finds_an_unknown_component(self):
        self.write("comp.py", "x = 1\n")
        (row,) = self.expect(65, "--json", "lint", "comp.py:nosuch").json
        self.assertEqual((row["file"], row["rule"]), ("comp.py", "unknown-component"))
        (row,) = self.expect(66, "--json", "lint", "gone.py:nosuch").json
        self.assertEqual(row["rule"], "unreadable-file")

    def test_the_shell_completes_components_and_parameters(self):
        self.write("comp.py", TRAIN)

        def complete(*words):
            return [line.split("\t")[0] for line in self.ok("__complete", "words", *words).lines]

        self.assertIn("comp.py", complete("run", "com"))
        self.assertEqual(complete("run", "comp.py:"), ["comp.py:train"])
        self.assertIn("--nproc", complete("run", "comp.py:train", "--n"))
        self.assertEqual(complete("lint", "com"), ["comp.py"])
        self.assertEqual(complete("lint", "comp.py:t"), ["comp.py:train"])

    # what can go wrong -----------------------------------------------------------------------------------------------

    def test_mistakes_in_a_file_name_the_line(self):
        for text, place in (("def f(:\n", "comp.py:1:7: "), ("äö = = 2\n", "comp.py:1:8: "),  # columns count bytes
                            ("def f(a) -> AppDef:\n    pass\n", "comp.py:1:7: f: "),
                            ("x = 1\n\ndef f() -> int:\n    pass\n", "comp.py:3:1: f: "),
                            ("\0", "source code")):
            with self.subTest(text):
                self.write("comp.py", text)
                self.assertIn(place, self.expect_failure(65, "invalid", "run", "comp.py:f")["message"])

    def test_unknown_files_and_functions_are_not_found(self):
        self.write("comp.py", TRAIN)
        self.assertIn("did you mean train?", self.expect_failure(66, "not_found", "run", "comp.py:trian")["hint"])
        self.assertIn("gone.py", self.expect_failure(66, "not_found", "run", "gone.py:f")["message"])
        (self.cwd / "dir.py").mkdir()
        self.expect_failure(65, "invalid", "run", "dir.py:f")

    def test_a_file_that_cannot_be_looked_up_is_not_reported_as_missing(self):
        (self.cwd / "loop.py").symlink_to("loop.py")
        result = self.run_slipway("run", "-n", "loop.py:f")
        self.assertIn("loop.py cannot be read: Too many levels of symbolic links", result.stderr)

    def test_places_of_mistakes_have_the_name_of_the_link_that_was_given(self):
        (self.cwd / "real.py").write_text("import torchx.specs\n\n\ndef bad(a) -> torchx.specs.AppDef:\n    pass\n")
        (self.cwd / "..link.py").symlink_to("real.py")  # looks as if it were in the directory above
        result = self.run_slipway("run", "-n", "..link.py:bad")
        self.assertIn("..link.py:4:", result.stderr)
        self.assertNotIn("/..link.py:4:", result.stderr)

    def test_a_component_that_raises_gives_the_frames_of_the_user(self):
        self.write("helper.py", "def fail():\n    raise ValueError('kaputt')\n")
        error = self.failure("import helper\nhelper.fail()")
        self.assertIn("comp.py:f raised ValueError: kaputt\n", error["message"])
        self.assertIn("comp.py:8: in f: helper.fail()", error["message"])
        self.assertIn("helper.py:2: in fail", error["message"])
        self.assertNotIn("slipway/python", error["message"])
        # A file of the plug-in has the same name.
        self.write("bridge.py", "def fail():\n    raise ValueError('of the user')\n")
        self.assertIn("bridge.py:2: in fail", self.failure("import bridge\nbridge.fail()")["message"])
        error = self.failure("import no_such_module")
        self.assertIn("No module named 'no_such_module'", error["message"])
        self.assertIn("SLIPWAY_PYTHON", error["hint"])

    def test_files_of_the_project_named_like_standard_modules_do_not_replace_those_that_slipway_uses(self):
        for name in ("copy", "inspect", "linecache", "math", "string", "tokenize", "traceback"):
            self.write(f"{name}.py", f"open('ran', 'a').write('{name} ')\n")
        self.assertIn("comp.py:8: in f: raise ValueError('kaputt')",
                      self.failure("import traceback\nraise ValueError('kaputt')")["message"])
        # From the import in f(), which failure() has run twice.
        self.assertEqual((self.cwd / "ran").read_text(), "traceback " * 2)
        good = 'return AppDef("a", [Role("r", image="", entrypoint="true")])'
        self.ok("run", "-n", self.component(good))
        self.assertEqual((self.cwd / "ran").read_text(), "traceback " * 2)

    def test_wrong_results_are_refused(self):
        for result, wrong in (("5", "returned int, not an AppDef"), ("None", "returned NoneType"),
                              ("AppDef('a', [Role('r', image='', args=[1])])", "roles[0].args[0] is int"),
                              ("AppDef('a', [Role('r', image='', env={'A': 1})])", "roles[0].env[A] is int"),
                              ("AppDef('a', ['r'])", "comp.py:f: the app's roles[0] is str, not a Role"),
                              ("AppDef('a', [Role('r', image='', mounts=None)])", "roles[0].mounts is NoneType"),
                              ("AppDef('a', [Role('r', image='', retry_policy=object())])",
                               "roles[0].retry_policy is object"),
                              ("AppDef('a', [Role('r', image='', num_replicas=10 ** 400)])", "roles[0].num_replicas"),
                              ("AppDef('a', [Role('r', image='', args=['\\udc80'])])", "is not text in UTF-8"),
                              ("AppDef('a', [Role(str(i), image='') for i in range(100000)])", "100000 roles"),
                              ("AppDef('a', [])", "roles")):
            with self.subTest(result):
                self.assertIn(wrong, self.failure("return " + result)["message"])

    def test_metadata_that_json_lacks_is_refused(self):
        for value, wrong in (("{'a': object()}", "roles[0].metadata[a] is object, not a value that JSON has"),
                             ("{'a': [{1, 2}]}", "roles[0].metadata[a][0] is set"),
                             ("{'a': float('nan')}", "roles[0].metadata[a] is not a finite number"),
                             ("{(1, 2): 'a'}", "key in roles[0].metadata is tuple"),
                             ("{'a': '\\udc80'}", "roles[0].metadata[a] is not text in UTF-8"),
                             ("around", "contains itself")):
            with self.subTest(value):
                error = self.failure("around = {}\naround['a'] = around\n"
                                     f"return AppDef('a', [Role('r', image='', metadata={value})])")
                self.assertIn(wrong, error["message"])
        role = self.app(self.component("return AppDef('a', [Role('r', image='', entrypoint='true', "
                                       "metadata={'a': [1, 2.5, None, {1: 'b'}]})])"))["roles"][0]
        self.assertEqual(role["metadata"], {"a": [1, 2.5, None, {"1": "b"}]})

    def test_an_exception_may_have_any_text(self):
        for body, text in (("class Bad(Exception):\n    def __str__(self):\n        raise TypeError('no')\nraise Bad()",
                            "comp.py:f raised Bad: (its __str__ raised TypeError)"),
                           ("raise ValueError('\\udc80')", "comp.py:f raised ValueError: ?"),
                           ("class Bad:\n    __str__ = None\nraise SystemExit(Bad())", "comp.py:f called exit(")):
            with self.subTest(text):
                self.assertIn(text, self.failure(body)["message"])
        self.assertLess(len(self.failure("raise ValueError('x' * 10 ** 7)")["message"]), 10_000)

    def test_a_component_that_ends_python_is_reported(self):
        for body, wrong in (("sys.exit(3)", "called exit(3)"), ("os._exit(4)", "ended Python with status 4"),
                            ("os._exit(255)", "ended Python with status 255"),
                            ("os.kill(os.getpid(), 9)", "ended Python with signal 9")):
            with self.subTest(body):
                self.assertIn("comp.py:f " + wrong, self.failure(body)["message"])

    def test_output_of_a_component_has_a_prefix_and_does_not_mix_with_the_answer(self):
        good = 'return AppDef("a", [Role("r", image="", entrypoint="true")])'
        result = self.ok("--json", "run", "-n", self.component("print('said')\nos.write(1, b'raw\\n')\n"
                                                               "sys.stderr.write('grumbled\\n')\n" + good))
        self.assertEqual(result.json["app"]["name"], "a")
        for word in ("said", "raw", "grumbled"):
            self.assertIn("comp.py:f prints: " + word, result.stderr)

    def printed(self, result):
        """Returns what a component printed."""
        return [line.partition(" prints: ")[2] for line in result.stderr.splitlines() if " prints: " in line]

    def test_output_of_a_component_stays_in_order(self):
        self.component("print('one')\nsys.stderr.write('two\\n')\nprint('three')\nos.write(1, b'four\\n')\n"
                       "print('five', end='')\n"
                       'return AppDef("a", [Role("r", image="", entrypoint="true")])')
        self.assertEqual(self.printed(self.ok("run", "-n", "comp.py:f")), ["one", "two", "three", "four", "five"])

    def test_output_before_a_fork_or_the_end_of_python_is_shown_once(self):
        self.component("print('before')\nif os.fork() == 0:\n    print('child', end='')\n    raise ValueError()\n"
                       "os.wait()\nprint('\\nafter')\nos._exit(3)")
        self.assertEqual(self.printed(self.expect(65, "run", "comp.py:f")), ["before", "child", "after"])

    def test_a_stream_that_cannot_be_flushed_does_not_lose_the_app(self):
        good = 'return AppDef("a", [Role("r", image="", entrypoint="true")])'
        for stream in ("None", "type('Stream', (), {'flush': lambda self: 1 / 0})()"):
            with self.subTest(stream):
                self.component(f"print('said', end='', file=sys.stderr)\nsys.stdout = {stream}\n{good}")
                self.assertEqual(self.printed(self.ok("run", "-n", "comp.py:f")), ["said"])

    def test_little_of_a_large_output_is_shown(self):
        result = self.expect(65, "run", self.component("while True:\n    os.write(1, b'x' * 65536)"))
        self.assertIn("printed more than 64 MiB", result.stderr)
        self.assertIn("(the rest of the line is not shown)", result.stderr)
        self.assertLess(len(result.err), 10_000)
        good = 'return AppDef("a", [Role("r", image="", entrypoint="true")])'
        result = self.ok("run", "-n", self.component("for i in range(100000):\n    print('line', i)\n" + good))
        self.assertIn("comp.py:f prints: line 9\n", result.stderr)
        self.assertIn("prints more lines, which are not shown", result.stderr)
        self.assertLess(len(result.err), 500_000)

    def test_an_app_of_more_than_64_mib_is_refused(self):
        error = self.failure("return AppDef('a', [Role('r', image='', metadata={'a': 'x' * (65 << 20)})])")
        self.assertIn("the answer of comp.py:f is larger than 64 MiB", error["message"])

    def test_an_app_that_the_host_would_not_read_is_refused(self):
        error = self.failure("return AppDef('a', [Role('r', image='', metadata={'a': 'x' * ((17 << 20) - 4096)})])")
        self.assertIn("comp.py:f returned an app of 17 MiB as JSON; Slipway reads at most 16 MiB", error["message"])

    def test_the_size_of_an_app_just_above_the_limit_is_rounded_up(self):
        error = self.failure("return AppDef('a', [Role('r', image='', metadata={'a': 'x' * (16 << 20)})])")
        self.assertIn("an app of 17 MiB as JSON", error["message"])

    def test_a_component_may_close_its_streams_but_not_the_channel(self):
        good = 'return AppDef("a", [Role("r", image="", entrypoint="true")])'
        self.assertEqual(self.app(self.component("sys.stdout.close()\nsys.stderr.close()\n" + good))["name"], "a")
        result = self.run_slipway("--json", "run", self.component("os.closerange(3, 1000)\n" + good))
        self.assertIn("comp.py:f ended Python with status 1", self.json_error(result)["message"])
        self.assertNotIn("Traceback", result.stderr)

    def test_long_arguments_arrive_whole(self):
        # Longer than the pieces of 100,000 bytes in which the plug-in passes arguments on. The padding moves the text
        # by one or two bytes, so with one of the two the end of a piece cuts a character of two bytes.
        self.write("comp.py", HEAD + "def f(a: str, b: str) -> AppDef:\n"
                   "    return AppDef('a', [Role('r', image='', entrypoint='echo', args=[a, b])])\n")
        for padding in ("x", "xx"):
            given = [padding, "\u00e9" * 55_000]
            self.assertEqual(self.app("comp.py:f", "-a", given[0], "-b", given[1])["roles"][0]["args"], given)

    def test_startup_files_of_python_may_print(self):
        (self.root / "startup").mkdir()
        (self.root / "startup" / "sitecustomize.py").write_text("print('hello from the site')\n")
        self.env["PYTHONPATH"] = str(self.root / "startup")
        self.write("comp.py", TRAIN)
        self.assertEqual(self.ok("component", "show", "comp.py:train").stderr, "")
        result = self.ok("--json", "run", "-n", "comp.py:train", "--script", "a")
        self.assertEqual(result.json["app"]["name"], "train")
        self.assertIn("comp.py:train prints: hello from the site", result.stderr)

    def test_a_fork_of_a_component_does_not_answer(self):
        result = self.app(self.component('os.fork()\nreturn AppDef("a", [Role("r", image="", entrypoint="true")])'))
        self.assertEqual(result["name"], "a")

    def test_a_component_may_start_workers_of_multiprocessing(self):
        self.write("work.py", "def square(n):\n    return n * n\n")
        self.component("import multiprocessing\nimport work\nopen('log', 'a').write('built\\n')\n"
                       "with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
                       "    args = [str(n) for n in pool.map(work.square, [2, 3])]\n"
                       'return AppDef("a", [Role("r", image="", entrypoint="true", args=args)])')
        result = self.ok("--json", "run", "-n", "comp.py:f")
        self.assertEqual(result.json["app"]["roles"][0]["args"], ["4", "9"])
        self.assertEqual(self.printed(result), [])
        self.assertEqual((self.cwd / "log").read_text(), "built\n")

    def test_children_that_a_component_leaves_behind_end_with_it(self):
        app = self.app(self.component(
            "import subprocess\nchild = os.fork()\nwhile child == 0:\n    __import__('time').sleep(1000)\n"
            "program = subprocess.Popen(['sleep', '1000'])\n"
            "from queue import Queue\nfrom threading import Thread\npids, never = Queue(), Queue()\n"
            "def work():\n    pids.put(subprocess.Popen(['sleep', '1000']).pid)\n    never.get()\n"
            "Thread(target=work, daemon=True).start()\n"
            "args = [str(pid) for pid in (child, program.pid, pids.get())]\n"
            'return AppDef("a", [Role("r", image="", entrypoint="true", args=args)])'))
        pids = app["roles"][0]["args"]
        self.eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "all three processes end")

    def test_a_component_that_never_returns_has_a_limit(self):
        config = self.config / "slipway"
        config.mkdir(parents=True, exist_ok=True)
        (config / "config.toml").write_text('[plugins."org.slipway.python_components"]\nconfig.time_limit_s = 5\n')
        error = self.json_error(self.run_slipway("--json", "run", self.component("while True:\n    pass")))
        self.assertEqual(error["code"], "timeout")
        self.assertIn("comp.py:f did not end within 5 s", error["message"])

    def test_a_component_that_outlasts_the_timeout_of_the_command_has_another_hint(self):
        error = self.json_error(self.run_slipway("--json", "--timeout", "3", "run",
                                                 self.component("while True:\n    pass")))
        self.assertEqual(error["code"], "timeout")
        self.assertEqual(error["message"], "the time limit (--timeout) is over: comp.py:f did not end in time")
        self.assertNotIn("time_limit_s", error["hint"])

    def test_interrupting_the_command_ends_the_component_and_its_children(self):
        body = "import time\nos.fork()\nopen('pid.%d' % os.getpid(), 'w')\ntime.sleep(1000)"
        process = self.start("run", self.component(body), start_new_session=True)
        self.eventually(lambda: len(list(self.cwd.glob("pid.*"))) == 2, "the component forks")
        pids = [int(path.suffix[1:]) for path in self.cwd.glob("pid.*")]
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)
        self.eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "both processes end")

    def test_interrupting_the_command_ends_a_component_in_c_code(self):
        endless = "open('pid', 'w').write(str(os.getpid()))\nimport re\nre.match('(a+)+$', 'a' * 60 + 'b')"
        process = self.start("run", self.component(endless), start_new_session=True)
        self.eventually(lambda: (self.cwd / "pid").exists() and (self.cwd / "pid").read_text(), "the component starts")
        pid = (self.cwd / "pid").read_text()
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(self.finish(process).status, 130)
        self.eventually(lambda: not os.path.exists(f"/proc/{pid}"), "the component ends")

    def test_python_is_needed_only_for_python_components(self):
        without = {"SLIPWAY_PYTHON": "/no/such/python"}
        self.write("comp.py", TRAIN)
        self.assertIn("utils.echo", self.ok("component", "list", env=without).stdout)
        self.ok("run", "-n", "utils.echo", env=without)
        error = self.expect_failure(69, "precondition", "run", "comp.py:train", env=without)
        self.assertIn("/no/such/python", error["message"])
        self.assertIn("SLIPWAY_PYTHON", error["hint"])
        self.expect_failure(69, "precondition", "run", "my.module:train", env=without)
        for name, hint in (("utils.ech", "did you mean utils.echo?"), ("nothing", "run -- PROGRAM")):
            error = self.expect_failure(66, "not_found", "run", name, env=without)
            self.assertIn(hint, error["hint"])
            self.assertIn("there is no /no/such/python", error["message"])

    def test_a_program_after_two_dashes_is_not_a_component(self):
        self.write("prog.py", "print('program')\n")
        self.assertIn("program", self.ok("run", "--", sys.executable, "prog.py").stderr)


if __name__ == "__main__":
    unittest.main()
