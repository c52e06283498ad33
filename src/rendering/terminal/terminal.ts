/** The properties of the terminal, and tables and styles laid out for it. */
import { formatTokens, plural } from "../../kernel/text.ts";
import { localTime } from "../../kernel/time.ts";
import { cleanLine, cleanText } from "../../text/clean.ts";
import { fit, fitEnd, textWidth } from "./width.ts";

export interface Terminal {
  width: number;
  color: boolean;
  /** The current time, for "2 h ago". */
  now: number;
  /** For an agent, which pays for every token: no aligned columns, and absolute times. */
  compact?: boolean;
  /** For a person at a terminal: draw frames. */
  boxes?: boolean;
}

/** Output that does not go to a terminal has no width to fit. */
const PIPE_COLUMNS = 160;
const MIN_COLUMNS = 40;

/** The parts of a stream that say what it is. */
type Screen = { isTTY?: boolean | undefined; columns?: number | undefined };

export function terminalOf(stream: Screen, vars: NodeJS.ProcessEnv, now: number): Terminal {
  const forced = vars.FORCE_COLOR !== undefined && vars.FORCE_COLOR !== "0";
  const refused = (vars.NO_COLOR !== undefined && vars.NO_COLOR !== "") || vars.TERM === "dumb";
  return {
    width: Math.max(MIN_COLUMNS, stream.isTTY ? stream.columns || 80 : PIPE_COLUMNS),
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
 * Cleans text once more before it is written to a terminal, keeping only dex's own colours. A renderer that forgets to
 * clean an id or a path can therefore not pass on an escape sequence.
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
  /** Shrinks when the line is too long. */
  flexible?: boolean;
  /** Truncate at the beginning, because the end of a path is more informative. */
  keepEnd?: boolean;
  /** Maximum width. */
  max?: number;
  /** Dropped when the line is still too long: 1 first, then 2, … */
  drop?: number;
  style?: Style;
}

const GAP_COLUMNS = 2;
const MIN_FLEXIBLE_COLUMNS = 12;

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
      .join(" ".repeat(GAP_COLUMNS))
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      true,
    ),
    ...cells.map((row) => line(row, false)),
  ].join("\n");
}

/** The width of each column; undefined for a dropped one. */
function widthsWithin(total: number, columns: readonly Column[], natural: readonly number[]): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural];
  const flexible = columns.findIndex((column) => column.flexible);
  const excess = (): number => {
    const kept = widths.filter((width) => width !== undefined);
    return kept.reduce((sum, width) => sum + width, GAP_COLUMNS * (kept.length - 1)) - total;
  };
  const minimum = Math.min(MIN_FLEXIBLE_COLUMNS, natural[flexible] ?? 0);
  const spare = flexible < 0 ? 0 : (natural[flexible] ?? 0) - minimum;
  const droppable = columns.flatMap(({ drop }, i) => (drop === undefined ? [] : [{ drop, i }]));
  for (const { i } of droppable.sort((a, b) => a.drop - b.drop)) {
    if (excess() <= spare) break;
    widths[i] = undefined;
  }
  if (flexible >= 0) widths[flexible] = Math.max(minimum, (natural[flexible] ?? 0) - Math.max(0, excess()));
  return widths;
}

export function tokens(count: number): string {
  return count === 1 ? "1 token" : `${formatTokens(count)} tokens`;
}

/** "5 min ago" for recent times, otherwise the local time. Agents get the absolute time with its UTC offset. */
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

/** A page behind the last result, or of no results. */
export function emptyPage(total: number): string {
  return `Nothing on this page; ${plural(total, "result")} in all.`;
}
