/**
 * The settings without what checks them, where nothing was set: that is most homes, and the check takes longer to load
 * than a hook may take to answer. The build writes the defaults down; run from source, the schema is asked for them.
 */
import { existsSync } from "node:fs";
import type { Settings } from "./settings.ts";

declare const DEX_DEFAULT_SETTINGS: Settings | undefined;

/** Variables of dex's that set nothing of this, and those that hooks look at before they read any settings. */
const ELSEWHERE = new Set(["DEX_HOME", "DEX_DEBUG", "DEX_HOOKS", "DEX_HOOK_BUDGET_MS"]);

export async function loadSettings(path: string, vars: NodeJS.ProcessEnv): Promise<Settings> {
  const nothing =
    !existsSync(path) && !Object.keys(vars).some((name) => name.startsWith("DEX_") && !ELSEWHERE.has(name));
  if (nothing && typeof DEX_DEFAULT_SETTINGS === "object") return structuredClone(DEX_DEFAULT_SETTINGS);
  const settings = await import("./settings.ts");
  return settings.loadSettings(path, vars);
}
