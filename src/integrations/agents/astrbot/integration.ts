/** AstrBot, an agent that people talk to in its own web chat or in a messenger. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

/** Of version 4, and of version 3, which the upgrade copies and leaves behind. */
export const DATABASES = ["data_v4.db", "data_v3.db"] as const;

export const astrbot: Integration = {
  id: "astrbot",
  name: "AstrBot",
  aliases: ["astr_bot"],
  folders: (env) => [
    ...ownFolders(env),
    launcherInstances(env),
    ...env.roots.flatMap((root) => DATABASES.map((name) => join(root, "data", name))),
  ],
  history: async () => (await import("./history/source.ts")).astrbotHistory,
};

/** Of the folder in its variable, and of the desktop app. */
export function ownFolders({ home, vars }: SourceEnv): string[] {
  const named = vars.ASTRBOT_ROOT ? [join(vars.ASTRBOT_ROOT, "data")] : [];
  return [...named, join(home, ".astrbot", "data")];
}

/** Each has an AstrBot of its own, in `core`. */
export function launcherInstances({ home }: SourceEnv): string {
  return join(home, ".astrbot_launcher", "instances");
}
