"""The reader: serves batches of (x, y) to the trainers, until all of them have disconnected.

The data is y = 3 * x + 0.5 plus noise. It depends only on the seed and on the trainer's replica id, never on timing.
"""

import argparse
import random
import sys
import threading

import rendezvous


def draw(rng, size):
    """Returns `size` random points (x, y)."""
    xs = [rng.uniform(-2.0, 2.0) for _ in range(size)]
    return [(round(x, 5), round(3.0 * x + 0.5 + rng.gauss(0.0, 0.1), 5)) for x in xs]


def serve(trainer, seed, served):
    """Answers the requests of one trainer; `served` counts its batches."""
    rng = None
    while True:
        request = trainer.receive()
        if request is None:
            return
        replica = request["replica"]
        if rng is None:
            rng = random.Random(f"{seed}/{replica}")
        trainer.send(draw(rng, request["size"]))
        served[replica] = served.get(replica, 0) + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendezvous", required=True, help="the app id")
    parser.add_argument("--trainers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    served = {}
    threads = []
    with rendezvous.listen(args.rendezvous, "reader") as server:
        try:
            while len(threads) < args.trainers:
                trainer = rendezvous.accept(server)
                # Daemon threads end with the main thread, which exits if a trainer never connects.
                threads.append(threading.Thread(target=serve, args=(trainer, args.seed, served), daemon=True))
                threads[-1].start()
        except TimeoutError:
            sys.exit(f"reader: fewer than {args.trainers} trainers within {rendezvous.PATIENCE:.0f} s")
    print(f"serving {len(threads)} trainers", flush=True)
    for thread in threads:
        thread.join()
    for replica, batches in sorted(served.items()):
        print(f"trainer {replica} has read {batches} batches", flush=True)


if __name__ == "__main__":
    main()
