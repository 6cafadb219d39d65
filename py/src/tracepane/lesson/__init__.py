"""What an author writes: panes, the sources they show, anchors and flows, and every mistake in them."""
