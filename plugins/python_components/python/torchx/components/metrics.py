"""Components that show metrics: `tensorboard`."""

from typing import Any

import torchx
from slipway import standin
from torchx import specs


def tensorboard(
    logdir: str,
    image: str = torchx.IMAGE,
    timeout: float = 3600,
    port: int = 6006,
    start_on_file: str = "",
    exit_on_file: str = "",
) -> specs.AppDef:
    """Serves TensorBoard for a time, or until a file appears; needs TorchX in the image."""
    server = ["tensorboard", "--bind_all", "--port", str(port), "--logdir", logdir]
    monitor = ["-m", "torchx.apps.utils.process_monitor", "--timeout", str(timeout), "--start_on_file", start_on_file,
               "--exit_on_file", exit_on_file, "--"]
    return specs.AppDef(name="tensorboard", roles=[specs.Role(
        name="tensorboard", image=image, entrypoint="python", args=monitor + server, port_map={"http": port})])


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
