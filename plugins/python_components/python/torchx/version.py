"""The version of TorchX whose behaviour this package has."""

from torchx import IMAGE as TORCHX_IMAGE, __version__  # noqa: F401
