"""Lists the faults of a scenario, from one run without a fault, and orders them."""

import itertools
import random
from collections import Counter, defaultdict

import errors
from trial import Fault, Trial


def faults_of(scenario, tree, injector, base):
    """Returns all kills and all plausible errors of each call, for each part of the scenario."""
    trial = Trial(scenario, None, tree, injector, base)
    wrong = None
    try:
        wrong, _ = trial.run()
        if wrong:
            raise RuntimeError("\n".join([f"{scenario.name} fails without a fault:", *wrong,
                                          f"directory: {trial.home.root}"]))
    finally:
        # A failed trial keeps its directory; an interrupted one does not.
        trial.end(keep=bool(wrong))
    faults = []
    counts = Counter()
    # Processes whose dynamic loader has mapped all libraries. Earlier calls belong to the C library and get no errors,
    # only kills. Only `command` and `starter` execute a program of Slipway.
    loaded = set()
    for part, instance, call, subject in trial.outcome.calls:
        if part not in scenario.parts:
            continue
        counts[part, instance] += 1
        counts[part, instance, call] += 1
        nth, nth_of_call = counts[part, instance], counts[part, instance, call]
        kills = ("before", "after", "both") if part == "supervisor" else ("before", "after")
        faults += [Fault(scenario.name, part, instance, "", nth, act) for act in kills]
        if call == "rseq":  # the loader has mapped all libraries
            loaded.add((part, instance))
        if part in ("command", "starter") and (part, instance) not in loaded:
            continue
        for error in errors.plausible(call, subject):
            # A lasting error also hits later calls, and those may create no file. (Later reads and writes of pipes and
            # sockets, which have no EIO or ENOSPC, are left out by can_fail() in injector/tracer.cpp.)
            lasts = error in errors.LASTING and not (subject == "O_CREAT" and error in errors.NEW_FILE)
            lasts = lasts and call not in errors.NEVER_LASTING
            acts = (error, error + "+") if lasts else (error,)
            faults += [Fault(scenario.name, part, instance, call, nth_of_call, act) for act in acts]
    return faults


def alternating(faults, seed):
    """Returns the faults in a random order that alternates between all parts of all scenarios, so that a short sample
    has faults of each. The order of the parts differs from turn to turn, so that no slice is limited to some of
    them."""
    groups = defaultdict(list)
    for fault in faults:
        groups[fault.scenario, fault.part].append(fault)
    rng = random.Random(seed)
    for group in groups.values():
        rng.shuffle(group)
    order = []
    for turn in itertools.zip_longest(*groups.values()):
        turn = [fault for fault in turn if fault]
        rng.shuffle(turn)
        order += turn
    return order
