"""The parts of TorchX that components need, for machines without it. See Slipway's plug-in python_components."""

from typing import Any

from slipway import standin

IS_SLIPWAYS = True  # by which slipway.standin distinguishes this package from the real TorchX
IMAGE = "ghcr.io/pytorch/torchx:0.7.0"
__version__ = "0.7.0"


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
