/** What can be known of the terminal, and text laid out for it. */
import { formatTokens } from "../kernel/text.ts";
import { localTime } from "../kernel/time.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { fit, fitEnd, textWidth } from "./width.ts";

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

const OWN_STYLES = new RegExp(`(\\u001b\\[(?:0|${Object.values(CODES).join("|")})m)`);

/**
 * The last thing done to text before it is written to a terminal: everything but dex's own colours is cleaned again, so
 * that a renderer that forgets to clean an id or a path cannot pass on an escape sequence.
 */
export function guardTerminal(text: string, color: boolean): string {
  if (!color) return cleanText(text);
  return text
    .split(OWN_STYLES)
    .map((piece, i) => (i % 2 === 1 ? piece : cleanText(piece)))
    .join("");
}

export interface Column {
  title: string;
  align?: "right";
  /** Gives way when the line is too long. */
  flexible?: boolean;
  /** What is cut is the beginning: the end of a path says more. */
  keepEnd?: boolean;
  /** The most columns it takes. */
  max?: number;
  /** Left out where the line is too long even so: 1 first, then 2, … */
  drop?: number;
  style?: Style;
}

const GAP = 2;
const LEAST_FLEXIBLE = 12;

export function table(terminal: Terminal, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cleanLine(cell)));
  if (terminal.compact) return [columns.map(({ title }) => title), ...cells].map((row) => row.join("\t")).join("\n");
  const natural = columns.map((column, i) =>
    Math.min(
      column.max ?? Number.POSITIVE_INFINITY,
      Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[i] ?? ""))),
    ),
  );
  const widths = widthsWithin(terminal.width, columns, natural);
  const line = (row: readonly string[], heading: boolean): string =>
    columns
      .flatMap((column, i) => {
        const width = widths[i];
        if (width === undefined) return [];
        const text = (column.keepEnd && !heading ? fitEnd : fit)(row[i] ?? "", width);
        const space = " ".repeat(Math.max(0, width - textWidth(text)));
        const style = heading ? "dim" : column.style;
        const painted = style ? paint(terminal, style, text) : text;
        return [column.align === "right" ? space + painted : painted + space];
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      true,
    ),
    ...cells.map((row) => line(row, false)),
  ].join("\n");
}

/** The width of each column; undefined for one that is left out. */
function widthsWithin(total: number, columns: readonly Column[], natural: readonly number[]): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural];
  const flexible = columns.findIndex((column) => column.flexible);
  const excess = (): number => {
    const kept = widths.filter((width) => width !== undefined);
    return kept.reduce((sum, width) => sum + width, GAP * (kept.length - 1)) - total;
  };
  const least = Math.min(LEAST_FLEXIBLE, natural[flexible] ?? 0);
  const spare = flexible < 0 ? 0 : (natural[flexible] ?? 0) - least;
  const leavable = columns.flatMap(({ drop }, i) => (drop === undefined ? [] : [{ drop, i }]));
  for (const { i } of leavable.sort((a, b) => a.drop - b.drop)) {
    if (excess() <= spare) break;
    widths[i] = undefined;
  }
  if (flexible >= 0) widths[flexible] = Math.max(least, (natural[flexible] ?? 0) - Math.max(0, excess()));
  return widths;
}

export function tokens(count: number): string {
  return count === 1 ? "1 token" : `${formatTokens(count)} tokens`;
}

/** "5 min ago" for what is recent, else the local time. Agents get the time itself, with its offset from UTC. */
export function when(terminal: Terminal, iso: string): string {
  const ms = Date.parse(iso);
  // The agent recorded no time.
  if (!(ms > 0)) return "no date";
  const minutes = terminal.compact ? Number.NaN : Math.round((terminal.now - ms) / 60_000);
  if (minutes >= 0 && minutes < 60) return minutes <= 1 ? "just now" : `${minutes} min ago`;
  if (minutes >= 0 && minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  const { date, clock, offset } = localTime(ms);
  const shown = `${date} ${clock.slice(0, 5)}`;
  return terminal.compact ? `${shown} ${offset}` : shown;
}
