/** Extracts the facts of one source text, loading its language when needed. */
import { DexError } from "../../kernel/errors.ts";
import type { FileFacts } from "../facts.ts";
import { loadLanguage } from "../languages/registry.ts";
import { extract } from "./file/extract.ts";
import { loadGrammar } from "./parser.ts";

/** Undefined when the text cannot be parsed. */
export async function readCode(language: string, text: string, path: string): Promise<FileFacts | undefined> {
  const loaded = await loadGrammar(await loadLanguage(language));
  try {
    return extract(loaded, text, path);
  } catch (error) {
    // A grammar that runs out of memory or stack on this text still works for other files.
    if (error instanceof DexError) throw error;
    return undefined;
  }
}
