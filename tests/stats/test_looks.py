import pytest

from whet.stats.looks import EARLY, look_shares


def test_one_look_has_all_of_the_error():
    assert look_shares(1) == [1.0]


@pytest.mark.parametrize("looks", [2, 3, 12, 200])
def test_the_last_look_keeps_nearly_all_and_nothing_is_spent_twice(looks: int):
    shares = look_shares(looks)
    assert len(shares) == looks
    assert sum(shares) == pytest.approx(1)
    assert shares[-1] == 1 - EARLY
    assert len(set(shares[:-1])) == 1


def test_no_look_is_refused():
    with pytest.raises(ValueError, match="once or more"):
        look_shares(0)
