/**
 * Which files a prompt will lead to: those it names, those that define names it uses, those whose code speaks of
 * the same, those that near past conversations edited, and what goes with them. The weights were fitted on the first
 * prompts of real sessions and on what commits were made for (`weights.ts`). Any of the sources may be missing.
 */
import { filesOf, namesOf } from "../../code/answers/cache.ts";
import { compareText } from "../../kernel/text.ts";
import type { Changes } from "../../project/changes.ts";
import type { CodeReader } from "../../store/code.ts";
import { chanceAt } from "../scale.ts";
import { wordsOfName } from "./features.ts";
import { evidenceFor, type LikelyFile } from "./likely.ts";
import { type Spoken, spokenOf } from "./spoken.ts";
import { PROMPT_BIAS, PROMPT_WEIGHTS } from "./weights.ts";

/** A past conversation that a search for the prompt found, with the files of the project that it edited. */
export interface NearConversation {
  score: number;
  files: readonly string[];
}

export interface PromptInput {
  prompt: string;
  code?: CodeReader;
  commits?: Changes;
  conversations?: Changes;
  /** The best first. */
  near?: readonly NearConversation[];
  exists?(path: string): boolean;
  limit?: number;
}

/** True: more of it never speaks against the file. */
export const PROMPT_FEATURES = {
  path: true,
  name: true,
  words: true,
  folderWords: true,
  near: true,
  nearest: true,
  usual: true,
  recent: true,
  partner: true,
  namesSome: false,
  length: false,
  spoken: true,
  spokenMuch: true,
  spokenRank: true,
  spokenLead: true,
  coded: false,
} as const;
export type PromptFeature = keyof typeof PROMPT_FEATURES;
export const PROMPT_FEATURE_NAMES = Object.keys(PROMPT_FEATURES) as readonly PromptFeature[];

export interface PromptEvidence {
  path: string;
  features: Record<PromptFeature, number>;
  score: number;
  /** Names of the prompt that the file defines. */
  symbols: readonly string[];
  /** A file that the prompt names and that this one goes with. */
  partnerOf: string | undefined;
  /** Words of the prompt that its definitions and comments have. */
  spoken: readonly string[];
}

const LONGEST = 20_000;
const MOST_NAMED = 60;
const MOST_SYMBOLS = 60;
const MOST_NEAR = 5;
const MOST_PARTNERED = 3;
const LATEST = 60;
const MOST_DEFINITIONS = 3;
const HALF_LIFE = 8;
/** In a small project everything is changed often: of a file that the prompt says nothing of, that alone is not enough. */
const MOST_UNASKED = 0.4;
const PATH = /[\w@.+~/\\-]{0,200}[\w-]\.[A-Za-z]\w{0,7}/g;
const WORD = /[\p{L}\p{N}]+/gu;
const IDENTIFIER = /\b[A-Za-z_$][\w$]{3,60}\b/g;

export function promptFiles(input: PromptInput): LikelyFile[] {
  const ranked = promptEvidence(input).sort((a, b) => b.score - a.score || compareText(a.path, b.path));
  return ranked
    .filter(({ path }) => !input.exists || input.exists(path))
    .slice(0, input.limit ?? 20)
    .map((evidence) => ({
      path: evidence.path,
      probability: Math.round(chanceAt(evidence.score) * 1000) / 1000,
      reasons: reasonsFor(evidence),
    }));
}

