"""Make an agent's history shorter before the next request, without ever losing it.

A history is a list of messages: the user's question, then pairs. A pair is one assistant
message that calls tools and the one user message that holds all their results:

    {"role": "user", "content": "Why does the build fail?"}
    {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "read", "input": {…}}]}
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "call_1", "content": "…", "is_error": False}]}

Every function here answers with a new *candidate* and leaves the history it was given alone.
The loop that owns the history commits a candidate, and only when the whole preparation succeeded.
"""

import copy
import json
import secrets
from pathlib import Path

SNAPSHOT_LIMIT = 1_000_000  # bytes: a snapshot is a note for people, not a database
SUMMARY_LIMIT = 1_000  # characters: a summary as long as the history would gain nothing


# --- Reading a history -----------------------------------------------------------------------


def checked_exchange(request, response):
    """Return the pair `(request, response)` if each call has exactly one result; else raise ValueError."""
    asked = call_ids(message_blocks(request, "assistant"))
    answered = result_ids(message_blocks(response, "user"))
    # Results may come back in any order, so only the ids themselves are compared.
    if sorted(asked) != sorted(answered):
        raise ValueError(f"calls {asked} and results {answered} do not match one to one")
    return request, response


def message_blocks(message, role):
    """Return the blocks of a message that must have this role."""
    if not isinstance(message, dict) or message.get("role") != role:
        raise ValueError(f"a pair needs a message of the {role} here")
    if not isinstance(message.get("content"), list):
        raise ValueError(f"the {role} message of a pair needs a list of blocks as its content")
    return message["content"]


def call_ids(blocks):
    """Return the ids of the tool calls among an assistant's blocks, in their order."""
    for block in blocks:
        if not isinstance(block, dict) or block.get("type") not in ("text", "tool_use"):
            raise ValueError("an assistant message may hold text and tool_use blocks only")
    ids = [block.get("id") for block in blocks if block["type"] == "tool_use"]
    if not ids:
        raise ValueError("an assistant message of a pair calls at least one tool")
    if not all(type(call) is str and call for call in ids):
        raise ValueError("every tool call needs an id that is non-empty text")
    if len(set(ids)) != len(ids):
        raise ValueError(f"two tool calls share one id: {ids}")
    return ids


def result_ids(blocks):
    """Return the ids that the result blocks answer, in their order."""
    kinds = {"tool_use_id": str, "content": str, "is_error": bool}
    for block in blocks:
        if not isinstance(block, dict) or block.get("type") != "tool_result":
            raise ValueError("the message after a call may hold tool_result blocks only")
        for name, kind in kinds.items():
            if type(block.get(name)) is not kind:
                raise ValueError(f"a tool_result needs {name} as {kind.__name__}")
    return [block["tool_use_id"] for block in blocks]


def check_question(messages):
    """Raise ValueError unless the history starts with the user's question as text."""
    if not isinstance(messages, list) or not messages:
        raise ValueError("a history is a list of messages that starts with the question")
    first = messages[0]
    if not isinstance(first, dict) or first.get("role") != "user" or type(first.get("content")) is not str:
        raise ValueError("the first message must be the user's question, as text")


def split_history(messages, keep_recent=1):
    """Cut a history into question, older pairs and recent pairs, all of them copies.

    The last `keep_recent` (1 to 4) pairs are the recent ones. ValueError: this is not
    the moment to cut, for only a question followed by complete pairs can be cut.
    """
    # type(), not isinstance(): True is an int to Python, but no number of pairs.
    if type(keep_recent) is not int or not 1 <= keep_recent <= 4:
        raise ValueError(f"keep_recent must be an int from 1 to 4, not {keep_recent!r}")
    check_question(messages)
    exchanges = messages[1:]
    if len(exchanges) % 2 != 0:
        raise ValueError("results are not all in: the last call has no answer yet")

    pairs = []
    for start in range(0, len(exchanges), 2):
        request, response = exchanges[start : start + 2]
        pairs.append(checked_exchange(request, response))

    # Counting pairs, not messages, no cut can part a call from its results.
    cut = max(0, len(pairs) - keep_recent)
    parts = {"question": messages[0], "older": pairs[:cut], "recent": pairs[cut:]}
    return copy.deepcopy(parts)


# --- Measuring and saving --------------------------------------------------------------------


def history_bytes(messages):
    """Return how many bytes the messages take as compact JSON in UTF-8."""
    return len(compact_json(messages).encode("utf-8"))


