"""Readable twins of kernels that no game needs: plain Python that says what they mean, for tests and papers."""
