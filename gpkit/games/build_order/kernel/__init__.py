"""The build order, compiled: it does the same as ``gpkit.games.build_order.rules``, but jumps from event to event."""
