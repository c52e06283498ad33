/** `dex docs section`: one section of a document. */
import * as z from "zod";
import { citation } from "../../collections/citation.ts";
import { DexError } from "../../kernel/errors.ts";
import { sectionFields } from "../../search/results/passage_schema.ts";
import { defineOperation } from "../operation.ts";
import { collectionField, ONE_DOCUMENT, readTokensField, resolvePart, withSubsections } from "./fields.ts";
import { readFields, readWithinBudget } from "./reading.ts";

export const docsSection = defineOperation({
  name: "documents_get_section",
  verb: "docs section",
  summary: "Read a section of a document by its address in the outline, an anchor or its heading",
  positionals: ["document", "section"],
  input: z.strictObject({
    document: z.string().describe("Path or title, or both parts as path#section"),
    section: z.string().optional().describe("Its address in the outline, an anchor or its heading"),
    collection: collectionField,
    include_subsections: z.boolean().default(true).describe("With its subsections"),
    max_tokens: readTokensField,
  }),
  output: z.object({
    ...sectionFields,
    ...readFields,
  }),
  ...ONE_DOCUMENT,
  unlisted: ["collection"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const { row, sections, section } = resolvePart(library, input, dex.cwd);
    if (!section) {
      throw new DexError("no_section", `Name a section of ${row.path}.`, {
        hint: "`dex docs outline` lists the sections; `dex docs show` reads the whole document.",
      });
    }
    const run = input.include_subsections ? withSubsections(sections, section) : [section];
    const about = {
      ...citation(library, row, section.slug),
      section: section.slug,
      headings: [...section.path],
      location: row.location,
    };
    const text = library.reader.text(row.no);
    const last = run.at(-1)?.last_line ?? section.last_line;
    const lines = { text, first: section.first_line, last, maxTokens: input.max_tokens };
    return { ...about, ...readWithinBudget({ about, ...lines, inputs: { sections: sections.length } }, context) };
  },
});
