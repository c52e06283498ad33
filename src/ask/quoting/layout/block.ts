/** Replaces lines of a passage by their form in Markdown; `end` is the index after the replaced lines. */
import { oneLine } from "../../../kernel/text.ts";

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
  return Array.from({ length: width }, (_, at) => oneLine(cells[at] ?? "").replaceAll("|", "\\|"));
}

/** A title that introduces the text below it. */
export function announced(title: string): string {
  const text = title.trim();
  return /[\p{L}\p{N}`)\]"'*]$/u.test(text) ? `${text}:` : text;
}

/** A line of comma-separated values, which may be quoted. */
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
