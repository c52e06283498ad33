/** CodeBuddy Code and WorkBuddy. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const codebuddy: Integration = {
  id: "codebuddy",
  name: "CodeBuddy",
  aliases: ["workbuddy"],
  folders: (env) => codebuddyProjects(env),
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
