"""Histories for the tests, built by hand."""


def call(call_id, **arguments):
    """One tool call."""
    return {"type": "tool_use", "id": call_id, "name": "read", "input": arguments}


def result(call_id, content="done", is_error=False):
    """One tool result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": is_error}


def pair(*results):
    """The two messages of one exchange: a call for each result."""
    calls = [call(block["tool_use_id"]) for block in results]
    return [{"role": "assistant", "content": calls}, {"role": "user", "content": list(results)}]


def history(*groups, question="Why does the build fail?"):
    """A question and then one pair for each group of results."""
    return [{"role": "user", "content": question}, *(message for group in groups for message in pair(*group))]


def short_pairs(count, size=20):
    """A history of that many pairs, each with one result of `size` characters."""
    return history(*([result(f"call_{number}", "x" * size)] for number in range(1, count + 1)))
