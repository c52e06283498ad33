/** Fields that the verbs about pins, notes, packs and handoffs share. */
import * as z from "zod";
import { MAX_TEXT_CHARS } from "../../memory/remember.ts";
import { savedOutput } from "../../memory/save.ts";
import { projectFolderField } from "../shared/fields.ts";

const filesField = z.array(z.string().max(4096)).max(50).default([]).describe("A file it concerns");
export const textField = z.string().trim().min(1).max(MAX_TEXT_CHARS);

/** The input of a verb that saves a memory. */
export const savingInput = (text: string) =>
  z.strictObject({
    text: textField.describe(text),
    global: z.boolean().default(false).describe("For all projects"),
    file: filesField,
    project: projectFolderField,
  });

export const listedOutput = z.object({ memories: z.array(savedOutput), total: z.number() });

export function idField(what: string) {
  return z.string().trim().min(1).max(100).describe(`The ${what}'s id or a unique prefix`);
}

const MIN_PACK_TOKENS = 20;
export const MAX_PACK_TOKENS = 100_000;

export const packTokensField = (fallback: number) =>
  z
    .int("must be a whole number")
    .min(MIN_PACK_TOKENS, `must be at least ${MIN_PACK_TOKENS}`)
    .max(MAX_PACK_TOKENS)
    .default(fallback)
    .describe("Maximum tokens of the text");

export const framedOutput = {
  text: z.string(),
  tokens: z.number(),
  /** Shown and available entries of each section. */
  sections: z.array(z.object({ title: z.string(), shown: z.number(), total: z.number() })),
};
