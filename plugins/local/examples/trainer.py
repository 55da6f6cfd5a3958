"""A trainer: reads a batch, computes the gradient of the squared error, reports it, and takes the new model.

It exits with 1 if the reader or the parameter server cannot be reached or does not answer, and with 3 if its own
training fails. --fail-at-step and --fail-replica make the training fail.
"""

import argparse
import sys
import traceback

import rendezvous


class TrainingError(Exception):
    pass


def expect(message, sender, step):
    """Returns the message; raises ConnectionError if there is none, because the sender has disconnected or sent nothing
    for rendezvous.PATIENCE seconds."""
    if message is None:
        raise ConnectionError(f"the {sender} does not answer at step {step}")
    return message


def gradient(batch, w, b):
    """Returns the mean squared error of y = w * x + b on the batch, and its derivatives by w and b."""
    errors = [(w * x + b - y, x) for x, y in batch]
    size = len(batch)
    return {
        "loss": sum(e * e for e, _ in errors) / size,
        "dw": 2.0 * sum(e * x for e, x in errors) / size,
        "db": 2.0 * sum(e for e, _ in errors) / size,
    }


def train(args):
    """Trains for args.steps steps together with the other trainers."""
    # Connects to the reader first, because the parameter server removes the rendezvous directory as soon as all
    # trainers have connected to it.
    reader = rendezvous.connect(args.rendezvous, "reader")
    ps = rendezvous.connect(args.rendezvous, "ps")
    ps.send({"replica": args.replica})
    w, b = 0.0, 0.0
    for step in range(args.steps):
        if step == args.fail_at_step and args.replica == args.fail_replica:
            raise TrainingError(f"replica {args.replica} was told to fail at step {step}")
        reader.send({"replica": args.replica, "size": args.batch})
        report = gradient(expect(reader.receive(), "reader", step), w, b)
        ps.send(report)
        model = expect(ps.receive(), "parameter server", step)
        w, b = model["w"], model["b"]
        if step % 250 == 249:
            print(f"step {step}: loss {report['loss']:.4f}", flush=True)
    ps.send({"done": True})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rendezvous", required=True, help="the app id")
    parser.add_argument("--replica", type=int, required=True)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--fail-at-step", type=int, default=-1)
    parser.add_argument("--fail-replica", type=int, default=0)
    args = parser.parse_args()
    try:
        train(args)
    except ConnectionError as error:
        sys.exit(f"trainer {args.replica}: {error}")
    except TrainingError:
        traceback.print_exc()
        sys.exit(3)


if __name__ == "__main__":
    main()
