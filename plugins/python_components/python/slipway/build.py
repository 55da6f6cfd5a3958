"""Runs a component and returns its app as JSON for the plug-in."""

import os
import sys
import types

from slipway import appjson, finder, signature, source
from slipway.failure import Failure


def load_file(path, tree):
    """Runs a file as a module, under a name that no other module can have."""
    module = types.ModuleType("slipway component " + path)
    module.__file__ = path
    sys.modules[module.__name__] = module
    directory = path.rpartition("/")[0]
    if directory not in sys.path:
        sys.path.insert(1, directory)  # behind the working directory
    exec(compile(tree, path, "exec", dont_inherit=True), module.__dict__)
    return module


def inner_function(function):
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def own_defaults(function):
    """Returns the defaults of positional parameters by name."""
    inner = inner_function(function)
    code = getattr(inner, "__code__", None)
    defaults = getattr(inner, "__defaults__", None) or ()
    if code is None:
        return {}
    names = code.co_varnames[: code.co_argcount]
    return dict(zip(names[len(names) - len(defaults):], defaults))


def find(request):
    """Loads the module of a request. Returns the requested function and its syntax tree. When the module runs, the
    working directory is first on Python's path."""
    path, name = request.get("file"), request["name"]
    if path:
        content = finder.content_of(path)
        read = source.Source(content, path)
        nodes = read.named(name)
        if not nodes:
            raise Failure("not_found", "there is no function %s in %s" % (name, path))
        sys.path.insert(0, os.getcwd())
        module = load_file(path, read.tree)
    else:
        module_name, path, nodes, name = find_in_modules(name)
        sys.path.insert(0, os.getcwd())
        __import__(module_name)
        module = sys.modules[module_name]
    function = getattr(module, name, None)
    if not callable(function):
        raise Failure("not_found", "%s defines %s, but running it leaves no function of that name in the module" %
                      (path, name))
    return function, nodes[-1]


def find_in_modules(reference):
    """Returns the module of the function, the module's file, the syntax trees of the function, and its name."""
    _, name = finder.split_name(reference)
    for candidate in finder.candidates(reference):
        nodes = source.Source(finder.content_of(candidate.path), candidate.path).named(name)
        if nodes:
            return candidate.module, candidate.path, nodes, name
    raise Failure("not_found", "there is no component %s" % reference)


def build(request):
    subject = request.get("subject", request["name"])
    function, node = find(request)
    try:
        positional, keywords = signature.arguments_of(node, request["args"], own_defaults(function))
    except ValueError as error:
        raise Failure("invalid", "%s: %s" % (subject, error)) from None
    app = function(*positional, **keywords)
    if not hasattr(app, "roles") or not hasattr(app, "name"):
        raise Failure("invalid", "%s returned %s, not an AppDef" % (subject, type(app).__name__))
    try:
        return appjson.app(app)
    except Failure as failure:
        raise Failure(failure.code, "%s: %s" % (subject, failure.message), failure.hint) from None
