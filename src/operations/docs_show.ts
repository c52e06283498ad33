import * as z from "zod";
import { DOCUMENT_FORMATS } from "../documents/model.ts";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { BUDGET_MARGIN, estimateTokens } from "../kernel/tokens.ts";
import { excerpt } from "./document_text.ts";
import {
  addressOf,
  collectionField,
  nameOf,
  readTokensField,
  resolveDocument,
  resolveSection,
  withSubsections,
} from "./documents.ts";
import { defineOperation } from "./operation.ts";

/** What stands around the text: lines, and that not all is there. */
const NOTES_TOKENS = 40;

export const docsShow = defineOperation({
  name: "documents_get_document",
  verb: "docs show",
  summary: "Read a document, or go on reading from a line",
  positionals: ["document"],
  input: z.strictObject({
    document: z.string().describe("Path or title; path#section for a section"),
    collection: collectionField,
    from_line: z.int("must be a whole number").min(1, "must be positive").optional().describe("Lines count from 1"),
    max_tokens: readTokensField,
  }),
  output: z.object({
    id: z.string(),
    collection: z.string(),
    document: z.string(),
    title: z.string(),
    format: z.enum(DOCUMENT_FORMATS),
    first_line: z.number(),
    last_line: z.number(),
    lines: z.number(),
    text: z.string(),
    total_tokens: z.number(),
    location: z.string(),
    truncated: z.object({ tokens: z.number(), next_line: z.number() }).optional(),
  }),
  readOnly: true,
  idempotent: true,
  fresh: "documents",
  traced: true,
  asks: "document",
  toolset: "documents",
  unlisted: ["collection"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const { row, section: typed } = resolveDocument(library, input.document, input.collection);
    const text = library.reader.text(row.no);
    const lines = text.split("\n").length;
    const sections = typed === undefined ? [] : library.reader.sections(row.no);
    const run = typed === undefined ? [] : withSubsections(sections, resolveSection(sections, typed));
    const first = input.from_line ?? run[0]?.first_line ?? 1;
    const last = run.at(-1)?.last_line ?? lines;
    if (first > last) {
      throw new DexError("bad_line", `There is no line ${first} in ${row.path}.`, {
        hint: `It has ${plural(lines, "line")}.`,
      });
    }
    const about = {
      id: addressOf(library, row, run[0]?.slug),
      collection: nameOf(library, row.collection),
      document: row.path,
      title: row.title,
      format: row.format,
      location: row.location,
    };
    const head = estimateTokens(Object.values(about).join("\n")) * BUDGET_MARGIN + NOTES_TOKENS;
    const { tokens, ...shown } = excerpt(text, first, last, Math.max(0, input.max_tokens - head));
    context.trace?.({
      inputs: { lines },
      ranking: [{ id: about.id, source: about.collection, summary: row.title }],
      budgets: { max_tokens: input.max_tokens },
      truncation: { tokens: shown.truncated?.tokens ?? 0 },
    });
    return { ...about, lines, ...shown, total_tokens: tokens };
  },
});
