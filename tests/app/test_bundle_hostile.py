"""Projects as somebody spoilt them: one clear line, and nothing of them is kept or started."""

import io
import json
import random
import struct
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.bundling import Members, Spoil, bundle, packed, unpacked, with_config
from tests.app.opening import app_on
from tests.curate.intake.zips import LINK, encrypted, many, with_claimed_size, zipped
from whet.app.app import App
from whet.app.cassettes import every_trial
from whet.app.experiments import Experiments
from whet.app.projects import bundle_zip
from whet.app.projects.bundle import TakenProject, import_bundle
from whet.app.projects.copies import clone
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.told import summary
from whet.core.errors import InvalidImport, UsageError, WhetError


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return bundle(tmp_path_factory.mktemp("good"))


@pytest.fixture
def here(tmp_path: Path) -> Generator[App]:
    with app_on(tmp_path / "here") as app:
        yield app


def taken(app: App, data: bytes) -> TakenProject:
    path = app.settings.workspace.with_name("sent.zip")
    path.write_bytes(data)
    return import_bundle(app, path, filename="../their\nproject.zip")


def refused(app: App, data: bytes) -> str:
    """Why; nothing is left of it."""
    with pytest.raises(InvalidImport) as found:
        taken(app, data)
    assert_nothing_is_here(app)
    message = str(found.value)
    assert message.startswith("their project.zip ")
    assert str(app.settings.workspace) not in message
    assert "\n" not in message
    return message


def assert_nothing_is_here(app: App) -> None:
    assert not [*(app.settings.workspace / "projects").iterdir()]
    assert not every_trial(app)
    assert not Experiments(app).list()


def spoilt(good: bytes, spoil: Spoil) -> bytes:
    members = unpacked(good)
    spoil(members)
    return packed(members)


def added(**files: bytes) -> Spoil:
    """More files; two underscores are a slash."""
    return lambda members: members.update(
        {name.replace("__", "/").replace("DOT", "."): data for name, data in files.items()}
    )


def without(part: str) -> Spoil:
    def spoil(members: Members) -> None:
        for name in [name for name in members if part in name]:
            del members[name]

    return spoil


def written(part: str, data: bytes) -> Spoil:
    def spoil(members: Members) -> None:
        [name] = [name for name in members if part in name][:1]
        members[name] = data

    return spoil


