/**
 * Whether a moment is switched off, without loading the settings: an event of a moment that is off must cost next to
 * nothing. A file that never mentions moments is not even parsed.
 */
import { readFileSync } from "node:fs";
import { type Moment, momentsOff } from "../config/moments.ts";
import { type HookEvent, momentOf } from "../integrations/hooks/hook_host.ts";
import { asObject } from "../kernel/json.ts";

/**
 * The event without the moments that are off; undefined if nothing is left. An event after an edit stands for two
 * moments where the host has no event before it.
 */
export async function activeEvent(
  event: HookEvent,
  isOff: (moment: Moment) => Promise<boolean>,
): Promise<HookEvent | undefined> {
  const moment = momentOf(event);
  if (moment === undefined) return event;
  const off = await isOff(moment);
  if (event.kind !== "files" || event.edited === undefined) return off ? undefined : event;
  const { edited, ...rest } = event;
  if (await isOff("edit")) return off ? undefined : rest;
  const { name, session, folder } = event;
  return off ? { name, session, folder, kind: "edit", files: edited, text: "" } : event;
}

export async function isMomentOff(moment: Moment, vars: NodeJS.ProcessEnv, config: string): Promise<boolean> {
  if (momentsOff(vars).has(moment)) return true;
  const text = textOf(config);
  if (!/\bmoments\b/.test(text)) return false;
  const { parse } = await import("yaml");
  try {
    return asObject(asObject(asObject(parse(text)).hooks).moments)[moment] === false;
  } catch {
    // The answer itself reports settings that are not valid.
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
