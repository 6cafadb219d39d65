"""Check that a history keeps each tool call together with what became of it.

A call and its result are one object of the interface, in two messages. What became of a call is one of:

    done         it ran, and this is the result
    failed       it ran, and went wrong
    refused      it was not allowed to run
    unknown      it was sent, and nobody knows what it did
    unresolved   its result is not there (yet)

Here a result's content is a JSON text, `{"outcome": "refused", "detail": "…"}`; the outcome is one of the first four.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

Block = dict[str, Any]
History = list[dict[str, Any]]

OUTCOMES = ("done", "failed", "refused", "unknown")
UNRESOLVED = "unresolved"
NEEDED = {"tool_use": ("id", "name", "input"), "tool_result": ("tool_use_id", "content")}
SETTLED = ("done", "failed")  # the rest is a state of affairs that later requests must still see


class Mismatch(ValueError):
    """Calls and results that do not belong together: no interface takes such a history."""


class Tidied(ValueError):
    """A rewritten history that says something else about a call than the record does."""


@dataclass(frozen=True)
class Call:
    """One tool call and what became of it. `turn` is the index of the message that made it."""

    id: str
    name: str
    arguments: str
    turn: int
    state: str
    is_error: bool = False


def check_pairs(messages: History) -> list[Call]:
    """Return every call of a history with its state.

    A batch with some results missing is no mismatch: what came back
    counts, the rest is unresolved. Mismatch: a result without a call,
    or in another place.
    """
    calls: list[Call] = []
    seen: list[str] = []
    waiting: list[str] = []  # what the next message may answer
    for turn, message in enumerate(messages):
        results = {}
        for block in blocks_of(message, "tool_result"):
            id = block["tool_use_id"]
            waits = id in waiting and id not in results
            if message["role"] != "user" or not waits:
                raise Mismatch(f"{id} waits for no answer in message {turn}")
            results[id] = block
        calls = [answered(call, results) for call in calls]
        waiting = []
        for block in blocks_of(message, "tool_use"):
            id = block["id"]
            if message["role"] != "assistant" or id in seen:
                raise Mismatch(f"{id} is no call that message {turn} can make")
            seen.append(id)
            waiting.append(id)
            calls.append(new_call(block, turn))
    return calls


def check_rewrite(before: History, after: History) -> list[Call]:
    """Return the calls that a rewrite left out.

    A whole batch that is settled (done or failed) may go. A refusal,
    an unknown or an unresolved call stays, with all of its batch, and
    no call gets another state or other arguments. Tidied: it is not so.
    """
    record = {call.id: call for call in check_pairs(before)}
    kept = {call.id: call for call in check_pairs(after)}
    last = None
    for id, call in kept.items():
        if id not in record:
            raise Tidied(f"{id} was never called")
        check_same(record[id], call)
        if last and moved(record[last.id], record[id], last, call):
            raise Tidied(f"{id} is no longer where it was")
        last = call
    gone = [call for call in record.values() if call.id not in kept]
    turns = [record[id].turn for id in kept]
    for call in gone:
        if call.state not in SETTLED:
            raise Tidied(f"{call.id} is {call.state}, and left out")
        if call.turn in turns:
            raise Tidied(f"{call.id} is left out, half of its batch")
    return gone


def check_same(record: Call, kept: Call) -> None:
    """Raise Tidied unless a call is what the record says, but for its place in the history."""
    for part in ("state", "is_error", "name", "arguments"):
        was, now = getattr(record, part), getattr(kept, part)
        if was != now:
            raise Tidied(f"{record.id}: {part} was {was}, and is {now} in the rewrite")


def moved(one: Call, next_one: Call, kept: Call, next_kept: Call) -> bool:
    """Tell whether two calls no longer follow each other as they did: in one batch, or in a later one."""
    before, after = next_one.turn - one.turn, next_kept.turn - kept.turn
    return before < 0 or (before == 0) != (after == 0)


def new_call(block: Block, turn: int) -> Call:
    """Return a call that was just made: nothing is known of it yet."""
    return Call(block["id"], block["name"], spelled(block["input"]), turn, UNRESOLVED)


def answered(call: Call, results: dict[str, Block]) -> Call:
    """Return the call with the state that its result tells, if its result is among these."""
    if call.id not in results or call.state != UNRESOLVED:
        return call
    block = results[call.id]
    return replace(call, state=outcome_of(block), is_error=block.get("is_error", False))


def outcome_of(block: Block) -> str:
    """Return the outcome that a result states; Mismatch when it states none, or is_error says otherwise."""
    try:
        outcome: str = json.loads(block["content"])["outcome"]
    except (ValueError, TypeError, KeyError):
        raise Mismatch(f"the result of {block['tool_use_id']} states no outcome") from None
    if outcome not in OUTCOMES:
        raise Mismatch(f"the result of {block['tool_use_id']} states the outcome {outcome!r}")
    if block.get("is_error", False) is not (outcome != "done"):
        raise Mismatch(f"the result of {block['tool_use_id']} is {outcome}, and is_error says otherwise")
    return outcome


def blocks_of(message: dict[str, Any], kind: str) -> list[Block]:
    """Return the blocks of one kind in a message; a message whose content is text has none.

    Mismatch: this is no message, or a block lacks what it must have.
    """
    check_parts(message, ("role", "content"))
    content = message["content"]
    if isinstance(content, str):
        return []
    if not isinstance(content, list):
        raise Mismatch(f"the content of a message is text or a list, not {content!r}")
    for block in content:
        check_parts(block, ("type",))
    found = [block for block in content if block["type"] == kind]
    for block in found:
        check_parts(block, NEEDED[kind])
    return found


def check_parts(value: object, names: tuple[str, ...]) -> None:
    """Raise Mismatch unless a value is a dict with these entries."""
    if not isinstance(value, dict) or not set(names) <= set(value):
        raise Mismatch(f"{', '.join(names)} must be there: {value!r}")


def spelled(value: object) -> str:
    """Return the one spelling of arguments, for comparing."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
