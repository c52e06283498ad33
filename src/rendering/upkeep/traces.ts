/** Renders traces: one line each, or one in full. */
import type * as z from "zod";
import { agentName } from "../../integrations/registry.ts";
import { fullTime } from "../../kernel/time.ts";
import type { trace } from "../../operations/upkeep/trace.ts";
import type { traces } from "../../operations/upkeep/traces.ts";
import { cleanLine, cleanText } from "../../text/clean.ts";
import { paint, type Terminal, table, when } from "../terminal/terminal.ts";
import { fit } from "../terminal/width.ts";

type Row = z.output<typeof traces.output>["traces"][number];
type Replay = NonNullable<z.output<typeof trace.output>["replay"]>;

/** The widest label and two spaces. */
const LABEL_COLUMNS = 16;

function renderTraces(output: z.output<typeof traces.output>, terminal: Terminal): string {
  const off = output.enabled ? [] : [paint(terminal, "yellow", "traces.enabled is false: no new traces are written")];
  if (output.traces.length === 0) return ["There are no traces yet.", ...off].join("\n");
  const rows = output.traces.map((row) => [
    row.trace_id,
    when(terminal, row.ts),
    row.command,
    row.error ? row.error.code : `${row.ranking.length}${row.partial?.includes("ranking") ? "+" : ""}`,
    milliseconds(row.duration_ms),
    queryText(row),
  ]);
  const columns = [
    { title: "trace", style: "cyan" },
    { title: "when" },
    { title: "command" },
    { title: "results", align: "right", drop: 2 },
    { title: "time", align: "right", drop: 1 },
    { title: "query", flexible: true },
  ] as const;
  return [table(terminal, columns, rows), ...off].join("\n");
}

function renderTrace(output: z.output<typeof trace.output>, terminal: Terminal): string {
  const row = output.trace;
  const blocks = [fieldsOf(row, terminal), ...listsOf(row, terminal)];
  if (output.replay) blocks.push(replayOf(output.replay, terminal));
  return blocks.join("\n\n");
}

function fieldsOf(row: Row, terminal: Terminal): string {
  const fields: [string, string | undefined][] = [
    ["command", row.command],
    ["query", row.query ?? (row.query_hash === undefined ? undefined : `hash ${row.query_hash}`)],
    ["args", pairs(row.args)],
    ["inputs", pairs(row.inputs)],
    ["budgets", pairs(row.budgets)],
    ["truncation", pairs(row.truncation)],
    ["state revision", row.state_revision ?? "never synced"],
    ["session", row.session ?? undefined],
    ["duration", milliseconds(row.duration_ms)],
    ["incomplete", row.partial?.join(", ")],
    ["error", row.error && [row.error.code, row.error.message].filter(Boolean).join(": ")],
  ];
  const lines = fields
    .filter((field): field is [string, string] => field[1] !== undefined && field[1] !== "")
    .map(([name, value]) => {
      const shown = fit(cleanLine(value), terminal.width - LABEL_COLUMNS);
      return `${paint(terminal, "dim", name.padEnd(LABEL_COLUMNS))}${name === "error" ? paint(terminal, "red", shown) : shown}`;
    });
  return [`${paint(terminal, "bold", row.trace_id)}  ${fullTime(row.ts)}`, ...lines].join("\n");
}

function listsOf(row: Row, terminal: Terminal): string[] {
  const blocks: string[] = [];
  if (row.stages.length > 0) {
    const stages = row.stages.map((stage) => [stage.name, milliseconds(stage.ms), count(stage.in), count(stage.out)]);
    const columns = [
      { title: "stage" },
      { title: "time", align: "right" },
      { title: "in", align: "right" },
      { title: "out", align: "right" },
    ] as const;
    blocks.push(table(terminal, columns, stages));
  }
  if (row.ranking.length > 0) {
    const hits = row.ranking.map((hit, i) => [
      String(i + 1),
      hit.id,
      agentName(hit.source ?? ""),
      count(hit.score),
      [hit.summary, hit.why && `(${pairs(hit.why)})`].filter(Boolean).join(" "),
    ]);
    const columns = [
      { title: "rank", align: "right" },
      { title: "id", style: "cyan" },
      { title: "agent" },
      { title: "score", align: "right" },
      { title: "what", flexible: true },
    ] as const;
    blocks.push(table(terminal, columns, hits));
  }
  if (row.dropped.length > 0) {
    const dropped = row.dropped.map(({ id, reason }) => [id, reason]);
    blocks.push(
      table(
        terminal,
        [
          { title: "dropped", style: "cyan" },
          { title: "why", flexible: true },
        ],
        dropped,
      ),
    );
  }
  return blocks;
}

function replayOf(replay: Replay, terminal: Terminal): string {
  const head = replay.changed ? "replayed: the answer has changed" : "replayed: no change";
  const lines = [
    `${paint(terminal, replay.changed ? "yellow" : "green", head)} (${milliseconds(replay.duration_ms)}, state revision ${replay.state_revision ?? "none"})`,
  ];
  if (replay.error) lines.push(paint(terminal, "red", `${replay.error.code}: ${cleanText(replay.error.message)}`));
  if (replay.changes.length === 0) return lines.join("\n");
  const rows = replay.changes.map((each) => [
    each.change,
    count(each.before ?? undefined),
    count(each.after ?? undefined),
    each.id,
    count(each.score_before),
    count(each.score_after),
    each.summary ?? "",
  ]);
  const columns = [
    { title: "change" },
    { title: "was", align: "right" },
    { title: "is", align: "right" },
    { title: "id", style: "cyan" },
    { title: "score was", align: "right" },
    { title: "score is", align: "right" },
    { title: "what", flexible: true },
  ] as const;
  return [...lines, table(terminal, columns, rows)].join("\n");
}

/** The query, its hash or the arguments, by which a reader recognises the row. */
function queryText(row: Row): string {
  if (row.query !== undefined) return row.query;
  if (row.query_hash !== undefined) return `#${row.query_hash.slice(0, 12)}`;
  // Flags that were not given say nothing.
  const given = Object.entries(row.args).filter(([, value]) => value !== false && !isEmptyList(value));
  return pairs(Object.fromEntries(given));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function pairs(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

function count(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

export const TRACE_RENDERERS = { traces: renderTraces, trace: renderTrace };
