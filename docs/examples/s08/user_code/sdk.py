"""Real models by the official Anthropic SDK (written for 1.13.0, tried with 2.14.0), for `practice.py --live` only.

The practice counts requests, so the SDK may not repeat one by itself; what it raises ends the run
(the loop says `model_error`, or `context_error` for a summary) and the history stays as it was.
"""

import json
import os

from s08.core.runtime import compact_json
from s08.user_code.agents import Models
from s08.user_code.texts import SUMMARY_REQUEST, SUMMARY_SYSTEM

MAX_TOKENS = 1024  # for one answer
TIMEOUT = 60  # seconds


class ModelError(Exception):
    """An answer that came but cannot be used."""


class Unavailable(Exception):
    """Something is missing that a live run needs; nothing was started."""


def client_from(environ=os.environ):
    """Return a client of the SDK; Unavailable, with what to do, if SDK or key is missing."""
    try:
        import anthropic
    except ImportError:
        raise Unavailable("the SDK is not installed: pip install anthropic==1.13.0") from None
    key = environ.get("ANTHROPIC_API_KEY", "").strip()
    if not key:
        raise Unavailable("there is no key: set ANTHROPIC_API_KEY")
    return anthropic.Anthropic(api_key=key, max_retries=0, timeout=TIMEOUT)


def live_models(client, model, usage):
    """Return parent, child and summary of one real model; `usage` is a dict that adds up the tokens it reports."""

    def ask(request):
        return checked_turn(send(client, usage, model=model, **request))

    def summarize(messages):
        # As a text to read: sent as turns, calls would need their tools, and the model might go on with them.
        record = "\n".join(compact_json(message) for message in messages)
        asked = [{"role": "user", "content": f"{SUMMARY_REQUEST}\n\n{record}"}]
        return checked_summary(send(client, usage, model=model, system=SUMMARY_SYSTEM, messages=asked))

    return Models(parent=ask, child=ask, summary=summarize)


def send(client, usage, **request):
    """Send one request and return the message; add its tokens to the usage."""
    try:
        message = client.messages.create(max_tokens=MAX_TOKENS, **request)
    except json.JSONDecodeError as error:
        raise ModelError(f"the server's answer is no JSON: {error}") from error
    if getattr(message, "type", None) != "message" or not isinstance(getattr(message, "content", None), list):
        raise ModelError("the server's answer is no message")
    for name in ("input_tokens", "output_tokens"):
        usage[name] = usage.get(name, 0) + (getattr(message.usage, name, None) or 0)
    return message


def checked_turn(message):
    """Return the blocks of a turn that is complete: calls of tools, or an answer."""
    blocks = [plain(block) for block in message.content]
    called = any(block["type"] == "tool_use" for block in blocks)
    if message.stop_reason != ("tool_use" if called else "end_turn"):
        raise ModelError(f"the turn is not complete: it ended by {message.stop_reason}")
    return blocks


def checked_summary(message):
    """Return the text of a summary that came to its own end; one that was cut off is none."""
    if message.stop_reason != "end_turn":
        raise ModelError(f"the summary is not complete: it ended by {message.stop_reason}")
    return "".join(plain(block)["text"] for block in message.content if block.type == "text")


def plain(block):
    """Return a block as a history holds it."""
    if block.type == "text" and type(block.text) is str:
        return {"type": "text", "text": block.text}
    if block.type == "tool_use" and type(block.input) is dict:
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": block.input}
    raise ModelError(f"a history of this lesson has no place for a block of type {block.type!r}")
