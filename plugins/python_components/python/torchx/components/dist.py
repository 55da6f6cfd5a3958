"""Distributed PyTorch programs: `ddp` and `spmd`."""

import os
import re
import shlex
from typing import Any, Dict, List, Optional, Tuple

import torchx
from slipway import standin
from torchx import specs
from torchx.components.structured_arg import StructuredJArgument, StructuredNameArgument
from torchx.components.structured_arg import role_name as get_role_name

# The variables that `debug` sets.
DEBUG = {
    "CUDA_LAUNCH_BLOCKING": "1",
    "NCCL_DESYNC_DEBUG": "1",
    "TORCH_DISTRIBUTED_DEBUG": "DETAIL",
    "TORCH_SHOW_CPP_STACKTRACES": "1",
}


class _Raw(str):
    """A word that is not quoted, so that the shell of the replica expands it."""


def parse_nnodes(j: str) -> Tuple[int, int, int, str]:
    """Returns the least and most nodes, the number of processes on each, and the text for torchrun."""
    found = re.fullmatch(r"((\d+:)?\d+x)?\d+", j, re.ASCII)
    if not found:
        raise ValueError("-j %s: write [MIN:]NODESxPROCESSES, or PROCESSES on one node" % j)
    nodes, separator, processes = j.partition("x")
    if not separator:
        nodes, processes = "1", j
    least, _, most = nodes.partition(":")
    return int(least), int(most or least), int(processes), nodes


def ddp(
    *script_args: str,
    script: Optional[str] = None,
    m: Optional[str] = None,
    image: str = torchx.IMAGE,
    name: str = "/",
    h: Optional[str] = None,
    cpu: int = 2,
    gpu: int = 0,
    memMB: int = 1024,
    j: str = "1x2",
    env: Optional[Dict[str, str]] = None,
    max_retries: int = 0,
    rdzv_port: int = 29500,
    rdzv_backend: str = "c10d",
    rdzv_conf: Optional[str] = None,
    mounts: Optional[List[str]] = None,
    debug: bool = False,
    tee: int = 3,
) -> specs.AppDef:
    """Runs a script or module with torchrun, one replica on each node."""
    if (script is None) == (m is None):
        raise ValueError("give either a script or a module")
    run = StructuredNameArgument.parse_from(name, m=m, script=script)
    if "'" in run.run_name:  # the app's id, which starts with the name, is inside quotes of the command below
        raise ValueError("the app's name has a quote: %s; give another one" % run.run_name)
    least, most, processes, nodes = parse_nnodes(j)
    one_node = most == 1
    backend = "c10d" if one_node else rdzv_backend
    # Bash reads ${NAME:=localhost}: some schedulers do not set the variable in the first replica itself.
    endpoint = _Raw("localhost:0") if one_node else _Raw("$${%s:=localhost}:%d" % (specs.macros.rank0_env, rdzv_port))
    words = ["torchrun", "--rdzv_backend", backend]
    if rdzv_conf is not None:
        words += ["--rdzv_conf", rdzv_conf]
    words += ["--rdzv_endpoint", endpoint, "--rdzv_id", specs.macros.app_id, "--nnodes", nodes,
              "--nproc_per_node", str(processes), "--tee", str(tee), "--role", ""]
    if backend == "static":
        words += ["--node_rank", specs.macros.replica_id]
    words += [script] if script is not None else ["-m", m]
    words += script_args
    variables = dict(env or {})
    variables.setdefault("TORCHX_TRACKING_EXPERIMENT_NAME", run.experiment_name)
    variables.setdefault("TORCHX_TRACKING_RUN_NAME", run.run_name)
    variables.setdefault("LOGLEVEL", os.environ.get("LOGLEVEL", "WARNING"))
    if debug:
        variables.update(DEBUG)
    role = specs.Role(
        name=get_role_name(script, m),
        image=image,
        min_replicas=least,
        entrypoint="bash",
        args=["-c", " ".join(word if isinstance(word, _Raw) else shlex.quote(word) for word in words)],
        env=variables,
        num_replicas=most,
        max_retries=max_retries,
        resource=specs.resource(cpu=cpu, gpu=gpu, memMB=memMB, h=h),
        port_map={"c10d": rdzv_port},
        mounts=specs.parse_mounts(mounts) if mounts else [],
    )
    return specs.AppDef(name=run.run_name, roles=[role])


def spmd(
    *args: str,
    script: Optional[str] = None,
    m: Optional[str] = None,
    image: str = torchx.IMAGE,
    name: str = "/",
    h: str = "gpu.small",
    j: str = "1x1",
    env: Optional[Dict[str, str]] = None,
    max_retries: int = 0,
    mounts: Optional[List[str]] = None,
    debug: bool = False,
) -> specs.AppDef:
    """Runs a script or module on nodes of a named resource. If `j` is only a number of nodes, starts a process for each
    GPU of a node."""
    return ddp(*args, script=script, m=m, image=image, name=name, h=h, j=str(StructuredJArgument.parse_from(h, j)),
               env=env, max_retries=max_retries, mounts=mounts, debug=debug)


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
