"""Objects as they were at a moment of a trace, each looked up when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tracepane.record.trace.histories import Histories


class Moment:
    """What `Values` needs to know of a moment: for each object that was seen by then its version and slots."""

    def __init__(self, histories: Histories, moment: int) -> None:
        """The rows before `moment` hold."""
        self.versions: Mapping[int, int] = _Versions(histories, moment)
        self.slots: Mapping[int, list[int]] = _Slots(histories, self.versions)


class _Versions(Mapping[int, int]):
    def __init__(self, histories: Histories, moment: int) -> None:
        self._histories, self._moment = histories, moment

    def __getitem__(self, number: int) -> int:
        version = self._histories.version(number, self._moment)
        if version < 0:
            raise KeyError(number)
        return version

    def __iter__(self) -> Iterator[int]:
        return (number for number in self._histories.objects if self._histories.version(number, self._moment) >= 0)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Slots(Mapping[int, list[int]]):
    def __init__(self, histories: Histories, versions: Mapping[int, int]) -> None:
        self._histories, self._versions = histories, versions

    def __getitem__(self, number: int) -> list[int]:
        return self._histories.slots(self._versions[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self._versions)

    def __len__(self) -> int:
        return len(self._versions)


class Difference:
    """Which objects hold something else at one moment than at another."""

    def __init__(self, histories: Histories, before: int, now: int) -> None:
        """Compare the moment `before` with `now`."""
        self._histories, self._before, self._now = histories, before, now

    def __contains__(self, number: object) -> bool:
        """Whether the object with this id does."""
        histories = self._histories
        assert isinstance(number, int)
        old, new = (histories.version(number, moment) for moment in (self._before, self._now))
        return old != new and (old < 0 or not self._same(old, new))

    def _same(self, old: int, new: int) -> bool:
        columns = self._histories.trace.columns
        alike = all(
            columns[name][old] == columns[name][new] for name in ("version_shape", "version_type", "version_length")
        )
        old_slots, new_slots = self._histories.slots(old), self._histories.slots(new)
        return alike and self._histories.trace.same_version(old_slots, new_slots, columns["version_shape"][new])
