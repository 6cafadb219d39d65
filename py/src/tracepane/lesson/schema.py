"""Definitions against the published schema, and its errors in an author's words."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as Departure

from tracepane.lesson.document import line_of
from tracepane.lesson.mistake import Mistakes, near


@functools.cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a file of panes; `$defs.pane` is that of one."""
    text = resources.files("tracepane.lesson").joinpath("panes.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@functools.cache
def validator(part: str) -> Draft202012Validator:
    """A validator of one of the schema's `$defs`."""
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": schema()["$defs"]})


def validate(value: Any, part: str, what: str, file: str, line: int, mistakes: Mistakes) -> bool:
    """Note every way in which the value departs from a part of the schema; true if there is none. `what` names it."""
    before = len(mistakes.errors)
    for error in validator(part).iter_errors(value):
        for leaf in leaves(error):
            message, mend = words(leaf, what)
            mistakes.add(file, place(value, leaf, line), message, mend)
    return len(mistakes.errors) == before


def leaves(error: Departure) -> Iterator[Departure]:
    """The error, or those of the one alternative that has the value's type."""
    branch = meant(error)
    if branch is None:
        yield error
    else:
        for each in branch:
            yield from leaves(each)


def meant(error: Departure) -> list[Departure] | None:
    """The errors of the alternative that the author seems to have meant: the one whose type fits."""
    if error.validator != "anyOf":
        return None
    branches: dict[Any, list[Departure]] = {}
    for each in error.context or []:
        branches.setdefault(each.schema_path[0], []).append(each)
    fitting = [
        errors
        for errors in branches.values()
        if all(each.path or each.validator not in ("type", "anyOf") or meant(each) is not None for each in errors)
    ]
    return min(fitting, key=lambda errors: sum(1 for each in errors for _ in leaves(each))) if fitting else None


def place(value: Any, error: Departure, line: int) -> int:
    """The line of the mistake: of an unknown key that key's, else of the value."""
    path = list(error.absolute_path)
    if error.validator == "additionalProperties":
        path.append(unknown(error)[0])
    elif "propertyNames" in error.absolute_schema_path:
        path.append(str(error.instance))
    return line_of(value, path, line)


def unknown(error: Departure) -> list[str]:
    """The keys that the schema does not know."""
    return [key for key in given(error) if key not in properties(error)]


def given(error: Departure) -> dict[str, Any]:
    """The mapping that departs from the schema."""
    return error.instance if isinstance(error.instance, dict) else {}


def properties(error: Departure) -> dict[str, Any]:
    """What the schema knows there, by key."""
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return dict(known)


def words(error: Departure, what: str) -> tuple[str, str]:
    """Message and mend of one error."""
    return WORDS.get(str(error.validator), _other)(error, where(error, what))


def where(error: Departure, what: str) -> str:
    """The part of the definition, as an author names it: `scenarios.normal.label`."""
    path = ".".join(map(str, error.absolute_path))
    return f"`{path}`" if path else what


def _extra(error: Departure, path: str) -> tuple[str, str]:
    keys = unknown(error)
    known = [key for key in properties(error) if key not in given(error)]
    names = " and ".join(f"`{key}`" for key in keys)
    return f"{path} has the unknown key {names}", near(keys[0], known, "Remove it.")


def _missing(error: Departure, path: str) -> tuple[str, str]:
    key = error.message.split("'")[1]
    kind = properties(error)[key]
    title = kind.get("title") or schema()["$defs"][kind["$ref"].rsplit("/")[-1]]["title"]
    return f"{path} has no `{key}`", f"Add `{key}:`, {title}."


def _pattern(error: Departure, path: str) -> tuple[str, str]:
    if "propertyNames" in error.absolute_schema_path:
        return f"`{error.instance}` is no name for a part of {path}", naming(str(error.validator_value))
    return f"{path} is `{error.instance}`, which is no name", naming(str(error.validator_value))


def naming(regex: str) -> str:
    """What a name may be made of."""
    if "{2,3}" in regex:
        return "Use a language's code, as in `en` or `zh`."
    return "Use letters of a to z, digits, `-` and `_`, and begin with a letter."


def _empty(_: Departure, path: str) -> tuple[str, str]:
    return f"{path} is empty", "Give it a value or remove it."


def _other(error: Departure, path: str) -> tuple[str, str]:
    title = error.schema.get("title") if isinstance(error.schema, dict) else None
    value = json.dumps(error.instance, ensure_ascii=False, default=str)
    value = value if len(value) <= 60 else value[:60] + "…"
    return f"{path} cannot be {value}", f"It is {title}." if title else f"{error.message.capitalize()}."


WORDS: dict[str, Callable[[Departure, str], tuple[str, str]]] = {
    "additionalProperties": _extra,
    "required": _missing,
    "pattern": _pattern,
    "minLength": _empty,
    "minItems": _empty,
    "minProperties": _empty,
}
