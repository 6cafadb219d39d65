import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

/** Sixteen units square, drawn in the colour of the text around it. */
const shapes: Record<string, SVGTemplateResult> = {
  debug: svg`<path d="M4 3l9 5-9 5z"/>`,
  run: svg`<path d="M3 3l6 5-6 5zM12.5 3v10"/>`,
  stop: svg`<rect x="3.5" y="3.5" width="9" height="9" rx="1"/>`,
  reset: svg`<path d="M3 8a5 5 0 1 0 1.6-3.7M3 2.6v3h3"/>`,
  reverse: svg`<path d="M8 3L3 8l5 5M13 3L8 8l5 5"/>`,
  back: svg`<path d="M14 9a6 6 0 0 0-11-2M3 3v4h4"/><circle cx="8" cy="13" r="1"/>`,
  over: svg`<path d="M2 9a6 6 0 0 1 11-2M13 3v4H9"/><circle cx="8" cy="13" r="1"/>`,
  into: svg`<path d="M8 2v7M5 6l3 3 3-3"/><circle cx="8" cy="13" r="1"/>`,
  out: svg`<path d="M8 9V2M5 5l3-3 3 3"/><circle cx="8" cy="13" r="1"/>`,
  continue: svg`<path d="M3 3l5 5-5 5M8 3l5 5-5 5"/>`,
  equal: svg`<path d="M3 8.5l3.2 3.2L13 4.8"/>`,
  different: svg`<path d="M3 5.5h10M3 10.5h10M11 2.5l-6 11"/>`,
  unknown: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3.5M8 11v.2"/>`,
  origin: svg`<path d="M13 4v5H4M7 5.5L3.5 9 7 12.5"/>`,
  download: svg`<path d="M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10"/>`,
  close: svg`<path d="M4 4l8 8M12 4l-8 8"/>`,
};

export function icon(name: keyof typeof shapes & string): TemplateResult {
  return html`<svg class="tp-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shapes[name]}</svg>`;
}
