"""The loop with and without a preparation, and the plan that goes with a request."""

import copy
import json

from s01.core.runtime import run_loop
from s05.core.plan import assembler, attach_plan, plan_state, plan_tool
from s08.core.runtime import history_bytes
from s08.user_code.checks.ground import call, check, expect, history, refuses, result, short


def scripted(*replies):
    """Return a model that gives these replies one after the other, and the requests it was sent."""
    sent, left = [], list(replies)

    def model(request):
        sent.append(copy.deepcopy(request))
        reply = left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return model, sent


END = [{"type": "text", "text": "Done."}]
TOOLS = {"read_file": lambda: "done"}


@check("the loop without prepare: calls, results, answer")
def _():
    model, sent = scripted([call("a")], END)
    messages = history()
    expect(run_loop(messages, model, TOOLS) == {"status": "finished", "calls": 2, "answer": "Done.", "error": None})
    expect(sent == [history(), history([result("a")])])


@check("a candidate replaces the active list in place, before the request")
def _():
    model, sent = scripted(END)
    messages = history()
    held = messages
    shorter = [{"role": "user", "content": "Shorter"}]
    run_loop(messages, model, TOOLS, prepare=lambda _given: copy.deepcopy(shorter))
    expect(sent == [shorter] and held[:1] == shorter)


@check("a preparation that raises: context_error, history kept, request not sent, requests counted")
def _():
    def fails(given):
        given.reverse()
        if len(given) > 1:
            raise OSError("disk full")
        return given

    model, sent = scripted([call("a")], END)
    messages = history()
    ended = run_loop(messages, model, TOOLS, prepare=fails)
    expect((ended["status"], ended["calls"], len(sent)) == ("context_error", 1, 1))
    expect(messages == history([result("a")]), "the failure was committed")
    expect("disk full" in ended["error"])


@check("a candidate that is no list is not committed")
def _():
    for candidate in (None, (), {}, "text"):
        model, sent = scripted(END)
        messages = history()
        ended = run_loop(messages, model, TOOLS, prepare=lambda _given, candidate=candidate: candidate)
        expect((ended["status"], ended["calls"], sent, messages) == ("context_error", 0, [], history()))


@check("a model that raises: model_error, history kept")
def _():
    model, _sent = scripted([call("a")], ConnectionError("cut"))
    messages = history()
    ended = run_loop(messages, model, TOOLS)
    expect((ended["status"], ended["calls"], messages) == ("model_error", 2, history([result("a")])))


@check("the current plan goes with the request's copy; the history never holds it")
def _():
    state, messages = plan_state(), short(1)
    update = plan_tool(state)
    for text in ("Old step", "New step"):
        update([{"text": text, "status": "doing"}])
    attached = attach_plan(messages, state)
    expect("New step" in attached[-1]["content"][-1]["text"] and "Old step" not in json.dumps(attached))
    expect(messages == short(1), "the plan is in the history")
    expect(attached[-1]["content"][:-1] == messages[-1]["content"], "results come first")


@check("system text, tools and plan are no part of the measured history")
def _():
    state, messages = plan_state(), short(1)
    plan_tool(state)([{"text": "Step", "status": "doing"}])
    size, request = history_bytes(messages), assembler("System", [{"name": "t"}], state)(messages)
    expect(set(request) == {"system", "tools", "messages"})
    expect(history_bytes(messages) == size < history_bytes(request["messages"]))


@check("a plan has one step in work at most, and only known statuses")
def _():
    update = plan_tool(plan_state())
    refuses(update, [{"text": "a", "status": "doing"}, {"text": "b", "status": "doing"}], says="one thing at a time")
    refuses(update, [{"text": "a", "status": "later"}], says="status")
