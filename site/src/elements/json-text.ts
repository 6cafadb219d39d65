/** Pieces of a JSON text: strings, marks, and everything else between blanks. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * A JSON text over several lines; one that is none stays as it is. Only the blanks change: read and written again, a long
 * integer would lose its last digits, `1.0` its point, a name given twice its first value, and names that are numbers their places.
 */
export function unfoldJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const parts = text.match(tokens) ?? [];
  let depth = 0;
  let result = "";
  for (const [index, part] of parts.entries()) {
    const empty = closes(part) && opens(parts[index - 1]);
    if (closes(part)) depth -= 1;
    if (index > 0 && !empty && (closes(part) || opens(parts[index - 1]) || parts[index - 1] === ","))
      result += `\n${"  ".repeat(depth)}`;
    result += part === ":" ? ": " : part;
    if (opens(part)) depth += 1;
  }
  return result;
}

const opens = (part: string | undefined) => part === "{" || part === "[";
const closes = (part: string | undefined) => part === "}" || part === "]";
