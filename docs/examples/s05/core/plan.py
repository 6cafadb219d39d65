"""The plan of an agent: kept beside the history, and shown to the model with each request.

A plan that stood in the history would grow old there: each change adds one more version, and the
model has to guess which of them counts. Here there is one plan, the current one, in a state of its
own. The model changes it by a tool; each request carries it, and the history never does.
"""

import copy

STATUSES = ("pending", "doing", "done")


def plan_state():
    """Return the plan of a new run: no steps yet, revision 0."""
    return {"steps": [], "revision": 0}


def plan_tool(state):
    """Return the tool `update_plan(steps)`, which replaces the whole plan or raises ValueError."""

    def update_plan(steps):
        state["steps"] = [checked_step(step) for step in checked_steps(steps)]
        state["revision"] += 1
        return f"plan revision {state['revision']}: {len(steps)} steps"

    return update_plan


def checked_steps(steps):
    """Return the steps of a plan, of which at most one is being done."""
    if not isinstance(steps, list) or not steps:
        raise ValueError("a plan is a list of steps that is not empty")
    doing = [step for step in steps if isinstance(step, dict) and step.get("status") == "doing"]
    if len(doing) > 1:
        raise ValueError(f"one thing at a time: {len(doing)} steps are marked as doing")
    return steps


def checked_step(step):
    """Return a copy of one step: `text` and `status`, nothing else."""
    if not isinstance(step, dict) or set(step) != {"text", "status"}:
        raise ValueError("a step has exactly a text and a status")
    if type(step["text"]) is not str or not step["text"].strip():
        raise ValueError("a step says in its text what is to be done")
    if step["status"] not in STATUSES:
        raise ValueError(f"a step's status is one of {', '.join(STATUSES)}, not {step['status']!r}")
    return dict(step)


def attach_plan(messages, state):
    """Return a copy of the messages that ends with the current plan.

    For one request only. After a call a history holds results and
    nothing else, and what is put there today is old tomorrow.
    """
    attached = copy.deepcopy(messages)
    if not state["steps"]:
        return attached
    last = attached[-1]
    blocks = last["content"]
    if isinstance(blocks, str):
        blocks = [text_block(blocks)]
    last["content"] = [*blocks, text_block(plan_text(state))]
    return attached


def plan_text(state):
    """Return the plan as the model reads it."""
    lines = [f"- [{step['status']}] {step['text']}" for step in state["steps"]]
    return "\n".join([f"[The current plan, revision {state['revision']}]", *lines])


def text_block(text):
    """Return a block of text."""
    return {"type": "text", "text": text}


def assembler(system, tools, state):
    """Return `assemble(messages)`, which makes the request: system text, tool definitions, messages with the plan.

    `tools` are definitions as the Messages API has them: `name`, `description`, `input_schema`.
    """

    def assemble(messages):
        return {"system": system, "tools": copy.deepcopy(tools), "messages": attach_plan(messages, state)}

    return assemble
