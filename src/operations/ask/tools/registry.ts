/** The tools that a model may call while it answers a question, by the sources it may read. */
import { type AskIn, codeProject } from "../../../ask/finding/places.ts";
import type { AskTool } from "../../../ask/model/tools.ts";
import type { Dex } from "../../../dex.ts";

export async function askTools(dex: Dex, where: AskIn): Promise<AskTool[]> {
  const { conversationTools, documentTools } = await import("./documents.ts");
  return [
    ...(where === "documents" || where === "all" ? documentTools(dex) : []),
    ...(where === "conversations" || where === "all" ? conversationTools(dex) : []),
    ...(where === "code" || where === "all" ? await toolsForCode(dex, where) : []),
  ];
}

/** The modules that read code are large, so they are loaded only for questions about code. */
async function toolsForCode(dex: Dex, where: AskIn): Promise<AskTool[]> {
  const project = await codeProject(dex, where);
  if (!project) return [];
  const { codeTools } = await import("./code.ts");
  return codeTools(dex, project, where === "all");
}
