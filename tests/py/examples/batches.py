"""Histories made of batches of tool calls, for the tests of pairs."""

import json


def call(id, name="read_file"):
    """Return a tool call."""
    return {"type": "tool_use", "id": id, "name": name, "input": {"path": f"{id}.txt"}}


def result(id, outcome="done"):
    """Return its result."""
    content = json.dumps({"outcome": outcome, "detail": f"what came of {id}"})
    return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": outcome != "done"}


def history(*batches):
    """Return a question and batches, each given as (id, outcome or None where nothing came back)."""
    messages = [{"role": "user", "content": "look"}]
    for batch in batches:
        messages.append({"role": "assistant", "content": [call(id) for id, _ in batch]})
        results = [result(id, outcome) for id, outcome in batch if outcome]
        if results:
            messages.append({"role": "user", "content": results})
    return messages
