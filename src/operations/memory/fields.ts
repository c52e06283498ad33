/** Fields that the verbs about pins and notes share. */
import * as z from "zod";
import { LONGEST_TEXT } from "../../memory/remember.ts";
import { savedOutput } from "../../memory/save.ts";

export const filesField = z.array(z.string().max(4096)).max(50).default([]).describe("A file it is about");
export const textField = z.string().trim().min(1).max(LONGEST_TEXT);

export const listedOutput = z.object({ memories: z.array(savedOutput), total: z.number() });

export function idField(what: string) {
  return z.string().trim().min(1).max(100).describe(`The ${what}'s id, or its beginning`);
}
