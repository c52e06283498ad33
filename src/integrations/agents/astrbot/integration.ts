/** AstrBot, an agent that people talk to in its own web chat or in a messenger. */
import { join } from "node:path";
import { listDir } from "../../history/reading/files.ts";
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

/** Folders with a database: of the desktop app, of each instance of the launcher, and of the folders it was started in. */
export function astrbotFolders(env: SourceEnv): string[] {
  const instances = listDir(launcherInstances(env)).map(({ name }) =>
    join(launcherInstances(env), name, "core", "data"),
  );
  return [...new Set([...ownFolders(env), ...instances, ...env.roots.map((root) => join(root, "data"))])].sort();
}

function ownFolders({ home, vars }: SourceEnv): string[] {
  const named = vars.ASTRBOT_ROOT ? [join(vars.ASTRBOT_ROOT, "data")] : [];
  return [...named, join(home, ".astrbot", "data")];
}

function launcherInstances({ home }: SourceEnv): string {
  return join(home, ".astrbot_launcher", "instances");
}
