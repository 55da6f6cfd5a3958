"""The components of TorchX, to be called from other components."""

from typing import Any

from slipway import standin


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
