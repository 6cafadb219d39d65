// Material's language links lead to the other language's front page, and its instant navigation keeps them over pages.
// This leads to the same page in the other language, with a full load, since the theme's own words change too.
document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("a.md-select__link[hreflang]");
  if (!chosen || event.metaKey || event.ctrlKey) return;
  const roots = [...document.querySelectorAll("a.md-select__link[hreflang]")].map((link) => link.href);
  const here = roots.filter((root) => location.href.startsWith(root)).sort((a, b) => b.length - a.length)[0];
  if (here === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(chosen.href + location.href.slice(here.length));
}, { capture: true });
