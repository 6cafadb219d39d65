"""Decide what becomes of one piece of a history, from how much it matters and where else it can be found.

                 the source still has      only the archive        nowhere else
                 the same version          has it
    important    outline and reference     outline and reference   original kept
    minor        open to deletion          archived and evicted    original kept

Some pieces are outside of this table. They hold the run together, and no score removes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from practices import check_texts

KEPT = "original kept"
OUTLINE = "outline and reference"
EVICTED = "archived and evicted"
DELETABLE = "open to deletion"

OBSERVATION = "observation"  # what a tool or a person told; everything else is kept hard
HARD_KEPT = ("link of an open call", "state of an action", "goal version", "permission version", "continuation item")

IMPORTANT = 5  # of 10

Versions = Mapping[str, str]  # of sources or of pieces, by name


@dataclass(frozen=True)
class Piece:
    """A piece of a history. `importance` (0 to 10) is for later judgement; `version` is the one that was seen."""

    name: str
    kind: str
    importance: int
    source: str
    version: str


@dataclass(frozen=True)
class Decision:
    """What becomes of a piece, and why."""

    fate: str
    reason: str


def decide(piece: Piece, sources: Versions, archive: Versions) -> Decision:
    """Decide about one piece; nothing is moved or removed here.

    `sources` says which version each source holds now, `archive`
    which version of each piece is saved. ValueError: no such kind,
    an importance that is no score, or no version.
    """
    check_piece(piece)
    if piece.kind in HARD_KEPT:
        return Decision(KEPT, f"{piece.kind}: no score removes it")

    important = piece.importance >= IMPORTANT
    # A file that has changed cannot give back what was seen in it.
    in_source = sources.get(piece.source) == piece.version
    in_archive = archive.get(piece.name) == piece.version

    if not in_source and not in_archive:
        return Decision(KEPT, "the only observation, saved nowhere")
    if important:
        return Decision(OUTLINE, "it matters, and can be had again")
    if in_source:
        return Decision(DELETABLE, "minor, its source still has it")
    return Decision(EVICTED, "minor, only the archive has it")


def check_piece(piece: Piece) -> None:
    """Raise ValueError for a kind that nobody knows, an importance that is no score, or no version."""
    if piece.kind != OBSERVATION and piece.kind not in HARD_KEPT:
        raise ValueError(f"{piece.name}: nobody knows the kind {piece.kind!r}, so nothing is decided")
    if type(piece.importance) is not int or not 0 <= piece.importance <= 10:
        raise ValueError(f"{piece.name}: importance is an int from 0 to 10, not {piece.importance!r}")
    check_texts(version=piece.version)  # None is what a source that is gone has: the two would be equal
