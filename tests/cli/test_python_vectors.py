"""The stand-in for `torchx` behaves like TorchX: the cases of tests/vectors about its functions and components."""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from slipway_case import TREE

sys.path.insert(0, str(TREE / "share" / "slipway" / "python"))  # before an installed TorchX
from slipway import appdef, appjson, argument_text, failure, standin  # noqa: E402
from torchx.components import dist, structured_arg  # noqa: E402
from torchx import specs  # noqa: E402
from torchx.specs import api  # noqa: E402

VECTORS = Path(__file__).parents[1] / "vectors"

# {file in tests/vectors: {case: why it is skipped}}: cases in which Slipway differs on purpose, as for the built-in
# components in tests/vectors/skips.toml, or that test something else.
SKIPPED = {
    "structured_args": {"nnodes '1x2\\n'": "no newline after the number",
                        "nnodes '2\\n'": "no newline after the number",
                        "nnodes '１'": "digits are 0 to 9"},
    "dist_ddp": {"dist.ddp -j '１x２'": "digits are 0 to 9",
                 "dist.ddp config defaults": "the host applies the configuration"},
    "to_dict": {"to_dict ''": "appdef makes None of an empty text",
                "to_dict '\"K\"=v'": "quotes around a key are removed",
                "to_dict \"FOO='x',BAR=__QUOTED_0__\"": "there are no placeholders"},
    "component_files": {"annotations as texts, arguments": "types are read from the source",
                        "result as a text with a dot": "accepted",
                        "keywords of any name": "accepted, and none are passed",
                        "ddp, static on one node": "c10d on one node",
                        "ddp, tracker variables": "those of the caller are kept"},
    "utils_components": {"serve.torchserve ['--model_path', 'm', '--management_api', 'a', '--params', 'k=v":
                         "--params works"},
}


def resource_json(resource):
    return appjson.resource("resource", resource)


def mount_json(mount):
    return appjson.mount("mount", mount)


def role_json(role):
    return {"min_replicas": None, **appjson.role("role", role)}


def role_of(given):
    """Returns the role whose fields a vector gives as JSON."""
    kinds = {"bind": specs.BindMount, "volume": specs.VolumeMount, "device": specs.DeviceMount}
    given = dict(given)
    if "resource" in given:
        given["resource"] = specs.Resource(**given["resource"])
    if "retry_policy" in given:
        given["retry_policy"] = specs.RetryPolicy[given["retry_policy"]]
    given["mounts"] = [kinds[m["type"]](**{k: v for k, v in m.items() if k != "type"}) for m in given.get("mounts", [])]
    return specs.Role(**given)


def structured_arg_case(op, **given):
    if op == "name":
        name = structured_arg.StructuredNameArgument.parse_from(**given)
        return {"experiment_name": name.experiment_name, "run_name": name.run_name, "str": str(name)}
    if op == "j":
        j = structured_arg.StructuredJArgument.parse_from(**given)
        return {"nnodes": j.nnodes, "nproc_per_node": j.nproc_per_node, "str": str(j)}
    if op == "nnodes":
        return list(dist.parse_nnodes(given["j"]))
    return structured_arg.role_name(given["script"], given["m"])


def component_case(component, args, environ=None):
    module, _, function = component.partition(".")
    request = {"name": f"torchx.components.{module}:{function}", "subject": component}
    with mock.patch.dict(os.environ, environ or {}):
        app = appdef.app_of(request, args)["app"]
    app["roles"] = [{"min_replicas": None, **role} for role in app["roles"]]
    return app


def component_file_case(source, function, args):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "comp.py"
        path.write_text(source, encoding="utf-8")
        request = {"file": str(path), "name": function, "subject": "comp.py:" + function}
        answer = failure.answer_of(lambda: appdef.app_of(request, args), request, appdef.HERE)
    if "error" in answer:
        raise ValueError(answer["error"]["message"])
    answer["app"]["roles"] = [{"min_replicas": None, **role} for role in answer["app"]["roles"]]
    return answer["app"]


def app_state_case(state=None, value=None):
    if state is None:
        return str(specs.AppState(value))
    found = specs.AppState[state]
    return {"value": found.value, "str": str(found), "repr": repr(found), "format": f"{found}",
            "is_terminal": specs.AppStatus(found).is_terminal(), "is_started": api.is_started(found)}


def handle_case(op, **given):
    if op == "parse":
        found = specs.parse_app_handle(given["app_handle"])
        return [found.scheduler_backend, found.session_name, found.app_id]
    return specs.make_app_handle(given["scheduler"], given["session"], given["app_id"])


# {file in tests/vectors: function of the input of its cases}
CASES = {
    "structured_args": structured_arg_case,
    "dist_ddp": component_case,
    "utils_components": component_case,
    "component_files": component_file_case,
    "bind_mount_parse": lambda opts: [mount_json(mount) for mount in specs.parse_mounts(opts)],
    "resource_fn": lambda **given: resource_json(specs.resource(**given)),
    "resource_copy": lambda resource, capabilities: resource_json(
        specs.Resource.copy(specs.Resource(**resource), **capabilities)),
    "macros_substitute": lambda template, values: specs.macros.Values(**values).substitute(template),
    "macros_apply_role": lambda role, values: role_json(specs.macros.Values(**values).apply(role_of(role))),
    "app_handle_parse": handle_case,
    "app_state": app_state_case,
    "to_dict": lambda op, arg: getattr(argument_text, op)(arg),
}


def setUpModule():
    standin.offer(appdef.HERE, "")
    standin.find_resource_with(appdef.resource_of_command)


class Vectors(unittest.TestCase):
    maxDiff = None

    def check(self, kind):
        """Tests all cases of the file tests/vectors/KIND.json but those of SKIPPED."""
        skipped = dict(SKIPPED.get(kind, {}))
        with mock.patch.dict(os.environ, {"HOME": "/home/user"}):
            os.environ.pop("LOGLEVEL", None)
            for case in json.loads((VECTORS / f"{kind}.json").read_text(encoding="utf-8"))["cases"]:
                with self.subTest(case["name"]):
                    if skipped.pop(case["name"], None) is None:
                        self.check_case(case, CASES[kind])
        self.assertEqual(skipped, {}, "these cases do not exist")

    def check_case(self, case, run):
        """Checks that `run`, called with the input of the case, returns or raises what TorchX did."""
        text = json.dumps(case["input"]).replace("<VERSION>", "0.7.0")
        if "error" in case:
            self.assertRaises(Exception, run, **json.loads(text))
        else:
            expected = json.loads(json.dumps(case["expected"]).replace("<VERSION>", "0.7.0"))
            self.assertEqual(json.loads(json.dumps(run(**json.loads(text)))), expected)


def test_of(kind):
    """Returns a test method for the cases of one file."""
    return lambda self: self.check(kind)


for name in CASES:
    setattr(Vectors, "test_" + name, test_of(name))

if __name__ == "__main__":
    unittest.main()
