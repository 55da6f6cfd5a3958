#!/usr/bin/env python3
"""Kills the supervisor of one app after the other, each at a random moment of launch and run, and checks that no exit
code is lost and no replica is started twice. See README.md.

Exit status: 0 it held; 1 it did not, and what was wrong is printed.
"""

import argparse
import json
import random
import signal
import sys
import time
from pathlib import Path

from population import watchers
from round import Round, RoundFailed

REPLICAS = 12


class Kill(Round):
    """A round with an app whose replica k exits with k, and one kill."""

    def play(self):
        args = [*self.app.roles[0]["args"][:2], "${replica_id}", "lines=4", "width=40",
                f"pause_us={self.rng.choice((0, 500, 5000))}", "ends=${replica_id}"]
        self.app.roles = [{"name": "r0", "image": ".", "entrypoint": self.app.roles[0]["entrypoint"], "args": args,
                           "num_replicas": REPLICAS}]
        file = self.root / "cwd" / "app.json"
        self.app.write(file)
        run = self.start("run", "-d", str(file))
        if self.rng.random() < 0.5:
            run.wait()
        time.sleep(self.rng.random() * 0.03)
        _, supervisor = watchers(self.population.living())
        if supervisor and self.population.kill(supervisor.pid):
            self.watcher_kills += 1
            self.tell(f"killed the supervisor  {supervisor}")
        run.wait()

    def settle(self):
        if not self.find_app():
            return self.taken_back()
        self.ask("wait", self.handle, allowed=None)

    def app_faults(self):
        faults = super().app_faults()
        status = json.loads(self.ask("status", "--json", self.handle).stdout)
        codes = [replica["exit_code"] for replica in status["roles"][0]["replicas"]]
        if codes != list(range(REPLICAS)):
            faults.append(f"exit codes {codes}")
        return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True, help="a built tree: its bin/slipway is tested")
    parser.add_argument("--actor", type=Path, required=True, help="the built chaos-actor")
    parser.add_argument("--kills", type=int, default=40, help="so many (40)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32), help="of the first app")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that an interrupted round is cleared away, too

    kills, seed = 0, options.seed
    print(f"seed {seed}", flush=True)
    while kills < options.kills:
        game = Kill(seed, options.tree.resolve(), options.actor.resolve())
        try:
            game.run()
        except RoundFailed as failure:
            print("\n".join(game.story))
            print(f"\nseed {seed} (--seed {seed} --kills 1) failed; {game.root} is left:\n{failure}")
            return 1
        kills, seed = kills + game.watcher_kills, seed + 1
    print(f"{kills} kills of {seed - options.seed} supervisors: no exit code lost, no replica doubled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
