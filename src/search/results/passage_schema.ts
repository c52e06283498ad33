/** The schema of a passage of documentation as verbs return it, separate from the search code to load quickly. */
import * as z from "zod";
import { evidenceField } from "./result_schema.ts";

/** Identifies a document. */
export const documentFields = {
  /** Its address: collection:path#section. */
  id: z.string(),
  collection: z.string(),
  document: z.string(),
  title: z.string(),
};

/** Identifies lines of a section. */
export const sectionFields = {
  ...documentFields,
  /** The slug of its section; empty before the first heading. */
  section: z.string(),
  headings: z.array(z.string()),
  first_line: z.number(),
  last_line: z.number(),
};

export const passageResult = z.object({
  ...sectionFields,
  chunk: z.number(),
  snippet: z.string(),
  /** Tokens of its section. */
  estimated_tokens: z.number(),
  rank_source: z.enum(["lexical", "vector", "hybrid"]),
  score_lex: z.number(),
  score_vec: z.number().nullable(),
  score_final: z.number(),
  explain: z
    .array(
      z.object({ term: z.string(), passages: z.number(), rarity: z.number(), weight: z.number(), share: z.number() }),
    )
    .optional(),
  /** With `explain`: further evidence that is part of the score. */
  evidence: z.array(evidenceField).optional(),
});

export type PassageResult = z.output<typeof passageResult>;

export const modeField = z
  .enum(["hybrid", "lexical", "vector"])
  .default("hybrid")
  .describe("Rank by words and meaning, by words alone, or by meaning alone");

export const fullField = z.boolean().default(false).describe("Whole passages instead of snippets");
