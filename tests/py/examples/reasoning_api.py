"""A loopback server with the two rules on reasoning: DeepSeek's Chat Completions, and Anthropic's Messages.

It remembers what it returned and refuses with 400, as those services do, what does not come back by the rule. It knows
nothing of the chapter's adapters, so that it can bear witness against them. Its answers follow a script.
"""

import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = b"only the server knows"


class Refused(Exception):
    """A request that the service answers with 400."""


class ReasoningAPI:
    """Serves for the time of a `with`. `script`: an answer a request, `("call" | "say", text, reasoning)`."""

    def __init__(self, script):
        """`bodies` are the requests as they came, `answers` what was returned for those that were sound."""
        self.script, self.bodies, self.answers = script, [], []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"api": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        """Begin to serve."""
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

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


class Handler(BaseHTTPRequestHandler):
    """One request: its path says by which interface it is answered."""

    api = None

    def do_POST(self):
        """Answer, or refuse in the form of the interface."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.api.bodies.append(body)
        answer = self.api.chat if self.path.endswith("/chat/completions") else self.api.messages
        try:
            status, told = 200, answer(body)
        except Refused as error:
            status, told = 400, {"type": "error", "error": {"type": "invalid_request_error", "message": str(error)}}
        data = json.dumps(told, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Say nothing."""
