/** QwenPaw, which was CoPaw before. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const qwenpaw: Integration = {
  id: "qwenpaw",
  name: "QwenPaw",
  aliases: ["copaw", "qwen_paw"],
  folders: ({ home }) => pawWorkspaces(home),
  history: async () => (await import("./history/source.ts")).qwenpawHistory,
};

/** Each workspace has an agent of its own. */
export function pawWorkspaces(home: string): string[] {
  return [".copaw", ".qwenpaw"].map((folder) => join(home, folder, "workspaces"));
}
