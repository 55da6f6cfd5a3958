"""Runs slipway-plugin-check and returns its report."""

import json
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
BUILD = Path(os.environ.get("SLIPWAY_BUILD", SOURCE / "build" / "release")).resolve()
TREE = Path(os.environ.get("SLIPWAY_TREE", BUILD / "tree"))
KIT = TREE / "bin" / "slipway-plugin-check"
BAD_PLUGINS = BUILD / "tests" / "bad_plugins" / "plugins"
APP = HERE / "app.toml"
LIMIT_S = 240  # seconds, after which the kit counts as hanging


def run(*arguments, fault=None, launcher=(), **options):
    """Runs the kit to its end, and returns the finished command. `fault` is the fault that the faulty plug-in has;
    `launcher` is the beginning of the command line, a program that starts the kit."""
    env = {k: v for k, v in os.environ.items() if k != "SLIPWAY_FAULT"}
    if fault:
        env["SLIPWAY_FAULT"] = fault
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([str(a) for a in (*launcher, KIT, *arguments)], text=True, check=False, env=env,
                          timeout=LIMIT_S, **options)


def verdicts(done):
    """Returns {check: results} of a command that ran with --json."""
    out = {}
    for result in json.loads(done.stdout)["checks"]:
        out.setdefault(result["check"], []).append(result)
    return out
