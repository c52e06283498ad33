/** One search over conversations, documentation and code. A search loads only the code of the kinds it asks for. */
import type { Dex } from "../dex.ts";
import type { RunContext } from "../run_context.ts";
import { type SearchInput, type SearchOutput, searchConversations } from "./conversations.ts";

export async function searchIn(dex: Dex, input: SearchInput, context: RunContext): Promise<SearchOutput> {
  if (input.in === "conversations") return searchConversations(dex, input, context);
  const { searchElsewhere } = await import("./all.ts");
  return searchElsewhere(dex, input, context);
}
