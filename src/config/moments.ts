/**
 * The moments at which dex speaks unasked, and whether one is switched off. dex tells this without loading the settings:
 * an event of a moment that is off must cost next to nothing.
 */
import { readFileSync } from "node:fs";
import { asObject } from "../kernel/json.ts";

export const MOMENTS = ["start", "prompt", "file", "edit", "command", "end", "statusline"] as const;
export type Moment = (typeof MOMENTS)[number];

/** `DEX_HOOKS=start,prompt` leaves only these on; `DEX_HOOKS_OFF=command,edit` switches these off. */
export function momentsOff(vars: NodeJS.ProcessEnv): Set<Moment> {
  const only = momentsIn(vars.DEX_HOOKS);
  const off = new Set(momentsIn(vars.DEX_HOOKS_OFF));
  if (only.length === 0) return off;
  // The status line is not a hook.
  for (const moment of MOMENTS) if (moment !== "statusline" && !only.includes(moment)) off.add(moment);
  return off;
}

/** By the environment or the settings. A file that never mentions moments is not even parsed. */
export async function isMomentOff(moment: Moment, vars: NodeJS.ProcessEnv, config: string): Promise<boolean> {
  if (momentsOff(vars).has(moment)) return true;
  try {
    const text = readFileSync(config, "utf8");
    if (!/\bmoments\b/.test(text)) return false;
    const { parse } = await import("yaml");
    return asObject(asObject(asObject(parse(text)).hooks).moments)[moment] === false;
  } catch {
    // No file; and settings that are not valid are reported when they are loaded.
    return false;
  }
}

function momentsIn(value: string | undefined): Moment[] {
  const words = (value ?? "").toLowerCase().split(/[\s,]+/);
  return MOMENTS.filter((moment) => words.includes(moment));
}
