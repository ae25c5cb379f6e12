import pytest

from whet.core.errors import UsageError
from whet.shell.gates import gates, hosts
from whet.shell.policy import Endpoint


def places(*endpoints: tuple[str, int]) -> list[str]:
    found = gates(tuple(Endpoint(host, port) for host, port in endpoints))
    return [f"{gate.address} {gate.endpoint.host}:{gate.endpoint.port}" for gate in found]


def test_a_loopback_address_keeps_itself_and_a_name_gets_one():
    assert places(("127.0.0.1", 80), ("::1", 81), ("a.example", 82), ("b.example", 82)) == [
        "127.0.0.1 127.0.0.1:80",
        "::1 ::1:81",
        "127.0.0.2 a.example:82",
        "127.0.0.3 b.example:82",
    ]


def test_a_name_has_one_address_for_all_its_ports_and_never_a_taken_one():
    assert places(("a.example", 1), ("127.0.0.2", 1), ("A.Example", 2), ("b.example", 1)) == [
        "127.0.0.3 a.example:1",
        "127.0.0.2 127.0.0.2:1",
        "127.0.0.3 A.Example:2",
        "127.0.0.4 b.example:1",
    ]


def test_the_same_place_twice_is_one():
    assert places(("localhost", 1), ("127.0.0.1", 1)) == ["127.0.0.1 localhost:1"]


def test_hosts_name_names_only():
    inside = gates((Endpoint("A.example", 1), Endpoint("10.0.0.1", 1), Endpoint("localhost", 1)))
    assert hosts(inside) == "127.0.0.1 localhost\n127.0.0.2 a.example\n"
    assert [gate.foreign for gate in inside] == [False, True, False]


def test_who_needs_a_capability():
    low, high = gates((Endpoint("a.example", 1023), Endpoint("a.example", 1024)))
    assert low.privileged
    assert not high.privileged


@pytest.mark.parametrize("host", ["", "a b", "a\n127.0.0.1 b", "-a", "a/b", "x" * 254, "a#"])
def test_what_is_no_host_is_refused(host: str):
    with pytest.raises(UsageError, match="neither a host name nor an address"):
        Endpoint(host, 80)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_what_is_no_port_is_refused(port: int):
    with pytest.raises(UsageError, match="is not a port"):
        Endpoint("a.example", port)


@pytest.mark.parametrize("host", ["2001:db8::1", "0.0.0.0", "224.0.0.1"])
def test_addresses_that_cannot_be_had_inside_are_refused(host: str):
    with pytest.raises(UsageError):
        gates((Endpoint(host, 80),))


def test_too_many_are_refused():
    with pytest.raises(UsageError, match="at most 200"):
        gates(tuple(Endpoint(f"{number}.example", 80) for number in range(201)))
