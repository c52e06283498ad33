/**
 * Measures whether the chances of suggestions are true, for every kind but files and decisions by words: replays commits and sessions, always
 * knowing only the past, and compares the predicted chance with the share that was of use afterwards.
 *
 *   npm run bench:kinds -- --home <DEX_HOME> [--commits N] [--keep <folder>] [--weights] [--write] <repository> …
 *
 * `--home` names an index with conversations; projects with enough of them are replayed, too. Each project is scored by
 * weights fitted on all others. `--weights` prints the weights fitted on all of them, for src/suggest/scale.ts;
 * `--write` updates the tables in docs/internals/quality/suggestions.md.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Dex } from "../../src/dex.ts";
import { ITEM_TYPES } from "../../src/suggest/model.ts";
import { MAX_COMMITS } from "../../src/suggest/replay/moments.ts";
import { JUDGED_KINDS } from "../../src/suggest/scale.ts";
import { seeded } from "../../test/support/random.ts";
import { markdownTable } from "../lib/markdown_table.ts";
import { writeBetweenMarkers } from "../lib/table.ts";
import { type Case, casesOf } from "./kinds/cases.ts";
import { definitionCases } from "./kinds/definitions.ts";
import { documentCases } from "./kinds/documents.ts";
import { gapCases } from "./kinds/gaps.ts";
import { fitKinds, heldOutScores, type Scored, weighted } from "./kinds/model.ts";
import { type OwnMoment, ownPast } from "./kinds/own_past.ts";
import { type Bin, calibrationError, GATE, reliability } from "./measure.ts";

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

const DRAWS = 200;
const SEED = 7;

/** Their chances are assumptions, not fits: only one of the projects here has any. */
const STATED = "stated decision";

if (values.keep) mkdirSync(values.keep, { recursive: true });
const gathered = await gather();
const cases = gathered.cases.filter(isMeasured).map(withOwnType);
const { general, shown } = heldOutScores(cases, gathered.past);
const text = [summaryTable(), reliabilityTable(shown), generalTable(), reliabilityTable(general), projectTable()].join(
  "\n\n",
);
process.stdout.write(`${text}\n`);
if (values.weights)
  for (const [kind, fit] of fitKinds(weighted(cases)))
    process.stdout.write(`${kind} ${JSON.stringify(rounded(fit))}\n`);
if (values.write)
  writeBetweenMarkers(join(import.meta.dirname, "../../docs/internals/quality/suggestions.md"), text, "kinds");

async function gather(): Promise<{ cases: Case[]; past: OwnMoment[] }> {
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
    const past: OwnMoment[] = [];
    for (const { root, isRepository } of [...roots, ...others]) {
      found.push(...(await casesIn(dex, root, isRepository)));
      // The first commits that are asked have a past, too.
      const commits = Number(values.commits) + MAX_COMMITS;
      past.push(...(await kept(root, "own", () => ownPast(dex, root, isRepository, commits))));
    }
    return { cases: found, past };
  } finally {
    dex.close();
  }
}

async function casesIn(dex: Dex, root: string, isRepository: boolean): Promise<Case[]> {
  const commits = Number(values.commits);
  const found = await kept(root, "kinds", () => casesOf(dex, root, isRepository, { commits }));
  if (!isRepository) return found;
  return [
    ...found,
    ...(await kept(root, "gaps", () => gapCases(root, GAP_COMMITS))),
    ...(await kept(root, "documents", () => documentCases(root, DOCUMENT_COMMITS))),
    ...(await kept(root, "definitions", () => definitionCases(root, DEFINITION_COMMITS, commits))),
  ];
}

/** A replay takes minutes, so `--keep` caches each part. */
async function kept<T>(root: string, name: string, replay: () => Promise<T[]>): Promise<T[]> {
  const file = values.keep && join(values.keep, `${root.replaceAll(/[^\w-]+/g, "_")}.${name}.json`);
  const found = file && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : await replay();
  process.stderr.write(`${basename(root)} ${name}: ${found.length}\n`);
  if (file) writeFileSync(file, JSON.stringify(found));
  return found;
}

/** A replay cannot tell whether the words of a decision fit a prompt: their chances were judged by hand. */
function isMeasured({ evidence }: Case): boolean {
  return evidence.every(({ kind }) => !JUDGED_KINDS.has(kind));
}

function withOwnType(found: Case): Case {
  return found.evidence.some(({ kind }) => kind.startsWith("decision_stated")) ? { ...found, type: STATED } : found;
}

