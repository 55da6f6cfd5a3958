"""`python3 -m slipway.appdef comp.py:fn ARG…` prints the app of a component as JSON, for scripts.

Put the directory share/slipway/python of Slipway on PYTHONPATH. `slipway run -` runs the JSON.
"""

import argparse
import json
import os
import subprocess
import sys

from slipway import argument_text, build, finder, signature, source, standin
from slipway.failure import Failure, answer_of, shown_path

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def resource_of_command(name, optional):
    """Asks the command `slipway` for a named resource; see standin.find_resource_with()."""
    command = os.path.join(HERE, "../../../bin/slipway")
    words = [command if os.path.exists(command) else "slipway", "resource", "show", "--json", name]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        raise Failure("not_found", "there is no command slipway to ask for the named resource %s" % name) from None
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip() or "it ended with %d" % done.returncode
        raise Failure("precondition", "%s printed no JSON: %s" % (" ".join(words), said),
                      "`command -v slipway` shows which program this is") from None
    if done.returncode == 0:
        found = answer[name]
        return {key: found[key] for key in ("cpu", "gpu", "memMB", "capabilities", "devices", "tags") if key in found}
    if optional:
        raise KeyError(name)
    raise Failure("not_found", answer["error"]["message"], answer["error"]["hint"])


class Arguments(argparse.ArgumentParser):
    """Raises a Failure for wrong arguments, and does not exit."""

    def error(self, message):
        raise Failure("usage", message, self.format_usage().strip())


def converter(kind):
    """Returns the function that converts a text to the kind. An empty text for a list or dict becomes None:
    the parameter is not given."""
    def convert(text):
        try:
            if kind.type_name in ("list", "dict"):
                return getattr(argument_text, "to_" + kind.type_name)(text) if text else None
            return signature.primitive(kind.type_name, text)
        except ValueError as error:
            raise argparse.ArgumentTypeError("%s: %s" % (kind.type_name, error)) from None
    return convert


def parse_arguments(function, reference, words):
    """Returns the arguments of the command line by name."""
    parser = Arguments(prog="slipway.appdef " + reference, add_help=False)
    kinds = {}
    for parameter in signature.parameters(function):
        if parameter.kind == "variadic":
            parser.add_argument(parameter.name, nargs=argparse.REMAINDER)
            continue
        kind = parameter.type()
        if kind is None:
            continue
        kinds[parameter.name] = kind
        names = ["--" + parameter.name] + (["-" + parameter.name] if len(parameter.name) == 1 else [])
        parser.add_argument(*names, dest=parameter.name, required=not parameter.has_default, type=converter(kind),
                            metavar=kind.type_name, default=argparse.SUPPRESS)
    given = vars(parser.parse_args(words))
    for parameter in signature.parameters(function):
        rest = given.get(parameter.name)
        if parameter.kind == "variadic" and rest and rest[0] == "--":
            given[parameter.name] = rest[1:]
        elif parameter.name in kinds:
            given.setdefault(parameter.name, signature.default_on_command_line(parameter, kinds[parameter.name]))
    return given


def app_of(request, words):
    """Returns the answer with the app of the component."""
    function = function_of(request)
    try:
        request["args"] = parse_arguments(function, request["subject"], words)
    except signature.Unsupported:
        raise Failure("invalid", "%s has a parameter whose type no argument can have" %
                      request["subject"]) from None
    return {"app": build.build(request)}


STATUS = {"not_found": 66, "usage": 64}  # exit statuses by the code of the failure; 65 for others


def main(words):
    if not words or words[0].startswith("-"):
        print("usage: python3 -m slipway.appdef FILE.py:NAME|MODULE:NAME [ARG...]", file=sys.stderr)
        return 64
    reference = words[0]
    path, colon, name = reference.rpartition(":")
    is_file = bool(colon) and path.endswith(".py")
    request = {"name": name if is_file else reference, "subject": reference}
    if is_file:
        request["file"] = os.path.join(os.getcwd(), path)  # abspath() would change `link/..`
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]  # a real TorchX comes first
    standin.offer(HERE, "")
    standin.find_resource_with(resource_of_command)
    output = os.dup(1)
    os.dup2(2, 1)  # what the component prints must not mix with the app
    process = os.getpid()
    answer = answer_of(lambda: app_of(request, words[1:]), request, HERE)
    sys.stdout.flush()
    if os.getpid() != process:
        os._exit(0)  # this is a fork that the component made
    failure = answer.get("error")
    if failure is None:
        with open(output, "w", encoding="utf-8") as file:
            file.write(json.dumps(answer["app"], indent=2) + "\n")
        return 0
    print(failure["message"] + ("\n  " + failure["hint"] if failure["hint"] else ""), file=sys.stderr)
    return STATUS.get(failure["code"], 65)


def function_of(request):
    """Returns the syntax tree of the function, without running its file. Raises Failure for a wrong signature."""
    path, name = request.get("file"), request["name"]
    if path is None:
        _, path, _, name = build.find_in_modules(name)
    read = source.Source(finder.content_of(path), path)
    problems = read.check(name)
    if problems is None:
        raise Failure("not_found", "there is no component %s" % request["subject"])
    if problems:
        raise Failure("invalid", "\n".join("%s:%d:%d: %s" % (shown_path(path), problem["line"], problem["column"],
                                                             problem["message"]) for problem in problems),
                      problems[0]["hint"])
    return read.named(name)[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
