#!/usr/bin/env python3
"""Checks which files include which: slipway/abi <- sdk <- sdk/support <- plugins, core; layers in core, the conformance
kit and the local supervisor. `A <- B` means that B may include A, and A must not include B.

Usage: includes.py FILE...   (C and C++ files, relative to the repository root, which is the current directory)
Prints file:line: message for each include that is not allowed. Exits with 1 if there is one.
"""

import re
import sys

# These headers start libstdc++'s locales in every plug-in that uses them, which costs each command 0.1 ms.
STREAMS = ("fstream", "iomanip", "iostream", "locale", "random", "regex", "sstream")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# The folders of a part in layers: a folder may include those of its own layer and of the layers before it. The files
# beside the folders may include all of them, and no folder includes these files.
LAYERS = {
    "core": (
        ("spec",),
        ("status", "config", "resources", "components", "lint", "registry"),
        ("runner", "logs"),
        ("cli",),
    ),
    "core/registry": (("manifests",), ("calls",), ("libraries",), ("objects",), ("queries",)),
    "core/cli": (
        ("terminal", "options", "help"),
        ("output",),
        ("invocation",),
        ("apps",),
        ("commands",),
        ("parser",),
        ("completion",),
    ),
    "sdk/check": (("trial",), ("host",), ("checks",), ("run",)),
    "plugins/local/supervisor": (
        ("timing", "processes"),
        ("spawning",),
        ("record",),
        ("starting", "ending", "probing", "recovering", "retrying"),
    ),
}


def within(path, *folders):
    return path.startswith(tuple(folder + "/" for folder in folders))


def layer(part, path):
    """Returns the number of the layer of `path`, a file below `part`. Files beside the folders have the highest one."""
    folder = path[len(part) + 1:].split("/")[0]
    for number, folders in enumerate(LAYERS[part]):
        if folder in folders:
            return number
    return len(LAYERS[part])


def problem(file, quoted, target):
    """Returns why `file` must not include `target`, or None. `quoted`: the include has quotes, not angle brackets."""
    if within(file, "plugins", "named_resources") and within(target, "core"):
        return "a plug-in depends on the sdk only, never on core"
    if within(file, "plugins") and within(target, "plugins"):
        if target.split("/")[1] != file.split("/")[1]:
            return "a plug-in does not depend on another one"
    if within(file, "core") and within(target, "plugins", "named_resources"):
        return "core reaches plug-ins through manifests and the ABI only"
    if within(file, "sdk/include/slipway/abi") and "/" in target and not within(target, "slipway/abi"):
        return "the C contract includes only itself and the C library"
    if within(file, "sdk/include") and "/" in target and not within(target, "slipway", "sys"):
        return "sdk headers include only slipway/ and the standard libraries"
    if within(file, "sdk/examples") and within(target, "sdk/support"):
        return "sdk/support is not installed, so that authors of plug-ins cannot include it"
    if within(file, "sdk/support") and within(target, "sdk/check"):
        return "sdk/support includes slipway/ and itself"
    if within(file, "sdk/check") and within(target, "plugins"):
        return "the conformance kit is a host: it includes the sdk and core"
    is_outside = quoted and "/" in target and not within(target, "slipway", "sdk")
    if within(file, "sdk") and not within(file, "sdk/check") and is_outside:
        return "the sdk depends on nothing outside itself"
    if target in STREAMS and within(file, "sdk/include", "sdk/support", "plugins/local"):
        return "every plug-in, or the local one, would start libstdc++'s locales at each command"
    if within(file, "core/config") and within(target, "core") and not within(target, "core/config", "core/spec"):
        return "core/config does not know what settings are for: it includes core/spec and the sdk only"
    if within(file, "core/include") and "/" in target and not within(target, "slipway"):
        return "public headers include only slipway/ and the standard library"
    # Unit tests of these parts link them; the other parts are tested through the executable.
    tested_parts = ("plugins/local/supervisor/record/", "plugins/local/supervisor/control_server.hpp",
                    "plugins/local/supervisor/ending/app_end.hpp",
                    "plugins/local/supervisor/processes/process_identity.hpp")
    tests_part = within(file, "tests/unit/local/supervisor") and target.startswith(tested_parts)
    if within(target, "plugins/local/supervisor") and not within(file, "plugins/local/supervisor") and not tests_part:
        return "the supervisor is an executable of its own: nothing outside includes it"
    if within(target, "core/cli") and within(file, "core") and not within(file, "core/cli"):
        return "core/cli is the command: nothing in core includes it"
    for part, layers in LAYERS.items():
        if within(file, part) and within(target, part) and layer(part, target) > layer(part, file):
            order = " <- ".join(", ".join(folders) for folders in layers)
            return f"inside {part}: {order} <- the files beside these folders"
    return None


def main():
    found = 0
    for file in sys.argv[1:]:
        with open(file, encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                include = INCLUDE.match(line)
                why = include and problem(file, include[1] == '"', include[2])
                if why:
                    print(f"{file}:{number}: includes {include[2]}: {why}")
                    found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
