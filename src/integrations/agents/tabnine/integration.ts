/** Tabnine CLI, which was made from Gemini CLI. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const tabnine: Integration = {
  id: "tabnine",
  name: "Tabnine CLI",
  aliases: ["tabnine_cli"],
  folders: (env) => [tabnineFolder(env)],
  history: async () => (await import("./history/source.ts")).tabnineHistory,
};

export function tabnineFolder({ home, vars }: SourceEnv): string {
  return join(vars.GEMINI_CLI_HOME || home, ".tabnine", "agent");
}
