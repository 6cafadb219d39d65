"""Check one item after the other and print the reports."""

from practices import OverBudget

for data in items:
    try:
        report = budget.check(data)
        print(f"{report}; characters: {len(data.decode('utf-8', errors='replace'))}")
    except OverBudget as error:
        print("OverBudget:", error)
