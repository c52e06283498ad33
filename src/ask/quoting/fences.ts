/** Fenced code in Markdown that is read in parts: each part gets the fences that it lacks. */

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** The line that starts the fenced code that these lines do not end. */
export function openFence(lines: readonly string[]): string | undefined {
  return lines.reduce<string | undefined>((open, line) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (mark === "") return open;
    if (open === undefined) return line;
    return mark.startsWith(FENCE.exec(open)?.[1] ?? mark) ? undefined : open;
  }, undefined);
}

/** The text with the fence that ends its last code, if that has none. */
export function closed(text: string): string {
  const mark = FENCE.exec(openFence(text.split("\n")) ?? "")?.[1];
  return mark === undefined ? text : `${text}\n${mark}`;
}
