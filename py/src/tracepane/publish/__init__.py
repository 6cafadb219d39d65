"""Lessons as pages: HTML that reads without script, the jobs of its panes, and the browser code beside them."""
