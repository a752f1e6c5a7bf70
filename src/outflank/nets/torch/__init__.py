"""The networks as PyTorch modules; the extra `train` brings PyTorch."""
