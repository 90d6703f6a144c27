"""The build order in readable form: a person who orders."""
