"""docs/reference/expanded-json.md says what `show --json` gives: its examples are run, and it names every field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from recording import record

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "reference" / "expanded-json.md").read_text("utf-8")
VALUES = re.findall(r"^\| `(.+)` \| `(\{\"type.+\})` \|$", PAGE, re.MULTILINE)
ENDS = re.findall(r"^\| `(.+)` \| `(\{\"status.+\})`", PAGE, re.MULTILINE)
# These differ from machine to machine or from version to version.
VARYING = {"version", "platform", "digest", "wall"}


def blocks(language: str) -> list[str]:
    """The page's fenced blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """The page's program, recorded and unfolded."""
    (program,) = blocks("python")
    return record(program).expand()


@pytest.fixture(scope="module")
def values() -> list[dict[str, Any]]:
    """The value of each row of the page's tables, in order."""
    events = record("".join(f"v = {text}\n" for text, _ in VALUES)).expand()["events"]
    return [event["set"]["v"] for event in events if "v" in event.get("set", {})]


def plain(value: Any) -> Any:
    """A value with its ids counted from 1 again, in the order of first sight."""
    seen: dict[str, int] = {}
    text = re.sub(r'"id": (\d+)', lambda found: f'"id": {seen.setdefault(found[1], len(seen) + 1)}', json.dumps(value))
    return json.loads(text)


def test_the_document(example: dict[str, Any]) -> None:
    """Field by field as on the page, but for what is each run's own."""
    shown = json.loads(blocks("json")[0])
    assert list(shown) == list(example)
    for part in ("runtime", "end"):
        assert set(shown[part]) == set(example[part])
        assert {**example[part], **{key: shown[part][key] for key in VARYING & set(shown[part])}} == shown[part]
    assert {key: example[key] for key in ("format", "stdout", "stderr", "files")} == {
        key: shown[key] for key in ("format", "stdout", "stderr", "files")
    }


def test_the_events(example: dict[str, Any]) -> None:
    """Each event of the page is the event of that step, and every kind stands there once."""
    shown = json.loads(blocks("json")[1])
    assert [example["events"][event["step"]] for event in shown] == shown
    assert {event["kind"] for event in shown} == {event["kind"] for event in example["events"]}


@pytest.mark.parametrize("row", range(len(VALUES)), ids=[text for text, _ in VALUES])
def test_a_value(row: int, values: list[dict[str, Any]]) -> None:
    """The Python expression gives the JSON beside it."""
    assert plain(values[row]) == json.loads(VALUES[row][1])


def test_what_is_cut_says_how_much_there_was() -> None:
    """A value unfolds to so many values as the page says; a long text is cut in the trace."""
    source = 'long = list(range(6000))\ntext = "a" * 70_000\ndeep = []\nfor _ in range(99): deep = [deep]\n'
    last = record(source).expand()["events"]
    found = {name: value for event in last for name, value in event.get("set", {}).items()}
    assert (len(found["long"]["items"]), found["long"]["length"]) == (5_000, 6_000)
    assert (len(found["text"]["text"]), found["text"]["length"]) == (1_024, 70_000)
    levels, value = 0, found["deep"]
    while value["items"]:
        levels, value = levels + 1, value["items"][0]
    assert (levels, value["length"]) == (60, 1)


@pytest.mark.parametrize(("program", "shown"), ENDS, ids=[program for program, _ in ENDS])
def test_an_end(program: str, shown: str) -> None:
    """The program ends as it says beside it."""
    end = record(program, limits={"steps": 100}).expand()["end"]
    assert {key: value for key, value in end.items() if key not in VARYING} == json.loads(shown)


def test_every_field_is_named() -> None:
    """Whatever field the gold vectors have, of whatever kind of value or event, the page names."""
    found = set[str]()
    for path in (ROOT / "tests" / "gold").glob("*.json"):
        document = json.loads(path.read_text("utf-8"))["expanded"]
        found |= {*document, *document["end"], *document["runtime"]}.union(*map(fields, document["events"]))
    deep = record("def f(): f()\nf()\n").expand()["end"]["exception"]
    found |= {*deep}.union(*deep["traceback"])
    assert {"repeated", "unset", "entries"} < found
    assert {name for name in found if f"`{name}`" not in PAGE} == set()


def fields(node: Any) -> set[str]:
    """The names of the fields of an event or a value; names that are the program's own are left out."""
    if isinstance(node, list):
        return set[str]().union(*map(fields, node))
    if not isinstance(node, dict):
        return set()
    inner = [value.values() if key in ("set", "attributes") else [value] for key, value in node.items()]
    return set(node).union(*(fields(child) for children in inner for child in children))
