"""Calls and their results: what became of a call stays what it is, whatever is rewritten."""

import copy
import json

import pytest
from batches import call, history, result

from pairs import OUTCOMES, UNRESOLVED, Mismatch, Tidied, check_pairs, check_rewrite


def states(messages):
    """Return the state of each call."""
    return {call.id: call.state for call in check_pairs(messages)}


def test_each_call_has_its_state():
    """The four outcomes, a call without a result, and a batch that came back by half."""
    messages = history(
        [("a", "done"), ("b", "failed")], [("c", "refused"), ("d", None)], [("e", "unknown")], [("f", None)]
    )
    expected = {"a": "done", "b": "failed", "c": "refused", "d": UNRESOLVED, "e": "unknown", "f": UNRESOLVED}
    assert states(messages) == expected


def test_text_beside_calls_is_no_call():
    """Assistants may write, and users too."""
    messages = history([("a", "done")])
    messages[1]["content"].insert(0, {"type": "text", "text": "I read it."})
    messages += [{"role": "assistant", "content": "It is fine."}, {"role": "user", "content": "Go on."}]
    assert states(messages) == {"a": "done"}


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m[2]["content"].append(result("z")),  # nobody called
        lambda m: m[2]["content"].append(result("a")),  # twice
        lambda m: m[2].update(role="assistant"),
        lambda m: m[1]["content"].append(call("a")),  # the id is taken
        lambda m: m.insert(2, {"role": "user", "content": "wait"}),  # not the next message
        lambda m: m[2]["content"][0].update(content="all well"),  # states no outcome
        lambda m: m[2]["content"][0].update(content='{"outcome": "fine"}'),
        lambda m: m[2]["content"][0].update(content='{"outcome": "fine"}', is_error=True),
        lambda m: m[2]["content"][0].update(is_error=True),  # done, and an error
        lambda m: m[2]["content"][0].update(is_error=0),  # 0 is not False
        lambda m: m[2]["content"][0].update(content='{"outcome": "failed"}', is_error="false"),
        lambda m: m[1]["content"][0].pop("id"),
        lambda m: m[1]["content"][0].pop("input"),
        lambda m: m[1]["content"][0].pop("type"),
        lambda m: m[2]["content"][0].pop("tool_use_id"),
        lambda m: m[2]["content"][0].pop("content"),
        lambda m: m[2]["content"].append("done"),
        lambda m: m[2].pop("role"),
        lambda m: m[1].pop("content"),
        lambda m: m.append(None),
    ],
)
def test_what_belongs_to_nothing_is_refused(change):
    """No interface takes such a history, or it says two things at once."""
    messages = history([("a", "done"), ("b", "done")])
    change(messages)
    with pytest.raises(Mismatch):
        check_pairs(messages)


def test_a_settled_batch_may_go():
    """Done and failed calls may be summed up, whole batches at a time."""
    before = history([("a", "done"), ("b", "failed")], [("c", "done")])
    assert [call.id for call in check_rewrite(before, history([("c", "done")]))] == ["a", "b"]


def test_a_batch_of_two_may_stay():
    """Two calls of one message still are calls of one message."""
    before = history([("a", "done"), ("b", "failed")], [("c", "done")])
    assert [call.id for call in check_rewrite(before, history([("a", "done"), ("b", "failed")]))] == ["c"]


def test_a_result_may_be_folded():
    """Another detail with the same outcome: that is what a stub is."""
    before = history([("a", "failed")])
    after = copy.deepcopy(before)
    after[2]["content"][0]["content"] = json.dumps({"outcome": "failed", "detail": "[folded: reference log-7]"})
    assert check_rewrite(before, after) == []


@pytest.mark.parametrize("state", ["refused", "unknown", None])
def test_what_is_not_settled_stays(state):
    """A refusal, an unknown or an unresolved call is never left out."""
    before = history([("a", "done")], [("b", state)])
    with pytest.raises(Tidied, match=r"b is .* left out"):
        check_rewrite(before, history([("a", "done")]))


@pytest.mark.parametrize("was", [*OUTCOMES[1:], None])
@pytest.mark.parametrize("now", [*OUTCOMES, None])
def test_no_state_becomes_another(was, now):
    """Nothing is tidied into a success, nor into anything else."""
    before, after = history([("a", was)]), history([("a", now)])
    if was == now:
        assert check_rewrite(before, after) == []
    else:
        with pytest.raises(Tidied):
            check_rewrite(before, after)


@pytest.mark.parametrize(
    "after",
    [
        history([("a", "done")], [("c", "done")]),  # half of a batch
        history([("a", "done"), ("b", "done"), ("c", "done")]),  # two batches made one
        history([("a", "done")], [("b", "done")], [("c", "done")]),  # one made two
        history([("c", "done")], [("a", "done"), ("b", "done")]),  # another order
        history([("a", "done"), ("b", "done")], [("x", "done")]),  # never called
    ],
)
def test_batches_stay_what_they_were(after):
    """They go whole, in their order, with their own calls."""
    before = history([("a", "done"), ("b", "done")], [("c", "done")])
    with pytest.raises(Tidied):
        check_rewrite(before, after)


def test_arguments_are_not_rewritten():
    """What was asked for is part of the pair."""
    before = history([("a", "done")])
    after = copy.deepcopy(before)
    after[1]["content"][0]["input"]["path"] = "other.txt"
    with pytest.raises(Tidied, match="arguments"):
        check_rewrite(before, after)
