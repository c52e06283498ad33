/** Aider, which keeps its history in the project folder. */
import { isAbsolute, join, resolve } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const aider: Integration = {
  id: "aider",
  name: "Aider",
  aliases: [],
  folders: (env) => historyFiles(env),
  history: async () => (await import("./history/source.ts")).aiderHistory,
};

const HISTORY_FILE = ".aider.chat.history.md";

export function historyFiles(env: SourceEnv): string[] {
  const roots = env.roots.map((root) => resolve(root));
  const named = env.vars.AIDER_CHAT_HISTORY_FILE?.replace(/^~(?=\/)/, env.home) ?? "";
  const other = named === "" ? [] : isAbsolute(named) ? [named] : roots.map((root) => resolve(root, named));
  return [...new Set([...roots.map((root) => join(root, HISTORY_FILE)), ...other])];
}
