/**
 * The questions of a replayed history with all candidates and the evidence for each, once for the fit and once for the
 * measurement. They are cached in a folder, because the code graphs take long to read.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { FileEvidence } from "../../src/suggest/files/features.ts";
import { FEATURE_NAMES } from "../../src/suggest/files/features.ts";
import { evidenceFor } from "../../src/suggest/files/likely.ts";
import { PROMPT_FEATURE_NAMES, promptEvidence } from "../../src/suggest/files/prompt.ts";
import { reasonsFor } from "../../src/suggest/files/reasons.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { addedEntries, plainSubject } from "./asks.ts";
import { type Question, replayHistory } from "./replay.ts";

/** One question with its candidates. */
export interface Asked {
  /** The history or project of the question. */
  set: string;
  /** The commit or session. */
  unit: number;
  /** Queried with the first file of the commit or session. */
  first: boolean;
  /** Questions of the same commit or session: together they count as one. */
  siblings: number;
  /** The files to find. */
  gold: number;
  candidates: Candidate[];
}

export interface Candidate {
  path: string;
  right: boolean;
  /** The tokens that naming it with its reasons takes. */
  tokens: number;
  features: Float32Array;
  /** By baseline: higher is better, 0 no answer. */
  others: Readonly<Record<Other, number>>;
}

export const OTHERS = [
  "import graph alone",
  "pairs alone, by confidence",
  "dex, co-change",
  "weights set by hand",
] as const;
export type Other = (typeof OTHERS)[number];

export interface History {
  name: string;
  folder: string;
  releases: boolean;
}

const STEP = 25;
const WARM = 15;
/** Packages with fewer releases that list their changes are not replayed for prompts. */
const MIN_ENTRIES = 20;
/** Ends the name of a set. */
export const SCOPED = ", with the scope";

export async function askedOf({ name, folder, releases }: History, keep: string | undefined): Promise<Asked[]> {
  const kept = keep === undefined ? undefined : join(keep, `${name}.v8`);
  if (kept && existsSync(kept)) return deserialize(readFileSync(kept)) as Asked[];
  const found: Asked[] = [];
  await replayHistory(folder, { step: STEP, releases, warm: WARM }, ({ commit, known, code, commits, exists }) => {
    for (const [at, file] of known.entries()) {
      const gold = new Set(known.filter((path) => path !== file));
      const evidence = evidenceFor(file, { code, commits }).filter(({ path }) => exists(path));
      const candidates = evidence.map((each) => candidateOf(each, gold.has(each.path)));
      found.push({ set: name, unit: commit, first: at === 0, siblings: known.length, gold: gold.size, candidates });
    }
  });
  if (keep !== undefined && kept) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(kept, serialize(found));
  }
  return found;
}

/**
 * The purposes of commits, queried as prompts with the code graph of an earlier commit: only these show the value of
 * the code's own words. By the name of the set; subjects also with the words of their scope.
 */
export async function subjectsOf(history: History, keep: string | undefined): Promise<Map<string, Asked[]>> {
  const { name, folder, releases } = history;
  const kept = keep === undefined ? undefined : join(keep, `${name}.subjects.v8`);
  if (kept && existsSync(kept)) return deserialize(readFileSync(kept)) as Map<string, Asked[]>;
  const entries = releases ? addedEntries(folder) : undefined;
  const found = new Map<string, Asked[]>();
  const ask = (set: string, prompt: string, { commit, known, code, commits, exists }: Question): void => {
    if (prompt === "") return;
    const wanted = new Set(known);
    const candidates = promptEvidence({ prompt, code, commits, exists })
      .filter(({ path }) => exists(path))
      .map(({ path, features }) => ({
        path,
        right: wanted.has(path),
        tokens: estimateTokens(path),
        features: Float32Array.from(PROMPT_FEATURE_NAMES, (each) => features[each]),
        others: NO_OTHERS,
      }));
    const asked = { set, unit: commit, first: true, siblings: 1, gold: wanted.size, candidates };
    found.set(set, [...(found.get(set) ?? []), asked]);
  };
  if (!entries || entries.size >= MIN_ENTRIES) {
    await replayHistory(folder, { step: 0, releases, warm: WARM }, (question) => {
      ask(name, entries ? (entries.get(question.sha) ?? "") : plainSubject(question.subject), question);
      if (!entries) ask(`${name}${SCOPED}`, plainSubject(question.subject, true), question);
    });
  }
  if (keep !== undefined && kept) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(kept, serialize(found));
  }
  return found;
}

export const NO_OTHERS: Readonly<Record<Other, number>> = {
  "import graph alone": 0,
  "pairs alone, by confidence": 0,
  "dex, co-change": 0,
  "weights set by hand": 0,
};

export function candidateOf(evidence: FileEvidence, right: boolean): Candidate {
  const { path, features } = evidence;
  const line = `${path}: ${reasonsFor(evidence, true).join("; ")}`;
  return {
    path,
    right,
    tokens: estimateTokens(line),
    features: Float32Array.from(FEATURE_NAMES, (name) => features[name]),
    others: othersOf(evidence),
  };
}

function othersOf({ path, ties, stats, features }: FileEvidence): Record<Other, number> {
  const { support, confidence, last, share } = stats.of(path);
  const linked = (ties?.imported ? 1 : 0) + (ties?.importer ? 1 : 0) + (ties?.tests ?? 0) + (ties?.tested ?? 0);
  const likeness = features.stem > 0 ? 1 : 0.5 * features.folder;
  const cochange = support > 0 ? share * (1 + 0.6 * likeness) : 0;
  let missed = 1 - 0.8 * Math.min(1, cochange);
  const by = (weight: number): void => {
    missed *= 1 - weight;
  };
  if (ties?.imported) by(0.5);
  if (ties?.importer) by(0.4);
  by(0.8 * (ties?.tests ?? 0));
  by(0.8 * (ties?.tested ?? 0));
  if (ties?.sameName) by(0.6);
  if (ties?.sameFolder) by(0.15);
  by(0.3 * (ties?.near ?? 0));
  return {
    "import graph alone": linked > 0 || (ties?.near ?? 0) > 0 ? linked + (ties?.near ?? 0) : 0,
    // Ties by the latest change together; the share of time is too small to change the order otherwise.
    "pairs alone, by confidence": support > 0 ? confidence + last * 1e-17 : 0,
    "dex, co-change": cochange,
    "weights set by hand": 1 - missed,
  };
}

/** `folder` or `folder:releases`. */
export function historyOf(typed: string): History {
  const releases = typed.endsWith(":releases");
  const folder = releases ? typed.slice(0, -":releases".length) : typed;
  return { name: folder === "." ? "this repository" : basename(folder), folder, releases };
}
