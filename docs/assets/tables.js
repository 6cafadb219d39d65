// A wide table scrolls in a frame that Material puts around it; by keyboard only what takes the focus can be scrolled.
document$.subscribe(() => {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) frame.tabIndex = 0;
});
