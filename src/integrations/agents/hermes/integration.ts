/** Hermes Agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const hermes: Integration = {
  id: "hermes",
  name: "Hermes Agent",
  aliases: [],
  folders: (env) => [hermesHome(env)],
  history: async () => (await import("./history/source.ts")).hermesHistory,
};

export function hermesHome({ home, vars }: SourceEnv): string {
  return vars.HERMES_HOME || join(home, ".hermes");
}
