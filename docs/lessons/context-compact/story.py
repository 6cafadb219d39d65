"""The story of this lesson: an agent reads old logs, one file after the other."""

QUESTION = "Read the old logs first, then check main.py against expected.txt."


def question():
    """Return the first message: what the user wants."""
    return {"role": "user", "content": QUESTION}


def reading(number, path, text, is_error=False):
    """Return one call of the tool `read_file` and its result."""
    call = {"type": "tool_use", "id": f"call_{number}", "name": "read_file", "input": {"path": path}}
    result = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": text, "is_error": is_error}
    return call, result


def pair(*readings):
    """Return one pair: a message with all the calls, a message with all the results."""
    return [
        {"role": "assistant", "content": [call for call, _ in readings]},
        {"role": "user", "content": [result for _, result in readings]},
    ]


def log(day, lines):
    """Return the text of a log, about 40 characters a line."""
    return "\n".join(f"{day} 09:{minute:02} job {minute + 1:02} finished without warnings" for minute in range(lines))
