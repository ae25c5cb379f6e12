"""Jobs whose files and skill are at hand: checked as a whole, made at once, never half."""

import os
from pathlib import Path

import pytest

from tests.app.jobs.offices import EXAMPLE, TEXT, done, office_on, package_at, wanted, write
from whet.app.jobs import batch, uploads
from whet.app.jobs.create import AtHand, create
from whet.app.packages.arrival import arrived
from whet.core.errors import InvalidImport, InvalidJob, NotFound
from whet.documents.job import BatchCreate, BatchItem
from whet.ports.jobs import JobQuery


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.txt"
    path.write_text(TEXT)
    return path


def test_a_file_at_hand_is_an_upload_and_the_job_is_queued_at_once(
    tmp_path: Path, document: Path
) -> None:
    with office_on(tmp_path / "workspace") as office:
        job = create(office, wanted(), None, AtHand({"document": document}))
        assert job.state == "queued"
        assert [file.path for file in job.files] == ["uploads/document"]
        shown = office.places.run(job.run_id) / "uploads" / "document"
        assert shown.read_text() == TEXT
        assert not office.places.request(job.request_id).exists()
        after = done(office, job)
        assert after.result is not None
        assert after.state == "succeeded", after.result
        assert isinstance(after.result.data, dict)
        assert after.result.data["words"] == 8


