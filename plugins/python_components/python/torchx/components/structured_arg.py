"""The arguments `--name EXPERIMENT/RUN` and `-j NODESxPROCESSES` of distributed components."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from slipway import standin
from torchx import specs


def role_name(script: Optional[str], m: Optional[str]) -> str:
    """Returns the name of the script or module, without its directories and extension."""
    if script:
        return Path(script).stem
    if m:
        return m.rpartition(".")[2]
    raise ValueError("there is no script and no module to name the role after")


@dataclass
class StructuredNameArgument:
    """The names of an experiment and of a run."""

    experiment_name: str
    run_name: str

    def __str__(self) -> str:
        return "%s/%s" % (self.experiment_name, self.run_name)

    @staticmethod
    def parse_from(name: str, m: Optional[str] = None, script: Optional[str] = None,
                   default_experiment_name: str = "default-experiment") -> "StructuredNameArgument":
        if bool(m) == bool(script):
            raise ValueError("give a script or a module, and not both")
        experiment, slash, run = name.partition("/")
        if not slash:
            experiment, run = "", name
        return StructuredNameArgument(experiment or default_experiment_name, run or role_name(script, m))


@dataclass
class StructuredJArgument:
    """The number of nodes, and the number of processes on each node."""

    nnodes: int
    nproc_per_node: int

    def __str__(self) -> str:
        return "%dx%d" % (self.nnodes, self.nproc_per_node)

    @staticmethod
    def parse_from(h: str, j: str) -> "StructuredJArgument":
        nodes, separator, processes = j.partition("x")
        if separator:
            return StructuredJArgument(int(nodes), int(processes))
        gpus = specs.resource(h=h).gpu
        if gpus <= 0:
            raise ValueError("-j %s means a process per GPU, and %s has no GPU" % (j, h))
        return StructuredJArgument(int(nodes), gpus)


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
