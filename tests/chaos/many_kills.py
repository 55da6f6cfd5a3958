#!/usr/bin/env python3
"""Kills the supervisor of one app after the other, each at a random moment of launch and run, and checks that no exit
code is lost and no replica is started twice. See README.md.

Exit status: 0 if that holds; 1 if not, with the violations on standard output.
"""

import argparse
import json
import random
import signal
import sys
import time
from pathlib import Path

from population import find_helpers
from round import Round, RoundFailed

REPLICAS = 12


class SupervisorKill(Round):
    """A round that kills the supervisor once. The app's replica k exits with k: without `fail_fast`, a failed replica
    stops no other."""

    def launch_and_disturb(self):
        # The first two arguments of an actor are the directory of the account and the role.
        args = [*self.app.roles[0]["args"][:2], "${replica_id}", "lines=4", "width=40",
                f"pause_us={self.rng.choice((0, 500, 5000))}", "ends=${replica_id}"]
        self.app.roles = [{"name": "r0", "image": ".", "entrypoint": self.app.roles[0]["entrypoint"], "args": args,
                           "num_replicas": REPLICAS}]
        file = self.root / "cwd" / "app.json"
        self.app.write(file)
        run = self.start("run", "-d", str(file))
        if self.rng.random() < 0.5:
            self.must_end(run)
        time.sleep(self.rng.random() * 0.03)  # to a random moment of the launch or of the run
        _, supervisor = find_helpers(self.population.living())
        if supervisor and self.population.kill(supervisor.pid):
            self.helper_kills += 1
            self.report(f"killed the supervisor  {supervisor}")
        self.must_end(run)

    def await_end(self):
        if not self.find_app():
            return self.expect_rolled_back_launch()
        self.run_command("wait", self.handle, allowed=None)  # any exit status

    def app_violations(self):  # not called after a launch that was rolled back
        violations = super().app_violations()
        status = json.loads(self.run_command("status", "--json", self.handle).stdout)
        codes = [replica["exit_code"] for replica in status["roles"][0]["replicas"]]
        if codes != list(range(REPLICAS)):
            violations.append(f"exit codes {codes}")
        return violations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True, help="a built tree: its bin/slipway is tested")
    parser.add_argument("--actor", type=Path, required=True, help="the built chaos-actor")
    parser.add_argument("--kills", type=int, default=40, help="the number of kills (40)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="seed of the first app")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # lets an interrupted round clean up

    kills, seed = 0, options.seed
    print(f"seed {seed}", flush=True)
    while kills < options.kills:
        each_round = SupervisorKill(seed, options.tree.resolve(), options.actor.resolve())
        try:
            each_round.run()
        except RoundFailed as failure:
            print("\n".join(each_round.events))
            print(f"\nseed {seed} (--seed {seed} --kills 1) failed; its directory is {each_round.root}:\n{failure}")
            return 1
        kills, seed = kills + each_round.helper_kills, seed + 1
    print(f"{kills} kills in {seed - options.seed} rounds: no exit code lost, no replica doubled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
