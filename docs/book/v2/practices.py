"""Fold, expand and compress what a model is shown, and keep a way back to what it really was.

Four operations that must not be confused, each done to one object in one version of it:

    eviction     some content no longer enters later inputs; it is deleted nowhere
    folding      the detail leaves the input, a stub with a reference stays and can be expanded
    compression  a shorter text stands for a stretch of history; something is lost
    deletion     stored copies are removed, under rules of retention and permission

This file does folding, expansion and the checks of a compression, in memory, for one coordinator.
It calls no model. `python3 -I -B docs/book/v2/practices.py --demo` walks through it.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace

UNKNOWN = "unknown"  # the honest answer to whether a summary kept the meaning


# --- Material and its budget -----------------------------------------------------------------


@dataclass(frozen=True)
class Material:
    """One observation as it came: the bytes, which version of the source, and when it was read (UTC, ISO 8601)."""

    id: str
    data: bytes
    version: str
    retrieved_at: str

    def __post_init__(self) -> None:
        """Refuse material that could not be told apart later."""
        check_texts(id=self.id, version=self.version, retrieved_at=self.retrieved_at)
        if type(self.data) is not bytes:  # a bytearray could change under its hash
            raise ValueError(f"material is held as bytes, not as {type(self.data).__name__}")


def observe(id: str, read: Callable[[], tuple[str, bytes]], clock: Callable[[], str]) -> Material:
    """Read a source now: `read` returns version and bytes. Reading it again is a new observation with its own time."""
    version, data = read()
    return Material(id, data, version, clock())


class OverBudget(ValueError):
    """Something has more bytes than the one item may have."""


@dataclass(frozen=True)
class Budget:
    """What one item may take: bytes are enforced, the estimate of tokens is only reported."""

    bytes_limit: int
    token_estimate_limit: int

    def __post_init__(self) -> None:
        """Refuse limits that limit nothing."""
        for name, limit in asdict(self).items():
            if type(limit) is not int or limit < 1:
                raise ValueError(f"{name} must be an int above 0, not {limit!r}")

    def check(self, data: bytes) -> dict[str, int | bool]:
        """Report bytes and estimate of one item; OverBudget: too big.

        The estimate is rough, poor for Chinese, and no figure of a
        model's window or cache. That each item fits does not say
        that all fit together: check the whole payload too.
        """
        size, estimate = len(data), estimate_tokens(data)
        if size > self.bytes_limit:
            raise OverBudget(f"{size} bytes are over the limit of {self.bytes_limit}")
        fits = estimate <= self.token_estimate_limit
        return {"bytes": size, "token_estimate": estimate, "within_token_estimate": fits}


def estimate_tokens(data: bytes) -> int:
    """A quarter of the characters, rounded up. What is no UTF-8 is replaced for counting only."""
    characters = len(data.decode("utf-8", errors="replace"))
    return -(-characters // 4)


# --- Fold and expand -------------------------------------------------------------------------


@dataclass(frozen=True)
class MaterialRef:
    """The stub that stays in the input. `sha256` is that of the whole original, not of the range."""

    reference: str
    sha256: str
    version: str
    start: int
    end: int
    retrieved_at: str
    scope: str
    covers: str
    omits: str

    def encoded(self) -> bytes:
        """Return the stub as it enters the input: canonical JSON in UTF-8."""
        return canonical_json(asdict(self))


def fold(
    material: Material, start: int, end: int, *, scope: str, covers: str, omits: str, budget: Budget
) -> MaterialRef:
    """Return the stub for the bytes `[start, end)` of the material.

    `scope` says who may see the bytes; `covers` and `omits` are the
    outline: what the range holds, and what is left out. ValueError:
    no such range, no outline; OverBudget: the stub is too long.
    """
    check_texts(scope=scope, covers=covers, omits=omits)
    check_range(start, end, len(material.data))
    if start == end:
        raise ValueError(f"the range [{start}, {end}) is empty")
    ref = MaterialRef(
        reference=material.id,
        sha256=hash_bytes(material.data),
        version=material.version,
        start=start,
        end=end,
        retrieved_at=material.retrieved_at,  # folding reads nothing
        scope=scope,
        covers=covers,
        omits=omits,
    )
    budget.check(ref.encoded())
    return ref


class ExpansionFailed(ValueError):
    """An expansion that returned no bytes. `ref` is still as good as it was; `reason` says what was wrong."""

    def __init__(self, ref: MaterialRef, reason: str) -> None:
        super().__init__(f"{ref.reference} was not expanded: {reason}. The reference is kept")
        self.ref = ref
        self.reason = reason


def expand(
    ref: MaterialRef,
    material: Material,
    *,
    allowed: Collection[str],
    budget: Budget,
    start: int | None = None,
    end: int | None = None,
) -> bytes:
    """Return the bytes of the reference, or of a range inside of it.

    `allowed` are the scopes that may be shown now. Offsets are bytes
    of the original: they may cut a character of UTF-8 in two, and
    the bytes come back as they are. ExpansionFailed: anything does
    not agree.
    """
    start = ref.start if start is None else start
    end = ref.end if end is None else end
    if material.id != ref.reference:
        raise ExpansionFailed(ref, f"this is {material.id}")
    if material.version != ref.version:
        raise ExpansionFailed(ref, f"version {material.version}, not {ref.version}")
    if hash_bytes(material.data) != ref.sha256:
        raise ExpansionFailed(ref, "it changed: its hash differs")
    if not holds(allowed, ref.scope):
        raise ExpansionFailed(ref, f"scope {ref.scope} may not be shown")
    try:
        check_range(start, end, ref.end, first=ref.start)
        fragment = read_slice(material.data, start, end)
        budget.check(fragment)
    except ValueError as error:
        raise ExpansionFailed(ref, str(error)) from error
    return fragment


def read_slice(data: bytes, start: int, end: int) -> bytes:
    """Return exactly the bytes `[start, end)`; ValueError when there are none such."""
    check_range(start, end, len(data))
    return data[start:end]


def check_range(start: int, end: int, last: int, first: int = 0) -> None:
    """Raise ValueError unless `first <= start <= end <= last`, all of them ints."""
    # type(), not isinstance(): True is an int to Python, but no offset. And -1 would count from the end.
    if type(start) is not int or type(end) is not int:
        raise ValueError(f"a range is two ints, not {start!r} and {end!r}")
    if start > end:
        raise ValueError(f"the range [{start}, {end}) is reversed")
    if start < first or end > last:
        raise ValueError(f"the range [{start}, {end}) is not within [{first}, {last})")


def holds(allowed: Collection[str], scope: str) -> bool:
    """Tell whether a scope is among those allowed; ValueError for a text, in which "team" would hold "tea"."""
    if isinstance(allowed, str):
        raise ValueError("the scopes allowed are a list of texts, not one text")
    return scope in allowed


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


# --- Compression: capture, validate, commit --------------------------------------------------


@dataclass(frozen=True)
class Snapshot:
    """What must survive a compression, fixed at one revision. `fields` is canonical JSON in UTF-8."""

    revision: int
    goal: str
    fields: bytes
    unknown: tuple[str, ...]

    @classmethod
    def capture(cls, revision: int, goal: str, fields: dict[str, object], unknown: Sequence[str]) -> "Snapshot":
        """Fix them now: what the caller does to its dict and list afterwards changes nothing here."""
        return cls(*fix(revision, goal, fields, unknown))


@dataclass(frozen=True)
class CompressionCandidate:
    """A summary that somebody proposes, with what it was made from."""

    base_revision: int
    goal: str
    fields: bytes
    unknown: tuple[str, ...]
    summary: str

    @classmethod
    def propose(
        cls, base_revision: int, goal: str, fields: dict[str, object], unknown: Sequence[str], summary: str
    ) -> "CompressionCandidate":
        """Fix what the proposal says it was made from; validation compares it."""
        return cls(*fix(base_revision, goal, fields, unknown), summary)


class CandidateRefused(ValueError):
    """A candidate that does not agree with the snapshot; the snapshot stays as it is."""


class StaleRevision(CandidateRefused):
    """Something was committed since: what was made from an older revision must be made again."""


def validate_compression(snapshot: Snapshot, candidate: CompressionCandidate) -> dict[str, bool | str]:
    """Compare the two; CandidateRefused at a part that differs.

    Equal parts prove nothing about the wording of the summary:
    whether it kept the meaning stays "unknown".
    """
    check_revision(candidate.base_revision)  # True would equal 1
    if candidate.base_revision != snapshot.revision:
        raise StaleRevision(f"made from {candidate.base_revision}, this is {snapshot.revision}")
    if candidate.goal != snapshot.goal:
        raise CandidateRefused(f"goal: {candidate.goal!r}, not {snapshot.goal!r}")
    if candidate.fields != snapshot.fields:
        raise CandidateRefused("fields: not the same, byte for byte")
    if candidate.unknown != snapshot.unknown:
        raise CandidateRefused(f"unknown: {candidate.unknown}, not {snapshot.unknown}")
    if type(candidate.summary) is not str:
        raise CandidateRefused("a summary is text, not this")
    return {"structure_verified": True, "semantic_lossless": UNKNOWN}


def commit_compression(snapshot: Snapshot, candidate: CompressionCandidate, expected_revision: int) -> Snapshot:
    """Return the snapshot of the next revision; the old one stays.

    For one coordinator, which holds the only current snapshot. No
    summary is stored here and no history replaced. StaleRevision:
    it is no longer at the revision that the caller expects.
    """
    check_revision(expected_revision)
    if snapshot.revision != expected_revision:
        raise StaleRevision(f"expected {expected_revision}, this is {snapshot.revision}")
    validate_compression(snapshot, candidate)  # once more
    return replace(snapshot, revision=snapshot.revision + 1)


def fix(
    revision: int, goal: str, fields: dict[str, object], unknown: Sequence[str]
) -> tuple[int, str, bytes, tuple[str, ...]]:
    """Check the four parts and return them in a form that cannot change; ValueError or TypeError for what is wrong."""
    check_revision(revision)
    check_texts(goal=goal)
    if type(fields) is not dict:
        raise ValueError(f"fields is a dict of names and values, not {type(fields).__name__}")
    if isinstance(unknown, str):
        raise ValueError("unknown is a list of texts, not one text")
    for text in unknown:
        check_texts(unknown=text)
    return revision, goal, canonical_json(fields), tuple(unknown)


def check_revision(revision: int) -> None:
    """Raise ValueError unless it is an int from 0 up."""
    if type(revision) is not int or revision < 0:
        raise ValueError(f"a revision is an int from 0 up, not {revision!r}")


def check_texts(**texts: object) -> None:
    """Raise ValueError unless each is text with something in it."""
    for name, text in texts.items():
        if type(text) is not str or not text.strip():
            raise ValueError(f"{name} must be text with something in it, not {text!r}")


def canonical_json(value: object) -> bytes:
    """Return the one spelling of a value: keys sorted, no spaces, UTF-8. TypeError for what JSON cannot hold."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except ValueError as error:  # nan, infinity, a list inside of itself
        raise TypeError(f"JSON cannot hold this: {error}") from None
    check_plain(value)
    return text.encode("utf-8")


