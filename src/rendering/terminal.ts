/** What can be known of the terminal, and text laid out for it. */
import { formatTokens } from "../kernel/text.ts";
import { localTime } from "../kernel/time.ts";

export interface Terminal {
  width: number;
  color: boolean;
  /** For "2 days ago". */
  now: number;
  /** Read by an agent, who pays for every token: no columns to line up, and times that stay true. */
  compact?: boolean;
  /** A person looks at it, so that a frame helps. */
  boxes?: boolean;
}

/** Where no terminal is at the other end there is no width to respect: lines are as long as they are. */
const PIPE_WIDTH = 160;
const NARROWEST = 40;

export function terminalOf(stream: NodeJS.WriteStream, vars: NodeJS.ProcessEnv, now: number): Terminal {
  const forced = vars.FORCE_COLOR !== undefined && vars.FORCE_COLOR !== "0";
  const refused = (vars.NO_COLOR !== undefined && vars.NO_COLOR !== "") || vars.TERM === "dumb";
  return {
    width: Math.max(NARROWEST, stream.isTTY ? stream.columns || 80 : PIPE_WIDTH),
    color: !refused && (forced || stream.isTTY === true),
    now,
    ...(stream.isTTY ? { boxes: true } : {}),
  };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof CODES;

export function paint(terminal: Terminal, style: Style, text: string): string {
  return terminal.color && text !== "" ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** Control characters in a conversation must not reach the terminal: they could move the cursor or hide text. */
export function printable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, "");
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, " "));
}

export interface Column {
  title: string;
  align?: "right";
  /** Gives way when the line is too long. */
  flexible?: boolean;
  style?: Style;
}

export function table(terminal: Terminal, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  if (terminal.compact) return [columns.map(({ title }) => title), ...cells].map((row) => row.join("\t")).join("\n");
  const widths = columns.map((column, i) =>
    Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[i] ?? ""))),
  );
  const flexible = columns.findIndex((column) => column.flexible);
  const gaps = 2 * (columns.length - 1);
  const total = widths.reduce((sum, width) => sum + width, 0) + gaps;
  if (flexible >= 0 && total > terminal.width) {
    widths[flexible] = Math.max(12, (widths[flexible] ?? 0) - (total - terminal.width));
  }
  const line = (row: readonly string[], heading: boolean): string =>
    columns
      .map((column, i) => {
        const width = widths[i] ?? 0;
        const text = fit(row[i] ?? "", width);
        const space = " ".repeat(Math.max(0, width - textWidth(text)));
        const painted = heading
          ? paint(terminal, "dim", text)
          : column.style
            ? paint(terminal, column.style, text)
            : text;
        return column.align === "right" ? space + painted : painted + space;
      })
      .join("  ")
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      true,
    ),
    ...cells.map((row) => line(row, false)),
  ].join("\n");
}

/** Cuts to a width, with a mark where something is missing. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    const next = textWidth(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept.trimEnd()}…`;
}

/** Columns a text takes: East Asian wide characters and emoji take two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x300 && code <= 0x36f) continue;
    width += isWide(code) ? 2 : 1;
  }
  return width;
}

function isWide(code: number): boolean {
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0x1f300 && code <= 0x1faff))
  );
}

/** Breaks text at spaces so that no line is wider than the terminal. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && textWidth(line) + textWidth(word) + 1 > width - indent.length) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line].join("\n");
}

export function tokens(count: number): string {
  return `${formatTokens(count)} tokens`;
}

/** "5 min ago" for what is recent, else the local time. Agents get the time itself, with its offset from UTC. */
export function when(terminal: Terminal, iso: string): string {
  const ms = Date.parse(iso);
  const minutes = terminal.compact ? Number.NaN : Math.round((terminal.now - ms) / 60_000);
  if (minutes >= 0 && minutes < 60) return minutes <= 1 ? "just now" : `${minutes} min ago`;
  if (minutes >= 0 && minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  const { date, clock, offset } = localTime(ms);
  const shown = `${date} ${clock.slice(0, 5)}`;
  return terminal.compact ? `${shown} ${offset}` : shown;
}
