/** AI Assistant in the editors of JetBrains. */
import { join } from "node:path";
import { configFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const jetbrainsAi: Integration = {
  id: "jetbrains_ai",
  name: "JetBrains AI Assistant",
  aliases: ["jetbrains", "ai_assistant"],
  folders: (env) => jetbrainsFolders(env),
  history: async () => (await import("./history/source.ts")).jetbrainsAiHistory,
};

/** Each contains one folder per product and version; Android Studio is Google's. */
export function jetbrainsFolders(env: SourceEnv): string[] {
  return [join(configFolder(env), "JetBrains"), join(configFolder(env), "Google")];
}
