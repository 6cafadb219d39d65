"""Put a shorter representation of the history in the place of the old one, at a moment when nothing else goes on.

The old representation stays selected unless everything agrees, and the reason is told. After a commit there is a way
back: the old record lies in a file whose name is its hash.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from practices import canonical_json, hash_bytes

Messages = list[dict[str, object]]
BASIS = ("revision", "goal_revision", "fields", "open_actions", "unknowns")


@dataclass(frozen=True)
class Basis:
    """What a rewrite was made from, or what is true now. `fields` is canonical JSON."""

    revision: int
    goal_revision: int
    fields: bytes
    open_actions: tuple[str, ...]
    unknowns: tuple[str, ...]


@dataclass(frozen=True)
class Moment:
    """The state of the run when somebody wants to commit.

    `in_flight`: requests, streams, tools and child tasks that still run. `unresolved`: calls of which nothing runs any
    more and no result is known. `objection`: what the adapter of the model's interface has against a rewrite, or None.
    """

    basis: Basis
    in_flight: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    objection: str | None = None


@dataclass(frozen=True)
class Rewrite:
    """A shorter representation, and what it was made from."""

    basis: Basis
    messages: Messages


@dataclass(frozen=True)
class Selected:
    """The representation that the next request carries, and the receipt of the record it replaced."""

    messages: Messages
    way_back: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What is selected now, whether that is new, and why."""

    selected: Selected
    committed: bool
    reason: str


def commit_at_boundary(selected: Selected, now: Moment, rewrite: Rewrite, save: Callable[[Selected], str]) -> Outcome:
    """Select the rewrite if this is a boundary and nothing has changed; else keep what is selected and say why.

    `save` keeps the old record and returns its receipt; an OSError of it keeps the old representation too.
    """
    if now.in_flight:
        return Outcome(selected, False, f"still in flight: {', '.join(now.in_flight)}")
    if now.unresolved:
        return Outcome(selected, False, f"no result is known of {', '.join(now.unresolved)}")
    if now.objection is not None:
        return Outcome(selected, False, f"the adapter does not allow it: {now.objection}")

    for name in BASIS:
        then, today = getattr(rewrite.basis, name), getattr(now.basis, name)
        if then != today:
            return Outcome(selected, False, f"made when {name} was {then!r}; now it is {today!r}")

    try:
        receipt = save(selected)
    except OSError as error:
        return Outcome(selected, False, f"the old record could not be kept: {error}")
    return Outcome(Selected(rewrite.messages, way_back=receipt), True, "committed")


def record_keeper(folder: Path, limit: int = 10_000_000) -> Callable[[Selected], str]:
    """Return `save(selected)`, which keeps a representation in the folder and returns its hash, the receipt.

    OSError: it has more than `limit` bytes, or the folder cannot take it.
    """

    def save(selected: Selected) -> str:
        data = canonical_json(asdict(selected))
        if len(data) > limit:
            raise OSError(f"{len(data)} bytes, and there is room for {limit}")
        receipt = hash_bytes(data)
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / f"{receipt}.part"
        beside.write_bytes(data)
        beside.replace(folder / f"{receipt}.json")  # whole or not at all
        return receipt

    return save


def go_back(selected: Selected, folder: Path) -> Selected:
    """Return what was selected before the last commit; ValueError when its record is not what was kept."""
    if selected.way_back is None:
        raise ValueError("nothing was replaced: there is no way to go back")
    data = (folder / f"{selected.way_back}.json").read_bytes()
    if hash_bytes(data) != selected.way_back:
        raise ValueError(f"the record {selected.way_back} was changed: its hash differs")
    return Selected(**json.loads(data))  # with its own way back, if it has one
