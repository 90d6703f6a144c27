"""The build order, compiled: the meaning of ``gpkit.games.build_order.rules``, which jumps from event to event."""
