"""`python3 -m slipway.appdef`: scripts get the app of a component in Python as JSON."""

import json
import shutil
import subprocess
import sys
import unittest

from slipway_case import LIMIT_S, SlipwayCase, TREE

# The start of a component file, up to the body of the component say().
HEAD = """from typing import Dict, List, Optional

from torchx import specs

print("chatter")


def say(*args: str, n: int = 1, env: Optional[Dict[str, str]] = None, sizes: List[int] = [1],
        h: Optional[str] = None) -> specs.AppDef:
"""
# A body of say() that returns an app. Its program echoes the arguments of say().
GOOD = """    resource = specs.resource(h=h) if h else specs.NULL_RESOURCE
    role = specs.Role("r", image="", entrypoint="echo", args=[repr(env), repr(sizes), *args], num_replicas=n,
                      resource=resource)
    return specs.AppDef("say", [role])
"""


def remove_bytecode(directory):
    """Removes the bytecode below a directory, which a program of the built tree may have written. A `__pycache__` that
    is a file stays: it keeps Python from writing bytecode."""
    for cache in directory.rglob("__pycache__"):
        if cache.is_dir():
            shutil.rmtree(cache)


class AppDef(SlipwayCase):
    def appdef(self, *words, body=None):
        """Runs `python3 -m slipway.appdef`, with this body of say() in comp.py; None leaves comp.py as it is.
        Returns the finished process."""
        if body is not None:
            self.write("comp.py", HEAD + body)
        env = {**self.env, "PYTHONPATH": str(TREE / "share" / "slipway" / "python")}
        return subprocess.run([sys.executable, "-B", "-m", "slipway.appdef", *words], cwd=self.cwd, env=env,
                              capture_output=True, text=True, check=False, timeout=LIMIT_S)

    def role(self, *words):
        """Returns the only role of the app that say() makes of these words."""
        done = self.appdef("comp.py:say", *words, body=GOOD)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["roles"][0]

    def failure(self, status, *words, body=GOOD):
        """Checks that the program fails with this exit status. Returns its messages."""
        done = self.appdef(*words, body=body)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertNotIn("slipway/python", done.stderr)
        return done.stderr

    def test_prints_an_app_that_slipway_runs(self):
        role = self.role("-h", "gpu.small", "--sizes", "4,5", "-n", "2", "--", "-x")
        self.assertEqual(role["args"], ["None", "[4, 5]", "-x"])
        self.assertEqual((role["resource"]["gpu"], role["num_replicas"]), (1, 2))
        done = self.appdef("comp.py:say", "x")
        again = self.ok("--json", "run", "-n", "-", stdin=done.stdout.encode()).json["app"]
        self.assertEqual(again["roles"][0]["args"], json.loads(done.stdout)["roles"][0]["args"])

    def test_reads_arguments_as_slipway_run_does(self):
        for text in ("A=1,2,B=3", "A=\"x=y\"", "A=1;B=2", "A=", " A = 1 , B = 'it,s' ", "A==1"):
            with self.subTest(text):
                self.write("comp.py", HEAD + GOOD)
                run = self.run_slipway("--json", "run", "-n", "comp.py:say", "--env", text)
                if run.status == 0:
                    self.assertEqual(self.role("--env", text)["args"], run.json["app"]["roles"][0]["args"])
                else:
                    self.assertIn("argument --env: dict: ", self.failure(64, "comp.py:say", "--env", text))
        self.assertEqual(self.role("--sizes", " 4 , 5 ")["args"][1], "[4, 5]")
        self.assertEqual(self.role("--sizes", "")["args"][1], "None")

    def test_leaves_no_bytecode_beside_its_files_and_the_component(self):
        packages = self.root / "python"
        shutil.copytree(TREE / "share" / "slipway" / "python", packages)
        remove_bytecode(packages)
        self.write("comp.py", HEAD + GOOD)
        before = sorted([*packages.rglob("*"), *self.cwd.rglob("*")])
        done = subprocess.run([sys.executable, "-m", "slipway.appdef", "comp.py:say"], cwd=self.cwd,
                              env={**self.env, "PYTHONPATH": str(packages)}, capture_output=True, text=True,
                              check=False, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted([*packages.rglob("*"), *self.cwd.rglob("*")]), before)

    def test_an_installed_torchx_comes_first(self):
        real = self.root / "real" / "torchx"
        real.mkdir(parents=True)
        (real / "__init__.py").write_text("")
        (real / "specs.py").write_text("class AppDef:\n    name = 'of the real one'\n    roles = []\n")
        self.write("comp.py", "from torchx import specs\n\n\ndef f() -> specs.AppDef:\n    return specs.AppDef()\n")
        env = {**self.env, "PYTHONPATH": f"{TREE / 'share' / 'slipway' / 'python'}:{real.parent}"}
        done = subprocess.run([sys.executable, "-B", "-m", "slipway.appdef", "comp.py:f"], cwd=self.cwd, env=env,
                              capture_output=True, text=True, check=False, timeout=LIMIT_S)
        self.assertEqual(json.loads(done.stdout)["name"], "of the real one", done.stderr)

    def test_mistakes_in_arguments_have_status_64(self):
        self.assertIn("argument --n/-n: int: invalid literal for int", self.failure(64, "comp.py:say", "-n", "two"))
        self.assertIn("usage: slipway.appdef comp.py:say", self.failure(64, "comp.py:say", "--trials", "1"))
        self.assertIn("usage:", self.failure(64))

    def test_a_command_that_prints_no_json_is_an_error(self):
        copy = self.root / "elsewhere"
        shutil.copytree(TREE / "share" / "slipway" / "python", copy)
        programs = self.root / "programs"
        programs.mkdir()
        (programs / "slipway").write_text("#!/bin/sh\necho of another kind >&2\nexit 3\n", encoding="utf-8")
        (programs / "slipway").chmod(0o755)
        self.write("comp.py", HEAD + GOOD)
        done = subprocess.run([sys.executable, "-B", "-m", "slipway.appdef", "comp.py:say", "-h", "x"], cwd=self.cwd,
                              env={**self.env, "PYTHONPATH": str(copy), "PATH": f"{programs}:{self.env['PATH']}"},
                              capture_output=True, text=True, check=False, timeout=LIMIT_S)
        self.assertEqual((done.returncode, done.stdout), (65, ""))
        self.assertIn("slipway resource show --json x printed no JSON: of another kind\n", done.stderr)

    def test_unknown_names_have_status_66(self):
        self.assertIn("comp.py:sya", self.failure(66, "comp.py:sya"))
        self.assertIn("gone.py", self.failure(66, "gone.py:f"))
        self.assertIn("gpu.smal", self.failure(66, "comp.py:say", "-h", "gpu.smal"))

    def test_a_component_that_fails_gives_the_frames_of_the_user(self):
        self.assertIn("comp.py:10: in say: raise ValueError('kaputt')",
                      self.failure(65, "comp.py:say", body="    raise ValueError('kaputt')\n"))
        self.assertIn("called exit(3)", self.failure(65, "comp.py:say", body="    raise SystemExit(3)\n"))
        self.assertIn("metadata[a] is object", self.failure(65, "comp.py:say", body=GOOD.replace(
            "num_replicas=n", "metadata={'a': object()}")))
        self.assertIn("comp.py:10:12: ", self.failure(65, "comp.py:say", body="    return (\n"))

    def test_mistakes_in_the_signature_have_status_65(self):
        body = "    pass\n\n\ndef f(a, *rest) -> int:\n    pass\n"
        for reference in ("comp.py:f", "comp:f"):
            lines = self.failure(65, reference, body=body).splitlines()
            places = [line.split(": ")[0] for line in lines[:3]]
            self.assertEqual(places, ["comp.py:13:7", "comp.py:13:11", "comp.py:13:1"])
            self.assertIn("write a: str", lines[3])

    def test_a_fork_of_a_component_prints_nothing(self):
        done = self.appdef("comp.py:say", body="    import os\n    os.fork()\n" + GOOD)
        self.assertEqual(json.loads(done.stdout)["name"], "say")


if __name__ == "__main__":
    unittest.main()
