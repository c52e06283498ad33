/** Posit Assistant, the agent of Positron and RStudio. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const positAssistant: Integration = {
  id: "posit_assistant",
  name: "Posit Assistant",
  aliases: ["posit"],
  folders: ({ home }) => [positWorkspaces(home)],
  history: async () => (await import("./history/source.ts")).positAssistantHistory,
};

export function positWorkspaces(home: string): string {
  return join(home, ".posit", "assistant", "workspaces");
}
