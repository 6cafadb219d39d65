"""Long texts: found again without hashing them, and told by what they share with one before.

Hashing, encoding or keeping each of them would cost more than all else that is done with a growing text.
"""

from __future__ import annotations

from tracepane.record.format.encoding import encoded
from tracepane.record.format.layout import MOST_LINKS
from tracepane.record.format.overlap import overlap
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_END = 24
_MOST = 3  # texts besides a first that are compared one by one
_STARTS = 32  # different ones, of texts that others may share with: only these are kept as a whole
_hash = hash
Key = tuple[int, str]


def ends(text: str) -> tuple[Key, str]:
    """By what a text is looked up: its length with its end, and its start."""
    return (len(text), text[-_END:]), text[:_END]


class LongText:
    """A long text as the trace has it: characters of another one's start, its own, and of the other one's end."""

    __slots__ = ("kept", "length", "links", "other", "own", "ref", "size")

    def __init__(self, ref: int, own: str, length: int, other: LongText | None, kept: int) -> None:
        """Without an other one it is whole."""
        self.ref, self.own, self.length, self.other, self.kept = ref, own, length, other, kept
        self.links: int = other.links + 1 if other is not None else 0
        self.size = -1  # bytes, when it was asked for

    def holds(self, text: str) -> bool:
        """Whether it is this text, which is as long. Looks at every character once, wherever it stands."""
        known, spans = self, [(0, self.length, 0)]  # from where to where of it, and where in the text
        while known.other is not None:
            left, right, beyond = known.kept, known.kept + len(known.own), []
            shift = known.other.length - known.length
            for start, end, place in spans:
                low, high = max(start, left), min(end, right)
                if low < high and not text.startswith(known.own[low - left : high - left], place + low - start):
                    return False
                if start < left:
                    beyond.append((start, min(end, left), place))
                if end > right:
                    low = max(start, right)
                    beyond.append((low + shift, end + shift, place + low - start))
            known, spans = known.other, beyond
        return all(text.startswith(known.own[start:end], place) for start, end, place in spans)


class LongTexts:
    """All long texts by their refs: only those of one length that end alike are compared."""

    def __init__(self) -> None:
        """None yet."""
        self._first: dict[Key, LongText] = {}
        self._alike: dict[Key, list[LongText]] = {}  # as the first
        self._rest: dict[int, list[LongText]] = {}  # by hash: those that have too many like them
        self._near: dict[str, tuple[LongText, str]] = {}  # the last of each start, with the text
        self._last: tuple[LongText, str] | None = None

    def get(self, text: str, key: Key) -> LongText | None:
        """What is known of a text, None if it is new."""
        first = self._first.get(key)
        if first is None:
            return None
        near = self._near.get(text[:_END])
        if near is not None and near[1] == text:
            return near[0]
        more = self._rest.get(_hash(text), []) if self._rest else []
        return next((known for known in (first, *self._alike.get(key, []), *more) if known.holds(text)), None)

    def tell(self, text: str, ref: int, start: str) -> LongText:
        """A new text, told by another one where that is at least half of it and not told by too many itself."""
        length, near = len(text), self._near.get(start) or self._last
        if near is not None:
            other, old = near
            if text.startswith(old):
                kept, tail = other.length, 0
            elif text.endswith(old):
                kept, tail = 0, other.length
            else:
                kept, tail = overlap(old, text)
            if 2 * (kept + tail) >= length and other.links < MOST_LINKS:
                return LongText(ref, text[kept : length - tail], length, other, kept)
        return LongText(ref, text, length, None, 0)

    def add(self, told: LongText, text: str, key: Key, start: str) -> None:
        """Know a text from now on, which is in the string table."""
        if start in self._near and self._near[start] is not self._last:
            del self._near[start]  # it comes to the end
        self._last = self._near[start] = (told, text)
        if len(self._near) > _STARTS:
            del self._near[next(iter(self._near))]
        if self._first.setdefault(key, told) is not told:
            alike = self._alike.setdefault(key, [])
            if len(alike) == _MOST:
                alike = self._rest.setdefault(_hash(text), [])
            alike.append(told)

    def forget(self, live: set[int]) -> None:
        """Know only those with these refs from now on; others may still be told by those before them."""
        kept = [*self._first.items(), *((key, each) for key, alike in self._alike.items() for each in alike)]
        self._first.clear()
        self._alike.clear()
        for key, told in kept:
            if told.ref in live and self._first.setdefault(key, told) is not told:
                self._alike.setdefault(key, []).append(told)
        rest = {number: [told for told in alike if told.ref in live] for number, alike in self._rest.items()}
        self._rest = {number: alike for number, alike in rest.items() if alike}


def bytes_shared(text: str, told: LongText) -> tuple[int, int]:
    """How many bytes a text has of another one's start and of its end."""
    kept, tail = told.kept, told.length - told.kept - len(told.own)
    if told.other is None or text.isascii():
        return kept, tail
    start, end = _size(told.other, text[:kept]), _size(told.other, text[told.length - tail :])
    told.size = start + len(encoded(told.own)) + end
    return start, end


def _size(other: LongText | None, part: str) -> int:
    """Bytes of a part of another text; mostly it is all of it."""
    if other is None or len(part) < other.length:
        return len(encoded(part))
    if other.size < 0:
        other.size = len(encoded(part))
    return other.size
