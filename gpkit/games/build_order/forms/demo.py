"""The part of ``gpkit demo`` about build orders: what is shown of it, as ``gpkit.cli.demo.Course`` says."""

FULL = {
    "program": "scout",
    "find": "evolve plans --generations 10 --seed 1",
    "champion": "best/champion.plan",
}
