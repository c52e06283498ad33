/** Search over conversations, documentation and code. Each search loads only the modules of its own kinds. */
import type { Dex } from "../dex.ts";
import type { RunContext } from "../run_context.ts";
import { type SearchInput, type SearchOutput, searchConversations } from "./conversations.ts";
import { originFilter } from "./filters/filter.ts";

export async function searchIn(dex: Dex, input: SearchInput, context: RunContext): Promise<SearchOutput> {
  // A regular expression is searched in this home alone.
  if (input.regex) originFilter(dex, input);
  if (input.regex) return (await import("./exact/by_pattern.ts")).searchByPattern(dex, input, context);
  if (input.in === "conversations") return searchConversations(dex, input, context);
  const { searchOtherKinds } = await import("./all.ts");
  return searchOtherKinds(dex, input, context);
}
