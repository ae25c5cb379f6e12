"""A skill in one file: always the same bytes, nothing that must not be given away."""

import hashlib
import io
import os
import shutil
import stat
import zipfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.lint.samples import GOOD, make, write
from whet.core.errors import NotFound, UsageError
from whet.curate.archive import read_archive, stripped
from whet.curate.lint.folder import File
from whet.curate.pack import Parcel, archive, pack, parcel

KEY = "sk-" + "ant-" + "api03-Zx7Qv2Lm9Rt4Wk1Pn8Bc5Yd3"


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    made = make(
        tmp_path,
        scripts__run_sh="#!/bin/sh\nls\n",
        references__b_md="# B\n",
        references__a_md="# A\n",
        evals__evals_json="{}",
    )
    (made / "scripts/run.sh").chmod(0o700)
    return made


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def test_unpacked_it_is_the_skill_again(skill: Path, tmp_path: Path) -> None:
    packed = pack(skill, tmp_path)
    assert packed.path == tmp_path / "greet.skill"
    data = packed.path.read_bytes()
    assert packed.digest == hashlib.sha256(data).hexdigest()
    assert list(members(data)) == [
        "greet/SKILL.md",
        "greet/references/a.md",
        "greet/references/b.md",
        "greet/scripts/run.sh",
    ]
    for name, content in members(data).items():
        assert (skill.parent / name).read_bytes() == content
    again = tmp_path / "again"
    with zipfile.ZipFile(packed.path) as whole:
        whole.extractall(again)
    (again / "greet/scripts/run.sh").chmod(0o755)
    assert archive(parcel(again / "greet")) == data


def test_the_same_skill_gives_the_same_bytes(skill: Path, tmp_path: Path) -> None:
    first = pack(skill, tmp_path).path.read_bytes()
    before = os.umask(0o077)
    try:
        other = tmp_path / "else/where/greet"
        other.mkdir(parents=True)
        for path in sorted(skill.rglob("*"), reverse=True):  # in another order
            if path.is_file():
                target = other / path.relative_to(skill)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                os.utime(target, (1, 1))
        (other / "scripts/run.sh").chmod(0o755)
        packed = pack(other, tmp_path / "else/other.skill")
    finally:
        os.umask(before)
    assert packed.path.read_bytes() == first


def test_times_and_modes_are_fixed(skill: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(archive(parcel(skill)))) as packed:
        entries = {entry.filename: entry for entry in packed.infolist()}
    assert {entry.date_time for entry in entries.values()} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.create_system for entry in entries.values()} == {3}
    modes = {name: entry.external_attr >> 16 for name, entry in entries.items()}
    assert modes.pop("greet/scripts/run.sh") == stat.S_IFREG | 0o755
    assert set(modes.values()) == {stat.S_IFREG | 0o644}


def test_what_is_left_out_is_named(skill: Path, tmp_path: Path) -> None:
    write(
        skill,
        {
            ".env": f"KEY={KEY}",
            "deploy.key": "x",
            ".git/config": "x",
            "scripts/__pycache__/a.pyc": "x",
            "node_modules/a/index.js": "x",
            ".DS_Store": "x",
            "evals/files/.env": "x",
            "workspace/a.md": "x",
        },
    )
    (skill / "link.md").symlink_to("/etc/hosts")
    (skill / "folder").symlink_to("references")
    os.mkfifo(skill / "pipe")
    wrapped = parcel(skill)
    assert wrapped.errors == ()
    assert {one.path: one.reason for one in wrapped.left_out} == {
        ".DS_Store": "leftover",
        ".env": "secret_file",
        ".git": "leftover",
        "deploy.key": "secret_file",
        "evals/evals.json": "evals",
        "evals/files/.env": "secret_file",
        "folder": "link",
        "link.md": "link",
        "node_modules": "leftover",
        "pipe": "special",
        "scripts/__pycache__": "leftover",
        "workspace": "leftover",
    }
    assert [file.path for file in wrapped.files] == [
        "SKILL.md",
        "references/a.md",
        "references/b.md",
        "scripts/run.sh",
    ]
    data = pack(skill, tmp_path).path.read_bytes()
    assert len(members(data)) == 4
    assert KEY.encode() not in b"".join(members(data).values())


