/** The tools that a model may use while it answers a question, by where it may look. */
import { type AskIn, codeProject } from "../../../ask/sources.ts";
import type { AskTool } from "../../../ask/tools.ts";
import type { Dex } from "../../../dex.ts";

export async function askTools(dex: Dex, where: AskIn): Promise<AskTool[]> {
  const { conversationTools, documentTools } = await import("./documents.ts");
  return [
    ...(where === "documents" || where === "all" ? documentTools(dex) : []),
    ...(where === "conversations" || where === "all" ? conversationTools(dex) : []),
    ...(where === "code" || where === "all" ? await toolsForCode(dex, where) : []),
  ];
}

/** Code is read by large modules: they are loaded for questions about code alone. */
async function toolsForCode(dex: Dex, where: AskIn): Promise<AskTool[]> {
  const project = await codeProject(dex, where);
  if (!project) return [];
  const { codeTools } = await import("./code.ts");
  return codeTools(dex, project, where === "all");
}
