/** Numbered lines, as an agent's tool shows a file or a part of it. */

export interface Listing {
  /** The number of the first line, from 1. */
  from: number;
  lines: string[];
}

/** Claude Code's Read truncates longer files and lines. */
const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;

/** Undefined if the output is not such a listing, or may be truncated. */
export function listingOf(output: string): Listing | undefined {
  const lines: string[] = [];
  let from: number | undefined;
  const note = output.indexOf("<system-reminder>");
  const rows = (note < 0 ? output : output.slice(0, note)).split("\n");
  while (rows.at(-1) === "") rows.pop();
  for (const row of rows) {
    const [, number, line = ""] = /^ *(\d{1,7})(?:\t|→)(.*)$/.exec(row) ?? [];
    from ??= Number(number);
    if (Number(number) !== from + lines.length || line.length >= MAX_LINE_CHARS) return undefined;
    lines.push(line);
  }
  return from === undefined || lines.length >= MAX_LINES ? undefined : { from, lines };
}

/** The file, if the listing begins with its first line and was not limited. */
export function wholeText({ from, lines }: Listing): string | undefined {
  if (from !== 1) return undefined;
  return lines.at(-1) === "" ? lines.join("\n") : `${lines.join("\n")}\n`;
}

/**
 * With a smaller share of equal lines, something was added or removed in or above the range, and the change is unknown.
 */
const MIN_EQUAL = 0.75;

/**
 * The text with the listed lines in place: something unrecorded, such as a shell command, changed them. Undefined if
 * they are at other positions.
 */
export function asSeen(text: string | undefined, { from, lines }: Listing): string | undefined {
  if (text === undefined) return undefined;
  const own = text.split("\n");
  const equal = lines.filter((line, i) => own[from - 1 + i] === line).length;
  if (equal === lines.length) return text;
  if (equal < MIN_EQUAL * lines.length || from - 1 + lines.length > own.length) return undefined;
  own.splice(from - 1, lines.length, ...lines);
  return own.join("\n");
}
