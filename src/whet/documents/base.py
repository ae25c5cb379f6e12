"""The base of every JSON document: read tolerantly, written exactly.

A document that was read writes back the same JSON value with its keys in the same order, keys
we do not know included. A document that was made here writes its fields in the order of its
class; a field that was not given is left out unless it is ``Written``.
"""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Annotated, ClassVar, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    Strict,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)

from whet.core.errors import InvalidDocument
from whet.documents.complaint import Path as FieldPath
from whet.documents.complaint import complaint, complaints, take_out
from whet.documents.text import dump_json, read_json

T = TypeVar("T")

Number = int | float
"""A JSON number; 3 stays 3 and 3.0 stays 3.0."""

Items = Annotated[tuple[T, ...], Strict(strict=False)]
"""A JSON array of one kind of thing."""

Filled = Annotated[str, StringConstraints(min_length=1)]
"""A string that is not empty."""

_ALWAYS = object()

Written = Annotated[T, _ALWAYS]
"""A field that may be absent on reading, but that a document made here always has."""

_READING = object()


class Document(BaseModel):
    """A frozen JSON object; keys that its class does not declare are kept."""

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
        validate_by_name=True,
        validate_by_alias=True,
        protected_namespaces=(),
    )

    # This is how pydantic lets a model say what its undeclared keys may hold.
    __pydantic_extra__: dict[str, JsonValue] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]

    _keys: tuple[str, ...] | None = None
    """The keys as they were read; None for a document that was made here."""

    _json_names: ClassVar[dict[str, str]] = {}
    """JSON keys of the fields that are called otherwise in Python."""

    _always: ClassVar[frozenset[str]] = frozenset()
    """Fields that a document made here has even when they were not given."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: object) -> None:
        """Work out once how the class is written."""
        super().__pydantic_init_subclass__(**kwargs)
        fields = cls.model_fields
        cls._json_names = {
            name: field.serialization_alias
            for name, field in fields.items()
            if field.serialization_alias
        }
        cls._always = frozenset(name for name, field in fields.items() if _ALWAYS in field.metadata)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; raises ``NotFound`` or an ``InvalidDocument`` that names the place."""
        return cls.parse(read_json(path), str(path))

    @classmethod
    def parse(cls, data: JsonValue, source: str) -> Self:
        """Check a JSON value; *source* is its name in error messages."""
        try:
            return cls.model_validate(data, context=_READING)
        except ValidationError as error:
            raise InvalidDocument(source, *complaint(error, data)) from None

    @classmethod
    def mistakes(cls, data: JsonValue) -> list[str]:
        """Everything that keeps a JSON value from being such a document, place by place."""
        return [told for _, told in cls.faults(data)]

    @classmethod
    def faults(cls, data: JsonValue) -> list[tuple[FieldPath, str]]:
        """The same with the way to each place, step by step."""
        try:
            cls.model_validate(data, context=_READING)
        except ValidationError as error:
            return complaints(error, data)
        return []

    @classmethod
    def sound_part(cls, data: JsonValue, stand_ins: Mapping[str, JsonValue]) -> Self | None:
        """What is left of a JSON value without everything of the wrong shape; required fields
        come from *stand_ins*. None where nothing is left."""
        rest = deepcopy(data)
        changed = isinstance(rest, dict)
        while changed:
            try:
                return cls.model_validate(rest, context=_READING)
            except ValidationError as error:
                paths = [path for path, _ in complaints(error, rest)]
            changed = take_out(rest, paths, stand_ins)
        return None

    def to_data(self) -> JsonValue:
        """Return the document as a JSON value."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """Return the document as the text of its file."""
        return dump_json(self)

    def lean(self) -> Self:
        """The same without those optional fields that are null: as if they were never given. Keys
        that the class does not declare stay, null or not."""
        fields = type(self).model_fields
        copy = self.model_copy()
        copy.__pydantic_fields_set__ = {
            name
            for name in self.__pydantic_fields_set__
            if name not in fields or getattr(self, name) is not None or fields[name].is_required()
        }
        return copy

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        """Turn a known older shape of this document into the present one."""
        return data

    @model_validator(mode="wrap")
    @classmethod
    def _read(
        cls, data: JsonValue, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        if isinstance(data, Document):
            return handler(data)
        data = cls._modern(data)
        document = handler(data)
        if info.context is _READING and isinstance(data, dict):
            document._keys = tuple(data)  # noqa: SLF001 - of this very class
        return document

    # No return annotation: with one, the JSON schema would lose the fields.
    @model_serializer(mode="plain")
    def _serialized(self):
        return self._content()

    def _content(self) -> object:
        """What is written: fields and unknown keys, in the order they were read or declared."""
        # Reading a private attribute through the instance costs more than all the rest.
        private = self.__pydantic_private__
        keys: tuple[str, ...] | None = private["_keys"] if private else None
        given = self.__pydantic_fields_set__
        if keys is None:
            given = given | self._always
        content = {name: value for name, value in self.__dict__.items() if name in given}
        if self._json_names:
            names = self._json_names
            content = {names.get(name, name): value for name, value in content.items()}
        if self.__pydantic_extra__:
            content.update(self.__pydantic_extra__)
        if keys is None:
            return content
        return {key: content.pop(key) for key in keys if key in content} | content

    def __eq__(self, other: object) -> bool:
        """Documents are equal by what they say, in whatever order their keys were read."""
        if not isinstance(other, Document) or type(self) is not type(other):
            return NotImplemented
        return (
            self.__dict__ == other.__dict__ and self.__pydantic_extra__ == other.__pydantic_extra__
        )
