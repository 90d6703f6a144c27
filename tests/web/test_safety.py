"""Every rule of the guard, broken by a request, and its refusal (SECURITY.md)."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from web_clients import KEEPER, ROOT, guest, stranger

from gpkit.web.server import MAX_BODY, MAX_QUERY
from gpkit.web.site import Site, open_site
from gpkit.web.workshop import ACTIONS

PROGRAM = "play: env.rounds\nsend: env.rounds\n"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client that was let in."""
    return guest(tmp_path)[0]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[TestClient, Site]:
    """A client without cookies of its own, and its site."""
    site = open_site(tmp_path_factory.mktemp("shared"))
    return stranger(site), site


def test_token_of_the_address_becomes_a_cookie_that_other_pages_cannot_send(tmp_path: Path) -> None:
    unknown = stranger(open_site(tmp_path))
    assert unknown.get("/").status_code == 401
    assert unknown.get("/?token=wrong").status_code == 401
    assert unknown.get("/", headers={"cookie": f"{KEEPER.cookie}=wrong"}).status_code == 401
    assert unknown.get("/static/gpkit.js").status_code == 401
    let_in = unknown.get("/", params={"token": KEEPER.token, "vs": "a b"})
    assert (let_in.status_code, let_in.headers["location"]) == (303, "/?vs=a+b")
    cookie = let_in.headers["set-cookie"].lower()
    assert "samesite=strict" in cookie
    assert "httponly" in cookie
    assert unknown.get("/").status_code == 200


def test_who_comes_from_elsewhere_with_the_token_is_led_on_by_a_page_of_this_server(tmp_path: Path) -> None:
    unknown = stranger(open_site(tmp_path))
    fetched = {"sec-fetch-site": "cross-site"}  # as browsers say of the file that opens them
    params = {"token": KEEPER.token, "vs": 'a"b'}
    let_in = unknown.get('/play/"x', params=params, headers=fetched)
    assert (let_in.status_code, "samesite=strict" in let_in.headers["set-cookie"].lower()) == (200, True)
    assert 'content="0;url=/play/%22x?vs=a%22b">' in let_in.text
    assert KEEPER.token not in let_in.text
    assert unknown.get("/", headers=fetched).status_code == 403
    assert unknown.get("/", headers={"sec-fetch-site": "same-origin"}).status_code == 200
    assert stranger(open_site(tmp_path)).get("/?token=x", headers=fetched).status_code == 403


def test_way_to_the_page_without_the_token_stays_on_this_server(tmp_path: Path) -> None:
    let_in = stranger(open_site(tmp_path)).get(f"{ROOT}//evil.example/?token={KEEPER.token}")
    assert let_in.headers["location"] == "/evil.example/"


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"host": "evil.example"}),
        ("GET", {"host": f"127.0.0.1.evil.example:{KEEPER.port}"}),
        ("GET", {"host": "127.0.0.1:1"}),
        ("GET", {"origin": "https://evil.example"}),
        ("GET", {"origin": "null"}),
        ("POST", {"origin": "https://evil.example"}),
        ("POST", {"origin": f"http://localhost:{KEEPER.port}"}),
        ("DELETE", {}),
        ("PUT", {}),
        ("OPTIONS", {}),
    ],
)
def test_requests_of_other_pages_and_for_other_hosts_are_refused(
    client: TestClient, method: str, headers: dict[str, str]
) -> None:
    assert client.request(method, "/", headers=headers).status_code == 403


def test_post_that_does_not_say_where_it_comes_from_is_refused(client: TestClient) -> None:
    del client.headers["origin"]
    assert client.post("/play/sevens/x/act").status_code == 403
    assert client.get("/").status_code == 200


