"""What an interface returned for going on goes back exactly, by that interface's rules, or the run stops."""

import copy

import pytest

from continuation import (
    OPAQUE,
    SIGNATURE,
    SUMMARY,
    VISIBLE,
    AnthropicMessages,
    ContinuationChanged,
    DeepSeekChat,
    Item,
    ModeMismatch,
    OpenAIResponses,
    ToolsDropped,
)

TOOLS = [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}]
CALLS = [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]


def user(text):
    """Return what a user says."""
    return {"role": "user", "content": text}


def deepseek(**options):
    """Return an adapter that thinks, and a record of two of the user's turns; the second called no tool."""
    adapter = DeepSeekChat("deepseek-chat", **({"thinking": True} | options))
    record = adapter.take(
        [user("check it")],
        {"role": "assistant", "content": "", "reasoning_content": "First the log.\n", "tool_calls": CALLS},
    )
    record.append({"role": "tool", "tool_call_id": "call_1", "content": "ok"})
    record = adapter.take(record, {"role": "assistant", "content": "It is fine.", "reasoning_content": " So it is."})
    record.append(user("thanks"))
    record = adapter.take(record, {"role": "assistant", "content": "Gladly.", "reasoning_content": "No tool needed."})
    return adapter, [*record, user("once more")]


def test_with_tools_all_reasoning_goes_back_in_full():
    """Across the user's turns, and where no tool was called; in the very place and spelling."""
    adapter, record = deepseek()
    assert adapter.request(record, TOOLS) == {
        "model": "deepseek-chat",
        "messages": record,
        "tools": TOOLS,
        "extra_body": {"thinking": {"type": "enabled"}},
    }


def test_without_tools_it_need_not_go_back():
    """A task without tools; the record keeps it all the same."""
    adapter, record = deepseek(needs_tools=False)
    before = copy.deepcopy(record)
    request = adapter.request(record)
    assert "tools" not in request
    assert [message.get("reasoning_content") for message in request["messages"]] == [None] * len(record)
    assert [message["content"] for message in request["messages"]] == [message["content"] for message in record]
    assert record == before


@pytest.mark.parametrize("tools", [[], ()])
def test_tools_are_not_dropped_while_the_task_needs_them(tools):
    """It is no equivalent request, however much shorter."""
    adapter, record = deepseek()
    with pytest.raises(ToolsDropped):
        adapter.request(record, tools)


@pytest.mark.parametrize("position", [1, 3, 5])
@pytest.mark.parametrize("text", [None, "", "…", "First the log."])
def test_changed_reasoning_stops_the_run(position, text):
    """Left out, emptied, shortened, or without its last line break."""
    adapter, record = deepseek()
    record[position] = record[position] | {"reasoning_content": text}
    with pytest.raises(ContinuationChanged, match=f"answer {(position + 1) // 2} lost its visible"):
        adapter.request(record, TOOLS)


def test_a_missing_answer_stops_the_run():
    """Leaving the whole answer out is leaving its reasoning out."""
    adapter, record = deepseek()
    with pytest.raises(ContinuationChanged, match="3 answers came, 2 are here"):
        adapter.request(record[:3] + record[5:], TOOLS)


def test_reasoning_that_was_never_returned_stops_the_run():
    """Nothing is made up for the interface either."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    record = adapter.take([user("hi")], {"role": "assistant", "content": "Hello.", "reasoning_content": ""})
    assert adapter.request(record, TOOLS)["messages"] == record
    record[1] = record[1] | {"reasoning_content": "invented"}
    with pytest.raises(ContinuationChanged, match="order or number"):
        adapter.request(record, TOOLS)


def test_thinking_is_off_unless_asked_for():
    """And each request says so."""
    adapter = DeepSeekChat("deepseek-chat")
    assert adapter.request([user("hi")], TOOLS)["extra_body"] == {"thinking": {"type": "disabled"}}


def test_reasoning_while_thinking_is_off_is_a_mode_mismatch():
    """The run stops, and the answer is in no record; an empty text is no reasoning."""
    adapter = DeepSeekChat("deepseek-chat")
    record = adapter.take([user("hi")], {"role": "assistant", "content": "Hello.", "reasoning_content": ""})
    with pytest.raises(ModeMismatch):
        adapter.take(record, {"role": "assistant", "content": "Hm.", "reasoning_content": "Let me see"})
    assert adapter.request(record, TOOLS)["messages"] == record


def test_the_adapter_objects_to_a_rewrite_while_the_task_needs_tools():
    """That is what the commit boundary asks it."""
    adapter, _ = deepseek()
    assert "in full" in adapter.objection(task_needs_tools=True)
    assert adapter.objection(task_needs_tools=False) is None
    assert DeepSeekChat("deepseek-chat").objection(task_needs_tools=True) is None


def anthropic():
    """Return an adapter and a record with thinking, sealed thinking and a call in one answer."""
    adapter = AnthropicMessages("claude", thinking_tokens=1024, max_tokens=2048)
    answer = [
        {"type": "thinking", "thinking": "First the log.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "c2VhbGVk"},
        {"type": "tool_use", "id": "call_1", "name": "read_file", "input": {}},
    ]
    record = adapter.take([user("check it")], {"role": "assistant", "content": answer})
    return adapter, [*record, user([{"type": "tool_result", "tool_use_id": "call_1", "content": "ok"}])]


def test_blocks_of_thinking_go_back_with_their_signatures():
    """The same blocks in the same order."""
    adapter, record = anthropic()
    assert adapter.held == [[Item(VISIBLE, "First the log."), Item(SIGNATURE, "c2ln"), Item(OPAQUE, "c2VhbGVk")]]
    request = adapter.request(record)
    assert request["messages"] == record
    assert request["thinking"] == {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda blocks: blocks[0].update(thinking="The log."), VISIBLE),
        (lambda blocks: blocks[0].pop("signature"), SIGNATURE),
        (lambda blocks: blocks[0].update(signature="b3RoZXI="), SIGNATURE),
        (lambda blocks: blocks.pop(1), OPAQUE),
        (lambda blocks: blocks.insert(0, blocks.pop(1)), "order"),
    ],
)
def test_a_changed_block_of_thinking_stops_the_run(change, kind):
    """Its text, its signature, its seal, its place."""
    adapter, record = anthropic()
    change(record[1]["content"])
    with pytest.raises(ContinuationChanged, match=kind):
        adapter.request(record)


def test_a_summary_of_reasoning_is_no_thinking():
    """What OpenAI's Responses return: a text to read, and a sealed piece to give back."""
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Looked."}], "encrypted_content": "c2Vh"},
        {"type": "reasoning", "summary": [], "encrypted_content": None},
        {"type": "message", "content": []},
    ]
    items = OpenAIResponses().items({"role": "assistant", "output": output})
    assert items == [Item(SUMMARY, "Looked."), Item(OPAQUE, "c2Vh")]
