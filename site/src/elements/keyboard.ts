import type { Actions } from "./view.ts";

/** What a key asks for. */
export type Wish = keyof Actions | "breakpoint" | "help" | "ask" | "next" | "previous" | "first" | "last";

const plain: Readonly<Record<string, Wish>> = {
  n: "stepOver",
  s: "stepInto",
  r: "stepOut",
  c: "continue",
  b: "breakpoint",
  g: "ask",
  N: "stepBack",
  S: "stepBackInto",
  R: "stepBackOut",
  C: "reverseContinue",
  "?": "help",
};

const named: Readonly<Record<string, Wish>> = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
};

/** Fields that are typed in, and controls whose arrow keys choose. */
const typed = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const chooses = "input[type=radio], select, [role=tab], [role=treeitem], .tp-scroll, .tp-content";

/**
 * The wish of a key pressed in a pane, or null. Browser and system keep what is pressed with Ctrl, Meta or Alt; a field
 * keeps its letters; what moves through choices or scrolls keeps its arrows.
 */
export function wishOf(event: KeyboardEvent): Wish | null {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || target.closest(typed)) return null;
  if (event.key.length === 1) return plain[event.key] ?? null;
  return target.closest(chooses) || event.shiftKey ? null : (named[event.key] ?? null);
}

/** Whether the theme must not see the key: its own single letters change the page or open its search. */
export function isOurs(event: KeyboardEvent): boolean {
  return (
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    (event.key.length === 1 || event.key in named || event.key === "Enter")
  );
}

const storage = "tracepane.keys";

/** Whether this reader uses the keys; kept on this device where the browser allows it. */
export function keysAreOn(): boolean {
  try {
    return localStorage.getItem(storage) !== "off";
  } catch {
    return true;
  }
}

export function turnKeys(on: boolean): void {
  try {
    localStorage.setItem(storage, on ? "on" : "off");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