def test_long_bodies_and_addresses_are_not_read(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(MAX_BODY // 10_000 + 2):
            yield b"x" * 10_000

    assert client.post("/play/sevens/x/act", content=b"x" * (MAX_BODY + 1)).status_code == 413
    assert client.post("/play/sevens/x/act", content=endless()).status_code == 413
    assert client.get("/?" + "x" * (MAX_QUERY + 1)).status_code == 413


def test_forms_of_too_many_fields_are_refused(client: TestClient) -> None:
    assert client.post("/play/sevens/x/act", content="&".join(["a=1"] * 500)).status_code == 400


@pytest.mark.parametrize("path", ["/", "/nothing", "/play/dots_and_boxes", "/static/gpkit.css"])
def test_every_answer_forbids_scripts_and_sources_from_elsewhere(client: TestClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_pages_have_no_scripts_or_styles_in_themselves_and_name_no_other_server(client: TestClient) -> None:
    board = client.post("/play/dots_and_boxes").headers["location"]
    for path in ("/", board, "/edit?new=sevens/arithmetic"):
        text = client.get(path).text
        assert not re.search(r"<script(?![^>]* src=\"/)|\son\w+=|\sstyle=|<style", text)
        assert set(re.findall(r"https?://[^\"\s<]+", text)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize(
    "name", ["../outside.tree", "link.tree", "linked/inside.tree", "inside/../../outside.tree", "/etc/passwd"]
)
def test_no_file_is_named_outside_the_folder_or_through_a_link(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    (folder / "inside").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    for path in (tmp_path / "outside.tree", tmp_path / "elsewhere" / "inside.tree", folder / "own.tree"):
        path.write_text(PROGRAM, encoding="utf-8")
    (folder / "link.tree").symlink_to(tmp_path / "outside.tree")
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    client, site = guest(folder)
    assert site.below().programs == ("own.tree",)
    for wanted in (name, str(tmp_path / "outside.tree")):
        refused = client.get("/play/sevens", params={"vs": wanted})
        assert refused.status_code == 400
        assert "no player of" in refused.text


def test_text_of_a_program_stays_text(tmp_path: Path) -> None:
    evil = '</textarea><script src="//evil.example"></script>'
    path = tmp_path / "evil.rules"
    path.write_text(f"# game: dots_and_boxes\n# title: {evil}\n{evil}: x_0 => x_0 - w\n", encoding="utf-8")
    client, _ = guest(tmp_path)
    form = {
        "language": "rulegraph",
        "name": f"{evil}.rules",
        "opened": "evil.rules",
        "text": evil,
        "mode": evil,
    }
    answers = [client.get("/edit/evil.rules"), client.get("/edit", params={"new": evil, "program": evil})]
    answers += [client.post(f"/workshop/{action}", data=form) for action in (*ACTIONS, "run", "compare")]
    for answer in answers:
        assert '<script src="//' not in answer.text or answer.headers["content-type"] == "application/json"


OUTSIDE = (
    "../outside.tree", "inside/../../outside.tree", "/etc/new.tree", "link.tree", "hard.tree", "linked/new.tree",
    "linked/inside.tree", "run/new.tree", "none/new.tree", ".hidden.tree", "inside/.hidden/new.tree", "new.txt",
    "inside\\new.tree", "new\0.tree", "node_modules/new.tree", "a" * 300 + ".tree", "d/" * 20 + "new.tree",
    "folder.tree", ".tree", "",
)  # fmt: skip


def everything_in(folder: Path) -> dict[str, str]:
    """Files below a folder and what they hold."""
    return {str(path): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_is_written_outside_the_folder_or_through_a_link(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    for each in ("inside", "run", "node_modules", "folder.tree"):
        (folder / each).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (folder / "run" / "run.json").write_text("{}", encoding="utf-8")
    for path in (tmp_path / "outside.tree", tmp_path / "elsewhere" / "inside.tree"):
        path.write_text(PROGRAM, encoding="utf-8")
    (folder / "link.tree").symlink_to(tmp_path / "outside.tree")
    (folder / "hard.tree").hardlink_to(tmp_path / "outside.tree")
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    before = everything_in(tmp_path)
    client, _ = guest(folder)
    for opened in ("", name):
        form = {"language": "arithmetic", "name": name, "opened": opened, "text": "play: 1\nsend: 2\n"}
        assert client.post("/workshop/save", data=form).status_code == 400
    assert everything_in(tmp_path) == before
    form["name"] = "inside/new.tree"
    assert client.post("/workshop/save", data=form).status_code == 303
    assert len(everything_in(tmp_path)) == len(before) + 1


@pytest.mark.parametrize("name", ["nim.py", "openspiel:hex", "..%2F..%2Fnim.py", "os"])
def test_only_games_that_are_loaded_can_be_named(client: TestClient, name: str) -> None:
    before = set(sys.modules)
    assert client.get(f"/play/{name}").status_code in (404, 405)
    assert client.get(f"/picture/{name}.svg").status_code in (404, 405)
    assert not {each for each in set(sys.modules) - before if "nim" in each or "spiel" in each}


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/%2e%2e/server.py", "/vendor//etc/passwd"])
def test_static_files_are_those_of_their_folder(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_names_that_are_no_text_take_no_page_away(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"f\xe4lder")
    try:
        (folder / os.fsdecode(b"l\xe4ge")).mkdir(parents=True)
    except OSError:
        pytest.skip("this file system has UTF-8 names alone")
    (folder / "good.tree").write_text(PROGRAM, encoding="utf-8")
    (folder / os.fsdecode(b"pl\xe4y.tree")).write_text(PROGRAM, encoding="utf-8")
    (folder / os.fsdecode(b"l\xe4ge") / "run.json").write_text("{}", encoding="utf-8")
    client, site = guest(folder)
    assert (site.below().programs, site.below().runs) == (("good.tree",), ())
    assert "good.tree" in client.get("/").text
    assert client.get("/play/sevens", params={"vs": "nobody"}).status_code == 400
    assert client.get("/edit/good.tree").status_code == 200


@given(
    site=st.sampled_from(("cross-site", "same-site", "same-origin", "none", "", "SAME-ORIGIN", "x")),
    method=st.sampled_from(("GET", "HEAD", "POST")),
    path=st.sampled_from(
        ("/", "/static/gpkit.js", "/play/sevens?vs=simple", "/runs", "/nothing", "/heat?game=sevens")
    ),
    others=st.lists(
        st.sampled_from(("old", "x=y", "gpkit-8417x=1", "gpkit-8417=", "", "=", '"', "gpkit-8417=a-token")),
        max_size=3,
    ),
    place=st.integers(0, 3),
)
def test_only_pages_of_this_server_and_persons_may_ask(
    shared: tuple[TestClient, Site], site: str, method: str, path: str, others: list[str], place: int
) -> None:
    client, _ = shared
    cookies = list(others)
    cookies.insert(place, f"{KEEPER.cookie}={KEEPER.token}")
    headers = {"sec-fetch-site": site, "cookie": "; ".join(cookies), "origin": ROOT}
    status = client.request(method, path, headers=headers).status_code
    assert (status == 403) == (site not in ("same-origin", "none"))
    assert status != 401
    headers["cookie"] = "; ".join(others)
    assert client.request(method, path, headers=headers).status_code in (401, 403)
