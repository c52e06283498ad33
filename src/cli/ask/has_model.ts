/** Whether a model answers the questions: only then does dex ask a person what the answer is for. */
import { modelOf } from "../../ask/sources.ts";
import type { Dex } from "../../dex.ts";
import type { ask } from "../../operations/ask/ask.ts";

export function hasModel(dex: Dex, { no_model, model }: Parameters<typeof ask.run>[1]): boolean {
  return modelOf(dex, { noModel: no_model, ...(model === undefined ? {} : { model }) }) !== undefined;
}
