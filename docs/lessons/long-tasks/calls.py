"""The station's agent at work: it reads, it sends a mail, it wants to restart the station."""

import json


def question():
    """Return the first message."""
    return {"role": "user", "content": "Why are there no numbers after 08:40? Tell the technician."}


def call(number, name, **arguments):
    """Return one tool call."""
    return {"type": "tool_use", "id": f"call_{number}", "name": name, "input": arguments}


def result(number, outcome, detail):
    """Return the result of a call: its outcome and what there is to say."""
    content = json.dumps({"outcome": outcome, "detail": detail})
    return {"type": "tool_result", "tool_use_id": f"call_{number}", "content": content, "is_error": outcome != "done"}


def asked(*calls):
    """Return the assistant's message with a batch of calls."""
    return {"role": "assistant", "content": list(calls)}


def answered(*results):
    """Return the message with what came back."""
    return {"role": "user", "content": list(results)}


def two_readings():
    """Return a batch of two readings, one of which failed, with its results."""
    calls = asked(call(1, "read_file", path="station.log"), call(2, "read_file", path="sensor.log"))
    return [calls, answered(result(1, "done", "08:40 nan"), result(2, "failed", "no such file"))]


def refused_restart():
    """Return a call that nobody allowed, with its refusal."""
    return [asked(call(3, "restart_station")), answered(result(3, "refused", "the operator said no"))]


def lost_mail():
    """Return a call whose connection broke, with the unknown that is left of it."""
    return [asked(call(4, "send_mail", to="technician")), answered(result(4, "unknown", "the connection broke"))]
