"""What the models are told: the question, the systems' texts, and the tools they may ask for."""

from s05.core.plan import STATUSES

QUESTION = (
    "Read the old logs first. Then check main.py against expected.txt by the project's rules: "
    "ask me before you start anything, and compare the real output afterwards."
)

PARENT_SYSTEM = (
    "You check one program. Follow the skill `checking`; load it again whenever a summary has replaced it. "
    "Logs are old and say nothing about this run. Claim only what a result in this conversation shows in full."
)
CHILD_SYSTEM = "You read and report in one or two sentences. You start nothing."
SUMMARY_SYSTEM = (
    "You sum up messages of an agent for its own later use, in fewer than 900 characters: what was read, what was "
    "found, what is open. A permission that was given earlier is history and permits nothing."
)
SUMMARY_REQUEST = "Sum up these messages; each line is one of them, as JSON."


def tool(name, description, **inputs):
    """Return a definition as the Messages API has it; each input is given by its schema, all are required."""
    schema = {"type": "object", "properties": inputs, "required": list(inputs), "additionalProperties": False}
    return {"name": name, "description": description, "input_schema": schema}


TEXT = {"type": "string"}
STEP = {
    "type": "object",
    "properties": {"text": TEXT, "status": {"type": "string", "enum": list(STATUSES)}},
    "required": ["text", "status"],
    "additionalProperties": False,
}

READ_FILE = tool("read_file", "Return the text of a file of the project.", path=TEXT)
LOAD_SKILL = tool("load_skill", "Load the rules of a skill and return them.", skill=TEXT)
UPDATE_PLAN = tool("update_plan", "Replace the plan.", steps={"type": "array", "items": STEP})
DELEGATE = tool("delegate", "Give a task to a child, which may read but start nothing; return its answer.", task=TEXT)
RUN_PROGRAM = tool("run_program", "Start a program, if the user allows it; return its output as JSON.", path=TEXT)

PARENT_TOOLS = [READ_FILE, LOAD_SKILL, UPDATE_PLAN, DELEGATE, RUN_PROGRAM]
CHILD_TOOLS = [READ_FILE, LOAD_SKILL]