export function promptEvidence(input: PromptInput): PromptEvidence[] {
  const prompt = input.prompt.slice(0, LONGEST);
  const { code, commits, conversations } = input;
  const latest = [...(commits?.latest(LATEST) ?? []), ...(conversations?.latest(LATEST) ?? [])];
  const known = new Set([
    ...(code ? filesOf(code).flatMap(({ path, language }) => (language === "config" ? [] : [path])) : []),
    ...latest.flatMap(({ files }) => files),
    ...(input.near ?? []).slice(0, MOST_NEAR).flatMap(({ files }) => files),
  ]);
  const named = namedFiles(prompt, known);
  const symbols = code ? definingFiles(prompt, code) : new Map<string, string[]>();
  const near = nearShares(input.near ?? []);
  const usual = usualShares(commits, conversations);
  const partners = partnersOfNamed(named, input);
  const words = wordMatches(prompt, known);
  const spoken = code ? spokenOf(prompt, code) : new Map<string, Spoken>();
  const length = Math.log1p(prompt.length) / 10;
  const candidates = new Set([
    ...named.keys(),
    ...symbols.keys(),
    ...near.keys(),
    ...usual.keys(),
    ...partners.keys(),
    ...words.keys(),
    ...spoken.keys(),
  ]);
  const namesSome = [...named.values()].some((share) => share === 1) ? 1 : 0;
  const isSpokenOf = (path: string): boolean =>
    [named, symbols, near, partners, words, spoken].some((found) => found.has(path));
  return Array.from(candidates, (path) => {
    const share = named.get(path) ?? 0;
    const heard = spoken.get(path);
    const features: Record<PromptFeature, number> = {
      path: share === 1 ? 1 : 0,
      name: share < 1 ? share : 0,
      // What it defines names it as its own name does: the data for a weight of its own are too few.
      words: (words.get(path)?.name ?? 0) + Math.min(1, symbols.get(path)?.length ?? 0),
      folderWords: words.get(path)?.folders ?? 0,
      near: near.get(path)?.share ?? 0,
      nearest: near.get(path)?.nearest ?? 0,
      usual: Math.min(usual.get(path)?.share ?? 0, isSpokenOf(path) ? 1 : MOST_UNASKED),
      recent: usual.get(path)?.recent ?? 0,
      partner: partners.get(path)?.probability ?? 0,
      namesSome: share === 1 ? 0 : namesSome,
      length,
      spoken: heard?.share ?? 0,
      spokenMuch: heard?.much ?? 0,
      spokenRank: heard?.rank ?? 0,
      spokenLead: heard?.lead ?? 0,
      coded: code ? 1 : 0,
    };
    return {
      path,
      features,
      score: promptScore(features),
      symbols: symbols.get(path) ?? [],
      partnerOf: partners.get(path)?.of,
      spoken: heard?.words ?? [],
    };
  });
}

function promptScore(features: Record<PromptFeature, number>): number {
  let score = PROMPT_BIAS;
  for (const name of PROMPT_FEATURE_NAMES) score += PROMPT_WEIGHTS[name] * features[name];
  return score;
}

/** 1: named by its path, or by a name that no other file has; less: one of several of that name. */
function namedFiles(prompt: string, known: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  const typed = new Set<string>();
  for (const [match] of prompt.matchAll(PATH)) {
    typed.add(match.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, ""));
    if (typed.size >= MOST_NAMED) break;
  }
  const byName = new Map<string, string[]>();
  for (const path of known) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const list = byName.get(name);
    if (list) list.push(path);
    else byName.set(name, [path]);
  }
  for (const each of typed) {
    const ending = byName.get(each.slice(each.lastIndexOf("/") + 1)) ?? [];
    // The prompt may name it from above the project, or from a folder within.
    const meant = ending.filter((path) => path === each || path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
    for (const path of meant) found.set(path, Math.max(found.get(path) ?? 0, 1 / meant.length));
    if (meant.length === 0 && each.includes("/")) found.set(each, 1);
  }
  return found;
}

function definingFiles(prompt: string, code: CodeReader): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const names = nameSet(code);
  const seen = new Set<string>();
  for (const [identifier] of prompt.matchAll(IDENTIFIER)) {
    // A plain word is a name of something by chance more often than not.
    if (seen.has(identifier) || !/[a-z][A-Z]|_|^[A-Z]\w*[a-z]\w*[A-Z]/.test(identifier) || !names.has(identifier))
      continue;
    seen.add(identifier);
    const files = [...new Set(code.named(identifier).map(({ path }) => path))];
    if (files.length > MOST_DEFINITIONS) continue;
    for (const path of files) found.set(path, [...(found.get(path) ?? []), identifier]);
    if (seen.size >= MOST_SYMBOLS) break;
  }
  return found;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function nameSet(code: CodeReader): ReadonlySet<string> {
  const names = namesOf(code);
  const known = sets.get(names) ?? new Set(names);
  sets.set(names, known);
  return known;
}

