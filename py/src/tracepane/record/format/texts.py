"""Finds a long text again without hashing it, which would cost more than all else that is done with a growing text."""

from __future__ import annotations

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

LONG = 500  # characters from which comparing two ends is cheaper than a hash
_END = 24
_MOST = 4  # texts that are compared one by one


class LongTexts:
    """The refs of long texts: only those of one length that begin and end alike are compared."""

    def __init__(self) -> None:
        """None yet."""
        self._alike: dict[tuple[int, str, str], list[tuple[str, int]]] = {}
        self._rest: dict[str, int] = {}  # of those that have too many like them

    def get(self, text: str) -> int | None:
        """The ref of a text, None if it is new."""
        for known, ref in self._like(text):
            if known == text:
                return ref
        return self._rest.get(text) if self._rest else None

    def add(self, text: str, ref: int) -> None:
        """A new text."""
        alike = self._like(text)
        if len(alike) < _MOST:
            alike.append((text, ref))
        else:
            self._rest[text] = ref

    def _like(self, text: str) -> list[tuple[str, int]]:
        return self._alike.setdefault((len(text), text[:_END], text[-_END:]), [])
