#!/usr/bin/env python3
"""Check the example against its contract, rule by rule: real functions, real files, a real process.

Each check is printed. Exit codes: 0 all passed, 1 at least one failed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from s08.user_code.checks import loop, pairs, preparation, runs
from s08.user_code.checks.ground import CHECKS

PARTS = (pairs, preparation, loop, runs)


def main():
    """Run every check, part by part, print each, return the exit code."""
    passed = 0
    for part in PARTS:
        print(f"\n{part.__doc__}")
        for rule, function in CHECKS[part.__name__]:
            passed += told(rule, function)
    runs.clean()
    total = sum(map(len, CHECKS.values()))
    print(f"\n{total} checks: {passed} passed, {total - passed} failed (Python {sys.version.split()[0]})")
    return 0 if passed == total else 1


def told(rule, function):
    """Run one check and print it; tell whether it passed."""
    try:
        function()
    except Exception as error:
        print(f"  FAILED  {rule}: {type(error).__name__}: {error}")
        return False
    print(f"  ok      {rule}")
    return True


if __name__ == "__main__":
    sys.exit(main())
