"""Whatever fits a document is written back as it was read."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.inventory import all_documents, exact, json_of
from whet.documents.base import Document
from whet.documents.text import parse_json


@pytest.mark.slow
@pytest.mark.parametrize("cls", all_documents(), ids=lambda cls: cls.__name__)
@settings(
    max_examples=25,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(draw=st.data())
def test_writes_back_what_it_read(cls: type[Document], draw: st.DataObject) -> None:
    data = draw.draw(json_of(cls))

    document = cls.parse(data, "given")

    assert exact(document.to_data()) == exact(data)
    assert exact(parse_json(document.to_json().encode(), "written")) == exact(data)
    assert cls.parse(document.to_data(), "again") == document