def check_plain(value: object) -> None:
    """Raise TypeError for what JSON would silently turn into something else: a tuple, a key that is no text."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                raise TypeError(f"JSON would turn the key {key!r} into text")
            check_plain(value[key])
    elif type(value) is list:
        for item in value:
            check_plain(item)
    elif value is not None and type(value) not in (str, int, float, bool):
        raise TypeError(f"JSON would change a {type(value).__name__}")


# --- The walk-through ------------------------------------------------------------------------


def demo() -> None:
    """Walk through folding, expansion and compression with made-up material; no model is called."""
    lines = ["08:00 启动 ok", *(f"08:{minute:02} 测量 17.{minute % 10}" for minute in range(1, 40)), "08:40 测量 nan"]
    data = "\n".join(lines).encode()
    material = observe("log-7", lambda: ("v3", data), lambda: "2026-11-02T08:45:00Z")
    print(f"1. observed {material.id} {material.version} at {material.retrieved_at}: {len(data)} bytes")
    demo_expand(demo_fold(material), material)
    demo_compress()


def demo_fold(material: Material) -> MaterialRef:
    """Fold the whole log and show the stub."""
    outline = {"scope": "team", "covers": "one morning, minute by minute", "omits": "why the last value is no number"}
    ref = fold(material, 0, len(material.data), **outline, budget=Budget(bytes_limit=400, token_estimate_limit=100))
    print(f"2. folded; this stub of {len(ref.encoded())} bytes stays in the input:")
    print("   " + ref.encoded().decode())
    return ref


def demo_expand(ref: MaterialRef, material: Material) -> None:
    """Expand a range that cuts a character, then fail twice and still hold the reference."""
    budget = Budget(bytes_limit=32, token_estimate_limit=8)
    fragment = expand(ref, material, allowed=["team"], budget=budget, start=6, end=10)
    print(f"3. expanded bytes [6, 10): {fragment!r}, one character and a third of the next; nothing is repaired")
    print(f"   {budget.check(fragment)}")
    changed = replace(material, version="v4", retrieved_at="2026-11-02T09:00:00Z")
    for given, allowed in ((material, ["public"]), (changed, ["team"])):
        try:
            expand(ref, given, allowed=allowed, budget=budget, start=0, end=5)
        except ExpansionFailed as error:
            print(f"4. {error}")


def demo_compress() -> None:
    """Commit one of two candidates that were made from the same revision."""
    fields: dict[str, object] = {"log": "log-7"}
    parts = ("explain the nan", fields, ["is the sensor broken?"])
    current = Snapshot.capture(7, *parts)
    first, second = (CompressionCandidate.propose(7, *parts, summary=text) for text in ("One nan.", "All well."))
    print(f"5. validated: {validate_compression(current, first)}")
    current = commit_compression(current, first, expected_revision=7)
    print(f"6. committed: the coordinator is at revision {current.revision}")
    try:
        commit_compression(current, second, expected_revision=7)
    except StaleRevision as error:
        print(f"7. the second candidate is refused: {error}")


def main(arguments: Sequence[str]) -> int:
    """Run the walk-through when it is asked for."""
    parser = argparse.ArgumentParser(description="Fold, expand and compress, in memory. No model is called.")
    parser.add_argument("--demo", action="store_true", help="walk through all of it with made-up material")
    if not parser.parse_args(arguments).demo:
        parser.print_help()
        return 2
    demo()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
