/** Qoder: its command line and editor. */
import { join } from "node:path";
import { configFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const qoder: Integration = {
  id: "qoder",
  name: "Qoder",
  aliases: ["qoder_cli"],
  folders: (env) => qoderProjects(env),
  history: async () => (await import("./history/source.ts")).qoderHistory,
  settings: async () => (await import("./settings.ts")).qoderSettings,
  hooks: async () => (await import("./hooks.ts")).qoderHooks,
};

export function qoderProjects(env: SourceEnv): string[] {
  return [
    join(env.vars.QODER_CONFIG_DIR || join(env.home, ".qoder"), "projects"),
    join(env.home, ".qoderwork", "projects"),
    join(configFolder(env), "Qoder", "SharedClientCache", "cli", "projects"),
  ];
}
