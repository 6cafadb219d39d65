"""Find out about the lost result."""

try:
    action = ledger.recover(identity, look_up, repeat)
    print(f"{action.identity} is {action.state}. {action.result}".rstrip())
except ValueError as error:
    print("ValueError:", error)
print("unknown now:", list(ledger.project()["unknowns"]))
print("mails sent:", len(sent))
