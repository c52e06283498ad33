/** SpecStory, which records the sessions of other agents: nobody continues a session in it. */
import { join, resolve } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const specstory: Integration = {
  id: "specstory",
  name: "SpecStory",
  aliases: [],
  folders: (env) => specstoryFolders(env),
  history: async () => (await import("./history/source.ts")).specstoryHistory,
};

export function specstoryFolders(env: SourceEnv): string[] {
  return [...new Set(env.roots.map((root) => resolve(root)))].map((root) => join(root, ".specstory", "history"));
}
