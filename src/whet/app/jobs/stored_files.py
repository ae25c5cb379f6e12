"""The files of a skill that a job was given, from the store."""

from collections.abc import Iterator, Mapping

from whet.core.arm import SkillPackage
from whet.ports.blobs import Blobs


class StoredFiles(Mapping[str, bytes]):
    """The files by path; each is read when somebody looks into it."""

    def __init__(self, skill: SkillPackage, blobs: Blobs) -> None:
        self._digests = {file.path: file.digest for file in skill.files}
        self._blobs = blobs

    def __getitem__(self, path: str) -> bytes:
        return self._blobs.get(self._digests[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)
