"""Check the pairs and say what became of each call."""

from pairs import Mismatch, check_pairs

try:
    for call in check_pairs(messages):
        print(f"{call.id} {call.name}: {call.state}")
except Mismatch as error:
    print("Mismatch:", error)
