"""A loopback server with the two rules on reasoning: DeepSeek's Chat Completions, and Anthropic's Messages.

It remembers what it returned and refuses with 400, as those services do, what does not come back by the rule. It knows
nothing of the chapter's adapters, so that it can bear witness against them. Its answers follow a script.
"""

import hashlib
import hmac
import json

from loopback import JSONHandler, Loopback

SECRET = b"only the server knows"


class Refused(Exception):
    """A request that the service answers with 400."""


class ReasoningAPI(Loopback):
    """Serves for the time of a `with`. `script`: an answer a request, `("call" | "say", text, reasoning)`.

    `faults` says what befalls the request of a number (from 1): `429`, `529`, `cut` or `malformed`.
    """

    def __init__(self, script, faults=None):
        """`bodies` are the requests as they came, `answers` what was returned for those that were sound."""
        super().__init__(Handler)
        self.script, self.faults, self.bodies, self.answers = script, faults or {}, [], []

    def chat(self, body):
        """Answer a chat completion: with tools, every answer given so far must be back, reasoning and all."""
        if "tools" in body:
            back = [each.get("reasoning_content") for each in body["messages"] if each["role"] == "assistant"]
            if back != [answer.get("reasoning_content") for answer in self.answers]:
                raise Refused("the reasoning_content in the thinking mode must be passed back")
        kind, text, reasoning = self.script[len(self.answers)]
        message = {"role": "assistant", "content": text}
        if reasoning is not None:
            message["reasoning_content"] = reasoning
        if kind == "call":
            function = {"name": "read_file", "arguments": json.dumps({"path": text})}
            message["tool_calls"] = [{"id": f"call_{len(self.answers) + 1}", "type": "function", "function": function}]
        self.answers.append(message)
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if kind == "call" else "stop"}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}

    def messages(self, body):
        """Answer a message: every block of thinking that comes back must carry this server's own signature."""
        for message in body["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            for block in blocks:
                if block["type"] == "thinking" and block.get("signature") != signature(block["thinking"]):
                    raise Refused("invalid signature in thinking block")
                if block["type"] == "redacted_thinking" and block["data"] != signature("sealed"):
                    raise Refused("invalid data in redacted_thinking block")
            if any(block["type"] == "tool_use" for block in blocks) and blocks[0]["type"] != "thinking":
                raise Refused("an answer that called a tool must start with its thinking block")
        kind, text, reasoning = self.script[len(self.answers)]
        content = [{"type": "thinking", "thinking": reasoning, "signature": signature(reasoning)}]
        if kind == "call":
            content.append({"type": "redacted_thinking", "data": signature("sealed")})
            id = f"call_{len(self.answers) + 1}"
            content.append({"type": "tool_use", "id": id, "name": "read_file", "input": {"path": text}})
        else:
            content.append({"type": "text", "text": text})
        self.answers.append(content)
        return {
            "id": "1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": "tool_use" if kind == "call" else "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }


def signature(text):
    """Return the proof that a text is the server's own."""
    return hmac.new(SECRET, text.encode(), hashlib.sha256).hexdigest()


class Handler(JSONHandler):
    """One request: its path says by which interface it is answered."""

    def do_POST(self):
        """Answer, or refuse in the form of the interface."""
        body = self.read()
        self.api.bodies.append(body)
        answer = self.api.chat if self.path.endswith("/chat/completions") else self.api.messages
        fault = self.api.faults.get(len(self.api.bodies))
        try:
            status, told = 200, answer(body)
        except Refused as error:
            status, told = 400, {"type": "error", "error": {"type": "invalid_request_error", "message": str(error)}}
        if fault:
            self.api.answers.pop()  # it never arrives, so it need not come back
        if fault in ("429", "529"):
            status, told = int(fault), {"error": {"type": "overloaded_error", "message": "try again later"}}
        data = json.dumps(told, ensure_ascii=False).encode()
        data = data[:-20] if fault == "malformed" else data
        self.reply(status, data, sent=len(data) // 2 if fault == "cut" else None)
        self.close_connection = True
