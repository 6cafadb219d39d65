"""Fixed models: the same decisions in every run, so that what the context does can be seen and tested.

They stand in for the models only. What they ask for is really done.
"""

import json

from s08.user_code.agents import Models
from s08.user_code.files import compared

STUB = "[Trimmed. Not a result of execution."
SUMMARY = (
    "Two old logs were read. Monday: a check of main.py printed 41. Tuesday: a user allowed one start of main.py. "
    "Open: the other logs, then the check."
)
LAST = 9


def plan(*statuses):
    """Return the arguments of `update_plan` with these statuses."""
    texts = ("Read the old logs", "Check main.py")
    return {"steps": [{"text": text, "status": status} for text, status in zip(texts, statuses, strict=True)]}


STEPS = {
    1: [
        ("update_plan", plan("doing", "pending")),
        ("load_skill", {"skill": "checking"}),
        ("read_file", {"path": "logs/monday.txt"}),
    ],
    2: [("read_file", {"path": "logs/tuesday.txt"})],
    3: [("read_file", {"path": "logs/wednesday.txt"})],
    4: [("read_file", {"path": "logs/thursday.txt"})],
    5: [("load_skill", {"skill": "checking"}), ("update_plan", plan("done", "doing"))],
    6: [("delegate", {"task": "What does main.py import and print?"})],
    7: [("read_file", {"path": "main.py"}), ("read_file", {"path": "expected.txt"})],
    8: [("run_program", {"path": "main.py"})],
}
CHILD_STEPS = {1: [("load_skill", {"skill": "checking"})], 2: [("read_file", {"path": "main.py"})]}


def stand_ins():
    """Return the three fixed models."""
    return Models(parent=parent, child=child, summary=lambda _messages: SUMMARY)


def parent(request):
    """Take the step after the one whose results came last; a summarised history starts nothing anew."""
    step = last_step(request["messages"]) + 1
    if step == LAST:
        return [{"type": "text", "text": answer(request["messages"])}]
    return calls("parent", step, STEPS[step])


def child(request):
    """Load the rules, read main.py, report."""
    step = last_step(request["messages"]) + 1
    if step in CHILD_STEPS:
        return calls("child", step, CHILD_STEPS[step])
    lines = result_of(request["messages"], "read_file", path="main.py")["content"].splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    prints = sum(line.startswith("print(") for line in lines)
    return [{"type": "text", "text": f"Imports: {imports}; calls of print: {prints}."}]


def calls(who, step, wanted):
    """Return the calls of one step; their ids say whose step it is and which."""
    return [
        {"type": "tool_use", "id": f"{who}_{step}_{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(wanted, start=1)
    ]


def last_step(messages):
    """Return the number of the step whose results came last; 0 if there are none yet."""
    ids = [block["tool_use_id"] for block in blocks(messages, "tool_result")]
    return int(ids[-1].split("_")[1]) if ids else 0


def answer(messages):
    """Return what the active history proves about the check, and nothing more."""
    run = result_of(messages, "run_program", path="main.py")
    expected = result_of(messages, "read_file", path="expected.txt")
    if run is not None and run["is_error"]:
        return f"Nothing to compare. {run['content']}"
    if run is None or run["content"].startswith(STUB):
        return "I lack the evidence: the output of main.py is not in the active history."
    if expected is None or expected["is_error"] or expected["content"].startswith(STUB):
        return "I lack the evidence: the complete expected text is no longer in the active history."
    outcome = json.loads(run["content"])
    if outcome["exit_code"] != 0:
        return f"main.py failed with exit code {outcome['exit_code']}."
    verdict = compared(outcome["stdout"], expected["content"])
    return f"main.py printed {outcome['stdout']!r}; compared with the whole expected text: {verdict}."


def result_of(messages, name, **arguments):
    """Return the newest result block of such a call in these messages, or None."""
    asked = [block for block in blocks(messages, "tool_use") if (block["name"], block["input"]) == (name, arguments)]
    ids = [block["id"] for block in asked]
    results = [block for block in blocks(messages, "tool_result") if block["tool_use_id"] in ids]
    return results[-1] if results else None


def blocks(messages, kind):
    """Return the blocks of one type, in their order."""
    lists = [message["content"] for message in messages if isinstance(message["content"], list)]
    return [block for content in lists for block in content if block["type"] == kind]
