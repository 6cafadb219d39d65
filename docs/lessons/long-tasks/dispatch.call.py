"""Start the session, or say everything that stands against it now."""

from transfer import TransferRefused, dispatch

try:
    session = dispatch(accepted, "session-2", world)
    print(session.name, "starts with the tools", list(session.tools))
    [message] = session.messages
    print(f"its one message is the {message['role']}'s:")
    print(message["content"])
except TransferRefused as error:
    for reason in error.reasons:
        print("refused:", reason)
