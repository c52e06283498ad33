import * as z from "zod";
import { DexError } from "../kernel/errors.ts";
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

export const docsSection = defineOperation({
  name: "documents_get_section",
  verb: "docs section",
  summary: "Read a section of a document by its address in the outline, an anchor or its heading",
  positionals: ["document", "section"],
  input: z.strictObject({
    document: z.string().describe("Path or title; path#section names both"),
    section: z.string().optional(),
    collection: collectionField,
    include_subsections: z.boolean().default(true).describe("With the sections below it"),
    max_tokens: readTokensField,
  }),
  output: z.object({
    id: z.string(),
    collection: z.string(),
    document: z.string(),
    title: z.string(),
    section: z.string(),
    headings: z.array(z.string()),
    first_line: z.number(),
    last_line: z.number(),
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
    const { row, section: inAddress } = resolveDocument(library, input.document, input.collection);
    const typed = input.section ?? inAddress;
    if (typed === undefined) {
      throw new DexError("no_section", `Which section of ${row.path} is meant?`, {
        hint: "`dex docs outline` lists them; `dex docs show` reads the whole document.",
      });
    }
    const sections = library.reader.sections(row.no);
    const section = resolveSection(sections, typed);
    const run = input.include_subsections ? withSubsections(sections, section) : [section];
    const about = {
      id: addressOf(library, row, section.slug),
      collection: nameOf(library, row.collection),
      document: row.path,
      title: row.title,
      section: section.slug,
      headings: [...section.path],
      location: row.location,
    };
    const head = estimateTokens(Object.values(about).flat().join("\n")) * BUDGET_MARGIN + NOTES_TOKENS;
    const last = run.at(-1)?.last_line ?? section.last_line;
    const text = library.reader.text(row.no);
    const { tokens, ...shown } = excerpt(text, section.first_line, last, Math.max(0, input.max_tokens - head));
    context.trace?.({
      inputs: { sections: sections.length },
      ranking: [{ id: about.id, source: about.collection, summary: row.title }],
      budgets: { max_tokens: input.max_tokens },
      truncation: { tokens: shown.truncated?.tokens ?? 0 },
    });
    return { ...about, ...shown, total_tokens: tokens };
  },
});
