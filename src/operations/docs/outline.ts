/** `dex docs outline`: the sections of a document with their addresses and sizes. */
import * as z from "zod";
import { nameOf } from "../../collections/citation.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { leadingThatFit } from "../../tokens/leading.ts";
import { defineOperation } from "../operation.ts";
import { maxTokensField } from "../shared/fields.ts";
import { collectionField, ONE_DOCUMENT, resolvePart, withSubsections } from "./fields.ts";

const HEAD_TOKENS = 80;
const LAYOUT_TOKENS = 6;

export const docsOutline = defineOperation({
  name: "documents_get_outline",
  verb: "docs outline",
  summary: "List the sections of a document, with their addresses and sizes",
  positionals: ["document"],
  input: z.strictObject({
    document: z.string().describe("Path or title; path#section for a section's subsections"),
    collection: collectionField,
    max_depth: z.int("must be a whole number").min(1).max(6).default(6).describe("Deepest level of headings"),
    max_tokens: maxTokensField,
  }),
  output: z.object({
    collection: z.string(),
    document: z.string(),
    title: z.string(),
    location: z.string(),
    estimated_tokens: z.number(),
    sections: z.array(
      z.object({
        section: z.string(),
        heading: z.string(),
        level: z.number(),
        first_line: z.number(),
        /** Without its subsections. */
        tokens: z.number(),
        /** With its subsections. */
        total_tokens: z.number(),
      }),
    ),
    truncated: z.object({ sections: z.number() }).optional(),
  }),
  ...ONE_DOCUMENT,
  unlisted: ["collection"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const { row, sections: all, section } = resolvePart(library, input, dex.cwd);
    const under = section ? withSubsections(all, section) : all;
    const wanted = under.filter(({ level }) => level <= input.max_depth);
    const room = (input.max_tokens ?? Number.POSITIVE_INFINITY) - HEAD_TOKENS;
    const { items: shown } = leadingThatFit(
      wanted,
      room,
      ({ slug, heading }) => (estimateTokens(`${slug} ${heading}`) + LAYOUT_TOKENS) * BUDGET_MARGIN,
    );
    context.trace?.({
      inputs: { sections: all.length },
      budgets: input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens },
      truncation: { sections: wanted.length - shown.length },
    });
    return {
      collection: nameOf(library, row.collection),
      document: row.path,
      title: row.title,
      location: row.location,
      estimated_tokens: row.tokens,
      sections: shown.map((section) => ({
        section: section.slug,
        heading: section.heading,
        level: section.level,
        first_line: section.first_line,
        tokens: section.tokens,
        total_tokens: withSubsections(all, section).reduce((sum, each) => sum + each.tokens, 0),
      })),
      ...(shown.length < wanted.length ? { truncated: { sections: wanted.length - shown.length } } : {}),
    };
  },
});
