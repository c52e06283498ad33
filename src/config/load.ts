/**
 * Loads the settings without the schema when nothing is set, which is the usual case: loading the schema takes longer
 * than a hook may take to answer. The build generates the defaults; run from source, dex takes them from the schema.
 */
import { existsSync } from "node:fs";
import type { Settings } from "./schema.ts";

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_DEFAULT_SETTINGS: string | undefined;

/** dex's variables that are not settings, and those that hooks read before any settings. */
const NOT_SETTINGS = new Set(["DEX_HOME", "DEX_DEBUG", "DEX_HOOKS", "DEX_HOOKS_OFF", "DEX_HOOK_BUDGET_MS"]);

export async function loadSettings(path: string, vars: NodeJS.ProcessEnv): Promise<Settings> {
  const nothing =
    !existsSync(path) && !Object.keys(vars).some((name) => name.startsWith("DEX_") && !NOT_SETTINGS.has(name));
  if (nothing && typeof DEX_DEFAULT_SETTINGS === "string") return JSON.parse(DEX_DEFAULT_SETTINGS) as Settings;
  const settings = await import("./settings.ts");
  return settings.loadSettings(path, vars);
}
