/** What a search result has beside a conversation's fields, apart from what finds it: a search loads only what it asks. */
import * as z from "zod";
import { ENTITY_KINDS } from "../store/code.ts";

/** How many of the files a conversation edited have changed since. Absent: it edited none, or it cannot be known. */
export const changedField = z.object({ files: z.number(), of: z.number() }).optional();

/** Fields of a document. */
const documentFields = {
  collection: z.string().optional(),
  document: z.string().optional(),
  section: z.string().optional(),
  first_line: z.number().optional(),
  last_line: z.number().optional(),
  /** In a list of several kinds: how near to the best of its own, from 0 to 1. */
  relative: z.number().optional(),
};

/** Fields of a definition in code. */
const codeFields = {
  /** What is defined there. */
  definition: z.enum(ENTITY_KINDS).optional(),
  /** The file, from the project's root. */
  path: z.string().optional(),
  signature: z.string().optional(),
};

const explanation = z.object({
  /** The best messages, or the title (null): what words and likeness each has, and its part of the score. */
  best_messages: z.array(
    z.object({ index: z.number().nullable(), words: z.number(), likeness: z.number().nullable(), part: z.number() }),
  ),
  /** What their sum was multiplied by, for a file the query names; 1: nothing. */
  file_boost: z.number(),
  /** How the shown message came to its score. */
  terms: z.array(
    z.object({ term: z.string(), messages: z.number(), rarity: z.number(), weight: z.number(), share: z.number() }),
  ),
});

export const searchResult = z.object({
  kind: z.enum(["conversation", "document", "code"]),
  /** Of a document: collection:path#section; of code: file:line. */
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
  /** Names the conversation and no other, in few characters. */
  address: z.string().optional(),
  parent: z.string().optional(),
  parent_kind: z.enum(["subagent", "fork"]).optional(),
  /** How many subagents and forks it has. */
  children: z.number().optional(),
  changed_since: changedField,
  explain: explanation.optional(),
  /** Of documents. */
  ...documentFields,
  /** Of code. */
  ...codeFields,
});

export type SearchResult = z.output<typeof searchResult>;
export type Explanation = z.output<typeof explanation>;

export interface DroppedResult {
  id: string;
  message_index: number | null;
  likeness: number;
  reason: string;
}
