"""Take one answer by the adapter of an interface; then let somebody tidy the record."""

from continuation import AnthropicMessages, DeepSeekChat, OpenAIResponses

question = {"role": "user", "content": "Why does the station send nan?"}

if scenario in ("sealed", "dropped"):
    adapter = OpenAIResponses()
    reasoning = {
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Looked at the last line of the log."}],
        "encrypted_content": "gAAAAABn0sealed",
    }
    call = {"type": "function_call", "call_id": "call_1", "name": "read_file", "arguments": "{}"}
    answer = {"role": "assistant", "output": [reasoning, call]}
elif scenario == "shortened":
    adapter = DeepSeekChat("deepseek-chat", thinking=True)
    answer = {
        "role": "assistant",
        "content": "The sensor has lost its zero.",
        "reasoning_content": "The last value is nan. Before it, all is well. So it is the sensor.",
    }
else:
    adapter = AnthropicMessages("claude", thinking_tokens=1024, max_tokens=2048)
    thinking = {"type": "thinking", "thinking": "The last value is nan.", "signature": "EqQBCgIYAhIM"}
    call = {"type": "tool_use", "id": "call_1", "name": "read_file", "input": {"path": "sensor.log"}}
    answer = {"role": "assistant", "content": [thinking, {"type": "redacted_thinking", "data": "EmwKAhgB"}, call]}
