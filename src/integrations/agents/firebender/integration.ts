/** Firebender, an agent for Android Studio and other editors of JetBrains. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const firebender: Integration = {
  id: "firebender",
  name: "Firebender",
  aliases: [],
  folders: (env) => firebenderDatabases(env),
  history: async () => (await import("./history/source.ts")).firebenderHistory,
};

/** It keeps its history in the project's folder. */
export function firebenderDatabases(env: SourceEnv): string[] {
  return env.roots.map((root) => join(root, ".idea", "firebender", "chat_history.db"));
}
