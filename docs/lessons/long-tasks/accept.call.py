"""Accept the material, or say everything that stands against it."""

from transfer import TransferRefused, accept

try:
    accepted = accept(material, actions, tools, current)
    print("accepted:", accepted.handover.goal)
except TransferRefused as error:
    for reason in error.reasons:
        print("refused:", reason)
