"""The parameter server: keeps the model y = w * x + b and moves it against the mean gradient of its trainers.

All trainers work on the same step. If a trainer disconnects, the others continue without it.
"""

import argparse
import sys

import rendezvous


def gather(server, count):
    """Waits for `count` trainers; returns {replica: connection}, ordered by replica."""
    trainers = {}
    while len(trainers) < count:
        trainer = rendezvous.accept(server)
        hello = trainer.receive()
        if hello is not None:
            trainers[hello["replica"]] = trainer
    return dict(sorted(trainers.items()))


def train(trainers, learning_rate):
    """Trains until every trainer has finished or disconnected.

    Returns the model, the mean loss of each step, and the number of trainers that finished.
    """
    w, b, losses, done = 0.0, 0.0, [], 0
    while trainers:
        reports = []
        for replica, trainer in list(trainers.items()):
            report = trainer.receive()
            if report is None:
                del trainers[replica]
                print(f"lost trainer {replica} at step {len(losses)}; {len(trainers)} continue", flush=True)
            elif report.get("done"):
                del trainers[replica]
                done += 1
            else:
                reports.append(report)
        if not reports:
            continue
        w -= learning_rate * sum(r["dw"] for r in reports) / len(reports)
        b -= learning_rate * sum(r["db"] for r in reports) / len(reports)
        losses.append(sum(r["loss"] for r in reports) / len(reports))
        if len(losses) % 200 == 1:
            print(f"step {len(losses) - 1}: loss {losses[-1]:.4f}", flush=True)
        for trainer in trainers.values():
            trainer.send({"w": w, "b": b})
    return w, b, losses, done


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendezvous", required=True, help="the app id")
    parser.add_argument("--trainers", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=0.005)
    args = parser.parse_args()

    try:
        with rendezvous.listen(args.rendezvous, "ps") as server:
            trainers = gather(server, args.trainers)
    except TimeoutError:
        sys.exit(f"ps: fewer than {args.trainers} trainers within {rendezvous.PATIENCE:.0f} s")
    finally:
        # Trainers connect to the reader before they connect to this server, so nothing needs the directory any more.
        rendezvous.remove(args.rendezvous)
    print(f"{len(trainers)} trainers have joined", flush=True)

    w, b, losses, done = train(trainers, args.learning_rate)
    if not done:
        sys.exit(f"ps: lost every trainer by step {len(losses)}")
    if not losses:
        print("the trainers were done without a step", flush=True)
        return
    if len(losses) > 1 and losses[-1] >= losses[0]:
        sys.exit("ps: the loss did not fall")
    print(f"first loss {losses[0]:.4f}, final loss {losses[-1]:.4f}, model y = {w:.3f} * x + {b:.3f}", flush=True)


if __name__ == "__main__":
    main()
