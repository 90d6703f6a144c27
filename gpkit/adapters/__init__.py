"""Adapters to and from other people's interfaces of games; what each stands on comes with an extra of its name."""
