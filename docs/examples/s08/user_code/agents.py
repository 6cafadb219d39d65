"""Parent and child: two runs of the one loop, each with a history, tools and a budget of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s01.core.runtime import run_loop
from s05.core.plan import assembler, plan_state, plan_tool
from s08.user_code.texts import CHILD_SYSTEM, CHILD_TOOLS, PARENT_SYSTEM, PARENT_TOOLS, QUESTION

PARENT_CALLS, CHILD_CALLS = 20, 4  # requests


@dataclass
class Models:
    """Who decides: `parent` and `child` take a request and return blocks, `summary` takes messages and returns text."""

    parent: Callable[[dict[str, Any]], list[dict[str, Any]]]
    child: Callable[[dict[str, Any]], list[dict[str, Any]]]
    summary: Callable[[list[dict[str, Any]]], str]

    def counted(self):
        """Return the same models, and a dict that counts their requests; one that fails has been sent too."""
        requests = {"parent": 0, "child": 0, "summary": 0}

        def counting(role, model):
            def ask(request):
                requests[role] += 1
                return model(request)

            return ask

        return Models(*(counting(role, getattr(self, role)) for role in requests)), requests


def run_parent(host, models, messages, plan):
    """Run the parent's loop on the active history to its end; return how it ended."""

    def delegate(task):
        return run_child(host, models.child, task)

    tools = {
        "read_file": host.files.read,
        "load_skill": host.load_skill,
        "update_plan": plan_tool(plan),
        "delegate": delegate,
        "run_program": host.run_program,
    }
    assemble = assembler(PARENT_SYSTEM, PARENT_TOOLS, plan)
    return run_loop(messages, models.parent, tools, PARENT_CALLS, prepare=host.prepare, assemble=assemble)


def run_child(host, model, task):
    """Give a task to a child, which may read and nothing else; return its answer, RuntimeError if there is none."""
    tools = {"read_file": host.files.read, "load_skill": lambda skill: host.files.read(f"skills/{skill}.md")}
    assemble = assembler(CHILD_SYSTEM, CHILD_TOOLS, plan_state())
    ended = run_loop([{"role": "user", "content": task}], model, tools, CHILD_CALLS, assemble=assemble)
    if ended["status"] != "finished":
        raise RuntimeError(f"the child ended as {ended['status']}: {ended['error']}")
    return ended["answer"]


def first_message():
    """Return what the user wants, as a history begins."""
    return {"role": "user", "content": QUESTION}
