"""A sample of `make fuzz`: files that are damaged, forged or made up, given to both readers."""

from __future__ import annotations

from damage import KINDS, files

import fuzz


def test_no_file_is_read_wrongly() -> None:
    """Each is refused with a TraceError, holds what the good file holds, or is honestly another trace."""
    assert fuzz.fuzz(1_000, seed=0) == []


def test_a_number_makes_the_same_file_again() -> None:
    """Whatever else was made before it; and each kind of file is among a few."""
    bases = fuzz.good_files()
    many = list(files(bases, 7, range(60)))
    assert [file.data for file in files(bases, 7, [41])] == [many[41].data]
    assert {file.how for file in many} == {how for how, _ in KINDS}


def test_a_wrong_value_would_be_noticed() -> None:
    """A file that reads like another one than it comes from is told apart."""
    good = fuzz.good_files()
    python = fuzz.Python([good[0], good[2]])
    swapped = fuzz.File(0, "damaged", 1, good[0])
    honest = fuzz.File(0, "damaged", 0, good[0])
    assert [verdict for verdict, _ in python.read([swapped, honest])] == [fuzz.WRONG, fuzz.SAME]
