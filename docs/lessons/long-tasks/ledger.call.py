"""Compare the candidate with what the ledger says now."""

from practices import CandidateRefused

for part, entries in parts.items():
    print(f"candidate, {part}:", [f"{name} ({entry.version}): {entry.value}" for name, entry in entries.items()])
try:
    ledger.check_candidate(parts)
    print("agrees with the ledger")
except CandidateRefused as error:
    print("CandidateRefused:", error)
