#!/usr/bin/env python3
"""Kills a process of Slipway at one system call, or makes the call fail, for one call after the other.

Checks after each fault that no data is lost, doubled or left behind, and no answer is wrong. See README.md.

Exit status: 0 if all trials pass; 1 if one fails, with the violations on standard output, or if most faults were not
reached; 77 if ptrace is forbidden, or 1 with CI in the environment.
"""

import argparse
import concurrent.futures
import os
import random
import signal
import sys
import time
from pathlib import Path

from home import scratch_base
from scenarios import SCENARIOS
from sweep import faults_of, alternating
from trial import Fault, NotPermitted, Trial


class Sweep:
    def __init__(self, options):
        self.options = options
        self.tree, self.injector = options.tree.resolve(), options.injector.resolve()
        self.done = self.missed = 0
        self.failures = []

    def try_one(self, fault):
        """Returns (fault, the list of violations, whether it was injected)."""
        trial = Trial(SCENARIOS[fault.scenario], fault, self.tree, self.injector, self.options.base)
        wrong = None
        try:
            wrong, hit = trial.run()
            if wrong:
                wrong = [*wrong, str(trial.outcome), f"directory: {trial.home.root}"]
            return fault, wrong, hit
        finally:
            # A failed trial keeps its directory; an interrupted one does not.
            trial.end(keep=bool(wrong))

    def count_and_print(self, fault, wrong, hit):
        self.done += 1
        self.missed += not hit
        if self.options.verbose:
            print(f"{fault}{'' if hit else '  (not reached)'}", flush=True)
        if wrong:
            self.failures.append(fault)
            print(f"\nFAILED  {fault}\n" + "\n".join(wrong) + f"\nagain: ./dev faults '{fault}'\n", flush=True)

    def run(self, faults, seconds):
        """Tries the faults in this order until `seconds` have passed, but at least one. None means without a limit."""
        end = None if seconds is None else time.monotonic() + seconds
        waiting, running = iter(faults), set()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            while True:
                while len(running) < self.options.jobs and (end is None or not self.done or time.monotonic() < end):
                    fault = next(waiting, None)
                    if fault is None:
                        break
                    running.add(pool.submit(self.try_one, fault))
                if not running:
                    return
                finished, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for each in finished:
                    self.count_and_print(*each.result())


def selected(fault, kind):
    return kind == "all" or (kind == "kills") == fault.kills


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True, help="a built tree: its bin/slipway is tested")
    parser.add_argument("--injector", type=Path, required=True, help="the built slipway-fault-injector")
    parser.add_argument("--seconds", type=float, default=60, help="starts no further trial after this time (60)")
    parser.add_argument("--all", action="store_true", help="every fault, however long it takes")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="seed of the order")
    parser.add_argument("--kind", choices=("all", "kills", "errors"), default="all", help="which faults (all)")
    parser.add_argument("--scenario", action="append", choices=sorted(SCENARIOS), help="only this scenario; repeatable")
    parser.add_argument("--part", help="only faults of this part")
    parser.add_argument("--slice", default="1/1", metavar="I/N", help="only each N-th fault, from the I-th on (1/1)")
    parser.add_argument("--fault", help="only this one, as a failure prints it")
    parser.add_argument("--jobs", type=int, default=1, help="trials at the same time (1)")
    parser.add_argument("--base", type=Path, default=scratch_base(), help="the parent directory of the trials")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for every fault")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # lets an interrupted trial clean up
    # A background job of a shell, or of nohup, starts with these signals ignored; the trials would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for each in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(each, signal.SIG_DFL)

    sweep = Sweep(options)
    try:
        if options.fault:
            faults = [Fault.parse(options.fault)]
        else:
            print(f"seed {options.seed}", flush=True)
            faults = []
            for name in options.scenario or SCENARIOS:
                faults += faults_of(SCENARIOS[name], sweep.tree, sweep.injector, options.base)
            faults = [fault for fault in faults if selected(fault, options.kind) and options.part in (None, fault.part)]
            first, step = map(int, options.slice.split("/"))
            faults = alternating(faults, options.seed)[first - 1::step]
        sweep.run(faults, None if options.all else options.seconds)
    except NotPermitted as refused:
        print(f"NOT CHECKED: faults cannot be injected here: {refused}", file=sys.stderr)
        return 1 if os.environ.get("CI") else 77
    print(f"{sweep.done} of {len(faults)} faults tried, {sweep.missed} not reached, {len(sweep.failures)} failed")
    # A run may differ from the one that listed the faults. Of only a few faults, most may be missed by chance.
    if sweep.done >= 20 and sweep.missed > sweep.done // 2:
        print("more than half of the faults were not reached, so the sweep checked little")
        return 1
    return 1 if sweep.failures else 0


if __name__ == "__main__":
    sys.exit(main())
