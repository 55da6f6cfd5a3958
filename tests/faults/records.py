#!/usr/bin/env python3
"""Damages the files of records, one place at a time, and checks the answers of commands.

Each command must answer correctly or report the damage. The run record and the index of finished apps are also damaged.
See README.md.

Exit status: 0 if all trials pass; 1 if one fails, with the violations on standard output.
"""

import argparse
import itertools
import json
import random
import signal
import sys
import time
from pathlib import Path

from damage import Damage, damages_of
from home import Broken, Hang, Home, scratch_base
from scenarios import role
from trial import DOCUMENTED, TERMINAL, replica_violations

FILES = ("spec.json", "plan.bin", "state.bin", "events.log")


class FinishedRecord:
    """A finished app. Its record serves for all damages, because each trial restores the files."""
    kind = "finished"
    # The commands that read the record.
    reads = (("status", "--json"), ("wait", "--json"), ("describe", "--json"), ("log",),
             ("describe", "--full", "--json"), ("rerun", "-n", "--json"))

    def __init__(self, tree, base):
        self.home = Home(tree, base)
        try:
            self.prepare(self.home)
        except BaseException:
            self.home.end()
            raise

    def prepare(self, home):
        """Runs the app, and keeps its files and the answers about it."""
        roles = (role("bad", 7, port_map={"http": 0}),
                 role("again", "$((n < 2 ? 3 : 0))", 'n=$(grep -c "^start $0 " "$ACCOUNT")', max_retries=1,
                      retry_policy="REPLICA"))
        home.write_app("app", *roles)
        status, _, err = home.run_command("run", "-c", "backoff=initial:0.01;jitter:0", "app.json")
        if status != 7:
            raise Broken(f"run: exit status {status}: {err}")
        self.handle, self.directory = home.handles()[0], home.app_dirs()[0]
        self.index = self.directory.parents[1] / ".finished"
        (self.run_record,) = self.directory.parents[2].glob(f"runs/*/*/{self.directory.name}")
        self.write_index()
        self.intact = {path: path.read_bytes() for path in self.files()}
        self.right = [self.answer(read) for read in self.reads]
        self.listed = home.run_command("list", "--all", "--json")

    def write_index(self):
        """Makes `list` write its index, which it does only for more than 32 apps that have ended. The additional apps
        are copies, which this function deletes again."""
        first = self.directory
        for number in range(40):
            copy = first.parent / f"copy-{number}"
            copy.mkdir()
            for path in first.iterdir():
                if path.is_file():
                    (copy / path.name).write_bytes(path.read_bytes())
        self.home.run_command("list", "--all")
        for number in range(40):
            copy = first.parent / f"copy-{number}"
            for path in copy.iterdir():
                path.unlink()
            copy.rmdir()

    def answer(self, read):
        """Returns exit status, output and messages of a command, without what differs between two dry runs."""
        status, out, err = self.home.run_command(*read, self.handle)
        if read[0] == "rerun" and status == 0:
            document = json.loads(out)
            for each in document["app"]["roles"]:
                del each["env"]["TORCHX_INTERNAL_SESSION_ID"]
            out = json.dumps([document["app"], document["cfg"]])
        return status, out, err

    def named_files(self):
        named = {name: self.directory / name for name in FILES}
        named |= {".finished": self.index, "run_record": self.run_record}
        return {name: path for name, path in named.items() if path.exists()}

    def files(self):
        return list(self.named_files().values())

    def path(self, name):
        return {".finished": self.index, "run_record": self.run_record}.get(name, self.directory / name)

    def damages(self, rng):
        return [each for name, path in self.named_files().items() for each in damages_of(self.kind, name, path, rng)]

    def try_one(self, damage):
        damage.apply(self.path(damage.file))
        try:
            return self.violations()
        except Hang as hang:
            return [str(hang)]
        finally:
            for path in self.directory.iterdir():
                if path.is_file() and path not in self.intact:
                    path.unlink()
            for path, content in self.intact.items():
                path.write_bytes(content)

    def violations(self):
        """Returns the commands whose answer is neither right nor a report of the damage."""
        wrong = []
        for read, right in zip(self.reads, self.right):
            wrong += _answer_violations(" ".join(read), right, self.answer(read))
        status, out, err = self.home.run_command("list", "--all", "--json")
        differs = status == 0 and json.loads(out)["apps"] != json.loads(self.listed[1])["apps"]
        if differs and not _reports_damage(out, err):
            wrong.append(f"list: a wrong answer, and no report of damage: {out} {err}")
        if status not in {0, *DOCUMENTED}:
            wrong.append(f"list: exit status {status}: {err}")
        return wrong

    def end(self):
        self.home.end()


