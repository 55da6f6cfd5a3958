"""The components of TorchX, to be called from other components."""
