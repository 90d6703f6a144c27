"""The foundations of gpkit: errors, random streams, settings, files, kernels and the registry."""
