/** Codebuff and Freebuff. */
import { join } from "node:path";
import { configFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const codebuff: Integration = {
  id: "codebuff",
  name: "Codebuff",
  aliases: ["freebuff", "manicode"],
  folders: (env) => codebuffProjects(env),
  history: async () => (await import("./history/source.ts")).codebuffHistory,
};

export function codebuffProjects(env: SourceEnv): string[] {
  const homes = new Set([join(env.home, ".config"), configFolder(env)]);
  return [...homes].map((folder) => join(folder, "manicode", "projects"));
}
