/** The moments at which dex speaks unasked, and the environment variables that switch them off by name. */

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

function momentsIn(value: string | undefined): Moment[] {
  const words = (value ?? "").toLowerCase().split(/[\s,]+/);
  return MOMENTS.filter((moment) => words.includes(moment));
}
