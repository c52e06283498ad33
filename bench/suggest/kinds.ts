/**
 * Measures whether the chances of suggestions are true, for every kind but files: replays commits and sessions, always
 * knowing only the past, and compares the predicted chance with the share that was of use afterwards.
 *
 *   npm run bench:kinds -- --home <DEX_HOME> [--commits N] [--keep <folder>] [--weights] [--write] <repository> …
 *
 * `--home` names an index with conversations; projects with enough of them are replayed, too. Each project is scored by
 * weights fitted on all others. `--weights` prints the weights fitted on all of them, for src/suggest/scale.ts;
 * `--write` updates the tables in docs/internals/quality.md.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Dex } from "../../src/dex.ts";
import { ITEM_TYPES } from "../../src/suggest/model.ts";
import { writeBetweenMarkers } from "../lib/table.ts";
import { type Case, casesOf } from "./kinds/cases.ts";
import { definitionCases } from "./kinds/definitions.ts";
import { documentCases } from "./kinds/documents.ts";
import { gapCases } from "./kinds/gaps.ts";
import { fitKinds, heldOutScores, type Scored, weighted, withFeedback } from "./kinds/model.ts";
import { GATE, reliability } from "./measure.ts";

/** A project with fewer conversations shows too little. */
const MIN_SESSIONS = 20;
/** These need no code graph, so more commits are asked. */
const GAP_COMMITS = 600;
const DOCUMENT_COMMITS = 250;
const DEFINITION_COMMITS = 800;

const { values, positionals } = parseArgs({
  options: {
    home: { type: "string" },
    commits: { type: "string", default: "200" },
    keep: { type: "string" },
    weights: { type: "boolean" },
    write: { type: "boolean" },
  },
  allowPositionals: true,
});

/** Their chances are assumptions, not fits: only one of the projects here has any. */
const STATED = "stated decision";

if (values.keep) mkdirSync(values.keep, { recursive: true });
const cases = (await gather()).map(withOwnType);
const scored = heldOutScores(cases);
/** As a project gets them after some use. */
const afterUse = withFeedback(scored, GATE);
const text = [summaryTable(), reliabilityTable()].join("\n\n");
process.stdout.write(`${text}\n`);
if (values.weights)
  for (const [kind, fit] of fitKinds(weighted(cases)))
    process.stdout.write(`${kind} ${JSON.stringify(rounded(fit))}\n`);
if (values.write) writeBetweenMarkers(join(import.meta.dirname, "../../docs/internals/quality.md"), text, "kinds");

async function gather(): Promise<Case[]> {
  const home = values.home === undefined ? {} : { DEX_HOME: resolve(values.home) };
  const dex = await Dex.open({ vars: { HOME: "/nonexistent", ...home }, cwd: process.cwd() });
  try {
    const roots = positionals.map((folder) => ({ root: resolve(folder), isRepository: true }));
    const others = dex.store
      .projects(1000)
      .filter(({ project, conversations }) => conversations >= MIN_SESSIONS && project.startsWith("/"))
      .filter(({ project }) => !roots.some(({ root }) => root === project))
      .map(({ project }) => ({ root: project, isRepository: false }));
    const found: Case[] = [];
    for (const { root, isRepository } of [...roots, ...others]) found.push(...(await kept(dex, root, isRepository)));
    return found;
  } finally {
    dex.close();
  }
}

async function kept(dex: Dex, root: string, isRepository: boolean): Promise<Case[]> {
  const commits = Number(values.commits);
  const parts: [name: string, replay: () => Promise<Case[]>][] = [
    ["kinds", () => casesOf(dex, root, isRepository, { commits })],
  ];
  if (isRepository) {
    parts.push(["gaps", () => gapCases(root, GAP_COMMITS)], ["documents", () => documentCases(root, DOCUMENT_COMMITS)]);
    parts.push(["definitions", () => definitionCases(root, DEFINITION_COMMITS, commits)]);
  }
  const found: Case[] = [];
  for (const [name, replay] of parts) {
    const file = values.keep && join(values.keep, `${root.replaceAll(/[^\w-]+/g, "_")}.${name}.json`);
    const known = file && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Case[]) : await replay();
    process.stderr.write(`${basename(root)} ${name}: ${known.length} cases\n`);
    if (file) writeFileSync(file, JSON.stringify(known));
    found.push(...known);
  }
  return found;
}

function withOwnType(found: Case): Case {
  return found.evidence.some(({ kind }) => kind.startsWith("decision_stated")) ? { ...found, type: STATED } : found;
}

function groups(): [string, Scored[]][] {
  return [...ITEM_TYPES, STATED]
    .map((type): [string, Scored[]] => [type, scored.filter((each) => each.type === type)])
    .filter(([, list]) => list.length > 0);
}

function summaryTable(): string {
  const rows = groups().map(([name, list]) => {
    const units = new Set(list.map(({ set, unit }) => `${set} ${unit}`)).size;
    const most = Math.max(...list.map(({ probability }) => probability));
    const later = afterUse.filter(({ type }) => type === name);
    return [
      name,
      `${list.length} in ${units}`,
      share(list).toFixed(2),
      calibrationError(list).toFixed(3),
      most.toFixed(2),
      precision(list),
      calibrationError(later).toFixed(3),
      precision(later),
    ];
  });
  const head = ["kind", "items in questions", "of use", "calibration error", "highest chance", "precision from 0.5"];
  return table([...head, "error with feedback", "precision with feedback"], rows);
}

/** Of the items that would be pushed. */
function precision(list: readonly Scored[]): string {
  const pushed = list.filter(({ probability }) => probability >= GATE);
  const right = pushed.filter(({ useful }) => useful).length;
  return pushed.length === 0 ? "none" : `${(right / pushed.length).toFixed(2)} of ${pushed.length}`;
}

function share(list: readonly Scored[]): number {
  const all = list.reduce((sum, { weight }) => sum + weight, 0);
  return list.reduce((sum, { weight, useful }) => sum + (useful ? weight : 0), 0) / all;
}

/** The expected calibration error: the mean distance between predicted and observed, over tenths. */
function calibrationError(list: readonly Scored[]): number {
  const bins = reliability(list.map(({ probability, useful, weight }) => ({ probability, right: useful, weight })));
  const weights = bins.map(({ from }) =>
    list
      .filter(({ probability }) => Math.min(9, Math.floor(probability * 10)) === Math.round(from * 10))
      .reduce((sum, { weight }) => sum + weight, 0),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return bins.reduce((sum, bin, at) => sum + (Math.abs(bin.predicted - bin.observed) * (weights[at] ?? 0)) / all, 0);
}

function reliabilityTable(): string {
  const named = groups();
  const bins = named.map(([, list]) =>
    reliability(list.map(({ probability, useful, weight }) => ({ probability, right: useful, weight }))),
  );
  const rows = Array.from({ length: 10 }, (_, at) => [
    `${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)}`,
    ...bins.map((list) => {
      const bin = list.find(({ from }) => Math.round(from * 10) === at);
      return bin ? `${bin.predicted.toFixed(2)}, ${bin.observed.toFixed(2)} (${bin.count})` : "";
    }),
  ]).filter((cells) => cells.slice(1).some((cell) => cell !== ""));
  return table(["predicted", ...named.map(([name]) => name)], rows);
}

function rounded({ bias, weights }: { bias: number; weights: Record<string, number> }): object {
  const two = (value: number): number => Math.round(value * 100) / 100;
  return { bias: two(bias), weights: Object.fromEntries(Object.entries(weights).map(([name, w]) => [name, two(w)])) };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
