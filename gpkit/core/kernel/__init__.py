"""Parts of kernels that every game may use."""
