"""The rules of the s01 loop: what it does by itself, and when it commits a prepared history."""

import copy

import pytest
from histories import call, history, result

from s01.core.runtime import run_loop

ANSWER = [{"type": "text", "text": "It is "}, {"type": "text", "text": "42."}]
TOOLS = {"read": lambda path="main.py": f"text of {path}"}


class Model:
    """A stand-in that gives its replies one after the other and notes what it was sent."""

    def __init__(self, *replies):
        """Reply with these blocks, or raise these exceptions."""
        self.replies, self.seen = list(replies), []

    def __call__(self, messages):
        """Note, spoil and answer."""
        self.seen.append(copy.deepcopy(messages))
        messages.clear()
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def test_an_answer_ends_the_loop():
    """One request, no tool: the text is the answer."""
    messages = history()
    assert run_loop(messages, Model(ANSWER), TOOLS) == {
        "status": "finished",
        "calls": 1,
        "answer": "It is 42.",
        "error": None,
    }
    assert messages == [*history(), {"role": "assistant", "content": ANSWER}]


def test_results_go_into_the_next_request():
    """All calls of one message are answered in one message."""
    model = Model([call("a", path="a.py"), call("b")], ANSWER)
    messages = history()
    assert run_loop(messages, model, TOOLS)["calls"] == 2
    assert model.seen[1] == messages[:3]
    assert messages[2]["content"] == [result("a", "text of a.py"), result("b", "text of main.py")]


@pytest.mark.parametrize("block", [call("a", wrong=1), call("a") | {"name": "none"}])
def test_a_tool_that_fails_is_a_result(block):
    """The model is told; the loop goes on."""
    messages = history()
    assert run_loop(messages, Model([block], ANSWER), TOOLS)["status"] == "finished"
    assert messages[2]["content"][0]["is_error"] is True
    assert "Error" in messages[2]["content"][0]["content"]


def test_the_loop_has_a_limit():
    """A model that never answers is not asked for ever."""
    messages = history()
    ended = run_loop(messages, Model(*([call(name)] for name in "abc")), TOOLS, max_calls=3)
    assert (ended["status"], ended["calls"], len(messages)) == ("call_limit", 3, 7)


def test_a_model_that_raises():
    """The request counts, the history stays."""
    messages = history()
    ended = run_loop(messages, Model([call("a")], TimeoutError("cut")), TOOLS)
    assert (ended["status"], ended["calls"], ended["error"]) == ("model_error", 2, "TimeoutError: cut")
    assert len(messages) == 3


def test_a_candidate_replaces_the_active_history_in_place():
    """Everybody who holds the list sees the candidate; the model is sent it."""
    model, messages = Model([call("a")], ANSWER), history()
    ended = run_loop(messages, model, TOOLS, prepare=lambda given: [*history(question="Shorter"), *given[1:]])
    assert ended["status"] == "finished"
    assert model.seen[0] == history(question="Shorter")
    assert model.seen[1] == messages[:3]
    assert messages[0]["content"] == "Shorter"


def test_prepare_works_on_a_copy():
    """What it does to its argument is not done to the history."""
    messages = history()

    def prepare(given):
        candidate = copy.deepcopy(given)
        given[0]["content"] = "spoilt"
        return candidate

    run_loop(messages, Model(ANSWER), TOOLS, prepare=prepare)
    assert messages[0] == history()[0]


@pytest.mark.parametrize("candidate", [None, (), "text", {}, iter([])])
def test_a_candidate_that_is_no_list_is_not_committed(candidate):
    """The history stays, the request is not sent."""
    model, messages = Model(ANSWER), history()
    ended = run_loop(messages, model, TOOLS, prepare=lambda _given: candidate)
    assert (ended["status"], ended["calls"], model.seen, messages) == ("context_error", 0, [], history())
    assert ended["error"].startswith("TypeError: prepare must return a list")


def test_a_preparation_that_raises_keeps_the_history():
    """`calls` says how many requests were sent before."""
    model, messages, prepared = Model([call("a")], ANSWER), history(), []

    def prepare(given):
        prepared.append(len(given))
        if len(given) > 1:
            given.clear()
            raise ValueError("too large")
        return given

    ended = run_loop(messages, model, TOOLS, prepare=prepare)
    assert (ended["status"], ended["calls"], ended["error"]) == ("context_error", 1, "ValueError: too large")
    assert (prepared, len(messages), len(model.seen)) == ([1, 3], 3, 1)


def test_a_request_is_assembled_from_a_copy():
    """After the commit; what is added to it, or taken from it, is not in the history."""
    model, messages = Model(ANSWER), history()

    def assemble(given):
        assert given == history(question="Shorter")
        given.clear()
        return [{"role": "user", "content": "assembled"}]

    run_loop(messages, model, TOOLS, prepare=lambda _given: history(question="Shorter"), assemble=assemble)
    assert model.seen == [[{"role": "user", "content": "assembled"}]]
    assert messages[:1] == history(question="Shorter")


def test_a_request_that_cannot_be_assembled_is_not_sent():
    """It is no fault of the model's."""
    model, messages = Model(ANSWER), history()
    ended = run_loop(messages, model, TOOLS, assemble=lambda given: given[7])
    assert (ended["status"], ended["calls"], model.seen, messages) == ("context_error", 0, [], history())
