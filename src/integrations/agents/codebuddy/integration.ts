/** CodeBuddy Code, WorkBuddy and CodeBuddy's editors. */
import { join } from "node:path";
import { localDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const codebuddy: Integration = {
  id: "codebuddy",
  name: "CodeBuddy",
  aliases: ["workbuddy"],
  folders: (env) => [...codebuddyProjects(env), codebuddyEditorData(env)],
  history: async () => (await import("./history/source.ts")).codebuddyHistory,
};

export function codebuddyProjects({ home, vars }: SourceEnv): string[] {
  const homes = [
    vars.CODEBUDDY_CONFIG_DIR || join(home, ".codebuddy"),
    vars.WORKBUDDY_CONFIG_DIR || join(home, ".workbuddy"),
    join(home, ".workbuddy-ai"),
  ];
  return homes.map((folder) => join(folder, "projects"));
}

/** The data of its extension for other editors, and of its own editor. */
export function codebuddyEditorData(env: SourceEnv): string {
  return join(localDataFolder(env), "CodeBuddyExtension", "Data");
}
