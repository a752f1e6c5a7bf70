"""Paper 4's figures and experiments."""
