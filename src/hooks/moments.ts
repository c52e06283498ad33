/** Leaves out of an event the moments that are switched off. */
import type { Moment } from "../config/moments.ts";
import { type HookEvent, momentOf } from "../integrations/hooks/hook_host.ts";

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
