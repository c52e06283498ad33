/** Finds the definitions of the project in the current folder that a question is about. */
import { existsSync } from "node:fs";
import { asksForTests, searchCode } from "../../code/answers/search.ts";
import { languageOf } from "../../code/languages/registry.ts";
import { openFresh } from "../../code/open.ts";
import { type CodeProject, findCodeProject } from "../../code/project.ts";
import { mentionsIn } from "../../decisions/decision.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { TermCounts } from "../../ranking/hits.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { Passage } from "../passage.ts";
import { termsOf } from "../question/terms.ts";
import { SourceFiles } from "./source_files.ts";

/** How many entities are ranked for each passage that is needed. */
const OVERFETCH = 4;
/** For questions about how something works: whole files rank last, and tests are left out unless the question is about tests. */
const KIND_WEIGHT: Partial<Record<EntityRow["kind"], number>> = { file: 0.6, constant: 0.8 };
/** A name shared by more definitions than this is not treated as the name of any of them. */
const MAX_NAMESAKES = 3;
/**
 * A definition with members that would take a larger share of the answer is shown as signatures: its own and theirs.
 */
const MAX_DEFINITION_SHARE = 0.7;
/** A longer definition without members is shown as its signature. Of a shorter one, an answer may quote some lines. */
const MAX_DEFINITION_TOKENS = 1500;

/** The project for a question about code. Creates the index of a repository that has none yet. */
export function neededCode(dex: Dex): CodeProject {
  const project = findCodeProject(dex.paths.code, dex.cwd);
  if (project.git || existsSync(project.path)) return project;
  throw new DexError("no_code", `The code in ${dex.cwd} is not indexed, and the folder is not in a git repository.`, {
    hint: "Ask in a project, or run `dex code index` here first.",
  });
}

/** Scores are relative to the best match, and lower for whole files; definitions that the question names come first. */
export async function findInCode(
  dex: Dex,
  project: CodeProject,
  query: string,
  limit: number,
  maxTokens: number,
): Promise<Passage[]> {
  const { store } = await openFresh(dex.caches, project, { now: dex.now });
  const sources = new SourceFiles(project);
  const withMembers = maxTokens * MAX_DEFINITION_SHARE;
  const budget = { withMembers, withoutMembers: Math.max(withMembers, MAX_DEFINITION_TOKENS) };
  const wantsTests = asksForTests(query);
  const named = namedDefinitions(query, store).filter((entity) => wantsTests || !isTest(entity, store));
  const found = searchCode(store, query, {}, limit * OVERFETCH).found.filter(
    ({ entity }) =>
      languageOf(entity.path) !== "document" &&
      !isOnlyName(entity) &&
      (wantsTests || !isTest(entity, store)) &&
      !named.some(({ no }) => no === entity.no),
  );
  const best = Math.max(...found.map(({ score }) => score), Number.MIN_VALUE);
  const ranked = found
    .map(({ entity, score }) => ({ entity, score: (score / best) * (KIND_WEIGHT[entity.kind] ?? 1) }))
    .sort((a, b) => b.score - a.score);
  return [...named.map((entity) => ({ entity, score: 1, named: true as const })), ...ranked]
    .slice(0, limit)
    .flatMap(({ entity, ...rank }) => {
      const passage = sources.passage(entity, store, budget);
      return passage ? [{ ...passage, ...rank }] : [];
    });
}

/** Definitions that the question names as in code: `wrapThenable`, `url_for`, or any name in backticks. */
function namedDefinitions(query: string, store: CodeReader): EntityRow[] {
  const { symbols } = mentionsIn(query, { file: () => undefined });
  return symbols.flatMap((name) => {
    const defined = store.named(name).filter(({ kind }) => kind !== "file" && kind !== "test");
    return defined.length <= MAX_NAMESAKES ? defined : [];
  });
}

export async function countInCode(dex: Dex, project: CodeProject, terms: readonly string[]): Promise<TermCounts> {
  const { store } = await openFresh(dex.caches, project, { now: dex.now });
  return store.countTerms(terms);
}

/** Whether a definition says nothing besides its name, such as `MODE_FAST = "fast"` without a comment. */
function isOnlyName({ kind, doc, qualified, signature }: EntityRow): boolean {
  const value = /=\s*(["'`])([^"'`]*)\1[\s;,)]*$/.exec(signature)?.[2];
  if (kind !== "constant" || doc !== "" || value === undefined) return false;
  return termsOf(value).isSubsetOf(termsOf(qualified));
}

function isTest({ kind, path }: EntityRow, store: CodeReader): boolean {
  return kind === "test" || store.file(path)?.test === true;
}
