/** One text of a language to its facts. */
import { DexError } from "../../kernel/errors.ts";
import type { FileFacts } from "../facts.ts";
import { loadLanguage } from "../languages/registry.ts";
import { extract } from "./extract.ts";
import { loadGrammar } from "./parser.ts";

/** Undefined: it cannot be parsed. */
export async function readCode(language: string, text: string, path: string): Promise<FileFacts | undefined> {
  const loaded = await loadGrammar(await loadLanguage(language));
  try {
    return extract(loaded, text, path);
  } catch (error) {
    // A grammar that fails on a text (its memory, its depth) fails on this file only.
    if (error instanceof DexError) throw error;
    return undefined;
  }
}
