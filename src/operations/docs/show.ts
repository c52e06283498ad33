/** `dex docs show`: a document, or the part of it that fits the budget. */
import * as z from "zod";
import { citation } from "../../collections/citation.ts";
import { DOCUMENT_FORMATS } from "../../documents/model.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { documentFields } from "../../search/results/passage_schema.ts";
import { defineOperation } from "../operation.ts";
import { collectionField, ONE_DOCUMENT, readTokensField, resolvePart, withSubsections } from "./fields.ts";
import { readFields, readWithinBudget } from "./reading.ts";

export const docsShow = defineOperation({
  name: "documents_get_document",
  verb: "docs show",
  summary: "Read a document, from the start or from a line",
  positionals: ["document"],
  input: z.strictObject({
    document: z.string().describe("Path or title; path#section for a section"),
    collection: collectionField,
    from_line: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .optional()
      .describe("First line to read, from 1"),
    max_tokens: readTokensField,
  }),
  output: z.object({
    ...documentFields,
    format: z.enum(DOCUMENT_FORMATS),
    first_line: z.number(),
    last_line: z.number(),
    lines: z.number(),
    ...readFields,
  }),
  ...ONE_DOCUMENT,
  unlisted: ["collection"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const { row, sections, section } = resolvePart(library, input, dex.cwd);
    const text = library.reader.text(row.no);
    const lines = text.split("\n").length;
    const run = section ? withSubsections(sections, section) : [];
    const first = input.from_line ?? run[0]?.first_line ?? 1;
    const last = run.at(-1)?.last_line ?? lines;
    if (first > last) {
      throw new DexError("bad_line", `${row.path} has no line ${first}.`, {
        hint: `It has ${plural(lines, "line")}.`,
      });
    }
    const about = {
      ...citation(library, row, section?.slug),
      format: row.format,
      location: row.location,
    };
    const read = readWithinBudget(
      { about, text, first, last, maxTokens: input.max_tokens, inputs: { lines } },
      context,
    );
    return { ...about, lines, ...read };
  },
});
