"""`python3 -m slipway.appdef comp.py:fn ARG…` prints the app of a component as JSON, for scripts.

Put the directory share/slipway/python of Slipway on PYTHONPATH. `slipway run -` runs the JSON.
"""

import argparse
import json
import os
import subprocess
import sys

from slipway import build, finder, signature, source, standin
from slipway.failure import Failure


def resource_of_command(name, optional=False):
    """Asks the command `slipway` for a named resource."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = os.path.join(here, "../../../bin/slipway")
    words = [command if os.path.exists(command) else "slipway", "resource", "show", "--json", name]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        raise KeyError("%s: there is no command slipway to ask" % name) from None
    if done.returncode != 0:
        raise KeyError(done.stderr.decode("utf-8", "replace").strip())
    found = json.loads(done.stdout)[name]
    return {key: found[key] for key in ("cpu", "gpu", "memMB", "capabilities", "devices", "tags") if key in found}


def text_value(kind, text):
    if kind.type_name in ("int", "float", "bool"):
        return signature.primitive(kind.type_name, text)
    if kind.type_name == "list":
        return [item.strip() for item in text.split(",")] if text else None
    if kind.type_name == "dict":
        return dict(pair.partition("=")[::2] for pair in text.split(",")) if text else None
    return text


def parsed(function, reference, words):
    """The arguments of the command line by name."""
    parser = argparse.ArgumentParser(prog="slipway.appdef " + reference, add_help=False)
    parser.add_argument("--help", action="help", help=argparse.SUPPRESS)
    kinds = {}
    for parameter in signature.parameters(function):
        if parameter.kind == "variadic":
            parser.add_argument(parameter.name, nargs=argparse.REMAINDER)
            continue
        kinds[parameter.name] = kind = parameter.type()
        names = ["--" + parameter.name] + (["-" + parameter.name] if len(parameter.name) == 1 else [])
        parser.add_argument(*names, dest=parameter.name, required=not parameter.has_default,
                            type=lambda text, kind=kind: text_value(kind, text), default=argparse.SUPPRESS)
    given = vars(parser.parse_args(words))
    for parameter in signature.parameters(function):
        rest = given.get(parameter.name)
        if parameter.kind == "variadic" and rest and rest[0] == "--":
            given[parameter.name] = rest[1:]
        elif parameter.kind != "variadic":
            given.setdefault(parameter.name, signature.default_on_command_line(parameter, kinds[parameter.name]))
    return given


def main(words):
    if not words or words[0].startswith("-"):
        print("usage: python3 -m slipway.appdef FILE.py:NAME|MODULE:NAME [ARG...]", file=sys.stderr)
        return 64
    reference = words[0]
    path, colon, name = reference.rpartition(":")
    is_file = bool(colon) and path.endswith(".py")
    request = {"name": name if is_file else reference, "shown": reference}
    if is_file:
        request["file"] = os.path.abspath(path)
    standin.offer(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
    sys.path.insert(0, os.getcwd())
    output = os.dup(1)
    os.dup2(2, 1)  # what the component prints is not data
    try:
        request["args"] = parsed(function_of(request), reference, words[1:])
        app = build.build(request, resource_of_command)
        sys.stdout.flush()
    except source.BadSource as error:
        print("%s:%d: %s" % (path, error.problem.line, error.problem.message), file=sys.stderr)
        return 65
    except signature.Unsupported:
        print("%s has a parameter without a type that an argument can have" % reference, file=sys.stderr)
        return 65
    except Failure as failure:
        print("%s%s" % (failure.message, "\n  " + failure.hint if failure.hint else ""), file=sys.stderr)
        return 66 if failure.code == "not_found" else 65
    os.dup2(output, 1)
    json.dump(app, sys.stdout, indent=2)
    print()
    return 0


def function_of(request):
    """The syntax tree of the function, without running its file."""
    path, name = request.get("file"), request["name"]
    if path is None:
        module, name = finder.split_name(name)
        path = finder.file_of_module(module)
    nodes = source.Source(finder.content_of(path), path).named(name) if path else []
    if not nodes:
        raise Failure("not_found", "there is no component %s" % request["shown"])
    return nodes[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
