/** White space at the start of lines. */

/** Characters before the first one that is not white space. */
export function indentOf(line: string): number {
  return line.search(/\S|$/);
}

/** The lines without the indentation that all of them have; empty lines do not count. */
export function dedented(lines: readonly string[]): string[] {
  const depth = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  return lines.map((line) => line.slice(Math.min(depth, indentOf(line))));
}
