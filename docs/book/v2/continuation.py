"""Keep what an interface returned for going on with, and give it back by that interface's own rules.

Beside its answer a model may return four different things, none of which is a summary of the program's making:

    visible thinking     text of its reasoning, as the interface shows it
    reasoning summary    a text that the interface made of reasoning that it keeps to itself
    signature            a proof that a piece of thinking is the interface's own, unchanged
    opaque continuation  a sealed piece that only the interface can read

An adapter keeps them exactly, notices when anything between two requests changed them, and knows when they must go
back. It never asks what they say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

VISIBLE, SUMMARY, SIGNATURE, OPAQUE = "visible thinking", "reasoning summary", "signature", "opaque continuation"

Message = dict[str, Any]
Record = Sequence[Message]


@dataclass(frozen=True)
class Item:
    """One continuation item: which of the four it is, and the text exactly as it came."""

    kind: str
    text: str


class RunStopped(Exception):
    """The run ends here: going on would send the interface something that it did not give, or not by its rules."""


class ContinuationChanged(RunStopped):
    """Something between two requests left out, shortened or changed what must go back as it came."""


class ModeMismatch(RunStopped):
    """The interface thinks although the run has thinking off, so this is not the mode that was agreed on."""


class ToolsDropped(RunStopped):
    """A request without tools, in a task that still needs them."""


class Adapter:
    """What the adapters share: they hold what came with each answer."""

    def __init__(self) -> None:
        self.held: list[list[Item]] = []

    def items(self, message: Message) -> list[Item]:
        """Return the continuation items of an answer, in their order."""
        raise NotImplementedError

    def take(self, record: Record, message: Message) -> list[Message]:
        """Return the record with one more answer, just as it came."""
        self.held.append(self.items(message))
        return [*record, message]

    def check(self, record: Record) -> None:
        """Raise ContinuationChanged unless answers carry what they did."""
        answers = [each for each in record if each["role"] == "assistant"]
        here, came = len(answers), len(self.held)
        if here != came:
            raise ContinuationChanged(f"{came} answers came, {here} are here")

        for number, held in enumerate(self.held):
            items = self.items(answers[number])
            if items != held:
                lost = [item.kind for item in held if item not in items]
                what = lost[0] if lost else "order or number of items"
                told = f"answer {number + 1} lost its {what}"
                raise ContinuationChanged(told)

    def objection(self, task_needs_tools: bool) -> str | None:
        """Say what stands against a rewrite of answers, or None."""
        if task_needs_tools and any(self.held):
            return "answers carry items that must go back in full"
        return None


class DeepSeekChat(Adapter):
    """DeepSeek's Chat Completions (the rule as of 2026-11-01).

    With tools, all `reasoning_content` of the history goes back in full,
    across the user's turns, and for answers that called no tool. Without
    tools it need not, and is ignored. Thinking is off unless asked for;
    each request says so: no default of the service decides it.
    """

    def __init__(
        self,
        model: str,
        thinking: bool = False,
        needs_tools: bool = True,
    ) -> None:
        super().__init__()
        self.model = model
        self.thinking, self.needs_tools = thinking, needs_tools

    def items(self, message: Message) -> list[Item]:
        """Return the one item of this interface, if there is any."""
        reasoning = message.get("reasoning_content")
        return [Item(VISIBLE, str(reasoning))] if reasoning else []

    def take(self, record: Record, message: Message) -> list[Message]:
        """Return the record with the answer, unless that is a mismatch."""
        if self.items(message) and not self.thinking:
            raise ModeMismatch("thinking is off, and there is reasoning")
        return super().take(record, message)

    def request(self, record: Record, tools: Record = ()) -> Message:
        """Return the arguments of `client.chat.completions.create`."""
        if self.needs_tools and not tools:
            raise ToolsDropped("the task still needs its tools")
        self.check(record)
        request: Message = {"model": self.model}
        if tools:
            request["tools"] = list(tools)
            request["messages"] = [dict(each) for each in record]
        else:
            request["messages"] = [without_reasoning(each) for each in record]
        mode = "enabled" if self.thinking else "disabled"
        request["extra_body"] = {"thinking": {"type": mode}}
        return request


def without_reasoning(message: Message) -> Message:
    """Return the message without reasoning_content; the record keeps it."""
    return {name: value for name, value in message.items() if name != "reasoning_content"}


class AnthropicMessages(Adapter):
    """Anthropic's Messages: blocks of thinking go back whole, each with the signature that it came with."""

    def __init__(self, model: str, *, thinking_tokens: int, max_tokens: int) -> None:
        super().__init__()
        self.model, self.thinking_tokens, self.max_tokens = model, thinking_tokens, max_tokens

    def items(self, message: Message) -> list[Item]:
        """Return thinking, signatures and sealed thinking, in their order."""
        found = []
        for block in message["content"]:
            if block["type"] == "thinking":
                found += [Item(VISIBLE, block["thinking"]), Item(SIGNATURE, block.get("signature", ""))]
            elif block["type"] == "redacted_thinking":
                found.append(Item(OPAQUE, block["data"]))
        return found

    def request(self, record: Record, tools: Record = ()) -> Message:
        """Return the arguments of `client.messages.create`."""
        self.check(record)
        request = {"model": self.model, "max_tokens": self.max_tokens, "messages": list(record)}
        request["thinking"] = {"type": "enabled", "budget_tokens": self.thinking_tokens}
        if tools:
            request["tools"] = list(tools)
        return request


class OpenAIResponses(Adapter):
    """OpenAI's Responses: a summary to read, and the reasoning itself only as a sealed piece."""

    def items(self, message: Message) -> list[Item]:
        """Return the summaries and the sealed piece of each reasoning item."""
        found = []
        for output in message["output"]:
            if output["type"] == "reasoning":
                found += [Item(SUMMARY, part["text"]) for part in output["summary"]]
                if output.get("encrypted_content"):
                    found.append(Item(OPAQUE, output["encrypted_content"]))
        return found
