/**
 * What keeps hooks silent. A project can only switch them off for itself, by an empty file: that needs nobody's trust,
 * and is seen without reading any settings.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OPT_OUT } from "../config/paths.ts";

export function switchedOff(vars: NodeJS.ProcessEnv): boolean {
  return /^(?:off|0|false|no)$/i.test(vars.DEX_HOOKS ?? "");
}

/** In the folder or above it, up to the top of the repository. */
export function optedOut(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, OPT_OUT))) return true;
    if (existsSync(join(at, ".git")) || dirname(at) === at) return false;
  }
}
