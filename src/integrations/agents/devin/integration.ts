/** Devin's command line. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const devin: Integration = {
  id: "devin",
  name: "Devin CLI",
  aliases: ["devin_cli"],
  folders: (env) => devinDatabases(env),
  history: async () => (await import("./history/source.ts")).devinHistory,
};

export function devinDatabases({ home, platform }: SourceEnv): string[] {
  const folders = [join(home, ".local", "share", "devin", "cli")];
  if (platform === "darwin") folders.push(join(home, "Library", "Application Support", "devin", "cli"));
  return folders.map((folder) => join(folder, "sessions.db"));
}
