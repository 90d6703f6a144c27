"""Words that messages share."""

from pathlib import Path

import pytest

from gpkit.core import wording
from gpkit.core.wording import install_command


def test_extras_are_installed_by_one_form_here_and_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert install_command("web") == "pip install -e '.[web]'"  # in a checkout
    monkeypatch.setattr(wording, "_PACKAGE", tmp_path / "site-packages" / "gpkit")
    assert install_command("web") == "pip install 'gpkit-games[web]'"


def test_no_message_names_another_form() -> None:
    package = Path(wording.__file__).resolve().parent.parent
    found = {
        path.relative_to(package).as_posix(): line.strip()
        for path in package.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "gpkit-games[" in line or "comes with the extra [" in line
    }
    assert found == {}
