/**
 * The switches that turn hooks off. A project can only switch them off for itself, with an empty file: that needs no
 * trust, and dex sees it without reading any settings.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OPT_OUT } from "../config/paths.ts";

export function switchedOff(vars: NodeJS.ProcessEnv): boolean {
  return /^(?:off|0|false|no)$/i.test(vars.DEX_HOOKS ?? "");
}

/** Looks in the folder and its parents, up to the root of the repository. */
export function optedOut(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, OPT_OUT))) return true;
    if (existsSync(join(at, ".git")) || dirname(at) === at) return false;
  }
}
