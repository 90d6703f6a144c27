"""Files of others: as they are listed, and small enough."""

import hashlib
import json
import re

from vendor_web import EDITOR, FOR_TESTS, LISTED, PACKAGES, PARTS, SHIPPED


def test_vendored_files_are_what_is_listed_and_listed_is_what_the_script_builds() -> None:
    for folder in (SHIPPED, FOR_TESTS):
        rows = json.loads((folder / LISTED).read_text(encoding="utf-8"))
        for row in rows:
            data = (folder / row["file"]).read_bytes()
            assert (len(data), hashlib.sha256(data).hexdigest()) == (row["bytes"], row["sha256"])
        built = {
            (package, version, licence, file)
            for target, package, version, licence, files, _ in PACKAGES
            if target == folder
            for file in files.values()
        }
        if folder == SHIPPED:
            built.add(EDITOR)
            assert [row["parts"] for row in rows if row["package"] == EDITOR[0]] == [PARTS]
        assert built == {(row["package"], row["version"], row["licence"], row["file"]) for row in rows}
        others = {path.name for path in folder.iterdir()} - {row["file"] for row in rows} - {LISTED}
        assert others == {f"{row['package']}.LICENSE" for row in rows}


def test_wheel_holds_at_most_a_megabyte_of_others() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 1_000_000


def test_styles_load_nothing() -> None:
    for path in [*SHIPPED.glob("*.css"), *(SHIPPED.parent / "static").glob("*.css")]:
        assert not re.search(r"url\(|@import", path.read_text(encoding="utf-8"))
