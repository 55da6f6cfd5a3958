#!/usr/bin/env python3
"""Writes the records of three apps: one has succeeded, one has failed after a retry, one runs.

tests/cli/test_kept_records.py checks that later versions can still read them (README.md).

Usage: make.py TREE DIRECTORY, as root, for the simulated machine on which the apps run.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))
import live_processes  # noqa: E402
from app_text import app_toml, role  # noqa: E402
from own_namespace import OwnMachine  # noqa: E402

SCRIPTS = {"succeeded": "exit 0", "failed": "exit 3", "running": "exec sleep 1000"}


def main(tree, target):
    root = Path(tempfile.mkdtemp(prefix="slipway-kept-"))
    machine = OwnMachine(root / "machine", "kept-host", "00000000-0000-4000-8000-000000000000",
                         "0" * 32)  # invented ids of a boot and a machine, so that no machine takes over the apps
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(root), "XDG_STATE_HOME": str(root)}

    def slipway(*arguments, check=False):
        command = [*machine.wrapper(root), "env", "-i", *(f"{k}={v}" for k, v in variables.items()),
                   tree / "bin" / "slipway", *arguments]
        return subprocess.run(command, check=check, stdout=subprocess.PIPE, text=True).stdout.strip()

    try:
        for name, script in SCRIPTS.items():
            app = root / f"{name}.toml"
            app.write_text(app_toml(name, role("w", script, num_replicas=2, max_retries=1, retry_policy="REPLICA")))
            handle = slipway("run", "-d", str(app), check=True)
            slipway("wait", *(["--for", "RUNNING"] if name == "running" else []), handle)
        # Until it executes its program, a replica looks like a helper.
        deadline = time.monotonic() + 60
        while len(live_processes.helpers(root)) != 2 or "PENDING" in slipway("status", handle):
            if time.monotonic() > deadline:
                raise RuntimeError("the last app does not run")
            time.sleep(0.1)
        # Supervisor and warden must not record the end of the running app.
        for pid in live_processes.helpers(root):
            os.kill(pid, signal.SIGKILL)
        # Hidden files, such as drafts and the session's index, are no lasting part of a record. The logs are empty,
        # and a socket cannot be copied.
        shutil.copytree(root / "slipway" / "local", target, ignore=shutil.ignore_patterns("logs", "ctl.sock", ".*"))
    finally:
        machine.end()
        shutil.rmtree(root)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
