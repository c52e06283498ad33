/** A name and its description, wrapped to the width of the terminal. */
import { wrap } from "../../rendering/terminal/width.ts";

/** A description with less room than this moves to the line below its name. */
const MIN_TEXT_COLUMNS = 30;
const BELOW_INDENT = 6;

export function inTwoColumns(name: string, indent: number, text: string, columns: number): string {
  const below = columns - indent < MIN_TEXT_COLUMNS;
  const space = " ".repeat(below ? Math.min(BELOW_INDENT, indent) : indent);
  const wrapped = wrap(text, columns, space);
  return below || name.length >= indent ? `${name}\n${wrapped}` : name + wrapped.slice(name.length);
}
