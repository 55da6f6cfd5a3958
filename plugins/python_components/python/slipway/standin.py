"""Makes the modules of Slipway importable, and its `torchx` where the real one is not installed."""

import os
import sys

# Has what importlib.machinery offers, without the time that the import of importlib takes.
_external = sys.modules["_frozen_importlib_external"]


class OwnPath:
    """While entered, Python's path is that from before the project's directories were added. Otherwise a file of the
    project such as csv.py would run in place of a module of the standard library that Slipway imports."""

    path = sys.path[:]

    def __enter__(self):
        self.replaced, sys.path[:] = sys.path[:], self.path

    def __exit__(self, *_):
        sys.path[:] = self.replaced


class Loader(_external.SourceFileLoader):
    """Keeps the bytecode in the user's cache: the package's directory may be read-only, or watched by an installer."""

    cache = ""  # directory; empty: no bytecode is kept

    def exec_module(self, module):
        with OwnPath():
            super().exec_module(module)

    def get_code(self, fullname):
        prefix, dont_write = sys.pycache_prefix, sys.dont_write_bytecode
        sys.pycache_prefix = self.cache or prefix
        sys.dont_write_bytecode = dont_write or not self.cache
        try:
            return super().get_code(fullname)
        finally:
            sys.pycache_prefix, sys.dont_write_bytecode = prefix, dont_write


class Finder:
    """Finds the modules of `slipway` and `torchx` after all other finders have found nothing. It gives the packages an
    empty path. Otherwise another finder would find their modules, and load them without the Loader above."""

    def __init__(self, directory):
        self.directory = directory

    def find_spec(self, fullname, path=None, target=None):
        package = fullname.partition(".")[0]
        if package not in ("slipway", "torchx"):
            return None
        base = os.path.join(self.directory, *fullname.split("."))
        for file, is_package in ((os.path.join(base, "__init__.py"), True), (base + ".py", False)):
            if os.path.isfile(file):
                spec = _external.spec_from_file_location(fullname, file, loader=Loader(fullname, file))
                if is_package:
                    spec.submodule_search_locations = []
                return spec
        parent = sys.modules.get(package)
        if package != "torchx" or parent is not None and not getattr(parent, "IS_SLIPWAYS", False):
            return None  # a module that the real TorchX lacks
        raise missing(fullname)


def missing(name):
    error = ModuleNotFoundError(
        "%s is not part of what Slipway provides of TorchX; `pip install torchx` installs all of it" % name, name=name)
    error.has_advice = True
    return error


def part(module, name):
    """Returns the submodule `name` of `module`, a module of Slipway's `torchx`, whose __getattr__() this is. Raises an
    ImportError that names the missing part if there is none."""
    if name.startswith("__"):
        raise AttributeError("module %r has no attribute %r" % (module, name))
    if not hasattr(sys.modules[module], "__path__"):
        raise missing(module + "." + name)
    __import__(module + "." + name)
    return sys.modules[module + "." + name]


def offer(directory, cache):
    """Adds the finder behind all others, so that a real TorchX comes first. The caller has removed `directory` from
    Python's path, and added no directory of the project."""
    Loader.cache = cache
    OwnPath.path = sys.path[:]
    sys.modules["slipway"].__path__ = []
    sys.meta_path.append(Finder(directory))


class UnknownResource(KeyError):
    """Raised for an unknown named resource. If the component does not catch it, the host's error ends the request."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


_ask = None


def find_resource_with(ask):
    """Sets the function that finds named resources: ask(name, optional) returns a dict or a Resource. For an unknown
    name, it raises KeyError if `optional`, and otherwise ends the request with the host's error."""
    global _ask
    _ask = ask


def named_resource(name):
    """Returns the named resource as a dict, or as a Resource. Raises UnknownResource."""
    try:
        if _ask is not None:
            return _ask(name, True)
    except KeyError:
        pass
    raise UnknownResource(name)


def named_resource_or_end(name):
    """Ends the request with the host's error for an unknown name."""
    return _ask(name, False)
