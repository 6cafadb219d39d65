"""A loopback server that speaks the Messages API's form: requests are checked as the API does, then answered or failed.

Who answers are the practice's own fixed models, so that a run by the SDK can be compared with one without.
"""

import json

from loopback import JSONHandler, Loopback

from s08.user_code.stand_ins import stand_ins

KEY = "test-key"
FIELDS = {"model", "max_tokens", "messages", "system", "tools"}
ERRORS = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}


class MessagesAPI(Loopback):
    """Serves for the time of a `with`. `faults` says what happens to the request of a role and number (from 1)."""

    def __init__(self, faults=None):
        """`faults`: `{("parent", 5): "429"}` and the like; see `Handler`."""
        super().__init__(Handler)
        self.faults, self.models = faults or {}, stand_ins()
        self.requests, self.summaries, self.tokens = [], [], {"input_tokens": 0, "output_tokens": 0}

    def roles(self):
        """How many requests came, by role."""
        return {role: self.requests.count(role) for role in ("parent", "child", "summary")}

    def answer(self, body):
        """The message that answers a sound request, and the fault that befalls it, if any."""
        role = role_of(body)
        self.requests.append(role)
        fault = self.faults.get((role, self.requests.count(role)))
        if role == "summary":
            self.summaries.append(body)
            content = [{"type": "text", "text": self.models.summary(body["messages"])}]
        else:
            content = getattr(self.models, role)(body)
        called = any(block["type"] == "tool_use" for block in content)
        usage = {"input_tokens": len(json.dumps(body)) // 4, "output_tokens": len(json.dumps(content)) // 4}
        for name, count in usage.items():
            self.tokens[name] += count
        message = {
            "id": f"msg_{len(self.requests):04}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": "tool_use" if called else "end_turn",
            "stop_sequence": None,
            "usage": usage,
        }
        return message | (fault if isinstance(fault, dict) else {}), fault


class Handler(JSONHandler):
    """One request. Faults: `429`, `529`, `cut`, `malformed`, `html`, `list`; a dict changes the message."""

    def do_POST(self):
        """Answer as the API does."""
        body = self.read()
        if self.path != "/v1/messages":
            return self.fail(404, "no such endpoint")
        # Release 1 of the SDK sends the key by the first of these, release 2 by the second.
        keys = self.headers["x-api-key"], self.headers["authorization"]
        if keys not in ((KEY, None), (None, f"Bearer {KEY}")) or not self.headers["anthropic-version"]:
            return self.fail(401, "no key or no version")
        if wrong := complaint(body):
            return self.fail(400, wrong)
        message, fault = self.api.answer(body)
        if fault in ("429", "529"):
            return self.fail(int(fault), "try again later")
        data = json.dumps(message).encode()
        data = {"malformed": data[:-20], "html": b"<html>Bad gateway</html>", "list": b"[]"}.get(str(fault), data)
        kind = "text/html" if fault == "html" else "application/json"
        self.reply(200, data, kind, sent=len(data) // 2 if fault == "cut" else None)
        self.close_connection = True
        return None

    def fail(self, status, message):
        """Answer with an error of the API's form."""
        error = {"type": "error", "error": {"type": ERRORS.get(status, "api_error"), "message": message}}
        self.reply(status, json.dumps(error | {"request_id": "req_1"}).encode())


def role_of(body):
    """Who asks: the parent can delegate, the child has tools, a summary needs none."""
    tools = {tool["name"] for tool in body.get("tools", [])}
    return "parent" if "delegate" in tools else "child" if tools else "summary"


def complaint(body):
    """What the API would refuse in a request, in words; None for a sound one."""
    if set(body) - FIELDS or not {"model", "max_tokens", "messages"} <= set(body):
        return f"unknown or missing fields: {sorted(body)}"
    if any(set(tool) != {"name", "description", "input_schema"} for tool in body.get("tools", [])):
        return "a tool has other fields"
    roles = [message["role"] for message in body["messages"]]
    if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"]:
        return f"roles do not take turns: {roles}"
    if "tools" not in body and any(isinstance(message["content"], list) for message in body["messages"]):
        return "calls and results need their tools"
    open_calls = []
    for message in body["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else [text(message["content"])]
        kinds = [block["type"] for block in blocks]
        if message["role"] == "user":
            answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            if answered != open_calls or kinds != sorted(kinds, key="tool_result".__ne__):
                return f"results {answered} do not come first and answer {open_calls}"
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return "a text is empty"
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return None


def text(content):
    """A message's plain text as a block."""
    return {"type": "text", "text": content}
