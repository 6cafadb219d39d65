"""The agent's loop: ask the model, carry out its tool calls, ask again.

This is the only loop of the book. It works on the active history in place. Later lessons
import it and hand it what they add:

- `prepare(copy)` returns a shorter candidate for the active history;
- `assemble(copy)` makes the request of it, which is the bare messages unless given;
- `model(request)` returns the blocks of an assistant message;
- `tools` maps names to functions of keyword arguments.
"""

import copy


def run_loop(messages, model, tools, max_calls=20, prepare=None, assemble=None):
    """Run until the model answers without calling a tool.

    Returns `status` (finished, call_limit, context_error or
    model_error), `calls` (requests sent), `answer` and `error`.
    """
    for calls in range(max_calls):
        try:
            if prepare is not None:
                candidate = checked_candidate(prepare(copy.deepcopy(messages)))
                # The commit point, inside the same list.
                messages[:] = candidate
            request = copy.deepcopy(messages)
            if assemble is not None:
                request = assemble(request)
        except Exception as error:
            return ended("context_error", calls, error=error)

        try:
            blocks = model(request)
        except Exception as error:
            return ended("model_error", calls + 1, error=error)

        messages.append({"role": "assistant", "content": blocks})
        results = [run_tool(block, tools) for block in blocks if block["type"] == "tool_use"]
        if not results:
            return ended("finished", calls + 1, answer=answer_text(blocks))
        messages.append({"role": "user", "content": results})
    return ended("call_limit", max_calls)


def checked_candidate(candidate):
    """Return the candidate; TypeError unless it is a list, for nothing else can be a history."""
    if not isinstance(candidate, list):
        raise TypeError(f"prepare must return a list of messages, not {type(candidate).__name__}")
    return candidate


def run_tool(block, tools):
    """Return the result block of one call; an exception of the tool is a result too."""
    try:
        content, is_error = str(tools[block["name"]](**block["input"])), False
    except Exception as error:
        content, is_error = f"{type(error).__name__}: {error}", True
    return {"type": "tool_result", "tool_use_id": block["id"], "content": content, "is_error": is_error}


def answer_text(blocks):
    """Return the text of an assistant's blocks."""
    return "".join(block["text"] for block in blocks if block["type"] == "text")


def ended(status, calls, answer="", error=None):
    """Return the result of a loop."""
    told = None if error is None else f"{type(error).__name__}: {error}"
    return {"status": status, "calls": calls, "answer": answer, "error": told}
