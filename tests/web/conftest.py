"""Fixtures of the pages."""

import pytest
from thread_pool import Pool

from gpkit.web import jobs


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    """The workers of the site, as threads."""
    made = Pool()
    monkeypatch.setattr(jobs, "ProcessPool", lambda count: made)
    return made
