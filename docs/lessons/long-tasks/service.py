"""A stand-in for the DeepSeek service: fixed answers, and its rule on reasoning, which it really enforces."""

CALL = {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "station.log"}'}}
ANSWERS = [
    {"content": "", "reasoning_content": "First the log.", "tool_calls": [CALL]},
    {"content": "It ends in nan.", "reasoning_content": "Nothing after 08:40."},
    {"content": "Gladly.", "reasoning_content": "Nothing to look up."},
    {"content": "The sensor.", "reasoning_content": "So it is the sensor."},
]


class BadRequest(Exception):
    """What a service answers with status 400."""


class Service:
    """Answers one request after the other; remembers the reasoning that it gave out."""

    def __init__(self, calls_tools):
        """Begin with the call of a tool, or, for a task without tools, with what is said after it."""
        self.answers = ANSWERS if calls_tools else ANSWERS[1:]
        self.given = []

    def ask(self, request):
        """Return the next answer, and print what came with the request."""
        back = [message.get("reasoning_content") for message in request["messages"] if message["role"] == "assistant"]
        tools = "with tools" if "tools" in request else "without tools"
        print(f"request {len(self.given) + 1}, {tools}: {len(request['messages'])} messages, reasoning {back}")
        if "tools" in request and back != self.given:
            raise BadRequest("400: the reasoning_content must be passed back")
        answer = dict(self.answers[len(self.given)], role="assistant")
        self.given.append(answer["reasoning_content"])
        return answer
