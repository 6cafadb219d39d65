"""Set up the practice: the project's real files, fixed models, the user's word, and a stand-in for the process."""

import contextlib
import io
import runpy

from s05.core.plan import plan_state
from s08.user_code.agents import first_message
from s08.user_code.stand_ins import stand_ins

models, requests = stand_ins().counted()
messages, plan = [first_message()], plan_state()

if forgetful:
    whole = models.parent
    # This parent goes on from the summary and does not load the rules again.
    models.parent = lambda request: [block for block in whole(request) if block.get("id") != "parent_5_1"]


def decide(question):
    """Stand in for the user."""
    print(f"{question} {decision}")
    return decision == "allow"


def start(program):
    """Stand in for a process, which a browser does not have: run main.py inside this interpreter."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(program))
    return {"exit_code": 0, "stdout": printed.getvalue(), "stderr": ""}
