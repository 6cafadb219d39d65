"""The full candidate: what is compared exactly, what is only linked, and what is not compared."""

from dataclasses import replace

import pytest

from candidate import EXACT, LINKED, NOT_COMPARED, PARTS, QUOTED, Base, Candidate, Entry, Record, validate_candidate
from practices import CandidateRefused, StaleRevision

RECORDS = {
    "message-1": Record("1", "Find out why the export is slow."),
    "message-9": Record("2", "No: the limit is 30 seconds, not 60."),
    "result-4": Record("1", "query took 41.2 s\nrows 1200"),
}
KNOWN = {
    "goal": {"goal": Entry("find out why the export is slow", "message-1", "1")},
    "corrections": {"limit": Entry("the limit is 30 seconds", "message-9", "2")},
    "fields": {"limit_s": Entry(30, "message-9", "2")},
    "evidence": {"slow": Entry("query took 41.2 s", "result-4", "1")},
    "decisions": {"index": Entry("try an index first", "result-4", "1")},
    "open_actions": {"act-2": Entry("create an index: sent, no result", "message-9", "2")},
    "unknowns": {"effect": Entry("was the index created?", "message-9", "2")},
}
BASE = Base(7, KNOWN)


def candidate(part=None, summary="The query is slow.", **entries):
    """Return a candidate that agrees, but for the entries given for one part; None takes one away."""
    parts = {name: dict(known) for name, known in KNOWN.items()}
    if part is not None:
        parts[part].update(entries)
        parts[part] = {name: entry for name, entry in parts[part].items() if entry is not None}
    return Candidate(7, parts, summary)


def assert_refused(reason, given):
    """Validate a candidate that does not hold."""
    with pytest.raises(CandidateRefused, match=reason):
        validate_candidate(given, BASE, RECORDS)


def test_the_report_says_how_far_each_part_was_compared():
    """Five exactly, one by quotation, one by its link, the summary with nothing."""
    report = validate_candidate(candidate(), BASE, RECORDS)
    assert report == {**PARTS, "summary": NOT_COMPARED}
    assert [part for part, how in report.items() if how == EXACT] == [
        "goal",
        "corrections",
        "fields",
        "open_actions",
        "unknowns",
    ]
    assert (report["evidence"], report["decisions"]) == (QUOTED, LINKED)


@pytest.mark.parametrize("part", [part for part, how in PARTS.items() if how == EXACT])
def test_an_exact_part_may_lose_gain_and_change_nothing(part):
    """Entry by entry."""
    [(name, entry)] = KNOWN[part].items()
    assert_refused(f"{part}/{name} is missing", candidate(part, **{name: None}))
    assert_refused(f"{part}/more was added", candidate(part, more=entry))
    assert_refused(f"{part}/{name} is 'other'", candidate(part, **{name: replace(entry, value="other")}))


@pytest.mark.parametrize("value", [30.0, "30", True, None])
def test_an_exact_field_is_of_the_same_type(value):
    """30 and 30.0 are equal to Python, and are two values here."""
    assert_refused("fields/limit_s is", candidate("fields", limit_s=Entry(value, "message-9", "2")))


def test_the_link_of_an_exact_part_is_compared_too():
    """The same words from another record are another entry."""
    assert_refused("goal/goal is", candidate("goal", goal=replace(KNOWN["goal"]["goal"], record="result-4")))


@pytest.mark.parametrize("part", PARTS)
def test_every_entry_leads_to_a_record_in_its_version(part):
    """Also where the wording is not compared."""
    [(name, entry)] = KNOWN[part].items()
    assert_refused("which is no record", candidate(part, **{name: replace(entry, record="message-99")}))
    assert_refused("version 9, but that is", candidate(part, **{name: replace(entry, version="9")}))


@pytest.mark.parametrize("value", ["query took 412 s", "Query took 41.2 s", "", " ", 41.2, None])
def test_evidence_stands_word_for_word_in_its_record(value):
    """Nothing rounded, nothing empty."""
    assert_refused("does not stand in result-4", candidate("evidence", slow=Entry(value, "result-4", "1")))


def test_a_decision_may_be_told_in_other_words():
    """And nobody knows whether they mean the same: the report says so."""
    told = candidate("decisions", index=Entry("drop all tables", "result-4", "1"))
    assert validate_candidate(told, BASE, RECORDS)["decisions"] == LINKED


def test_another_revision_is_stale():
    """Older and newer."""
    for revision in (6, 8):
        with pytest.raises(StaleRevision):
            validate_candidate(replace(candidate(), base_revision=revision), BASE, RECORDS)


def test_all_parts_must_be_there():
    """An empty part says that there is nothing; a part that is missing says nothing."""
    parts = dict(candidate().parts)
    del parts["unknowns"]
    assert_refused("the parts must be", replace(candidate(), parts=parts))


def test_a_summary_is_text():
    """More is not asked of it."""
    assert_refused("a summary is text", candidate(summary=None))


@pytest.mark.parametrize("revision", [True, 1.0, "1", -1, None])
def test_a_revision_is_an_int(revision):
    """True and 1.0 would equal 1."""
    with pytest.raises(ValueError, match="a revision is an int"):
        validate_candidate(replace(candidate(), base_revision=revision), replace(BASE, revision=1), RECORDS)
