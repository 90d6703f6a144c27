"""Clients of the pages in the same process, as tests use them."""

from pathlib import Path

from starlette.testclient import TestClient

from gpkit.web.server import Doorkeeper, make_app
from gpkit.web.site import Site, open_site

KEEPER = Doorkeeper("a-token-that-tests-know", 8417)
ROOT = f"http://127.0.0.1:{KEEPER.port}"


def stranger(site: Site) -> TestClient:
    """A client that does not know the token."""
    return TestClient(
        make_app(site, KEEPER), base_url=ROOT, follow_redirects=False, raise_server_exceptions=False
    )


def guest(folder: Path) -> tuple[TestClient, Site]:
    """A client that was let in, and whose requests come from the pages themselves."""
    site = open_site(folder)
    return guest_at(site), site


def guest_at(site: Site) -> TestClient:
    """A client that was let in to a site."""
    client = stranger(site)
    client.cookies.set(KEEPER.cookie, KEEPER.token)
    client.headers["origin"] = ROOT
    return client