function groups(list: readonly Scored[]): [string, Scored[]][] {
  return [...ITEM_TYPES, STATED]
    .map((type): [string, Scored[]] => [type, list.filter((each) => each.type === type)])
    .filter(([, own]) => own.length > 0);
}

function sizeOf(list: readonly Scored[]): string {
  return `${list.length} in ${new Set(list.map(({ set, unit }) => `${set} ${unit}`)).size}`;
}

function newerOf(list: readonly Scored[]): Scored[] {
  return list.filter(({ isNewer }) => isNewer);
}

/** As dex shows the chances. */
function summaryTable(): string {
  const rows = groups(shown).map(([name, list]) => [
    name,
    sizeOf(list),
    share(list).toFixed(2),
    errorOf(list).toFixed(3),
    noise(list).toFixed(3),
    errorOf(newerOf(list)).toFixed(3),
    noise(newerOf(list)).toFixed(3),
    precision(list),
  ]);
  const head = ["kind", "items in questions", "of use", "calibration error", "by chance alone"];
  return markdownTable([...head, "newer half", "by chance alone", "precision from 0.5"], rows);
}

/** By the weights of other projects alone. */
function generalTable(): string {
  const rows = groups(general).map(([name, list]) => {
    const most = Math.max(...list.map(({ probability }) => probability));
    const errors = [errorOf(list), noise(list), errorOf(newerOf(list))].map((each) => each.toFixed(3));
    return [name, ...errors, most.toFixed(2), precision(list)];
  });
  const head = ["kind", "error without own past", "by chance alone", "newer half", "highest chance"];
  return markdownTable([...head, "precision from 0.5"], rows);
}

/** The kinds that a project's own past moves. */
function projectTable(): string {
  const sets = [...new Set(cases.map(({ set }) => set))];
  const rows = groups(shown)
    .filter(([name]) => name === "decision" || name === "change" || name === "conversation")
    .flatMap(([name, list]) =>
      sets.flatMap((set, at) => {
        const [own, without] = [list, general].map((all) =>
          all.filter((each) => each.set === set && each.type === name),
        );
        if (!own?.length || !without) return [];
        const means = [share(own), meanChance(without), meanChance(own)].map((each) => each.toFixed(2));
        return [[name, `project ${at + 1}`, sizeOf(own), ...means]];
      }),
    );
  return markdownTable(["kind", "project", "items in questions", "of use", "without own past", "as shown"], rows);
}

/**
 * The calibration error that true chances would show in a sample of this size: outcomes are drawn from the predictions,
 * one draw for each question, because the items of a question share their fate.
 */
function noise(list: readonly Scored[]): number {
  const random = seeded(SEED);
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const luck = new Map<string, number>();
    const drawn = list.map((each) => {
      const question = `${each.set} ${each.unit} ${each.asked}`;
      const value = luck.get(question) ?? random();
      luck.set(question, value);
      return { ...each, useful: value < each.probability };
    });
    sum += errorOf(drawn);
  }
  return sum / DRAWS;
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

function meanChance(list: readonly Scored[]): number {
  const all = list.reduce((sum, { weight }) => sum + weight, 0);
  return list.reduce((sum, { weight, probability }) => sum + weight * probability, 0) / all;
}

function binsOf(list: readonly Scored[]): Bin[] {
  return reliability(list.map(({ probability, useful, weight }) => ({ probability, right: useful, weight })));
}

function errorOf(list: readonly Scored[]): number {
  return calibrationError(binsOf(list));
}

function reliabilityTable(all: readonly Scored[]): string {
  const named = groups(all);
  const bins = named.map(([, list]) => binsOf(list));
  const rows = Array.from({ length: 10 }, (_, at) => [
    `${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)}`,
    ...bins.map((list) => {
      const bin = list.find(({ from }) => Math.round(from * 10) === at);
      return bin ? `${bin.predicted.toFixed(2)}, ${bin.observed.toFixed(2)} (${bin.count})` : "";
    }),
  ]).filter((cells) => cells.slice(1).some((cell) => cell !== ""));
  return markdownTable(["predicted", ...named.map(([name]) => name)], rows);
}

function rounded({ bias, weights }: { bias: number; weights: Record<string, number> }): object {
  const two = (value: number): number => Math.round(value * 100) / 100;
  return { bias: two(bias), weights: Object.fromEntries(Object.entries(weights).map(([name, w]) => [name, two(w)])) };
}
