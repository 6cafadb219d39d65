"""Set up the adapter, the service and the tools of the scenario."""

from service import Service

from continuation import DeepSeekChat

needs_tools = scenario != "no_tools"
adapter = DeepSeekChat("deepseek-chat", thinking=scenario != "mismatch", needs_tools=needs_tools)
service = Service(calls_tools=needs_tools)
TOOLS = [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}]
tools = TOOLS if needs_tools else []
