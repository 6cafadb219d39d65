"""Make a plan by the model's own tool, and the history that the next request is made from."""

from story import log, pair, question, reading

from s05.core.plan import plan_state, plan_tool

state = plan_state()
update_plan = plan_tool(state)
if scenario != "none":
    update_plan([{"text": "Read the old logs", "status": "doing"}, {"text": "Check main.py", "status": "pending"}])

messages = [question()]
if scenario in ("results", "kept"):
    messages += pair(reading(1, "logs/monday.txt", log("Mon", 2)))
    update_plan([{"text": "Read the old logs", "status": "done"}, {"text": "Check main.py", "status": "doing"}])
