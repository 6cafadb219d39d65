"""The full form of a compression candidate: seven parts, each entry linked to the record it came from.

Validation goes as far as a program can, and says for each part how far that was.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from practices import CandidateRefused, StaleRevision, canonical_json, check_revision

EXACT = "compared exactly"
QUOTED = "found word for word in its record"
LINKED = "linked to its record; the wording was not compared"
NOT_COMPARED = "not compared"

# What is exact is the program's own knowledge. Evidence is quoted by the author of the candidate, decisions are told
# in the author's words.
PARTS = {
    "goal": EXACT,
    "corrections": EXACT,
    "fields": EXACT,
    "evidence": QUOTED,
    "decisions": LINKED,
    "open_actions": EXACT,
    "unknowns": EXACT,
}


@dataclass(frozen=True)
class Record:
    """An original: a message, a result or a file, as it came, in one version."""

    version: str
    text: str


Records = Mapping[str, Record]


@dataclass(frozen=True)
class Entry:
    """A value, the record that it came from, and the version of that record."""

    value: object
    record: str
    version: str


Parts = Mapping[str, Mapping[str, Entry]]  # part, name of the entry, entry


@dataclass(frozen=True)
class Base:
    """What the program itself knows at one revision."""

    revision: int
    parts: Parts

    def __post_init__(self) -> None:
        """Refuse a revision that equals one and is none."""
        check_revision(self.revision)


@dataclass(frozen=True)
class Candidate:
    """What the author of a compression hands in: made from which revision, the seven parts, and a summary."""

    base_revision: int
    parts: Parts
    summary: str

    def __post_init__(self) -> None:
        """Refuse a revision that equals one and is none."""
        check_revision(self.base_revision)


def validate_candidate(candidate: Candidate, base: Base, records: Records) -> dict[str, str]:
    """Return for each part how it was compared.

    A part that passed is right only in the way the report says;
    the summary is compared with nothing. CandidateRefused: an entry
    does not hold.
    """
    if candidate.base_revision != base.revision:
        raise StaleRevision(f"made from {candidate.base_revision}, this is {base.revision}")
    if sorted(candidate.parts) != sorted(PARTS):
        raise CandidateRefused(f"the parts must be {sorted(PARTS)}")

    report = {}
    for part, how in PARTS.items():
        entries = candidate.parts[part]
        for name, entry in entries.items():
            check_link(f"{part}/{name}", entry, records)
        if how == EXACT:
            check_same(part, entries, base.parts[part])
        if how == QUOTED:
            check_quotes(part, entries, records)
        report[part] = how

    if type(candidate.summary) is not str:
        raise CandidateRefused("a summary is text, not this")
    report["summary"] = NOT_COMPARED
    return report


def check_link(name: str, entry: Entry, records: Records) -> None:
    """Refuse an entry whose record nobody has, or has in another version."""
    if entry.record not in records:
        raise CandidateRefused(f"{name} comes from {entry.record}, which is no record")
    version = records[entry.record].version
    if entry.version != version:
        raise CandidateRefused(f"{name} comes from {entry.record} version {entry.version}, but that is {version}")


def check_same(part: str, given: Mapping[str, Entry], known: Mapping[str, Entry]) -> None:
    """Refuse a part in which an entry is missing, added or different, in value or link."""
    for name in sorted([*given, *known]):
        if name not in given:
            raise CandidateRefused(f"{part}/{name} is missing")
        if name not in known:
            raise CandidateRefused(f"{part}/{name} was added")
        if spell(given[name]) != spell(known[name]):
            raise CandidateRefused(f"{part}/{name} is {given[name].value!r}, but it was {known[name].value!r}")


def spell(entry: Entry) -> bytes:
    """Return the one spelling of an entry: 1, 1.0 and True are three values."""
    return canonical_json([entry.value, entry.record, entry.version])


def check_quotes(part: str, entries: Mapping[str, Entry], records: Records) -> None:
    """Refuse a quotation that its record does not hold."""
    for name, entry in entries.items():
        quoted = type(entry.value) is str and entry.value.strip() and entry.value in records[entry.record].text
        if not quoted:
            raise CandidateRefused(f"{part}/{name} does not stand in {entry.record}")
