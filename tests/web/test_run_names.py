"""Runs with names in any letters: their files are downloaded under these names."""

import shutil
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_run import evolve_tiny
from web_clients import guest

from gpkit.web.site import saved_as


@given(st.text(min_size=1, max_size=20))
def test_a_name_of_any_letters_fits_into_a_header(name: str) -> None:
    given_name = saved_as(name)["content-disposition"]
    assert given_name.encode("latin-1").decode("ascii").isprintable()
    plain, star = f'attachment; filename="{name}"', "attachment; filename*=UTF-8''"
    assert (
        given_name == plain
        or unquote(given_name.removeprefix(star)) == name.encode(errors="replace").decode()
    )


@pytest.mark.parametrize("name", [pytest.param("цена 1", marks=pytest.mark.release), 'a"数'])
def test_a_run_of_any_name_is_downloaded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.export.conformance._MOST_RECORDED", 100)  # few games are carried along
    evolve_tiny(tmp_path / "tiny", generations=1)
    shutil.move(tmp_path / "tiny", tmp_path / name)
    client, _ = guest(tmp_path)
    for part in ("", "/lua", "/report"):
        answer = client.get(f"/runs/{quote(name)}{part}")
        assert answer.status_code == 200, part
        if part:
            assert quote(name, safe="") in answer.headers["content-disposition"]
