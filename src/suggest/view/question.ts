/** A prompt as a query of the conversations. */
import type { Settings } from "../../config/schema.ts";
import type { TermQuery } from "../../ranking/query.ts";
import { parseQuery } from "../../search/query/query.ts";
import { builtInVectorOf } from "../../search/query/vector.ts";
import type { Activity } from "../model.ts";

/** A remote embedding service is not called: pushed context must not wait for it, nor send it the prompt. */
export function questionOf(settings: Settings, { prompt }: Activity): TermQuery | undefined {
  const parsed = prompt === undefined ? undefined : parseQuery(prompt.replaceAll(/["]|\b\w+:(?=\S)/g, " "));
  if (!parsed) return undefined;
  const vector = builtInVectorOf(parsed, settings);
  return { terms: parsed.terms, paths: parsed.paths, ...(vector ? { vector } : {}) };
}
