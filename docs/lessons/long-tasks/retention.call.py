"""Decide about the piece and print why. Nothing is moved or removed: a decision is no action."""

from retention import decide

print(f"{piece.name}: {piece.kind}, importance {piece.importance} of 10, seen in version {piece.version}")
try:
    decision = decide(piece, sources, archive)
    print(f"-> {decision.fate}: {decision.reason}")
except ValueError as error:
    print(f"ValueError: {error}")
    print("-> no decision; the piece stays where it is")
