"""Tables of data: reading them, encoding them as numbers, splitting their rows, and metrics of predictions."""
