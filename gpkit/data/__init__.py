"""Tables: reading, encoding as numbers, splits and metrics."""
