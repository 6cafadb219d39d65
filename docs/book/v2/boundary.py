"""Put a shorter representation of the history in the place of the old one, at a moment when nothing else goes on.

The old representation stays selected unless everything agrees, and the reason is told. After a commit there is a way
back: the old record lies in a file whose name is its hash.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from practices import canonical_json, check_revision, hash_bytes

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

    def __post_init__(self) -> None:
        """Refuse revisions that equal one and are none."""
        check_revision(self.revision)
        check_revision(self.goal_revision)


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


Keeper = Callable[[Selected], str]  # puts a representation away and returns the receipt


@dataclass(frozen=True)
class Outcome:
    """What is selected now, whether that is new, and why."""

    selected: Selected
    committed: bool
    reason: str


def commit_at_boundary(selected: Selected, now: Moment, rewrite: Rewrite, save: Keeper) -> Outcome:
    """Select the rewrite, at a boundary and if nothing has changed.

    Otherwise what is selected stays so, and the reason is told.
    `save` keeps the old record first; its OSError is a reason too.
    """
    if now.in_flight:
        return keep(selected, f"in flight: {', '.join(now.in_flight)}")
    if now.unresolved:
        return keep(selected, f"no result of {', '.join(now.unresolved)}")
    if now.objection is not None:
        return keep(selected, f"the adapter objects: {now.objection}")

    for name in BASIS:
        then = getattr(rewrite.basis, name)
        today = getattr(now.basis, name)
        if then != today:
            return keep(selected, f"{name} was {then!r}, is {today!r}")

    try:
        receipt = save(selected)
    except OSError as error:
        return keep(selected, f"old record not kept: {error}")
    return Outcome(Selected(rewrite.messages, receipt), True, "committed")


def keep(selected: Selected, reason: str) -> Outcome:
    """Return the outcome in which nothing has changed."""
    return Outcome(selected, False, reason)


def record_keeper(folder: Path, limit: int = 10_000_000) -> Keeper:
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
