"""Finds the files of modules without importing their packages."""

import os
import sys
import types

from slipway import dependencies


def search_path():
    """Returns the directories in which components are searched: the working directory, and Python's path. Only the code
    of a project has the working directory on Python's path, because Slipway's own imports must not find its files."""
    here = os.getcwd()
    return [here] + [directory for directory in sys.path if directory != here]


def find(module):
    """Returns the origin of a module, and the directories of its modules if it is a package, as
    importlib.util.find_spec() finds them. Each is None if there is none. That function would run the parent packages;
    this one puts empty modules in their place while the finders search."""
    spec, name, places, lent = None, "", None, []
    replaced, sys.path[:] = sys.path[:], search_path()
    try:
        for directory in sys.path:
            dependencies.note(directory or ".")
        for part in module.split("."):
            if name:
                if places is None:
                    return None, None  # the parent is not a package
                if name not in sys.modules:
                    sys.modules[name] = types.ModuleType(name)
                    sys.modules[name].__path__ = places
                    lent.append(name)
                for place in places:
                    dependencies.note(place)
            name = name + "." + part if name else part
            spec = found_by_finders(name, places)
            if spec is None:
                return None, None
            places = spec.submodule_search_locations
            if places is not None:
                places = list(places)  # of a package without __init__.py, they depend on the parents in sys.modules
    finally:
        sys.path[:] = replaced
        for each in lent:
            del sys.modules[each]
    return spec.origin, places


def found_by_finders(name, places):
    for finder in sys.meta_path:
        if hasattr(finder, "find_spec"):
            try:
                spec = finder.find_spec(name, places)
            except (ImportError, ValueError):
                return None
            if spec is not None:
                return spec
    return None


def file_of_module(module):
    """Returns the path of the module's source, or None."""
    origin, _ = find(module)
    return origin if origin and origin.endswith(".py") else None


def files_of_package(module, files_in):
    """Yields the modules of a module or package as (name relative to it, path). `files_in` lists the files of a
    directory."""
    origin, places = find(module)
    if places is None:
        if origin and origin.endswith(".py"):
            yield "", origin
        return
    for place in places:
        for path in files_in(place):
            parts = os.path.relpath(path, place)[: -len(".py")].split(os.sep)
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path
