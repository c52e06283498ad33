/** Amazon Q Developer's command line, from which Kiro's was made. */
import { join } from "node:path";
import { localDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const amazonQ: Integration = {
  id: "amazon_q",
  name: "Amazon Q CLI",
  aliases: ["q", "amazonq"],
  folders: (env) => [amazonQDatabase(env)],
  history: async () => (await import("./history/source.ts")).amazonQHistory,
};

export function amazonQDatabase(env: SourceEnv): string {
  return join(localDataFolder(env), "amazon-q", "data.sqlite3");
}
