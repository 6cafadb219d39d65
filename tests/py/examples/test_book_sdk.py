"""The rules on reasoning with the official SDKs, against a loopback server that enforces them."""

import copy
import json

import pytest
from reasoning_api import ReasoningAPI

from continuation import AnthropicMessages, ContinuationChanged, DeepSeekChat, ModeMismatch, ToolsDropped

openai = pytest.importorskip("openai", reason="the SDK is not installed: pip install 'tracepane[sdk]'")
anthropic = pytest.importorskip("anthropic", reason="the SDK is not installed: pip install 'tracepane[sdk]'")

PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}
CHAT_TOOLS = [{"type": "function", "function": {"name": "read_file", "parameters": PARAMETERS}}]
TOOLS = [{"name": "read_file", "input_schema": PARAMETERS}]
SCRIPT = [
    ("call", "logs/monday.txt", "Read the log first.\n\n  启动?\u2028 "),
    ("call", "logs/tuesday.txt", "And the next one."),
    ("say", "Both are fine.", "No warning in either."),
    ("say", "Gladly.", "Nothing to look up."),  # a turn in which no tool is called
    ("call", "main.py", "Now the program."),
    ("say", "It prints 42.", "6 * 7."),
]


def user(text):
    """Return what a user says."""
    return {"role": "user", "content": text}


def chat(api):
    """Return a function that sends a request by the OpenAI SDK and gives the answer as it came."""
    # None but the adapter's requests: the SDK would ask again by itself, and the server counts what comes.
    client = openai.OpenAI(api_key="test", base_url=api.url, max_retries=0)

    def ask(request):
        # What the server did not send is not added: None is another answer than nothing.
        return client.chat.completions.create(**request).choices[0].message.model_dump(exclude_unset=True)

    return ask


def converse(adapter, ask, record, tools=CHAT_TOOLS):
    """Take one turn of the user to its end: calls are answered until the model says something."""
    while True:
        message = ask(adapter.request(record, tools))
        record = adapter.take(record, message)
        if not message.get("tool_calls"):
            return record
        for call in message["tool_calls"]:
            record = [*record, {"role": "tool", "tool_call_id": call["id"], "content": "12 jobs"}]


def test_deepseek_has_all_reasoning_back_across_turns():
    """Three turns of the user, one without a tool: the server, which compares every byte, never refuses."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    with ReasoningAPI(SCRIPT) as api:
        record = []
        for text in ("Check the logs.", "Thanks.", "And the program?"):
            record = converse(adapter, chat(api), [*record, user(text)])
    assert len(api.bodies) == len(SCRIPT)
    assert all(body["thinking"] == {"type": "enabled"} for body in api.bodies)
    answers = [message for message in record if message["role"] == "assistant"]
    assert [answer["reasoning_content"] for answer in answers] == [reasoning for _, _, reasoning in SCRIPT]
    last = [message for message in api.bodies[-1]["messages"] if message["role"] == "assistant"]
    assert last == api.answers[:-1]


def test_the_server_does_refuse():
    """Without the adapter, one reasoning left out is an error of the SDK: the test above can fail."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    with ReasoningAPI(SCRIPT) as api:
        ask = chat(api)
        record = converse(adapter, ask, [user("Check the logs.")])
        request = adapter.request([*record, user("Thanks.")], CHAT_TOOLS)
        del request["messages"][-2]["reasoning_content"]
        with pytest.raises(openai.BadRequestError, match="must be passed back"):
            ask(request)


def test_deepseek_without_tools():
    """No reasoning goes out, and the server asks for none; the record keeps it."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True, needs_tools=False)
    script = [("say", "One.", "Thinking of one."), ("say", "Two.", "Thinking of two.")]
    with ReasoningAPI(script) as api:
        record = converse(adapter, chat(api), [user("Count.")], tools=())
        record = converse(adapter, chat(api), [*record, user("Go on.")], tools=())
    assert not any("reasoning_content" in message for message in api.bodies[1]["messages"])
    assert not any("tools" in body for body in api.bodies)
    assert [message.get("reasoning_content") for message in record] == [
        None, "Thinking of one.", None, "Thinking of two.",
    ]  # fmt: skip


def test_a_turn_without_tools_is_not_sent_while_the_task_needs_them():
    """Refused before anything goes out; the next turn, with tools, goes on."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    with ReasoningAPI(SCRIPT) as api:
        record = [*converse(adapter, chat(api), [user("Check the logs.")]), user("Thanks.")]
        with pytest.raises(ToolsDropped):
            converse(adapter, chat(api), record, tools=())
        assert len(api.bodies) == 3
        assert converse(adapter, chat(api), record)[-1]["content"] == "Gladly."


