/** The tools that a model may call while it answers a question, by the sources it may read. */
import type { Place } from "../../../ask/finding/places.ts";
import type { AskTool } from "../../../ask/model/tools.ts";
import type { Dex } from "../../../dex.ts";

export async function askTools(dex: Dex, { in: where, code }: Place): Promise<AskTool[]> {
  const { conversationTools, documentTools } = await import("./documents.ts");
  return [
    ...(where === "documents" || where === "all" ? documentTools(dex) : []),
    ...(where === "conversations" || where === "all" ? conversationTools(dex) : []),
    // The modules that read code are large, so they are loaded only for questions about code.
    ...(code ? (await import("./code.ts")).codeTools(dex, code, where === "all") : []),
  ];
}
