/**
 * Remembers that the team's server did not answer, as the modification time of a file, so that the next commands do not
 * wait for it again. A new address is asked at once.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeStamp } from "../../config/detached.ts";
import { accessFile } from "../joined.ts";

export function wasSilent(team: string, retryMs: number): boolean {
  const silent = timeOf(join(team, "silent"));
  if (silent === undefined || silent < (timeOf(accessFile(team)) ?? 0)) return false;
  const age = Date.now() - silent;
  // A time in the future means that the clock was set back.
  return age >= 0 && age < retryMs;
}

export function noteSilence(team: string): void {
  writeStamp(join(team, "silent"));
}

export function clearSilence(team: string): void {
  const file = join(team, "silent");
  if (timeOf(file) !== undefined) rmSync(file, { force: true });
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
