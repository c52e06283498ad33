/** The schema of a search result, separate from the search code to load quickly. */
import * as z from "zod";
import { PARENT_KINDS } from "../../conversations/model.ts";
import { ENTITY_KINDS } from "../../store/code.ts";

/** How many of a conversation's edited files have changed since. Absent if it edited none, or if that is unknown. */
export const changedField = z.object({ files: z.number(), of: z.number() }).optional();

/** Fields of a document. */
const documentFields = {
  collection: z.string().optional(),
  document: z.string().optional(),
  section: z.string().optional(),
  first_line: z.number().optional(),
  last_line: z.number().optional(),
  /** In a list of several kinds: the score relative to the best of its kind, 0 to 1. */
  relative: z.number().optional(),
};

/** Fields of a definition in code. */
const codeFields = {
  /** The kind of definition. */
  definition: z.enum(ENTITY_KINDS).optional(),
  /** The file, relative to the project's root. */
  path: z.string().optional(),
  signature: z.string().optional(),
};

export const evidenceField = z.object({
  name: z.enum(["together", "near", "written", "meaning", "here", "own"]),
  value: z.number(),
  part: z.number(),
});

const explanation = z.object({
  /** The best messages, or the title (null), with the scores of words and similarity and their part of the total. */
  best_messages: z.array(
    z.object({ index: z.number().nullable(), words: z.number(), likeness: z.number().nullable(), part: z.number() }),
  ),
  /** The factor for a file named in the query; 1 without one. */
  file_boost: z.number(),
  /** Further evidence in the score: its amount, 0 to 1, and its share of the total. */
  evidence: z.array(evidenceField),
  /** The terms that make up the score of the shown message. */
  terms: z.array(
    z.object({ term: z.string(), messages: z.number(), rarity: z.number(), weight: z.number(), share: z.number() }),
  ),
});

/** Where a conversation comes from, in a home that has joined a team. */
export const originFields = {
  origin: z.enum(["local", "team"]).optional(),
  /** The member who had it, and on which machine. */
  owner: z.string().optional(),
  machine: z.string().optional(),
  /** The shared project. */
  scope: z.string().optional(),
};

export const searchResult = z.object({
  kind: z.enum(["conversation", "document", "code"]),
  /** The conversation's id; for a document collection:path#section; for code file:line. */
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  snippet: z.string(),
  message_index: z.number(),
  estimated_tokens: z.number(),
  rank_source: z.enum(["lexical", "vector", "hybrid"]),
  score_lex: z.number(),
  score_vec: z.number().nullable(),
  score_final: z.number(),
  /** A short prefix of the id that identifies the conversation. */
  address: z.string().optional(),
  parent: z.string().optional(),
  parent_kind: z.enum(PARENT_KINDS).optional(),
  /** How many subagents and forks it has. */
  children: z.number().optional(),
  ...originFields,
  changed_since: changedField,
  explain: explanation.optional(),
  ...documentFields,
  ...codeFields,
});

const facetCounts = z.array(z.object({ name: z.string(), conversations: z.number() }));

/** How many of the matching conversations belong to each agent, project and month, or match in a message of each role. */
export const facetsField = z.object({
  agents: facetCounts,
  projects: facetCounts,
  months: facetCounts,
  roles: facetCounts,
});

export type SearchResult = z.output<typeof searchResult>;
export type Explanation = z.output<typeof explanation>;

export interface DroppedResult {
  id: string;
  message_index: number | null;
  likeness: number;
  reason: string;
}
