/**
 * Finds passages where the question asks for them: in documents, conversations, code, or everything about the project.
 */
import type { CodeProject } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { repositoryOrFolder } from "../../history/repository.ts";
import type { TermCounts } from "../../ranking/hits.ts";
import type { RunContext } from "../../run_context.ts";
import type { Passage } from "../passage.ts";
import { asksForPlace } from "../question/place.ts";
import { findInConversations } from "./conversations.ts";
import { findInDocuments } from "./documents.ts";
import { findInManifests } from "./manifests/find.ts";
import type { ProjectPast } from "./past/past.ts";
import { codeMayAnswer, documentMayAnswer, pastQuestionIn } from "./past/past_questions.ts";

export const ASK_IN = ["documents", "conversations", "code", "all"] as const;
export type AskIn = (typeof ASK_IN)[number];

export interface Place {
  in: AskIn;
  /** The asker named no place and is in a repository, so the question is about this project. */
  here: boolean;
  /** The asker did not limit where to look. */
  isDefault: boolean;
  /** The project whose code is searched. */
  code: CodeProject | undefined;
  /** The words of the project's name that occur in the question. */
  name: readonly string[];
  /** The commits and decisions of the project, for a question about its past. */
  past: ProjectPast | undefined;
  maxTokens: number;
}

/**
 * Documents rank first: conversations are less reliable, code rarely explains reasons, and commits describe past
 * states.
 */
const CONVERSATION_WEIGHT = 0.8;
const CODE_WEIGHT = 0.9;
const PAST_WEIGHT = 0.9;
/** For a question for a place in the code, which documents and messages rarely name. */
const NOT_A_PLACE_WEIGHT = 0.6;

export async function findIn(
  dex: Dex,
  place: Place,
  query: string,
  limit: number,
  named: readonly string[],
): Promise<Passage[]> {
  const { in: where, code } = place;
  if (where === "documents") return findInDocuments(dex, query, limit, named);
  if (where === "conversations") return findInConversations(dex, query, limit, { here: false, deep: true });
  const defined = code ? await (await import("./code.ts")).findInCode(dex, code, query, limit, place.maxTokens) : [];
  if (where === "code") return defined;
  const asked = place.past && pastQuestionIn(query);
  const written = (await findInDocuments(dex, query, limit, named)).filter(
    ({ text }) => !asked || documentMayAnswer(asked, text),
  );
  const coded = defined.filter(({ text }) => !asked || codeMayAnswer(asked, text));
  const scope = { here: place.here, deep: !place.here || asked !== undefined };
  const said = await findInConversations(dex, query, limit, scope);
  const ofText = coded.length > 0 && asksForPlace(query) ? NOT_A_PLACE_WEIGHT : 1;
  return [
    ...(place.here ? findInManifests(repositoryOrFolder(dex.cwd).root, query, place.name) : []),
    ...relative(written, ofText),
    ...weighted(coded, CODE_WEIGHT),
    ...relative(said, CONVERSATION_WEIGHT * ofText),
    ...weighted(place.past?.find(query, limit) ?? [], PAST_WEIGHT),
  ]
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, limit);
}

/** Counts terms in everything that `findIn` searches, or in one collection of documents. */
export async function countIn(
  dex: Dex,
  { in: where, code, past }: Place,
  terms: readonly string[],
  collection?: string,
): Promise<TermCounts> {
  const counts: TermCounts[] = past ? [past.count(terms)] : [];
  if (where === "documents" || where === "all") {
    const { reader, collections } = await dex.library();
    const found = collections.find(({ name }) => name === collection);
    if (found) return reader.countTerms(terms, { collections: [found.id] });
    counts.push(reader.countTerms(terms));
  }
  if (where === "conversations" || where === "all") counts.push(dex.store.countTerms(terms));
  if (code) counts.push(await (await import("./code.ts")).countInCode(dex, code, terms));
  const having = new Map(
    terms.map((term) => [term, counts.reduce((sum, each) => sum + (each.having.get(term) ?? 0), 0)]),
  );
  return { texts: counts.reduce((sum, { texts }) => sum + texts, 0), having };
}

/** With `all`, dex searches code only if it is already indexed or can be indexed quickly. */
export async function codeOf(dex: Dex, where: AskIn, context: RunContext): Promise<CodeProject | undefined> {
  if (where === "code") return (await import("./code.ts")).neededCode(dex);
  return where === "all" ? (await import("../../search/code.ts")).indexedProject(dex, context) : undefined;
}

function relative(passages: readonly Passage[], weight: number): Passage[] {
  const best = Math.max(...passages.map(({ score = 0 }) => score), Number.MIN_VALUE);
  return weighted(passages, weight / best);
}

function weighted(passages: readonly Passage[], weight: number): Passage[] {
  return passages.map((passage) => ({ ...passage, score: (passage.score ?? 0) * weight }));
}
