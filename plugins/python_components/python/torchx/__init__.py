"""What components need of TorchX, for machines without it. See Slipway's plug-in python_components."""

IS_SLIPWAYS = True
IMAGE = "ghcr.io/pytorch/torchx:0.7.0"
__version__ = "0.7.0"
