"""The ledger: intent before action, no end made up, nothing with effects done twice."""

from dataclasses import replace

import pytest

from candidate import Entry
from ledger import ENDED, OPEN, UNKNOWN, Ledger
from practices import CandidateRefused


@pytest.fixture
def path(tmp_path):
    """Where the ledger of a test lies."""
    return tmp_path / "ledger.jsonl"


@pytest.fixture
def ledger(path):
    """One action of each state."""
    ledger = Ledger(path)
    for state in (OPEN, UNKNOWN, *ENDED):
        ledger.intend(f"act-{state}", f"do what is {state}", effects=True)
        if state != OPEN:
            ledger.settle(f"act-{state}", state)
    return ledger


def never(*_):
    """Stand for what must not be called."""
    raise AssertionError("this must not be called")


def test_the_projection_has_what_is_open_and_what_is_unknown(ledger):
    """With the intent, and the line on which the ledger says so."""
    assert ledger.project() == {
        "open_actions": {"act-open": Entry("do what is open", "act-open", "line 1")},
        "unknowns": {"act-unknown": Entry("do what is unknown", "act-unknown", "line 3")},
    }


def test_the_intent_is_in_the_file_before_the_action_starts(path):
    """Whoever opens the file sees it, though nothing has ended yet."""
    Ledger(path).intend("act-1", "send the report", effects=True)
    assert [action.state for action in Ledger(path).actions.values()] == [OPEN]


def test_a_restart_knows_all_of_it(ledger, path):
    """Also in a text with line breaks of other kinds in it."""
    ledger.intend("act-last", "say \u2028 \r \x85 启动", effects=False)
    again = Ledger(path)
    assert (again.actions, again.lines) == (ledger.actions, ledger.lines)


@pytest.mark.usefixtures("ledger")
def test_after_a_crash_an_open_action_is_unknown(path):
    """It was begun and may have happened: not failed, not done."""
    again = Ledger(path)
    assert [action.identity for action in again.lose_open()] == ["act-open"]
    assert Ledger(path).actions["act-open"].state == UNKNOWN
    assert again.lose_open() == []


@pytest.mark.usefixtures("ledger")
def test_a_line_cut_by_a_crash_was_never_confirmed(path):
    """Whatever the cut: the entries before it stand, and the next entry is whole."""
    data = path.read_bytes()
    first = data[: data.index(b"\n") + 1]
    for cut in range(len(first), data.index(b"\n", len(first)) + 1):
        path.write_bytes(data[:cut])
        again = Ledger(path)
        assert list(again.actions) == ["act-open"]
        again.intend("act-2", "another", effects=False)
        assert list(Ledger(path).actions) == ["act-open", "act-2"]


def test_a_ledger_that_cannot_be_written_lets_nothing_start(ledger, path, monkeypatch):
    """The error comes before the action, and the file is as it was."""
    before = path.read_bytes()

    def broken(_):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="no space"):
        ledger.intend("act-9", "start", effects=True)
    assert path.read_bytes() == before
    assert "act-9" not in ledger.actions


@pytest.mark.parametrize("state", ENDED)
def test_what_has_ended_never_ends_again(ledger, state):
    """Not even in the same way."""
    with pytest.raises(ValueError, match="cannot become"):
        ledger.settle(f"act-{state}", "done")


def test_an_identity_is_used_once_and_states_are_known(ledger):
    """A second attempt is another action; and there is no way back to open."""
    with pytest.raises(ValueError, match="taken"):
        ledger.intend("act-done", "again", effects=True)
    for state in (OPEN, "ok"):
        with pytest.raises(ValueError, match="cannot become"):
            ledger.settle("act-open", state)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda parts: parts["unknowns"].clear(), "unknowns/act-unknown is missing"),
        (lambda parts: parts["open_actions"].clear(), "open_actions/act-open is missing"),
        (lambda parts: parts["unknowns"].update({"act-1": Entry("x", "act-1", "line 1")}), "unknowns/act-1 was added"),
        (
            lambda parts: parts["unknowns"].update(
                {"act-unknown": replace(parts["unknowns"]["act-unknown"], value="?")}
            ),
            "it was",
        ),
        (
            lambda parts: parts["unknowns"].update(
                {"act-unknown": replace(parts["unknowns"]["act-unknown"], version="line 2")}
            ),
            "it was",
        ),
    ],
)
def test_a_candidate_that_disagrees_is_refused(ledger, change, told):
    """Left out, made up, told otherwise, or from an older line."""
    parts = ledger.project()
    ledger.check_candidate(parts)
    change(parts)
    with pytest.raises(CandidateRefused, match=told):
        ledger.check_candidate(parts)


def test_a_lost_result_with_effects_is_looked_up_and_never_repeated(ledger):
    """What the other side knows settles it."""
    asked = []

    def look_up(identity):
        asked.append(identity)
        return "done", "receipt 7"

    action = ledger.recover("act-unknown", look_up, never)
    assert (asked, action.state, action.result) == (["act-unknown"], "done", "receipt 7")


def test_a_look_up_may_find_that_nothing_happened(ledger):
    """Then it is on record as not done; doing it now is another action, with its own permission."""
    assert ledger.recover("act-unknown", lambda _: ("not done", ""), never).state == "not done"
    with pytest.raises(ValueError, match="taken"):
        ledger.intend("act-unknown", "do it now", effects=True)


def test_what_cannot_be_looked_up_stays_unknown(ledger):
    """No answer is no result."""
    assert ledger.recover("act-unknown", lambda _: None, never).state == UNKNOWN
    assert "act-unknown" in ledger.project()["unknowns"]


def test_without_effects_it_may_run_again(path):
    """A reading can be repeated; nobody need be asked."""
    ledger = Ledger(path)
    ledger.intend("act-1", "read the log", effects=False)
    ledger.settle("act-1", UNKNOWN)
    assert ledger.recover("act-1", never, lambda: "12 lines").result == "12 lines"


def test_only_a_lost_result_is_recovered(ledger):
    """What runs, or has ended, is not looked up."""
    for state in (OPEN, *ENDED):
        with pytest.raises(ValueError, match="nothing is lost"):
            ledger.recover(f"act-{state}", never, never)
