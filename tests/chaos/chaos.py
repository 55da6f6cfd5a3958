#!/usr/bin/env python3
"""Launches random apps, kills random parts of Slipway and of the apps at random moments, and checks after each round
that no data is lost and nothing is left behind. See README.md.

Exit status: 0 if all rounds pass; 1 if a round fails, whose seed, events and directory are printed.
"""

import argparse
import random
import signal
import sys
import time
from pathlib import Path

from round import Round, RoundFailed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True, help="a built tree: its bin/slipway is tested")
    parser.add_argument("--actor", type=Path, required=True, help="the built chaos-actor")
    parser.add_argument("--seconds", type=float, default=60, help="starts no further round after this time (60)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="seed of the first round")
    parser.add_argument("-v", "--verbose", action="store_true", help="the events of every round")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # lets an interrupted round clean up

    end = time.monotonic() + options.seconds
    seed = options.seed
    while seed == options.seed or time.monotonic() < end:
        each_round = Round(seed, options.tree.resolve(), options.actor.resolve())
        print(f"seed {seed}: {each_round.app}", flush=True)
        try:
            each_round.run()
        except RoundFailed as failure:
            print("\n".join(each_round.events))
            print(f"\nseed {seed} (--seed {seed} --seconds 0) failed; its directory is {each_round.root}:\n{failure}")
            return 1
        if options.verbose:
            print("\n".join(each_round.events))
        seed += 1
    print(f"{seed - options.seed} rounds, seeds {options.seed} to {seed - 1}: nothing lost, nothing left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