REFUSALS: dict[str, tuple[Spoil, str]] = {
    "unknown place": (added(binDOTsh=b"x"), "is no part of a project"),
    "loose skill": (added(skills__xDOTtxt=b"x"), "is no part of a project"),
    "no result": (added(results__xDOTsh=b"x"), "is no part of a project"),
    "no cassette": (added(trials__xDOTzip=b"x"), "is no part of a project"),
    "no config": (without("config.json"), "is no project: no config.json"),
    "no JSON": (written("config.json", b"{"), "config.json: line 1"),
    "NaN": (written("config.json", b'{"id": NaN}'), "config.json"),
    "a list": (written("config.json", b"[]"), "config.json"),
    "nested": (written("config.json", b"[" * 100_000), "config.json"),
    "no skill": (with_config(skills=[]), "config.json: skills"),
    "status": (with_config(status="done"), "status"),
    "out": (with_config(skills__0__local_path="../../x"), "leads out"),
    "absolute": (with_config(baselines__0__local_path="/etc"), "leads out"),
    "version": (with_config(skills__0__version="v1/../.."), "must be v1"),
    "reference": (with_config(skills__0__ref_id="a/b/../../.."), "no file name"),
    "repeats": (with_config(repeats=10**9), "repeats"),
    "readings": (with_config(grading_config__readings=10**9), "readings"),
    "id": (with_config(id="../../x"), "id '../../x'"),
    "no id": (with_config(id=""), "id is empty"),
    "long id": (with_config(id="x" * 5_000), "longer than"),
    "another copy": (with_config(skills__0__local_path="skills/none"), "skills/none"),
    "no text": (without("content.txt"), "no content.txt"),
    "cases": (written("cases.json", b"{}"), "cases.json"),
    "no cases": (without("cases.json"), "cases.json"),
    "cassette": (added(trials__0001DOTzip=b"PK"), "trials/0001.zip"),
    "second cassette": (added(trials__0002DOTzip=b"PK"), "trials/0002.zip"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_no_project_has_is_refused_as_a_whole(here: App, good: bytes, name: str) -> None:
    spoil, says = REFUSALS[name]
    assert says in refused(here, spoilt(good, spoil))


PATHS = ["../x", "/etc/x", "logs/../../x", "logs\\x", "logs/" + "x" * 300, "logs//x", "logs/../"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:12])
def test_paths_that_lead_out_or_are_none(here: App, good: bytes, path: str) -> None:
    members = {"project/" + name: data for name, data in unpacked(good).items()}
    for place in (path, f"project/{path}"):
        refused(here, packed({**members, place: b"x"}))
    assert not here.settings.workspace.with_name("x").exists()


def test_a_name_that_ends_early(here: App, good: bytes) -> None:
    data = packed({**unpacked(good), "logs/A/x": b""})
    assert "logs/\\x00/x" in refused(here, data.replace(b"logs/A/x", b"logs/\0/x"))


def test_links_twins_and_files_that_are_folders(here: App, good: bytes) -> None:
    every = [*unpacked(good).items()]
    link = zipped(*every, ("logs/x", b"/etc/passwd"), modes={"logs/x": LINK})
    assert "logs/x': is a link" in refused(here, link)
    with pytest.warns(UserWarning, match="Duplicate name"):
        twins = zipped(*every, every[0])
    assert "more than once" in refused(here, twins)
    assert "both a file and a folder" in refused(
        here, zipped(*every, ("logs/x", b""), ("logs/x/y", b""))
    )
    assert "is encrypted" in refused(here, encrypted(zipped(*every)))


@pytest.mark.slow
def test_bombs(here: App, good: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [*unpacked(good).items()]
    assert "100 times its size" in refused(here, zipped(*every, ("logs/x", bytes(64_000_000))))
    assert "larger than 64 MB" in refused(here, zipped(*every, ("logs/x", bytes(70_000_000))))
    for claim in (0, 1, 10**9):
        refused(here, with_claimed_size(zipped(*every), claim))
    noise = random.Random(1).randbytes(2_000)
    monkeypatch.setattr(bundle_zip, "MOST_BYTES", 100_000)
    assert "unfolds to more" in refused(
        here, zipped(*every, *((f"logs/{number}", noise) for number in range(100)))
    )
    monkeypatch.undo()
    monkeypatch.setattr(bundle_zip, "MOST_IN_COPY", 1_000)
    assert "is larger than" in refused(here, zipped(*every, ("skills/x/y", noise)))


def test_a_directory_without_end(here: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_zip, "MOST_ENTRIES", 1_000)
    crowd = bytearray(many([f"logs/{number}" for number in range(1_001)]))
    assert "more than 1,000 entries" in refused(here, bytes(crowd))
    # The library does not believe the number of entries; neither do we.
    for place in (8, 10):
        struct.pack_into("<H", crowd, len(crowd) - 22 + place, 3)
    assert "more than 1,000 entries" in refused(here, bytes(crowd))
    struct.pack_into("<L", crowd, len(crowd) - 22 + 12, 2**32 - 2)
    assert "more than 1,000 entries" in refused(here, bytes(crowd))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"PK\5\6", b"PK\5\6" + bytes(18), bytes(200), b"PK\6\7" + bytes(200)],
    ids=len,
)
def test_what_is_no_zip(here: App, data: bytes) -> None:
    refused(here, data)


def test_a_comment_hides_nothing(here: App, good: bytes) -> None:
    buffer = io.BytesIO(good)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.comment = b"x" * 100
    assert "comment" in refused(here, buffer.getvalue())
    for size in (len(good) - 10, len(good) // 2):
        assert "no zip that can be read" in refused(here, good[:size])


@pytest.mark.slow
@settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=20))
def test_whatever_is_changed_in_it_there_is_one_line_or_a_project(
    here: App, good: bytes, places: list[tuple[float, int]]
) -> None:
    data = bytearray(good)
    for place, value in places:
        data[min(int(place * len(data)), len(data) - 1)] = value
    root = here.settings.workspace / "projects"
    before = {*root.iterdir()} if root.exists() else set[Path]()
    try:
        found = taken(here, bytes(data))
    except WhetError:
        assert {*root.iterdir()} == before
    else:
        assert ProjectShelf(here).find(found.project.config.id).folder == found.project.folder


CLAIMS = {
    "status": "completed",
    "progress__completed_tasks": 10**9,
    "progress__total_tasks": 10**9,
    "progress__last_checkpoint": -5,
}


def test_a_ranking_without_results_is_not_believed(here: App, good: bytes) -> None:
    members = unpacked(good)
    with_config(**CLAIMS)(members)
    without("/case_0")(members)
    assert "results/summary.json" in members
    found = taken(here, packed(members)).project
    progress = found.config.progress
    assert found.config.status == "interrupted"
    assert (progress.total_tasks, progress.total_trials) == (4, 8)
    assert (progress.completed_tasks, progress.last_checkpoint) == (0, None)
    assert summary(found) is None


def test_a_ranking_that_its_results_do_not_come_to_is_computed_anew(here: App, good: bytes) -> None:
    members = unpacked(good)
    told = json.loads(members["results/summary.json"])
    right = [entry["avg_score"] for entry in told["ranking"]]
    for entry in told["ranking"]:
        entry["avg_score"] = 100
    members["results/summary.json"] = json.dumps(told).encode()
    with_config(**CLAIMS)(members)
    found = taken(here, packed(members)).project
    assert (found.config.status, found.config.progress.completed_tasks) == ("completed", 4)
    computed = summary(found)
    assert computed is not None
    assert [entry.avg_score for entry in computed.ranking] == right


