"""The part of ``gpkit demo`` about build orders: what is shown of it."""

from gpkit.cli.demo import DemoRun

FULL = DemoRun("build_order", "scout", "evolve plans --generations 10 --seed 1", "best/champion.plan")
