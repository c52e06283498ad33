/** Factory Droid, Factory's command line agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const factoryDroid: Integration = {
  id: "factory_droid",
  name: "Factory Droid",
  aliases: ["droid", "factory"],
  handoff: { filePrefix: "@", resume: ["droid", "--resume"], start: ["droid"] },
  folders: (env) => [factoryHome(env)],
  history: async () => (await import("./history/source.ts")).factoryDroidHistory,
  settings: async () => (await import("./settings.ts")).factoryDroidSettings,
  hookName: "droid",
  hooks: async () => (await import("./hooks.ts")).factoryDroidHooks,
};

export function factoryHome({ home, vars }: SourceEnv): string {
  return join(vars.FACTORY_HOME_OVERRIDE || home, ".factory");
}
