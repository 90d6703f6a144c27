"""The compiled build order; it behaves like ``gpkit.games.build_order.rules``, but jumps from event to event."""
