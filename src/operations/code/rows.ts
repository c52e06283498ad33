/** The rows of answers about code, and how many of them fit in a token budget. */
import * as z from "zod";
import type { Implementation } from "../../code/answers/implementations.ts";
import type { Reference } from "../../code/answers/references.ts";
import type { Related } from "../../code/answers/relations.ts";
import type { ChangedSymbol } from "../../project/impact/changed_symbols.ts";
import type { Break } from "../../project/impact/diff_impact.ts";
import type { TestToRun } from "../../project/impact/tests_to_run.ts";
import type { EntityRow } from "../../store/code.ts";
import type { LikelyFile } from "../../suggest/files/likely.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { leadingThatFit } from "../../tokens/leading.ts";

export const symbolRow = z.object({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  line: z.number(),
  last_line: z.number(),
  signature: z.string(),
  doc: z.string().optional(),
});
export type SymbolRow = z.output<typeof symbolRow>;

export const place = z.object({ file: z.string(), line: z.number() });

export const resultRow = z.object({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  /** First line of the definition. */
  line: z.number(),
  /** Line of the reference. */
  at: z.number().optional(),
  times: z.number().optional(),
  /** With references: how the place uses the symbol, and all lines if there are several. */
  use: z.string().optional(),
  lines: z.array(z.number()).optional(),
  resolution: z.string().optional(),
  confidence: z.number().optional(),
  distance: z.number().optional(),
  via: z.string().optional(),
  score: z.number().optional(),
  why: z.array(z.string()).optional(),
  /** Commits that changed both files, and their share of the commits that changed the file asked about. */
  changed_with: z.object({ support: z.number(), confidence: z.number(), last: z.string() }).optional(),
});
export type ResultRow = z.output<typeof resultRow>;

export const testFileRow = z.object({
  file: z.string(),
  score: z.number(),
  why: z.string(),
  /** The file only shares words, a part of its name, or some commits with the change. */
  guess: z.literal(true).optional(),
});

/** With impact of a diff. */
export const changedRow = z.object({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  line: z.number(),
  change: z.enum(["removed", "renamed", "signature", "changed", "added"]),
  renamed_to: z.string().optional(),
});

export const breakRow = z.object({
  name: z.string(),
  file: z.string(),
  renamed_to: z.string().optional(),
  /** Lines that still name it, in its file and in files that import it. */
  uses: z.array(place),
  /** The number of lines elsewhere with the name. */
  mentions: z.number(),
});

export function describe(entity: EntityRow, whole: boolean): SymbolRow {
  const { kind, qualified, path, first_line, last_line, signature, doc } = entity;
  const row = { name: qualified, kind, file: path, line: first_line, last_line, signature };
  return whole && doc !== "" ? { ...row, doc } : row;
}

export function describeBriefly(entity: EntityRow): SymbolRow {
  return describe(entity, false);
}

export function memberRow({ qualified, kind, path, first_line }: EntityRow): ResultRow {
  return { name: qualified, kind, file: path, line: first_line };
}

export function relatedRow({ entity, line, count, resolution, confidence, distance, via }: Related): ResultRow {
  return {
    ...memberRow(entity),
    at: line,
    ...(count > 1 ? { times: count } : {}),
    resolution,
    confidence,
    ...(distance === undefined ? {} : { distance }),
    ...(via === undefined ? {} : { via }),
  };
}

export function referenceRow({ entity, use, lines, resolution, confidence, via }: Reference): ResultRow {
  const several = lines.length > 1 ? { lines: [...lines] } : {};
  const row = { ...memberRow(entity), at: lines[0] ?? 0, use, ...several, resolution, confidence };
  return via === undefined ? row : { ...row, via };
}

export function implementationRow({ entity, line, resolution, confidence, distance, via }: Implementation): ResultRow {
  const row = { ...memberRow(entity), at: line, resolution, confidence, distance };
  return via === undefined ? row : { ...row, via };
}

export function fileRow({ path, probability, reasons, changed }: LikelyFile): ResultRow {
  const row = { name: path, kind: "file", file: path, line: 1, score: probability, why: reasons };
  if (!changed) return row;
  const { support, confidence, last } = changed;
  const share = Math.round(confidence * 100) / 100;
  return { ...row, changed_with: { support, confidence: share, last: new Date(last).toISOString() } };
}

export function testRow({ path, score, why, isGuess }: TestToRun): z.output<typeof testFileRow> {
  return { file: path, score, why, ...(isGuess ? { guess: true as const } : {}) };
}

export function changedSymbolRow(symbol: ChangedSymbol): z.output<typeof changedRow> {
  const { qualified, kind, path, line, change, renamedTo } = symbol;
  const row = { name: qualified, kind, file: path, line, change };
  return renamedTo === undefined ? row : { ...row, renamed_to: renamedTo };
}

export function toBreakRow({ symbol, uses, mentions }: Break): z.output<typeof breakRow> {
  const { qualified, path, renamedTo } = symbol;
  const row = { name: qualified, file: path, uses, mentions };
  return renamedTo === undefined ? row : { ...row, renamed_to: renamedTo };
}

/** Fills the budget with rows, after the tokens of the described symbols. */
export function fill(symbols: readonly SymbolRow[], rows: readonly ResultRow[], ambiguous: number, budget: number) {
  const room = Math.floor(budget / BUDGET_MARGIN);
  const { rows: shown, used } = rowsThatFit(symbols, room);
  const { rows: kept, used: more } = rowsThatFit(rows, room - used);
  return { symbols: shown, results: kept, total: rows.length, ambiguous, tokens: used + more };
}

/**
 * The same for symbols with their comments: all symbols come before any comment, and the leading symbols get theirs.
 */
export function fillDescribed(described: readonly SymbolRow[], rows: readonly ResultRow[], budget: number) {
  const room = Math.floor(budget / BUDGET_MARGIN);
  const brief = rowsThatFit(
    described.map(({ doc: _, ...row }) => row),
    room,
  );
  let used = brief.used;
  const symbols = brief.rows.map((row, i): SymbolRow => {
    const { doc } = described[i] ?? {};
    const cost = doc === undefined ? 0 : estimateTokens(JSON.stringify({ doc }));
    if (doc === undefined || used + cost > room) return row;
    used += cost;
    return { ...row, doc };
  });
  const { rows: kept, used: more } = rowsThatFit(rows, room - used);
  return { symbols, results: kept, total: rows.length, ambiguous: 0, tokens: used + more };
}

/** The leading rows that fit, and their tokens. */
export function rowsThatFit<T>(rows: readonly T[], room: number): { rows: T[]; used: number } {
  const { items, used } = leadingThatFit(rows, room, (row) => estimateTokens(JSON.stringify(row)) + 1);
  return { rows: items, used };
}