def test_a_shortened_reasoning_is_not_sent():
    """The adapter sees it before the server would."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    with ReasoningAPI(SCRIPT) as api:
        record = [*converse(adapter, chat(api), [user("Check the logs.")]), user("Thanks.")]
        record[1] = record[1] | {"reasoning_content": record[1]["reasoning_content"].strip()}
        with pytest.raises(ContinuationChanged):
            converse(adapter, chat(api), record)
    assert len(api.bodies) == 3


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", openai.RateLimitError),
        ("529", openai.InternalServerError),
        ("cut", openai.APIConnectionError),
        ("malformed", json.JSONDecodeError),
    ],
)
def test_a_failed_request_leaves_the_record_as_it_was(fault, error):
    """It is sent once, its error comes out, and the same record can be gone on with: all reasoning is still there."""
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    with ReasoningAPI(SCRIPT, {4: fault}) as api:
        record = [*converse(adapter, chat(api), [user("Check the logs.")]), user("Thanks.")]
        before = copy.deepcopy((record, adapter.held))
        with pytest.raises(error):
            converse(adapter, chat(api), record)
        assert len(api.bodies) == 4
        assert (record, adapter.held) == before
        assert converse(adapter, chat(api), record)[-1]["content"] == "Gladly."


def test_reasoning_while_thinking_is_off_stops_the_run():
    """The answer is in no record, and no other request follows."""
    adapter = DeepSeekChat("deepseek-chat")
    with ReasoningAPI([("say", "Hello.", None), ("call", "logs/monday.txt", "Let me see."), *SCRIPT]) as api:
        record = converse(adapter, chat(api), [user("Hi.")])
        with pytest.raises(ModeMismatch):
            converse(adapter, chat(api), [*record, user("Check the logs.")])
    assert [body["thinking"] for body in api.bodies] == [{"type": "disabled"}] * 2


def signed(api):
    """Return a function that sends a request by the Anthropic SDK and gives the answer as a message of a record."""
    # None but the adapter's requests, as above.
    client = anthropic.Anthropic(api_key="test", base_url=api.url, max_retries=0)

    def ask(request):
        blocks = client.messages.create(**request).content
        return {"role": "assistant", "content": [block.model_dump(exclude_unset=True) for block in blocks]}

    return ask


def claude():
    """Return the adapter of the tests."""
    return AnthropicMessages("claude-test", thinking_tokens=1024, max_tokens=2048)


def first_call(api, adapter):
    """Return the record after one call and its result."""
    record = adapter.take([user("Check the logs.")], signed(api)(adapter.request([user("Check the logs.")], TOOLS)))
    [call] = [block for block in record[-1]["content"] if block["type"] == "tool_use"]
    return [*record, user([{"type": "tool_result", "tool_use_id": call["id"], "content": "12 jobs"}])]


def test_anthropic_has_its_signatures_back():
    """Thinking and sealed thinking, as they came: the server checks each signature."""
    adapter = claude()
    with ReasoningAPI([SCRIPT[0], SCRIPT[2]]) as api:
        record = first_call(api, adapter)
        record = adapter.take(record, signed(api)(adapter.request(record, TOOLS)))
    assert [message["content"] for message in record if message["role"] == "assistant"] == api.answers
    assert api.bodies[1]["messages"][1]["content"] == api.answers[0]


@pytest.mark.parametrize("change", [{"thinking": "Read the log."}, {"signature": "x"}])
def test_a_changed_block_of_thinking_is_not_sent(change):
    """The adapter sees it; the server, asked without the adapter, refuses it."""
    adapter = claude()
    with ReasoningAPI([SCRIPT[0], SCRIPT[2]]) as api:
        record = first_call(api, adapter)
        request = adapter.request(record, TOOLS)
        record[1]["content"][0] |= change
        with pytest.raises(ContinuationChanged):
            adapter.request(record, TOOLS)
        assert len(api.bodies) == 1
        with pytest.raises(anthropic.BadRequestError, match="invalid signature"):
            signed(api)(request)