function nearShares(near: readonly NearConversation[]): Map<string, { share: number; nearest: number }> {
  const found = new Map<string, { share: number; nearest: number }>();
  const first = near.slice(0, MOST_NEAR);
  const best = first[0]?.score || 1;
  const all = first.reduce((sum, { score }) => sum + score, 0) || 1;
  for (const { score, files } of first) {
    // A conversation that edited many files says less of each.
    const focus = 1 / Math.sqrt(Math.max(1, files.length));
    for (const path of new Set(files)) {
      const known = found.get(path) ?? { share: 0, nearest: 0 };
      found.set(path, {
        share: known.share + score / all,
        nearest: Math.max(known.nearest, (score / best) * focus),
      });
    }
  }
  return found;
}

function usualShares(...changes: (Changes | undefined)[]): Map<string, { share: number; recent: number }> {
  const found = new Map<string, { share: number; recent: number }>();
  for (const each of changes) {
    let all = 0;
    const weights = new Map<string, { share: number; recent: number }>();
    for (const [age, { files }] of (each?.latest(LATEST) ?? []).entries()) {
      const weight = 0.5 ** (age / HALF_LIFE);
      all += weight;
      for (const path of files) {
        const known = weights.get(path) ?? { share: 0, recent: 1 / (1 + age) };
        weights.set(path, { share: known.share + weight, recent: known.recent });
      }
    }
    for (const [path, { share, recent }] of weights) {
      const known = found.get(path) ?? { share: 0, recent: 0 };
      found.set(path, { share: Math.max(known.share, share / (all + 1)), recent: Math.max(known.recent, recent) });
    }
  }
  return found;
}

function partnersOfNamed(
  named: ReadonlyMap<string, number>,
  input: PromptInput,
): Map<string, { probability: number; of: string }> {
  const found = new Map<string, { probability: number; of: string }>();
  const sure = [...named].filter(([, share]) => share === 1).slice(0, MOST_PARTNERED);
  for (const [file] of sure) {
    for (const { path, score } of evidenceFor(file, input)) {
      const probability = chanceAt(score);
      if (probability < 0.1 || probability <= (found.get(path)?.probability ?? 0)) continue;
      found.set(path, { probability, of: file });
    }
  }
  return found;
}

/** How much of a file's name and of its folders' the prompt says, rare words counting more. */
function wordMatches(prompt: string, known: ReadonlySet<string>): Map<string, { name: number; folders: number }> {
  const said = new Set(
    Array.from(
      prompt
        .replace(/([a-z\d])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .matchAll(WORD),
      ([word]) => word,
    ),
  );
  const files = new Map<string, number>();
  for (const path of known) for (const word of wordsOfName(path)) files.set(word, (files.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log((1 + known.size) / (files.get(word) ?? 1));
  const found = new Map<string, { name: number; folders: number }>();
  for (const path of known) {
    let all = 0;
    let matched = 0;
    for (const word of wordsOfName(path)) {
      all += rarity(word);
      if (word.length > 2 && said.has(word)) matched += rarity(word);
    }
    if (matched === 0) continue;
    const folders = path.split("/").slice(0, -1);
    const saidFolders = folders.filter((folder) => folder.length > 3 && said.has(folder.toLowerCase())).length;
    found.set(path, { name: matched / all, folders: saidFolders / Math.max(1, folders.length) });
  }
  return found;
}

function reasonsFor({ features, symbols, partnerOf, spoken }: PromptEvidence): string[] {
  const found: string[] = [];
  if (features.path > 0) found.push("the prompt names it");
  if (features.name > 0) found.push("the prompt names a file that may be it");
  if (symbols.length > 0) found.push(`defines ${symbols.slice(0, 3).join(", ")}`);
  if (features.near > 0) found.push("edited by a past conversation about the same");
  if (partnerOf !== undefined && features.partner >= 0.2) found.push(`goes with ${partnerOf}`);
  if (features.words >= 0.5) found.push("its name is in the prompt");
  if (features.spoken >= 0.5 && spoken.length > 0) found.push(`its code mentions ${spoken.slice(0, 4).join(", ")}`);
  if (features.usual >= 0.15) found.push("is changed often at the moment");
  return found.length > 0 ? found : ["is changed often here"];
}