def test_results_of_something_else_are_named_and_do_not_count(here: App, good: bytes) -> None:
    members = unpacked(good)
    name = next(name for name in members if name.endswith("/case_001.json"))
    members[name] = json.dumps({**json.loads(members[name]), "input": "Another question."}).encode()
    # With its record it would be known all the same.
    del members["trials/0001.zip"]
    found = taken(here, packed(members))
    assert [note for note in found.notes if name in note]
    assert found.project.config.status == "interrupted"
    assert here.store.results.counts(found.project.config.id).total == 7


def test_records_of_other_questions_do_not_come_in(here: App, good: bytes) -> None:
    members = unpacked(good)
    name = next(name for name in members if name.endswith("cases.json"))
    members[name] = members[name].replace(b"for case_001", b"for somebody else")
    found = taken(here, packed(members))
    assert found.trials == 4
    assert len(every_trial(here)) == 4


DANGER = {
    "cli_config__engine": "command",
    "cli_config__engine_version": "1-abc",
    "cli_config__sandbox": "none",
}


def test_what_it_would_start_is_a_stranger_s_choice(here: App, good: bytes, tmp_path: Path) -> None:
    """Nothing starts by itself, and whoever starts it sees what that would be."""
    mark = tmp_path / "started"
    danger = {**DANGER, "cli_config__options": {"argv": ["/usr/bin/touch", str(mark)]}}
    found = taken(here, spoilt(good, with_config(**danger))).project
    expected = estimate(here, found)
    assert (expected.runs, expected.needs_consent) == (8, True)
    assert expected.remark == (
        "the project came as a file, and starts command with the options "
        f'{{"argv": ["/usr/bin/touch", "{mark}"]}}'
    )
    assert expected.remark in str(expected)
    assert not mark.exists()
    long = {**danger, "id": "another", "cli_config__options": {"argv": ["\x1b[2J\n" * 1_000]}}
    remark = estimate(here, taken(here, spoilt(good, with_config(**long))).project).remark
    assert remark.isprintable()
    assert remark.endswith("… and more, which its config.json has")


def test_a_copy_of_a_stranger_s_project_is_still_a_stranger_s(tmp_path: Path) -> None:
    data = bundle(tmp_path)
    with app_on(tmp_path / "there") as app:
        [original] = ProjectShelf(app).page(ProjectListing()).items
        assert not clone(app, original).config.imported
        found = taken(app, spoilt(data, with_config(id="another", name="x" * 200)))
        copy = clone(app, found.project)
        assert copy.config.imported
        assert copy.config.name == "x" * 193 + " (copy)"
        many = found.project.saved(repeats=1_000)
        with pytest.raises(UsageError, match="cannot be copied: repeats"):
            clone(app, many)


def test_a_simulated_project_asks_for_nothing(here: App, good: bytes) -> None:
    members = unpacked(good)
    without("results/")(members)
    without("trials/")(members)
    expected = estimate(here, taken(here, packed(members)).project)
    assert (expected.runs, expected.needs_consent, expected.remark) == (0, False, "")


def test_a_name_does_not_hide_another_project(here: App, good: bytes) -> None:
    first = taken(here, good).project
    change = {"id": "another", "name": first.config.id}
    second = taken(here, spoilt(good, with_config(**change))).project
    shelf = ProjectShelf(here)
    assert shelf.find(first.config.id).folder == first.folder
    assert shelf.find("another").folder == second.folder


def test_the_culprit_is_named_and_not_the_innocent(here: App, good: bytes) -> None:
    members = {f"project/{name}": data for name, data in unpacked(good).items()}
    for stray in ("notes.txt", "other/config.txt", "results/x.json"):
        said = refused(here, packed({**members, stray: b"x"}))
        assert stray in said
        assert "case_001" not in said
        assert "SKILL" not in said
    said = refused(here, packed({f"logs/{number}": b"x" for number in range(30)}))
    assert "no config.json in it" in said
    assert "logs/" not in said


def test_a_second_configuration_accuses_no_others(here: App, good: bytes) -> None:
    members = {f"project/{name}": data for name, data in unpacked(good).items()}
    for stray in ("config.json", "aaa/config.json", "zzz/config.json", "zzz/results/x.json"):
        for changed in ({stray: b"{}", **members}, {**members, stray: b"{}"}):
            said = refused(here, packed(changed))
            assert stray in said
            assert "mistakes" not in said


def test_an_empty_baseline_is_refused(here: App, good: bytes) -> None:
    members = unpacked(good)
    name = next(name for name in members if name.endswith("/cases.json"))
    members[name] = json.dumps({**json.loads(members[name]), "cases": []}).encode()
    assert "has no cases" in refused(here, packed(members))
