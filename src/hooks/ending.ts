/**
 * The end of a session: nobody reads an answer, so dex only starts the refresh that reads the finished conversation.
 * The next session in the project then starts with what it did and left open.
 */
import { existsSync } from "node:fs";
import { loadSettings } from "../config/load.ts";
import { dexPaths } from "../config/paths.ts";
import { refreshInBackground } from "../project/refresh.ts";

/** Shorter than usual: the conversation ended after the last refresh began. */
const MIN_INTERVAL_MS = 20_000;

/** Undefined: hooks or refreshes are turned off, or dex was never used. */
export async function refreshAtEnd(folder: string, vars: NodeJS.ProcessEnv): Promise<(() => void) | undefined> {
  const paths = dexPaths(vars);
  if (!existsSync(paths.home)) return undefined;
  const { hooks } = await loadSettings(paths.config, vars);
  if (!hooks.enabled || !hooks.refresh) return undefined;
  return () => void refreshInBackground(paths, folder, vars, MIN_INTERVAL_MS);
}
