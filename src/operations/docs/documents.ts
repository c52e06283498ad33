/** `dex docs documents`: the documents of collections. */
import * as z from "zod";
import { collectionFilter, nameOf } from "../../collections/citation.ts";
import { DOCUMENT_FORMATS } from "../../documents/model.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { leadingThatFit } from "../../tokens/leading.ts";
import { defineOperation } from "../operation.ts";
import { limitField, maxTokensField, offsetField } from "../shared/fields.ts";
import { collectionsField } from "./fields.ts";

const listedDocument = z.object({
  collection: z.string(),
  document: z.string(),
  title: z.string(),
  description: z.string().optional(),
  format: z.enum(DOCUMENT_FORMATS),
  sections: z.number(),
  estimated_tokens: z.number(),
  location: z.string(),
});

/** Reserved for the truncation note and the line of column titles. */
const NOTES_TOKENS = 40;
const LAYOUT_TOKENS = 10;

export const docsDocuments = defineOperation({
  name: "documents_list_documents",
  verb: "docs documents",
  summary: "List the documents of collections",
  positionals: ["collections"],
  input: z.strictObject({
    collections: collectionsField,
    limit: limitField(100),
    offset: offsetField,
    max_tokens: maxTokensField,
  }),
  output: z.object({ documents: z.array(listedDocument), total: z.number() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "documents",
  toolset: "documents",
  run: async (dex, input) => {
    const library = await dex.library();
    const filter = collectionFilter(library, input.collections);
    const rows = library.reader.documents(filter, input.limit, input.offset).map((row) => ({
      collection: nameOf(library, row.collection),
      document: row.path,
      title: row.title,
      ...(row.description === null ? {} : { description: row.description }),
      format: row.format,
      sections: row.sections,
      estimated_tokens: row.tokens,
      location: row.location,
    }));
    const room = (input.max_tokens ?? Number.POSITIVE_INFINITY) - NOTES_TOKENS;
    const { items } = leadingThatFit(rows, room, ({ collection, document, title, description = "" }) => {
      const text = [collection, document, title, description].join("\t");
      return (estimateTokens(text) + LAYOUT_TOKENS) * BUDGET_MARGIN;
    });
    return { documents: items, total: library.reader.countDocuments(filter) };
  },
  isEmpty: (output) => output.documents.length === 0,
});