def compact_json(value):
    """Return JSON without spaces between its parts; 测 stays 测 and does not become \\u6d4b.

    TypeError: JSON cannot hold this.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:  # nan, infinity, a list inside of itself
        raise TypeError(f"JSON cannot hold this: {error}") from None


def archive_writer(directory, limit=SNAPSHOT_LIMIT):
    """Return `save(messages)`, which writes a snapshot into the directory and returns its name.

    A snapshot is a JSON Lines file: one message a line. The name is the receipt by which the
    snapshot is found again. ValueError: more than `limit` bytes; OSError: it cannot be written.
    """
    directory = Path(directory)

    def save(messages):
        data = "".join(compact_json(message) + "\n" for message in messages).encode("utf-8")
        if len(data) > limit:
            raise ValueError(f"a snapshot of {len(data)} bytes is over the limit of {limit}")
        directory.mkdir(parents=True, exist_ok=True)
        name = f"context-{secrets.token_hex(6)}.jsonl"
        # "x" creates and never overwrites: a receipt that was handed out stays true.
        with (directory / name).open("xb") as file:
            file.write(data)
        return name

    return save


# --- Making it shorter -----------------------------------------------------------------------


def trim_results(messages, receipt, keep_recent=1, max_chars=600):
    """Return a copy in which the large results of older pairs are short stubs.

    The receipt names the snapshot that the caller has saved. Roles, ids, error flags,
    the assistant's messages and the recent pairs stay as they were.
    """
    if not is_text(receipt):
        raise ValueError("save a snapshot first: without a receipt the text is lost")
    if type(max_chars) is not int or max_chars < 1:
        raise ValueError(f"max_chars must be an int above 0, not {max_chars!r}")
    older = split_history(messages, keep_recent)["older"]

    # Message by message: a block that two pairs share is two blocks from here on.
    candidate = [copy.deepcopy(message) for message in messages]
    for pair in range(len(older)):
        index = 2 * pair + 2  # 0 is the question, then call and results take turns
        for slot, block in enumerate(candidate[index]["content"]):
            if len(block["content"]) > max_chars:
                block["content"] = result_stub(receipt, index, slot, block)
    return candidate


def result_stub(receipt, index, slot, block):
    """Return the text that stands where a large result was."""
    return (
        f"[Trimmed. Not a result of execution. The full text is in snapshot {receipt}, "
        f"message {index}, block {slot}, tool call {block['tool_use_id']}.]"
    )


def is_text(value):
    """Tell whether a value is text with something in it."""
    return type(value) is str and value.strip() != ""


def prepare_context(messages, question, state, archive, summarize, budget=3200, keep_recent=1):
    """Return a candidate of at most `budget` bytes; `messages` stays as it is.

    `state` lasts over all requests: `archives` (receipts), `summaries` (attempts) and
    `max_summaries`. A failure raises; what it saved and tried stays counted there.
    """
    check_request(question, budget)
    split_history(messages, keep_recent)  # refuse a broken history before saving it
    if history_bytes(messages) <= budget:
        return copy.deepcopy(messages)

    receipt = archive(copy.deepcopy(messages))
    if not is_text(receipt):
        raise failure("the archive gave no receipt: nothing may be trimmed", state)
    state["archives"].append(receipt)

    candidate = trim_results(messages, receipt, keep_recent)
    if history_bytes(candidate) <= budget:
        return candidate

    parts = split_history(candidate, keep_recent)
    if not parts["older"]:
        raise failure("recent exchange alone too large: shrink the tool output", state)
    if state["summaries"] >= state["max_summaries"]:
        raise failure("no summary is left to spend", state)

    state["summaries"] += 1  # before the call: a failed attempt costs a request too
    summary = summarize([parts["question"], *joined(parts["older"])])  # copies, all
    opening = compact_opening(question, checked_summary(summary, state), receipt)
    candidate = [opening, *joined(parts["recent"])]
    check_candidate(candidate, messages, budget, keep_recent, state)
    return candidate


def context_state(max_summaries=2):
    """Return the counters of a new run: no snapshot yet, no summary tried."""
    return {"archives": [], "summaries": 0, "max_summaries": max_summaries}


def check_request(question, budget):
    """Raise ValueError unless the question is text and the budget an int from 400 up."""
    if not is_text(question):
        raise ValueError("the question must be non-empty text")
    # Below 400 bytes not even the notes of a summary fit. This measures JSON, not an API's tokens.
    if type(budget) is not int or budget < 400:
        raise ValueError(f"the budget must be an int of at least 400 bytes, not {budget!r}")


def joined(pairs):
    """Return the messages of the pairs, one after the other."""
    return [message for pair in pairs for message in pair]


def checked_summary(summary, state):
    """Return the summary without the blanks around it; ValueError if it is none."""
    if not is_text(summary):
        raise failure("the summary is blank or no text", state)
    # Measured as it came: blanks around a text do not make it shorter.
    if len(summary) > SUMMARY_LIMIT:
        raise failure(f"the summary has {len(summary)} characters, over {SUMMARY_LIMIT}", state)
    return summary.strip()


def compact_opening(question, summary, receipt):
    """Return the new first message, always built from the host's question.

    Building on the old first message would wrap a summary around a summary.
    """
    text = (
        f"{question}\n\n"
        f"[Summary of earlier steps, for reference only]\n{summary}\n\n"
        f"[The full record is in snapshot {receipt}. Load the rules again before following them. "
        f"Permissions given earlier do not authorise this run.]"
    )
    return {"role": "user", "content": text}


def check_candidate(candidate, messages, budget, keep_recent, state):
    """Raise ValueError unless the candidate is whole, fits, and gained something."""
    split_history(candidate, keep_recent)
    size = history_bytes(candidate)
    if size > budget:
        raise failure(f"with the summary it still takes {size} bytes, over {budget}", state)
    if size >= history_bytes(messages):
        raise failure("the candidate is not smaller than the history", state)


def failure(reason, state):
    """Return the error that says why, and what the attempt leaves behind."""
    saved, used, most = len(state["archives"]), state["summaries"], state["max_summaries"]
    return ValueError(f"{reason} (history unchanged; snapshots saved: {saved}, summaries used: {used} of {most})")
