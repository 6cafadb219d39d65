"""Print the report."""

from comparison import Comparison, print_report

print_report(Comparison(baseline, other, prices))