def test_own_tests_may_be_kept(skill: Path) -> None:
    wrapped = parcel(skill, keep_evals=True)
    assert "evals/evals.json" in [file.path for file in wrapped.files]
    assert wrapped.left_out == ()


def test_with_errors_nothing_is_written(skill: Path, tmp_path: Path) -> None:
    (skill / "SKILL.md").write_text(GOOD + "[a](gone.md) [b](gone2.md)\n")
    with pytest.raises(UsageError, match=r"SKILL\.md:7 SK301 .*, and 1 more; .*--force"):
        pack(skill, tmp_path)
    assert not list(tmp_path.glob("*.skill"))
    packed = pack(skill, tmp_path, force=True)
    assert [error.rule.id for error in packed.parcel.errors] == ["SK301", "SK301"]
    assert packed.path.is_file()


def test_a_secret_is_never_packed(skill: Path, tmp_path: Path) -> None:
    (skill / "references/a.md").write_text(f"key: {KEY}\n")
    with pytest.raises(UsageError, match="SK601"):
        pack(skill, tmp_path)
    packed = pack(skill, tmp_path, force=True)
    assert ("references/a.md", "secret") in packed.parcel.left_out
    assert KEY.encode() not in b"".join(members(packed.path.read_bytes()).values())
    (skill / "SKILL.md").write_text(GOOD + KEY)
    with pytest.raises(UsageError, match="never packed"):
        pack(skill, tmp_path / "other.skill", force=True)
    assert not (tmp_path / "other.skill").exists()


def test_a_file_in_the_skill_itself_is_refused(
    skill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for output in (skill, skill / "x.skill", skill / "references"):
        with pytest.raises(UsageError, match="--output"):
            pack(skill, output)
    monkeypatch.chdir(skill)
    with pytest.raises(UsageError, match="--output"):
        pack(Path())
    assert pack(Path(), tmp_path).path == tmp_path / "greet.skill"
    monkeypatch.chdir(tmp_path)
    assert pack(skill).path == Path("greet.skill")


def test_no_skill_is_no_skill(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        pack(tmp_path / "gone")
    with pytest.raises(NotFound, match=r"SKILL\.md"):
        pack(tmp_path)


def test_a_version_of_the_library_is_called_like_the_skill(skill: Path, tmp_path: Path) -> None:
    beside = archive(parcel(skill))
    package = skill.rename(tmp_path / "package")
    (tmp_path / "meta.json").write_text("{}")
    assert archive(parcel(package)) == beside


def test_by_force_a_name_is_made_fit(tmp_path: Path) -> None:
    folder = write(tmp_path / "My Skill", {"SKILL.md": GOOD.replace("greet", "../x")})
    packed = pack(folder, tmp_path, force=True)
    assert packed.path.name == "my-skill.skill"
    assert list(members(packed.path.read_bytes())) == ["my-skill/SKILL.md"]


@settings(deadline=None)
@given(
    st.dictionaries(
        st.lists(st.sampled_from(["a", "b c", "é", "技"]), min_size=1).map("/".join),
        st.tuples(st.binary(max_size=50), st.sampled_from([0o644, 0o600, 0o755, 0o700])),
    ),
    st.randoms(),
)
def test_order_and_other_modes_do_not_matter(
    files: dict[str, tuple[bytes, int]], random: Random
) -> None:
    made = [File(path, data, mode) for path, (data, mode) in files.items()]
    other = [File(one.path, one.data, 0o777 if one.is_executable else 0o444) for one in made]
    random.shuffle(other)
    first = archive(Parcel("x", tuple(made), (), ()))
    assert archive(Parcel("x", tuple(other), (), ())) == first
    assert members(first) == {f"x/{path}": data for path, (data, _) in files.items()}


@pytest.mark.slow
def test_what_is_packed_can_be_imported_again(skill: Path, tmp_path: Path) -> None:
    """Also a file that could be squeezed to nothing, as bombs are."""
    (skill / "references/zeros.bin").write_bytes(bytes(3_000_000))
    packed = pack(skill, tmp_path, force=True)
    tree, top = stripped(read_archive(packed.path.read_bytes(), "greet.skill"))
    assert top == "greet"
    assert tree.content == {file.path: file.data for file in packed.parcel.files}
    assert tree.content["references/zeros.bin"] == bytes(3_000_000)
    assert tree.executables == {"scripts/run.sh"}
