#!/usr/bin/env python3
"""Checks who includes whom: sdk/abi <- sdk <- sdk/support <- plugins, core; layers in core and the local supervisor.

Usage: includes.py FILE...   (C and C++ files, relative to the repository root, which is the current directory)
Prints file:line: message for each include that points the wrong way; exit status 1 if there is one.
"""

import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# A folder of core may include the folders of its own number and below.
CORE_LAYERS = {
    "spec": 0,
    "status": 1,
    "config": 1,
    "resources": 1,
    "components": 1,
    "lint": 1,
    "registry": 1,
    "runner": 2,
    "logs": 2,
    "cli": 3,
}

# The same for plugins/local/supervisor; the files beside these folders may include all of them.
SUPERVISOR = "plugins/local/supervisor"
SUPERVISOR_LAYERS = {
    "timing": 0,
    "processes": 0,
    "spawning": 1,
    "record": 2,
    "starting": 3,
    "ending": 3,
    "probing": 3,
    "recovering": 3,
    "retrying": 3,
}

# A folder of core/registry may include the folders of its own number and below, the registry's own files all of them.
REGISTRY_LAYERS = {
    "manifests": 0,
    "calls": 1,
    "libraries": 2,
    "objects": 3,
    "queries": 4,
}


def within(path, *folders):
    return path.startswith(tuple(folder + "/" for folder in folders))


def problem(file, quoted, target):
    """Why `file` must not include `target`, or None."""
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
    if within(file, "sdk/check"):
        return "the conformance kit is a host: it includes the sdk and core" if within(target, "plugins") else None
    if within(file, "sdk") and quoted and "/" in target and not within(target, "slipway", "sdk"):
        return "the sdk depends on nothing outside itself"
    if within(file, "core/config") and within(target, "core") and not within(target, "core/config", "core/spec"):
        return "core/config knows settings, not what they are for: it includes core/spec and the sdk only"
    if within(file, "core/include") and "/" in target and not within(target, "slipway"):
        return "public headers include only slipway/ and the standard library"
    if within(target, SUPERVISOR):
        if not within(file, SUPERVISOR):
            return "the supervisor is an executable of its own: nothing outside includes it"
        mine = SUPERVISOR_LAYERS.get(file.split("/")[3])
        other = SUPERVISOR_LAYERS.get(target.split("/")[3], 4)
        if mine is not None and other > mine:
            return "inside the supervisor: timing, processes <- spawning <- record <- starting, ending, ... <- loop"
    if within(file, "core/registry") and within(target, "core/registry"):
        mine = REGISTRY_LAYERS.get(file.split("/")[2])
        other = REGISTRY_LAYERS.get(target.split("/")[2], len(REGISTRY_LAYERS))
        if mine is not None and other > mine:
            return "inside core/registry: manifests <- calls <- libraries <- objects <- queries <- the files outside folders"
    if within(file, "core") and within(target, "core"):
        mine = CORE_LAYERS.get(file.split("/")[1])
        other = CORE_LAYERS.get(target.split("/")[1])
        if mine is not None and other is not None and other > mine:
            return "inside core: spec <- config, resources, components, registry, lint, status <- runner, logs <- cli"
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
