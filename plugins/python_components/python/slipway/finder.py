"""Finds files and modules with components: in the project, and those that installed distributions advertise."""

import itertools
import os

from slipway import dependencies, modules, source, standin
from slipway.failure import Failure, text_of

MAX_FILES = 500  # of the project or of an advertised package, for lists
MAX_DEPTH = 4  # levels of packages inside the directory that is searched
MAX_BYTES = 16 << 20  # of a file


def content_of(path):
    """Returns the bytes of a file, and notes that the answer depends on it."""
    dependencies.note(path)
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
    """Returns the module and the function of `my.module:fn` or `my.module.fn`. The module of `fn` is empty."""
    module, colon, function = name.partition(":")
    if not colon:
        module, _, function = name.rpartition(".")
    return module, function


def holds(question):
    """Returns the answer of DirEntry.is_file() or is_dir(). They raise OSError for a link that leads to itself, or into
    a directory that the user may not search: then the answer is false."""
    try:
        return question()
    except OSError:
        return False


def project_files(directory, depth=0):
    """Yields the Python files of a directory and of its packages, sorted."""
    dependencies.note(directory)
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.name.endswith(".py") and holds(entry.is_file):
            yield entry.path
        elif depth < MAX_DEPTH and holds(entry.is_dir):
            init = os.path.join(entry.path, "__init__.py")
            dependencies.note(init)  # also a missing one, because it may appear
            if os.path.exists(init):
                yield from project_files(entry.path, depth + 1)


def public_components(path):
    """Returns the public components of a file that have no mistakes, without running the file; none if it is not
    Python."""
    try:
        content = content_of(path)
        if b"AppDef" not in content:  # a component names it as the type that it returns
            return []
        every = source.Source(content, path).components()
    except (Failure, source.BadSource):
        return []
    return [component for component in every if component["public"] and not component["problems"]]


def first_files(files, place, notes):
    """Returns the first MAX_FILES files. If there are more, adds a message to `notes`."""
    out = list(itertools.islice(files, MAX_FILES + 1))
    if len(out) > MAX_FILES:
        notes.append("%s has more than %d Python files; the components in the others are not listed, but can be run" %
                     (place, MAX_FILES))
    return out[:MAX_FILES]


def project_components(directory, notes):
    """Returns the components of a directory and of its packages. Adds messages about them to `notes`."""
    out = []
    for path in first_files(project_files(directory), directory, notes):
        relative = os.path.relpath(path, directory)
        out.extend(dict(component, name=relative + ":" + component["name"]) for component in public_components(path))
    return out


def entry_points(group, notes=None):
    """Returns the entry points of installed distributions, as (entry point, name of the distribution). Leaves out
    distributions whose entry points cannot be read, and adds messages about them to `notes`."""
    with standin.OwnPath():  # the functions below also import modules
        from importlib import metadata

        path = modules.search_path()
        for directory in path:
            dependencies.note(directory or ".")
        out = []
        for distribution in metadata.distributions(path=path):
            name = "a distribution"
            try:
                name = distribution.metadata["Name"]
                out += [(point, name) for point in distribution.entry_points if point.group == group]
            except Exception as error:  # a wrong line is a TypeError or another error, which depends on the version
                if notes is not None:
                    notes.append("the entry points of %s cannot be read: %s: %s" %
                                 (name, type(error).__name__, text_of(error)))
        return out


def advertised_packages(notes=None):
    """Yields the modules that distributions advertise as `torchx.components`, as (group, module, distribution). The
    names of a group's components start with the group's name, unless that starts with an underscore: then `group` is
    empty. `notes` as for entry_points()."""
    for point, distribution in entry_points("torchx.components", notes):
        yield "" if point.name.startswith("_") else point.name, point.value.partition(":")[0].strip(), distribution


def advertised_components(notes):
    """Returns the components of advertised modules and of the modules below them. Adds messages about them to
    `notes`."""
    out = []
    for group, package, distribution in advertised_packages(notes):
        place = "the package %s of %s" % (package, distribution)
        try:
            files = first_files(modules.files_of_package(package, project_files), place, notes)
        except Exception as error:  # of a finder that a distribution has added to Python
            notes.append("the components in %s are not listed: %s: %s" % (place, type(error).__name__, text_of(error)))
            continue
        for relative, path in files:
            prefix = ".".join(part for part in (group, relative) if part)
            for component in public_components(path):
                name = prefix + "." + component["name"] if prefix else component["name"]
                out.append(dict(component, name=name, help=with_origin(component["help"], distribution)))
    return out


def with_origin(text, distribution):
    """Returns the help with the distribution in its first line, because lists show only that line."""
    first, newline, rest = text.partition("\n")
    return ("%s (from %s)" % (first, distribution) if first else "From %s." % distribution) + newline + rest


class Candidate:
    """A module that may have a wanted component, and the prefix of its components' names."""

    def __init__(self, module, prefix, distribution=None):
        self.module, self.prefix, self.distribution = module, prefix, distribution
        self.path = modules.file_of_module(module)

    def components(self):
        for component in source.Source(content_of(self.path), self.path).components():
            text = with_origin(component["help"], self.distribution) if self.distribution else component["help"]
            yield dict(component, name=self.prefix + component["name"], help=text)


def candidates(name):
    """Yields the existing modules that may have the component `name`, first the one on Python's path."""
    module, function = split_name(name)
    prefix = name[: len(name) - len(function)]
    found = [Candidate(module, prefix)] if module else []
    yield from (candidate for candidate in found if candidate.path)
    if ":" in name:  # MODULE:FUNCTION never means an advertised group
        return
    for group, package, distribution in advertised_packages():
        if not group or (module + ".").startswith(group + "."):
            relative = module[len(group):].strip(".")
            candidate = Candidate(package + "." + relative if relative else package, prefix, distribution)
            if candidate.path:
                yield candidate


def notes():
    """Returns messages about what distributions advertise besides components."""
    out = ["the scheduler %s of %s is in Python; Slipway's schedulers are plug-ins" % (point.name, distribution)
           for point, distribution in entry_points("torchx.schedulers")]
    out += ["the named resource %s is from %s" % (point.name, distribution)
            for point, distribution in entry_points("torchx.named_resources")]
    return out
