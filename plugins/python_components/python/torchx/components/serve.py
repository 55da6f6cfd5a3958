"""Components that serve models: `torchserve`."""

from typing import Any, Dict, Optional

import torchx
from slipway import standin
from torchx import specs


def torchserve(
    model_path: str,
    management_api: str,
    image: str = torchx.IMAGE,
    params: Optional[Dict[str, str]] = None,
    dryrun: bool = False,
) -> specs.AppDef:
    """Registers a model with a running TorchServe; needs TorchX in the image."""
    words = ["-m", "torchx.apps.serve.serve", "--model_path", model_path, "--management_api", management_api]
    for name, value in (params or {}).items():
        words += ["--" + name, str(value)]
    return specs.AppDef(name="torchx-torchserve", roles=[specs.Role(
        name="worker", image=image, entrypoint="python", args=words + (["--dryrun"] if dryrun else []),
        resource=specs.Resource(cpu=1, gpu=0, memMB=1024), port_map={"model-download": 8222})])


def __getattr__(name: str) -> Any:
    return standin.part(__name__, name)
