"""The rules of the s05 step: one current plan, in a state of its own, sent with each request and never kept."""

import copy

import pytest
from histories import history, result

from s01.core.runtime import run_loop
from s05.core.plan import assembler, attach_plan, plan_state, plan_tool
from s08.core.runtime import split_history

STEPS = [{"text": "Read", "status": "done"}, {"text": "Check", "status": "doing"}]


def planned(steps=STEPS):
    """A state with a plan."""
    state = plan_state()
    plan_tool(state)(copy.deepcopy(steps))
    return state


def test_a_new_plan_replaces_the_old_one():
    """There is one plan, and a revision that counts."""
    state = planned()
    assert plan_tool(state)([{"text": "Ask", "status": "pending"}]) == "plan revision 2: 1 steps"
    assert state == {"steps": [{"text": "Ask", "status": "pending"}], "revision": 2}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([], "a list of steps that is not empty"),
        ("Read", "a list of steps that is not empty"),
        ([*STEPS, STEPS[1]], "one thing at a time: 2"),
        (["Read"], "exactly a text and a status"),
        ([{"text": "Read"}], "exactly a text and a status"),
        ([{**STEPS[0], "note": ""}], "exactly a text and a status"),
        ([{"text": " ", "status": "done"}], "what is to be done"),
        ([{"text": 7, "status": "done"}], "what is to be done"),
        ([{"text": "Read", "status": "later"}], "one of pending, doing, done, not 'later'"),
        ([{"text": "Read", "status": ["done"]}], "one of pending, doing, done"),
    ],
)
def test_another_plan_is_refused_and_the_old_one_stays(steps, told):
    """The model is told what is wrong with it."""
    state = planned()
    before = copy.deepcopy(state)
    with pytest.raises(ValueError, match=told):
        plan_tool(state)(steps)
    assert state == before


def test_the_plan_is_attached_after_the_results():
    """As the last block of the last message, of a copy."""
    messages = history([result("a")])
    attached = attach_plan(messages, planned())
    plan = {"type": "text", "text": "[The current plan, revision 1]\n- [done] Read\n- [doing] Check"}
    assert attached == [*messages[:2], {"role": "user", "content": [result("a"), plan]}]
    assert messages == history([result("a")])


def test_the_plan_is_attached_to_a_question():
    """The question's text becomes a block."""
    content = attach_plan(history(), planned())[0]["content"]
    assert [block["text"] for block in content] == [
        "Why does the build fail?",
        "[The current plan, revision 1]\n- [done] Read\n- [doing] Check",
    ]


def test_without_a_plan_nothing_is_attached():
    """A copy all the same."""
    messages = history([result("a")])
    attached = attach_plan(messages, plan_state())
    assert attached == messages
    assert attached[-1] is not messages[-1]


def test_a_plan_in_the_history_would_be_refused():
    """This is why it goes with the request only."""
    with pytest.raises(ValueError, match="tool_result blocks only"):
        split_history(attach_plan(history([result("a")]), planned()))


def test_the_loop_sends_what_the_assembler_made():
    """System text, tools and the plan as it is at this request; the history holds none of them."""
    sent, state, messages = [], plan_state(), history()
    call = {"type": "tool_use", "id": "p", "name": "update_plan", "input": {"steps": STEPS}}
    replies = [[call], [{"type": "text", "text": "Done."}]]

    def model(request):
        sent.append(request)
        return replies.pop(0)

    tools = [{"name": "update_plan"}]
    ended = run_loop(messages, model, {"update_plan": plan_tool(state)}, assemble=assembler("Be brief.", tools, state))
    assert ended["status"] == "finished"
    assert [(request["system"], request["tools"]) for request in sent] == [("Be brief.", tools)] * 2
    assert sent[0]["messages"] == history()
    assert sent[1]["messages"][-1]["content"][-1]["text"].startswith("[The current plan, revision 1]")
    assert messages[2]["content"] == [result("p", "plan revision 1: 2 steps")]
