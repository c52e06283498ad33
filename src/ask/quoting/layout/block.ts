/** Lines of a passage in the form that Markdown gives them, and the index of the first line after those they stand for. */
export interface Block {
  lines: string[];
  end: number;
}

export function tableLines(rows: readonly (readonly string[])[], headRows: number, title = ""): string[] {
  const said = rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const width = Math.max(0, ...said.map((cells) => cells.length));
  const shown = said.map((cells) => `| ${filled(cells, width).join(" | ")} |`);
  const rule = `|${" --- |".repeat(width)}`;
  const table = headRows > 0 && shown.length > 1 ? [shown[0] ?? "", rule, ...shown.slice(1)] : shown;
  return ["", ...(title === "" ? [] : [announced(title), ""]), ...table, ""];
}

function filled(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, at) => spaced(cells[at] ?? "").replaceAll("|", "\\|"));
}

export function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The title of what stands below it. */
export function announced(title: string): string {
  const text = title.trim();
  return /[\p{L}\p{N}`)\]"'*]$/u.test(text) ? `${text}:` : text;
}

/** A line of values with commas between them, which may be quoted. */
export function csvCells(line: string, separator = ","): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (const [at, unit] of [...line].entries()) {
    if (unit === '"' && (quoted || cell.trim() === "")) quoted = !quoted;
    else if (unit === '"' && line[at - 1] === '"') quoted = true;
    else if (unit === separator && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += unit;
  }
  return [...cells, cell].map((each) => each.trim());
}
