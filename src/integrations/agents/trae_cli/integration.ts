/** TRAE CLI, which writes Codex's rollouts. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const traeCli: Integration = {
  id: "trae_cli",
  name: "TRAE CLI",
  aliases: ["trae", "traex"],
  folders: (env) => [traeHome(env)],
  history: async () => (await import("./history/source.ts")).traeCliHistory,
};

export function traeHome({ home, vars }: SourceEnv): string {
  return vars.TRAECLI_HOME || join(vars.TRAE_HOME || join(home, ".trae"), "cli");
}
