"""Tables of data: reading them, the numbers that programs see of them, parts to learn from and to test on, metrics."""
