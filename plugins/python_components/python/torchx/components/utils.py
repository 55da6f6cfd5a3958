"""Small components: `echo`, `sh`, `python`, `binary`, `touch`, `copy`, `booth`."""

import os
import shlex
from typing import Any, Dict, List, Optional

import torchx
from slipway import standin
from torchx import specs

SMALL = {"cpu": 1, "gpu": 0, "memMB": 1024}


def _app(name: str, role: specs.Role) -> specs.AppDef:
    return specs.AppDef(name=name, roles=[role])


def echo(msg: str = "hello world", image: str = torchx.IMAGE, num_replicas: int = 1) -> specs.AppDef:
    """Prints a message."""
    return _app("echo", specs.Role(name="echo", image=image, entrypoint="echo", args=[msg], num_replicas=num_replicas,
                                   resource=specs.Resource(**SMALL)))


def touch(file: str, image: str = torchx.IMAGE) -> specs.AppDef:
    """Creates a file, or sets its time."""
    return _app("touch", specs.Role(name="touch", image=image, entrypoint="touch", args=[file],
                                    resource=specs.Resource(**SMALL)))


def sh(
    *args: str,
    image: str = torchx.IMAGE,
    num_replicas: int = 1,
    cpu: int = 1,
    gpu: int = 0,
    memMB: int = 1024,
    h: Optional[str] = None,
    env: Optional[Dict[str, str]] = None,
    max_retries: int = 0,
    mounts: Optional[List[str]] = None,
    entrypoint: Optional[str] = None,
) -> specs.AppDef:
    """Runs a command with sh. The words are quoted, so sh expands nothing in them."""
    words = [shlex.quote(word) for word in args]
    variables = dict(env or {})
    variables.setdefault("LOGLEVEL", os.environ.get("LOGLEVEL", "WARNING"))
    return _app("sh", specs.Role(
        name="sh", image=image, entrypoint=entrypoint or "sh", args=words if entrypoint else ["-c", " ".join(words)],
        num_replicas=num_replicas, resource=specs.resource(cpu=cpu, gpu=gpu, memMB=memMB, h=h), env=variables,
        max_retries=max_retries, mounts=specs.parse_mounts(mounts) if mounts else []))


def python(
    *args: str,
    m: Optional[str] = None,
    c: Optional[str] = None,
    script: Optional[str] = None,
    image: str = torchx.IMAGE,
    name: str = "torchx_utils_python",
    cpu: int = 1,
    gpu: int = 0,
    memMB: int = 1024,
    h: Optional[str] = None,
    num_replicas: int = 1,
) -> specs.AppDef:
    """Runs python with a module, a program text or a script."""
    if sum(program is not None for program in (m, c, script)) != 1:
        raise ValueError("give exactly one of m, c and script")
    if not (m or c or script):
        raise ValueError("the program for Python is empty")
    words = ["-m", m] if m else ["-c", c] if c else [script]
    return _app(name, specs.Role(
        name="python", image=image, entrypoint="python", args=[*words, *args],
        num_replicas=num_replicas, resource=specs.resource(cpu=cpu, gpu=gpu, memMB=memMB, h=h),
        env={"HYDRA_MAIN_MODULE": m} if m else {}))


def binary(
    *args: str,
    entrypoint: str,
    name: str = "torchx_utils_binary",
    num_replicas: int = 1,
    cpu: int = 1,
    gpu: int = 0,
    memMB: int = 1024,
    h: Optional[str] = None,
) -> specs.AppDef:
    """Runs an existing program, without an image."""
    return _app(name, specs.Role(
        name="binary", image=specs.NONE, entrypoint=entrypoint, args=list(args), num_replicas=num_replicas,
        resource=specs.resource(cpu=cpu, gpu=gpu, memMB=memMB, h=h)))


def copy(src: str, dst: str, image: str = torchx.IMAGE) -> specs.AppDef:
    """Copies a file between locations that fsspec supports."""
    return _app("torchx-utils-copy", specs.Role(
        name="torchx-utils-copy", image=image, entrypoint="python", resource=specs.Resource(**SMALL),
        args=["-m", "torchx.apps.utils.copy_main", "--src", src, "--dst", dst]))


def booth(
    x1: float, x2: float, trial_idx: int = 0, tracker_base: str = "/tmp/torchx-util-booth", image: str = torchx.IMAGE
) -> specs.AppDef:
    """Evaluates Booth's function."""
    return _app("torchx-utils-booth", specs.Role(
        name="torchx-utils-booth", image=image, entrypoint="python", resource=specs.Resource(**SMALL),
        args=["-m", "torchx.apps.utils.booth_main", "--x1", str(x1), "--x2", str(x2), "--trial_idx", str(trial_idx),
              "--tracker_base", tracker_base]))


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
