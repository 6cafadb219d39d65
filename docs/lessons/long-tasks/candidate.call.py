"""Validate the candidate and print, part by part, how far that went."""

from candidate import validate_candidate
from practices import CandidateRefused

try:
    for part, how in validate_candidate(candidate, base, records).items():
        print(f"{part}: {how}")
except CandidateRefused as error:
    print("CandidateRefused:", error)