class _LiveRecord:
    """A running app. Each damage gets a new one."""
    helpers_live = True

    def __init__(self, tree, base):
        self.tree, self.base = tree, base
        self.sample = self.launch()
        self.sample_files = {path.name: path for path in self.files(self.sample)}

    def launch(self):
        """Starts an app whose replicas run until their gate is opened. Returns its home."""
        home = Home(self.tree, self.base)
        try:
            self.prepare(home)
        except BaseException:
            home.end()
            raise
        return home

    def prepare(self, home):
        home.gate()
        home.write_app("app",
                       role("held", 7, "read go <gate", max_retries=1, retry_policy="REPLICA", port_map={"http": 0}),
                       role("later", 7, "read go <gate"))
        # The replicas exit with 7, which retry_on does not list, so none may start again.
        home.run_successfully("run", "-d", "-c", "retry_on=99", "app.json")
        home.eventually(lambda: len(home.recorded()) == 2, "both replicas have started")
        home.directory, home.handle = home.app_dirs()[0], home.handles()[0]
        journal = home.directory / "events.log"
        # Data that only the damaged place has cannot be repaired, so wait until the journal also has it.
        home.eventually(lambda: journal.read_text().count(" RUNNING pid=") == 2, "the journal has both replicas")
        if not self.helpers_live:
            home.kill_helpers()

    def files(self, home):
        return [path for path in (home.directory / name for name in FILES) if path.exists()]

    def damages(self, rng):
        return [each for name, path in self.sample_files.items() for each in damages_of(self.kind, name, path, rng)]

    def try_one(self, damage):
        home = self.launch()
        wrong = None
        try:
            try:
                damage.apply(home.directory / damage.file)
                wrong = self.violations(home)
            except Hang as hang:
                living = "\n".join(map(str, home.population.living().values()))
                wrong = [f"{hang}; alive:\n{living}"]
            if wrong:
                wrong.append(f"directory: {home.root}")
            return wrong
        finally:
            home.end(keep=bool(wrong))

    def violations(self, home):
        """Lets the app end after the damage, and returns what went wrong."""
        wrong = []
        home.run_command("status", home.handle)
        home.run_command("list", "--all")
        home.open_gate()
        status, _, err = home.run_command("wait", "--timeout", "10", home.handle)
        if status == 124:  # a successor may not know the replicas, but a cancel always ends them
            home.run_command("cancel", "--now", home.handle)
            status, _, err = home.run_command("wait", "--timeout", "20", home.handle)
        if status == 0 or status not in {7, *DOCUMENTED}:
            wrong.append(f"wait: exit status {status}, although both replicas fail with 7: {err}")
        if status == 124:
            wrong.append("the app does not end, not even by `cancel --now`")
        starts = [entry for entry in home.recorded() if entry[0] == "start"]
        if len(starts) != 2:
            wrong.append(f"replicas were started again: {starts}")
        try:
            home.eventually(lambda: not home.population.living(), "no process is left")
        except Hang:
            wrong += [f"still alive: {p}" for p in home.population.living().values()]
        code, out, err = home.run_command("status", "--json", home.handle)
        if code == 0:
            document = json.loads(out)
            if document["state"] not in TERMINAL - {"SUCCEEDED"}:
                wrong.append(f"the app has ended, but is {document['state']}")
            wrong += replica_violations(document, home.recorded(), True)
        elif code not in DOCUMENTED or not err.strip():
            wrong.append(f"status: exit status {code}: {err}")
        return wrong

    def end(self):
        self.sample.end()


class RunningRecord(_LiveRecord):
    kind = "running"


class OrphanedRecord(_LiveRecord):
    """An app whose helpers are dead and whose replicas run."""
    kind, helpers_live = "orphaned", False


KINDS = {each.kind: each for each in (FinishedRecord, RunningRecord, OrphanedRecord)}


def _reports_damage(*texts):
    words = ("damaged", "cannot be used", "cannot be read", "is missing", "not recorded", "another version of Slipway")
    return any(word in text for text in texts for word in words)


def _answer_violations(what, right, answer):
    """Compares a command's answer (exit status, stdout, stderr) with the one about the undamaged record."""
    status, out, err = answer
    if status == right[0] and out == right[1]:
        return []
    if status in DOCUMENTED and status != 0 and err.strip():
        return []
    if _reports_damage(out, err):
        return []
    return [f"{what}: a wrong answer, and no report of damage: exit status {status}\n{out}\n{err}\nright: {right}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, required=True, help="a built tree: its bin/slipway is tested")
    parser.add_argument("--seconds", type=float, default=60, help="starts no further trial after this time (60)")
    parser.add_argument("--all", action="store_true", help="every damage, however long it takes")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="seed of order and bits")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this record; repeatable")
    parser.add_argument("--slice", default="1/1", metavar="I/N", help="only each N-th damage, from the I-th on (1/1)")
    parser.add_argument("--damage", help="only this one, as a failure prints it")
    parser.add_argument("--base", type=Path, default=scratch_base(), help="the parent directory of the records")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for every damage")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    only = Damage.parse(options.damage) if options.damage else None
    rng = random.Random(options.seed)
    kinds = [only.kind] if only else options.kind or list(KINDS)
    records = {}
    done = failed = 0
    try:
        for kind in kinds:
            records[kind] = KINDS[kind](options.tree.resolve(), options.base)
        decks = []
        for record in records.values():
            deck = record.damages(rng)
            rng.shuffle(deck)
            decks.append(deck)
        damages = []
        for turn in itertools.zip_longest(*decks):
            turn = [each for each in turn if each]
            rng.shuffle(turn)  # so that no slice is limited to some of the records
            damages += turn
        first, step = map(int, options.slice.split("/"))
        damages = [only] if only else damages[first - 1::step]
        if not only:
            print(f"seed {options.seed}", flush=True)
        end = time.monotonic() + options.seconds
        for damage in damages:
            if done and not options.all and time.monotonic() > end:
                break
            wrong = records[damage.kind].try_one(damage)
            done += 1
            if options.verbose:
                print(damage, flush=True)
            if wrong:
                failed += 1
                print(f"\nFAILED  {damage}\n" + "\n".join(wrong) + f"\nagain: ./dev faults {damage}\n", flush=True)
    finally:
        for record in records.values():
            record.end()
    print(f"{done} of {len(damages)} damages tried, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
