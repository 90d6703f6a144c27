"""Parts of kernels that all games share."""