def test_it_is_the_same_job_as_with_an_upload(tmp_path: Path, document: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        first = done(office, create(office, wanted(), None, AtHand({"document": document})))
        again = create(office, wanted(), None, AtHand({"document": document}))
        assert (again.state, again.cache_hit, again.run_id) == ("succeeded", True, first.run_id)
        document.write_text("Something else.")
        other = create(office, wanted(), None, AtHand({"document": document}))
        assert (other.state, other.cache_hit) == ("queued", False)


def test_every_mistake_is_named_and_nothing_is_kept(tmp_path: Path, document: Path) -> None:
    asked = wanted(input={"titel": "x"}, parameter={"max_words": "many"})
    given = AtHand({"dokument": document, "title": document})
    with office_on(tmp_path / "workspace") as office:
        with pytest.raises(InvalidJob) as caught:
            create(office, asked, None, given)
        told = "\n".join(caught.value.problems)
        for part in (
            "input.titel: the skill has no such input",
            "'title' is a required property",
            "parameter.max_words",
            "input.document: the file is missing",
            "input.dokument: the skill takes no such file; it takes document",
            "input.title: it is a value, and no file",
        ):
            assert part in told
        assert office.app.store.jobs.list(JobQuery()).total == 0
        assert not (tmp_path / "workspace" / "requests").exists()


def test_a_file_that_is_not_there_leaves_no_job(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        with pytest.raises(NotFound, match=r"document: there is no .*gone\.txt"):
            create(office, wanted(), None, AtHand({"document": tmp_path / "gone.txt"}))
        assert office.app.store.jobs.list(JobQuery()).total == 0
        assert list((tmp_path / "workspace").glob("requests/*")) == []


def test_a_claimed_job_is_nobody_elses(tmp_path: Path, document: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        given = AtHand({"document": document})
        job = create(office, wanted(), None, given, claims=True)
        assert (job.state, job.owner) == ("running", office.app.owner.id)
        queued = JobQuery(states=("queued",))
        assert office.app.store.jobs.list(queued).total == 0


def test_a_package_at_hand_needs_no_library(tmp_path: Path, document: Path) -> None:
    with office_on(tmp_path / "workspace", installs=False) as office:
        brought = arrived(EXAMPLE, office.engines, to_install=False)
        asked = wanted(skill_id="", skill_source="temp_upload")
        job = done(office, create(office, asked, None, AtHand({"document": document}, brought)))
        assert (job.state, job.skill_id) == ("succeeded", "text-report")
        assert job.skill is not None
        assert (job.skill.asset, job.skill.package_version) == (None, "1.0.0")


def test_a_package_at_hand_is_held_to_its_contract(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace", installs=False) as office:
        brought = arrived(EXAMPLE, office.engines, to_install=False)
        asked = wanted(skill_id="", skill_source="temp_upload")
        with pytest.raises(InvalidJob, match=r"input\.document: the file is missing"):
            create(office, asked, None, AtHand({}, brought))


def test_a_skill_without_schemas_takes_any_file(tmp_path: Path, document: Path) -> None:
    with office_on(tmp_path / "workspace", installs=False) as office:
        brought = arrived(package_at(tmp_path, "parrot"), office.engines, to_install=False)
        asked = wanted(skill_id="", skill_source="temp_upload", input={"say": "hello"})
        job = create(office, asked, None, AtHand({"whatever": document}, brought))
        assert [file.path for file in job.files] == ["uploads/whatever"]
        assert '"whatever": "' in job.rounds[0].prompt


def test_rows_of_a_batch_have_files_of_their_own(tmp_path: Path, document: Path) -> None:
    items = tuple(BatchItem(input={"title": title}) for title in ("One", "Two", "Three"))
    request = BatchCreate(skill_id="text-report", items=items, engine="simulated")
    own = [AtHand({"document": document}), AtHand({}), AtHand({"document": document})]
    with office_on(tmp_path / "workspace") as office:
        made = batch.submit(office, request, own)
        assert [row.status for row in made.items] == ["queued", "refused", "queued"]
        error = made.items[1].error
        assert error is not None
        assert "the file is missing" in error.message
        assert batch.find(office.app, "latest") == made.batch_id
        assert batch.find(office.app, made.batch_id[:6]) == made.batch_id
        for wrong in ("", "zzzz", made.batch_id[:2]):
            with pytest.raises(NotFound):
                batch.find(office.app, wrong)


class Kept:
    """What was kept, by digest."""

    def __init__(self) -> None:
        self.data: list[bytes] = []

    def __call__(self, data: bytes, _path: Path) -> str:
        self.data.append(data)
        return f"{len(self.data)}"


def test_a_folder_comes_whole_and_in_order(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"b.txt": "b", "a/x.txt": "x", "a/y.txt": "y"})
    found = uploads.gather({"notes": source}, tmp_path / "to", Kept(), "uploads/")
    paths = [file.path for file in found]
    assert paths == ["uploads/notes/a/x.txt", "uploads/notes/a/y.txt", "uploads/notes/b.txt"]
    assert (tmp_path / "to/notes/a/y.txt").read_text() == "y"


def test_a_link_is_followed_only_where_somebody_named_it(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    named = tmp_path / "named.txt"
    named.symlink_to(tmp_path / "secret.txt")
    kept = Kept()
    uploads.gather({"document": named}, tmp_path / "one", kept, "uploads/")
    assert kept.data == [b"secret"]
    source = write(tmp_path / "source", {"a.txt": "a"})
    (source / "link").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InvalidImport, match="notes/link: is a link"):
        uploads.gather({"notes": source}, tmp_path / "two", Kept(), "uploads/")


def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.txt": "a"})
    os.mkfifo(source / "pipe")
    with pytest.raises(InvalidImport, match="neither a file nor a folder"):
        uploads.gather({"notes": source}, tmp_path / "to", Kept(), "uploads/")


@pytest.mark.parametrize("name", ["../out", "/etc/x", "a/../b", "", "CON", "a\0b", "a\\b", "."])
def test_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(InvalidImport):
        uploads.gather({name: tmp_path / "a.txt"}, tmp_path / "to/here", Kept(), "uploads/")
    assert not (tmp_path / "to").exists()


def test_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    both = {"Doc": tmp_path / "a.txt", "doc": tmp_path / "a.txt"}
    with pytest.raises(InvalidImport, match="differs in case only"):
        uploads.gather(both, tmp_path / "to", Kept(), "uploads/")


def test_what_has_no_end_is_not_read_for_ever(tmp_path: Path) -> None:
    with pytest.raises(InvalidImport, match="64 MB each"):
        uploads.gather({"document": Path("/dev/zero")}, tmp_path / "to", Kept(), "uploads/")
