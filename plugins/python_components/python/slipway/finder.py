"""Finds files and modules with components: in the project, and those that installed distributions advertise."""

import os

from slipway import source
from slipway.failure import Failure

MAX_FILES = 500
MAX_DEPTH = 4
MAX_BYTES = 16 << 20


def content_of(path):
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise Failure("not_found", "there is no file %s" % path) from None
    except OSError as error:
        raise Failure("invalid", "%s cannot be read: %s" % (path, error.strerror)) from None
    if len(content) > MAX_BYTES:
        raise Failure("invalid", "%s is larger than %d MiB" % (path, MAX_BYTES >> 20))
    return content


def split_name(name):
    """The module and the function of `my.module:fn` or `my.module.fn`."""
    module, colon, function = name.partition(":")
    if not colon:
        module, _, function = name.rpartition(".")
    return module, function


def file_of_module(module):
    """The path of the module's source, or None. Imports its parent packages."""
    import importlib.util

    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    return spec.origin if spec and spec.origin and spec.origin.endswith(".py") else None


def project_files(directory, depth=0):
    """The Python files of a directory and of its packages, sorted."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.name.endswith(".py") and entry.is_file():
            yield entry.path
        elif depth < MAX_DEPTH and entry.is_dir() and os.path.exists(os.path.join(entry.path, "__init__.py")):
            yield from project_files(entry.path, depth + 1)


def public_components(path):
    """The components of a file, without running it; none of a file that is no Python."""
    try:
        content = content_of(path)
        if b"AppDef" not in content:
            return []
        every = source.Source(content, path).components()
    except (Failure, source.BadSource):
        return []
    return [component for component in every if component["public"] and not component["problems"]]


def project_components(directory):
    out = []
    for i, path in enumerate(project_files(directory)):
        if i == MAX_FILES:
            break
        shown = os.path.relpath(path, directory)
        out.extend(dict(component, name=shown + ":" + component["name"]) for component in public_components(path))
    return out


def entry_points(group):
    """The entry points of installed distributions, as (entry point, name of the distribution)."""
    from importlib import metadata

    for distribution in metadata.distributions():
        for point in distribution.entry_points:
            if point.group == group:
                yield point, distribution.metadata["Name"]


def advertised_components():
    """The components of the modules that distributions advertise as `torchx.components`."""
    out = []
    for point, distribution in entry_points("torchx.components"):
        path = file_of_module(point.value.partition(":")[0])
        for component in public_components(path) if path else []:
            name = point.value.partition(":")[0] + ":" + component["name"]
            help_text = (component["help"] + "\n\n" if component["help"] else "") + "From %s." % distribution
            out.append(dict(component, name=name, help=help_text.strip()))
    return out


def unsupported_entry_points():
    return ["the scheduler %s of %s is in Python; Slipway's schedulers are plug-ins" % (point.name, distribution)
            for point, distribution in entry_points("torchx.schedulers")]
