"""What the documents of an asset say beyond their fields."""

import pytest
from pydantic import JsonValue

from whet.documents.assets import Tags


@pytest.mark.parametrize(
    ("manual", "auto", "expected"),
    [
        ([], [], ()),
        (["b", "a"], [("c", "approved")], ("b", "a", "c")),
        (["a"], [("b", "pending"), ("c", "rejected")], ("a",)),
        (["Python"], [("python", "approved"), ("ＰＹＴＨＯＮ", "approved")], ("Python",)),
        ([], [("Straße", "approved"), ("STRASSE", "approved")], ("Straße",)),
        (["测试"], [("\ud800", "approved"), ("测试", "approved")], ("测试", "\ud800")),
    ],
)
def test_tags_in_force_are_those_of_people_and_approved_ones_each_once(
    manual: list[str], auto: list[tuple[str, str]], expected: tuple[str, ...]
) -> None:
    given: list[JsonValue] = [{"id": tag, "value": tag, "created_at": ""} for tag in manual]
    proposed: list[JsonValue] = [
        {"id": tag, "value": tag, "status": status, "generated_at": "", "log_ref": ""}
        for tag, status in auto
    ]
    data: JsonValue = {"manual": given, "auto": proposed, "effective": ["not asked"]}
    tags = Tags.parse(data, "tags.json")
    assert tags.effective == expected
    assert tags.to_data() == data
