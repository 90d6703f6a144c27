"""Parts of kernels for every game."""
